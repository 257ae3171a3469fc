"""The circle of patches: in one closed line around the time board, with gaps.

Table space throughout: millimetres, x to the right, y towards the near edge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

import numpy as np

from companion.games.patchwork.components import PATCHES
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Points, Pose
from hardware.simulated.drawing.footprint import Room, patch_footprint, patch_squares, rectangle
from hardware.simulated.drawing.sprites import CELL_MM, extent
from hardware.simulated.scene.layout import Layout, taken

_ROUNDINGS: Final = 4
_STEP_MM: Final = 1.0


class RingLine:
    """A rounded polygon, measured along its length.

    Args:
        corners_mm: (n, 2) in table space, clockwise as seen from above; they are rounded.
        start: position of length 0, as a share of the whole, 0..1.
    """

    def __init__(self, corners_mm: Points, start: float = 0.0) -> None:
        points = corners_mm
        for _ in range(_ROUNDINGS):
            points = _corners_cut(points)
        closed = np.vstack((points, points[:1]))
        lengths = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))))
        self.length_mm = float(lengths[-1])
        self._polygon = (start, closed, lengths)

    @cached_property
    def _course(self) -> tuple[Points, Points]:
        """Points about a millimetre apart, and the directions there; of most lines only the length is needed."""
        start, closed, lengths = self._polygon
        steps = max(8, round(self.length_mm / _STEP_MM))
        along = (start + np.arange(steps) / steps) % 1.0 * self.length_mm
        points = np.column_stack([np.interp(along, lengths, closed[:, axis]) for axis in (0, 1)])
        way = np.roll(points, -2, axis=0) - np.roll(points, 2, axis=0)
        return points, np.degrees(np.arctan2(way[:, 1], way[:, 0]))

    def step(self, length_mm: float) -> int:
        """Return the number of the point at a length along the line."""
        points, _ = self._course
        return round(length_mm / self.length_mm * len(points)) % len(points)

    def at(self, length_mm: float) -> tuple[float, float, float]:
        """Return the point (x, y) at a length along the line, and its direction there, in degrees clockwise from x."""
        points, headings_deg = self._course
        step = self.step(length_mm)
        x, y = points[step]
        return float(x), float(y), float(headings_deg[step])

    def ahead(self, step: int, count: int) -> tuple[Points, Points]:
        """Return the next points, (count, 2), beginning with one of a number, and the directions there, (count,)."""
        points, headings_deg = self._course
        steps = np.arange(step, step + count) % len(points)
        return points[steps], headings_deg[steps]


def _corners_cut(points: Points) -> Points:
    """Return each corner replaced by two points, a quarter of the way to its neighbours (Chaikin)."""
    ahead = np.roll(points, -1, axis=0)
    return np.stack((0.75 * points + 0.25 * ahead, 0.25 * points + 0.75 * ahead), axis=1).reshape(-1, 2)


GAPS_MM: Final = (2.0, 6.0)
"""Range of the gap between two patches."""
TOUCHING_MM: Final = 1.0
"""Gap between touching patches: free room is measured to about a millimetre."""
TOKEN_MM: Final = 13.0
OFF_TOKEN_MM: Final = 5.0
"""Gap around the neutral token, which is tall and would hide nearer patches."""
OFF_OTHERS_MM: Final = 3.0
"""Gap between patches and mats, boards, and the places for buttons."""
# Alternative offsets from the line in millimetres and rotations in degrees, better ones first.
_WAYS: Final = tuple(
    np.array([(aside_mm, turn_deg) for aside_mm in asides_mm for turn_deg in turns_deg])
    for asides_mm, turns_deg in (
        ((0.0, 7.0, -7.0, 14.0, -14.0), (0.0, 180.0)),
        ((20.0, -20.0, 28.0, -28.0, 36.0, -36.0), (0.0, 180.0)),
        ((0.0, 12.0, -12.0), (90.0, 270.0)),
    )
)
# Ratio of the needed length to the sum of the patches' short sides, because patches interlock.
_NESTING: Final = 0.85
# Growth of the line for each patch without room.
_MORE_MM: Final = 45.0
# Growth of the circle's size between two attempts.
_GROWTH: Final = 0.02
# Size of the circle above which it may rather extend beyond the picture.
_FAIR_SIZE: Final = 2.2
# Size at which the table counts as too small.
_LARGEST: Final = 4.0
# Number of neighbouring places on the line, about a millimetre apart, that are examined together.
_AHEAD: Final = 8
# Width and height of a strip across the table; see `Layout.brinks_mm`.
_BRINK_MM: Final = (1300.0, 120.0)


@dataclass(frozen=True, slots=True)
class Circle:
    """The places of the circle.

    Attributes:
        places: by patch.
        token: initial place of the neutral token, clockwise of the last patch.
    """

    places: Mapping[str, Pose]
    token: Pose


@dataclass(frozen=True, slots=True)
class _Wish:
    """A player's preference for a patch: its rotation against the line, its offset from it, and its gap."""

    patch: str
    turn_deg: float
    aside_mm: float
    gap_mm: float

    @property
    def half_mm(self) -> float:
        """Half its short side."""
        return min(extent(PATCHES[self.patch].cells)) * CELL_MM / 2

    def poses(self, points_mm: Points, headings_deg: Points, ways: Points) -> Points:
        """Return its possible poses at points on the line: x, y and rotation, (n, k, 3).

        Args:
            points_mm: (n, 2).
            headings_deg: (n,), the line's directions.
            ways: (k, 2), in `_WAYS`.
        """
        headings = np.radians(headings_deg)
        asides_mm = self.aside_mm + ways[:, 0]
        poses = np.empty((len(points_mm), len(ways), 3))
        poses[..., 0] = points_mm[:, :1] + np.sin(headings)[:, None] * asides_mm
        poses[..., 1] = points_mm[:, 1:] - np.cos(headings)[:, None] * asides_mm
        poses[..., 2] = (headings_deg + self.turn_deg)[:, None] + ways[:, 1]
        return poses


