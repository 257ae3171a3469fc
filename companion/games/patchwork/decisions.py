"""The decisions of a player, as values, and their codec for game records."""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from companion.games.patchwork.cells import mask_of, names_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.errors import MalformedDecisionError, MalformedReason


@dataclass(frozen=True, slots=True)
class TakePatch:
    """Buy a patch and sew it on at once. `cells` is the bit mask that it covers."""

    seat: int
    patch: str
    cells: int


@dataclass(frozen=True, slots=True)
class Advance:
    """Move the time token to the space in front of the other player's, and take one button per space."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlaceLeather:
    """Sew on the leather patch just won. `cells` is a bit mask of one cell."""

    seat: int
    cells: int


@dataclass(frozen=True, slots=True)
class CountButtons:
    """State a player's buttons in hand once the game has ended; `buttons` replaces the number by the rules."""

    seat: int
    buttons: int


@dataclass(frozen=True, slots=True)
class AwardTile:
    """State which seat has the 7x7 tile once the game has ended; `seat` replaces the seat by the rules."""

    seat: int


MoveDecision: TypeAlias = TakePatch | Advance | PlaceLeather
"""A decision in the course of the game."""
Decision: TypeAlias = MoveDecision | CountButtons | AwardTile
MOST_BUTTONS: Final = 999
"""An upper limit that no player reaches."""


def cells_covered(decision: Decision) -> int:
    """Return the cells that a decision covers, as a bit mask; 0 if it covers none."""
    return decision.cells if isinstance(decision, TakePatch | PlaceLeather) else 0


def decision_to_json(decision: Decision) -> dict[str, Any]:
    """Return the decision as the object of a record's line. Cells are named row by row."""
    if isinstance(decision, Advance):
        return {"seat": decision.seat, "move": "advance"}
    if isinstance(decision, CountButtons):
        return {"seat": decision.seat, "move": "count", "buttons": decision.buttons}
    if isinstance(decision, AwardTile):
        return {"seat": decision.seat, "move": "tile"}
    cells = list(names_of(decision.cells))
    if isinstance(decision, PlaceLeather):
        return {"seat": decision.seat, "move": "leather", "cells": cells}
    return {"seat": decision.seat, "move": "patch", "patch": decision.patch, "cells": cells}


def decision_from_json(obj: object) -> Decision:
    """Return the decision in one decoded line of a game record. Unknown keys are ignored.

    Raises:
        MalformedDecisionError: if it is not a decision. Legality is not checked.
    """
    if not isinstance(obj, dict):
        raise MalformedDecisionError(MalformedReason.NOT_AN_OBJECT)
    seat = _seat(obj.get("seat"))
    move = obj.get("move")
    if move == "advance":
        return Advance(seat)
    if move == "patch":
        return TakePatch(seat, _patch(obj.get("patch")), _cells(obj.get("cells")))
    if move == "leather":
        return PlaceLeather(seat, _leather_cell(obj.get("cells")))
    if move == "count":
        return CountButtons(seat, _buttons(obj.get("buttons")))
    if move == "tile":
        return AwardTile(seat)
    raise MalformedDecisionError(MalformedReason.MOVE)


def _buttons(value: object) -> int:
    # Not `isinstance`: JSON's true is an int in Python.
    if type(value) is not int or not 0 <= value <= MOST_BUTTONS:
        raise MalformedDecisionError(MalformedReason.BUTTONS)
    return value


def _seat(value: object) -> int:
    if type(value) is not int or value not in (1, 2):
        raise MalformedDecisionError(MalformedReason.SEAT)
    return value


def _patch(value: object) -> str:
    if not isinstance(value, str):
        raise MalformedDecisionError(MalformedReason.PATCH)
    if value not in PATCHES:
        raise MalformedDecisionError(MalformedReason.UNKNOWN_PATCH, value)
    return value


def _cells(value: object) -> int:
    if not isinstance(value, list) or not value:
        raise MalformedDecisionError(MalformedReason.CELLS)
    return mask_of(value)


def _leather_cell(value: object) -> int:
    mask = _cells(value)
    if mask.bit_count() != 1:
        raise MalformedDecisionError(MalformedReason.LEATHER_CELLS)
    return mask
