"""Random cameras over one board: mappings between canvas, sensor and view, and a model of lens and sensor.

View space is that of `vision.geometry`: `CELL_PX` pixels per cell with `MARGIN_CELLS` around the grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from bench.board_scenes.canvas import TO_CANVAS
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Field, Pose, bytes_of, floats_of
from hardware.simulated.drawing.pinhole import Pinhole
from hardware.simulated.drawing.sprites import BOARD_MM, CELL_MM
from hardware.simulated.optics import Optics
from vision.geometry import CELL_PX, MARGIN_CELLS, SIDE, VIEW_PX

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from hardware.simulated.drawing import Image, Mask, Points


CELL_RANGE_PX: Final = (17.0, 45.0)
"""The range of a cell's size in the camera's picture, from a wide lens over a large table to a close one."""
_SIZES: Final = ((1536, 864), (1536, 864), (1280, 720), (1920, 1080), (1640, 1232))
_HALF_MM: Final = 6.2 * CELL_MM
_TRIES: Final = 30
_STEP: Final = 4
# The largest error of a board's detected corners.
_REGISTRATION_PX: Final = 1.2


@dataclass(frozen=True, slots=True)
class Eye:
    """A camera over a board.

    Attributes:
        pinhole: the camera in table space.
        board: the board's pose in table space.
        bow_mm: the board's deviation from a plane, by bending and by twisting.
    """

    pinhole: Pinhole
    board: Pose
    bow_mm: tuple[float, float]

    @property
    def rise(self) -> tuple[float, float]:
        """The apparent shift of an object's top against its foot, in mm of board space per mm of height."""
        here = np.array([[self.board.x_mm, self.board.y_mm]])
        seen = self.pinhole.project(here, BOARD_MM + 1.0)
        flat = _through(_inverse(self.pinhole.plane(BOARD_MM) @ self.board.matrix), seen)[0]
        return float(flat[0]), float(flat[1])

    def bumped(self, rng: np.random.Generator) -> Eye:
        """Return the camera after a player has bumped into it."""
        dx, dy = rng.normal(0, 5, 2)
        return Eye(self.pinhole.moved((float(dx), float(dy)), float(rng.normal(0, 0.3))), self.board, self.bow_mm)


def random_eye(rng: np.random.Generator) -> Eye:
    """Return a random camera with the whole board in its frame."""
    width, height = _SIZES[int(rng.integers(len(_SIZES)))]
    wanted_px = float(np.exp(rng.uniform(*np.log(CELL_RANGE_PX))))
    for _ in range(_TRIES):
        tilt, roll = float(rng.choice([rng.uniform(0, 22), rng.uniform(15, 42)])), float(rng.normal(0, 2))
        view_deg = float(rng.uniform(52, 102))
        focal = width / 2 / float(np.tan(np.radians(view_deg) / 2))
        far_mm = focal * CELL_MM / wanted_px
        up_mm = far_mm * float(np.cos(np.radians(tilt)))
        corner = np.hypot(width, height) / 2 / focal
        # Above 4/27 the polynomial would not be monotonic up to the frame's corners.
        bend = -float(rng.uniform(0.0, 0.13) * min(1.0, 0.5 + rng.random())) / float(corner) ** 2
        pinhole = Pinhole((width, height), focal, bend, (0.0, float(np.sqrt(far_mm**2 - up_mm**2)), up_mm), tilt, roll)
        spot = rng.uniform((0.15, 0.15), (0.85, 0.85)) * (width, height)
        at = _through(_inverse(pinhole.plane(BOARD_MM)), pinhole.from_frame(spot[None]))[0]
        turn = float(rng.integers(4)) * 90 + float(rng.normal(0, 6))
        bow, twist = rng.normal(0, 0.9, 2) * (rng.random() < 0.5)
        eye = Eye(pinhole, Pose(float(at[0]), float(at[1]), turn), (float(bow), float(twist)))
        if _in_frame(eye):
            return eye
    return Eye(Pinhole((1536, 864), 1180.0, -0.03, (0.0, 120.0, 640.0), 10.6, 0.0), Pose(0.0, 0.0, turn), (0.0, 0.0))


