"""Stages for a calibration: a table being set up, and a person who holds the lens chart under the camera."""

from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import lensfit
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Image, bytes_of
from hardware.simulated.drawing.pinhole import Pinhole, Sensor
from hardware.simulated.scene.dressing import TableState
from hardware.simulated.scene.placing import Hand
from hardware.simulated.scene.table import SimulatedTable

FRAMES_EACH: Final = 3
"""Number of pictures of each state."""


class TableBeingSet(SimulatedTable):
    """A table that may be without boards.

    Attributes:
        boards_out: whether the quilt boards are on the table.
    """

    def __init__(self, seed: int, conditions: Conditions | None = None, **options: Any) -> None:
        super().__init__(seed, conditions, **options)
        self.boards_out = True

    def _state(self) -> TableState:
        return replace(super()._state(), has_boards=self.boards_out)


class SettingUp:
    """A stage for a camera: a person sets the table up while pictures are taken.

    Args:
        seed: of the table.
        conditions: the difficulty of reading it.

    Attributes:
        table: the table.
    """

    over = False

    def __init__(self, seed: int, conditions: Conditions | None = None) -> None:
        self.table = TableBeingSet(seed, conditions)
        self._taken = 0

    def step(self, now_s: float) -> None:
        """Do nothing: the table is set up from picture to picture, not with time."""
        del now_s

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture, (height, width, 3), uint8, BGR."""
        state = self._taken // FRAMES_EACH
        self._taken += 1
        self.table.mats, self.table.boards_out = state >= 1, state >= 2
        self.table.hands = (self._hand(),) if state == 2 else ()
        return self.table.frame(now_s)

    def _hand(self) -> Hand:
        """Return the hand of a player who is still aligning the second board."""
        pose = self.table.board_pose(2)
        return Hand(2, pose.x_mm + 12.0 * (self._taken % FRAMES_EACH), pose.y_mm + 30.0)


# Somewhat finer than the chart in the picture.
_PX_PER_MM: Final = 4
_MARGIN_MM: Final = 14.0
_PAPER: Final = 236
_INK: Final = 24
_TABLE: Final = (92, 118, 138)
# Places of the chart's middle in the picture, in turn, as shares of its width and height.
_SPOTS: Final = ((0.5, 0.5), (0.2, 0.25), (0.8, 0.25), (0.8, 0.75), (0.2, 0.75), (0.5, 0.22), (0.5, 0.78))
_MOST_TILT_DEG: Final = 32.0


class SimulatedChart:
    """A stage for a camera: a person holds the chart, in another way each time.

    Args:
        camera: its pose and lens.
        conditions: of blur and noise.
        rng: source of the ways of holding it.
        hold_frames: number of frames for each way.
    """

    over = False

    def __init__(self, camera: Pinhole, conditions: Conditions, rng: np.random.Generator, hold_frames: int = 1) -> None:
        self._camera, self._conditions, self._rng = camera, conditions, rng
        self._sensor = Sensor(camera.size_px, conditions.noise, conditions.jpeg_quality, rng)
        self._lens = camera.lens_map()
        self._page = chart_picture()
        self._paper = bytes_of(np.full(self._page.shape[:2], 255))
        self._bare = bytes_of(np.full((*camera.canvas_px[::-1], 3), _TABLE))
        self._hold_frames, self._shown, self._held = hold_frames, 0, bytes_of(np.zeros((1, 1, 3)))

    def step(self, now_s: float) -> None:
        """Do nothing: the chart moves with each picture, not with time."""
        del now_s

    def picture(self, now_s: float) -> Image:
        """Return the camera's picture, (height, width, 3), uint8, BGR."""
        del now_s
        if self._shown % self._hold_frames == 0:
            self._held = self._seen(self._spot(self._shown // self._hold_frames))
        self._shown += 1
        return self._sensor.expose(self._held)

    def _spot(self, turn: int) -> tuple[float, float]:
        x, y = _SPOTS[turn % len(_SPOTS)]
        return x + float(self._rng.normal(0, 0.03)), y + float(self._rng.normal(0, 0.03))

    def _seen(self, spot: tuple[float, float]) -> Image:
        width, height = self._camera.canvas_px
        canvas = self._bare.copy()
        transform = self._held_at(spot)
        page = cv2.warpPerspective(self._page, transform, (width, height), flags=cv2.INTER_AREA)
        sheet = cv2.warpPerspective(self._paper, transform, (width, height))
        cv2.copyTo(page, (sheet > 127).astype(np.uint8), canvas)
        seen = cv2.remap(canvas, *self._lens, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return bytes_of(cv2.GaussianBlur(seen, (0, 0), max(self._conditions.defocus_px, 0.1)))

    def _held_at(self, spot: tuple[float, float]) -> NDArray[np.float64]:
        """Return the homography, shape (3, 3), from pixels of the page to pinhole space."""
        width, height = self._camera.canvas_px
        focal = self._camera.focal_px
        tilt = np.radians(self._rng.uniform(-_MOST_TILT_DEG, _MOST_TILT_DEG, 2))
        turn = self._rng.normal(0, 0.15) + (np.pi / 2 if self._rng.random() < 0.5 else 0.0)
        rotation, _ = cv2.Rodrigues(np.array([tilt[0], tilt[1], turn]))
        # At a factor of 1, the picture's height shows 300 mm, somewhat more than the chart's.
        away_mm = focal * 300.0 / height * float(self._rng.uniform(0.9, 1.25))
        aim = np.array([spot[0] * width - width / 2, spot[1] * height - height / 2]) / focal * away_mm
        middle = np.array(self._page.shape[1::-1]) / 2
        to_mm = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, _PX_PER_MM]])
        plane = np.column_stack([rotation[:, 0], rotation[:, 1], [aim[0], aim[1], away_mm]])
        matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
        return np.asarray(matrix @ plane @ to_mm, np.float64)


def chart_picture() -> Image:
    """Return the chart on its paper, `_PX_PER_MM` pixels a millimetre, (height, width, 3), uint8."""
    width, height = (round(side * _PX_PER_MM) for side in lensfit.SIZE_MM)
    margin = round(_MARGIN_MM * _PX_PER_MM)
    picture = lensfit.charuco_board().generateImage((width, height))
    inked = np.where(np.asarray(picture) > 127, _PAPER, _INK).astype(np.uint8)
    paper = cv2.copyMakeBorder(inked, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(_PAPER,))
    return bytes_of(cv2.cvtColor(paper, cv2.COLOR_GRAY2BGR))
