"""Commands of players about a quilt, and the contents of the box for a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.patchwork import PATCHES, mask_of
from companion.patchwork.commands import NamePatch, Override
from companion.patchwork.page.money import DENOMINATIONS
from companion.patchwork.page.values import Cells, Patch, Seat
from companion.play.page.bodies import Body
from companion.play.page.routes import Fixed, Ordered

if TYPE_CHECKING:
    from companion.play.page.json_type import Json


class Overridden(Body):
    """A correction of the reading of a seat's quilt."""

    distinct = ("cells",)
    seat: Seat
    cells: Cells
    patch: Patch | None = None


class PatchBody(Body):
    """A patch."""

    patch: Patch


def _override(body: Overridden) -> Override:
    return Override(body.seat, mask_of(body.cells), body.patch)


def _name(body: PatchBody) -> NamePatch:
    return NamePatch(body.patch)


def box_json() -> Json:
    """Return the contents of the box as JSON: all patches and the button tokens."""
    patches = [
        {
            "id": patch.id,
            "cells": [list(cell) for cell in patch.cells],
            "buttons": patch.buttons,
            "time": patch.time,
            "income": patch.income,
        }
        for patch in PATCHES.values()
    ]
    return {"patches": patches, "denominations": list(DENOMINATIONS)}


ROUTES: Final = (
    Fixed("/api/box", "box", "What lies in the box: all patches, and the button tokens.", box_json),
    Ordered("/api/override", "override", "Tell what lies on a quilt.", Overridden, _override),
    Ordered("/api/name", "name", "Tell which patch it is.", PatchBody, _name),
)
