"""Push-buttons: contacts that stand for logical buttons, one set in the middle or one for each seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.languages import Sentence, said
from hardware.debounce import Contact, Contacted, ContactNews
from hardware.ports import Button, Press

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


_WORDS: Final = {Button.CONFIRM: said("confirm"), Button.ADVANCE: said("advance"), Button.UNDO: said("undo")}


def button_word(button: Button) -> Sentence:
    """What people call a logical button."""
    return _WORDS[button]


@dataclass(frozen=True, slots=True)
class Wiring:
    """A push-button's place.

    Attributes:
        button: what it stands for.
        pin: the GPIO number (BCM) that it connects.
        seat: whose it is, None for the set in the middle.
        when_held: what holding it down stands for; None: nothing of its own.
    """

    button: Button
    pin: int
    seat: int | None = None
    when_held: Button | None = None

    @property
    def name(self) -> str:
        """What people call it."""
        pin, button = f"GPIO{self.pin}", button_word(self.button)
        if self.seat is None:
            return said("{button} button ({pin})", button=button, pin=pin)
        return said("{button} button of seat {seat} ({pin})", button=button, seat=self.seat, pin=pin)


class PushButton:
    """Presses of one push-button.

    A press counts as soon as the contact closes. Where holding the button down means something else, a short press
    counts when the button is let go, and a long one as soon as it is long.

    Args:
        wiring: its place.
        contact: tells what happens at it.
        complain: told what is wrong with the button, in a sentence.
    """

    def __init__(self, wiring: Wiring, contact: Contact, complain: Callable[[str], None]) -> None:
        self._wiring, self.contact, self._complain = wiring, contact, complain
        self._short_since_s: float | None = None

    def presses(self, now_s: float) -> list[Press]:
        """The presses since the last call."""
        return [press for news in self.contact.news(now_s) for press in self._take(news)]

    def _take(self, news: ContactNews) -> Iterable[Press]:
        if news.what is Contacted.PRESSED and self._wiring.when_held is None:
            yield self._press(self._wiring.button, news.t_s)
        elif news.what is Contacted.PRESSED:
            self._short_since_s = news.t_s
        elif news.what is Contacted.HELD and self._short_since_s is not None and self._wiring.when_held is not None:
            self._short_since_s = None
            yield self._press(self._wiring.when_held, news.t_s)
        elif news.what is Contacted.RELEASED and self._short_since_s is not None:
            self._short_since_s = None
            yield self._press(self._wiring.button, news.t_s)
        elif news.what is Contacted.STUCK:
            self._complain(
                said(
                    "The {button} has been down for a long time: lift off what lies on it, or check its wires.",
                    button=self._wiring.name,
                )
            )
        elif news.what is Contacted.FREED:
            self._complain(said("The {button} is free again.", button=self._wiring.name))

    def _press(self, button: Button, t_s: float) -> Press:
        return Press(button, t_s, seat=self._wiring.seat)
