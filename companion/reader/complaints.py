"""The sentences of complaints and questions: what is wrong, where, and what to do, in the players' words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.patchwork import PATCHES, TakePatch, names_of, offers
from companion.reader.explain import Explanation, Kind
from companion.verdict import Asks, Complaint, Question, Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.patchwork import Decision, State

_AGAIN = "then press confirm"


def _name(state: State, seat: int) -> str:
    return state.setup.players[seat - 1]


def _list(words: Sequence[str], last: str = "and") -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def nothing_placed(state: State, seat: int, frame: str) -> Complaint:
    """Nobody has laid anything."""
    if state.leather_due:
        says = f"{_name(state, seat)} has a leather patch to place: lay it on an empty cell, {_AGAIN}."
    else:
        says = (
            f"Nothing new lies on {_name(state, seat)}'s quilt. Place the patch you take, {_AGAIN}; "
            f"or press advance to take buttons instead."
        )
    return Complaint(Reason.NOTHING_PLACED, seat, (), says, frame)


def wrong_seat(state: State, seat: int, mask: int, frame: str) -> Complaint:
    """The new patch lies on the quilt of the player whose turn it is not."""
    says = (
        f"It is {_name(state, seat)}'s turn, but the new patch lies on {_name(state, 3 - seat)}'s quilt. "
        f"Lay it on {_name(state, seat)}'s quilt, {_AGAIN}."
    )
    return Complaint(Reason.WRONG_SEAT, seat, names_of(mask), says, frame)


def stray_object(state: State, seat: int, mask: int, frame: str) -> Complaint:
    """Something that is no patch lies on empty cells."""
    where = f"{_list(names_of(mask))} of {_name(state, seat)}'s quilt"
    says = f"Something that is no patch lies on {where}. Take it off, {_AGAIN}."
    return Complaint(Reason.OBJECT, seat, names_of(mask), says, frame)


def moved(state: State, seat: int, pieces: Sequence[str], mask: int, frame: str) -> Complaint:
    """Earlier patches are shifted or gone."""
    says = (
        f"On {_name(state, seat)}'s quilt {_list(pieces)} no longer lies as it did. "
        f"Put it back on {_list(names_of(mask))}, {_AGAIN}."
    )
    return Complaint(Reason.MOVED, seat, names_of(mask), says, frame)


def unclear(state: State, seat: int, mask: int, frame: str) -> Complaint:
    """The picture fits nothing that could have happened."""
    says = (
        f"{_name(state, seat)}'s quilt cannot be read: something covers it, or what lies there is no single patch. "
        f"Clear the view and check the patch, {_AGAIN}."
    )
    return Complaint(Reason.UNCLEAR, seat, names_of(mask), says, frame)


def out_of_sight(state: State, seat: int, known: bool, frame: str) -> Complaint:
    """The quilt did not come to rest; or, where it is not `known`, it was never seen empty."""
    if known:
        says = f"{_name(state, seat)}'s quilt does not come to rest in the picture. Take all hands away, {_AGAIN}."
    else:
        says = f"The empty quilt boards have not been seen yet. Lay both in view with nothing on them, {_AGAIN}."
    return Complaint(Reason.UNCLEAR, seat, (), says, frame)


def misplaced(state: State, seat: int, found: Explanation, frame: str) -> Complaint:
    """A patch was laid that the rules do not allow here; `found` tells how."""
    reason, cells, says = {
        Kind.OVERLAP: _overlap,
        Kind.OVER_THE_EDGE: _over_the_edge,
        Kind.NOT_OFFERED: _not_offered,
        Kind.NOT_AFFORDABLE: _not_affordable,
    }[found.kind](state, seat, found)
    return Complaint(reason, seat, names_of(cells), says, frame)


def _overlap(state: State, seat: int, found: Explanation) -> tuple[Reason, int, str]:
    below = found.mask & state.seat(seat).quilt
    says = f"The new patch overlaps what lies on {_list(names_of(below))}. Lay it on empty cells only, {_AGAIN}."
    return Reason.OVERLAP, below, says


def _over_the_edge(state: State, seat: int, found: Explanation) -> tuple[Reason, int, str]:
    del state, seat
    says = (
        f"The new patch on {_list(names_of(found.mask))} sticks out over the edge of the quilt. "
        f"Lay all of it on the grid, {_AGAIN}."
    )
    return Reason.OVER_THE_EDGE, found.mask, says


def _not_offered(state: State, seat: int, found: Explanation) -> tuple[Reason, int, str]:
    if state.leather_due:
        says = f"First place the leather patch that {_name(state, seat)} has won, {_AGAIN}."
    else:
        patch = next(patch for patch in found.patches if patch in state.unbought)
        says = f"The {patch} is not on offer: take one of {_list(offers(state), 'or')}, {_AGAIN}."
    return Reason.NOT_OFFERED, found.mask, says


def _not_affordable(state: State, seat: int, found: Explanation) -> tuple[Reason, int, str]:
    patch = next(patch for patch in found.patches if patch in offers(state))
    says = (
        f"The {patch} costs {_counted(PATCHES[patch].buttons, 'button')}, "
        f"{_name(state, seat)} has {state.seat(seat).buttons}. "
        f"Put it back and take another one, {_AGAIN}; or press advance."
    )
    return Reason.NOT_AFFORDABLE, found.mask, says


_ANSWER = "Advance shows the next answer, confirm takes it, undo takes none."


def which_patch(seat: int, options: Sequence[TakePatch], frame: str) -> Question:
    """Patches of one shape; their labels tell them apart."""
    labels = [
        f"{option.patch} ({_counted(PATCHES[option.patch].buttons, 'button')}, {PATCHES[option.patch].time} time)"
        for option in options
    ]
    asks = f"Is it the {labels[0]}?" if len(labels) == 1 else f"Which patch is it: {_list(labels, 'or')}?"
    says = f"{asks} {_ANSWER}"
    return Question(Asks.WHICH_PATCH, seat, tuple(options), (), says, frame)


def which_cells(seat: int, options: Sequence[Decision], doubtful: int, frame: str) -> Question:
    """Placements that differ in a few cells."""
    cells = names_of(doubtful)
    says = f"Does the new patch cover {_list(cells, 'or')}? {_ANSWER}"
    return Question(Asks.CELLS, seat, tuple(options), cells, says, frame)
