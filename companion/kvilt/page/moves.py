"""Moves at the virtual table of Kvilt: users colour, rub out, and lay a sheet under the camera."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, structs

from companion.kvilt.page.archive import KviltSeat
from companion.play.page.interface import VirtualSide
from companion.play.page.routes import Body, GameRoute, Json, between, by_hand, one_of
from hardware.simulated.sheets.conditions import (
    STYLES,
    ColourRegion,
    LaySheet,
    RubOut,
    SheetCircumstances,
    SheetTabletop,
)

RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "exposure": (0.15, 1.3),
    "gradient": (0.0, 0.8),
    "shadow": (0.0, 0.7),
    "turn_deg": (0.0, 30.0),
    "curl_mm": (0.0, 6.0),
}
"""The range of each of the circumstances."""


def sheets_json(tabletop: SheetTabletop) -> Json:
    """Return the virtual table as JSON."""
    return {
        "game": "kvilt",
        "sheets": [
            {"seat": seat, "marks": dict(marks), "theme": theme}
            for seat, (marks, theme) in enumerate(zip(tabletop.marks, tabletop.themes, strict=True), start=1)
        ],
        "lying": tabletop.lying,
        "conditions": asdict(tabletop.circumstances),
        "styles": [*STYLES],
    }


VIRTUAL: Final = VirtualSide(SheetTabletop, sheets_json, RANGES)


LONGEST_NAME: Final = 40
_Region: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]


class ColourBody(Body):
    """A region of a seat's sheet, and the colour that it gets."""

    seat: KviltSeat
    region: _Region
    colour: _Region


class RubbedOut(Body):
    """A region of a seat's sheet."""

    seat: KviltSeat
    region: _Region


class SheetLaid(Body):
    """The seat whose sheet is laid under the camera; null for none."""

    seat: KviltSeat | None


class SheetChanged(Body):
    """The light, how sheets lie, and how players colour."""

    exposure: Annotated[float, between(*RANGES["exposure"])]
    gradient: Annotated[float, between(*RANGES["gradient"])]
    shadow: Annotated[float, between(*RANGES["shadow"])]
    turn_deg: Annotated[float, between(*RANGES["turn_deg"])]
    curl_mm: Annotated[float, between(*RANGES["curl_mm"])]
    style: Annotated[str, one_of(*STYLES)]


ROUTES: Final[tuple[GameRoute[Any], ...]] = (
    by_hand("/api/virtual/colour", ColourBody, lambda body: ColourRegion(body.seat, body.region, body.colour)),
    by_hand("/api/virtual/rub-out", RubbedOut, lambda body: RubOut(body.seat, body.region)),
    by_hand("/api/virtual/lay-sheet", SheetLaid, lambda body: LaySheet(body.seat)),
    by_hand("/api/virtual/sheet-conditions", SheetChanged, lambda body: SheetCircumstances(**structs.asdict(body))),
)
