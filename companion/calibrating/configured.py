"""The configured places of the boards, and the configured lens."""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards import FoundLocator, Seating, Side
from calibration.locator import MatLocator, QuiltLocator
from calibration.mat import load_mats
from calibration.stored import (
    CalibratedLocator,
    CalibrationError,
    Profile,
    ProfileError,
    TableCalibration,
    load_calibration,
    load_profile,
)
from companion.calibrating.result import EMPTY_SUFFIX
from companion.config import Config, TableConfig
from companion.durable import read_text
from companion.errors import CompanionError
from companion.languages import reason, said, system_says, toml_says
from companion.record import RecordError

_ORDER: Final = "A1, I1, I9, A9"
# A limit in pixels that no picture reaches.
_FURTHEST_PX: Final = 1e5
# The least turn at a corner, in square pixels: cells one pixel wide are unreadable, collinear points no grid.
_LEAST_TURN_PX2: Final = 81.0
_LEAST_PAGE_PX2: Final = 10_000.0
# The greatest share of the smaller grid that may lie on the other; people drag corners by eye.
_MOST_SHARED: Final = 0.2
ONE_PLACE: Final = said("Both boards are in one place: show the corners of each.")
"""The sentence about two grids that are in one place."""

Quad: TypeAlias = "NDArray[np.float64]"
"""The outer corners A1, I1, I9, A9 of a grid in pixels, shape (4, 2)."""


def read_corners(path: Path) -> tuple[Quad, Quad]:
    """Return the `corners` in a file, for each seat in order.

    Raises:
        RecordError: it cannot be read, or lacks the corners of two grids; the message names the file.
    """
    return quads(path, read_toml(path).get("corners"))


def read_grids(path: Path) -> tuple[Quad, ...]:
    """Return the `corners` of one grid or of both, otherwise as `read_corners` does.

    Raises:
        RecordError: it cannot be read, or lacks the corners of a grid; the message names the file.
    """
    value = read_toml(path).get("corners")
    if isinstance(value, list) and len(value) == 1:
        # Checked as two grids, so that there is only one check.
        return quads(path, value * 2)[:1]
    return quads(path, value)


def read_toml(path: Path) -> dict[str, Any]:
    """Return the contents of a TOML file.

    Raises:
        RecordError: it cannot be read; the message names the file.
    """
    try:
        return tomllib.loads(read_text(path))
    except OSError as error:
        raise RecordError(said("cannot be read: {fault}", fault=system_says(error)), path) from error
    # tomllib recurses into nested lists.
    except RecursionError as error:
        raise RecordError(said("is not {encoding}: {fault}", encoding="TOML", fault=toml_says(error)), path) from error
    except ValueError as error:  # also a number too long, a byte that is not UTF-8, and a null byte in the file's name
        raise RecordError(said("is not {encoding}: {fault}", encoding="TOML", fault=toml_says(error)), path) from error


def quads(path: Path, value: object) -> tuple[Quad, Quad]:
    """Return the corners of two grids from nested lists.

    Raises:
        RecordError: they are not the corners of two grids; the message names the file.
    """
    if not _is_two_quads(value):
        raise RecordError(
            said(
                "{key} must be four {form} points in pixels for each grid: {cells}",
                key="corners",
                form="[x, y]",
                cells=_ORDER,
            ),
            path,
        )
    both = np.array(value, np.float64)
    if not all(is_convex(quad) for quad in both):
        raise RecordError(
            said("{key} must go around each grid, not across it: {cells}", key="corners", cells=_ORDER), path
        )
    return both[0], both[1]


def _is_two_quads(value: object) -> bool:
    """Return whether a value is a list of two lists of four [x, y] points."""
    return _are(value, 2, lambda quad: _are(quad, 4, lambda point: _are(point, 2, _is_number)))


def _are(value: object, count: int, holds: Callable[[object], bool]) -> bool:
    return isinstance(value, list) and len(value) == count and all(map(holds, value))


