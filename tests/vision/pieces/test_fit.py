"""Test finding shapes in drawn maps, at any place and orientation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.patchwork.circle.naming import PATCHES_OF, SHAPES
from vision.pieces.choice import ANY_NUMBER, Labels, Slot, Supply, choose
from vision.pieces.fit import (
    CELL_SLOTS,
    LEFT_SLOTS,
    UPPER_SLOTS,
    Cells,
    Fit,
    PiecePose,
    all_ways,
    clipped,
    find_fits,
    outline_of,
    ways_of,
)
from vision.pieces.maps import MAP_PX, LabelPlace, PieceMaps
from vision.pieces.poses import settle, shifted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

DOMINO: Cells = ((0, 0), (0, 1))
HOOK: Cells = ((0, 0), (1, 0), (1, 1), (1, 2))
SQUARE: Cells = ((0, 0), (0, 1), (1, 0), (1, 1))
PROPELLER: Cells = ((0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (2, 2))

STEPS = st.lists(st.tuples(st.integers(0, 30), st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)])), max_size=7)


def grown(steps: list[tuple[int, tuple[int, int]]]) -> Cells:
    """Return a connected shape, no longer than five cells, built by steps of adding cells."""
    cells = [(0, 0)]
    for at, (down, right) in steps:
        row, column = cells[at % len(cells)]
        longer = [*cells, (row + down, column + right)]
        if (row + down, column + right) not in cells and all(max(a) - min(a) < 5 for a in zip(*longer, strict=True)):
            cells = longer
    return tuple(cells)


@pytest.mark.parametrize(("shape", "count"), [(DOMINO, 2), (SQUARE, 1), (HOOK, 8), (PROPELLER, 4)])
def test_symmetric_shapes_have_fewer_ways(shape: Cells, count: int) -> None:
    assert len(ways_of(shape)) == count


@given(STEPS)
def test_ways_are_of_one_shape(steps: list[tuple[int, tuple[int, int]]]) -> None:
    ways = ways_of(grown(steps))
    for way in ways:
        assert way[0] == (0, 0)
        assert set(ways_of(way)) == set(ways)


@given(STEPS)
def test_an_outline_encloses_the_shape(steps: list[tuple[int, tuple[int, int]]]) -> None:
    cells = grown(steps)
    outline = outline_of(cells).astype(np.float32)
    if _has_a_hole(cells):
        return
    assert abs(cv2.contourArea(outline)) == pytest.approx(len(cells))
    for row, column in cells:
        assert cv2.pointPolygonTest(outline, (column + 0.5, row + 0.5), False) > 0


def _has_a_hole(cells: Cells) -> bool:
    canvas = np.zeros((13, 13), np.uint8)
    for row, column in cells:
        canvas[row + 6, column + 6] = 1
    parts, _ = cv2.connectedComponents(1 - canvas, connectivity=4)
    corners = any(  # two cells that meet in a corner only: the outline crosses itself there
        canvas[r : r + 2, c : c + 2].tolist() in ([[1, 0], [0, 1]], [[0, 1], [1, 0]])
        for r in range(12)
        for c in range(12)
    )
    return parts > 2 or corners


def test_an_outline_runs_clockwise_through_its_bends_alone() -> None:
    outline = outline_of(HOOK)
    assert outline.tolist() == [[0, 0], [1, 0], [1, 1], [3, 1], [3, 2], [0, 2]]


def test_weights_count_cells_outline_and_inner_edges() -> None:
    ways = all_ways((HOOK, SQUARE))
    assert len(ways.cells) == 9
    edges = len(CELL_SLOTS)
    for cells, weights, size in zip(ways.cells, ways.weights.T, ways.sizes, strict=True):
        assert weights[:edges].sum() == len(cells) == size
        assert (weights[edges:] > 0).sum() == _outline_length(cells)
        assert (weights[edges:] < 0).sum() == (4 * len(cells) - _outline_length(cells)) / 2
    assert ways.weights.shape == (len(CELL_SLOTS) + len(UPPER_SLOTS) + len(LEFT_SLOTS), 9)
    assert ways.shapes.tolist() == [0] * 8 + [1]


def _outline_length(cells: Cells) -> int:
    around = ((0, 1), (1, 0), (0, -1), (-1, 0))
    return sum((row + down, column + right) not in cells for row, column in cells for down, right in around)


WAYS = all_ways(SHAPES)
SIDE = 14
NAMES = {patch: number for number, patches in enumerate(PATCHES_OF) for patch in patches}


def laid(patch: str, x: float, y: float, angle_deg: float, way: int = 0) -> Fit:
    """A patch whose first cell's middle is at (x, y)."""
    ways = ways_of(SHAPES[NAMES[patch]])
    return Fit(NAMES[patch], 0, ways[way % len(ways)], PiecePose(x, y, angle_deg), 0.0)


