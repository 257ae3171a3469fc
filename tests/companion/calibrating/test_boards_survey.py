from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.mat import MATS, Mat, load_mat, load_mats
from companion.calibrating.boards import SeenMat, cell_px, mat_remarks, survey
from companion.calibrating.remarks import Remark, RemarkCode
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from vision.fiducials import MarkerLook
from vision.geometry import Homography, translation

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from numpy.typing import NDArray

SHOWN = np.full((800, 1200, 3), 128, np.uint8)
SHARP = MarkerLook(0.9, 25.0, 210.0)
PX_PER_MM = 1.6


def _to_image(seat: int, scale: float = PX_PER_MM, moved: tuple[float, float] = (0.0, 0.0)) -> Homography:
    shift = translation(120.0 + 550.0 * (seat - 1) + moved[0], 120.0 + moved[1])
    return shift.after(Homography(np.diag([scale, scale, 1.0])))


def _mat(
    seat: int,
    look: MarkerLook = SHARP,
    hidden: Collection[int] = (),
    scale: float = PX_PER_MM,
    moved: tuple[float, float] = (0.0, 0.0),
    mat: Mat | None = None,
) -> SeenMat:
    mat = mat or load_mat()
    to_image = _to_image(seat, scale, moved)
    markers = {index: to_image(mat.marker_corners_mm(index)) for index in range(4) if index not in hidden}
    looks = dict.fromkeys(markers, look)
    return SeenMat(seat, mat, markers, looks, to_image if len(markers) >= 2 else None)


def _codes(remarks: Collection[Remark], *, blocking: bool | None = None) -> list[str]:
    return [remark.code.value for remark in remarks if blocking is None or remark.blocks is blocking]


def test_two_mats_in_good_light_give_no_remark() -> None:
    assert mat_remarks({1: _mat(1), 2: _mat(2)}, SHOWN) == []


def test_an_empty_table_asks_for_the_mats() -> None:
    (remark,) = mat_remarks({}, SHOWN)
    assert remark.code is RemarkCode.NO_MATS
    assert "companion print mats" in remark.says


@pytest.fixture(scope="module")
def matted() -> NDArray[np.uint8]:
    return SimulatedTable(8, Conditions(width_px=1152, height_px=648)).frame(0.0)


@pytest.mark.parametrize(
    ("seen_as", "code", "says"),
    [
        (np.zeros_like, "nothing", "uncover its lens"),
        (lambda image: np.asarray(image * 0.1, np.uint8), "dark", "Switch on a lamp."),
        (lambda image: cv2.GaussianBlur(image, (0, 0), 4.5), "blurred", "Focus the camera on the table."),
        (lambda image: np.ascontiguousarray(image[:, ::-1]), "mirrored", "[camera] flip = true"),
    ],
)
def test_a_picture_without_mats_tells_what_hides_them(
    matted: NDArray[np.uint8], seen_as: Callable[[NDArray[np.uint8]], NDArray[np.uint8]], code: str, says: str
) -> None:
    (remark,) = mat_remarks({}, seen_as(matted))
    assert (remark.code, remark.blocks) == (code, True)
    assert says in remark.says


def test_a_table_without_mats_is_neither_blurred_nor_mirrored() -> None:
    bare = SimulatedTable(8, Conditions(width_px=1152, height_px=648), mats=False).frame(0.0)
    assert _codes(mat_remarks({}, bare)) == ["no-mats"]
    assert _codes(mat_remarks({}, np.ascontiguousarray(bare[:, ::-1]))) == ["no-mats"]


def test_a_missing_mat_is_named_by_its_seat() -> None:
    (remark,) = mat_remarks({1: _mat(1)}, SHOWN)
    assert (remark.code, remark.seat, remark.blocks) == (RemarkCode.NO_MAT, 2, True)


@pytest.mark.parametrize(
    ("index", "name"), [(0, "top left"), (1, "top right"), (2, "bottom right"), (3, "bottom left")]
)
def test_a_covered_marker_is_named_by_its_place(index: int, name: str) -> None:
    (remark,) = mat_remarks({1: _mat(1), 2: _mat(2, hidden=[index])}, SHOWN)
    assert remark.code is RemarkCode.NO_MARKER
    assert remark.says.startswith(f"Seat 2’s mat: the camera does not see its {name} marker")


