"""Test finding pieces on a simulated table: shapes, places, cut-off pieces and touching ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.patchwork.circle.naming import PATCHES_OF, SHAPES
from hardware.simulated.conditions import Conditions
from hardware.simulated.evening import SimulatedEvening
from tests.vision.pieces.test_fit import laid, maps_of
from vision.geometry import GRID_CORNERS, Homography, through_corners
from vision.pieces import search
from vision.pieces.buttons import Buttons
from vision.pieces.fit import Fit, PiecePose
from vision.pieces.maps import CELL_PX, MAP_PX, PieceMaps
from vision.pieces.prints import LOOK_PX
from vision.pieces.search import first_look, locate_pieces, locate_rest
from vision.pieces.sightings import Box, Sighting, Sightings
from vision.table.plane import OverheadView, view_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from vision.pieces.maps import LabelPlace

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


def test_a_piece_found_again_keeps_its_surety() -> None:
    before = [sighting(PLUS, 1.0), replace(sighting(replace(BAR, score=12.0), 0.9), spill=0.25)]
    after = locate_rest(before, table(1.0), view(), box("bar5"), NO_BUTTONS)
    assert [piece.spill for piece in after if piece.fits[0].shape == NAMES["bar5"]] == [0.25]
    assert all(piece.agreed for piece in after)


def test_sure_pieces_without_further_labels_end_the_search() -> None:
    maps = maps_of([PLUS])
    before = [sighting(PLUS, 1.0)]
    assert locate_rest(before, maps, view(), box("bar5"), NO_BUTTONS) == before


@pytest.mark.parametrize(("cells", "hidden"), [(-1.0, -6.0), (-0.6, -6.0), (0.6, -6.0), (1.0, -6.0), (0.6, 1.0)])
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


def test_a_shape_that_both_looks_agree_on_is_preferred() -> None:
    """The bar's end is hidden: it may be one of four cells as well as one of five."""
    four = replace(laid("bar4", 4.0, 10.0, 0.0, 1), score=11.0)
    told = Box(SHAPES, COUNTS, lambda piece: piece.margin)
    seen_before = [[replace(sighting(replace(fit, score=11.0), 0.9), spill=0.25)] for fit in (BAR, four)]
    for before in seen_before:
        after = locate_rest([sighting(PLUS, 1.0), *before], table(-0.5), view(), told, NO_BUTTONS)
        assert before[0].fits[0].shape in shapes_of(after)


KEPT = 0.39
"""The share of the picture's width that is kept."""


@dataclass(frozen=True)
class Seen:
    """A table whose picture is cropped at the right: its sightings, and the outlines left in it, in table space."""

    view: OverheadView
    sightings: Sightings
    true: dict[str, NDArray[np.float64]]
    width_px: int


@pytest.fixture(scope="module")
def part() -> Seen:
    """A third of the circle, with some pieces cut off."""
    evening = SimulatedEvening(5, Conditions())
    image = evening.camera.capture().image
    boards = [through_corners(GRID_CORNERS, quad) for quad in evening.table.grid_corners_px()]
    width = round(KEPT * image.shape[1])
    kept = np.ascontiguousarray(image[:, :width])
    view, fine = (view_table(kept, boards, cell_px) for cell_px in (CELL_PX, LOOK_PX))
    pieces = {piece.name: piece.outline_px for piece in evening.table.circle_pieces()}
    true = {name: view.to_image.inverse(outline) for name, outline in pieces.items() if outline[:, 0].max() < width}
    return Seen(view, locate_pieces(first_look(view, Box(SHAPES)), view, fine, Box(SHAPES)), true, width)


def test_most_shapes_are_right(part: Seen) -> None:
    right = 0
    for patch, outline in part.true.items():
        near = [p for p in part.sightings.pieces if np.hypot(*(p.outline.mean(axis=0) - outline.mean(axis=0))) < 0.7]
        right += any(patch in PATCHES_OF[piece.fits[0].shape] for piece in near)
    assert right >= len(part.true) - 1


def test_outlines_lie_on_the_pieces(part: Seen) -> None:
    offsets = []
    for piece in part.sightings.pieces:
        for patch, outline in part.true.items():
            if patch in PATCHES_OF[piece.fits[0].shape] and len(outline) == len(piece.outline):
                apart = np.hypot(*np.moveaxis(piece.outline[:, None] - outline[None], -1, 0)).min(axis=1)
                if apart.max() < 0.8:
                    offsets.append(float(np.median(apart)))
    assert len(offsets) >= len(part.true) - 3
    assert np.median(offsets) < 0.15


def test_rivals_come_in_order_and_are_of_other_shapes(part: Seen) -> None:
    for piece in part.sightings.pieces:
        scores = [fit.score for fit in piece.fits]
        assert scores == sorted(scores, reverse=True)
        assert len({fit.shape for fit in piece.fits}) == len(piece.fits)


