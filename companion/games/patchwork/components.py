"""The components in the box: the 33 patches and the two printings of the time board, read from the data files."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final


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
