"""Push-buttons: contacts mapped to logical buttons, one shared set or one for each seat."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from companion.languages import Sentence, said
from hardware.debounce import Contact, Contacted, ContactEvent
from hardware.ports import Button, Press

_WORDS: Final = {Button.CONFIRM: said("confirm"), Button.ADVANCE: said("advance"), Button.UNDO: said("undo")}


def button_word(button: Button) -> Sentence:
    """Return a logical button's display name."""
    return _WORDS[button]


@dataclass(frozen=True, slots=True)
class Wiring:
    """The wiring of a push-button.

    Attributes:
        button: logical button of a short press.
        pin: the GPIO number (BCM) that it connects.
        seat: seat that it belongs to, None for the shared set.
        when_held: logical button of a long press; None for no special meaning.
    """

    button: Button
    pin: int
    seat: int | None = None
    when_held: Button | None = None

    @property
    def name(self) -> str:
        """The button's display name."""
        pin, button = f"GPIO{self.pin}", button_word(self.button)
        if self.seat is None:
            return said("{button} button ({pin})", button=button, pin=pin)
        return said("{button} button of seat {seat} ({pin})", button=button, seat=self.seat, pin=pin)


class ButtonPlace(Protocol):
    """A push-button or a key: the interface that `Wiring` and a key's binding share."""

    @property
    def button(self) -> Button:
        """The logical button of a short press."""

    @property
    def seat(self) -> int | None:
        """The seat that it belongs to, or None if it is for all."""

    @property
    def when_held(self) -> Button | None:
        """The logical button of a long press, or None for no special meaning."""

    @property
    def name(self) -> str:
        """Its display name."""


class PushButton:
    """One push-button, which turns its contact's changes into presses.

    A press is reported as soon as the contact closes. If a long press has another meaning, a short one is reported on
    release, and a long one as soon as it is long enough.

    Args:
        wiring: its mapping.
        contact: its debounced contact.
        complain: called with a sentence about a problem of the button.
    """

    def __init__(self, wiring: ButtonPlace, contact: Contact, complain: Callable[[str], None]) -> None:
        self._wiring, self.contact, self._complain = wiring, contact, complain
        self._short_since_s: float | None = None

    @property
    def stuck(self) -> tuple[tuple[Button, int | None], ...]:
        """Its logical button and seat if it was stuck at the last call of `presses`, or else nothing."""
        return ((self._wiring.button, self._wiring.seat),) if self.contact.stuck else ()

    def presses(self, now_s: float) -> list[Press]:
        """Return the presses since the last call."""
        return [press for event in self.contact.events(now_s) for press in self._take(event)]

    def _take(self, event: ContactEvent) -> Iterable[Press]:
        if event.what is Contacted.PRESSED and self._wiring.when_held is None:
            yield self._press(self._wiring.button, event.t_s)
        elif event.what is Contacted.PRESSED:
            self._short_since_s = event.t_s
        # A button that was down at the start was not pressed: neither its hold nor its release means anything.
        elif event.what is Contacted.HELD and self._short_since_s is not None and self._wiring.when_held is not None:
            self._short_since_s = None
            yield self._press(self._wiring.when_held, event.t_s)
        elif event.what is Contacted.RELEASED and self._short_since_s is not None:
            self._short_since_s = None
            yield self._press(self._wiring.button, event.t_s)
        elif event.what is Contacted.STUCK:
            self._complain(
                said(
                    "The {button} has been down for a long time: remove anything lying on it, or check its wires.",
                    button=self._wiring.name,
                )
            )
        elif event.what is Contacted.FREED:
            self._complain(said("The {button} is free again.", button=self._wiring.name))

    def _press(self, button: Button, t_s: float) -> Press:
        return Press(button, t_s, seat=self._wiring.seat)
