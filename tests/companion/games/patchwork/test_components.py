"""The box: check sums of the data files, twins, and the marks of both printings."""

from collections import Counter

import pytest

from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH, TIME_TRACKS, Edition, marks_crossed, twins_of


def test_check_sums_of_the_33_patches() -> None:
    patches = PATCHES.values()
    assert len(PATCHES) == 33
    assert sum(patch.size for patch in patches) == 166
    assert sum(patch.buttons for patch in patches) == 133
    assert sum(patch.time for patch in patches) == 107
    assert sum(patch.income for patch in patches) == 38
    assert all(1 <= patch.time <= 6 and 0 <= patch.income <= 3 and 2 <= patch.size <= 8 for patch in patches)


def test_there_are_30_shapes_and_three_pairs_of_twins() -> None:
    twins = {frozenset({name, *twins_of(name)}) for name in PATCHES if twins_of(name)}
    assert twins == {frozenset(pair.split()) for pair in ("corner-b1 corner-b3", "hook-t2 hook-t6", "zig-b3 zig-b7")}


def test_the_circle_can_never_run_empty() -> None:
    assert sum(patch.size for patch in PATCHES.values()) > 2 * 81


def test_the_smallest_patch_is_the_only_one_of_two_cells() -> None:
    assert SMALLEST_PATCH == "domino"
    assert Counter(patch.size for patch in PATCHES.values())[2] == 1


def test_patches_are_drawn_in_their_top_left_corner() -> None:
    for patch in PATCHES.values():
        assert min(row for row, _ in patch.cells) == min(column for _, column in patch.cells) == 0
        assert len(set(patch.cells)) == patch.size


def test_the_printings_differ_in_one_leather_mark() -> None:
    original, revised = TIME_TRACKS[Edition.ORIGINAL], TIME_TRACKS[Edition.REVISED]
    assert original.last_space == revised.last_space == 53
    assert original.income == revised.income == (5, 11, 17, 23, 29, 35, 41, 47, 53)
    assert original.leather == (20, 26, 32, 44, 50)
    assert revised.leather == (26, 32, 38, 44, 50)


@pytest.mark.parametrize(
    ("start", "end", "income", "leather"),
    [
        (0, 4, (), ()),
        (4, 5, (5,), ()),
        (5, 6, (), ()),
        (4, 11, (5, 11), ()),
        (19, 20, (), (20,)),
        (20, 21, (), ()),
        (17, 24, (23,), (20,)),
        (46, 53, (47, 53), (50,)),
        (53, 53, (), ()),
    ],
)
def test_marks_lie_on_the_border_before_their_space(
    start: int, end: int, income: tuple[int, ...], leather: tuple[int, ...]
) -> None:
    track = TIME_TRACKS[Edition.ORIGINAL]
    crossing = marks_crossed(track.income, track.leather, start, end)
    found = (crossing.income, crossing.leather) if crossing else ((), ())
    assert found == (income, leather)
    assert crossing is None or crossing.marks == tuple(sorted(income + leather))
