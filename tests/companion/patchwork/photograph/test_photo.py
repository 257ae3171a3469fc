"""Photographs, and the quilts read from them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.games.patchwork.cells import cell_index
from companion.patchwork.photograph.photo import SURE, PhotoError, read_photo
from companion.patchwork.photograph.reading import QuiltPiece
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from vision.geometry import GRID_CORNERS, through_corners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.companion.patchwork.photograph.conftest import SureOf

ROWS = ["XXXXXXXXX"] * 3 + ["........."] * 6


def _true(table: SimulatedTable) -> NDArray[np.bool_]:
    return np.array([[[cell == "X" for cell in row] for row in quilt] for quilt in table.quilts()])


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    table = SimulatedTable(8, Conditions(ground_seed=1, creep_mm=0.5), mats=False)
    table.lay(1, "square", [(4, 4), (4, 5), (5, 4), (5, 5)])
    table.lay(2, "bar4", [(0, 0), (1, 0), (2, 0), (3, 0)])
    return table


def test_doubts_are_the_cells_that_may_be_otherwise(seen: SureOf) -> None:
    quilt = seen(1, ROWS, {(0, 2): 0.6, (5, 5): 0.4, (8, 8): 1 - SURE - 1e-6, (8, 7): 1 - SURE + 1e-3})
    assert quilt.doubtful == ("C1", "F6", "H9")
    assert quilt.rows == tuple(ROWS)
    assert quilt.empty == 54


def test_a_quilt_that_is_a_thin_line_in_the_picture_is_not_seen(seen: SureOf) -> None:
    quilt = seen(1, ["........."] * 9)
    assert quilt.doubtful == ()
    thin = through_corners(GRID_CORNERS, [[0, 0], [1500, 0], [1500, 3], [0, 3]])
    assert len(replace(quilt, place=thin).doubtful) == 81


def test_confidence_is_the_share_that_is_likely_right(seen: SureOf) -> None:
    assert seen(1, ROWS).confidence == pytest.approx(0.999)
    doubted = seen(1, ROWS, {(0, column): 0.5 for column in range(9)})
    assert doubted.confidence == pytest.approx((72 * 0.999 + 9 * 0.5) / 81)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_corners_a_few_pixels_off_will_do_at_any_size(table: SimulatedTable, scale: float) -> None:
    image = np.asarray(cv2.resize(table.frame(0.0), None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
    off = np.random.default_rng(3).normal(0.0, 1.5, (2, 4, 2))
    corners = np.stack(table.grid_corners_px())
    quilts = read_photo(image, list((corners + off) * scale))
    assert [quilt.seat for quilt in quilts] == [1, 2]
    for quilt, cells, true in zip(quilts, _true(table), corners * scale, strict=True):
        assert quilt.place.residuals([[0, 0], [9, 0], [9, 9], [0, 9]], true).max() < 8 * scale
        assert np.count_nonzero(quilt.covered != cells) <= 1


def test_corners_that_people_show_one_line_off_are_put_right_or_leave_every_cell_to_check(
    table: SimulatedTable,
) -> None:
    corners = np.stack(table.grid_corners_px())
    one, other = read_photo(table.frame(0.0), list(corners + (corners[:, 3:] - corners[:, :1]) / 9))
    assert one.place.residuals([[0, 0], [9, 0], [9, 9], [0, 9]], corners[0]).max() < 8
    assert np.count_nonzero(one.covered != _true(table)[0]) <= 1
    assert len(other.doubtful) == 81


def test_a_board_that_lies_turned_is_read_as_its_corners_say(table: SimulatedTable) -> None:
    corners = [np.roll(quad, -1, axis=0) for quad in table.grid_corners_px()]
    quilts = read_photo(table.frame(0.0), corners)
    for quilt, cells in zip(quilts, _true(table), strict=True):
        assert np.count_nonzero(quilt.covered != np.rot90(cells)) <= 1


@pytest.mark.parametrize(("left", "top"), [(2000, 100), (-160, 100), (100, -90), (100, 600)])
def test_corners_outside_the_picture_are_refused(left: int, top: int) -> None:
    far = np.add([[0, 0], [400, 0], [400, 400], [0, 400]], [left, top])
    with pytest.raises(PhotoError, match="1536 x 864 pixels"):
        read_photo(np.zeros((864, 1536, 3), np.uint8), [far, far])


@pytest.mark.parametrize("answer", ["trunk", "tokens"])
def test_a_machine_that_works_out_no_numbers_is_told_instead_of_a_score(
    table: SimulatedTable, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    if answer == "trunk":
        monkeypatch.setattr(
            "vision.quilt.network.normalised", lambda view: np.full((3, *view.shape[:2]), np.nan, np.float32)
        )
    else:
        monkeypatch.setattr("vision.quilt.network.ask_tokens", lambda *_: (np.full((81, 3), np.nan, np.float32),) * 2)
    with pytest.raises(PhotoError, match="cannot do the calculations"):
        read_photo(table.frame(0.0), table.grid_corners_px())


@pytest.mark.parametrize(
    ("doubted", "doubtful"),
    [(["A1", "B1"], ("A1", "B1", "C1", "D1")), (["A1"], ("A1",)), (["A1", "I9"], ("A1", "I9"))],
)
def test_a_piece_doubtful_in_half_of_its_cells_is_doubtful_as_a_whole(
    seen: SureOf, doubted: list[str], doubtful: tuple[str, ...]
) -> None:
    bar = QuiltPiece("bar4", ("A1", "B1", "C1", "D1"), 0.9)
    quilt = seen(1, ROWS, {divmod(cell_index(name), 9): 0.6 for name in doubted})
    assert replace(quilt, pieces=(bar,)).doubtful == doubtful


def test_every_cell_is_doubtful_on_a_board_that_may_lie_beside_its_place(seen: SureOf) -> None:
    quilt = seen(1, ROWS)
    assert quilt.doubtful == ()
    assert len(replace(quilt, unclear=True).doubtful) == 81


@pytest.mark.parametrize(("doubted", "doubtful"), [(20, 20), (21, 81)])
def test_no_cell_is_sure_on_a_quilt_of_which_many_cells_cannot_be_seen(
    seen: SureOf, doubted: int, doubtful: int
) -> None:
    hazy = [divmod(cell, 9) for cell in range(doubted)]
    quilt = seen(1, ROWS, dict.fromkeys(hazy, 0.9))
    assert len(quilt.doubtful) == doubtful
    assert quilt.is_income_sure == (doubted == doubtful)
