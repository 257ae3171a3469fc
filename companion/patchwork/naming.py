"""Names of the patches for players: by shape, and for twins by their difference. Records contain the ids."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from companion.games.patchwork import PATCHES, IllegalDecisionError, IllegalReason, State, names_of, offers
from companion.languages import Label, Sentence, any_of, counted, listed, said


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


NAMES: Final[Mapping[str, Sentence]] = MappingProxyType(
    {
        "domino": said("domino"),
        "bar3": said("short bar"),
        "corner-b1": said("corner for 1"),
        "corner-b3": said("corner for 3"),
        "bar4": said("middle bar"),
        "square": said("square"),
        "tee": said("small T"),
        "hook-t2": said("quick hook"),
        "hook-t6": said("slow hook"),
        "zig-b3": said("cheap zigzag"),
        "zig-b7": said("dear zigzag"),
        "bar5": said("long bar"),
        "long-hook": said("long hook"),
        "thorn": said("thorn"),
        "chunk": said("chunk"),
        "cup": said("cup"),
        "tall-tee": said("tall T"),
        "long-zig": said("long zigzag"),
        "stairs": said("stairs"),
        "plus": said("plus"),
        "boot": said("boot"),
        "hat": said("hat"),
        "wide-cup": said("wide cup"),
        "shifted-bricks": said("shifted bricks"),
        "square-with-tail": said("tailed square"),
        "arrow": said("arrow"),
        "mast": said("mast"),
        "crank": said("crank"),
        "dagger": said("dagger"),
        "propeller": said("propeller"),
        "aitch": said("letter H"),
        "long-plus": said("long plus"),
        "fat-plus": said("fat plus"),
    }
)
"""The patches' names by id. The page has the same in `static/js/patchwork/naming.js`."""


def patch_name(patch: str) -> Sentence | str:
    """Return a patch's name, or the argument itself if there is no such patch."""
    return NAMES.get(patch, patch)


def patch_names(patches: Iterable[str]) -> list[Sentence | str]:
    """Return the names of patches, in their order."""
    return [patch_name(patch) for patch in patches]


def cell_names(mask: int) -> tuple[Label, ...]:
    """Return the names of the cells in a mask, row by row, for people; records use `names_of`."""
    return tuple(map(Label, names_of(mask)))


def cells_named(mask: int) -> Label:
    """Return the names of the cells in a mask as one text, row by row."""
    return Label(" ".join(names_of(mask)))
