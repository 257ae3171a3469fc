"""A boxed sheet: companion-a without its markers, photographed while it is blank and after it was coloured."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import cv2

from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout import Fiducials
from companion.kvilt.sheets.layout_files import load_layout
from hardware.simulated.sheets.conditions import LIGHTS
from hardware.simulated.sheets.sheet import SimulatedSheet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHEET: Final = load_sheet()
LAYOUT: Final = replace(load_layout(), fiducials=Fiducials("corners", blank="blank.jpg"))


def boxed_sheet(seed: int, *, swatched: bool = True) -> SimulatedSheet:
    """Return a simulated sheet of a boxed edition that an owner describes."""
    return SimulatedSheet(seed, None, SHEET, LAYOUT, swatched=swatched)


def photograph_blank(folder: Path) -> Path:
    """Photograph the blank sheet; the picture is written to the folder."""
    path = folder / "blank.jpg"
    path.write_bytes(_blank_photograph())
    return path


@cache
def _blank_photograph() -> bytes:
    picture = boxed_sheet(99, swatched=False).photograph(LIGHTS["normal"].but(tilt_deg=8.0))
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


def entered(outlines: Callable[[list[list[float]]], list[Any]]) -> dict[str, Any]:
    """Return what an owner enters: everything in a sheet file except what all sheets share.

    Args:
        outlines: a function that finds the outlines of the cells' pictures.
    """
    cells = {cell: list(LAYOUT.cells[cell].frame) for cell in SHEET.cells()}
    found = dict(zip(cells, outlines(list(cells.values())), strict=True))
    rows = []
    for number, row in enumerate(SHEET.rows, start=1):
        places = [(number, cell) for cell in range(1, len(row) + 1)]
        rows.append(
            {
                "points": list(row.points),
                "bonus": ["+".join(map(str, marks)) or "-" for marks in row.bonuses],
                "columns": list(row.columns),
                "cell": [cells[place] for place in places],
                "picture_outline": [found[place] for place in places],
            }
        )
    patches = [
        {"id": it.id, "column": it.column, "points": it.points, "region": list(LAYOUT.patches[it.id].region)}
        for it in SHEET.patches
    ]
    spools = [{"body": [list(rect) for rect in it.body], "thread": list(it.thread)} for it in LAYOUT.spools]
    figures = [
        {"id": it.id, "effect": f"pencils:{it.pencils}" if it.pencils else "backgrounds",
         "parts": [list(LAYOUT.parts[region]) for region in it.regions]}
        for it in SHEET.embroideries
    ]  # fmt: skip
    width, height = LAYOUT.swatches["red"][2:]
    samples = [{"colour": colour, "at": list(rect[:2])} for colour, rect in LAYOUT.swatches.items()]
    return {
        "quilt": {"row": rows},
        "patch": patches,
        "spools": {"points": list(SHEET.spools.points), "open": 2, "all_colours_bonus": 10, "spool": spools},
        "embroidery_style": {"radius": LAYOUT.radius},
        "embroidery": figures,
        "swatches": {"box": [width, height], "at": samples},
    }
