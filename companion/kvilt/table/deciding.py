"""Conversion of a player's choice to a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.kvilt import Fetch, PencilSource, Swap
from companion.kvilt.choices import Exchange, FetchBlind, Take
from companion.kvilt.table.bag import RealBag

if TYPE_CHECKING:
    from companion.games.kvilt import Decision, State
    from companion.kvilt.choices import Action
    from companion.kvilt.table.bag import AnyBag


def decision_of(state: State, action: Action, bag: AnyBag) -> Decision:
    """Return the decision for an action; its blind draws are made now.

    Raises:
        ValueError: the action is no decision, or the bag is a real one, from which players draw.
    """
    if isinstance(action, Take):
        return action.decision
    if isinstance(bag, RealBag):
        raise ValueError("players draw from a real bag")
    if isinstance(action, Exchange):
        return Swap(state.mover, action.given, bag.draw(state, len(action.given)))
    if isinstance(action, FetchBlind):
        # Offered only while the bag holds a pencil (`offering.py`).
        return Fetch(state.mover, PencilSource.BAG, bag.draw(state)[0])
    raise ValueError(f"{type(action).__name__} is no decision")
