"""The virtual table of Patchwork: its pieces, and moves by users with the table's key."""

import base64
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Final, TypeAlias

import numpy as np
from msgspec.structs import asdict as asdict_of
from numpy.typing import NDArray

from calibration.mat import load_mat
from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES
from companion.languages import said
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.page.circle import Seat
from companion.pictures import jpeg
from companion.play.page import Asking, Body, GameRoute, Json, RefusedError, VirtualSide, between, by_hand, one_of
from hardware.simulated.conditions import LEATHER, PRINTINGS, Dress
from hardware.simulated.virtual.moves import (
    Bump,
    Bumped,
    Circumstances,
    Forget,
    Lay,
    Lift,
    Place,
    Shift,
    Tabletop,
    Turn,
)

RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "exposure": (0.2, 2.0),
    "gradient": (0.0, 0.8),
    "hard_shadow": (0.0, 0.8),
    "offset_mm": (0.0, 6.0),
    "rotation_deg": (0.0, 3.0),
}
"""The range of each of the circumstances."""
MOST_BUMP_MM: Final = 30.0
# The resolution of the cloths of another printing; a page draws a cell some 40 pixels wide, and cells are about 20 mm.
_PX_PER_MM: Final = 2.0
_QUALITY: Final = 75
_NO_PRINTS: Final = said("There are no such prints.")
REACH_CELLS: Final = (-3.0, SIDE + 3.0)
"""The range of a piece's middle, which lets a part of the piece lie beside the board."""
_Piece: TypeAlias = Annotated[int, between(1, 2**31)]
_Quarters: TypeAlias = Annotated[int, between(0, 3)]
_Reach: TypeAlias = Annotated[float, between(*REACH_CELLS)]


class _Placed(Body):
    """A place on a board, in cells from its upper left corner."""

    seat: Seat
    x: _Reach
    y: _Reach
    quarters: _Quarters
    flipped: bool
    snapped: bool


class LayBody(_Placed):
    """A patch of the circle, or a leather patch, and its place."""

    patch: Annotated[str, one_of(*PATCHES, LEATHER)]


class MoveBody(_Placed):
    """A piece on the table, and its new place."""

    piece: _Piece


class Turned(Body):
    """A piece on the table, and its turn."""

    piece: _Piece
    quarters: _Quarters
    flip: bool


class Lifted(Body):
    """A piece or a token on the table."""

    piece: _Piece


class Forgotten(Body):
    """A token, and its place."""

    seat: Seat
    x: _Reach
    y: _Reach


class Nudged(Body):
    """An object that is bumped into, and the distance that it moves."""

    what: Bumped
    by_mm: Annotated[float, between(0.0, MOST_BUMP_MM)]


class Changed(Body):
    """The light, and how carefully pieces are laid."""

    exposure: Annotated[float, between(*RANGES["exposure"])]
    gradient: Annotated[float, between(*RANGES["gradient"])]
    hard_shadow: Annotated[float, between(*RANGES["hard_shadow"])]
    offset_mm: Annotated[float, between(*RANGES["offset_mm"])]
    rotation_deg: Annotated[float, between(*RANGES["rotation_deg"])]
    arms: bool


def _lay(body: LayBody) -> Lay:
    return Lay(body.patch, _place(body))


def _move(body: MoveBody) -> Shift:
    return Shift(body.piece, _place(body))


def tabletop_json(tabletop: Tabletop) -> Json:
    """Return the virtual table as JSON; places are in cells from a board's upper left corner."""
    pieces = [
        {
            "piece": piece.number,
            "patch": piece.name,
            "seat": piece.seat,
            "x": round(piece.x_cells, 3),
            "y": round(piece.y_cells, 3),
            "angle": round(piece.angle_deg, 2),
            "flipped": piece.flipped,
            "cells": [_cell_name(row, column) for row, column in piece.cells if _on_board(row, column)],
            "in_hand": piece.in_hand,
        }
        for piece in tabletop.pieces
    ]
    tokens = [
        {"piece": token.number, "seat": token.seat, "x": round(token.x_cells, 3), "y": round(token.y_cells, 3)}
        for token in tabletop.tokens
    ]
    return {
        "game": "patchwork",
        "circle": list(tabletop.circle),
        "leather": tabletop.leather,
        "pieces": pieces,
        "tokens": tokens,
        "conditions": asdict(tabletop.circumstances),
        "dress": None if tabletop.dress is None else asdict(tabletop.dress),
    }


