"""Recognition of both markers on a time board: whose each is, and its space.

Markers may be anything: wood, a button, a coin. Their appearance is learnt after they have left the start, from the
objects that have appeared on the board since. From then on a marker is found by its colour among all changes.

An object is a connected part of what has changed on the board; a marker is found among them by its colour.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELLS_TO_VIEW, VIEW_PX
from vision.quilt.look import WINDOW_PX
from vision.timeboard.board import SPACES, BoardLook, FollowedBoard

LEAST_PX, MOST_PX = 350, 1900
"""Range of a marker's area in view pixels; those measured have 900 to 1,100, including changes by their shadow."""
# Half of the area of those measured.
_HALF_PX: Final = 500
# The distance that a marker may reach beyond the printed area.
_OFF_GRID_CELLS: Final = 0.3
# Distance of colours, in logarithms, up to which a pixel is a marker's; green and yellow buttons are 0.9 apart.
_LIKE: Final = 0.3
# Difference of colours below which markers cannot be distinguished by colour.
_UNLIKE: Final = 0.25
# Weight of brightness against colour: an object's own shading changes with its place under a lamp.
_BRIGHTNESS: Final = 0.5
# Share of an object's radius from which its colour is measured: its rim is shaded.
_CORE: Final = 0.6
# Share of its usual size from which a marker is entirely visible; below, it is partly hidden, and its middle uncertain.
_WHOLE: Final = 0.45
# Share of its usual size from which a marker is visible at all.
_GLIMPSED: Final = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class MarkerAppearance:
    """A marker's appearance.

    Attributes:
        colour: its mean colour, as of `BoardLook.colours`, shape (3,).
        size_px: its area in view pixels, without its shadow.
    """

    colour: NDArray[np.float64]
    size_px: float


@dataclass(frozen=True, slots=True, eq=False)
class BoardObject:
    """An object on the board.

    Attributes:
        middle: (x, y) of its middle, in board space.
        pixels: its mask, shape (VIEW_PX, VIEW_PX).
        colour: its median colour, as of `BoardLook.colours`, shape (3,).
    """

    middle: tuple[float, float]
    pixels: NDArray[np.bool_]
    colour: NDArray[np.float64]

    @property
    def size_px(self) -> int:
        """Its area in view pixels."""
        return int(np.count_nonzero(self.pixels))


def objects_of(
    markers: Mapping[int, MarkerAppearance], colours: NDArray[np.float32], where: NDArray[np.bool_]
) -> dict[int, BoardObject]:
    """Return, by seat, the object of each marker's colour; a marker with none, or with rivals, is left out.

    Args:
        markers: the markers' appearances, by seat.
        colours: of the board, as of `BoardLook.colours`, shape (VIEW_PX, VIEW_PX, 3).
        where: the pixels to search, shape (VIEW_PX, VIEW_PX).
    """
    if not markers:
        return {}
    shown = colours[where]
    away = {seat: _distance(shown, marker.colour) for seat, marker in markers.items()}
    nearest = np.min(np.stack(list(away.values())), axis=0)
    seen = {}
    for seat, marker in markers.items():
        own = _within(where, (away[seat] <= _LIKE) & (away[seat] <= nearest))
        things = [each for each in objects_in(colours, _closed(own)) if each.size_px >= _GLIMPSED * marker.size_px]
        if things:
            best = max(things, key=lambda each: min(each.size_px, marker.size_px))
            rivals = [each for each in things if each is not best and each.size_px > _WHOLE * best.size_px]
            if not rivals:
                seen[seat] = best
    return seen


def is_whole(marker: MarkerAppearance, thing: BoardObject) -> bool:
    """Return whether an object has about the size of the entire marker."""
    return _WHOLE <= thing.size_px / marker.size_px <= 1 / _WHOLE


def are_distinct(one: MarkerAppearance, other: MarkerAppearance) -> bool:
    """Return whether two markers can be told apart by colour."""
    return float(np.linalg.norm(_weighed(one.colour - other.colour))) >= _UNLIKE


def marker_of(look: BoardLook, thing: BoardObject) -> MarkerAppearance:
    """Return the appearance of an object that is a marker, and its size without its shadow."""
    own = _closed(_within(thing.pixels, _distance(look.colours[thing.pixels], thing.colour) <= _LIKE))
    return MarkerAppearance(thing.colour, float(np.count_nonzero(own)))


