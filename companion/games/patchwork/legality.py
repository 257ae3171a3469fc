"""The patches on offer, and the check of a decision by the rules."""

from typing import Final, NoReturn

from companion.games.patchwork.bonus import has_square
from companion.games.patchwork.cells import ALL_CELLS, names_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, AwardTile, CountButtons, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError, IllegalReason
from companion.games.patchwork.placements import placement_set
from companion.games.patchwork.state import State
from companion.languages import counted, listed, said

OFFERED: Final = 3
"""The number of patches on offer from the neutral token on (`docs/rules.md`)."""


def offers(state: State) -> tuple[str, ...]:
    """Return the patches on offer, affordable or not: the next three clockwise of the neutral token.

    Fewer if fewer are left; all unbought ones, in file order, if the circle is unknown; none while a leather patch
    must be placed and after the end of the game.
    """
    if state.leather_due or state.turn is None:
        return ()
    return state.unbought if state.setup.market is None else state.unbought[:OFFERED]


def affordable(state: State) -> tuple[str, ...]:
    """Return the offers that the seat to move can pay for, in order."""
    if state.turn is None:
        return ()
    buttons = state.seats[state.turn - 1].buttons
    return tuple([patch for patch in offers(state) if PATCHES[patch].buttons <= buttons])


def check(state: State, decision: Decision) -> None:
    """Check a decision by the rules.

    Raises:
        IllegalDecisionError: if the rules forbid it; the error says why.
    """
    # These two correct the books after the end, so they come before the check whether the game has ended.
    if isinstance(decision, CountButtons):
        if state.turn is not None:
            _refuse(IllegalReason.NOT_FINISHED, said("buttons are counted when the game has ended"))
        return
    if isinstance(decision, AwardTile):
        _check_award(state, decision)
        return
    if state.turn is None:
        _refuse(IllegalReason.FINISHED, said("the game has ended"))
    if decision.seat != state.turn:
        _refuse(IllegalReason.WRONG_TURN, said("it is {seats}’s turn", seats=said("seat {seat}", seat=state.turn)))
    if isinstance(decision, PlaceLeather):
        _check_leather(state, decision)
    elif state.leather_due:
        _refuse(IllegalReason.LEATHER_FIRST, said("the leather patch just won must be placed first"))
    elif not isinstance(decision, Advance):
        _check_purchase(state, decision)


def _check_award(state: State, decision: AwardTile) -> None:
    if state.turn is not None:
        _refuse(IllegalReason.NOT_FINISHED, said("whose the 7x7 tile is can be said when the game has ended"))
    if not has_square(state.seats[decision.seat - 1].quilt):
        _refuse(IllegalReason.NO_SQUARE, said("the 7x7 tile is for a quilt with a full square of 7 by 7"))


def _refuse(reason: IllegalReason, says: str, cells: int = 0, patch: str | None = None) -> NoReturn:
    raise IllegalDecisionError(reason, says, cells, patch)


def _check_leather(state: State, decision: PlaceLeather) -> None:
    if not state.leather_due:
        _refuse(IllegalReason.NO_LEATHER, said("there is no leather patch to place"))
    _check_on_board(decision.cells)
    # A decision from a file covers one cell, but `resolve` returns whatever cells were named.
    if decision.cells.bit_count() != 1:
        _refuse(IllegalReason.WRONG_SHAPE, said("a leather patch covers one cell"), decision.cells)
    _check_free(state, decision)


def _check_purchase(state: State, decision: TakePatch) -> None:
    check_for_sale(state, decision.patch)
    _check_on_board(decision.cells)
    if decision.cells not in placement_set(decision.patch):
        says = said("these cells are not the shape of {patch}", patch=decision.patch)
        _refuse(IllegalReason.WRONG_SHAPE, says, decision.cells, decision.patch)
    _check_free(state, decision)


def check_for_sale(state: State, patch: str) -> None:
    """Check that the seat to move may buy a patch.

    Raises:
        IllegalDecisionError: if it is unknown, not on offer or too expensive.
    """
    if patch not in PATCHES:
        _refuse(IllegalReason.UNKNOWN_PATCH, said("there is no patch {patch}", patch=repr(patch)), patch=patch)
    if patch not in offers(state):
        if patch not in state.unbought:
            _refuse(IllegalReason.NOT_OFFERED, said("{patch} has been bought already", patch=patch), patch=patch)
        _refuse(
            IllegalReason.NOT_OFFERED,
            said("{patch} is not on offer; {names} are", patch=patch, names=listed(offers(state))),
            patch=patch,
        )
    price = PATCHES[patch].buttons
    purse = state.seats[state.mover - 1].buttons
    if price > purse:
        says = counted(
            "{patch} costs {count} button, seat {seat} has {purse}",
            "{patch} costs {count} buttons, seat {seat} has {purse}",
            price,
            patch=patch,
            seat=state.mover,
            purse=purse,
        )
        _refuse(IllegalReason.NOT_AFFORDABLE, says, patch=patch)


def _check_on_board(cells: int) -> None:
    if cells < 0 or cells > ALL_CELLS:
        _refuse(IllegalReason.OVER_THE_EDGE, said("that goes over the edge of the board"), cells & ALL_CELLS)


def _check_free(state: State, decision: TakePatch | PlaceLeather) -> None:
    overlap = decision.cells & state.seats[decision.seat - 1].quilt
    if overlap:
        names = " ".join(names_of(overlap))
        _refuse(IllegalReason.OVERLAP, said("already covered: {cells}", cells=names), overlap)
