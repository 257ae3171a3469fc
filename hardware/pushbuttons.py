"""Push-buttons: contacts mapped to logical buttons, one shared set or one for each seat.

Contacts bounce for some milliseconds when they close and when they open, wires beside a strip of lights pick up pulses
of microseconds, and objects may be left lying on buttons. No clock is read here: the caller passes the time.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from companion.languages import Sentence, said
from hardware.ports import Button, Press

LEAST_S: Final = 0.005
"""The shortest closure that counts; less is interference, and the quickest finger takes ten times as long."""
HOLD_S: Final = 1.0
"""Duration from which a press is a long one: longer than any press in passing, and no wait for who means it."""
STUCK_S: Final = 30.0
"""Duration from which a button is stuck: players do not hold one for so long."""


class Contacted(Enum):
    """Kinds of change at a contact."""

    PRESSED = auto()
    HELD = auto()
    RELEASED = auto()
    STUCK = auto()
    FREED = auto()


@dataclass(frozen=True, slots=True)
class ContactEvent:
    """A change at a contact, at `t_s`."""

    what: Contacted
    t_s: float


class Contact:
    """One contact, debounced from its raw edges.

    A press begins once the contact has been closed for `LEAST_S` without interruption and ends once it has been open
    for `debounce_s`. A contact that is closed from the beginning does not count as pressed until it has opened once.

    Args:
        debounce_s: interval below which two presses count as one.
        hold_s: duration from which a press is a long one.
        stuck_s: duration from which the button is stuck.
        least_s: shortest closure that counts; less is interference in the wires.
        closed: whether the contact is closed now.
        now_s: the current time.
    """

    def __init__(
        self,
        debounce_s: float,
        hold_s: float = HOLD_S,
        *,
        stuck_s: float = STUCK_S,
        least_s: float = LEAST_S,
        closed: bool = False,
        now_s: float = 0.0,
    ) -> None:
        self._debounce_s, self._hold_s, self._stuck_s = debounce_s, hold_s, stuck_s
        # Without debouncing every closure counts, however short.
        self._least_s = min(least_s, debounce_s)
        self._closed, self._since_s, self._known_s = closed, now_s, now_s
        # Down without an event: neither its press nor its hold is reported.
        self._down = self._held = closed
        self._stuck = False
        self._down_since_s = now_s
        self._events: list[ContactEvent] = []

    @property
    def stuck(self) -> bool:
        """True if the button is stuck."""
        return self._stuck

    def edge(self, closed: bool, t_s: float) -> None:
        """Record that the contact has been closed or open since `t_s`; repeating a state has no effect."""
        self._pass_until(t_s)
        if closed != self._closed:
            # Not `t_s`, which may lie before what was already decided.
            self._closed, self._since_s = closed, self._known_s

    def events(self, now_s: float) -> tuple[ContactEvent, ...]:
        """Return the changes up to now, each once."""
        self._pass_until(now_s)
        events, self._events = tuple(self._events), []
        return events

    def _pass_until(self, t_s: float) -> None:
        # Edges are reported by another thread than the time: one may arrive slightly late.
        self._known_s = max(self._known_s, t_s)
        steady_s = self._known_s - self._since_s
        if self._closed and not self._down and steady_s >= self._least_s:
            self._down, self._down_since_s = True, self._since_s
            self._record(Contacted.PRESSED, self._since_s)
        if self._closed and self._down:
            self._check_duration()
        if not self._closed and self._down and steady_s >= self._debounce_s:
            self._release()

    def _check_duration(self) -> None:
        down_s = self._known_s - self._down_since_s
        if not self._held and down_s >= self._hold_s:
            self._held = True
            # The moment itself, however much later it is noticed.
            self._record(Contacted.HELD, self._down_since_s + self._hold_s)
        if not self._stuck and down_s >= self._stuck_s:
            self._stuck = True
            self._record(Contacted.STUCK, self._down_since_s + self._stuck_s)

    def _release(self) -> None:
        self._record(Contacted.RELEASED, self._since_s)
        if self._stuck:
            self._record(Contacted.FREED, self._since_s)
        self._down = self._held = self._stuck = False

    def _record(self, what: Contacted, t_s: float) -> None:
        self._events.append(ContactEvent(what, t_s))


_WORDS: Final = {Button.CONFIRM: said("confirm"), Button.ADVANCE: said("advance"), Button.UNDO: said("undo")}


def button_word(button: Button) -> Sentence:
    """Return a logical button's display name."""
    return _WORDS[button]


@dataclass(frozen=True, slots=True)
class ButtonPlace:
    """The meaning of a push-button or a key.

    Attributes:
        button: logical button of a short press.
        seat: seat that it belongs to, None for all.
        when_held: logical button of a long press; None for no special meaning.
    """

    button: Button
    seat: int | None = field(default=None, kw_only=True)
    when_held: Button | None = field(default=None, kw_only=True)

    @property
    def name(self) -> str:
        """Its display name."""
        raise NotImplementedError


class PushButton:
    """One push-button, which turns its contact's changes into presses, and complains in sentences.

    A press is reported as soon as the contact closes. If a long press has another meaning, a short one is reported on
    release, and a long one as soon as it is long enough.
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
