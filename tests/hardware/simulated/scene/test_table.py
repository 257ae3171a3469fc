from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.mat import load_mat
from companion.games.patchwork.cells import mask_of, rows_of
from companion.games.patchwork.components import PATCHES, Edition, fits
from hardware.simulated.conditions import LEATHER, Conditions
from hardware.simulated.drawing import Pose
from hardware.simulated.drawing.sprites import BOARD_MM, CELL_MM
from hardware.simulated.scene import circle, dressing, renderer
from hardware.simulated.scene.placing import Books, Hand, purse_of
from hardware.simulated.scene.table import SimulatedTable, cells_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALL = Conditions(width_px=768, height_px=432)
STILL = Conditions(noise=0.0, jitter_px=0.0, drift=0.0, jpeg_quality=100)


def _with_few_in_the_circle(seed: int, conditions: Conditions, *, mats: bool = True) -> SimulatedTable:
    """Return a table that is drawn quickly."""
    table = SimulatedTable(seed, conditions, mats=mats)
    table.circle.intersection_update({"boot", "aitch", "fat-plus", "square"})
    return table


def _markers(image: NDArray[np.uint8]) -> dict[int, NDArray[np.float64]]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    corners, ids, _ = detector.detectMarkers(image)
    assert ids is not None
    return {int(i): np.asarray(c, np.float64).reshape(4, 2) for i, c in zip(np.ravel(ids), corners, strict=True)}


@pytest.mark.parametrize("seed", [1, 2, 6])
def test_the_mats_markers_are_found_where_the_geometry_puts_them(seed: int) -> None:
    table = SimulatedTable(seed)
    found = _markers(table.frame(0.0))
    # A patch may look like a marker of another number, which is not searched for.
    assert set(found) >= set(range(8))
    mat = load_mat()
    for seat, ids in mat.seats.items():
        for index, marker in enumerate(ids):
            on_page = mat.marker_corners_mm(index) - np.asarray(mat.page_mm) / 2
            expected = table.camera.frame_points(table.layout.mats[seat - 1].place(on_page), 0.1)
            assert np.abs(found[marker] - expected).max() < 0.6


def test_the_grids_corners_are_where_the_print_changes() -> None:
    table = _with_few_in_the_circle(2, STILL, mats=False)
    image = table.frame(0.0)
    for seat, corners in enumerate(table.grid_corners_px(), start=1):
        assert corners.shape == (4, 2)
        # The border around the grid is printed darker than the cells.
        board = table.board_pose(seat)
        inside, outside = (
            table.camera.frame_points(board.place(np.array([[0.0, -reach]])), BOARD_MM)[0] for reach in (86.0, 92.8)
        )
        spots = [image[round(y) - 1 : round(y) + 2, round(x) - 5 : round(x) + 6] for x, y in (inside, outside)]
        bright = [float(spot.mean()) for spot in spots]
        assert bright[1] < bright[0] - 6


def _lived_through(seed: int) -> list[NDArray[np.uint8]]:
    """Return a glossy table's first frame under a screen, and two more with changed light and pieces."""
    table = _with_few_in_the_circle(seed, SMALL.but(television=0.5, gloss=1.0, people=0.5))
    frames = [table.frame(1.0)]
    table.lay(1, "boot", cells_of(fits("boot", 0)[3]))
    frames.append(table.frame(9.0))
    table.knock_board(2, 6.0)
    return [*frames, table.frame(17.0)]


def test_the_same_seed_gives_the_same_evening_to_the_byte() -> None:
    first = _lived_through(5)
    assert all((one != other).any() for one, other in pairwise(first))
    # What tables share must not be changed by one of them, nor hide a picture that differs when it is drawn anew.
    np.testing.assert_array_equal(_lived_through(5), first)
    for shared in (renderer._light_field, renderer._pictures, dressing._found, circle._laid):
        shared.cache_clear()
    np.testing.assert_array_equal(_lived_through(5), first)
    assert (_with_few_in_the_circle(6, SMALL).frame(1.0) != first[0]).any()


def test_a_table_keeps_its_light_while_another_one_is_in_use() -> None:
    seen = []
    for others in (0, 1):
        table, *more = (_with_few_in_the_circle(5, SMALL.but(television=0.7)) for _ in range(1 + others))
        table.frame(1.0)
        for other in more:
            other.frame(9.0)
        table.lay(1, "boot", cells_of(fits("boot", 0)[3]))
        seen.append(table.frame(1.1))
    np.testing.assert_array_equal(seen[1], seen[0])


def test_frames_of_a_still_table_differ_by_noise_alone() -> None:
    table = _with_few_in_the_circle(1, SMALL)
    first, second = (table.frame(t).astype(int) for t in (0.0, 0.2))
    assert (first != second).any()
    assert abs(first - second).mean() < 3


