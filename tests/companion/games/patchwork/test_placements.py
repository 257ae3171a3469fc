"""Orientations and placements, against counts known from geometry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork.cells import ALL_CELLS, indices_of, rows_of
from companion.games.patchwork.components import PATCHES, fits, orientations, placements
from companion.games.patchwork.legal import anchor_groups


@pytest.mark.parametrize(
    ("patch", "count"),
    [
        *[("plus", 1), ("square", 1), ("domino", 2), ("fat-plus", 2), ("long-plus", 2), ("aitch", 2), ("zig-b3", 4)],
        *[("corner-b1", 4), ("stairs", 4), ("tee", 4), ("propeller", 4), ("hook-t2", 8), ("thorn", 8), ("long-zig", 8)],
    ],
)
def test_orientations_are_the_distinct_ones_of_eight(patch: str, count: int) -> None:
    assert len(orientations(patch)) == len(set(orientations(patch))) == count


@pytest.mark.parametrize(("patch", "count"), [("domino", 144), ("bar5", 90), ("square", 64), ("plus", 49)])
def test_counts_of_placements(patch: str, count: int) -> None:
    assert len(placements(patch)) == len(set(placements(patch))) == count


@pytest.mark.parametrize("patch", PATCHES)
def test_orientations_fill_their_box_from_the_corner(patch: str) -> None:
    for turned in orientations(patch):
        assert {row for row, _ in turned.cells} == set(range(turned.height))
        assert {column for _, column in turned.cells} == set(range(turned.width))
        assert sorted(turned.cells) == list(turned.cells)
        assert len(turned.cells) == PATCHES[patch].size
    assert orientations(patch)[0].cells == PATCHES[patch].cells


@pytest.mark.parametrize("patch", PATCHES)
def test_placements_stay_on_the_board_and_do_not_wrap_round(patch: str) -> None:
    boxes = {(turned.height, turned.width) for turned in orientations(patch)}
    for mask in placements(patch):
        assert 0 < mask <= ALL_CELLS
        assert mask.bit_count() == PATCHES[patch].size
        rows = [index // 9 for index in indices_of(mask)]
        columns = [index % 9 for index in indices_of(mask)]
        assert (max(rows) - min(rows) + 1, max(columns) - min(columns) + 1) in boxes


def test_a_placement_is_the_drawn_shape_moved() -> None:
    drawn = placements("long-hook")[0]
    assert rows_of(drawn)[:3] == ("X........", "XXXX.....", ".........")
    assert drawn << 10 in placements("long-hook")


@given(st.sampled_from(sorted(PATCHES)), st.integers(0, ALL_CELLS), st.integers(0, ALL_CELLS))
def test_fits_and_anchors_agree_with_a_look_at_every_placement(patch: str, one: int, two: int) -> None:
    quilt = one & two
    expected = {mask for mask in placements(patch) if not set(indices_of(mask)) & set(indices_of(quilt))}
    assert set(fits(patch, quilt)) == expected
    groups, total = anchor_groups((patch,), ALL_CELLS & ~quilt)
    assert {shape << index for _, _, shape, anchors in groups for index in indices_of(anchors)} == expected
    assert total == sum(count for count, *_ in groups) == len(expected)


def test_a_full_quilt_has_room_for_nothing() -> None:
    assert all(fits(patch, ALL_CELLS) == () for patch in PATCHES)


def test_a_patch_that_does_not_exist() -> None:
    for function in (orientations, placements):
        with pytest.raises(KeyError):
            function("carpet")
    with pytest.raises(KeyError):
        fits("carpet", 0)
