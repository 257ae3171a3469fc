"""The head of a table recording: what is played, and how the quilts are found in its frames."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from calibration.locator import CornerLocator, MatLocator
from calibration.mat import load_mat
from companion.record import RecordError, header_from_json, header_to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from calibration.locator import QuiltLocator
    from companion.games.patchwork import Setup

HEADER_NAME: Final = "recording.toml"

_FURTHEST_PX: Final = 1e5
"""No camera's picture is as wide as that."""
_LEAST_TURN_PX2: Final = 81.0
"""A grid whose cells are a pixel wide cannot be read any more; points in a row are no grid at all."""

Quad: TypeAlias = "NDArray[np.float64]"
"""Outer corners A1, I1, I9, A9 of a grid in pixels, shape (4, 2)."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordingHead:
    """What stands in `recording.toml`.

    Attributes:
        setup: how the game began.
        corners: by seat in order, where the grids are in the first frame; None where the mats lie on the table.
    """

    setup: Setup
    corners: tuple[Quad, Quad] | None

    def locator(self) -> QuiltLocator:
        """Finds the quilts in the recording's frames."""
        return MatLocator(load_mat()) if self.corners is None else CornerLocator(self.corners)


def read_head(folder: Path) -> RecordingHead:
    """Read the head of the recording in a folder.

    Raises:
        RecordError: it is missing, or it does not say what it must; the message names the file and the key.
    """
    path = folder / HEADER_NAME
    table = _toml(path)
    try:
        setup = header_from_json(table)
    except RecordError as error:
        raise RecordError(error.reason, path) from error
    calibration = table.get("calibration")
    if not isinstance(calibration, dict) or len({"fiducials", "corners", "file"} & calibration.keys()) != 1:
        raise RecordError("[calibration] must have exactly one of fiducials, corners and file", path)
    return RecordingHead(setup, _corners(path, calibration))


def head_text(setup: Setup, corners: tuple[Quad, Quad] | None = None) -> str:
    """The text of `recording.toml`; without corners the mats are said to lie on the table."""
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in header_to_json(setup).items()]
    where = "fiducials = true" if corners is None else f"corners = {[np.round(quad, 2).tolist() for quad in corners]}"
    return "\n".join([*lines, "", "[calibration]", where, ""])


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror}", path) from error
    except RecursionError as error:
        raise RecordError("is not TOML that can be read: nested too deeply", path) from error
    except ValueError as error:  # also a number too long, a byte that is not UTF-8, and a null byte in the file's name
        raise RecordError(f"is not TOML: {error}", path) from error


def _corners(path: Path, calibration: dict[str, Any]) -> tuple[Quad, Quad] | None:
    if "corners" in calibration:
        return _quads(path, calibration["corners"])
    if "file" in calibration:
        if not isinstance(calibration["file"], str):
            raise RecordError("[calibration] file must be the name of a file", path)
        other = path.parent / calibration["file"]
        return _quads(other, _toml(other).get("corners"))
    if calibration["fiducials"] is not True:
        raise RecordError("[calibration] fiducials must be true, or give corners instead", path)
    return None


def _quads(path: Path, value: object) -> tuple[Quad, Quad]:
    if not _is_two_quads(value):
        raise RecordError("corners must be four [x, y] points in pixels for each grid: A1, I1, I9, A9", path)
    quads = np.array(value, np.float64)
    if not all(_goes_round(quad) for quad in quads):
        raise RecordError("corners must go round each grid, and not across it: A1, I1, I9, A9", path)
    return quads[0], quads[1]


def _is_two_quads(value: object) -> bool:
    """Whether it is a list of lists of lists of numbers, two, four and two of them."""
    return _are(value, 2, lambda quad: _are(quad, 4, lambda point: _are(point, 2, _is_number)))


def _are(value: object, count: int, holds: Callable[[object], bool]) -> bool:
    return isinstance(value, list) and len(value) == count and all(map(holds, value))


def _is_number(value: object) -> bool:
    # The comparison comes first for integers beyond what a float can hold.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _FURTHEST_PX


def _goes_round(quad: Quad) -> bool:
    """Whether every corner turns the same way: clockwise, or the other way round in a mirrored picture."""
    sides = np.roll(quad, -1, axis=0) - quad
    following = np.roll(sides, -1, axis=0)
    turns_px2 = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    return bool((turns_px2 >= _LEAST_TURN_PX2).all() or (turns_px2 <= -_LEAST_TURN_PX2).all())