def changed_pixels(look: BoardLook) -> NDArray[np.bool_]:
    """Return the pixels of the board that have changed, shape (VIEW_PX, VIEW_PX)."""
    ratios = cv2.resize(look.windows.astype(np.float32), (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_LINEAR)
    first, last = CELLS_TO_VIEW([[-_OFF_GRID_CELLS] * 2, [9 + _OFF_GRID_CELLS] * 2])
    within = np.zeros((VIEW_PX, VIEW_PX), np.bool_)
    part = slice(round(first[0]), round(last[0]))
    within[part, part] = True
    return np.asarray((ratios > 0) & within)


def objects_in(colours: NDArray[np.float32], mask: NDArray[np.bool_]) -> list[BoardObject]:
    """Return the connected parts of a mask as objects, given the colours of a board."""
    count, parts, stats, middles = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    things = []
    for part in range(1, count):
        if stats[part, cv2.CC_STAT_AREA] < _GLIMPSED * LEAST_PX:
            continue
        pixels = parts == part
        x, y = CELLS_TO_VIEW.inverse([middles[part]])[0].tolist()
        core = cv2.distanceTransform(pixels.astype(np.uint8), cv2.DIST_L2, 3)
        inner = core >= (1 - _CORE) * core.max()
        things.append(BoardObject((x, y), pixels, np.median(colours[inner].astype(np.float64), axis=0)))
    return things


def _within(mask: NDArray[np.bool_], holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask of those pixels of a mask for which a condition holds, given for each of them in order."""
    own = np.zeros_like(mask)
    own[mask] = holds
    return own


def _distance(colours: NDArray[np.float32], colour: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.asarray(np.linalg.norm(_weighed(colours - colour), axis=-1), np.float32)


def _weighed(apart: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return differences of colours with a lower weight of brightness, shape (..., 3)."""
    brightness = apart.mean(axis=-1, keepdims=True)
    return np.asarray(apart - (1 - _BRIGHTNESS) * brightness)


def grown(mask: NDArray[np.bool_], px: int) -> NDArray[np.bool_]:
    """Return a mask dilated by a number of pixels."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * px + 1, 2 * px + 1))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel), np.bool_)


def _stands_out(colours: NDArray[np.float32], mask: NDArray[np.bool_]) -> float:
    """Return the difference between the colour of a part of the board and what is around it."""
    around = grown(mask, 2 * WINDOW_PX) & ~grown(mask, WINDOW_PX // 2)
    inside, outside = (np.median(colours[each], axis=0) for each in (mask, around))
    return float(np.linalg.norm(_weighed(inside - outside)))


def _closed(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask with small holes closed (such as a button's) and specks removed."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel), np.bool_)


SEATS: Final = (1, 2)
_LAST: Final = SPACES - 1
# Margin around a space that changes when a marker leaves it: markers stand over lines.
_AROUND_START_PX: Final = 14
# Share of an object within a place that a marker has left up to which it stands beside it.
_MOST_INSIDE: Final = 0.25
# Distance from its space up to which a marker counts as standing on it: people are careless.
_AS_BOOKED_CELLS: Final = 0.25
# Distance by which a marker's middle must be inside another space to count as standing on it.
_WITHIN_CELLS: Final = 0.08
# Mean ratio of `_SMOOTHED` windows from which something has appeared or gone; noise reaches 0.4.
_AS_KNOWN: Final = 1.0
# Windows averaged, about the size of a marker.
_SMOOTHED: Final = (3, 3)


Standing: TypeAlias = Mapping[int, int | None]
"""By seat, the marker's space; None if that is uncertain."""


class MarkerReader:
    """A reader of both markers.

    Args:
        board: the board that they stand on.
        times: by seat, the booked space of each marker when the board was found.
        verified: whether both certainly stood there. In the middle of a game one may have been moved already, or left
            behind, and then no statement is made of where it was.
        before: a previous reader of the same board, whose knowledge of the markers' appearance is reused.
    """

    def __init__(
        self,
        board: FollowedBoard,
        times: Mapping[int, int],
        *,
        verified: bool = True,
        before: "MarkerReader | None" = None,
    ) -> None:
        self._board = board
        self._markers: dict[int, MarkerAppearance] = {}
        # Markers that are part of the known look: by seat, their space there.
        self._unmoved = dict(times)
        self._verified = set(SEATS) if verified else set[int]()
        self._agreed: NDArray[np.bool_] | None = None
        # Whether the latest look showed another object as large as a marker.
        self._left_over = False
        if before is not None:
            self._find_again(before._markers)

    def _find_again(self, markers: Mapping[int, MarkerAppearance]) -> None:
        """Find previously known markers in the known look itself, where that is certain."""
        colours = self._board.known_colours
        for seat, thing in objects_of(markers, colours, np.ones(colours.shape[:2], np.bool_)).items():
            away = self._board.layout.distances(*thing.middle)
            if is_whole(markers[seat], thing) and away.min() == 0:
                self._markers[seat], self._unmoved[seat] = markers[seat], int(away.argmin())
                self._verified.add(seat)

    def read(self, image: NDArray[np.uint8], booked: Mapping[int, int], mover: int | None) -> Standing | None:
        """Read a picture of a board at rest; return None if the board is not certainly in view.

        Args:
            image: shape (height, width, 3), uint8, BGR.
            booked: by seat, the expected space of each marker.
            mover: the seat whose marker may have been moved already.
        """
        look = self._board.look(image)
        if look is None:
            return None
        changed = changed_pixels(look)
        seen = self._see(look, changed, booked, mover)
        spaces = {seat: self._space(seat, seen.get(seat), look, booked[seat]) for seat in SEATS}
        for seat in SEATS:
            if seat not in seen and spaces[seat] is None and self._is_hidden(seat, seen, spaces[3 - seat], booked):
                spaces[seat] = booked[seat]
        agrees = all(space is None or space == booked[seat] for seat, space in spaces.items())
        if agrees and all(seat in seen or self._is_settled(seat, spaces[seat], booked[seat]) for seat in SEATS):
            self._learn_surroundings(look, changed, seen)
        else:
            self._agreed = None
        return spaces

    def _is_settled(self, seat: int, space: int | None, booked: int) -> bool:
        """Return whether a marker that is not detected is still part of the known look, on its booked space.

        If the books are ahead of a marker that is still to be moved, or one has left its place, any new object may be
        that marker.
        """
        return space is not None and self._unmoved.get(seat) == booked

    def _see(
        self, look: BoardLook, changed: NDArray[np.bool_], booked: Mapping[int, int], mover: int | None
    ) -> dict[int, BoardObject]:
        """Return, by seat, the markers detected away from their place in the known look."""
        seen = objects_of(self._markers, look.colours, changed)
        unknown = [seat for seat in SEATS if seat not in self._markers]
        if not unknown:
            return seen
        taken = np.zeros_like(changed)
        for thing in seen.values():
            taken |= grown(thing.pixels, WINDOW_PX)
        near = changed & ~taken
        arrivals = self._arrivals(look, near)
        named = self._named(arrivals, self._gone(look, arrivals, unknown, booked), booked, mover)
        self._left_over = len(arrivals) > len(named)
        seen.update(named)
        for seat in unknown:
            if seat in seen and _shows_enough(seen[seat], near) and self._stands_on(seen[seat], booked[seat]):
                self._markers[seat] = marker_of(look, seen[seat])
        if not arrivals:
            # Its appearance is not learnt there, because the other marker may cover a part of it.
            seen.update(self._joined(look, near, [seat for seat in unknown if seat not in seen], booked))
        return {
            seat: thing
            for seat, thing in seen.items()
            if seat not in unknown or self._stands_on(thing, booked[seat]) or self._has_come(look, changed, seat, thing)
        }

    def _arrivals(self, look: BoardLook, changed: NDArray[np.bool_]) -> list[BoardObject]:
        """Return the objects of a marker's size that have appeared beside the markers' places in the known look.

        A marker on the next space extends into the margin of the place that it left, but not into the place itself;
        where it is one with what has changed in that place, only its part beside the margin is returned.
        """
        places = self._unmoved.values()
        inside, away = _in_view(self._windows_of(places)), ~self._around(places)
        arrivals = []
        for thing in objects_in(look.colours, changed):
            if not (thing.pixels & away).any():
                continue
            is_beside = np.count_nonzero(thing.pixels & inside) <= _MOST_INSIDE * thing.size_px
            if is_beside and thing.size_px <= MOST_PX:
                arrivals.append(thing)
            else:
                arrivals += objects_in(look.colours, thing.pixels & away)
        return [each for each in arrivals if LEAST_PX <= each.size_px <= MOST_PX]

    def _has_come(self, look: BoardLook, changed: NDArray[np.bool_], seat: int, thing: BoardObject) -> bool:
        """Return whether a marker went from its space in the known look to an object, and not the other way.

        A marker that stood elsewhere when the board was found changes the same two places when it is put back. It
        stands out against what is around it, and the board's spaces do so less.
        """
        start = self._unmoved.get(seat)
        if seat in self._verified or start is None:
            return True
        things = objects_in(look.colours, changed & self._around([start]) & ~thing.pixels)
        if not things:
            return True
        here, known = max(things, key=lambda each: each.size_px).pixels, self._board.known_colours
        went = _stands_out(known, here) + _stands_out(look.colours, thing.pixels)
        return went >= _stands_out(look.colours, here) + _stands_out(known, thing.pixels)

    def _joined(
        self, look: BoardLook, changed: NDArray[np.bool_], unknown: list[int], booked: Mapping[int, int]
    ) -> dict[int, BoardObject]:
        """Return the marker that has joined the other one, which is part of the known look.

        This is assumed only for its booked space, and for the last one, where both end up.
        """
        for seat in unknown:
            start, others = self._unmoved.get(seat), self._unmoved.get(3 - seat)
            has_left = start is None or not self._is_as_known(look, start)
            if others is None or others == start or others not in (booked[seat], _LAST) or not has_left:
                continue
            near = changed if start is None else changed & ~self._around([start])
            things = [each for each in objects_in(look.colours, near) if LEAST_PX <= each.size_px <= MOST_PX]
            if len(things) == 1 and self._stands_on(things[0], others):
                return {seat: things[0]}
        return {}

    def _gone(
        self, look: BoardLook, arrivals: list[BoardObject], unknown: list[int], booked: Mapping[int, int]
    ) -> list[int]:
        """Return the seats of markers of unknown appearance that have left their space in the known look.

        The lower one of two may leave unnoticed: then an object must have appeared on its booked space.
        """
        return [
            seat
            for seat in unknown
            if seat not in self._unmoved
            or not self._is_as_known(look, self._unmoved[seat])
            or (self._is_shared and any(self._stands_on(thing, booked[seat]) for thing in arrivals))
        ]

    @property
    def _is_shared(self) -> bool:
        """True if both markers are part of the known look on one space: either may have left it."""
        return len(self._unmoved) > len(set(self._unmoved.values()))

    def _named(
        self, arrivals: list[BoardObject], unknown: list[int], booked: Mapping[int, int], mover: int | None
    ) -> dict[int, BoardObject]:
        """Return the new objects by seat, as far as there is no doubt."""
        moved = [seat for seat in unknown if booked[seat] != self._unmoved.get(seat)]
        if len(arrivals) == 1:
            if len(moved) == 1:
                return {moved[0]: arrivals[0]}
            if not moved and mover in unknown:
                return {mover: arrivals[0]}
        elif len(arrivals) == 2 and len(moved) == 1 and mover in unknown and mover not in moved:
            booked_one = [each for each in arrivals if self._stands_on(each, booked[moved[0]])]
            if len(booked_one) == 1:
                return {moved[0]: booked_one[0], mover: next(each for each in arrivals if each is not booked_one[0])}
        elif len(arrivals) == 2 and len(unknown) == 2 and len(moved) == 2:
            return self._both_named(arrivals, booked, mover)
        return {}

    def _both_named(
        self, arrivals: list[BoardObject], booked: Mapping[int, int], mover: int | None
    ) -> dict[int, BoardObject]:
        """Return two new objects by seat if both markers have left their known places."""
        for one, other in (arrivals, arrivals[::-1]):
            if self._stands_on(one, booked[1]) and self._stands_on(other, booked[2]):
                return {1: one, 2: other} if not self._stands_on(one, booked[2]) else {}
        if mover is None:
            return {}
        # The mover's marker has been moved again, so the one on the other's booked space is the other's.
        stayed = [each for each in arrivals if self._stands_on(each, booked[3 - mover])]
        if len(stayed) != 1:
            return {}
        return {3 - mover: stayed[0], mover: next(each for each in arrivals if each is not stayed[0])}

    def _space(self, seat: int, thing: BoardObject | None, look: BoardLook, booked: int) -> int | None:
        if thing is None:
            start = self._unmoved.get(seat)
            if start is None or not self._is_as_known(look, start):
                return None
            return start if start == booked or (seat in self._verified and not self._is_shared) else None
        marker = self._markers.get(seat)
        away = self._board.layout.distances(*thing.middle)
        if away[booked] <= _AS_BOOKED_CELLS:
            return booked
        if marker is not None and not self._is_trusted(marker, thing):
            return None
        space = int(away.argmin())
        return None if away[space] > 0 or np.delete(away, space).min() < _WITHIN_CELLS else space

    def _is_hidden(
        self, seat: int, seen: Mapping[int, BoardObject], others: int | None, booked: Mapping[int, int]
    ) -> bool:
        """Return whether a marker that is not detected may be assumed on its booked space.

        It is under the other one, or it has stayed where both were part of the known look: otherwise it would be
        detected elsewhere.
        """
        stayed = self._is_shared and self._unmoved.get(seat) == booked[seat] and 3 - seat in seen
        return others == booked[seat] or (stayed and not self._left_over)

    def _is_as_known(self, look: BoardLook, space: int) -> bool:
        """Return whether nothing as large as a marker has changed on a space."""
        return float(cv2.blur(look.windows, _SMOOTHED)[self._windows_of([space])].max()) <= _AS_KNOWN

    def _is_trusted(self, marker: MarkerAppearance, thing: BoardObject) -> bool:
        """Return whether the object is certainly this marker, and entirely visible."""
        others = [other for other in self._markers.values() if other is not marker]
        return all(are_distinct(marker, other) for other in others) and is_whole(marker, thing)

    def _stands_on(self, thing: BoardObject, space: int) -> bool:
        return bool(self._board.layout.distances(*thing.middle)[space] <= _AS_BOOKED_CELLS)

    def _learn_surroundings(self, look: BoardLook, changed: NDArray[np.bool_], seen: Mapping[int, BoardObject]) -> None:
        """Learn other changes as part of the board once two looks agree on them, such as leather that was taken."""
        markers = np.zeros_like(changed)
        for thing in seen.values():
            markers |= grown(thing.pixels, WINDOW_PX)
        rest = grown(changed & ~markers, WINDOW_PX // 2) & ~markers
        if self._agreed is not None and np.array_equal(_coarse(rest), _coarse(self._agreed)):
            if rest.any():
                self._board.learn(look, rest)
            self._unmoved = {seat: start for seat, start in self._unmoved.items() if seat not in seen}
        self._agreed = rest

    def _around(self, spaces: Iterable[int]) -> NDArray[np.bool_]:
        """Return the pixels of spaces, and those around them."""
        return grown(_in_view(self._windows_of(spaces)), _AROUND_START_PX)

    def _windows_of(self, spaces: Iterable[int]) -> NDArray[np.bool_]:
        """Return the windows of spaces, shape (WINDOWS, WINDOWS)."""
        shown = np.zeros((VIEW_PX, VIEW_PX), np.uint8)
        layout = self._board.layout
        for space in set(spaces):
            for left, top, right, bottom in layout.rectangles[layout.owners == space]:
                first, last = (np.rint(CELLS_TO_VIEW([corner])[0]) for corner in ((left, top), (right, bottom)))
                cv2.rectangle(shown, first.astype(int).tolist(), last.astype(int).tolist(), (1,), -1)
        side = VIEW_PX // WINDOW_PX
        return np.asarray(shown.reshape(side, WINDOW_PX, side, WINDOW_PX).mean(axis=(1, 3)) > 0.5)


def _shows_enough(thing: BoardObject, changed: NDArray[np.bool_]) -> bool:
    """Return whether an object is all of what has changed there, or about half of a marker.

    Of one that goes on where a marker has left, no more than its edge and its shadow may be seen.
    """
    goes_on = (grown(thing.pixels, 1) & changed & ~thing.pixels).any()
    return thing.size_px >= _HALF_PX or not goes_on


def _in_view(windows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the pixels of windows, shape (VIEW_PX, VIEW_PX)."""
    return np.kron(windows.astype(np.uint8), np.ones((WINDOW_PX, WINDOW_PX), np.uint8)) > 0


def _coarse(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the cells of a coarse lattice that a mask fills, so that two looks agree in spite of noise."""
    return np.asarray(cv2.resize(mask.astype(np.float32), (12, 12), interpolation=cv2.INTER_AREA) > 0.3)