def maps_of(pieces: Sequence[Fit], sure: float = 4.0, side: int = SIDE) -> PieceMaps:
    """Return the maps of a perfect network."""
    return drawn([fit.pose.place(outline_of(fit.cells) - 0.5) for fit in pieces], (side, side), sure)


def drawn(outlines: Sequence[NDArray[np.float64]], size: tuple[int, int], sure: float = 4.0) -> PieceMaps:
    """Return such maps for pieces' outlines, (n, 2) in table space, on a table of `size` cells, width and height."""
    fine = 4
    width, height = (side * MAP_PX for side in size)
    piece, rim = np.zeros((2, height * fine, width * fine), np.uint8)
    for outline in outlines:
        polygon = [np.rint(outline * MAP_PX * fine - 0.5).astype(np.int32)]
        cv2.fillPoly(piece, polygon, 1)
        cv2.polylines(rim, polygon, True, 1, fine + 2)
    layers = (layer.astype(np.float32) for layer in (piece, rim))
    shares = [cv2.resize(layer, (width, height), interpolation=cv2.INTER_AREA) for layer in layers]
    odds = [(share * 2 - 1) * sure for share in shares]
    none = np.full((height, width), -sure, np.float32)
    return PieceMaps(odds[0].astype(np.float32), odds[1].astype(np.float32), none, none, none)


def found(maps: PieceMaps, supply: Supply = ANY_NUMBER) -> list[Slot]:
    return choose(find_fits(maps, WAYS), supply=supply)


def blended(one: PieceMaps, other: PieceMaps, share: float) -> PieceMaps:
    """Return the maps of a network that cannot decide between two tables."""
    return replace(
        one,
        piece=one.piece * np.float32(1 - share) + other.piece * np.float32(share),
        rim=one.rim * np.float32(1 - share) + other.rim * np.float32(share),
    )


def test_every_piece_at_any_angle_and_either_side_up() -> None:
    rng = np.random.default_rng(7)
    true = [laid(patch, *_spot(number, rng), float(rng.uniform(-45, 45)), number) for number, patch in enumerate(NAMES)]
    maps = maps_of(true, side=44)
    slots = found(maps)
    assert len(slots) == len(true)
    for piece in true:
        slot = min(slots, key=lambda slot: float(np.hypot(*(slot.best.centre - piece.centre))))
        assert slot.best.shape == piece.shape
        close = settle([slot.best], *clipped(maps), (1.0, 1.0))[0]
        assert np.hypot(*(close.centre - piece.centre)) < 0.13
        apart = np.hypot(*np.moveaxis(close.middles[:, None] - piece.middles[None], -1, 0))
        assert apart.min(axis=1).max() < 0.25  # each cell is at the place of a true one


def _spot(number: int, rng: np.random.Generator) -> tuple[float, float]:
    x, y = rng.uniform(3.6, 4.4, 2) + 7 * np.array(divmod(number, 6))
    return float(x), float(y)