def _fill(table: SimulatedTable, seat: int, rng: np.random.Generator) -> int:
    quilt = 0
    for patch in rng.permutation(sorted(table.circle)):
        free = fits(str(patch), quilt)
        if free:
            mask = int(free[int(rng.integers(len(free)))])
            table.lay(seat, str(patch), cells_of(mask))
            quilt |= mask
    return quilt


@pytest.mark.parametrize("seed", range(4))
def test_sloppy_people_still_cover_the_intended_cells(seed: int) -> None:
    table = SimulatedTable(seed, Conditions(offset_mm=1.5, rotation_deg=1.0, creep_mm=4.0))
    rng = np.random.default_rng(seed)
    quilts = _fill(table, 1, rng), _fill(table, 2, rng)
    assert table.quilts() == (rows_of(quilts[0]), rows_of(quilts[1]))


def test_a_laid_patch_leaves_the_circle_and_a_lifted_one_returns() -> None:
    table = SimulatedTable(1)
    piece = table.lay(1, "domino", ((0, 0), (0, 1)))
    assert "domino" not in table.circle
    assert table.quilts()[0][0] == "XX......."
    table.lift(1, piece)
    assert "domino" in table.circle
    assert table.quilts()[0][0] == "........."
    with pytest.raises(ValueError, match="does not lie there"):
        table.lift(1, piece)


def test_leather_does_not_come_from_the_circle() -> None:
    table = SimulatedTable(1)
    table.lift(2, table.lay(2, LEATHER, ((4, 4),)))
    assert table.circle == set(PATCHES)


def test_a_moved_patch_lies_where_it_was_moved_to() -> None:
    table = SimulatedTable(1, Conditions(offset_mm=0, rotation_deg=0, creep_mm=0))
    piece = table.lay(1, LEATHER, ((4, 4),))
    table.move(1, piece, piece.pose.moved(dx_mm=20.1))
    assert table.quilts()[0][4] == ".....X..."


def test_a_patch_over_the_edge_covers_only_what_is_on_the_board() -> None:
    table = SimulatedTable(1)
    table.lay(1, "domino", ((8, 8), (9, 8)))
    assert table.quilts()[0] == rows_of(mask_of(["I9"]))


def test_an_evening_is_laid_out_again() -> None:
    table = SimulatedTable(3)
    table.lay(1, "domino", ((5, 5), (5, 6)))
    table.lay_out(([("domino", mask_of(["A1", "A2"])), (LEATHER, mask_of(["C3"]))], [("aitch", _any("aitch"))]))
    assert table.quilts() == (rows_of(mask_of(["A1", "A2", "C3"])), rows_of(_any("aitch")))
    assert table.circle == set(PATCHES) - {"domino", "aitch"}


def _any(patch: str) -> int:
    return fits(patch, 0)[5]


def test_a_patch_changes_the_picture_on_its_cells_and_not_on_the_other_board() -> None:
    table = _with_few_in_the_circle(4, STILL, mats=False)
    before = table.frame(0.0).astype(int)
    piece = table.lay(1, "fat-plus", cells_of(fits("fat-plus", 0)[10]))
    changed = np.abs(table.frame(0.0).astype(int) - before).max(axis=2)
    for seat, expected in ((1, True), (2, False)):
        spot = np.array([piece.pose.on(table.board_pose(seat)).place(np.zeros((1, 2)))[0]])
        x, y = table.camera.frame_points(spot, 2 * BOARD_MM)[0].round().astype(int)
        assert (changed[y - 8 : y + 9, x - 8 : x + 9].mean() > 5) == expected


def test_drawing_only_what_changed_gives_the_same_picture_as_drawing_all() -> None:
    once, often = (_with_few_in_the_circle(2, STILL) for _ in range(2))
    masks = [("boot", fits("boot", 0)[3]), ("aitch", fits("aitch", 0)[70])]
    often.frame(0.0)
    for name, mask in masks:
        once.lay(2, name, cells_of(mask))
        piece = often.lay(2, name, cells_of(mask))
        often.hands = (Hand(2, *often.spot_mm(2, piece), carrying=piece),)
        often.frame(0.0)
        often.hands = ()
        often.frame(0.0)
    difference = np.abs(once.frame(0.0).astype(int) - often.frame(0.0).astype(int))
    assert (difference > 3).mean() < 1e-4


def test_a_hand_hides_part_of_the_board_and_leaves_nothing_behind() -> None:
    table = _with_few_in_the_circle(2, STILL)
    before = table.frame(0.0).astype(int)
    board = table.board_pose(2)
    table.hands = (Hand(2, board.x_mm, board.y_mm),)
    covered = np.abs(table.frame(0.0).astype(int) - before).max(axis=2) > 25
    assert covered.mean() > 0.02
    table.hands = ()
    assert np.abs(table.frame(0.0).astype(int) - before).max() <= 1


