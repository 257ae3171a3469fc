"""The comparison of both quilts with their expected looks, which follow the decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.patchwork.reading.observation import Observation, UnreadableQuiltError
from companion.patchwork.watching.lattice import lattice_of
from vision.geometry.rectify import SIDE, cells_in_frame
from vision.quilt.changes import changed
from vision.quilt.likelihood import core_ratio, log_likelihood_ratio
from vision.quilt.nudged import is_recognised_nearby
from vision.quilt.windows import RING
from vision.table.placed import PlacedPicture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from companion.patchwork.reading.observation import Understood
    from companion.patchwork.watching.watch import TableWatch
    from vision.quilt.look import Look
    from vision.quilt.memory import QuiltMemory

_GRID: Final = np.pad(np.ones((SIDE, SIDE), np.bool_), 1)
"""The cells of the lattice that are the quilt's own; the others are the ring around it."""
_NEIGHBOURS: Final = np.ones((3, 3), np.uint8)
_UNCHANGED: Final = -1.5
"""Log-likelihood ratio given to a cell whose print was found again near its place, so that it counts as unchanged."""


class QuiltComparer:
    """A comparer of both quilts with their expected looks.

    Args:
        watch: the watch over both quilts, which sees each frame first and begins the expected looks.
    """

    def __init__(self, watch: TableWatch) -> None:
        self._views, self._tracker, self._memories = watch.views, watch.tracker, watch.memories

    def compare(self, seat: int, quilt: int) -> Observation:
        """Compare a seat's quilt in the latest frame with its expected look.

        Args:
            seat: the quilt's seat.
            quilt: the covered cells, as the rules' bit mask.

        Raises:
            UnreadableQuiltError: it cannot be read.
        """
        frame = self._views.frame
        if frame is None or not self._memories.complete or seat not in self._views.settled:
            raise UnreadableQuiltError(seat)
        memory, covered = self._memories.now[seat], lattice_of(quilt)
        expected, displacements = memory.expected(covered), self._tracker.displacements
        found = self._tracker.register(seat, frame.image, expected, is_known=seat in displacements.known)
        windows = changed(expected, found.look)
        ratios = log_likelihood_ratio(windows)
        crept = _recognise(memory, covered, expected, found.look, ratios)
        displacements.seen(seat, aligned=found.aligned)
        if seat in self._tracker.displaced:
            ratios[:, ~_GRID] = 0.0
        height_px, width_px = frame.image.shape[:2]
        # Cells beyond the picture's edge were not seen: they are evidence neither for nor against a patch.
        ratios[:, ~cells_in_frame(self._views.places[seat], width_px, height_px)] = 0.0
        picture, core = PlacedPicture(frame.image, self._views.places), core_ratio(windows)
        return Observation(ratios, core, windows, crept, expected, found.look, found.shift_px, frame.name, picture)

    def follow_decision(self, understood: Mapping[int, Understood]) -> None:
        """Expect, by seat, the looks of quilts that a decision explains; `take_back` forgets them again."""
        self._memories.keep()
        for seat, each in understood.items():
            self.remember(seat, each)

    def take_back(self) -> None:
        """Restore the expected looks from before the latest decision, which may have been misread."""
        self._memories.take_back()

    def remember(self, seat: int, understood: Understood) -> None:
        """Expect the look of a seat's quilt whose observation was understood."""
        memory, view = self._memories.now[seat], understood.observation.look.view
        # `lay` comes first: the other two distinguish the cells that are covered now from bare ones.
        memory.lay(view, lattice_of(understood.quilt))
        memory.follow(view, understood.observation.crept)
        memory.believe(view, _with_neighbours(lattice_of(understood.believed)))
        if seat in self._tracker.displaced:
            self._tracker.displaced.remove(seat)
            memory.surround(view)


def _recognise(
    memory: QuiltMemory, covered: NDArray[np.bool_], expected: Look, look: Look, ratios: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Lower the ratios of cells that match another acceptable look, or show their patch a little beside its place.

    A patch that creeps, nudge by nudge, must still count as lying on its cells.

    Returns:
        The cells whose patch has crept, shape (RING, RING), bool.
    """
    crept = np.zeros((RING, RING), np.bool_)
    suspects = ratios[0] > _UNCHANGED
    if not suspects.any():
        return crept
    other, differs = memory.otherwise(covered), memory.differs(covered)
    # The network runs once more for this, so only if it can clear a suspect.
    if (suspects & differs).any():
        again = log_likelihood_ratio(changed(other, look))
        ratios[:, differs] = np.minimum(ratios, again)[:, differs]
    for row, column in np.argwhere(suspects & covered) - 1:
        if any(is_recognised_nearby(look, each, int(row), int(column)) for each in (expected, other)):
            ratios[:, row + 1, column + 1] = np.minimum(ratios[:, row + 1, column + 1], _UNCHANGED)
            crept[row + 1, column + 1] = True
    return crept


def _with_neighbours(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return cells of the lattice and all adjacent ones, shape (RING, RING)."""
    return np.asarray(cv2.dilate(cells.astype(np.uint8), _NEIGHBOURS), np.bool_)
