"""An owner's printing of the time board: the file with the places of its spaces and marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from companion.calibrating.corners import read_toml
from companion.languages import said
from companion.record import RecordError
from vision.timeboard.layout import SPACES, layout_of_points

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from vision.timeboard.layout import Layout

FORMAT: Final = 1
BEYOND: Final = 0.1
"""Distance by which a place may lie outside the printed area, in its widths: corners are tapped by eye."""
APART: Final = 0.03
"""Least distance between the middles of two spaces, in widths; the narrowest spaces printed are 0.12 wide."""
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Printing:
    """A printing, in widths of the printed area, x to the right and y down from its upper left corner.

    Attributes:
        spaces: the middle of each space, from the start to the centre.
        marks: by space, the mark before it, where income is paid or a leather patch lies; missing ones lie on the
            middle of their border.
    """

    spaces: Sequence[Point]
    marks: Mapping[int, Point]


def layout_in(path: Path) -> Layout:
    """Return the layout that a printing's file describes.

    Raises:
        RecordError: the file cannot be read, or is no valid printing; the message names the fault.
    """
    table = read_toml(path)
    if table.get("format") != FORMAT:
        raise RecordError(said("{key} must be {value}", key="format", value=FORMAT), path)
    spaces, marks = _points(path, table, "spaces"), _points(path, table, "marks")
    lacking = next((space for space in range(SPACES) if space not in spaces), None)
    if lacking is not None:
        raise RecordError(said("{section} does not say where {space} is", section="[spaces]", space=lacking), path)
    middles = [spaces[space] for space in range(SPACES)]
    near = too_near(middles)
    if near is not None:
        one, other = near
        raise RecordError(said("the spaces {one} and {other} are in the same place", one=one, other=other), path)
    return layout_of_points(path.stem, np.array(middles, np.float64), marks)


def too_near(middles: Sequence[Point]) -> tuple[int, int] | None:
    """Return two spaces that are too near to each other to be distinct, or None if there are none."""
    places = np.array(middles, np.float64).reshape(-1, 2)
    apart = np.abs(places[:, None] - places[None]).max(axis=2)
    found = np.argwhere(np.triu(apart < APART, 1)).tolist()
    return (found[0][0], found[0][1]) if found else None


def text_of(printing: Printing) -> str:
    """Return the text of a printing's file."""
    lines = [
        "# Where the spaces of a time board lie: x to the right, y down, in widths of its printed area from the upper",
        "# left corner. Start is 0, the centre is 53. Mark p lies between the spaces p - 1 and p.",
        f"format = {FORMAT}",
        "",
        "[spaces]",
        *(_line(space, point) for space, point in enumerate(printing.spaces)),
        "",
        "[marks]",
        *(_line(space, printing.marks[space]) for space in sorted(printing.marks)),
        "",
    ]
    return "\n".join(lines)


def _line(space: int, point: Point) -> str:
    return f"{space} = [{point[0]:.4f}, {point[1]:.4f}]"


def _points(path: Path, table: Mapping[str, Any], section: str) -> dict[int, Point]:
    """Return a section's points by space."""
    found = table.get(section, {})
    if not isinstance(found, dict):
        raise RecordError(said("{key} must be a section", key=f"[{section}]"), path)
    points = {}
    for key, value in found.items():
        # The length before the value: `int` refuses thousands of digits with an error of its own.
        if not (key.isascii() and key.isdecimal() and len(key) <= 2 and int(key) < SPACES and _is_point(value)):
            raise RecordError(
                said(
                    "{key} must be a space from 0 to {last} with its place, such as {example}",
                    key=f"[{section}] {key[:20]}",
                    last=SPACES - 1,
                    example="[0.06, 0.81]",
                ),
                path,
            )
        points[int(key)] = (float(value[0]), float(value[1]))
    return points


def _is_point(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        # In Python a boolean is an integer, too.
        and all(isinstance(x, int | float) and not isinstance(x, bool) and -BEYOND <= x <= 1 + BEYOND for x in value)
    )
