"""A lens' distortion: its model, undistorted pictures, and a camera that delivers them.

Pixel centres lie on whole numbers: a picture's left edge is at -0.5. Coordinate spaces: *camera space*, pixels of the
camera's picture; *straight space*, pixels of the undistorted picture, which has the same scale in its middle and is
enlarged so that nothing is cut off.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.languages import SentenceError, reason
from hardware.ports import Camera, CameraError, Frame, StillCamera
from vision.geometry import Homography

TERMS: Final = 5
"""The terms of the distortion, as OpenCV orders them: k1, k2, p1, p2, k3."""
# Greatest ratio of an undistorted picture's size to the original's: a fit that exceeds it is invalid.
_LARGEST: Final = 1.6
_EDGE_POINTS: Final = 33
_CLOSE_PX: Final = 1e-6
# Steps of the inversion: each at least halves the error, for a realistic lens.
_STEPS: Final = 60


class LensError(SentenceError):
    """A lens does not fit a picture; the message says why."""


# Without slots, which cached properties cannot have.
@dataclass(frozen=True, eq=False)
class Lens:
    """A camera's lens.

    Attributes:
        size_px: (width, height) of the pictures that it was fitted to.
        focal_px: focal length along x and y.
        centre_px: principal point (x, y) in camera space.
        distortion: `TERMS` coefficients.
    """

    size_px: tuple[int, int]
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    distortion: tuple[float, ...]

    @property
    def matrix(self) -> NDArray[np.float64]:
        """OpenCV's camera matrix, shape (3, 3)."""
        return np.array(
            [[self.focal_px[0], 0.0, self.centre_px[0]], [0.0, self.focal_px[1], self.centre_px[1]], [0.0, 0.0, 1.0]]
        )

    @property
    def straight_size_px(self) -> tuple[int, int]:
        """(width, height) of an undistorted picture."""
        low, high = self._reach
        width, height = (high - low).astype(int)
        return int(width), int(height)

    @property
    def straight_origin_px(self) -> tuple[float, float]:
        """(x, y) from the picture's upper left corner to the undistorted one's, both at most 0."""
        low, _ = self._reach
        return float(low[0]), float(low[1])

    def straighten(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a picture without the lens' distortion; areas outside of the camera's view are black.

        Args:
            image: the camera's picture, shape (height, width, 3), uint8.

        Returns:
            Of the size `straight_size_px`, uint8.

        Raises:
            LensError: the picture's size differs from that of the lens' fit.
        """
        height, width = image.shape[:2]
        if (width, height) != self.size_px:
            fitted = "{} x {}".format(*self.size_px)
            raise LensError.said(
                "the picture has {size} pixels, but the lens was calibrated at {fitted}",
                size=f"{width} x {height}",
                fitted=fitted,
            )
        return np.asarray(cv2.remap(image, *self._map, cv2.INTER_LINEAR), np.uint8)

    def to_straight(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Return points (n, 2) of camera space in straight space."""
        return self._unbent(np.asarray(points_px, np.float64).reshape(-1, 2)) - self._reach[0]

    def to_camera(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Return points (n, 2) of straight space in camera space."""
        return self._bent(np.asarray(points_px, np.float64).reshape(-1, 2) + self._reach[0])

    def _bent(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        rays = np.column_stack([(points_px - self.centre_px) / self.focal_px, np.ones(len(points_px))])
        bent, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), self.matrix, np.array(self.distortion))
        return np.asarray(bent, np.float64).reshape(-1, 2)

    def _unbent(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        # Own steps: OpenCV's `undistortPoints` stops after five, up to a pixel off in the corners of a wide lens.
        straight = points_px
        for _ in range(_STEPS):
            missing = points_px - self._bent(straight)
            straight = straight + missing
            # In this form NaN ends it, too, to which a wild fit leads.
            if not np.abs(missing).max(initial=0.0) > _CLOSE_PX:
                break
        return straight

    @cached_property
    def _map(self) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        """OpenCV's fixed-point map, which is faster than one of floats."""
        matrix = self.matrix
        matrix[:2, 2] -= self._reach[0]
        maps = cv2.initUndistortRectifyMap(
            self.matrix, np.array(self.distortion), np.eye(3), matrix, self.straight_size_px, cv2.CV_16SC2
        )
        return np.asarray(maps[0], np.int16), np.asarray(maps[1], np.uint16)

    @cached_property
    def _reach(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The upper left corner, and the one beyond the lower right, of the undistorted view."""
        size = np.array(self.size_px, np.float64)
        along = np.linspace(0, 1, _EDGE_POINTS)
        # Not the corners alone: a barrel's straightened edges reach farthest there, a pincushion's in between.
        around = np.array([(x, y) for at in along for x, y in ((at, 0), (at, 1), (0, at), (1, at))])
        flat = self._unbent(around * (size - 1))
        margin = size * (_LARGEST - 1) / 2
        if not np.isfinite(flat).all():
            return -margin, size + margin
        low, high = np.floor(flat.min(axis=0)), np.ceil(flat.max(axis=0)) + 1
        return np.floor(np.clip(low, -margin, 0)), np.ceil(np.clip(high, size, size + margin))


# Largest relative difference of two pictures' aspect ratios, because sizes are integers and even.
_ALIKE: Final = 0.005


@dataclass(frozen=True, slots=True)
class Framing:
    """A map from one picture's pixels to another's.

    Attributes:
        scale: pixels of the other picture per pixel, along x and y.
        shift_px: shift in pixels of the other picture.
    """

    scale: tuple[float, float]
    shift_px: tuple[float, float]

    def __call__(self, points_px: ArrayLike) -> NDArray[np.float64]:
        """Map points of shape (..., 2) from the first picture to the second."""
        return np.asarray(points_px, np.float64) * self.scale + self.shift_px

    @property
    def inverse(self) -> "Framing":
        """The map from the second picture back to the first."""
        (wide, high), (right, down) = self.scale, self.shift_px
        return Framing((1 / wide, 1 / high), (-right / wide, -down / high))

    @property
    def homography(self) -> Homography:
        """This map as a homography, for composition with others."""
        (wide, high), (right, down) = self.scale, self.shift_px
        return Homography(np.array([[wide, 0.0, right], [0.0, high, down], [0.0, 0.0, 1.0]]))

    def lens(self, lens: Lens, size_px: tuple[int, int]) -> Lens:
        """Return a picture's lens in terms of the other picture, which has the given size."""
        centre = self([lens.centre_px])[0]
        focal_px = (lens.focal_px[0] * self.scale[0], lens.focal_px[1] * self.scale[1])
        return replace(lens, size_px=size_px, focal_px=focal_px, centre_px=(float(centre[0]), float(centre[1])))


def framing_between(first: Frame, second: Frame) -> Framing | None:
    """Return the map from the first picture's pixels to the second's, or None if it is unknown.

    Both pictures are of one camera. If it does not report their part of its view, pictures of equal aspect ratio are
    assumed to show the same part, and the result is None if the ratios differ.
    """
    (height, width), (high, wide) = first.image.shape[:2], second.image.shape[:2]
    here, there = first.crop, second.crop
    if here is None or there is None:
        if abs(width * high / (height * wide) - 1) > _ALIKE:
            return None
        here = there = (0.0, 0.0, 1.0, 1.0)
    # Pixels of each picture per unit of their common space.
    per_unit = np.array([width, height]) / here[2:]
    other = np.array([wide, high]) / there[2:]
    scale = other / per_unit
    shift = (np.array(here[:2]) - there[:2]) * other + 0.5 * scale - 0.5
    return Framing((float(scale[0]), float(scale[1])), (float(shift[0]), float(shift[1])))


class StraightenedCamera:
    """A camera that removes the lens' distortion from another camera's pictures.

    Args:
        camera: the wrapped camera; it is closed with this one.
        lens: its lens, in terms of its frames.
    """

    def __init__(self, camera: Camera, lens: Lens) -> None:
        self._camera, self._lens = camera, lens
        self._latest: Frame | None = None
        self._of_stills: tuple[Framing, Lens] | None = None

    def capture(self) -> Frame:
        """Return the next frame, undistorted; its image is read-only.

        Raises:
            EndOfFramesError: there will be no more.
            CameraError: no frame could be taken, or its size differs from that of the lens' fit.
        """
        self._latest = self._camera.capture()
        return _straight(self._latest, self._lens)

    def still(self) -> Frame:
        """Return an undistorted still in the camera's greatest size, or the next frame if the camera takes no stills.

        Raises:
            EndOfFramesError: as `capture`.
            CameraError: as `capture`, or the camera does not report the view of a still with another aspect ratio.
        """
        if not isinstance(self._camera, StillCamera):
            return self.capture()
        # The lens was calibrated for frames: one is needed to know how a still's view relates to theirs.
        frame = self._latest = self._latest or self._camera.capture()
        still = self._camera.still()
        return _straight(replace(still, crop=still.crop or _whole(frame)), self._lens_of(still, frame))

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        self._camera.close()

    def _lens_of(self, still: Frame, frame: Frame) -> Lens:
        """Return the lens in terms of a still."""
        # Frames of another size are refused by the lens, with the reason.
        if _size(frame) != self._lens.size_px or (_size(still) == _size(frame) and still.crop == frame.crop):
            return self._lens
        framing = framing_between(frame, still)
        if framing is None:
            size = "{} x {}".format(*_size(still))
            raise CameraError.said(
                "the camera does not say which part of its view a photo of {size} pixels shows", size=size
            )
        # A lens' tables take a moment to compute, and all stills have the same framing.
        if self._of_stills is None or self._of_stills[0] != framing:
            self._of_stills = framing, framing.lens(self._lens, _size(still))
        return self._of_stills[1]


def _straight(frame: Frame, lens: Lens) -> Frame:
    try:
        image = lens.straighten(frame.image)
    except LensError as error:
        raise CameraError.said("{fault}: calibrate it again with this camera setting", fault=reason(error)) from error
    image.setflags(write=False)
    return replace(frame, image=image, crop=_crop(frame, lens))


def _crop(frame: Frame, lens: Lens) -> tuple[float, float, float, float]:
    """Return the part of the view that an undistorted picture shows: a little more on every side."""
    left, top, width, height = frame.crop or _whole(frame)
    scale_x, scale_y = width / lens.size_px[0], height / lens.size_px[1]
    right, down = lens.straight_origin_px
    wide, high = lens.straight_size_px
    return left + right * scale_x, top + down * scale_y, wide * scale_x, high * scale_y


def _whole(frame: Frame) -> tuple[float, float, float, float]:
    """Return the whole frame as the view, for a camera that does not report it."""
    width, height = _size(frame)
    return 0.0, 0.0, float(width), float(height)


def _size(frame: Frame) -> tuple[int, int]:
    height, width = frame.image.shape[:2]
    return width, height
