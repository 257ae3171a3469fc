"""The simulated camera: from millimetres on the table to pixels, with the lens' distortion, noise and JPEG.

Table space: millimetres, x to the right, y towards the near edge, z up; the camera looks at about the origin.
Pinhole space: pixels of a picture without distortion, a little larger than the frame, so that a barrel lens has content
at the frame's corners. Frame space: pixels of the frame.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Field, Image, Points, bytes_of, floats_of

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A camera's pose and lens.

    Attributes:
        size_px: (width, height) of a frame.
        focal_px: focal length.
        distortion: first radial coefficient.
        centre_mm: the lens in table space, (x, y, z).
        tilt_deg: from straight down, towards the far edge.
        roll_deg: about the line of sight.
    """

    size_px: tuple[int, int]
    focal_px: float
    distortion: float
    centre_mm: tuple[float, float, float]
    tilt_deg: float
    roll_deg: float

    @property
    def canvas_px(self) -> tuple[int, int]:
        """(width, height) of a pinhole picture."""
        larger = _larger(self.size_px, self.focal_px, self.distortion)
        return round(self.size_px[0] * larger), round(self.size_px[1] * larger)

    def plane(self, z_mm: float = 0.0, slope: tuple[float, float] = (0.0, 0.0)) -> Matrix:
        """Return the homography, shape (3, 3), from (x, y) in millimetres on a plane to pinhole space.

        Args:
            z_mm: height of the plane above the origin of table space.
            slope: its rise for each millimetre in x and in y.
        """
        rotation = self._rotation()
        offset = rotation @ (np.array([0.0, 0.0, z_mm]) - np.asarray(self.centre_mm))
        axes = rotation[:, :2] + rotation[:, 2:] * np.asarray(slope)
        matrix: Matrix = self._intrinsics(self.canvas_px) @ np.column_stack((axes, offset))
        return matrix

    def project(self, points_mm: Points, z_mm: float = 0.0) -> Points:
        """Return the projection of points (n, 2), in millimetres at height `z_mm`, to pinhole space (n, 2)."""
        return _apply(self.plane(z_mm), points_mm)

    def to_frame(self, points_px: Points) -> Points:
        """Return points (n, 2) of pinhole space in frame space."""
        canvas, frame = np.asarray(self.canvas_px) - 1, np.asarray(self.size_px) - 1
        straight = (points_px - canvas / 2) / self.focal_px
        bent = straight * (1 + self.distortion * (straight**2).sum(axis=1, keepdims=True))
        placed: Points = bent * self.focal_px + frame / 2
        return placed

    def from_frame(self, points_px: Points) -> Points:
        """Return points (n, 2) of frame space in pinhole space: the inverse of `to_frame`."""
        canvas, frame = np.asarray(self.canvas_px) - 1, np.asarray(self.size_px) - 1
        bent = (points_px - frame / 2) / self.focal_px
        radii = np.hypot(bent[:, :1], bent[:, 1:])
        straight = bent * _straightened(radii, self.distortion) / np.maximum(radii, 1e-9)
        placed: Points = straight * self.focal_px + canvas / 2
        return placed

    def frame_points(self, points_mm: Points, z_mm: float = 0.0) -> Points:
        """Return the projection of points (n, 2), in millimetres at height `z_mm`, to frame space (n, 2)."""
        return self.to_frame(self.project(points_mm, z_mm))

    def lens_map(self) -> tuple[Field, Field]:
        """Return the pinhole coordinates of every pixel of the frame: x and y, each (height, width), read-only."""
        return _lens_map(self.size_px, self.focal_px, self.distortion, self.canvas_px)

    def moved(self, offset_mm: tuple[float, float], roll_deg: float = 0.0) -> "Pinhole":
        """Return the same camera, nudged sideways."""
        x_mm, y_mm, z_mm = self.centre_mm
        centre_mm = (x_mm + offset_mm[0], y_mm + offset_mm[1], z_mm)
        return replace(self, centre_mm=centre_mm, roll_deg=self.roll_deg + roll_deg)

    def _intrinsics(self, size_px: tuple[int, int]) -> Matrix:
        width, height = size_px
        focal = self.focal_px
        return np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]], dtype=np.float64)

    def _rotation(self) -> Matrix:
        tilt, roll = np.radians(self.tilt_deg), np.radians(self.roll_deg)
        right = np.array([1.0, 0.0, 0.0])
        down = np.array([0.0, np.cos(tilt), -np.sin(tilt)])
        ahead = np.array([0.0, -np.sin(tilt), -np.cos(tilt)])
        turned_right = np.cos(roll) * right + np.sin(roll) * down
        return np.array([turned_right, np.cos(roll) * down - np.sin(roll) * right, ahead])


def pinhole_for(conditions: Conditions, rng: np.random.Generator) -> Pinhole:
    """Return a camera set up by hand: as in the conditions, but a few millimetres and degrees off."""
    width, height = conditions.width_px, conditions.height_px
    tilt = np.radians(conditions.tilt_deg)
    off_x, off_y, roll = rng.normal(0, (8.0, 6.0, 0.5))
    back_mm = conditions.camera_height_mm * np.tan(tilt)
    return Pinhole(
        size_px=(width, height),
        focal_px=width / 2 / float(np.tan(np.radians(conditions.field_of_view_deg) / 2)),
        distortion=conditions.distortion,
        centre_mm=(float(off_x), float(back_mm + off_y), conditions.camera_height_mm),
        tilt_deg=conditions.tilt_deg,
        roll_deg=float(roll) + (180.0 if conditions.upside_down else 0.0),
    )