@pytest.mark.parametrize("angle_deg", [0.0, 20.0, -37.0])
def test_pieces_that_touch_are_told_apart(angle_deg: float) -> None:
    first = laid("hook-t2", 5.0, 5.0, angle_deg)
    beside = first.pose.place(np.array([[3.05, 0.0]]))[0]
    second = laid("bar4", float(beside[0]), float(beside[1]), angle_deg, 1)
    slots = found(maps_of([first, second]))
    assert sorted(slot.best.shape for slot in slots) == sorted([first.shape, second.shape])


def test_rims_between_pieces_decide() -> None:
    """The same cells as one piece of four and as two of two."""
    whole = [replace(laid("bar4", 4.0, 6.0, 0.0), cells=tuple((0, column) for column in range(4)))]
    halves = [replace(laid("domino", x, 6.0, 0.0), cells=((0, 0), (0, 1))) for x in (4.0, 6.0)]
    assert [slot.best.shape for slot in found(maps_of(whole))] == [NAMES["bar4"]]
    assert [slot.best.shape for slot in found(maps_of(halves))] == [NAMES["domino"]] * 2


SURE_BAR = laid("bar3", 4.0, 3.0, 0.0)
FAINT_TEE = laid("tee", 4.0, 9.0, 0.0, 3)
ITS_BAR = replace(laid("bar3", 4.0, 9.0, 0.0), cells=((0, 0), (0, 1), (0, 2)))


def _two_bars_or_a_tee() -> PieceMaps:
    assert {(0, 0), (0, 1), (0, 2)} < set(FAINT_TEE.cells)
    return blended(maps_of([SURE_BAR, FAINT_TEE]), maps_of([SURE_BAR, ITS_BAR]), 0.55)


def _shapes(slots: Sequence[Slot]) -> list[int]:
    return sorted(slot.best.shape for slot in slots)


def test_a_shape_of_which_the_box_holds_one_is_chosen_once() -> None:
    maps, one_of_each = _two_bars_or_a_tee(), Supply((1,) * len(SHAPES), lambda _: False)
    assert _shapes(found(maps)) == [SURE_BAR.shape] * 2
    assert _shapes(found(maps, one_of_each)) == sorted([SURE_BAR.shape, FAINT_TEE.shape])
    assert _shapes(found(maps, replace(one_of_each, counts=(2,) * len(SHAPES)))) == [SURE_BAR.shape] * 2


def test_cut_off_pieces_use_up_no_supply() -> None:
    up_there = Supply((1,) * len(SHAPES), lambda fit: float(fit.centre[1]) < 6.0)
    assert _shapes(found(_two_bars_or_a_tee(), up_there)) == [SURE_BAR.shape] * 2


def test_two_that_are_surely_seen_are_two() -> None:
    maps = maps_of([SURE_BAR, replace(SURE_BAR, pose=PiecePose(4.0, 9.0, 20.0))])
    assert _shapes(found(maps, Supply((1,) * len(SHAPES), lambda _: False))) == [SURE_BAR.shape] * 2


def test_of_two_places_for_one_shape_that_has_it_which_needs_it_more() -> None:
    """A tee and a bar are about equally likely; the clearer place prefers the tee, the fainter one needs it."""
    tee, bar = (replace(fit, pose=PiecePose(4.0, 3.0, 0.0)) for fit in (FAINT_TEE, ITS_BAR))
    plain, faint = blended(maps_of([tee]), maps_of([bar]), 0.4), blended(maps_of([FAINT_TEE]), maps_of([ITS_BAR]), 0.3)
    above = np.arange(SIDE * MAP_PX)[:, None] < 6 * MAP_PX
    layers = {each: np.where(above, getattr(plain, each), 0.75 * getattr(faint, each)) for each in ("piece", "rim")}
    counts = tuple(2 if number == SURE_BAR.shape else 1 for number in range(len(SHAPES)))
    slots = found(replace(plain, **layers), Supply(counts, lambda _: False))
    assert [round(slot.best.centre[1]) for slot in slots if slot.best.shape == FAINT_TEE.shape] == [9]


