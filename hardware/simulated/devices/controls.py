"""The push-buttons of the simulated table."""

from collections.abc import Iterable, Sequence

from companion.languages import said
from hardware.ports import Button, Clock, Press
from hardware.pushbuttons import button_word


class SimulatedControls:
    """A queue of presses by simulated players, a test or a keyboard."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._queue: list[Press] = []
        self._notices: list[str] = []
        self._stuck: set[Button] = set()
        self._closed = self._unplugged = False

    def press(self, button: Button, seat: int | None = None) -> None:
        """Press a button now; without effect if it is stuck or not connected."""
        if not (self._closed or self._unplugged or button in self._stuck):
            self._queue.append(Press(button, self._clock.now(), seat=seat))

    def storm(self, presses: Iterable[Button]) -> None:
        """Press buttons faster than people can, like a loose contact or a child; two at once are two presses."""
        for button in presses:
            self.press(button)

    def unplug(self) -> None:
        """Cut the wires of all buttons."""
        self._unplugged = True

    def plug_in(self) -> None:
        """Connect them again."""
        self._unplugged = False

    def stick(self, button: Button) -> None:
        """Hold a button down permanently; it is reported once."""
        if button not in self._stuck:
            self._stuck.add(button)
            self._notices.append(
                said(
                    "The {button} has been down for a long time: remove anything lying on it.",
                    button=said("{button} button", button=button_word(button)),
                )
            )

    def free(self, button: Button) -> None:
        """Release it."""
        self._stuck.discard(button)

    @property
    def stuck(self) -> tuple[tuple[Button, int | None], ...]:
        """The stuck buttons, of every seat."""
        return tuple((button, seat) for button in self._stuck for seat in (None, 1, 2))

    def notices(self) -> tuple[str, ...]:
        """Return new problems with buttons, a sentence each."""
        reported = tuple(self._notices)
        self._notices.clear()
        return reported

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call, in order."""
        fetched, self._queue = tuple(self._queue), []
        return fetched

    def close(self) -> None:
        """Disconnect the buttons; may be called more than once."""
        self._closed = True
        self._queue.clear()