def _place(body: _Placed) -> Place:
    return Place(body.seat, body.x, body.y, body.quarters, body.flipped, body.snapped)


def _on_board(row: int, column: int) -> bool:
    return 0 <= row < SIDE and 0 <= column < SIDE


def _cell_name(row: int, column: int) -> str:
    return f"{'ABCDEFGHI'[column]}{row + 1}"


def prints_json(asking: Asking[None]) -> Json:
    """Return the print of each patch of the simulated box; pitches are in cells.

    The query may name the prints of an evening, as in the virtual table's `dress`; by default they are those of the
    table with simulated players. A cloth of another printing is a picture, as large as its patch. A patch that is
    missing has the page's own drawing.

    Raises:
        RefusedError: the query names no existing prints.
    """
    # Imported here because a real table never needs them.
    from hardware.simulated.prints.dress import patch_cloth  # noqa: PLC0415

    dress = _dress_in(asking.query) or _dress_of(asking.desk)
    cloths = {patch: None if dress is None else patch_cloth(patch, dress, _PX_PER_MM) for patch in PATCHES}
    own = () if dress is not None and dress.printing == "home" else PATCHES
    return {
        "prints": {
            **{patch: _design_json(patch) for patch in own},
            **{patch: _picture_json(cloth) for patch, cloth in cloths.items() if cloth is not None},
        }
    }


def _dress_of(desk: CircleDesk | None) -> Dress | None:
    dress = None if desk is None else desk.dress
    return dress if isinstance(dress, Dress) else None


def _dress_in(query: Mapping[str, str]) -> Dress | None:
    from hardware.simulated.prints.boards import GROUNDS  # noqa: PLC0415

    if "printing" not in query:
        return None
    try:
        one, other = (int(ground) for ground in query["grounds"].split(","))
        dress = Dress(query["printing"], int(query["seed"]), float(query["camouflage"]), (one, other))
    except (KeyError, ValueError):
        raise RefusedError(400, _NO_PRINTS) from None
    known = dress.printing in PRINTINGS and 0 <= dress.seed < 2**31 and 0 <= dress.camouflage <= 1
    if not known or not {one, other} <= set(range(len(GROUNDS))):
        raise RefusedError(400, _NO_PRINTS)
    return dress


def _design_json(patch: str) -> Json:
    from hardware.simulated.drawing.fabrics import design_of  # noqa: PLC0415

    design = design_of(patch)
    return {
        "weave": design.weave,
        "ground": design.ground,
        "figure": design.figure,
        "accent": design.accent,
        "pitch": round(design.pitch_mm / load_mat().cell_mm, 3),
    }


def _picture_json(cloth: NDArray[np.uint8]) -> Json:
    data = base64.b64encode(jpeg(cloth, _QUALITY)).decode("ascii")
    px_per_cell = _PX_PER_MM * load_mat().cell_mm
    height, width = (round(side / px_per_cell, 3) for side in cloth.shape[:2])
    return {"picture": f"data:image/jpeg;base64,{data}", "width": width, "height": height}


VIRTUAL: Final = VirtualSide(Tabletop, tabletop_json, RANGES)
ROUTES: Final[tuple[GameRoute[Any], ...]] = (
    GameRoute("/api/patchwork/prints", prints_json, costly=True),
    by_hand("/api/virtual/lay", LayBody, _lay),
    by_hand("/api/virtual/move", MoveBody, _move),
    by_hand("/api/virtual/turn", Turned, lambda body: Turn(body.piece, body.quarters, body.flip)),
    by_hand("/api/virtual/lift", Lifted, lambda body: Lift(body.piece)),
    by_hand("/api/virtual/token", Forgotten, lambda body: Forget(body.seat, body.x, body.y)),
    by_hand("/api/virtual/nudge", Nudged, lambda body: Bump(body.what, body.by_mm)),
    by_hand("/api/virtual/conditions", Changed, lambda body: Circumstances(**asdict_of(body))),
)