def test_a_marker_outside_the_picture_differs_from_a_covered_one() -> None:
    said = mat_remarks({1: _mat(1, moved=(-200.0, 0.0), hidden=[0, 3]), 2: _mat(2)}, SHOWN)
    assert _codes(said)[:2] == ["marker-outside", "marker-outside"]
    assert {remark.says for remark in said if remark.code is RemarkCode.BOARD_OUTSIDE} == {
        "Seat 1’s board: its corner A1 is outside the picture. Move the mat or the camera.",
        "Seat 1’s board: its corner A9 is outside the picture. Move the mat or the camera.",
    }


def test_a_single_marker_places_nothing() -> None:
    seen = _mat(1, hidden=[0, 1, 2])
    assert seen.guess is None
    assert _codes(mat_remarks({1: seen, 2: _mat(2)}, SHOWN)) == ["no-marker"] * 3


@pytest.mark.parametrize(
    ("look", "code", "blocks"),
    [
        (MarkerLook(2.4, 25.0, 210.0), "blurred", True),
        (MarkerLook(1.7, 25.0, 210.0), "soft", False),
        (MarkerLook(float("inf"), 25.0, 210.0), "blurred", True),
        (MarkerLook(0.9, 8.0, 50.0), "dark", True),
        (MarkerLook(0.9, 12.0, 110.0), "dim", False),
    ],
)
def test_the_pictures_faults_are_judged_by_the_worse_mat(look: MarkerLook, code: str, blocks: bool) -> None:
    said = mat_remarks({1: _mat(1), 2: _mat(2, look)}, SHOWN)
    assert _codes(said, blocking=blocks) == [code]
    assert _codes(said, blocking=not blocks) == []


def test_a_blurred_picture_is_named_before_the_markers_that_it_hides() -> None:
    said = mat_remarks({1: _mat(1, MarkerLook(3.0, 25.0, 210.0), hidden=[1]), 2: _mat(2)}, SHOWN)
    assert _codes(said) == ["blurred", "no-marker"]


@pytest.mark.parametrize(("scale", "code", "blocks"), [(0.85, "far", True), (1.1, "small", False)])
def test_a_camera_that_is_too_far_away_is_named(scale: float, code: str, blocks: bool) -> None:
    said = mat_remarks({seat: _mat(seat, MarkerLook(0.7, 25, 210), scale=scale) for seat in (1, 2)}, SHOWN)
    assert [(remark.code.value, remark.blocks) for remark in said] == [(code, blocks)]


def test_white_paper_that_is_overexposed_on_both_mats_is_named() -> None:
    white = MarkerLook(0.9, 25.0, 254.0)
    (remark,) = mat_remarks({seat: _mat(seat, white) for seat in (1, 2)}, SHOWN)
    assert (remark.code, remark.blocks) == (RemarkCode.OVEREXPOSED, False)
    assert mat_remarks({1: _mat(1, white), 2: _mat(2)}, SHOWN) == [], (
        "a lamp beside one mat is no fault of the exposure"
    )


def test_uneven_light_on_a_mat_is_named() -> None:
    seen = _mat(1)
    shaded = SeenMat(1, seen.mat, seen.markers, {**seen.looks, 2: MarkerLook(0.9, 15.0, 128.0)}, seen.mat_to_image)
    (remark,) = mat_remarks({1: shaded, 2: _mat(2)}, SHOWN)
    assert (remark.code, remark.seat, remark.blocks) == (RemarkCode.UNEVEN, 1, False)


def test_cells_are_measured_in_the_picture() -> None:
    guess = _mat(1).guess
    assert guess is not None
    assert cell_px(guess) == pytest.approx(181 / 9 * PX_PER_MM)


def _found(*mats: SeenMat) -> dict[int, NDArray[np.float64]]:
    return {mat.mat.seats[mat.seat][index]: corners for mat in mats for index, corners in mat.markers.items()}


def test_the_papers_are_recognised_by_their_markers() -> None:
    letter = _mat(2, mat=load_mat(MATS["letter"]))
    image = np.full((800, 1200, 3), 128, np.uint8)
    seen = survey(image, load_mats(), _found(_mat(1), letter))
    assert seen[1].mat == load_mat()
    assert seen[2].mat == load_mat(MATS["letter"])
    placed = seen[2].mat_to_image
    assert placed is not None
    np.testing.assert_allclose(placed([[50.0, 70.0]]), _to_image(2)([[50.0, 70.0]]), atol=1e-6)


def test_a_mat_of_which_nothing_is_seen_is_left_out() -> None:
    seen = survey(np.full((800, 1200, 3), 128, np.uint8), load_mats(), _found(_mat(2, hidden=[0, 1, 3])))
    assert list(seen) == [2]
    assert seen[2].mat_to_image is None
