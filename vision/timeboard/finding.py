"""Search for the time board on a table, given only the places of the quilts.

First all places, rotations and sizes are tried coarsely, by the similarity of the income marks there; the best of them
are then refined until their marks fit best.

The design of a printing is unknown. But one button is printed at every income mark, and at no other border between two
spaces; and the places of leather patches show five similar objects. Only a time board in the right orientation has such
marks in just these places.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import reductions
from vision.geometry import SIDE, FailedFit, Homography
from vision.reductions import quantiles
from vision.table.plane import OverheadView, view_table
from vision.timeboard.board import SPACES, Layout

NOISE: Final = 8.0
"""Squared distance of colours, in Lab, between equal marks in a dim picture."""
# Smoothing sigma: a printed button's radius is about 0.22 of a quilt's cell.
_MARK_CELLS: Final = 0.2
# Ratio of the surroundings' sigma; they are subtracted, because light is smooth and cloths differ.
_SURROUNDINGS: Final = 3.0
# Grey level to which the brightest part of a picture is scaled, so that contrasts in the dark count equally.
_BRIGHT: Final = 200.0
# Share of all other places on the board that may look like the marks: two blue cloths meet here and there.
_NEAREST: Final = 0.1
# Weight of leather patches: they are laid by hand, and some have gone.
_LEATHER_COUNTS: Final = 0.5
# Limit of their evidence: dark spots are alike everywhere.
_LEATHER_LIMIT: Final = 10.0


@dataclass(frozen=True, slots=True)
class Alikeness:
    """The evidence for a time board in a place.

    Attributes:
        income: difference of the income marks from everything else on the board, in units of the variation among them.
        leather: the same for the places of leather patches.
    """

    income: float
    leather: float

    @property
    def total(self) -> float:
        """The combined evidence."""
        return self.income + _LEATHER_COUNTS * min(self.leather, _LEATHER_LIMIT)


@dataclass(frozen=True, slots=True, eq=False)
class MarkPlaces:
    """The points to compare on a board of one printing, each (n, 2), in board space.

    Attributes:
        layout: the printing.
        income: the income marks, without the last one, because the shape of the centre differs between printings.
        leather: the marks of leather patches.
        others: borders without a mark, and the middles of spaces.
    """

    layout: Layout
    income: NDArray[np.float64]
    leather: NDArray[np.float64]
    others: NDArray[np.float64]


def mark_places(layout: Layout, income: Sequence[int], leather: Sequence[int]) -> MarkPlaces:
    """Return the places of a printing's marks, given the spaces before which they are."""
    last = SPACES - 1
    marked = {*income, *leather}
    plain = [border for border in range(1, last) if border not in marked]
    others = np.vstack([layout.marks(plain), layout.middles()[1:last]])
    inner = [[mark for mark in marks if mark < last] for marks in (income, leather)]
    return MarkPlaces(layout, layout.marks(inner[0]), layout.marks(inner[1]), others)


def contrasts(picture: NDArray[np.uint8], cell_px: float) -> NDArray[np.float32]:
    """Return the difference of each pixel from its surroundings, in Lab, shape (height, width, 3).

    Args:
        picture: of a table from straight above, BGR.
        cell_px: pixels a cell of a quilt.
    """
    brightest = max(20.0, float(np.percentile(reductions.brightest(picture), 95)))
    bright = np.clip(picture.astype(np.float32) * np.float32(_BRIGHT / brightest / 255), 0, 1)
    lab = cv2.cvtColor(bright, cv2.COLOR_BGR2LAB)
    sigma = _MARK_CELLS * cell_px
    fine, coarse = (cv2.GaussianBlur(lab, (0, 0), each) for each in (sigma, _SURROUNDINGS * sigma))
    return np.asarray(fine - coarse, np.float32)


def alikeness(shown: NDArray[np.float32], places: MarkPlaces, to_picture: NDArray[np.float64]) -> Alikeness:
    """Return the evidence for a board of this printing in a place.

    Args:
        shown: the result of `contrasts`.
        places: the places of the marks.
        to_picture: (2, 3) from board space to the picture.
    """
    others = _at(shown, places.others, to_picture)
    return Alikeness(*(_difference(_at(shown, each, to_picture), others) for each in (places.income, places.leather)))