def lay_circle(layout: Layout, market: Sequence[str], conditions: Conditions, rng: np.random.Generator) -> Circle:
    """Lay the patches of a market clockwise, followed by the neutral token.

    Args:
        layout: the table, with the line that the circle follows, which grows until there is room for all.
        market: patch ids, clockwise.
        conditions: the share of touching neighbours.
        rng: source of the start, the gaps and the rotations.

    Raises:
        ValueError: the table is too small for so many patches.
    """
    wishes = tuple(_wish(patch, conditions.touching, rng) for patch in market)
    return _laid(layout, float(rng.random()), wishes)


@lru_cache(maxsize=32)  # a table that is set up again, to resume its evening, has the same circle
def _laid(layout: Layout, start: float, wishes: tuple[_Wish, ...]) -> Circle:
    kept = taken(layout)
    for y_mm in layout.brinks_mm:
        kept.put(rectangle(Pose(0, y_mm), *_BRINK_MM))
    laid = _fitted(layout, start, wishes, kept, _FAIR_SIZE)
    if laid is None:
        laid = _fitted(layout, start, wishes, taken(layout), _LARGEST)
    if laid is None:
        raise ValueError(f"there is no room on the table for a circle of {len(wishes)} patches")
    return laid


def _fitted(layout: Layout, start: float, wishes: Sequence[_Wish], free: Room, largest: float) -> Circle | None:
    """Return the circle along the smallest line that has room for it, or None if that is larger than `largest`."""
    size, needed_mm = 0.0, _NESTING * sum(2 * wish.half_mm + wish.gap_mm for wish in wishes)
    while size <= largest:
        line = RingLine(layout.ring(size), start)
        # Laying takes time: it is not attempted on a line that is clearly too short.
        if line.length_mm >= needed_mm:
            around = _Round(line, free)
            laid = around.lay(wishes)
            if laid is not None:
                return laid
            needed_mm = line.length_mm + _MORE_MM * max(1, len(wishes) - len(around.places))
        size += _GROWTH
    return None


