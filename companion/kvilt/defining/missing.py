"""The entries that an owner still has to make before a sheet is complete, by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.kvilt.naming import cell_words
from companion.languages import counted, listed, said

if TYPE_CHECKING:
    from companion.kvilt.defining.tables import Tables


class DefiningStep(StrEnum):
    """The steps, in their order."""

    CORNERS = "corners"
    QUILT = "quilt"
    PICTURES = "pictures"
    VALUES = "values"
    PATCHES = "patches"
    SPOOLS = "spools"
    STITCHES = "stitches"
    PENCILS = "pencils"


@dataclass(frozen=True, slots=True)
class Missing:
    """An entry still to be made: its step, and a sentence on it."""

    step: DefiningStep
    says: str


def missing_in(tables: Tables, *, straightened: bool) -> tuple[Missing, ...]:
    """Return all missing entries.

    Args:
        tables: the sheet's tables.
        straightened: whether the sheet's corners are known, so that there is a rectified picture of it.
    """
    if not straightened:
        return (Missing(DefiningStep.CORNERS, said("Drag the four corners onto the corners of the paper.")),)
    return tuple(
        Missing(step, says)
        for step, found in (
            (DefiningStep.QUILT, _quilt(tables)),
            (DefiningStep.PICTURES, _pictures(tables)),
            (DefiningStep.VALUES, _values(tables)),
            (DefiningStep.PATCHES, _patches(tables)),
            (DefiningStep.SPOOLS, _spools(tables)),
            (DefiningStep.STITCHES, _stitches(tables)),
            (DefiningStep.PENCILS, _pencils(tables)),
        )
        for says in found
    )


def _rows(tables: Tables) -> list[dict[str, Any]]:
    return list((tables.get("quilt") or {}).get("row") or [])


def _quilt(tables: Tables) -> Iterator[str]:
    if not _rows(tables):
        yield said("Draw the quilt’s grid over its cells.")


def _pictures(tables: Tables) -> Iterator[str]:
    cells = _cells_without(tables, "picture_outline")
    if cells:
        yield counted(
            "The outline of the picture is missing in {count} cell: {cell}.",
            "The outlines of the pictures are missing in {count} cells, first in {cell}.",
            len(cells),
            cell=cells[0],
        )


def _values(tables: Tables) -> Iterator[str]:
    points, marks = _cells_without(tables, "points"), _cells_without(tables, "bonus")
    if points:
        yield counted(
            "The points of {count} cell are missing: {cell}.",
            "The points of {count} cells are missing, first of {cell}.",
            len(points),
            cell=points[0],
        )
    if marks:
        yield counted(
            "The mark of {count} cell is missing: {cell}; choose “no mark” where there is none.",
            "The marks of {count} cells are missing, first of {cell}; choose “no mark” where there is none.",
            len(marks),
            cell=marks[0],
        )


def _cells_without(tables: Tables, key: str) -> list[str]:
    return [
        cell_words((row, cell))
        for row, entry in enumerate(_rows(tables), start=1)
        for cell in range(1, len(entry.get("cell") or []) + 1)
        if _at(entry.get(key), cell - 1) in (None, "", [])
    ]


def _at(values: object, index: int) -> object:
    return values[index] if isinstance(values, list) and index < len(values) else None


def _patches(tables: Tables) -> Iterator[str]:
    patches = tables.get("patch") or []
    if not patches:
        yield said("Draw a rectangle over each patch above the quilt.")
    for patch in patches:
        if patch.get("points") is None:
            yield said("The points of the patch {name} are missing.", name=patch.get("id", ""))
        if patch.get("column") is None:
            yield said("The column of the patch {name} is missing.", name=patch.get("id", ""))


def _spools(tables: Tables) -> Iterator[str]:
    spools = tables.get("spools") or {}
    points, places = spools.get("points") or [], spools.get("spool") or []
    if not points:
        yield said("Enter what the spools are worth, from the left.")
        return
    few = len(places) < len(points)
    if few or not all(place.get("thread") for place in places):
        yield said("Draw the threads of the spools: the first one, then the last.")
    if few or not all(place.get("body") for place in places):
        yield said("Draw the spools’ flanges: those of the first one, then those of the last.")


def _stitches(tables: Tables) -> Iterator[str]:
    figures = tables.get("embroidery") or []
    if not figures:
        yield said("Add the embroideries: tap each part of a figure.")
    empty = [figure.get("id", "") for figure in figures if not figure.get("parts")]
    if empty:
        yield said("Embroideries without parts: {names}.", names=listed(empty))


def _pencils(tables: Tables) -> Iterator[str]:
    if "swatches" in tables and tables["swatches"] is None:
        yield said("Draw six boxes on bare paper for samples of the pencils, or say that there is no room.")
