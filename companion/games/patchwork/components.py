"""The components in the box, read from the data files: the 33 patches, how they may lie, and both time boards."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from companion.games.patchwork.cells import SIDE


@dataclass(frozen=True, slots=True)
class Patch:
    """One of the 33 patches.

    Attributes:
        id: its name in records.
        cells: (row, column) pairs, row by row, as drawn in the data file; both start at 0.
        buttons: its price in buttons.
        time: the number of spaces that its buyer's time token moves.
        income: the number of button icons printed on it.
    """

    id: str
    cells: tuple[tuple[int, int], ...]
    buttons: int
    time: int
    income: int

    @property
    def size(self) -> int:
        """The number of cells it covers."""
        return len(self.cells)


class Edition(StrEnum):
    """The printings of the time board, which differ only in the place of the first leather patch."""

    ORIGINAL = "original"
    REVISED = "revised"


@dataclass(frozen=True, slots=True)
class TimeTrack:
    """The time board. A token stands on a space 0 to `last_space`; mark p is printed between the spaces p - 1 and p.

    Attributes:
        last_space: the number of the centre.
        income: the income marks, ascending.
        leather: the marks with a leather patch, ascending.
    """

    last_space: int
    income: tuple[int, ...]
    leather: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Crossing:
    """The marks that a token crosses in one move, each tuple ascending.

    Attributes:
        marks: all of these marks.
        income: the income marks.
        leather: the marks whose leather patch is still available.
    """

    marks: tuple[int, ...]
    income: tuple[int, ...]
    leather: tuple[int, ...]


@cache
def marks_crossed(income: tuple[int, ...], leather: tuple[int, ...], start: int, end: int) -> Crossing | None:
    """Return the marks that a token crosses between two spaces, or None; landing on the space of mark p crosses it.

    Results are cached: there are about a thousand different arguments in all, and each recurs often.
    """
    paydays = tuple(mark for mark in income if start < mark <= end)
    won = tuple(mark for mark in leather if start < mark <= end)
    return Crossing(tuple(sorted(paydays + won)), paydays, won) if paydays or won else None


def _load(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


def _patch(entry: dict[str, Any]) -> Patch:
    cells = tuple((r, c) for r, line in enumerate(entry["cells"]) for c, mark in enumerate(line) if mark == "X")
    return Patch(entry["id"], cells, entry["buttons"], entry["time"], entry["income"])


_TRACK_DATA: Final = _load("time_track.toml")
_COMPONENTS: Final = _TRACK_DATA["components"]

PATCHES: Final[Mapping[str, Patch]] = MappingProxyType(
    {entry["id"]: _patch(entry) for entry in _load("patches.toml")["patch"]}
)
TIME_TRACKS: Final[Mapping[Edition, TimeTrack]] = MappingProxyType(
    {
        edition: TimeTrack(
            _TRACK_DATA["last_space"], tuple(_TRACK_DATA["income"]), tuple(_TRACK_DATA["leather"][edition])
        )
        for edition in Edition
    }
)

START_BUTTONS: Final[int] = _COMPONENTS["start_buttons"]
BONUS_SIDE: Final[int] = _COMPONENTS["bonus_side"]
BONUS_POINTS: Final[int] = _COMPONENTS["bonus_points"]
POINTS_LOST_PER_EMPTY_CELL: Final[int] = _COMPONENTS["points_lost_per_empty_cell"]
SMALLEST_PATCH: Final = min(PATCHES.values(), key=lambda patch: patch.size).id
"""The neutral token starts on its clockwise side, so that it is the last of the circle (`docs/rules.md`)."""


Cells: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Orientation:
    """A patch turned and possibly flipped, moved to the top left corner.

    Attributes:
        cells: (row, column) pairs in reading order; the smallest row and the smallest column are 0.
        height: the number of rows it spans.
        width: the number of columns it spans.
    """

    cells: Cells
    height: int
    width: int

    @property
    def mask(self) -> int:
        """Its cells as a bit mask, lying in the top left corner of the board."""
        return sum(1 << row * SIDE + column for row, column in self.cells)


@cache
def orientations(patch_id: str) -> tuple[Orientation, ...]:
    """Return the distinct orientations among the eight rotations and flips of a patch, the drawn one first.

    Raises:
        KeyError: if there is no such patch.
    """
    drawn = quarter_turned(PATCHES[patch_id].cells, 0)
    shapes = [drawn]
    for quarters in range(1, 5):
        turned = quarter_turned(drawn, quarters)
        shapes += [turned, _in_corner((row, -column) for row, column in turned)]
    return tuple(_orientation(cells) for cells in dict.fromkeys(shapes))


def quarter_turned(cells: Cells, quarters: int) -> Cells:
    """Return cells rotated clockwise by quarter turns, in reading order, the smallest row and column 0."""
    for _ in range(quarters % 4):
        cells = tuple((column, -row) for row, column in cells)
    return _in_corner(cells)


def _in_corner(cells: Iterable[tuple[int, int]]) -> Cells:
    pairs = tuple(cells)
    top = min(row for row, _ in pairs)
    left = min(column for _, column in pairs)
    return tuple(sorted((row - top, column - left) for row, column in pairs))


def _orientation(cells: Cells) -> Orientation:
    return Orientation(cells, 1 + max(row for row, _ in cells), 1 + max(column for _, column in cells))


@cache
def twins_of(patch_id: str) -> tuple[str, ...]:
    """Return the other patches of the same shape, in file order; only labels or prints distinguish them.

    Raises:
        KeyError: if there is no such patch.
    """
    shape = set(orientations(patch_id))
    return tuple(other for other in PATCHES if other != patch_id and set(orientations(other)) == shape)


@cache
def placements(patch_id: str) -> tuple[int, ...]:
    """Return every placement on the empty board, as masks: orientation by orientation, each row by row.

    Raises:
        KeyError: if there is no such patch.
    """
    return tuple(
        turned.mask << row * SIDE + column
        for turned in orientations(patch_id)
        for row in range(SIDE - turned.height + 1)
        for column in range(SIDE - turned.width + 1)
    )


@cache
def placement_set(patch_id: str) -> frozenset[int]:
    """Return the placements on the empty board as a set, for membership tests.

    Raises:
        KeyError: if there is no such patch.
    """
    return frozenset(placements(patch_id))


def fits(patch_id: str, quilt: int) -> tuple[int, ...]:
    """Return the placements of a patch that cover no cell of the quilt, in the order of `placements`.

    Raises:
        KeyError: if there is no such patch.
    """
    return tuple(mask for mask in placements(patch_id) if not mask & quilt)


def has_square(quilt: int) -> bool:
    """Return whether the covered cells (bit mask) include a whole square of 7 by 7 cells."""
    if quilt.bit_count() < BONUS_SIDE * BONUS_SIDE:
        return False
    return any(quilt & window == window for window in WINDOWS)


def _windows() -> tuple[int, ...]:
    row = (1 << BONUS_SIDE) - 1
    corner = sum(row << SIDE * step for step in range(BONUS_SIDE))
    reach = range(SIDE - BONUS_SIDE + 1)
    return tuple(corner << SIDE * down + across for down in reach for across in reach)


WINDOWS: Final = _windows()
"""The nine squares of 7 by 7 cells, as bit masks."""
