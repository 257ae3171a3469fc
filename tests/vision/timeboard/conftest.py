"""A simulated table with its time board between the quilts, as a camera sees it."""

from __future__ import annotations

from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from calibration.locator import MatLocator
from calibration.mat import load_mat
from companion.games.patchwork.components import TIME_TRACKS, Edition
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.sprites import BOARD_MM
from hardware.simulated.prints.boards import TIME_GRID_MM
from hardware.simulated.scene.table import SimulatedTable
from vision.geometry import GRID_CORNERS, through_corners
from vision.timeboard.board import FollowedBoard, load_layout
from vision.timeboard.markers import MarkerReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from vision.geometry import Homography
    from vision.timeboard.markers import Standing

BETWEEN, ABOVE = 1, 6
"""Seeds of tables whose time board is between the mats, and outside the picture."""
TRACK = TIME_TRACKS[Edition.ORIGINAL]


@dataclass
class Scene:
    table: SimulatedTable
    reader: MarkerReader
    board: FollowedBoard
    t_s: float = 0.0

    def frame(self) -> NDArray[np.uint8]:
        self.t_s += 0.5
        return self.table.frame(self.t_s)

    def stand(self, one: int, two: int) -> None:
        self.table.books = replace(self.table.books, times=(one, two))

    def read(self, booked: Mapping[int, int], mover: int | None = None) -> Standing:
        standing = self.reader.read(self.frame(), booked, mover)
        assert standing is not None
        return standing

    def play(self, one: int, two: int, mover: int | None = None) -> Standing:
        """Move both markers as booked, and look twice, as at a table at rest."""
        self.stand(one, two)
        self.read({1: one, 2: two}, mover)
        return self.read({1: one, 2: two}, mover)


def true_place(table: SimulatedTable) -> Homography:
    """Return the map from board space to the frame."""
    half = TIME_GRID_MM / 2
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    return through_corners(GRID_CORNERS, table.camera.frame_points(table.layout.time_board.place(corners), BOARD_MM))


def boards_in(image: NDArray[np.uint8]) -> list[Homography]:
    return list(MatLocator(load_mat()).locate(image).values())


@pytest.fixture(scope="session")
def laid() -> tuple[SimulatedTable, NDArray[np.uint8]]:
    """The table at the beginning of a game, and its first picture."""
    table = SimulatedTable(BETWEEN, Conditions())
    return table, table.frame(0.0)


@contextmanager
def _on(table: SimulatedTable, reader: MarkerReader, board: FollowedBoard) -> Iterator[Scene]:
    """A scene on the table, which is laid as at the beginning again afterwards."""
    layout, books = table.layout, table.books
    yield Scene(table, reader, board)
    table.layout, table.books = layout, books


def _new_reader(laid: tuple[SimulatedTable, NDArray[np.uint8]]) -> tuple[MarkerReader, FollowedBoard]:
    table, picture = laid
    board = FollowedBoard(load_layout("even"), true_place(table), picture)
    return MarkerReader(board, {1: 0, 2: 0}), board


@pytest.fixture
def scene(laid: tuple[SimulatedTable, NDArray[np.uint8]]) -> Iterator[Scene]:
    """That table, and a reader that has seen nothing else."""
    with _on(laid[0], *_new_reader(laid)) as scene:
        yield scene


@pytest.fixture(scope="module")
def experienced(laid: tuple[SimulatedTable, NDArray[np.uint8]]) -> tuple[MarkerReader, FollowedBoard]:
    """A reader that has seen both markers go to 4 and 6, and its board."""
    reader, board = _new_reader(laid)
    with _on(laid[0], reader, board) as scene:
        scene.play(4, 0)
        scene.play(4, 6)
    return reader, board


@pytest.fixture
def begun(
    laid: tuple[SimulatedTable, NDArray[np.uint8]], experienced: tuple[MarkerReader, FollowedBoard]
) -> Iterator[Scene]:
    """That table with the markers on 4 and 6, where the reader has seen them go."""
    with _on(laid[0], *deepcopy(experienced)) as scene:
        scene.stand(4, 6)
        yield scene
