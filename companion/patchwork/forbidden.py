"""The reasons why the rules forbid a decision, in the players' words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.patchwork import PATCHES, IllegalReason, offers
from companion.languages import Sentence, any_of, counted, listed, said
from companion.patchwork.naming import cells_named, patch_name, patch_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.patchwork import IllegalDecisionError, State


def forbidden(error: IllegalDecisionError, state: State) -> Sentence:
    """Return the sentence on why a decision that a player entered is illegal in this state."""
    if error.reason is IllegalReason.WRONG_TURN:
        return said("It is {name}’s turn.", name=_mover(state))
    if error.reason is IllegalReason.OVERLAP:
        return said("Already covered: {cells}.", cells=cells_named(error.cells))
    if error.reason is IllegalReason.NOT_FINISHED:
        return said("You can say that once the game has ended.")
    if error.reason is IllegalReason.NO_SQUARE:
        return said("The 7x7 tile is for a quilt with a full square of 7 by 7.")
    return _simple(error.reason, state) if error.patch is None else _of_patch(error.reason, error.patch, state)


def both_fit(patches: Sequence[str]) -> Sentence:
    """Return the sentence for cells that more than one patch explains."""
    return said("{patches}: both are on offer and have this shape.", patches=any_of(patch_names(patches)))


def _simple(reason: IllegalReason, state: State) -> Sentence:
    match reason:
        case IllegalReason.FINISHED:
            return said("The game has ended.")
        case IllegalReason.LEATHER_FIRST:
            return said("The leather patch just won must be placed first.")
        case IllegalReason.NO_LEATHER:
            return said("There is no leather patch to place.")
        case IllegalReason.OVER_THE_EDGE:
            return said("That goes over the edge of the board.")
        case IllegalReason.WRONG_SHAPE if state.leather_due:
            return said("A leather patch covers one cell.")
        case _:
            return said("No patch has this shape.")


def _of_patch(reason: IllegalReason, patch: str, state: State) -> Sentence:
    match reason:
        case IllegalReason.NOT_OFFERED if patch not in state.unbought:
            return said("The {patch} has been bought already.", patch=patch_name(patch))
        case IllegalReason.NOT_OFFERED if on_offer := offers(state):
            named = listed(patch_names(on_offer))
            return said("The {patch} is not on offer; {offers} are.", patch=patch_name(patch), offers=named)
        case IllegalReason.NOT_OFFERED:
            return said("The {patch} is not on offer now.", patch=patch_name(patch))
        case IllegalReason.NOT_AFFORDABLE:
            return _too_dear(patch, state)
        case IllegalReason.WRONG_SHAPE:
            return said("These cells are not the shape of the {patch}.", patch=patch_name(patch))
        case _:
            return said("There is no patch {patch}.", patch=patch)


def _too_dear(patch: str, state: State) -> Sentence:
    return counted(
        "The {patch} costs {count} button, {name} has {purse}.",
        "The {patch} costs {count} buttons, {name} has {purse}.",
        PATCHES[patch].buttons,
        patch=patch_name(patch),
        name=_mover(state),
        purse=state.seat(state.mover).buttons,
    )


def _mover(state: State) -> str:
    return state.setup.players[state.mover - 1]