def pose_matrix(x: float, y: float, size: float, turn_deg: float, scale: float = 1.0) -> NDArray[np.float64]:
    """Return the map, shape (2, 3), from board space to a picture.

    Args:
        x: x of the board's middle, in cells of a quilt.
        y: y of the board's middle, in cells of a quilt.
        size: width of the board, in cells of a quilt.
        turn_deg: clockwise rotation, in degrees.
        scale: pixels a cell.
    """
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * size / SIDE
    shift = np.array([x, y]) - turn @ np.array([SIDE / 2, SIDE / 2])
    return np.asarray(np.column_stack([turn, shift]) * scale)


def _at(
    shown: NDArray[np.float32], points: NDArray[np.float64], to_picture: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return the values at points of board space, shape (n, 3); 0 outside of the picture."""
    there = (points @ to_picture[:, :2].T + to_picture[:, 2] - 0.5).astype(np.float32)
    if not len(there):
        return np.zeros((0, 3), np.float32)
    values = cv2.remap(shown, there[None, :, 0], there[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(values[0], np.float32)


def _difference(marks: NDArray[np.float32], others: NDArray[np.float32]) -> float:
    if not len(marks):
        return 0.0
    usual = marks.mean(axis=0)
    spread = float(((marks - usual) ** 2).sum(axis=1).mean())
    (nearest,) = quantiles(((others - usual) ** 2).sum(axis=1), _NEAREST)
    return min(nearest, float((usual**2).sum())) / (spread + NOISE)


_COARSE_PX, _FINE_PX = 4, 10
"""Pixels to a cell in the first search and in the second."""
# Widths of the printed area in cells of a quilt: measured ones had 7.5 to 8.6.
_SIZES: Final = tuple(np.arange(7.2, 9.4, 0.35).tolist())
_LIMITS: Final = (6.8, 10.2)
# Degrees.
_TURN_STEP: Final = 4
# The least distance of the board's middle from the quilts, and from the edge of the picture.
_OFF_CELLS: Final = 3.2
# The number of best places that are examined more closely; the right one was among the first four on ten tables.
_CHOSEN: Final = 16
_APART_CELLS, _APART_DEG = 1.0, 12.0
# Initial steps of the second search: along x and y, in size, and in degrees.
_STEPS: Final = (0.25, 0.25, 0.15, 3.0)
_LAST_STEP: Final = 0.02
_LEAST_INCOME, _LEAST_TOTAL = 4.0, 5.5
"""Thresholds: ten boards had at least 5.5 and 6.4; on five tables without one in view nothing exceeded 4.6 and 4.7."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundBoard:
    """A time board in a picture.

    Attributes:
        place: map from board space to pixels of the picture.
        layout: its printing.
        alikeness: the evidence for it.
    """

    place: Homography
    layout: Layout
    alikeness: Alikeness


@dataclass(frozen=True, slots=True)
class _Guess:
    """A candidate: its pose as for `pose_matrix`, the number of its printing, and the similarity of its marks."""

    pose: tuple[float, float, float, float]
    printing: int
    score: float

    def is_near(self, other: "_Guess") -> bool:
        """Return whether both are approximately the same place."""
        (x0, y0, _, turn0), (x1, y1, _, turn1) = self.pose, other.pose
        apart_deg = abs((turn0 - turn1 + 180) % 360 - 180)
        near = max(abs(x0 - x1), abs(y0 - y1)) < _APART_CELLS
        return self.printing == other.printing and near and apart_deg < _APART_DEG


def find_time_board(
    image: NDArray[np.uint8],
    boards: Sequence[Homography],
    income: Sequence[int],
    leather: Sequence[int],
    layouts: Iterable[Layout],
) -> FoundBoard | FailedFit:
    """Find the time board, which must be entirely in view.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        boards: maps from each quilt's cell space to the picture.
        income: the spaces before which income marks are printed.
        leather: the spaces before which leather patches may lie.
        layouts: the possible printings.
    """
    printings = [mark_places(layout, income, leather) for layout in layouts]
    guesses = _search(view_table(image, boards, _COARSE_PX), printings)
    fine = view_table(image, boards, _FINE_PX)
    shown = contrasts(fine.picture, _FINE_PX)
    rated = sorted(
        ((_rate(shown, printings[each.printing], each.pose).total, each.pose, each.printing) for each in guesses),
        reverse=True,
    )
    chosen = _distinct(_Guess(pose, printing, score) for score, pose, printing in rated)
    fitted = [_fit(shown, printings[each.printing], each) for each in chosen]
    if not fitted:
        return FailedFit("there is no room for a time board in the picture")
    best = max(fitted, key=lambda each: each.score)
    alike = _rate(shown, printings[best.printing], best.pose)
    if alike.income < _LEAST_INCOME or alike.total < _LEAST_TOTAL:
        return FailedFit(f"no place looks like a time board; the best one has {alike.total:.1f} of {_LEAST_TOTAL}")
    matrix = np.vstack([pose_matrix(*best.pose), [0.0, 0.0, 1.0]])
    return FoundBoard(fine.to_image.after(Homography(matrix)), printings[best.printing].layout, alike)


def _search(view: OverheadView, printings: Sequence[MarkPlaces]) -> list[_Guess]:
    """Return the best place for each printing, size and rotation."""
    room = _room(view)
    rows, columns = np.nonzero(room)
    if not len(rows):
        return []
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    margin = round(_LIMITS[1] * _COARSE_PX)
    shown = contrasts(view.picture, _COARSE_PX)
    padded = np.ascontiguousarray(np.pad(shown, ((margin, margin), (margin, margin), (0, 0))).transpose(2, 0, 1))
    part = padded[:, top : bottom + 2 * margin, left : right + 2 * margin]
    outside = ~room[top:bottom, left:right]
    guesses = []
    for printing, places in enumerate(printings):
        for size in _SIZES:
            for turn_deg in range(0, 360, _TURN_STEP):
                turn = pose_matrix(0, 0, size, turn_deg, _COARSE_PX)[:, :2]
                offsets = (places.income - SIDE / 2) @ turn.T
                scores = _alike(part, np.rint(offsets).astype(int) + margin, outside.shape)
                scores[outside] = 0
                row, column = divmod(int(scores.argmax()), scores.shape[1])
                at = ((column + left + 0.5) / _COARSE_PX, (row + top + 0.5) / _COARSE_PX)
                guesses.append(_Guess((*at, size, float(turn_deg)), printing, float(scores[row, column])))
    return guesses


def _alike(shown: NDArray[np.float32], offsets: NDArray[np.int_], shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return for each place the similarity of the marks, relative to the difference from their surroundings."""
    height, width = shape
    total = np.zeros((3, height, width), np.float32)
    squares = np.zeros((height, width), np.float32)
    squared = shown[0] * shown[0] + shown[1] * shown[1] + shown[2] * shown[2]
    for x, y in offsets.tolist():
        total += shown[:, y : y + height, x : x + width]
        squares += squared[y : y + height, x : x + width]
    usual = (total * total).sum(axis=0) / len(offsets) ** 2
    return np.asarray(usual / (squares / len(offsets) - usual + NOISE), np.float32)


def _room(view: OverheadView) -> NDArray[np.bool_]:
    """Return the mask of possible middles of a time board."""
    free = view.seen.astype(np.uint8)
    for grid in view.boards:
        cv2.fillPoly(free, [np.rint(grid * view.cell_px).astype(np.int32)], (0,))
    away = cv2.distanceTransform(np.pad(free, 1), cv2.DIST_L2, 3)[1:-1, 1:-1]
    return np.asarray(away > _OFF_CELLS * view.cell_px)


def _distinct(guesses: Iterable[_Guess]) -> Iterator[_Guess]:
    chosen: list[_Guess] = []
    for guess in guesses:
        if len(chosen) < _CHOSEN and not any(guess.is_near(other) for other in chosen):
            chosen.append(guess)
            yield guess


def _rate(shown: NDArray[np.float32], places: MarkPlaces, pose: tuple[float, float, float, float]) -> Alikeness:
    return alikeness(shown, places, pose_matrix(*pose, _FINE_PX))


def _fit(shown: NDArray[np.float32], places: MarkPlaces, guess: _Guess) -> _Guess:
    """Refine a pose by coordinate search for the most similar marks."""
    pose, best = np.array(guess.pose), guess.score
    steps = np.array(_STEPS)
    while steps[0] > _LAST_STEP:
        is_better = False
        for index in range(4):
            for sign in (1, -1):
                moved = pose.copy()
                moved[index] += sign * steps[index]
                if not _LIMITS[0] < moved[2] < _LIMITS[1]:
                    continue
                score = _rate(shown, places, _pose(moved)).total
                if score > best:
                    best, pose, is_better = score, moved, True
        if not is_better:
            steps /= 2
    return _Guess(_pose(pose), guess.printing, best)


def _pose(values: NDArray[np.float64]) -> tuple[float, float, float, float]:
    x, y, size, turn_deg = values.tolist()
    return x, y, size, turn_deg
