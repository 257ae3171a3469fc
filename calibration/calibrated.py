"""Quilts on a calibrated table, located by their mats or by the calibrated corners."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS, CornerLocator, MatLocator, QuiltLocator
from calibration.mat import load_mats
from calibration.stored import TableCalibration
from calibration.straightened import StraightenedCamera
from hardware.ports import Camera
from vision.geometry import Homography


class CalibratedLocator:
    """A locator by the mats, with each board's place on its mat, or by the stored corners if no mats are seen at first.

    Args:
        calibration: of the table; pictures must be undistorted by its lens.

    Attributes:
        is_held: whether a moved board must be tracked by its own look.
    """

    def __init__(self, calibration: TableCalibration) -> None:
        lens = calibration.lens
        corners = [calibration.boards[seat].corners_px for seat in SEATS]
        mats = MatLocator(*load_mats())
        for seat in SEATS:
            mats.put(seat, calibration.boards[seat].place)
        self._by: QuiltLocator = mats
        self._corners = CornerLocator(corners if lens is None else [lens.to_straight(quad) for quad in corners])
        self._decided = False
        self.is_held = self._by.is_held

    def locate(self, image: NDArray[np.uint8]) -> Mapping[int, Homography]:
        """Return, for each seat whose quilt can be located, the map from cell space to pixels of this frame."""
        found = self._by.locate(image)
        # By the first picture alone: mats that are hidden later are still followed.
        if not self._decided and not found:
            self._by, self.is_held = self._corners, self._corners.is_held
            found = self._by.locate(image)
        self._decided = True
        return found

    def adopt(self, seat: int, cells_to_image: Homography) -> None:
        """Adopt a better placement of a seat's quilt in the frame located last."""
        self._by.adopt(seat, cells_to_image)

    def place(self, seat: int) -> Homography:
        """Return the place of a seat's board."""
        return self._by.place(seat)

    def put(self, seat: int, place: Homography) -> None:
        """Set the place of a seat's board, as returned by `place`."""
        self._by.put(seat, place)

    def keep(self, seat: int) -> None:
        """Rely on a seat's board from now on."""
        self._by.keep(seat)

    def search(self, image: NDArray[np.uint8], beside: Homography | None = None) -> Sequence[Homography]:
        """Return possible places of a lost board, like `QuiltLocator.search`."""
        return self._by.search(image, beside)


def straightened(camera: Camera, calibration: TableCalibration | None) -> Camera:
    """Return the camera with its pictures undistorted, if the lens was calibrated."""
    if calibration is None or calibration.lens is None:
        return camera
    return StraightenedCamera(camera, calibration.lens)