def _in_frame(eye: Eye) -> bool:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _HALF_MM
    seen = eye.pinhole.frame_points(eye.board.place(corners), BOARD_MM)
    far_px = min(float(np.linalg.norm(seen[index] - seen[index - 1])) for index in range(4))
    if not CELL_RANGE_PX[0] <= far_px * CELL_MM / (2 * _HALF_MM) <= CELL_RANGE_PX[1]:
        return False
    return bool((seen > 0).all() and (seen < np.asarray(eye.pinhole.size_px) - 1).all())


class Lens:
    """The mappings between canvas, sensor and view for one pose of a camera.

    Only the part of the frame around the board is rendered.
    """

    def __init__(self, eye: Eye) -> None:
        self._eye = eye
        seen = _smooth_map((VIEW_PX, VIEW_PX), lambda view: eye.pinhole.frame_points(_board_mm(eye, view), BOARD_MM))
        low = np.floor(seen.min(axis=(0, 1))) - 6
        self._map = floats_of(seen - low)
        width, height = (np.ceil(seen.max(axis=(0, 1))) + 6 - low).astype(int).tolist()
        self._slopes = [_slope(self._map, axis) for axis in (1, 0)]
        self._canvas = _smooth_map((height, width), lambda sensor: _canvas_px(eye, sensor + low))
        steps = _slope(self._canvas, 1)
        downs = np.linalg.norm(self._slopes[1], axis=-1), np.linalg.norm(self._slopes[0], axis=-1)
        self.cell_px = float(CELL_PX * np.median(np.stack(downs)))
        self._blur = 0.42 * max(0.0, float(np.median(np.hypot(steps[..., 0], steps[..., 1]))) - 0.6)

    def picture(self, canvas: Field) -> Field:
        """Return the light on the sensor: the canvas, shape (height, width, 3), through the lens, before its blur."""
        if self._blur > 0.2:
            canvas = floats_of(cv2.GaussianBlur(canvas, (0, 0), self._blur, borderType=cv2.BORDER_REPLICATE))
        return floats_of(_remapped(canvas, self._canvas))

    def registration(self, rng: np.random.Generator) -> Field:
        """Return a mapping from the view to the sensor, with random errors of the corners as in real detection."""
        corners = rng.uniform(-1, 1, (2, 2, 2)).astype(np.float32) * np.float32(_REGISTRATION_PX * rng.random())
        across = np.linspace(0, 1, VIEW_PX, dtype=np.float32)[None, :, None]
        down = np.linspace(0, 1, VIEW_PX, dtype=np.float32)[:, None, None]
        upper = corners[0, 0] * (1 - across) + corners[0, 1] * across
        lower = corners[1, 0] * (1 - across) + corners[1, 1] * across
        off = upper * (1 - down) + lower * down
        return floats_of(self._map + self._slopes[0] * off[..., :1] + self._slopes[1] * off[..., 1:])

    def view(self, sensor: Image, registration: Field) -> Image:
        """Return the rectified view of a developed picture."""
        return bytes_of(_remapped(sensor, registration))

    def truth(self, ids: Mask, registration: Field) -> Mask:
        """Return the value of `ids` at each pixel of the view."""
        where = floats_of(_remapped(self._canvas, registration))
        return bytes_of(_remapped(ids, where, cv2.INTER_NEAREST))


