from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.mat import MATS, load_mat, load_mats
from companion.calibrating.boards import (
    SeenBoard,
    SeenMat,
    board_remarks,
    covered_cells,
    emptiness_remarks,
    is_empty,
    residuals,
    see_board,
    survey,
)
from companion.calibrating.remarks import Remark, RemarkCode
from companion.errors import CompanionError
from vision.board.grid import GridFit
from vision.fiducials import FiducialDetector
from vision.geometry import GRID_CORNERS, SIDE, VIEW_PX, Homography, cell_window, through_corners
from vision.quilt.network import BARE, WAYS, look_at_quilt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hardware.ports import Frame


def _seen(frame: Frame) -> SeenMat:
    return survey(frame.image, load_mats(), FiducialDetector("DICT_4X4_50").detect(frame.image))[1]


@pytest.fixture(scope="module")
def board(frames: Sequence[Frame]) -> SeenBoard:
    seen = see_board(frames[-1].image, _seen(frames[-1]))
    assert isinstance(seen, SeenBoard)
    return seen


@pytest.mark.parametrize(
    ("few", "all_ways", "cells", "looks"),
    [
        (0.02, 0.02, [], [2, 2]),
        (0.3, 0.1, [], [2, 2, WAYS] * 2),
        (0.3, 0.7, ["B1"], [2, 2, WAYS, WAYS] * 2),
        (0.8, 0.4, [], [2, 2, WAYS, WAYS] * 2),
        (0.97, 0.99, ["B1"], [2, 2, WAYS, WAYS, 2, 2]),
    ],
)
def test_few_ways_decide_where_they_are_sure(
    few: float, all_ways: float, cells: list[str], looks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def look(view: NDArray[np.uint8], ways: int) -> SimpleNamespace:
        del view
        asked.append(ways)
        bare = np.full((SIDE, SIDE), 0.99)
        bare[0, 1] = 1 - (all_ways if ways == WAYS else few)
        return SimpleNamespace(cells=np.log(np.stack([bare, 1 - bare, np.full_like(bare, 1e-9)], axis=-1)))

    monkeypatch.setattr("companion.calibrating.boards.look_at_quilt", look)
    view = np.zeros((VIEW_PX, VIEW_PX, 3), np.uint8)
    assert covered_cells(view) == cells
    assert is_empty(view) is not bool(cells)
    assert asked == looks


def test_stains_of_a_bare_board_in_a_camera_s_strong_colours_are_no_patches(board: SeenBoard) -> None:
    rng = np.random.default_rng(1)
    size = board.view.shape[1::-1]
    noise = rng.normal(size=(2, SIDE, SIDE)).astype(np.float32)
    stains = [cv2.resize(each, size, interpolation=cv2.INTER_CUBIC) for each in noise]
    lab = cv2.cvtColor(board.view.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    lab[..., 1:] += 16 * np.stack(stains, axis=-1)
    stained = np.clip(255 * cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), 0, 255).astype(np.uint8)
    assert (np.exp(look_at_quilt(stained, 2).cells[..., BARE]) < 0.5).any(), "the network alone takes them for patches"
    assert covered_cells(stained) == []


def test_a_machine_that_works_out_no_numbers_takes_no_board_for_empty_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "vision.quilt.network.normalised", lambda view: np.full((3, *view.shape[:2]), np.nan, np.float32)
    )
    view = np.full((VIEW_PX, VIEW_PX, 3), 128, np.uint8)
    assert not is_empty(view)
    with pytest.raises(CompanionError, match="cannot do the calculations"):
        covered_cells(view)


def _codes(board: SeenBoard) -> list[tuple[RemarkCode, bool]]:
    return [(remark.code, remark.blocks) for remark in board_remarks(board)]


def test_an_empty_board_is_fitted_and_gives_no_remark(
    board: SeenBoard, truth: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> None:
    assert board.fit.cells_to_image.residuals(GRID_CORNERS, truth[0]).max() < 1.2
    assert _codes(board) == []
    assert list(emptiness_remarks(board)) == []
    assert board.print_scale == pytest.approx(1.0, abs=0.015)


def test_a_mat_without_a_board_asks_for_one(frames: Sequence[Frame]) -> None:
    remark = see_board(frames[4].image, _seen(frames[4]))
    assert isinstance(remark, Remark)
    assert (remark.code, remark.seat) == (RemarkCode.NO_BOARD, 1)
    nowhere = replace(_seen(frames[-1]), mat_to_image=None)
    assert isinstance(see_board(frames[-1].image, nowhere), Remark)


def test_objects_on_a_board_are_named_by_its_cells(board: SeenBoard) -> None:
    view = board.view.copy()
    for row, column in ((3, 4), (3, 5), (4, 4)):
        view[cell_window(row, column, 0)] = (60, 40, 190)
    (remark,) = emptiness_remarks(replace(board, view=view))
    assert (remark.code, remark.blocks) == (RemarkCode.NOT_EMPTY, True)
    assert "E4, F4, E5" in remark.says


def test_lines_that_lie_beside_the_fit_are_refused_in_both_units(board: SeenBoard) -> None:
    crooked = replace(board, fit=replace(board.fit, residual_cells=0.03))
    (remark,) = board_remarks(crooked)
    off_px, off_mm = residuals(crooked)
    assert off_mm == pytest.approx(0.03 * 181 / 9)
    assert off_px == pytest.approx(0.03 * board.cell_px)
    assert (remark.code, remark.blocks) == (RemarkCode.RESIDUAL, True)
    assert f"{round(off_px, 2):g} px ({round(off_mm, 2):g} mm)" in remark.says


@pytest.mark.parametrize(("rows", "blocks"), [(150, True), (30, False)])
def test_glare_is_named_and_much_of_it_refused(board: SeenBoard, rows: int, blocks: bool) -> None:
    view = board.view.copy()
    view[100 : 100 + rows] = 255
    assert _codes(replace(board, view=view)) == [(RemarkCode.BRIGHT, blocks)]


def _on(paper: str, grid_mm: float) -> SeenBoard:
    """Return a board exactly on the frame of a mat, whose grid measures `grid_mm` millimetres."""
    mat = load_mat(MATS[paper])
    to_image = Homography(np.diag([2.0, 2.0, 1.0]))
    half = grid_mm / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    fit = GridFit(to_image.after(through_corners(GRID_CORNERS, square + mat.board_centre_mm)), 0.003, 0.8)
    view = np.random.default_rng(1).integers(60, 160, (VIEW_PX, VIEW_PX, 3)).astype(np.uint8)
    return SeenBoard(SeenMat(2, mat, {}, {}, to_image), fit, view)


@pytest.mark.parametrize("paper", sorted(MATS))
def test_a_board_on_its_frame_lies_at_the_same_place_on_any_paper(paper: str) -> None:
    np.testing.assert_allclose(_on(paper, 181.0).place(GRID_CORNERS), load_mat().grid_corners_mm, atol=1e-3)


def test_a_mat_that_was_fitted_to_the_page_is_noticed() -> None:
    (remark,) = board_remarks(_on("a4", 181.0 / 0.95))
    assert (remark.code, remark.blocks) == (RemarkCode.SCALE, False)
    assert "printed at 95 %" in remark.says
    assert list(board_remarks(_on("letter", 183.0))) == []
