"""A drawn board as seen by a random camera, rectified as by the reader, and its truths as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bench.pieces.textures import Field, smooth_noise
from bench.quilts.canvas import FINE_PX, MARGIN, SIDE_PX, cells_px
from bench.quilts.laying import BOX, LEATHER
from companion.games.patchwork.cells import SIDE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bench.quilts.canvas import Points, Scene
    from bench.quilts.laying import Laid

VIEW_CELL_PX: Final = 32
VIEW_MARGIN: Final = 1
VIEW_PX: Final = VIEW_CELL_PX * (SIDE + 2 * VIEW_MARGIN)
SPOT_PX: Final = 8
SPOTS: Final = VIEW_PX // SPOT_PX
UNKNOWN: Final = 255
"""The value of unknown places in maps of spots."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One view with its truths.

    Attributes:
        view: shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
        units: the number of the piece in each cell, -1 for none, shape (SIDE, SIDE), int8.
        leather: whether each cell is leather, shape (SIDE, SIDE), uint8.
        income: the number of printed buttons of each piece, shape (81,), int8; -1 if there is no such piece.
        spots: whether the centre of a button or a label is at each place, shape (2, SPOTS, SPOTS), uint8, 0, 1 or
            UNKNOWN.
    """

    view: NDArray[np.uint8]
    units: NDArray[np.int8]
    leather: NDArray[np.uint8]
    income: NDArray[np.int8]
    spots: NDArray[np.uint8]


def photographed(rng: np.random.Generator, scene: Scene) -> Example:
    """Return the view of a scene in random light, by a random camera."""
    lit = _lit(rng, np.clip(scene.picture, 0, 255))
    scale = float(np.exp(rng.uniform(np.log(15), np.log(40)))) / FINE_PX
    blurred = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.3, 0.55) / scale)
    lean = cv2.getPerspectiveTransform(*_leaning(rng, scale))
    side = round(SIDE_PX * scale)
    raw = cv2.warpPerspective(blurred, lean, (side, side), flags=cv2.INTER_LINEAR)
    taken = _sensed(rng, np.asarray(raw, np.float32))
    off = _misplaced(rng)
    view_to_scene = np.array(
        [
            [FINE_PX / VIEW_CELL_PX, 0, (MARGIN - VIEW_MARGIN) * FINE_PX],
            [0, FINE_PX / VIEW_CELL_PX, (MARGIN - VIEW_MARGIN) * FINE_PX],
            [0, 0, 1.0],
        ]
    )
    view_to_taken = lean @ off @ view_to_scene
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(taken, view_to_taken, (VIEW_PX, VIEW_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    scene_to_view = np.linalg.inv(off @ view_to_scene)
    spots = np.stack([spot_map(_through(scene_to_view, points)) for points in (scene.buttons, scene.labels)])
    if not scene.placed:
        spots[:] = UNKNOWN
    return Example(np.asarray(view, np.uint8), *truths_of(scene.laid), spots)


def truths_of(laid: Iterable[Laid]) -> tuple[NDArray[np.int8], NDArray[np.uint8], NDArray[np.int8]]:
    """Return units, leather and income of a quilt, in the form of `Example`."""
    units, leather = np.full((SIDE, SIDE), -1, np.int8), np.zeros((SIDE, SIDE), np.uint8)
    income = np.full(SIDE * SIDE, -1, np.int8)
    for number, piece in enumerate(laid):
        rows, columns = piece.cells.T
        units[rows, columns] = number
        leather[rows, columns] = piece.patch == LEATHER
        income[number] = 0 if piece.patch == LEATHER else BOX[piece.patch].income
    return units, leather, income


def spot_map(points: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the map of the squares of SPOT_PX that contain a point, given in pixels of the view."""
    spots = np.zeros((SPOTS, SPOTS), np.uint8)
    for x, y in points:
        if 0 <= x < VIEW_PX and 0 <= y < VIEW_PX:
            spots[int(y) // SPOT_PX, int(x) // SPOT_PX] = 1
    return spots


def _through(matrix: NDArray[np.float64], points: list[Points]) -> NDArray[np.float64]:
    if not points:
        return np.zeros((0, 2))
    pixels = cells_px(np.array(points)).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(pixels, matrix), np.float64).reshape(-1, 2)


