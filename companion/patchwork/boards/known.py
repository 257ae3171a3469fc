"""The boards of one evening: the way they are found, and their empty looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.calibrating.configured import calibration_of, empty_of, locator_by, seating_of

if TYPE_CHECKING:
    from calibration.locator import QuiltLocator
    from calibration.profile import Profile
    from companion.config import TableConfig


@dataclass(frozen=True, slots=True)
class KnownBoards:
    """The facts known of the boards before the first frame.

    Attributes:
        locator: the locator of the boards.
        empty: their empty looks when the table was calibrated, or None if these were not measured.
    """

    locator: QuiltLocator
    empty: Profile | None = None

    @classmethod
    def of(cls, table: TableConfig) -> KnownBoards:
        """Return the boards by the table's configuration.

        Raises:
            TableCalibrationError: the calibration that it names cannot be used.
        """
        return cls(locator_by(seating_of(table), calibration_of(table)), empty_of(table))
