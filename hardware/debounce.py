"""Push-button contacts: edges and times in; presses, long presses and stuck buttons out.

Contacts bounce for some milliseconds when they close and when they open, wires beside a strip of lights catch pulses of
microseconds, and things get to lie on buttons. No clock is read here: the caller passes the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

LEAST_S: Final = 0.005
"""A contact that closes for a shorter time caught a pulse; the quickest finger stays ten times as long."""
STUCK_S: Final = 30.0
"""Nobody holds a button down for so long."""


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

    A press begins when the contact has been closed for `LEAST_S` in a row and ends when it has been open for
    `debounce_s` in a row. A contact that is closed from the beginning was not pressed: it counts once it has opened.

    Args:
        debounce_s: presses closer together than this are one.
        hold_s: after so long a press is a long one.
        stuck_s: after so long the button is stuck.
        least_s: so long it must be closed; less was a pulse in its wires.
        closed: whether the contact is closed now.
        now_s: the time now.
    """

    def __init__(
        self,
        debounce_s: float,
        hold_s: float,
        *,
        stuck_s: float = STUCK_S,
        least_s: float = LEAST_S,
        closed: bool = False,
        now_s: float = 0.0,
    ) -> None:
        self._debounce_s, self._hold_s, self._stuck_s = debounce_s, hold_s, stuck_s
        self._least_s = min(least_s, debounce_s)
        self._closed, self._since_s, self._known_s = closed, now_s, now_s
        self._down = self._held = closed
        self._stuck = False
        self._down_since_s = now_s
        self._events: list[ContactEvent] = []

    @property
    def stuck(self) -> bool:
        """True if the button is stuck."""
        return self._stuck

    def edge(self, closed: bool, t_s: float) -> None:
        """Take note that the contact was closed or open from `t_s` on; saying so twice does no harm."""
        self._pass_until(t_s)
        if closed != self._closed:
            self._closed, self._since_s = closed, self._known_s

    def events(self, now_s: float) -> tuple[ContactEvent, ...]:
        """Return the changes until now, each once."""
        self._pass_until(now_s)
        events, self._events = tuple(self._events), []
        return events

    def _pass_until(self, t_s: float) -> None:
        # Edges are told by another thread than time: one may arrive a moment late.
        self._known_s = max(self._known_s, t_s)
        steady_s = self._known_s - self._since_s
        if self._closed and not self._down and steady_s >= self._least_s:
            self._down, self._down_since_s = True, self._since_s
            self._tell(Contacted.PRESSED, self._since_s)
        if self._closed and self._down:
            self._grow_old()
        if not self._closed and self._down and steady_s >= self._debounce_s:
            self._let_go()

    def _grow_old(self) -> None:
        down_s = self._known_s - self._down_since_s
        if not self._held and down_s >= self._hold_s:
            self._held = True
            self._tell(Contacted.HELD, self._down_since_s + self._hold_s)
        if not self._stuck and down_s >= self._stuck_s:
            self._stuck = True
            self._tell(Contacted.STUCK, self._down_since_s + self._stuck_s)

    def _let_go(self) -> None:
        self._tell(Contacted.RELEASED, self._since_s)
        if self._stuck:
            self._tell(Contacted.FREED, self._since_s)
        self._down = self._held = self._stuck = False

    def _tell(self, what: Contacted, t_s: float) -> None:
        self._events.append(ContactEvent(what, t_s))