def _leaning(rng: np.random.Generator, scale: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the drawing's corners, and their places in a random camera's picture."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * SIDE_PX
    seen = square * scale * (1 + rng.normal(0, 0.03, (4, 2)))
    return square, seen.astype(np.float32)


def _misplaced(rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a random error of the detected grid, as a homography of the drawing onto itself."""
    wide = rng.choice([0.02, 0.05, 0.1], p=[0.5, 0.35, 0.15]) * FINE_PX
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) * SIDE_PX
    moved = square + rng.normal(0, wide, 2) + rng.normal(0, 0.6 * wide, (4, 2))
    return np.asarray(cv2.getPerspectiveTransform(square.astype(np.float32), moved.astype(np.float32)))


def _lit(rng: np.random.Generator, picture: Field) -> Field:
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / height
    light = np.ones((height, width, 3), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        light *= _one_light(rng, x, y)
    balance = np.exp(rng.normal(0, 0.13, 3)).astype(np.float32)
    gain = np.float32(np.exp(rng.uniform(np.log(0.45), np.log(1.5))))
    seen = picture * light * balance * gain
    if rng.random() < 0.3:
        spot = rng.uniform(0, 1, 2)
        shine = np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / rng.uniform(0.01, 0.15))
        seen = seen + np.float32(rng.uniform(20, 170)) * shine[..., None]
    grey = seen.mean(axis=2, keepdims=True)
    seen = grey + (seen - grey) * np.float32(rng.uniform(0.45, 1.2))
    if rng.random() < 0.3:
        seen = seen * np.float32(rng.uniform(0.6, 0.95)) + np.float32(rng.uniform(5, 60))  # veiled
    return np.asarray(255 * np.power(np.clip(seen / 255, 0, 1), np.float32(rng.uniform(0.7, 1.3))), np.float32)


def _one_light(rng: np.random.Generator, x: Field, y: Field) -> Field:
    """Return a gradient of light, or a shadow with an edge that may be wavy or coloured."""
    turn = rng.uniform(0, 2 * np.pi)
    across = (x - 0.5) * np.float32(np.cos(turn)) + (y - 0.5) * np.float32(np.sin(turn))
    if rng.random() < 0.5:
        return np.asarray((1 + np.float32(rng.uniform(0, 0.6)) * across)[..., None], np.float32)
    across = across + np.float32(rng.uniform(0, 0.1)) * smooth_noise(rng, x.shape, 4, 4)
    edge = np.clip((across - np.float32(rng.uniform(-0.4, 0.4))) * np.float32(rng.choice([3, 10, 60])) + 0.5, 0, 1)
    if rng.random() < 0.3:
        edge = edge * np.clip(2.5 - np.abs(across) * np.float32(rng.uniform(4, 20)), 0, 1)
    depth = rng.uniform(0.1, 0.6) * (1 + rng.normal(0, 0.15, 3))
    return np.asarray(1 - np.clip(depth, 0, 0.8).astype(np.float32) * edge[..., None], np.float32)


def _sensed(rng: np.random.Generator, raw: Field) -> NDArray[np.uint8]:
    if rng.random() < 0.3:
        kernel = np.full((3, 3), -0.12, np.float32)
        kernel[1, 1] = 1.96
        raw = np.asarray(cv2.filter2D(raw, -1, kernel), np.float32)
    noise = rng.choice([0.5, 1.5, 4.0, 8.0], p=[0.35, 0.35, 0.2, 0.1])
    grain = np.asarray(rng.standard_normal(raw.shape), np.float32)
    if rng.random() < 0.5:
        grain = np.asarray(1.6 * cv2.GaussianBlur(grain, (0, 0), 0.7), np.float32)
    pixels = np.asarray(np.clip(raw + np.float32(noise) * grain, 0, 255), np.uint8)
    _, code = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 97))])
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
