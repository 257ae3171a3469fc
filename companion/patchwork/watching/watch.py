"""The watch over both quilts, frame by frame: their places, whether they rest, and their expected looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.locator import SEATS
from calibration.profile import Profile
from companion.patchwork.watching.lattice import lattice_of
from companion.patchwork.watching.memories import Memories
from companion.patchwork.watching.motion import is_distinctive, without
from companion.patchwork.watching.reference import EmptyReference
from companion.patchwork.watching.tracking import BoardTracker
from companion.patchwork.watching.views import BoardViews
from vision.board.grid_fit import GridFit, fit_grid
from vision.geometry.rectify import SIDE, cells_in_frame
from vision.quilt.changes import changed
from vision.quilt.likelihood import core_ratio, log_likelihood_ratio
from vision.quilt.look import Look, look_at
from vision.quilt.memory import QuiltMemory
from vision.quilt.nudged import is_recognised_nearby
from vision.quilt.thumbnail import SQUARES, reaching, thumbnail
from vision.quilt.windows import RING
from vision.stillness import Stillness
from vision.table.placed import PlacedPicture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from calibration.locator import QuiltLocator
    from companion.patchwork.watching.displacement import Displacement
    from hardware.ports import Frame
    from vision.geometry.homography import Homography

_GRID: Final = np.pad(np.ones((SIDE, SIDE), np.bool_), 1)
"""The cells of the lattice that are the quilt's own; the others are the ring around it."""
_NEIGHBOURS: Final = np.ones((3, 3), np.uint8)
_UNCHANGED: Final = -1.5
"""Log-likelihood ratio given to a cell whose print was found again near its place, so that it counts as unchanged."""