def _wish(patch: str, touching: float, rng: np.random.Generator) -> _Wish:
    high, wide = extent(PATCHES[patch].cells)
    # The short side lies along the line, so that 33 patches fit around the board.
    turn = (0.0 if wide <= high else 90.0) + 180.0 * float(rng.integers(2)) + float(np.clip(rng.normal(0, 4), -15, 15))
    gap = TOUCHING_MM if rng.random() < touching else float(rng.uniform(*GAPS_MM))
    return _Wish(patch, turn, float(np.clip(rng.normal(0, 4), -8, 8)), gap)


# The gap around a pose, and its x, y and rotation; the gap is 0 if no pose is possible.
_Choice: TypeAlias = tuple[float, Points]
_NOWHERE: Final[_Choice] = (0.0, np.zeros(3))


class _Round:
    """One pass along a line, from patch to patch.

    Args:
        line: the line of the patches.
        free: the free room.
    """

    def __init__(self, line: RingLine, free: Room) -> None:
        self._line, self._free, self._laid = line, free, Room()
        self.places: dict[str, Pose] = {}

    def lay(self, wishes: Sequence[_Wish]) -> Circle | None:
        """Return the circle, or None if the line is too short for it."""
        along_mm, half_mm = 0.0, 0.0
        for wish in wishes:
            # The least distance to the previous patch, whatever their shapes.
            found = self._place(wish, along_mm + max(0.0, half_mm + wish.half_mm - CELL_MM))
            if found is None:
                return None
            along_mm, half_mm = found, wish.half_mm
        return self._ended(along_mm)

    def _place(self, wish: _Wish, along_mm: float) -> float | None:
        """Lay a patch at the first free place on the line."""
        seen: dict[int, _Choice] = {}
        while along_mm < self._line.length_mm:
            step = self._line.step(along_mm)
            if step not in seen:
                seen.update(zip(range(step, step + _AHEAD), self._best(wish, step), strict=True))
            room, spot = seen[step]
            if room >= wish.gap_mm:
                x_mm, y_mm, turn_deg = spot.tolist()
                pose = self.places[wish.patch] = Pose(x_mm, y_mm, turn_deg)
                self._laid.put(patch_footprint(wish.patch, pose))
                return along_mm
            # Less than the missing room, so that the first free place is not skipped.
            along_mm += max(0.5, 0.7 * (wish.gap_mm - room)) if room > 0 else 2.5
        return None

    def _best(self, wish: _Wish, step: int) -> list[_Choice]:
        """Return the pose with the largest gap, and the gap, for each of `_AHEAD` places on the line.

        Several places take hardly longer than one.
        """
        points_mm, headings_deg = self._line.ahead(step, _AHEAD)
        found: list[_Choice] = [_NOWHERE] * _AHEAD
        left = np.arange(_AHEAD)
        for ways in _WAYS:
            poses = wish.poses(points_mm[left], headings_deg[left], ways)
            squares = patch_squares(wish.patch, poses.reshape(-1, 3))
            allowed = self._free.at_squares_mm(squares) >= OFF_OTHERS_MM
            rooms = (self._laid.at_squares_mm(squares) * allowed).reshape(len(left), -1)
            some = allowed.reshape(rooms.shape).any(axis=1)
            best = rooms.argmax(axis=1)
            for index in np.flatnonzero(some).tolist():
                found[left[index]] = (float(rooms[index, best[index]]), poses[index, best[index]])
            left = left[~some]
            if not len(left):
                break
        return found

    def _ended(self, along_mm: float) -> Circle | None:
        """Return the circle with its token in the first free place, clockwise of the last patch."""
        while along_mm < self._line.length_mm:
            x_mm, y_mm, _ = self._line.at(along_mm)
            rim_mm = rectangle(Pose(x_mm, y_mm), TOKEN_MM, TOKEN_MM).rim_mm[None]
            if min(self._laid.around_mm(rim_mm)[0], self._free.around_mm(rim_mm)[0]) >= OFF_TOKEN_MM:
                return Circle(self.places, Pose(x_mm, y_mm))
            along_mm += 1.0
        return None