def _straightened(bent: Points, distortion: float) -> Points:
    """Return the undistorted radii of distorted ones, in focal lengths."""
    # The polynomial is invalid beyond its maximum.
    last = 1 / np.sqrt(3 * -distortion) if distortion < 0 else 10.0
    straight = np.linspace(0, min(float(last), 10.0), 20_000)
    # A table inverts the cubic for a whole frame at once.
    radii: Points = np.interp(bent, straight * (1 + distortion * straight**2), straight)
    return radii


@lru_cache(maxsize=2)  # ten megabytes each; a nudged camera keeps its lens, and most tables have the same
def _lens_map(
    size_px: tuple[int, int], focal_px: float, distortion: float, canvas_px: tuple[int, int]
) -> tuple[Field, Field]:
    width, height = size_px
    x, y = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
    bent = np.hypot(x, y) / focal_px
    factor = _straightened(bent, distortion) / np.maximum(bent, 1e-9)
    centre = (np.asarray(canvas_px) - 1) / 2
    maps = floats_of(x * factor + centre[0]), floats_of(y * factor + centre[1])
    # All cameras with this lens share them.
    for each in maps:
        each.setflags(write=False)
    return maps


@cache
def _larger(size_px: tuple[int, int], focal_px: float, distortion: float) -> float:
    """Return the ratio of a pinhole picture's size to the frame's, so that a barrel lens has content at the corners."""
    corner = np.array([np.hypot(*size_px) / 2 / focal_px])
    return max(1.0, float((_straightened(corner, distortion) / corner)[0])) + 0.02


def _apply(matrix: Matrix, points: Points) -> Points:
    lifted = np.column_stack((points, np.ones(len(points)))) @ matrix.T
    flat: Points = lifted[:, :2] / lifted[:, 2:]
    return flat


TILE_PX = 384
"""Edge of the tile of noise, which is repeated over more than a frame, and shifted at random for each frame."""
# The quality that stands for no compression.
_UNCOMPRESSED = 100
_SIXTEENTHS = 16


class Sensor:
    """A sensor that adds noise and compresses. Its noise is one tile; frames differ in their crop of it.

    Args:
        size_px: (width, height) of a frame.
        noise: sigma in grey levels, of a white frame if there is shot noise.
        jpeg_quality: 1..100; 100 is a camera that hands over its pixels, as a Raspberry Pi's does.
        rng: of the noise.
        shot: share of the noise that increases with the light, 0..1.
        chroma: coarse noise of colour, relative to `noise`.
    """

    def __init__(
        self,
        size_px: tuple[int, int],
        noise: float,
        jpeg_quality: int,
        rng: np.random.Generator,
        *,
        shot: float = 0.0,
        chroma: float = 0.0,
    ) -> None:
        width, height = size_px
        self._rng = rng
        self._size_px = size_px
        self._quality = jpeg_quality
        tile = rng.standard_normal((TILE_PX, TILE_PX, 3), dtype=np.float32)
        # A demosaiced sensor's noise is correlated between neighbours and partly common to the three colours.
        tile = 0.75 * tile + 0.45 * tile.mean(axis=2, keepdims=True) * np.sqrt(3)
        tile = cv2.GaussianBlur(tile, (0, 0), 0.5, borderType=cv2.BORDER_REFLECT) * 1.6
        if chroma > 0:
            tile += chroma * _coarse_colour(rng)
        self._spread = _spread(shot) if shot > 0 else None
        tile *= noise
        levels = np.rint(tile.clip(-128, 127, out=tile), out=tile).astype(np.int16)
        times = (-(-(height + TILE_PX) // TILE_PX), -(-(width + TILE_PX) // TILE_PX), 1)
        if self._spread is not None:
            self._noise = np.tile(levels, times)
        else:
            # Two pictures of bytes, of which one is 0 at each place, are added in a quarter of the time.
            self._brighter = np.tile(bytes_of(levels.clip(min=0)), times)
            self._darker = np.tile(bytes_of(-levels.clip(max=0)), times)

    def expose(self, image: Image, processed: Callable[[Image], Image] | None = None) -> Image:
        """Return the picture with new noise, `processed` and compressed; a new array (height, width, 3), uint8."""
        width, height = self._size_px
        left, top = self._rng.integers(0, TILE_PX, 2)
        part = (slice(top, top + height), slice(left, left + width))
        if self._spread is None:
            noisy = cv2.add(image, self._brighter[part])
            cv2.subtract(noisy, self._darker[part], dst=noisy)
        else:
            noise = cv2.multiply(self._noise[part], cv2.LUT(image, self._spread), scale=1 / _SIXTEENTHS)
            noisy = cv2.add(image, noise, dtype=cv2.CV_8U)
        if processed is not None:
            noisy = processed(bytes_of(noisy))
        if self._quality == _UNCOMPRESSED:
            return bytes_of(noisy)
        _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
        return bytes_of(cv2.imdecode(data, cv2.IMREAD_COLOR))


def _spread(shot: float) -> NDArray[np.int16]:
    """Return the strength of noise at each grey level relative to white, in sixteenths: whole numbers are quicker.

    Shot noise grows with the root of the light; the tone curve, steep in the dark, amplifies it there again.
    """
    light = ((np.arange(256) + 0.5) / 256) ** 2.2
    read = 1 - shot
    slope = np.minimum(light ** (1 / 2.2 - 1), 2.5)
    return np.asarray(np.clip(_SIXTEENTHS * np.sqrt(read + shot * light) * slope, 1, 64), np.int16)


def _coarse_colour(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return noise of colour in blotches of some pixels, of about unit strength, of the tile's size."""
    blotches = rng.standard_normal((TILE_PX // 4, TILE_PX // 4, 3), dtype=np.float32)
    blotches -= blotches.mean(axis=2, keepdims=True)
    return floats_of(1.6 * cv2.resize(blotches, (TILE_PX, TILE_PX), interpolation=cv2.INTER_CUBIC))
