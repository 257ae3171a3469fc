"""Learning of key bindings from presses."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from hardware.keys.binding import Binding, Model
from hardware.keys.bus import Found, InputBus, InputDevice
from hardware.ports import Button, Clock

LOOKS_S: Final = 0.5
"""Interval of searches for devices."""


class KeyRequest(NamedTuple):
    """A button, and its seat, for which a key is requested.

    Attributes:
        button: the button.
        seat: the seat, None for all.
    """

    button: Button
    seat: int | None


class LearntPress(NamedTuple):
    """The result of a press.

    Attributes:
        wanted: the request at the time of the press.
        found: the device whose key was pressed.
        key: code of the key.
        taken_by: existing binding of the key, which is then not bound again; None if it was bound now.
        is_left_out: whether the press skipped the request.
    """

    wanted: KeyRequest
    found: Found
    key: int
    taken_by: KeyRequest | None = None
    is_left_out: bool = False


@dataclass(frozen=True, slots=True)
class _Learnt:
    wanted: KeyRequest
    key: int
    found: Found


class Learner:
    """A sequence of requests for keys.

    The key of `confirm` skips the request for another button.

    Args:
        wanted: the requests, in order; `confirm` first for each seat.
        bus: the input devices; those connected later are included.
        clock: for the interval of searches.

    Attributes:
        refused: the error of each device that cannot be opened, by its file.
    """

    def __init__(self, wanted: Sequence[KeyRequest], bus: InputBus, clock: Clock) -> None:
        self._left, self._bus, self._clock = list(wanted), bus, clock
        self._learnt: list[_Learnt] = []
        self._open: dict[str, tuple[Found, InputDevice]] = {}
        self._seen: set[Found] = set()
        self.refused: dict[str, OSError] = {}
        self._looked_s = float("-inf")

    @property
    def request(self) -> KeyRequest | None:
        """The current request, or None at the end."""
        return self._left[0] if self._left else None

    @property
    def has_device(self) -> bool:
        """True if a device is open."""
        return bool(self._open)

    def tick(self) -> list[LearntPress]:
        """Return the results of the presses since the last call, without waiting."""
        self._look()
        learnt: list[LearntPress] = []
        for path, (found, device) in list(self._open.items()):
            try:
                events = device.events()
            except OSError:
                device.close()
                del self._open[path]
                continue
            learnt += [self._take(found, event.code) for event in events if event.down and self._left]
        return learnt

    def bindings(self) -> tuple[Binding, ...]:
        """Return the learnt bindings. Equal devices are distinguished by their place."""
        return tuple(
            Binding(each.wanted.button, each.key, self._model(each.found), each.wanted.seat) for each in self._learnt
        )

    def close(self) -> None:
        """Release all devices; may be called more than once."""
        for _, device in self._open.values():
            device.close()
        self._open.clear()

    def _look(self) -> None:
        if self._clock.now() - self._looked_s < LOOKS_S:
            return
        self._looked_s = self._clock.now()
        for found in self._bus.found():
            # Remembered after it is unplugged: the second of two equal pads may be learnt in the first one's absence.
            self._seen.add(found)
            if found.path not in self._open:
                try:
                    self._open[found.path] = found, self._bus.open(found.path)
                except OSError as error:
                    self.refused[found.path] = error
                else:
                    with suppress(KeyError):
                        del self.refused[found.path]

    def _take(self, found: Found, key: int) -> LearntPress:
        wanted = self._left[0]
        before = next((each for each in self._learnt if each.key == key and self._is_same(each.found, found)), None)
        if before is None:
            self._learnt.append(_Learnt(wanted, key, found))
            self._left.pop(0)
            return LearntPress(wanted, found, key)
        is_left_out = before.wanted == KeyRequest(Button.CONFIRM, wanted.seat)
        if is_left_out:
            self._left.pop(0)
        return LearntPress(wanted, found, key, before.wanted, is_left_out)

    def _is_same(self, one: Found, other: Found) -> bool:
        return (one.vendor, one.product, one.place) == (other.vendor, other.product, other.place)

    def _model(self, found: Found) -> Model:
        alike = {each.place for each in self._seen if (each.vendor, each.product) == (found.vendor, found.product)}
        return Model(found.vendor, found.product, found.place if len(alike) > 1 else "")
