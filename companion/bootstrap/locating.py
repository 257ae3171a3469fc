"""Chooses how the quilts are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from calibration.boards import FoundLocator, Seating, Side
from calibration.calibrated import CalibratedLocator
from calibration.locator import MatLocator
from calibration.mat import load_mats
from calibration.profile import ProfileError, load_profile
from calibration.stored import CalibrationError, load_calibration
from companion.calibrating.result import EMPTY_SUFFIX
from companion.errors import CompanionError
from companion.languages import reason, said
from companion.reader.lookout import Lookout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calibration.locator import QuiltLocator
    from calibration.profile import Profile
    from calibration.stored import TableCalibration
    from companion.config import TableConfig
    from companion.events import Listener
    from companion.games.patchwork import History
    from companion.reader.watch import TableWatch


def seating_of(table: TableConfig) -> Seating | None:
    """Who sits where, as the configuration has it; None where mats tell."""
    if table.boards == "mats":
        return None
    sides = None if table.sides is None else (Side(table.sides[0]), Side(table.sides[1]))
    return Seating(sides, table.swap)


class TableCalibrationError(CompanionError):
    """The calibration that the configuration names cannot be used."""


def calibration_of(table: TableConfig) -> TableCalibration | None:
    """What the configuration's calibration file says; None where it names none, or mats do not count.

    Raises:
        TableCalibrationError: it cannot be used.
    """
    if table.calibration is None or table.boards != "mats":
        return None
    try:
        return load_calibration(table.calibration)
    except CalibrationError as error:
        raise TableCalibrationError(said("{key}: {fault}", key="[table] calibration", fault=reason(error))) from error


def empty_of(table: TableConfig) -> Profile | None:
    """How the empty boards looked under the strip's neutral light when the table was calibrated.

    None where there is no calibration, or where that file is not its own: an older one, or none was kept.

    Raises:
        TableCalibrationError: it cannot be used.
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
            said("{key}: {fault}, or calibrate anew", key="[table] calibration", fault=reason(error))
        ) from error
    places = {seat: board.place.matrix for seat, board in calibration.boards.items()}
    return kept if all(np.allclose(kept.places[seat].matrix, place) for seat, place in places.items()) else None


def locator_by(seating: Seating | None, calibration: TableCalibration | None = None) -> QuiltLocator:
    """Finds the quilts by the mats, or by themselves where somebody's seating is given."""
    if seating is not None:
        return FoundLocator(seating)
    return MatLocator(*load_mats()) if calibration is None else CalibratedLocator(calibration)


def lookouts(
    watch: TableWatch, locator: QuiltLocator, history: History, listeners: Sequence[Listener]
) -> tuple[Callable[[float], None], ...]:
    """What tells the players of boards that are not seen, once a frame; nothing where mats lie under them."""
    return (Lookout(watch, locator, history, listeners).tick,) if isinstance(locator, FoundLocator) else ()