def test_a_token_on_a_cell_is_seen_but_is_no_patch_and_is_cleared_away() -> None:
    table = _with_few_in_the_circle(2, STILL)
    before = table.frame(0.0).astype(int)
    table.strew(2, np.random.default_rng(1))
    assert len(table.strays) == 2
    assert table.quilts()[0] == (".........",) * 9
    assert (np.abs(table.frame(0.0).astype(int) - before).max(axis=2) > 30).sum() > 200
    everywhere = [(row, column) for row in range(9) for column in range(9)]
    table.clear_strays(1, everywhere)
    assert [seat for seat, _ in table.strays] == [2]


@pytest.mark.parametrize("cell", [(0, 0), (4, 4), (2, 7), (8, 8)])
def test_tokens_are_cleared_from_the_cells_of_a_piece_alone(cell: tuple[int, int]) -> None:
    table = SimulatedTable(2, STILL)
    for seat, (row, column) in ((1, cell), (1, (cell[0], cell[1] - 1)), (1, (cell[0] - 1, cell[1])), (2, cell)):
        table.strays.append((seat, Pose((column - 4) * CELL_MM + 2, (row - 4) * CELL_MM - 2)))
    others = table.strays[1:]
    table.clear_strays(1, [cell])
    assert table.strays == others


def test_books_move_tokens_and_buttons_in_the_picture() -> None:
    table = _with_few_in_the_circle(1, STILL)
    before = table.frame(0.0).astype(int)
    table.books = Books((purse_of(17), purse_of(3)), (12, 7), (), None)
    assert (np.abs(table.frame(0.0).astype(int) - before).max(axis=2) > 30).sum() > 1000


@pytest.mark.parametrize("what", ["nudge_camera_mm", "nudge_mat_mm", "nudge_board_mm"])
def test_a_knock_moves_what_the_conditions_say(what: str) -> None:
    table = _with_few_in_the_circle(1, SMALL.but(**{what: 8.0}))
    before = np.vstack(table.grid_corners_px())
    table.frame(0.0)
    table.knock()
    shift = np.linalg.norm(np.vstack(table.grid_corners_px()) - before, axis=1)
    assert shift.max() > 2
    moved_boards = (shift.reshape(2, 4).max(axis=1) > 0.5).sum()
    assert moved_boards == (2 if what == "nudge_camera_mm" else 1)
    table.frame(0.1)


def test_without_nudges_a_knock_moves_nothing() -> None:
    table = SimulatedTable(1)
    before = np.vstack(table.grid_corners_px())
    table.knock()
    np.testing.assert_array_equal(np.vstack(table.grid_corners_px()), before)


def test_a_table_without_mats_shows_no_markers() -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, _, _ = detector.detectMarkers(SimulatedTable(4, mats=False).frame(0.0))
    assert len(corners) == 0


def test_the_editions_time_boards_differ_in_where_the_leather_lies() -> None:
    original, revised = (SimulatedTable(1, edition=edition) for edition in (Edition.ORIGINAL, Edition.REVISED))
    assert 20 in original.books.leather_out
    assert 20 not in revised.books.leather_out


def test_a_patch_that_is_laid_pushes_its_neighbour_away() -> None:
    table = SimulatedTable(3, Conditions(pushing_mm=2.0, offset_mm=0.0, rotation_deg=0.0, creep_mm=0.0))
    before = table.lay(1, "square", [(3, 3), (3, 4), (4, 3), (4, 4)])
    far = table.lay(1, "bar3", [(8, 0), (8, 1), (8, 2)])
    laid = table.lay(1, "domino", [(3, 5), (4, 5)])
    table.press(1, laid)
    square, bar, domino = table.pieces(1)
    assert square.pose.x_mm < before.pose.x_mm
    assert (bar, domino) == (far, laid)
    table.lift(1, before)  # the piece is still found by its value before the push
    assert [piece.name for piece in table.pieces(1)] == ["bar3", "domino"]


def test_without_pushing_neighbours_stay() -> None:
    table = SimulatedTable(3, Conditions())
    table.lay(1, "square", [(3, 3), (3, 4), (4, 3), (4, 4)])
    laid = table.lay(1, "domino", [(3, 5), (4, 5)])
    before = table.pieces(1)
    table.press(1, laid)
    assert table.pieces(1) == before


def test_an_absent_piece_cannot_be_lifted() -> None:
    table = SimulatedTable(3, Conditions())
    piece = table.prepared(1, "domino", [(3, 5), (4, 5)])
    with pytest.raises(ValueError, match="domino"):
        table.lift(1, piece)
