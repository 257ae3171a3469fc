from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.lights import blocks_of
from companion.patchwork.lights import layout_for

counts = st.integers(8, 300)


@given(counts)
def test_the_seats_sides_never_meet_and_are_alike(count: int) -> None:
    layout = layout_for(count)
    one, two = map(set, layout.sides)
    assert not one & two
    assert len(one) == len(two) > 0
    assert {count - 1 - pixel for pixel in one} == two
    assert (layout.side(1)[0], layout.side(2)[0]) == (0, count - 1)


@given(counts)
def test_every_part_lies_on_the_strip_and_parts_do_not_overlap(count: int) -> None:
    layout = layout_for(count)
    parts = [*layout.track, *layout.leather, *layout.lamp(1), *layout.lamp(2)]
    assert len(parts) == len(set(parts))
    assert set(parts) <= set(range(count))


@given(counts)
def test_54_pixels_or_more_have_a_pixel_for_every_space(count: int) -> None:
    layout = layout_for(count)
    assert (len(layout.track), len(layout.leather)) == ((54, 0) if count >= 54 else (0, 5))
    assert list(layout.track) == sorted(layout.track)


@given(counts, st.integers(1, 8))
def test_blocks_are_apart_and_none_is_empty(count: int, number: int) -> None:
    blocks = blocks_of(count, number)
    pixels = [pixel for block in blocks for pixel in block]
    assert len(blocks) == number
    assert all(len(block) > 0 for block in blocks)
    assert len(pixels) == len(set(pixels))
    assert set(pixels) <= set(range(count))


def test_a_long_strip_has_the_track_in_its_middle() -> None:
    assert layout_for(60).track[0] == 3
    assert [len(lamp) for lamp in layout_for(60).lamps] == [3, 3]
    assert [len(lamp) for lamp in layout_for(54).lamps] == [0, 0]


def test_the_lamps_are_the_outermost_pixels() -> None:
    for count in (8, 30, 53, 60, 61):
        one, two = layout_for(count).lamps
        assert list(one) == list(range(len(one)))
        assert list(two) == [count - 1 - index for index in range(len(two))]
