"""The rules' refusals in words: sentences for players at the table, and faults of lines in records and files."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from companion.games.patchwork.cells import names_of
from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH, Edition
from companion.games.patchwork.decisions import MOST_BUTTONS
from companion.games.patchwork.errors import (
    IllegalDecisionError,
    IllegalReason,
    MalformedDecisionError,
    MalformedReason,
    PatchworkError,
    SetupError,
    SetupReason,
)
from companion.games.patchwork.rules import offers
from companion.games.patchwork.state import MOST_AT_START, RuleProfile, State
from companion.languages import Sentence, any_of, counted, listed, said
from companion.patchwork.naming import cells_named, patch_name, patch_names


def refusal(error: IllegalDecisionError, state: State) -> Sentence:
    """Return the sentence for players on why a decision that one of them entered is illegal in this state."""
    if error.reason is IllegalReason.WRONG_TURN:
        return said("It is {name}’s turn.", name=_mover(state))
    if error.reason is IllegalReason.OVERLAP:
        return said("Already covered: {cells}.", cells=cells_named(error.cells))
    if error.reason in (IllegalReason.COUNTED_EARLY, IllegalReason.AWARDED_EARLY):
        return said("You can say that once the game has ended.")
    if error.reason is IllegalReason.NO_SQUARE:
        return said("The 7x7 tile is for a quilt with a full square of 7 by 7.")
    return _simple(error.reason) if error.patch is None else _of_patch(error.reason, error.patch, state)


def both_fit(patches: Sequence[str]) -> Sentence:
    """Return the sentence for cells that more than one patch explains."""
    return said("{patches}: both are on offer and have this shape.", patches=any_of(patch_names(patches)))


def _simple(reason: IllegalReason) -> Sentence:
    match reason:
        case IllegalReason.FINISHED:
            return said("The game has ended.")
        case IllegalReason.LEATHER_FIRST:
            return said("The leather patch just won must be placed first.")
        case IllegalReason.NO_LEATHER:
            return said("There is no leather patch to place.")
        case IllegalReason.OVER_THE_EDGE:
            return said("That goes over the edge of the board.")
        case IllegalReason.LEATHER_SHAPE:
            return said("A leather patch covers one square.")
        case _:
            return said("No patch has this shape.")


def _of_patch(reason: IllegalReason, patch: str, state: State) -> Sentence:
    match reason:
        case IllegalReason.BOUGHT:
            return said("The {patch} has been bought already.", patch=patch_name(patch))
        case IllegalReason.NOT_OFFERED if on_offer := offers(state):
            named = listed(patch_names(on_offer))
            return said("The {patch} is not on offer; {offers} are.", patch=patch_name(patch), offers=named)
        case IllegalReason.NOT_OFFERED:
            return said("The {patch} is not on offer now.", patch=patch_name(patch))
        case IllegalReason.NOT_AFFORDABLE:
            return _too_dear(patch, state)
        case IllegalReason.WRONG_SHAPE:
            return said("These squares are not the shape of the {patch}.", patch=patch_name(patch))
        case _:
            return said("There is no patch {patch}.", patch=patch)


def _too_dear(patch: str, state: State) -> Sentence:
    return counted(
        "The price of the {patch} is {count} button, {name} has {purse}.",
        "The price of the {patch} is {count} buttons, {name} has {purse}.",
        PATCHES[patch].buttons,
        patch=patch_name(patch),
        name=_mover(state),
        purse=state.seat(state.mover).buttons,
    )


def _mover(state: State) -> str:
    return state.name_of(state.mover)


def fault(error: PatchworkError) -> str:
    """Return the fault of a line in a record or a file: seats are named by their numbers."""
    match error:
        case SetupError():
            return _IMPOSSIBLE[error.reason](error.patches)
        case MalformedDecisionError():
            return _MALFORMED[error.reason](error.value)
        case IllegalDecisionError():
            return _ILLEGAL[error.reason](error)
        case _:
            return str(error)


def _market(problem: str) -> Sentence:
    return said(
        "{key} must list the {count} patches once each: {fault}", key="market", count=len(PATCHES), fault=problem
    )


def _missing(patches: Sequence[str]) -> Sentence:
    if len(patches) > 3:
        return said("{patches} and {count} more missing", patches=listed(patches[:3]), count=len(patches) - 3)
    return said("{patches} missing", patches=listed(patches))


_IMPOSSIBLE: Final[Mapping[SetupReason, Callable[[tuple[str, ...]], Sentence]]] = MappingProxyType(
    {
        SetupReason.RULES: lambda _: said("{key} must be {names}", key="rules", names=any_of([*RuleProfile])),
        SetupReason.EDITION: lambda _: said("{key} must be {names}", key="edition", names=any_of([*Edition])),
        SetupReason.FIRST_SEAT: lambda _: said("{key} must be {first} or {last}", key="first_seat", first=1, last=2),
        SetupReason.BUTTONS: lambda _: said(
            "{key} must be two numbers of buttons from {low} to {high}", key="buttons", low=0, high=MOST_AT_START
        ),
        SetupReason.NOT_TWO_NAMES: lambda _: said("{key} must be two names", key="players"),
        SetupReason.EMPTY_NAME: lambda _: said("{key} must be two names, neither of them empty", key="players"),
        SetupReason.UNPRINTABLE_NAME: lambda _: said(
            "{key} must be two names without control characters", key="players"
        ),
        SetupReason.MARKET: lambda _: said("{key} must be a list of patch ids", key="market"),
        SetupReason.UNKNOWN_PATCH: lambda patches: _market(said("{patch} is not a patch", patch=repr(patches[0][:40]))),
        SetupReason.REPEATED_PATCH: lambda patches: _market(
            said("{patch} stands there more than once", patch=repr(patches[0]))
        ),
        SetupReason.MISSING_PATCHES: lambda patches: _market(_missing(patches)),
        SetupReason.SMALLEST_NOT_LAST: lambda patches: said(
            "{key} must list the circle clockwise from the neutral token: the 1x2 patch ({smallest}) is last, "
            "{patch} cannot be",
            key="market",
            smallest=SMALLEST_PATCH,
            patch=patches[0],
        ),
    }
)


_MALFORMED: Final[Mapping[MalformedReason, Callable[[str], Sentence]]] = MappingProxyType(
    {
        MalformedReason.NOT_AN_OBJECT: lambda _: said(
            "a decision is an object such as {example}", example='{"seat": 2, "move": "advance"}'
        ),
        MalformedReason.MOVE: lambda _: said(
            "{key} must be {names}",
            key='"move"',
            names=any_of(['"patch"', '"advance"', '"leather"', '"count"', '"tile"']),
        ),
        MalformedReason.SEAT: lambda _: said("{key} must be {first} or {last}", key='"seat"', first=1, last=2),
        MalformedReason.BUTTONS: lambda _: said(
            "{key} must be a whole number from {least} to {most}", key='"buttons"', least=0, most=MOST_BUTTONS
        ),
        MalformedReason.PATCH: lambda _: said("{key} must be the id of a patch", key='"patch"'),
        # Quoted and cut, here and below: a fault is one line, whatever a file contains.
        MalformedReason.UNKNOWN_PATCH: lambda value: said("there is no patch {patch}", patch=repr(value[:40])),
        MalformedReason.CELLS: lambda _: said(
            "{key} must be a list of cells such as {example}", key='"cells"', example='["A1", "A2"]'
        ),
        MalformedReason.UNKNOWN_CELL: lambda value: said(
            "{name} is not a square: squares go from {first} to {last}", name=repr(value[:20]), first="A1", last="I9"
        ),
        MalformedReason.REPEATED_CELL: lambda value: said("square {name} is named twice", name=value),
        MalformedReason.LEATHER_CELLS: lambda _: said("a leather patch covers one square"),
    }
)


def _named(error: IllegalDecisionError) -> Sentence | str:
    return patch_name(error.patch or "")


_ILLEGAL: Final[Mapping[IllegalReason, Callable[[IllegalDecisionError], Sentence]]] = MappingProxyType(
    {
        IllegalReason.FINISHED: lambda _: said("the game has ended"),
        IllegalReason.COUNTED_EARLY: lambda _: said("buttons are counted when the game has ended"),
        IllegalReason.AWARDED_EARLY: lambda _: said("whose the 7x7 tile is can be said when the game has ended"),
        IllegalReason.WRONG_TURN: lambda error: said(
            "it is {seats}’s turn", seats=said("seat {seat}", seat=error.turn or 0)
        ),
        IllegalReason.LEATHER_FIRST: lambda _: said("the leather patch just won must be placed first"),
        IllegalReason.NO_LEATHER: lambda _: said("there is no leather patch to place"),
        IllegalReason.UNKNOWN_PATCH: lambda error: said("there is no patch {patch}", patch=repr(error.patch)),
        IllegalReason.BOUGHT: lambda error: said("{patch} has been bought already", patch=_named(error)),
        IllegalReason.NOT_OFFERED: lambda error: said(
            "{patch} is not on offer; {names} are", patch=_named(error), names=listed(patch_names(error.offers))
        ),
        IllegalReason.NOT_AFFORDABLE: lambda error: counted(
            "the price of {patch} is {count} button, seat {seat} has {purse}",
            "the price of {patch} is {count} buttons, seat {seat} has {purse}",
            PATCHES[error.patch or ""].buttons,
            patch=_named(error),
            seat=error.turn or 0,
            purse=error.buttons,
        ),
        IllegalReason.OVER_THE_EDGE: lambda _: said("that goes over the edge of the board"),
        IllegalReason.WRONG_SHAPE: lambda error: said(
            "these squares are not the shape of {patch}", patch=_named(error)
        ),
        IllegalReason.NO_SUCH_SHAPE: lambda _: said("no patch has this shape"),
        IllegalReason.LEATHER_SHAPE: lambda _: said("a leather patch covers one square"),
        IllegalReason.OVERLAP: lambda error: said("already covered: {cells}", cells=" ".join(names_of(error.cells))),
        IllegalReason.NO_SQUARE: lambda _: said("the 7x7 tile is for a quilt with a full square of 7 by 7"),
    }
)
