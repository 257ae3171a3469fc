"""Boards, prints and light, drawn with NumPy and OpenCV alone, for tests of the vision code."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.geometry import (
    CELL_PX,
    CELLS_TO_VIEW,
    GRID_CORNERS,
    MARGIN_CELLS,
    SIDE,
    VIEW_PX,
    Homography,
    cell_window,
    through_corners,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

FRAME_HEIGHT_PX, FRAME_WIDTH_PX = 440, 520
_BROWN = (92, 122, 150)
_PAPER = (205, 228, 236)


class Scenes:
    """Functions that draw the pictures, each determined by its arguments alone."""

    @staticmethod
    def board(seed: int = 0, line: float | None = 0.72, speckle: float = 0.06, line_px: int = 2) -> NDArray[np.uint8]:
        """Return the rectified view of an empty board, shape (VIEW_PX, VIEW_PX, 3): worn cardboard with a printed grid.

        `line` is the grid's brightness as a share of the cardboard's, None for no grid, `line_px` the width of its
        lines; `speckle` is the contrast of the cardboard's own pattern.
        """
        return _board(seed, line, speckle, line_px).copy()

    @staticmethod
    def lay(
        view: NDArray[np.uint8],
        cells: Iterable[tuple[int, int]],
        print_seed: int = 1,
        nudge_px: tuple[int, int] = (0, 0),
    ) -> NDArray[np.uint8]:
        """Return the view with a printed patch on these cells (row, column), nudged by (x, y) view pixels."""
        mask = np.zeros((VIEW_PX, VIEW_PX), np.uint8)
        for row, column in cells:
            mask[cell_window(row, column, 0)] = 1
        seam = mask - cv2.erode(mask, np.ones((5, 5), np.uint8))
        sheet = _print(print_seed).copy()
        sheet[seam > 0] = _PAPER
        shift = np.array([[1.0, 0.0, nudge_px[0]], [0.0, 1.0, nudge_px[1]]])
        there = cv2.warpAffine(mask, shift, (VIEW_PX, VIEW_PX)) > 0
        laid = view.copy()
        laid[there] = cv2.warpAffine(sheet, shift, (VIEW_PX, VIEW_PX))[there]
        return laid

    @staticmethod
    def lit(view: NDArray[np.uint8], gain: float = 1.0, slope: float = 0.0) -> NDArray[np.uint8]:
        """Return the view in other light: `gain` times as bright, and brighter by `slope` from left to right."""
        across = 1.0 + slope * np.linspace(-0.5, 0.5, view.shape[1])
        return _picture(view * gain * across[None, :, None])

    @staticmethod
    def noisy(view: NDArray[np.uint8], seed: int, deviation: float = 2.0) -> NDArray[np.uint8]:
        """Return the view with a sensor's noise."""
        return _picture(view + deviation * _noise(seed, view.shape))

    @staticmethod
    def placement(corners_px: ArrayLike = ((110, 70), (395, 84), (402, 366), (96, 350))) -> Homography:
        """Return a board's placement in a frame: the map from cell space to the frame's pixels."""
        return through_corners(GRID_CORNERS, corners_px)

    @staticmethod
    def frame(view: NDArray[np.uint8], cells_to_image: Homography) -> NDArray[np.uint8]:
        """Return a camera's frame of a rectified view, shape (440, 520, 3), on a grey table."""
        matrix = cells_to_image.after(CELLS_TO_VIEW.inverse).matrix
        frame = cv2.warpPerspective(view, matrix, (FRAME_WIDTH_PX, FRAME_HEIGHT_PX), borderValue=(90, 90, 90))
        return np.asarray(frame, np.uint8)

    @staticmethod
    def moved(view: NDArray[np.uint8], motion: Homography) -> NDArray[np.uint8]:
        """Return the view of a board that was moved, by a motion in view pixels."""
        moved = cv2.warpPerspective(view, motion.matrix, (VIEW_PX, VIEW_PX), borderMode=cv2.BORDER_REFLECT)
        return np.asarray(moved, np.uint8)

    @staticmethod
    def page(markers: Iterable[tuple[int, int, int]], size_px: tuple[int, int] = (520, 360)) -> NDArray[np.uint8]:
        """A white page of (width, height) with markers (id, x, y) of DICT_4X4_50, 60 px, their top left at (x, y)."""
        page = np.full((size_px[1], size_px[0], 3), 235, np.uint8)
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        for number, x, y in markers:
            marker = cv2.aruco.generateImageMarker(dictionary, number, 60)
            page[y : y + 60, x : x + 60] = np.maximum(marker, 25)[:, :, None]
        return page


def _calm_noise(rng: np.random.Generator, blur_px: float) -> NDArray[np.float64]:
    noise = cv2.GaussianBlur(rng.normal(size=(VIEW_PX, VIEW_PX)), (0, 0), blur_px)
    return np.asarray(noise / noise.std(), np.float64)


@lru_cache(maxsize=32)  # a megabyte each; most boards are of one piece of cardboard
def _pattern(seed: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return np.asarray(sum(_calm_noise(rng, blur) * weight for blur, weight in ((1.5, 0.6), (4.0, 0.8), (18.0, 0.5))))


@lru_cache(maxsize=32)
def _board(seed: int, line: float | None, speckle: float, line_px: int) -> NDArray[np.uint8]:
    shade = 1.0 + speckle * _pattern(seed)
    if line is not None:
        for edge in range(SIDE + 1):
            first, last = round(MARGIN_CELLS * CELL_PX), round((MARGIN_CELLS + SIDE) * CELL_PX)
            start = first + edge * CELL_PX - (line_px + 1) // 2
            beside = slice(start, start + line_px)
            shade[beside, first:last] *= line
            shade[first:last, beside] *= line
    return _picture(shade[:, :, None] * np.array(_BROWN))


@lru_cache(maxsize=8)  # some megabytes each; most views have the noise of a few seeds
def _noise(seed: int, shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.random.default_rng(seed).standard_normal(shape)


@lru_cache(maxsize=32)
def _print(seed: int) -> NDArray[np.uint8]:
    """A cloth of coloured blots, as large as a view."""
    rng = np.random.default_rng(1000 + seed)
    ground, blots = rng.uniform(60, 200, 3), rng.uniform(30, 240, 3)
    share = (_calm_noise(rng, 3.0) > 0.3).astype(np.float64)[:, :, None]
    return _picture(ground * (1 - share) + blots * share)


def _picture(values: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(np.rint(values), 0, 255), np.uint8)


@pytest.fixture(scope="session")
def scenes() -> type[Scenes]:
    """The functions that draw the pictures."""
    return Scenes
