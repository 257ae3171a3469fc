"""The use of each pixel: seat 1's side begins at the strip's first pixel, seat 2's at its last."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from companion.lights.colours import SEAT_COLOURS
from companion.lights.staged import FEWEST_PIXELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.ports import RGB

TRACK_PIXELS = 54
"""The spaces 0 to 53 of the time track."""
LEATHER_PIXELS = 5


@dataclass(frozen=True, slots=True)
class StripLayout:
    """The parts of a strip; all are pixel indices.

    Attributes:
        count: the number of pixels.
        track: the pixel of every space of the time track; empty on a strip too short for it.
        sides: the pixels for the effects of seat 1 and of seat 2, from the end of the strip inwards; they do not
            overlap.
        lamps: the outermost part of each side, which shows the turn; may be empty on a long strip.
        leather: on a strip without a track, a pixel for each leather patch, in the order of their marks.
        colours: the colours of seat 1 and seat 2.
    """

    count: int
    track: Sequence[int]
    sides: tuple[Sequence[int], Sequence[int]]
    lamps: tuple[Sequence[int], Sequence[int]]
    leather: Sequence[int]
    colours: Sequence[RGB] = SEAT_COLOURS

    def side(self, seat: int) -> Sequence[int]:
        """Return the pixels for the effects of seat 1 or 2, from the end inwards."""
        return self.sides[seat - 1]

    def lamp(self, seat: int) -> Sequence[int]:
        """Return the pixels that show that it is the turn of seat 1 or 2."""
        return self.lamps[seat - 1]

    def colour(self, seat: int) -> RGB:
        """Return the colour of seat 1 or 2."""
        return self.colours[seat - 1]

    def blocks(self, number: int) -> list[Sequence[int]]:
        """Return the strip in `number` parts of about equal length, a dark pixel between them if there is room."""
        bounds = [index * self.count // number for index in range(number + 1)]
        spans = [range(start, max(start + 1, end)) for start, end in pairwise(bounds)]
        return [span[:-1] if len(span) > 2 and span[-1] != self.count - 1 else span for span in spans]


def layout_for(count: int, colours: Sequence[RGB] = SEAT_COLOURS) -> StripLayout:
    """Return the parts of a strip of `count` pixels, on which seat 1 and seat 2 have these colours.

    Raises:
        ValueError: `count` is below 8.
    """
    if count < FEWEST_PIXELS:
        raise ValueError(f"a strip of {count} pixels is too short: {FEWEST_PIXELS} are needed")
    return replace(_with_track(count) if count >= TRACK_PIXELS else _with_segments(count), colours=tuple(colours))


def _with_track(count: int) -> StripLayout:
    before = (count - TRACK_PIXELS) // 2
    track = range(before, before + TRACK_PIXELS)
    return StripLayout(
        count=count,
        track=track,
        sides=_sides(count, count // 2),
        lamps=(range(before), range(count - 1, track[-1], -1)),
        leather=(),
    )


def _with_segments(count: int) -> StripLayout:
    length = (count - LEATHER_PIXELS) // 2
    one, two = _sides(count, length)
    lamp = max(1, length // 4)
    return StripLayout(
        count=count,
        track=(),
        sides=(one, two),
        lamps=(one[:lamp], two[:lamp]),
        leather=range(length, length + LEATHER_PIXELS),
    )


def _sides(count: int, length: int) -> tuple[range, range]:
    return range(length), range(count - 1, count - 1 - length, -1)
