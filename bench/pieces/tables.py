"""Simulated tables with random prints and grounds, and the truth of each pixel: training data of the piece network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from unittest.mock import patch

import cv2
import numpy as np

from bench.pieces.canvas import SIDE_PX, TRUTHS
from bench.pieces.textures import cloth
from bench.stresses import STRESSES
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import light, sprites
from hardware.simulated.drawing.fabrics import PX_PER_MM
from hardware.simulated.drawing.footprint import outline_mm
from hardware.simulated.drawing.sprites import BOARD_MM
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.prints.boards import TIME_BOARD_MM
from vision.geometry import GRID_CORNERS, Homography, fit_homography, through_corners
from vision.pieces.maps import CELL_PX, MAP_PX
from vision.table.plane import OverheadView, view_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.simulated.scene.layout import CirclePiece

_WINDOW_PX: Final = SIDE_PX // 2
_RIM_PX: Final = 2
_FINE: Final = 4
_LABEL_MM: Final = np.array([[-12.0, -4.3], [12.0, -4.3], [12.0, 4.3], [-12.0, 4.3]])
_TOKEN_MM: Final = 6.5
_TOKEN_HEIGHT_MM: Final = 18.0
_HARD: Final = (
    "gradient", "exposure", "colour-temperature", "hard-shadow", "glare", "dim", "height", "tilt", "wide-lens",
    "defocus", "jpeg",
)  # fmt: skip


def table_scenes(rng: np.random.Generator, windows: int) -> list[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Return windows of one random table, of the size of a scene of `bench.pieces.scenes`, with their truths."""
    evening = SimulatedEvening(int(rng.integers(1 << 40)), _conditions(rng), mats=bool(rng.random() < 0.6))
    sprites.patch_sprite.cache_clear()
    cell_px = round(sprites.CELL_MM * PX_PER_MM)
    with (
        patch.object(sprites, "print_of", lambda _, side: _print(rng, (side, side), cell_px)),
        patch.object(light, "table_top", _ground(rng) if rng.random() < 0.5 else light.table_top),
    ):
        image = evening.camera.capture().image
    sprites.patch_sprite.cache_clear()
    boards = [
        through_corners(GRID_CORNERS, quad + rng.normal(0, 0.7, (4, 2))) for quad in evening.table.grid_corners_px()
    ]
    view = view_table(image, boards, CELL_PX)
    truths = _truths(evening, view)
    return [_window(rng, view, truths) for _ in range(windows)]


def _conditions(rng: np.random.Generator) -> Conditions:
    if rng.random() < 0.35:
        return Conditions()
    steps = STRESSES[_HARD[int(rng.integers(len(_HARD)))]]
    return steps[int(rng.integers(len(steps)))]


def _print(rng: np.random.Generator, shape: tuple[int, int], cell_px: int) -> NDArray[np.uint8]:
    return np.asarray(np.clip(cloth(rng, shape, cell_px), 0, 255), np.uint8)


def _ground(rng: np.random.Generator) -> object:
    """Return a replacement for `table_top` with a random ground, drawn at half the size."""
    width, height = (round(side * light.PX_PER_MM) for side in light.SIZE_MM)
    cell_px = round(sprites.CELL_MM * light.PX_PER_MM / 2)
    small = np.clip(cloth(rng, (height // 2, width // 2), cell_px, ground=True), 0, 255).astype(np.uint8)
    whole = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    return lambda _: whole


def _truths(evening: SimulatedEvening, view: OverheadView) -> NDArray[np.uint8]:
    """Return a mask for each of `TRUTHS`, of the whole view at half its size, shape (height, width, 5)."""
    shape = tuple((side + 1) // 2 * _FINE for side in view.seen.shape)
    masks = {name: np.zeros(shape, np.uint8) for name in TRUTHS}

    def polygon(points_px: NDArray[np.float64]) -> NDArray[np.int32]:
        return np.rint(view.to_image.inverse(points_px) * MAP_PX * _FINE - 0.5).astype(np.int32)

    cv2.fillPoly(masks["track"], [polygon(_track_px(evening))], 255)
    for piece in evening.table.circle_pieces():
        outline = polygon(piece.outline_px)
        cv2.fillPoly(masks["piece"], [outline], 255)
        cv2.fillPoly(masks["track"], [outline], 0)
        cv2.polylines(masks["rim"], [outline], True, 255, _RIM_PX * _FINE)
        cv2.fillPoly(masks["label"], [polygon(_label_px(piece))], 255)
    for token_px in _tokens_px(evening):
        for name, mask in masks.items():
            cv2.fillPoly(mask, [polygon(token_px)], 255 if name == "token" else 0)
    small = [cv2.resize(masks[n], None, fx=1 / _FINE, fy=1 / _FINE, interpolation=cv2.INTER_AREA) for n in TRUTHS]
    unseen = cv2.resize(view.seen.astype(np.uint8), small[0].shape[::-1], interpolation=cv2.INTER_NEAREST) == 0
    truths = np.dstack(small).astype(np.uint8)
    truths[unseen] = 0
    return truths


def _track_px(evening: SimulatedEvening) -> NDArray[np.float64]:
    half = TIME_BOARD_MM / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    return evening.table.camera.frame_points(evening.table.layout.time_board.place(square), BOARD_MM)


def _tokens_px(evening: SimulatedEvening) -> list[NDArray[np.float64]]:
    """Return the outlines of the tokens' heads in the frame."""
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    disc = _TOKEN_MM * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    sprites = evening.table._dressing.token_items(evening.table._state())
    return [evening.table.camera.frame_points(item.pose.place(disc), _TOKEN_HEIGHT_MM) for item in sprites]


def _label_px(piece: CirclePiece) -> NDArray[np.float64]:
    """Return the label's corners in the frame; it is on the first two neighbouring cells of the patch."""
    cells = sprites.shape_of(piece.name, flipped=False)
    pairs = ((cell, (cell[0] + down, cell[1] + 1 - down)) for cell in cells for down in (0, 1))
    (row, column), (row2, column2) = next(pair for pair in pairs if pair[1] in cells)
    high, wide = (1 + max(each) for each in zip(*cells, strict=True))
    middle = np.array([(column + column2 + 1 - wide) / 2, (row + row2 + 1 - high) / 2]) * sprites.CELL_MM
    label = _LABEL_MM[:, ::-1] if row != row2 else _LABEL_MM
    lies = fit_homography(outline_mm(cells), piece.outline_px, 5.0)
    return lies(middle + label) if isinstance(lies, Homography) else piece.outline_px[:0]


def _window(
    rng: np.random.Generator, view: OverheadView, truths: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return a window around a random piece."""
    rows, columns = np.nonzero(truths[..., 0] > 127)
    side = _WINDOW_PX // 2
    picture = np.pad(view.picture, ((0, _WINDOW_PX), (0, _WINDOW_PX), (0, 0)), mode="edge")
    padded = np.pad(truths, ((0, side), (0, side), (0, 0)))
    pick = int(rng.integers(len(rows)))
    top = int(np.clip(rows[pick] - rng.integers(side), 0, max(0, truths.shape[0] - side)))
    left = int(np.clip(columns[pick] - rng.integers(side), 0, max(0, truths.shape[1] - side)))
    return (
        picture[2 * top : 2 * top + _WINDOW_PX, 2 * left : 2 * left + _WINDOW_PX],
        padded[top : top + side, left : left + side],
    )
