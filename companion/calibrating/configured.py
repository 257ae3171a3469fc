"""The configured places of the boards, and the configured lens."""

import numpy as np

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
from companion.config import TableConfig
from companion.errors import CompanionError
from companion.languages import reason, said


def seating_of(table: TableConfig) -> Seating | None:
    """Return the configured seating, or None if the mats identify the seats."""
    if table.boards == "mats":
        return None
    sides = None if table.sides is None else (Side(table.sides[0]), Side(table.sides[1]))
    return Seating(sides, table.swap)


class TableCalibrationError(CompanionError):
    """Raised if the configured calibration cannot be used."""


def calibration_of(table: TableConfig) -> TableCalibration | None:
    """Return the configured calibration, or None if none is configured or mats are not used.

    Raises:
        TableCalibrationError: the calibration cannot be used.
    """
    if table.calibration is None or table.boards != "mats":
        return None
    try:
        return load_calibration(table.calibration)
    except CalibrationError as error:
        raise TableCalibrationError(said("{key}: {fault}", key="[table] calibration", fault=reason(error))) from error


def empty_of(table: TableConfig) -> Profile | None:
    """Return the views of the empty boards under the strip's neutral light, taken when the table was calibrated.

    The result is None if there is no calibration, or its file of views is missing or belongs to another calibration.

    Raises:
        TableCalibrationError: the calibration or the file of views cannot be used.
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
        raise TableCalibrationError(
            said("{key}: {fault}, or calibrate again", key="[table] calibration", fault=reason(error))
        ) from error
    places = {seat: board.place.matrix for seat, board in calibration.boards.items()}
    # Views that belong to other places come from an earlier calibration; the files are written one after the other.
    return kept if all(np.allclose(kept.places[seat].matrix, place) for seat, place in places.items()) else None


def locator_by(seating: Seating | None, calibration: TableCalibration | None = None) -> QuiltLocator:
    """Return a locator of the quilts by the mats, or with a seating, by the empty boards themselves."""
    if seating is not None:
        return FoundLocator(seating)
    return MatLocator(*load_mats()) if calibration is None else CalibratedLocator(calibration)
