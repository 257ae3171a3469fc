"""Search for the time board on a table, given only the places of the quilts.

First all places, rotations and sizes are tried coarsely, by the similarity of the income marks there; the best of them
are then refined until their marks fit best.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.geometry.homography import FailedFit, Homography
from vision.geometry.rectify import SIDE
from vision.table.plane import view_table
from vision.timeboard.marks import NOISE, Alikeness, alikeness, contrasts, mark_places, pose_matrix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from vision.table.plane import OverheadView
    from vision.timeboard.layout import Layout
    from vision.timeboard.marks import MarkPlaces

_COARSE_PX, _FINE_PX = 4, 10
"""Pixels to a cell in the first search and in the second."""
_SIZES: Final = tuple(np.arange(7.2, 9.4, 0.35).tolist())
"""Widths of the printed area in cells of a quilt: measured ones had 7.5 to 8.6."""
_LIMITS: Final = (6.8, 10.2)
_TURN_STEP: Final = 4
"""Degrees."""
_OFF_CELLS: Final = 3.2
"""The least distance of the board's middle from the quilts, and from the edge of the picture."""
_CHOSEN: Final = 16
"""The number of best places that are examined more closely; the right one was among the first four on ten tables."""
_APART_CELLS, _APART_DEG = 1.0, 12.0
_STEPS: Final = (0.25, 0.25, 0.15, 3.0)
"""Initial steps of the second search: along x and y, in size, and in degrees."""
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

    def is_near(self, other: _Guess) -> bool:
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
