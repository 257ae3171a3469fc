"""Why the rules forbid a decision, in the players' words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.patchwork import PATCHES, IllegalReason, names_of, offers
from companion.languages import Sentence, any_of, counted, listed, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.patchwork import IllegalDecisionError, State


def forbidden(error: IllegalDecisionError, state: State) -> Sentence:
    """What is wrong with a decision that somebody wanted to enter in this state."""
    if error.reason is IllegalReason.WRONG_TURN:
        return said("It is {name}'s turn.", name=_mover(state))
    if error.reason is IllegalReason.OVERLAP:
        return said("Covered already: {cells}.", cells=" ".join(names_of(error.cells)))
    return _simple(error.reason, state) if error.patch is None else _of_patch(error.reason, error.patch, state)


def both_fit(patches: Sequence[str]) -> Sentence:
    """More than one patch explains the cells."""
    return said("{patches}: both are on offer and have this shape.", patches=any_of(patches))


def _simple(reason: IllegalReason, state: State) -> Sentence:
    match reason:
        case IllegalReason.FINISHED:
            return said("The game has ended.")
        case IllegalReason.LEATHER_FIRST:
            return said("The leather patch just won must be placed first.")
        case IllegalReason.NO_LEATHER:
            return said("There is no leather patch to place.")
        case IllegalReason.OVER_THE_EDGE:
            return said("That lies over the edge of the board.")
        case IllegalReason.WRONG_SHAPE if state.leather_due:
            return said("A leather patch covers one cell.")
        case _:
            return said("No patch has this shape.")


def _of_patch(reason: IllegalReason, patch: str, state: State) -> Sentence:
    match reason:
        case IllegalReason.NOT_OFFERED if patch not in state.unbought:
            return said("{patch} has been bought already.", patch=patch)
        case IllegalReason.NOT_OFFERED if on_offer := offers(state):
            return said("{patch} is not on offer; {offers} are.", patch=patch, offers=listed(on_offer))
        case IllegalReason.NOT_OFFERED:
            return said("{patch} is not on offer now.", patch=patch)
        case IllegalReason.NOT_AFFORDABLE:
            return _too_dear(patch, state)
        case IllegalReason.WRONG_SHAPE:
            return said("These cells are not the shape of {patch}.", patch=patch)
        case _:
            return said("There is no patch {patch}.", patch=patch)


def _too_dear(patch: str, state: State) -> Sentence:
    return counted(
        "{patch} costs {count} button, {name} has {purse}.",
        "{patch} costs {count} buttons, {name} has {purse}.",
        PATCHES[patch].buttons,
        patch=patch,
        name=_mover(state),
        purse=state.seat(state.turn or 1).buttons,
    )


def _mover(state: State) -> str:
    return state.setup.players[(state.turn or 1) - 1]
