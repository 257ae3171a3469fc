"""The decisions made by one press: those of a colouring are read together and undone together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.kvilt import Done, Fetch, FillNeutral, Phase, Swap, TakeCushion, is_draw
from companion.kvilt.table.bag import RealBag

if TYPE_CHECKING:
    from companion.games.kvilt import Decision, History
    from companion.kvilt.table.bag import AnyBag


def colouring_start(history: History) -> int:
    """Return the number of decisions before the colouring of the seat to move."""
    decisions, seat = history.decisions, history.state.turn
    start = len(decisions)
    while start and history.state_after(start - 1).phase is Phase.COLOURING and decisions[start - 1].seat == seat:
        start -= 1
    return start


def draws_since(history: History, start: int) -> tuple[Swap | Fetch, ...]:
    """Return the draws during a colouring, from the decision at index `start` on."""
    return tuple(it for it in history.decisions[start:] if isinstance(it, Swap | Fetch) and is_draw(it))


def last_step(history: History, bag: AnyBag) -> int:
    """Return the number of decisions that the last press made; 0 at the start of the game."""
    decisions = history.decisions
    if not decisions:
        return 0
    last = decisions[-1]
    if history.state_after(len(decisions) - 1).phase is Phase.COLOURING:
        return _look(history)
    # A virtual bag fills the neutral pincushion without a press.
    fills = isinstance(last, FillNeutral) and not isinstance(bag, RealBag)
    return 2 if fills and len(decisions) > 1 and isinstance(decisions[-2], TakeCushion) else 1


def _look(history: History) -> int:
    """Return the number of decisions that were read together; a draw from the bag is a step of its own."""
    decisions = history.decisions
    seat = decisions[-1].seat
    if is_draw(decisions[-1]):
        return 1
    count = 1
    while count < len(decisions) and _belongs(history, len(decisions) - count - 1, decisions[-count - 1], seat):
        count += 1
    return count


def _belongs(history: History, place: int, decision: Decision, seat: int) -> bool:
    colours = history.state_after(place).phase is Phase.COLOURING and decision.seat == seat
    return colours and not is_draw(decision) and not isinstance(decision, Done)