def _smooth_map(shape: tuple[int, int], place: Callable[[Points], Points]) -> Field:
    """Return the mapped place of each pixel, shape (height, width, 2), computed at every fourth and interpolated."""
    down, across = (_STEP * np.arange(-1, -(-side // _STEP) + 1) + (_STEP - 1) / 2 for side in shape)
    points = np.stack(np.meshgrid(across, down), axis=-1)
    coarse = floats_of(place(points.reshape(-1, 2)).reshape(points.shape))
    fine = cv2.resize(coarse, (_STEP * len(across), _STEP * len(down)), interpolation=cv2.INTER_LINEAR)
    return floats_of(fine[_STEP : _STEP + shape[0], _STEP : _STEP + shape[1]])


def _board_mm(eye: Eye, view_px: Points) -> Points:
    """Return points of the view in table space."""
    return eye.board.place(((view_px + 0.5) / CELL_PX - MARGIN_CELLS - SIDE / 2) * CELL_MM)


def _canvas_px(eye: Eye, frame_px: Points) -> Points:
    """Return points of the frame in canvas space."""
    to_board = _inverse(eye.pinhole.plane(BOARD_MM) @ eye.board.matrix)
    board = _through(to_board, eye.pinhole.from_frame(frame_px))
    return _through(TO_CANVAS, board - _bow_mm(eye, board)[:, None] * np.asarray(eye.rise))


def _bow_mm(eye: Eye, board_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the height of a warped board above the plane through its corners."""
    u, v = (board_mm / (4.75 * CELL_MM)).clip(-1, 1).T
    bow, twist = eye.bow_mm
    return np.asarray(bow * (1 - (u**2 + v**2) / 2) + twist * u * v)


def _slope(field: Field, axis: int) -> Field:
    return floats_of(np.gradient(np.asarray(field), axis=axis))


def _inverse(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _remapped(picture: Any, where: Field, how: int = cv2.INTER_LINEAR) -> Any:
    """Return a picture sampled at places, shape (height, width, 2); beyond its edge it is replicated."""
    return cv2.remap(picture, where[..., 0], where[..., 1], how, borderMode=cv2.BORDER_REPLICATE)


def _through(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    lifted = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(lifted[:, :2] / lifted[:, 2:])


@dataclass(frozen=True, slots=True)
class Film:
    """A camera's conversion of light to grey levels; light is linear, and 1 is white.

    Attributes:
        gains: exposure times white balance, BGR.
        grain: the noise at middle grey, in grey levels.
        shot: the share of the noise that grows with the light.
        chroma: the coarse colour noise, relative to `grain`.
        smooth_px: the sigma of the camera's noise reduction.
        blur_px: the sigma of the lens's blur.
        sharpen: the strength of the camera's sharpening.
        gamma: the gamma of its tone curve.
        quality: the JPEG quality, 1..100.
        automatic: the degree of automatic exposure, from 0, none, to 1, full.
        brightness: the mean light for which `gains` were set.
        seed: the seed of the noise.
        faults: those of a worse camera, or None; of them a single board sees veil, flicker and processing.
    """

    gains: tuple[float, float, float]
    grain: float
    shot: float
    chroma: float
    smooth_px: float
    blur_px: float
    sharpen: float
    gamma: float
    quality: int
    automatic: float
    brightness: float
    seed: int
    faults: Conditions | None = None

    def developed(self, light: Field, rng: np.random.Generator, exposure: float = 1.0) -> Image:
        """Return the camera's picture of some light; `exposure` is an additional factor."""
        exposure *= (self.brightness / float(light.mean())) ** self.automatic
        seen = floats_of(cv2.GaussianBlur(light, (0, 0), self.blur_px)) if self.blur_px > 0.15 else light
        exposed = floats_of(cv2.transform(seen, np.diag(floats_of(self.gains)) * np.float32(exposure)))
        exposed += self._noise(exposed, rng)
        if self.sharpen > 0:
            exposed += np.float32(self.sharpen) * (exposed - floats_of(cv2.GaussianBlur(exposed, (0, 0), 1.0)))
        steps = np.clip(exposed * np.float32(_STEPS), 0, 2 * _STEPS - 1).astype(np.uint16)
        levels = bytes_of(np.take(_curve(self.gamma), steps))
        if self.faults is not None:
            optics = Optics(self.faults, rng)
            levels = optics.processed(optics.exposed(optics.through_lens(levels, 0.0)))
        _, code = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        return bytes_of(cv2.imdecode(code, cv2.IMREAD_COLOR))

    def _noise(self, exposed: Field, rng: np.random.Generator) -> Field:
        height, width = exposed.shape[:2]
        down, across = (int(rng.integers(_TILE_PX)) for _ in range(2))
        rows, columns = (np.arange(start, start + side) % _TILE_PX for start, side in ((down, height), (across, width)))
        grain = self._tile()[rows][:, columns]
        spread = np.sqrt(np.maximum(exposed * np.float32(self.shot / 0.18) + np.float32(1 - self.shot), 0.02))
        # The tone curve's slope at middle grey converts grey levels into light.
        return floats_of(grain * spread * np.float32(self.grain / 295))

    def _tile(self) -> Field:
        return _noise_tile(self.seed, self.smooth_px, self.chroma)


# The size of the noise tile, made once per evening and shifted from picture to picture.
_TILE_PX: Final = 480


@lru_cache(maxsize=1)
def _noise_tile(seed: int, smooth_px: float, chroma: float) -> Field:
    """Return smoothed noise of unit strength with coarse colour noise, shape (_TILE_PX, _TILE_PX, 3)."""
    rng = np.random.default_rng(seed)
    grain = rng.standard_normal((_TILE_PX, _TILE_PX, 3), dtype=np.float32)
    if smooth_px > 0.3:
        # A blur reduces white noise to 1 / (2 sigma sqrt(pi)) of its strength.
        grain = floats_of(cv2.GaussianBlur(grain, (0, 0), smooth_px)) * np.float32(3.2 * smooth_px)
    coarse = rng.standard_normal((_TILE_PX // 3, _TILE_PX // 3, 3), dtype=np.float32)
    coarse -= coarse.mean(axis=2, keepdims=True)
    return floats_of(grain + np.float32(chroma) * floats_of(cv2.resize(coarse, (_TILE_PX, _TILE_PX))))


_STEPS: Final = 2048
_KNEE: Final = 0.85
_FOOT: Final = 0.008


def _curve(gamma: float) -> NDArray[np.uint8]:
    """Return the grey levels of light from 0 to 2, in steps of 1 / `_STEPS`, with a soft shoulder."""
    light = (np.arange(2 * _STEPS) + 0.5) / _STEPS
    rolled = np.where(light < _KNEE, light, _KNEE + (1 - _KNEE) * np.tanh((light - _KNEE) / (1 - _KNEE)))
    # Tone curves have a linear foot; without it noise in the dark would be unbounded.
    low, high = _FOOT ** (1 / gamma), (1 + _FOOT) ** (1 / gamma)
    levels = ((rolled + _FOOT) ** (1 / gamma) - low) / (high - low)
    return np.asarray(np.clip(levels * 255 + 0.5, 0, 255), np.uint8)


def _spread(rng: np.random.Generator, low: float, high: float) -> float:
    """Return a number with a uniformly distributed logarithm."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def random_film(rng: np.random.Generator, tint: Field, brightness: float) -> Film:
    """Return a random camera's conversion for light of a colour.

    Args:
        rng: the source of randomness.
        tint: the light's colour, shape (3,), which white balance removes in part.
        brightness: the mean light for which the exposure is set.
    """
    balance = (tint / tint.mean()) ** np.float32(-rng.uniform(0.3, 1.0)) * np.exp(rng.normal(0, 0.05, 3))
    exposure = 0.3 / brightness * float(np.exp(rng.normal(-0.1, 0.4)))
    return Film(
        gains=(float(balance[0] * exposure), float(balance[1] * exposure), float(balance[2] * exposure)),
        grain=_spread(rng, 0.6, 9.0),
        shot=float(rng.uniform(0.2, 0.9)),
        chroma=float(rng.uniform(0, 0.5)),
        smooth_px=float(rng.choice([0.0, rng.uniform(0.3, 0.9)])),
        blur_px=_spread(rng, 0.3, 1.6),
        sharpen=float(rng.choice([0.0, rng.uniform(0, 0.8)])),
        gamma=float(rng.uniform(1.9, 2.4)),
        quality=int(rng.integers(35, 96)),
        automatic=float(rng.choice([0.0, rng.uniform(0, 1)])),
        brightness=brightness,
        seed=(seed := int(rng.integers(1 << 31))),
        faults=_random_faults(np.random.default_rng([seed, 1])),
    )


# The share of the cameras that have faults.
_FAULTY: Final = 0.4


def _random_faults(rng: np.random.Generator) -> Conditions | None:
    """Return the faults of a camera, one or more of four, or None for a good one."""
    if rng.random() >= _FAULTY:
        return None
    strongest = {"veil": 0.5, "flicker": 0.2, "tone_mapping": 1.0}
    strengths = {name: float(most * rng.random() * (rng.random() < 0.5)) for name, most in strongest.items()}
    return Conditions().but(**strengths, detail=float(rng.uniform(0.6, 1.0)))