def _is_number(value: object) -> bool:
    # The comparison is safe for integers too large for a float.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _FURTHEST_PX


def is_convex(quad: Quad) -> bool:
    """Return whether all corners turn the same way: clockwise, or counterclockwise in a mirrored picture."""
    turns_px2 = _turns_px2(quad)
    return bool((turns_px2 >= _LEAST_TURN_PX2).all() or (turns_px2 <= -_LEAST_TURN_PX2).all())


def may_be_page(quad: Quad) -> bool:
    """Return whether these may be the corners of a page or a board in a photograph: clockwise, and large enough."""
    return bool(_turns_px2(quad).min() > 1 and cv2.contourArea(quad.astype(np.float32)) > _LEAST_PAGE_PX2)


def _turns_px2(quad: Quad) -> NDArray[np.float64]:
    sides = np.roll(quad, -1, axis=0) - quad
    following = np.roll(sides, -1, axis=0)
    return np.asarray(sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0])


def is_one_place(one: Quad, other: Quad) -> bool:
    """Return whether two convex grids lie on each other, although boards can only lie side by side."""
    first, second = one.astype(np.float32), other.astype(np.float32)
    least_px2 = min(cv2.contourArea(first), cv2.contourArea(second))
    return bool(cv2.intersectConvexConvex(first, second)[0] > _MOST_SHARED * least_px2)


def seating_of(table: TableConfig) -> Seating | None:
    """Return the configured seating, or None if the mats identify the seats."""
    if table.boards == "mats":
        return None
    sides = None if table.sides is None else (Side(table.sides[0]), Side(table.sides[1]))
    return Seating(sides, table.swap)


def calibration_of(table: TableConfig) -> TableCalibration | None:
    """Return the configured calibration, or None if none is configured or mats are not used.

    Raises:
        CompanionError: the calibration cannot be used.
    """
    if table.calibration is None or table.boards != "mats":
        return None
    try:
        return load_calibration(table.calibration)
    except CalibrationError as error:
        raise CompanionError.said("{key}: {fault}", key="[table] calibration", fault=reason(error)) from error


def empty_of(table: TableConfig) -> Profile | None:
    """Return the views of the empty boards under the strip's neutral light, taken when the table was calibrated.

    The result is None if there is no calibration, or its file of views is missing or belongs to another calibration.

    Raises:
        CompanionError: the calibration or the file of views cannot be used.
    """
    calibration = calibration_of(table)
    if table.calibration is None or calibration is None:
        return None
    path = table.calibration.with_suffix(EMPTY_SUFFIX)
    if not path.exists():
        return None
    try:
        kept = load_profile(path)
    except ProfileError as error:
        raise CompanionError.said(
            "{key}: {fault}, or calibrate again", key="[table] calibration", fault=reason(error)
        ) from error
    places = {seat: board.place.matrix for seat, board in calibration.boards.items()}
    # Views that belong to other places come from an earlier calibration; the files are written one after the other.
    return kept if all(np.allclose(kept.places[seat].matrix, place) for seat, place in places.items()) else None


def locator_by(seating: Seating | None, calibration: TableCalibration | None = None) -> QuiltLocator:
    """Return a locator of the quilts by the mats, or with a seating, by the empty boards themselves."""
    if seating is not None:
        return FoundLocator(seating)
    return MatLocator(*load_mats()) if calibration is None else CalibratedLocator(calibration)


def calibration_path(folder: Path, table: str) -> Path:
    """Return the path of a table's own calibration, in the folder of the journal."""
    # A name may contain any character, also those of a path; spaces stay, as in the names of simulated tables.
    return folder / "calibrations" / f"{quote(table, safe=' ')}.toml"


def with_own_calibration(config: Config, path: Path) -> Config:
    """Return the configuration with the table's own calibration, if it uses mats and names no other calibration.

    Without mats there is no way to check that the boards have not been moved: a calibration then holds for one session.
    """
    if config.table.boards != "mats" or config.table.calibration is not None or not path.exists():
        return config
    return replace(config, table=replace(config.table, calibration=path))
