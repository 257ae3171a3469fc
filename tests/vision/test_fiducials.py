"""Test the detection of fiducials and the sharpness at their edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.fiducials import FiducialDetector, look_at_marker
from vision.geometry import through_corners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

PAGE_CORNERS = np.array([[0.0, 0.0], [520.0, 0.0], [520.0, 360.0], [0.0, 360.0]])
MARKERS = [(3, 60, 50), (17, 380, 60), (49, 220, 230)]


def _corners_of(x: int, y: int) -> NDArray[np.float64]:
    # A pixel's middle is at a whole number, so that a square of 60 px begins half a pixel before its first one.
    return np.array([[x, y], [x + 60, y], [x + 60, y + 60], [x, y + 60]]) - 0.5


def test_markers_are_found_by_id_with_corners_clockwise_from_the_top_left(scenes: type[Scenes]) -> None:
    found = FiducialDetector("DICT_4X4_50").detect(scenes.page(MARKERS))
    assert sorted(found) == [3, 17, 49]
    for number, x, y in MARKERS:
        assert found[number].shape == (4, 2)
        assert found[number].dtype == np.float64
        np.testing.assert_allclose(found[number], _corners_of(x, y), atol=0.75)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(offsets=st.lists(st.floats(-35, 35), min_size=8, max_size=8))
def test_corners_follow_the_page_to_a_fraction_of_a_pixel(scenes: type[Scenes], offsets: list[float]) -> None:
    lies = through_corners(PAGE_CORNERS, PAGE_CORNERS + 40 + np.array(offsets).reshape(4, 2))
    picture = cv2.warpPerspective(scenes.page(MARKERS), lies.matrix, (600, 440), borderValue=(90, 90, 90))
    found = FiducialDetector("DICT_4X4_50").detect(np.asarray(picture, np.uint8))
    for number, x, y in MARKERS:
        assert lies.residuals(_corners_of(x, y), found[number]).max() < 1.0


def test_the_corners_of_small_defocused_markers_stay_where_they_are(scenes: type[Scenes]) -> None:
    small = cv2.resize(scenes.page(MARKERS), None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    calm = cv2.GaussianBlur(small, (0, 0), 2.5).astype(np.float64)
    grain = np.random.default_rng(7)
    seen = [
        FiducialDetector("DICT_4X4_50").detect(
            np.clip(calm + grain.normal(0, 2.0, calm.shape), 0, 255).astype(np.uint8)
        )
        for _ in range(8)
    ]
    for number, _, _ in MARKERS:
        assert np.std([found[number] for found in seen], axis=0).max() < 0.15


def test_a_grey_picture_tells_the_same(scenes: type[Scenes]) -> None:
    page = scenes.page(MARKERS)
    detector = FiducialDetector("DICT_4X4_50")
    grey = np.asarray(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY), np.uint8)
    coloured, plain = detector.detect(page), detector.detect(grey)
    assert sorted(coloured) == sorted(plain)
    for number, corners in coloured.items():
        np.testing.assert_array_equal(corners, plain[number])


def test_a_marker_is_found_near_its_place_as_it_is_in_the_whole_picture(scenes: type[Scenes]) -> None:
    detector, page = FiducialDetector("DICT_4X4_50"), scenes.page(MARKERS)
    expected = {number: _corners_of(x + 12, y - 9) for number, x, y in MARKERS}
    near, everywhere = detector.detect_near(page, expected), detector.detect(page)
    assert sorted(near) == [3, 17, 49]
    for number, corners in near.items():
        np.testing.assert_allclose(corners, everywhere[number], atol=0.05)


def test_a_marker_that_is_elsewhere_is_not_near(scenes: type[Scenes]) -> None:
    detector, page = FiducialDetector("DICT_4X4_50"), scenes.page(MARKERS)
    expected = {3: _corners_of(220, 60), 17: _corners_of(380, 60), 20: _corners_of(60, 50), 49: _corners_of(-300, 0)}
    assert list(detector.detect_near(page, expected)) == [17]


def test_a_turned_marker_keeps_its_printed_top_left(scenes: type[Scenes]) -> None:
    turned = np.ascontiguousarray(np.rot90(scenes.page([(7, 100, 80)]), 2))
    corners = FiducialDetector("DICT_4X4_50").detect(turned)[7]
    np.testing.assert_allclose(corners, [519, 359] - _corners_of(100, 80), atol=0.75)


def test_an_id_seen_twice_is_nobodys(scenes: type[Scenes]) -> None:
    page = scenes.page([(3, 60, 50), (3, 380, 60), (17, 220, 230)])
    assert list(FiducialDetector("DICT_4X4_50").detect(page)) == [17]


def test_a_page_without_markers_holds_none(scenes: type[Scenes]) -> None:
    assert FiducialDetector("DICT_4X4_50").detect(scenes.page([])) == {}


@pytest.mark.parametrize("name", ["DICT_NONE", "", "ArucoDetector", "CORNER_REFINE_SUBPIX"])
def test_another_name_is_no_dictionary(name: str) -> None:
    with pytest.raises(ValueError, match=f"dictionary '{name}': OpenCV has no ArUco dictionary"):
        FiducialDetector(name)


QUADS = np.arange(24, dtype=np.float32).reshape(3, 1, 4, 2)


@pytest.mark.parametrize("id_shape", [(3, 1), (3,), (1, 3)])
@pytest.mark.parametrize("quad_shape", [(1, 4, 2), (4, 2), (4, 1, 2)])
def test_every_shape_that_opencv_returns_is_understood(
    monkeypatch: pytest.MonkeyPatch, id_shape: tuple[int, ...], quad_shape: tuple[int, ...]
) -> None:
    ids = np.array([5, 9, 5], np.int32).reshape(id_shape)
    quads = tuple(quad.reshape(quad_shape) for quad in QUADS)
    found = _detector_that_returns(monkeypatch, (quads, ids, ())).detect(np.zeros((9, 9), np.uint8))
    assert list(found) == [9]
    np.testing.assert_array_equal(found[9], QUADS[1].reshape(4, 2))


@pytest.mark.parametrize("ids", [None, np.empty((0, 1), np.int32), np.empty(0, np.int32)])
def test_no_marker_is_understood_in_every_form(monkeypatch: pytest.MonkeyPatch, ids: NDArray[np.int32] | None) -> None:
    assert _detector_that_returns(monkeypatch, ((), ids, ())).detect(np.zeros((9, 9), np.uint8)) == {}


def _detector_that_returns(monkeypatch: pytest.MonkeyPatch, returned: tuple[Any, Any, Any]) -> FiducialDetector:
    class Fake:
        def __init__(self, *_: object) -> None:
            pass

        def detectMarkers(self, grey: NDArray[np.uint8]) -> tuple[Any, Any, Any]:  # noqa: N802 - OpenCV's name
            assert grey.ndim == 2
            return returned

    monkeypatch.setattr(cv2.aruco, "ArucoDetector", Fake)
    return FiducialDetector("DICT_4X4_50")


def test_an_id_seen_twice_is_reported(scenes: type[Scenes]) -> None:
    detector = FiducialDetector("DICT_4X4_50")
    page = scenes.page([*MARKERS, (3, 60, 230)])
    assert detector.detect_all(page)[1] == {3}
    assert sorted(detector.detect(page)) == [17, 49]
    assert detector.detect_all(scenes.page(MARKERS))[1] == frozenset()


CORNERS = np.array([[60.0, 58.0], [112.0, 60.0], [110.0, 113.0], [58.0, 110.0]])


def _marker(blur_px: float, ink: float = 25.0, paper: float = 220.0, noise: float = 0.0) -> NDArray[np.uint8]:
    """Return a dark square on paper, drawn at eight times the resolution and reduced."""
    fine = np.full((170 * 8, 170 * 8), paper, np.float32)
    corners = np.round((CORNERS + 0.5) * 8 * 16 - 8).astype(np.int32)
    cv2.fillConvexPoly(fine, corners, ink, cv2.LINE_8, 4)
    if blur_px:
        fine = np.asarray(cv2.GaussianBlur(fine, (0, 0), blur_px * 8), np.float32)
    seen = cv2.resize(fine, (170, 170), interpolation=cv2.INTER_AREA)
    seen = seen + np.random.default_rng(1).normal(0, noise, seen.shape)
    return np.asarray(np.clip(np.rint(seen), 0, 255), np.uint8)


@pytest.mark.parametrize("blur_px", [0.9, 1.3, 1.8, 2.4])
@pytest.mark.parametrize("noise", [0.0, 6.0])
def test_the_blur_is_measured(blur_px: float, noise: float) -> None:
    look = look_at_marker(_marker(blur_px, noise=noise), CORNERS)
    # The pixels' own size blurs by 0.3 px, reading between them by a little more.
    assert look.blur_px == pytest.approx(np.hypot(blur_px, 0.45), abs=0.2)
    assert look.ink == pytest.approx(25, abs=6)
    assert look.paper == pytest.approx(220, abs=6)


def test_light_and_colour_change_nothing_about_the_blur() -> None:
    grey = _marker(1.2)
    dim = np.repeat((grey * 0.3).astype(np.uint8)[..., None], 3, axis=2)
    assert look_at_marker(dim, CORNERS).blur_px == pytest.approx(look_at_marker(grey, CORNERS).blur_px, abs=0.08)


def test_corners_that_are_a_little_off_change_little() -> None:
    moved = look_at_marker(_marker(1.2), CORNERS + np.array([1.0, -0.8]))
    assert moved.blur_px == pytest.approx(look_at_marker(_marker(1.2), CORNERS).blur_px, abs=0.1)


def test_equal_ink_and_paper_have_an_infinite_blur() -> None:
    assert look_at_marker(_marker(1.0, ink=25, paper=33), CORNERS).blur_px == float("inf")


def test_a_marker_at_the_pictures_edge_can_be_looked_at() -> None:
    cut = _marker(1.0)[56:, 56:]
    assert 0.5 < look_at_marker(cut, CORNERS - 56).blur_px < 2.0
