"""A drawn table: a board's grid, and round tokens on bare wood beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
import pytest

from vision.geometry import Homography
from vision.tokens.discs import find_discs
from vision.tokens.heaps import find_heaps
from vision.tokens.kinds import known_kinds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.tokens.discs import SeenDiscs
    from vision.tokens.heaps import Heap

CELL_PX: Final = 32
BOARD: Final = Homography(np.array([[CELL_PX, 0, 40], [0, CELL_PX, 60], [0, 0, 1.0]]))
"""The map from a board's cell space to the picture; beside the board are ten cells of table."""
COLOURS: Final = {1: (205, 138, 40), 5: (70, 132, 60), 10: (58, 48, 190), 20: (40, 190, 215)}
RADII: Final = {1: 0.37, 5: 0.40, 10: 0.46, 20: 0.53}


@cache
def _wood() -> NDArray[np.uint8]:
    return np.clip(np.random.default_rng(5).normal([96, 132, 170], 3, (460, 760, 3)), 0, 255).astype(np.uint8)


@dataclass
class Drawn:
    """A picture to draw tokens into; their places are in cells, as the board's."""

    picture: NDArray[np.uint8] = field(default_factory=lambda: np.copy(_wood()))

    def __post_init__(self) -> None:
        corners = BOARD([[0, 0], [9, 9]]).astype(int)
        cv2.rectangle(self.picture, corners[0].tolist(), corners[1].tolist(), (120, 150, 160), -1)

    def lay(self, value: int, x: float, y: float) -> Drawn:
        """Draw a token: a bevelled rim, a darker well and four holes."""
        middle = BOARD([x, y])
        radius, colour = RADII[value] * CELL_PX, COLOURS[value]
        self._disc(middle, radius, [min(255, 1.3 * each + 16) for each in colour])
        self._disc(middle, 0.84 * radius, [0.66 * each for each in colour])
        self._disc(middle, 0.74 * radius, colour)
        for turn in range(4):
            angle = np.pi * (0.25 + turn / 2)
            hole = middle + 0.25 * radius * np.array([np.cos(angle), np.sin(angle)])
            self._disc(hole, 0.11 * radius, [0.35 * each for each in colour])
        return self

    def shade(self, x: float, y: float, radius_cells: float) -> Drawn:
        """Darken a round part of the table."""
        mask = np.zeros(self.picture.shape[:2], np.float32)
        at = BOARD([x, y]).round().astype(int).tolist()
        cv2.circle(mask, at, round(radius_cells * CELL_PX), 1.0, -1)
        soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), 2))
        self.picture = (self.picture * (1 - 0.5 * soft[..., None])).astype(np.uint8)
        return self

    def tile(self, x: float, y: float) -> Drawn:
        """Draw a pale tile of one cell and a half."""
        low, high = BOARD([[x - 0.75, y - 0.75], [x + 0.75, y + 0.75]]).astype(int)
        cv2.rectangle(self.picture, low.tolist(), high.tolist(), (230, 235, 238), -1)
        return self

    def _disc(self, middle: NDArray[np.float64], radius: float, colour: list[float] | tuple[int, ...]) -> None:
        at = (middle * 16).round().astype(int).tolist()
        cv2.circle(self.picture, at, round(radius * 16), tuple(colour), -1, cv2.LINE_AA, 4)

    def discs(self) -> SeenDiscs:
        return find_discs(self.picture, [BOARD])

    def heaps(self) -> tuple[Heap, ...]:
        return find_heaps(self.discs(), known_kinds())

    def heap(self) -> Heap:
        (heap,) = self.heaps()
        return heap


@pytest.fixture
def drawn() -> Drawn:
    return Drawn()