def test_touching_goes_both_ways(part: Seen) -> None:
    pieces = part.sightings.pieces
    for number, piece in enumerate(pieces):
        assert number not in piece.touching
        assert all(number in pieces[other].touching for other in piece.touching)


def test_cut_off_pieces_are_not_whole(part: Seen) -> None:
    """A piece is whole if all its corners are inside the picture; outlines are a pixel off."""
    assert not all(piece.whole for piece in part.sightings.pieces)
    for piece in part.sightings.pieces:
        corners = part.view.to_image(piece.outline)
        if corners[:, 0].max() > part.width_px + 1:
            assert not piece.whole
        if corners[:, 0].max() < part.width_px - 20 and corners.min() > 20 and corners[:, 1].max() < 844:
            assert piece.whole


def test_nothing_is_seen_on_the_boards(part: Seen) -> None:
    for piece in part.sightings.pieces:
        for grid in part.view.boards:
            inside = (piece.fits[0].centre > grid.min(axis=0)) & (piece.fits[0].centre < grid.max(axis=0))
            assert not inside.all()


@pytest.fixture
def seen_twice(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Sightings]:
    """A function that returns the result of two looks that saw given pieces, whose margin is their surety."""

    def seen(first: list[Sighting], second: list[Sighting]) -> Sightings:
        looks = iter((first, second))
        monkeypatch.setattr(search, "sightings_of", lambda *_: next(looks, []))
        nothing = np.full((5, 10 * MAP_PX, 26 * MAP_PX), -4, np.float32)
        return _sight(monkeypatch, PieceMaps(*nothing))

    return seen


def _sight(monkeypatch: pytest.MonkeyPatch, maps: PieceMaps) -> Sightings:
    """Return the result of two looks with the same maps."""
    height, width = (side * CELL_PX // MAP_PX for side in maps.piece.shape)
    dark = np.zeros((height, width, 3), np.uint8)
    view = OverheadView(dark, dark[..., 0] == 0, CELL_PX, Homography(np.eye(3)), ())
    monkeypatch.setattr(search, "see_pieces", lambda *_: maps)
    monkeypatch.setattr(search, "look_again", lambda *_: maps)
    box = Box(SHAPES, surety=lambda piece: piece.margin)
    return locate_pieces(first_look(view, box), view, view, box)


def test_of_what_two_looks_see_in_one_place_the_surer_is_kept(seen_twice: Callable[..., Sightings]) -> None:
    """The second look is trusted more, and a piece apart from all others stays."""
    first = [_piece(5, 5, 0.8), _piece(12, 5, 0.9), _piece(20, 5, 0.1)]
    seen = seen_twice(first, [_piece(5.3, 5, 0.5), _piece(12, 5.2, 0.2)])
    assert [piece.margin for piece in seen.pieces] == [0.5, 0.9, 0.1]


def test_a_shape_that_only_the_second_look_is_sure_of_is_not_agreed(seen_twice: Callable[..., Sightings]) -> None:
    first = [_piece(5, 5, 0.7), _piece(12, 5, 0.9)]
    seen = seen_twice(first, [_piece(5, 5, 0.99), _piece(12.1, 5, 0.99)])
    agreed = {round(piece.fits[0].pose.x): piece.agreed for piece in seen.pieces}
    assert agreed == {5: False, 12: True}


def _piece(x: float, y: float, margin: float) -> Sighting:
    fit = Fit(0, 0, ((0, 0), (0, 1), (0, 2)), PiecePose(x, y, 0.0), 10.0)
    return Sighting((fit,), margin, 2.0, 3.0, 3.0, 0.0, whole=True, at_edge=False, touching=())


@pytest.mark.parametrize("neck", [False, True])
def test_a_piece_beside_a_cut_off_region_may_be_a_part_of_it(monkeypatch: pytest.MonkeyPatch, neck: bool) -> None:
    """Two cells of a piece, of whose other cells the picture shows only a narrow part."""
    piece, rim = np.full((2, 12 * MAP_PX, 12 * MAP_PX), -4, np.float32)
    piece[5 * MAP_PX : 6 * MAP_PX, 4 * MAP_PX : 6 * MAP_PX] = 4
    cv2.rectangle(rim, (4 * MAP_PX, 5 * MAP_PX), (6 * MAP_PX, 6 * MAP_PX), 4, 1)
    if neck:
        piece[: 5 * MAP_PX, 4 * MAP_PX : 4 * MAP_PX + 4] = 4
    maps = PieceMaps(piece, rim, *np.full((3, *piece.shape), -4, np.float32))
    seen = _sight(monkeypatch, maps).pieces
    [found] = [piece for piece in seen if piece.fits[0].cells == ((0, 0), (0, 1))]
    assert found.whole
    assert found.at_edge is neck