@pytest.mark.parametrize(("plainness", "pieces"), [((1.0, 0.2), 1), ((1.0, 1.0), 2)])
def test_a_second_label_that_is_hardly_seen_makes_no_second_piece(plainness: tuple[float, float], pieces: int) -> None:
    """A bar of four whose middle looks a little like the seam between two of two."""
    whole = replace(laid("bar4", 4.0, 6.0, 0.0), cells=tuple((0, column) for column in range(4)))
    halves = [replace(laid("domino", x, 6.0, 0.0), cells=((0, 0), (0, 1))) for x in (4.0, 6.0)]
    maps = blended(maps_of([whole]), maps_of(halves), 0.55)
    seen = [LabelPlace(x, 6.0, 0.0, plainness=plain) for x, plain in zip((4.5, 6.5), plainness, strict=True)]
    assert len(choose(find_fits(maps, WAYS), Labels.unread(seen, len(SHAPES)))) == pieces


def test_a_fit_is_shifted_to_where_it_fits_best() -> None:
    true = laid("mast", 6.0, 5.0, 20.0)
    maps = clipped(maps_of([true]))
    x, y = true.pose.place(np.array([0.5, -0.25]))
    aside = replace(true, pose=replace(true.pose, x=float(x), y=float(y)))
    assert np.hypot(*(shifted(aside, *maps).centre - true.centre)) < 0.05
    assert shifted(true, *maps).pose == true.pose


def test_nothing_is_found_on_an_empty_table() -> None:
    assert found(maps_of([])) == []


def test_a_large_round_thing_is_no_sure_piece() -> None:
    maps = maps_of([])
    cv2.circle(maps.piece, (40, 40), 4 * MAP_PX, 4.0, -1)
    cv2.circle(maps.rim, (40, 40), 4 * MAP_PX, 4.0, 2)
    clean = found(maps_of([laid("fat-plus", 6.0, 6.0, 10.0)]))[0].best
    for slot in found(maps):
        assert slot.best.score / len(slot.best.cells) < 0.8 * clean.score / len(clean.cells)


def test_a_lead_shrinks_where_the_picture_is_vague() -> None:
    piece = [laid("thorn", 6.0, 6.0, 12.0)]
    clear, vague = found(maps_of(piece)), found(maps_of(piece, sure=1.5))
    assert clear[0].best.shape == vague[0].best.shape == piece[0].shape
    assert vague[0].margin < clear[0].margin


def test_pieces_seen_larger_settle_larger() -> None:
    true = laid("mast", 6.0, 5.0, 8.0)
    larger = replace(true, pose=replace(true.pose, wide=1.06, high=1.06))
    maps = maps_of([larger])
    close = settle([replace(true, score=0.0)], *clipped(maps), (1.0, 1.0))[0]
    assert 1.02 < close.pose.wide < 1.08
    assert close.score > settle([true], *clipped(maps_of([laid("mast", 9.0, 9.0, 8.0)])), (1.0, 1.0))[0].score


def test_several_settle_where_each_would_alone() -> None:
    true = [laid("mast", 6.0, 5.0, 8.0), laid("domino", 10.0, 10.0, -30.0), laid("chunk", 3.0, 10.0, 20.0)]
    maps = clipped(maps_of(true))
    begun = [replace(fit, pose=replace(fit.pose, x=fit.pose.x + 0.2, angle_deg=fit.pose.angle_deg + 3)) for fit in true]
    together = settle(begun, *maps, (1.0, 1.0))
    for fit, other, piece in zip(together, begun, true, strict=True):
        alone = settle([other], *maps, (1.0, 1.0))[0]
        assert fit.centre == pytest.approx(alone.centre, abs=0.02)
        assert fit.score == pytest.approx(alone.score, abs=0.02)
        assert fit.centre == pytest.approx(piece.centre, abs=0.13)
        assert fit.shape == piece.shape


def test_poses_place_points() -> None:
    pose = PiecePose(2.0, 3.0, 90.0)
    assert pose.place(np.array([[1.0, 0.0]])) == pytest.approx(np.array([[2.0, 4.0]]))