class UnreadableQuiltError(LookupError):
    """A quilt cannot be read: it is out of view or not at rest, or a board was never seen empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """The observation of a quilt in one frame, compared with its memory.

    Attributes:
        ratios: log-likelihood ratio changed / as expected for each shift of the piece laid and each cell of the
            lattice, shape (len(SHIFTS), RING, RING).
        core: the ratios of the cells' middles alone, shape (RING, RING).
        windows: the ratio of each window, from which the others are derived, shape (WINDOWS, WINDOWS).
        crept: cells whose print was found again a little beside its place, shape (RING, RING), bool.
        expected: the look it was compared with.
        look: the registered look.
        shift_px: how far the board has moved since the last look, in view pixels.
        frame: the frame's name.
        picture: the frame's image with the boards' places.
        is_shaken: whether it depends on a belief whose decision was undone.
    """

    ratios: NDArray[np.float64]
    core: NDArray[np.float64]
    windows: NDArray[np.float64]
    crept: NDArray[np.bool_]
    expected: Look
    look: Look
    shift_px: float
    frame: str
    picture: PlacedPicture
    is_shaken: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Understood:
    """An observation of a quilt that a decision explains.

    Attributes:
        observation: the observation.
        quilt: the covered cells now, as the rules' bit mask.
        believed: the cells that players have confirmed, as a bit mask; the cells next to them are confirmed, too.
    """

    observation: Observation
    quilt: int
    believed: int = 0


class TableWatch:
    """The states of both quilts in one camera's frames.

    The first frames at rest, before anything is placed, are the empty references; `ready` is true once they are
    taken.

    Args:
        locator: the locator of the quilts.
        settle_frames: the number of frames that must agree before a quilt counts as settled.
    """

    def __init__(self, locator: QuiltLocator, settle_frames: int = 2) -> None:
        self._locator = locator
        self._views = BoardViews(locator, settle_frames)
        self._tracker = BoardTracker(self._views, locator)
        self._memories = Memories()
        self._empty: dict[int, NDArray[np.uint8]] = {}
        self._unrecognised: dict[int, int] = {}
        self._references = {seat: EmptyReference() for seat in SEATS}
        self._stillness = Stillness()

    @property
    def frame(self) -> Frame | None:
        """The latest frame, or None before the first."""
        return self._views.frame

    @property
    def places(self) -> Mapping[int, Homography]:
        """By seat, the map from cell space to the latest frame's pixels, for the quilts in view."""
        return self._views.places

    @property
    def picture(self) -> PlacedPicture | None:
        """The latest frame's image with the boards' places, or None before the first frame."""
        return None if self._views.frame is None else PlacedPicture(self._views.frame.image, self._views.places)

    @property
    def blank(self) -> bool:
        """True if the latest frame shows nothing at all."""
        return self._views.blank

    @property
    def ready(self) -> bool:
        """True once both empty boards have been seen."""
        return len(self._memories) == len(SEATS)

    def settled(self, seat: int) -> bool:
        """Return whether a seat's quilt is in view and at rest."""
        return self._views.settled(seat)

    def readable(self, seat: int) -> bool:
        """Return whether a seat's quilt can be read: it is in view and at rest, and both boards were seen empty."""
        return self.ready and self.settled(seat)

    @property
    def at_rest(self) -> bool:
        """True if both quilts can be read."""
        return all(self.readable(seat) for seat in SEATS)

    def thumbnail(self, seat: int) -> NDArray[np.float32]:
        """Return a thumbnail of a seat's quilt, to compare with earlier ones by `vision.quilt.thumbnail.is_alike`.

        Raises:
            KeyError: the quilt is not in view.
        """
        return thumbnail(self._views[seat])

    def empty_thumbnail(self, seat: int) -> NDArray[np.float32]:
        """Return a thumbnail of a seat's board when it was empty, without an arm over it.

        Raises:
            KeyError: no empty reference was taken.
        """
        return thumbnail(self._empty[seat])

    def reached_over(self, seat: int) -> int:
        """Return the number of squares around a seat's quilt covered by something that reaches over it.

        Raises:
            KeyError: the quilt is not in view, or no empty reference was taken.
        """
        windows = changed(look_at(self._empty[seat]), self._views.look_at(seat))
        return reaching(windows.reshape(SQUARES, 2, SQUARES, 2).mean(axis=(1, 3)) > 0)

    def profile(self) -> Profile:
        """Return the empty references and the boards' places, to be stored.

        Raises:
            KeyError: the empty boards have not been seen yet.
        """
        return Profile(dict(self._empty), {seat: self._locator.place(seat) for seat in self._empty})

    def restore(self, profile: Profile, quilts: Mapping[int, int]) -> None:
        """Continue with boards that were seen empty earlier.

        Args:
            profile: the stored profile.
            quilts: by seat, the cells covered now, as the rules' bit mask; their look is taken from the first frames at
                rest.
        """
        for seat in SEATS:
            self._locator.put(seat, profile.places[seat])
            self._references[seat].complete = True
            self._empty[seat] = profile.empty[seat]
            self._unrecognised[seat] = quilts[seat]
            self._tracker.expected[seat] = without(look_at(profile.empty[seat]), lattice_of(quilts[seat]))
            self._tracker.displacements.expect(seat)

    def restart_rest(self) -> None:
        """Restart the count of frames at rest."""
        self._stillness.end()
        self._views.restart_rest()

    def see(self, frame: Frame) -> None:
        """Process the next frame."""
        # Still frames are not skipped while a board is yet to be recognised: they are what its reference is made of.
        if self.ready and not self._unrecognised and self._stillness.holds(frame.image):
            self._views.rest_on(frame)
            return
        self._views.see(frame)
        for seat in self._views.places:
            if not self._references[seat].complete:
                self._update_reference(seat, frame)
            elif seat in self._unrecognised and self.settled(seat):
                self._recognise_restored(seat, frame)

    def look(self, seat: int, quilt: int) -> Observation:
        """Compare a seat's quilt in the latest frame with its memory.

        Args:
            seat: the quilt's seat.
            quilt: the covered cells, as the rules' bit mask.

        Raises:
            UnreadableQuiltError: it cannot be read.
        """
        frame = self._views.frame
        if frame is None or not self.readable(seat):
            raise UnreadableQuiltError(seat)
        expected = self._memories[seat].expected(lattice_of(quilt))
        is_known = self._tracker.displacements.knows(seat)
        aligned, shift_px = self._tracker.register(seat, frame.image, expected, is_known=is_known)
        look = self._views.look_at(seat)
        windows = changed(expected, look)
        ratios = log_likelihood_ratio(windows)
        crept = self._recognise(seat, quilt, look, ratios)
        self._tracker.displacements.seen(seat, aligned=aligned)
        if seat in self._tracker.displaced:
            ratios[:, ~_GRID] = 0.0
        height_px, width_px = frame.image.shape[:2]
        # Cells beyond the picture's edge were not seen: they are evidence neither for nor against a patch.
        ratios[:, ~cells_in_frame(self._views.places[seat], width_px, height_px)] = 0.0
        picture = PlacedPicture(frame.image, self._views.places)
        return Observation(ratios, core_ratio(windows), windows, crept, expected, look, shift_px, frame.name, picture)

    def _recognise(self, seat: int, quilt: int, look: Look, ratios: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Lower the ratios of cells that match another acceptable look, or show their patch a little beside its place.

        A patch that creeps, nudge by nudge, must still count as lying on its cells.

        Returns:
            The cells whose patch has crept, shape (RING, RING), bool.
        """
        covered, memory = lattice_of(quilt), self._memories[seat]
        crept = np.zeros((RING, RING), np.bool_)
        suspects = ratios[0] > _UNCHANGED
        if not suspects.any():
            return crept
        expected, other, differs = self._tracker.expected[seat], memory.otherwise(covered), memory.differs(covered)
        # The network runs once more for this, so only if it can clear a suspect.
        if (suspects & differs).any():
            again = log_likelihood_ratio(changed(other, look))
            ratios[:, differs] = np.minimum(ratios, again)[:, differs]
        for row, column in np.argwhere(suspects & covered) - 1:
            if any(is_recognised_nearby(look, each, int(row), int(column)) for each in (expected, other)):
                ratios[:, row + 1, column + 1] = np.minimum(ratios[:, row + 1, column + 1], _UNCHANGED)
                crept[row + 1, column + 1] = True
        return crept

    def displacements(self) -> tuple[Displacement, ...]:
        """Return the board movements found by looks since the last call, each once."""
        return self._tracker.displacements.take()

    def take_back(self) -> None:
        """Restore the expected looks from before the latest decision, which may have been misread."""
        self._memories.take_back()

    def follow_decision(self, understood: Mapping[int, Understood]) -> None:
        """Remember, by seat, the looks of quilts that a decision explains; `take_back` forgets them again."""
        self._memories.keep()
        for seat, each in understood.items():
            self.remember(seat, each)

    def remember(self, seat: int, understood: Understood) -> None:
        """Remember the look of a seat's quilt whose observation was understood."""
        memory, view = self._memories[seat], understood.observation.look.view
        # `lay` comes first: the other two distinguish the cells that are covered now from bare ones.
        memory.lay(view, lattice_of(understood.quilt))
        memory.follow(view, understood.observation.crept)
        memory.believe(view, _with_neighbours(lattice_of(understood.believed)))
        if seat in self._tracker.displaced:
            self._tracker.displaced.remove(seat)
            memory.surround(view)

    def _update_reference(self, seat: int, frame: Frame) -> None:
        """Add this frame to the empty reference; before the reference exists, refine the quilt's place by the grid."""
        reference, settled = self._references[seat], self.settled(seat)
        # Once frames are part of the reference its place must not change: the next ones are averaged with them.
        if not settled and not reference.taken:
            fitted = fit_grid(frame.image, self._views.places[seat])
            if isinstance(fitted, GridFit):
                self._views.adopt(seat, fitted.cells_to_image)
        reference.offer(self._views[seat], settled)
        if settled:
            self._empty[seat] = reference.mean
            self._memories[seat] = QuiltMemory(reference.mean)
            self._locator.keep(seat)

    def _recognise_restored(self, seat: int, frame: Frame) -> None:
        """Remember the covered cells of a quilt that was seen empty on an earlier occasion, once its board is there."""
        covered = lattice_of(self._unrecognised[seat])
        expected = self._tracker.expected[seat]
        aligned, _ = self._tracker.register(seat, frame.image, expected, is_known=is_distinctive(covered))
        # A place that is merely held may be bare table by now. On a mat the board is where its markers are.
        if not aligned and is_distinctive(covered) and self._locator.is_held:
            self._tracker.displacements.seen(seat, aligned=False)
            return
        del self._unrecognised[seat]
        self._memories[seat] = QuiltMemory(self._empty[seat])
        self._memories[seat].lay(self._views.look_at(seat).view, covered)


def _with_neighbours(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return cells of the lattice and all adjacent ones, shape (RING, RING)."""
    return np.asarray(cv2.dilate(cells.astype(np.uint8), _NEIGHBOURS), np.bool_)
