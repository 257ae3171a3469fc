"""Detection of two empty boards, which begins the next game at a table without buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from calibration.locator import SEATS
from companion.calibrating.boards import covered_cells
from companion.calibrating.configured import calibration_of, locator_by, seating_of
from companion.languages import said
from vision.board.grid_fit import GridFit, fit_grid
from vision.geometry.rectify import rectify
from vision.quilt.stability import StabilityGate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.config import TableConfig
    from hardware.ports import Frame
    from vision.geometry.homography import Homography

REST_S: Final = 3.0
"""How long the boards must be untouched: hands that clear a table come back for the next patch."""


class BoardClearing:
    """A watch over a table that is being cleared, frame by frame.

    Attributes:
        says: what the players should do, a sentence.

    Args:
        table: how its boards are found.

    Raises:
        TableCalibrationError: the calibration that it names cannot be used.
    """

    says = said("Lay both boards empty under the camera and take your hands away: a new game begins.")

    def __init__(self, table: TableConfig) -> None:
        self._locator = locator_by(seating_of(table), calibration_of(table))
        self._gates = {seat: StabilityGate() for seat in SEATS}
        self._since_s: float | None = None

    def see(self, frame: Frame) -> bool:
        """Take the next frame; return whether both boards lie there, empty, and have been at rest for a while."""
        places = self._locator.locate(frame.image)
        if not self._is_at_rest({seat: rectify(frame.image, place) for seat, place in places.items()}):
            self._since_s = None
            return False
        if self._since_s is None:
            self._since_s = frame.t_s
        if frame.t_s - self._since_s < REST_S:
            return False
        # A check takes a moment; the next one waits until the boards have been at rest again.
        self._since_s = frame.t_s
        return all(_is_bare(frame.image, place) for place in places.values())

    def _is_at_rest(self, views: dict[int, NDArray[np.uint8]]) -> bool:
        for seat in SEATS:
            if seat not in views:
                self._gates[seat].forget()
        settled = [self._gates[seat].watch(view) for seat, view in views.items()]
        return len(settled) == len(SEATS) and all(settled)


def _is_bare(image: NDArray[np.uint8], place: Homography) -> bool:
    """Return whether the board near this place is empty."""
    fitted = fit_grid(image, place)
    return not covered_cells(rectify(image, fitted.cells_to_image if isinstance(fitted, GridFit) else place))
