"""Test reading the labels of a circle at any place and orientation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from companion.patchwork.circle.naming import PATCHES_OF
from companion.patchwork.circle.seeing import LabelReader
from hardware.simulated.evening import SimulatedEvening
from vision.geometry import Homography
from vision.pieces.fit import Fit, PiecePose
from vision.pieces.maps import LabelPlace
from vision.pieces.sightings import Sighting

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Circle: TypeAlias = tuple[NDArray[np.uint8], dict[str, NDArray[np.float64]]]

CELL_PX = 34.4
"""The size of a cell in that picture."""
IDS = list(PATCHES)
TABLE = Homography(np.diag([CELL_PX, CELL_PX, 1.0]))


@pytest.fixture(scope="module")
def circle() -> Circle:
    """A picture of a circle, and the outlines of the patches that are whole in it."""
    evening = SimulatedEvening(2)
    outlines = {piece.name: piece.outline_px for piece in evening.table.circle_pieces() if piece.whole}
    return evening.camera.capture().image, outlines


def place_of(outline_px: NDArray[np.float64]) -> LabelPlace:
    """Return the middle and angle of a small patch, along its longer side: its label is there."""
    (x, y), (wide, high), angle = cv2.minAreaRect(outline_px.astype(np.float32))
    return LabelPlace(x / CELL_PX, y / CELL_PX, angle if wide >= high else angle + 90)


@pytest.mark.parametrize("askew_deg", [-9.0, 0.0, 180.0])
def test_a_label_tells_the_patch(circle: Circle, askew_deg: float) -> None:
    image, outlines = circle
    reader, place = LabelReader(image, TABLE), place_of(outlines["domino"])
    place = LabelPlace(place.x, place.y, place.angle_deg + askew_deg)
    told = reader.patches(place)
    own = (PATCHES["domino"].buttons, PATCHES["domino"].time)
    for patch, likely in zip(PATCHES.values(), told, strict=True):
        assert bool(likely == 0) is ((patch.buttons, patch.time) == own)
    shapes = reader.shapes(place)
    assert {patch for number in np.flatnonzero(shapes == 0) for patch in PATCHES_OF[number]} >= {"domino"}


def test_a_place_without_print_gives_no_label() -> None:
    reader = LabelReader(np.full((400, 400, 3), 128, np.uint8), TABLE)
    assert not reader.patches(LabelPlace(5.0, 5.0, 30.0)).any()
    assert not reader.shapes(LabelPlace(5.0, 5.0, 30.0)).any()


def test_a_piece_is_told_by_the_label_on_it_wherever_it_is_seen(circle: Circle) -> None:
    image, outlines = circle
    reader, place = LabelReader(image, TABLE), place_of(outlines["domino"])
    domino = next(number for number, patches in enumerate(PATCHES_OF) if "domino" in patches)
    fit = Fit(domino, 0, ((0, 0), (0, 1)), PiecePose(place.x - 0.5, place.y, 0.0), 10.0)
    piece = Sighting((fit,), 9.0, 3.0, 3.0, 3.0, 0.0, whole=True, at_edge=False, touching=())
    beside = LabelPlace(place.x + 0.3, place.y, 0.0)
    for places in ([place], [], [place, beside]):
        told = reader.on(piece, places)
        assert told[IDS.index("domino")] == 0
        assert told.any()
