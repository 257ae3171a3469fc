"""Test finding the pieces that are left when the sure ones are removed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.circle.naming import PATCHES_OF, SHAPES
from tests.cases import each
from tests.vision.pieces.test_fit import laid, maps_of
from vision.geometry.homography import Homography
from vision.pieces.button_places import Buttons
from vision.pieces.maps import CELL_PX, MAP_PX, PieceMaps
from vision.pieces.sightings import Box, Sighting
from vision.pieces.third_look import locate_rest
from vision.table.plane import OverheadView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.pieces.fit import Fit
    from vision.pieces.label_places import LabelPlace

SIDE = 14
NAMES = {patch: number for number, patches in enumerate(PATCHES_OF) for patch in patches}
NO_BUTTONS = Buttons(np.zeros((0, 2)))
COUNTS = tuple(len(patches) for patches in PATCHES_OF)
BAR, PLUS = laid("bar5", 4.0, 10.0, 0.0, 1), replace(laid("plus", 6.0, 3.0, 0.0), score=50.0)


def view() -> OverheadView:
    picture = np.full((SIDE * CELL_PX, SIDE * CELL_PX, 3), 90, np.uint8)
    return OverheadView(picture, np.ones(picture.shape[:2], np.bool_), CELL_PX, Homography(np.eye(3)), ())


def table(faint: float = -6.0) -> PieceMaps:
    """Return a plus, and a bar with its label whose left two cells are seen well and the rest only faintly."""
    maps = maps_of([PLUS, BAR])
    hidden = np.zeros(maps.piece.shape, np.bool_)
    middle = int((BAR.middles[:, 0].min() + 1.5) * MAP_PX)
    top, bottom = (int((BAR.middles[0, 1] + half) * MAP_PX) for half in (-0.7, 0.7))
    hidden[top:bottom, middle:] = True
    label = np.full(maps.piece.shape, -4, np.float32)
    left, row = int((BAR.middles[:, 0].min() + 0.1) * MAP_PX), int(BAR.middles[0, 1] * MAP_PX)
    label[row - 1 : row + 2, left : left + 5] = 3
    dim = np.float32(faint)
    return replace(maps, piece=np.where(hidden, dim, maps.piece), rim=np.where(hidden, dim, maps.rim), label=label)


def sighting(fit: Fit, margin: float) -> Sighting:
    return Sighting((fit,), margin, 3.0, 3.0, 3.0, 0.0, whole=True, at_edge=False, touching=())


def box(told: str) -> Box:
    """Return the game's box, with labels that name one patch."""

    def read(place: LabelPlace) -> NDArray[np.float64]:
        del place
        return np.array([0.0 if number == NAMES[told] else -12.0 for number in range(len(SHAPES))])

    return Box(SHAPES, COUNTS, lambda piece: piece.margin, read)


def shapes_of(pieces: list[Sighting]) -> list[int]:
    return sorted(piece.fits[0].shape for piece in pieces)


def test_a_piece_of_the_grounds_colour_is_found_by_its_label() -> None:
    """Two of its five cells are seen and look like the smallest piece."""
    domino = replace(laid("domino", 4.0, 10.0, 0.0, 1), score=15.0)
    before = [sighting(PLUS, 1.0), sighting(domino, 0.5)]
    after = locate_rest(before, table(), view(), box("bar5"), NO_BUTTONS)
    assert shapes_of(after) == sorted([NAMES["plus"], NAMES["bar5"]])
    [found] = [piece for piece in after if piece.fits[0].shape == NAMES["bar5"]]
    assert np.hypot(*(found.fits[0].centre - BAR.centre)) < 0.5
    assert not found.agreed, "what was seen with so little to go by is not sure"


def test_a_label_alone_leads_to_a_piece_that_nobody_saw() -> None:
    after = locate_rest([sighting(PLUS, 1.0)], table(), view(), box("bar5"), NO_BUTTONS)
    assert shapes_of(after) == sorted([NAMES["plus"], NAMES["bar5"]])


def test_sure_pieces_stay_as_they_are() -> None:
    sure = [sighting(PLUS, 1.0), sighting(replace(BAR, score=40.0), 1.0)]
    assert locate_rest(sure, table(4.0), view(), box("tee"), NO_BUTTONS) == sure


def test_what_was_seen_before_in_the_same_place_is_kept_with_its_surety() -> None:
    before = [sighting(PLUS, 1.0), replace(sighting(replace(BAR, score=12.0), 0.9), spill=0.25)]
    after = locate_rest(before, table(1.0), view(), box("bar5"), NO_BUTTONS)
    assert [piece.spill for piece in after if piece.fits[0].shape == NAMES["bar5"]] == [0.25]
    assert all(piece.agreed for piece in after)


def test_where_everything_is_sure_and_no_label_is_left_over_nothing_is_looked_for() -> None:
    maps = maps_of([PLUS])
    before = [sighting(PLUS, 1.0)]
    assert locate_rest(before, maps, view(), box("bar5"), NO_BUTTONS) == before


@each(("cells", "hidden"), [(-1.0, -6.0), (-0.6, -6.0), (0.6, -6.0), (1.0, -6.0), (0.6, 1.0)])
def test_a_button_tells_which_way_a_piece_goes_on_and_how_far(cells: float, hidden: float) -> None:
    """The three middle cells of a bar are seen, with its label: its ends may be farther to either side.

    The rest looks empty, or as if there might be a piece.
    """
    left, right, row = (int(each * MAP_PX) for each in (*(BAR.centre[0] + np.array([-1.5, 1.5])), BAR.centre[1]))
    maps = maps_of([PLUS, BAR])
    beside = slice(row - MAP_PX // 2, row + MAP_PX // 2 + 1)
    for layer in (maps.piece, maps.rim):
        layer[beside, :left] = layer[beside, right:] = hidden
    label = np.full(maps.piece.shape, -4, np.float32)
    label[row - 1 : row + 2, (left + right) // 2 - 3 : (left + right) // 2 + 3] = 3
    button = BAR.centre + np.array([[2.0 * np.sign(cells) + cells, 0.0]])
    after = locate_rest([sighting(PLUS, 1.0)], replace(maps, label=label), view(), box("bar5"), Buttons(button))
    [bar] = [piece for piece in after if piece.fits[0].shape == NAMES["bar5"]]
    assert bar.fits[0].centre == pytest.approx(BAR.centre + np.array([cells, 0.0]), abs=0.25)


def test_what_both_looks_agreed_on_is_rather_believed() -> None:
    """The bar's end is hidden: it may be one of four cells as well as one of five."""
    four = replace(laid("bar4", 4.0, 10.0, 0.0, 1), score=11.0)
    told = Box(SHAPES, COUNTS, lambda piece: piece.margin)
    seen_before = [[replace(sighting(replace(fit, score=11.0), 0.9), spill=0.25)] for fit in (BAR, four)]
    for before in seen_before:
        after = locate_rest([sighting(PLUS, 1.0), *before], table(-0.5), view(), told, NO_BUTTONS)
        assert before[0].fits[0].shape in shapes_of(after)
