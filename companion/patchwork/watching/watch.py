"""The watch over both quilts, frame by frame: their places, whether they rest, and their boards' empty looks."""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS, QuiltLocator
from calibration.stored import Profile
from companion.games.patchwork.cells import SIDE
from companion.patchwork.watching.tracking import (
    SLIPPED_PX,
    BoardTracker,
    BoardViews,
    Displacement,
    is_distinctive,
    is_elsewhere,
    moved_px,
    without,
)
from hardware.ports import Frame
from vision.board.grid import GridFit, fit_grid
from vision.geometry import Homography
from vision.quilt.changes import changed, log_likelihood_ratio
from vision.quilt.look import SQUARES, Look, QuiltMemory, look_at, reaching, thumbnail
from vision.stillness import Stillness, Unrest, shows_the_same
from vision.table.plane import PlacedPicture

REFERENCE_FRAMES: Final = 5
"""The most frames of the empty boards to average; their noise is in every later comparison."""


class EmptyReference:
    """The mean of the first frames at rest; it ends with the first motion, because a patch may follow.

    It is `taken` once it exists, and `complete` once no further frames are wanted.
    """

    def __init__(self) -> None:
        self._views: list[NDArray[np.uint8]] = []
        self.taken = False
        self.complete = False

    def offer(self, view: NDArray[np.uint8], settled: bool) -> None:
        """Add the next view, unless the board has moved.

        A patch laid between two frames may change so little of a view that it counts as settled, so views are compared
        too.
        """
        if not settled or (self._views and not shows_the_same(self._views[-1], view)):
            self.complete = self.taken
            if not self.complete:
                self._views.clear()
        if not self.complete:
            self._views.append(view)
            self.taken = self.taken or settled
            self.complete = len(self._views) >= REFERENCE_FRAMES

    @property
    def mean(self) -> NDArray[np.uint8]:
        """The mean of the views, of their shape, uint8."""
        return np.asarray(np.rint(np.mean(np.stack(self._views), axis=0)), np.uint8)


class Memories:
    """The expected looks of the quilts, by seat.

    Attributes:
        complete: whether both empty boards have been seen.
        in_doubt: whether they have yet to be checked for what lies on them: nothing is read meanwhile.
    """

    def __init__(self) -> None:
        self.now: dict[int, QuiltMemory] = {}
        self.complete, self.in_doubt = False, False
        # One for each decision, the latest on the right; without those before the program's start.
        self._earlier: list[dict[int, QuiltMemory]] = []

    @property
    def are_empty_known(self) -> bool:
        """True once both empty boards have been seen, and are not in doubt."""
        return self.complete and not self.in_doubt

    def begin(self, seat: int, memory: QuiltMemory) -> None:
        """Replace the memory of a quilt, and forget its history."""
        self.now[seat] = memory
        self.complete = len(self.now) == len(SEATS)
        for memories in self._earlier:
            memories.pop(seat, None)

    def forget(self) -> None:
        """Forget both quilts, whose boards were not empty."""
        self.now.clear()
        self._earlier.clear()
        self.complete = False

    def keep(self) -> None:
        """Save the memories before the effects of a decision are added."""
        self._earlier.append(dict(self.now))

    def take_back(self, covered: Mapping[int, NDArray[np.bool_]]) -> Collection[int]:
        """Restore the memories from before the latest decision.

        Args:
            covered: by seat, the cells that patches cover without it, shape (RING, RING), bool.

        Returns:
            The seats whose board's surroundings were learnt with that decision.
        """
        earlier, now = self._earlier.pop() if self._earlier else {}, self.now
        then = {seat: earlier.get(seat, memory) for seat, memory in now.items()}
        self.now = {seat: now[seat].back_to(then[seat], covered[seat]) for seat in now}
        return [seat for seat in now if now[seat].surroundings is not then[seat].surroundings]


def lattice_of(mask: int) -> NDArray[np.bool_]:
    """Return a quilt's cells on the lattice, shape (RING, RING), bool; the ring is false."""
    bits = np.array([mask >> index & 1 for index in range(SIDE * SIDE)], np.bool_).reshape(SIDE, SIDE)
    return np.pad(bits, 1)


def mask_of_lattice(cells: NDArray[np.bool_]) -> int:
    """Return the cells of the quilt that are true on the lattice, as a bit mask."""
    return sum(1 << int(index) for index in np.flatnonzero(cells[1:-1, 1:-1]))


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The changes that a look found on the cells of a quilt.

    Attributes:
        changed: the probability that each cell changed since the last decision, shape (SIDE, SIDE).
        looked_s: the time of the frame.
    """

    changed: NDArray[np.float64]
    looked_s: float


class TableWatch:
    """The states of both quilts in one camera's frames.

    The first frames at rest, before anything is placed, are the empty references; `ready` is true once they are
    taken.

    Attributes:
        locator: the source of the boards' places.
        memories: the expected looks of the quilts; this watch begins them, and `QuiltComparer` continues them.
        evidence: by seat, what the latest look found, until the quilt is touched; `QuiltComparer` writes it.
        withheld: sentences on what lies on the boards, which do not come to rest, and are not learnt, meanwhile.
        accepted: whether players have gone on with boards that were withheld.
    """

    def __init__(self, locator: QuiltLocator) -> None:
        self.locator = locator
        self.views = BoardViews(locator)
        self.tracker = BoardTracker(self.views, locator)
        self.memories = Memories()
        self.evidence: dict[int, Evidence] = {}
        self.withheld: tuple[str, ...] = ()
        self.accepted = False
        self._set_aside: Profile | None = None
        self._empty: dict[int, NDArray[np.uint8]] = {}
        self._unrecognised: dict[int, int] = {}
        self._references = {seat: EmptyReference() for seat in SEATS}
        self._fitted: set[int] = set()
        self._stillness = Stillness()

    @property
    def frame(self) -> Frame | None:
        """The latest frame, or None before the first."""
        return self.views.frame

    @property
    def places(self) -> Mapping[int, Homography]:
        """By seat, the map from cell space to the latest frame's pixels, for the quilts in view."""
        return self.views.places

    @property
    def picture(self) -> PlacedPicture | None:
        """The latest frame's image with the boards' places, or None before the first frame."""
        return None if self.views.frame is None else PlacedPicture(self.views.frame.image, self.views.places)

    @property
    def blank(self) -> bool:
        """True if the latest frame shows nothing at all."""
        return self.views.blank

    @property
    def ready(self) -> bool:
        """True once both empty boards have been seen."""
        return self.memories.are_empty_known

    @property
    def learnt(self) -> bool:
        """True once the empty references are made of as many frames as they ever will be."""
        return self.ready and all(reference.complete for reference in self._references.values())

    @property
    def displacements(self) -> deque[Displacement]:
        """The movements of the boards not announced yet, the first on the left; who announces one removes it."""
        return self.tracker.displacements.unannounced

    @property
    def lost(self) -> frozenset[int]:
        """The seats whose board, seen empty on an earlier occasion, is covered or not where it lay."""
        return frozenset(self._unrecognised.keys() & self.tracker.displacements.lost)

    def settled(self, seat: int) -> bool:
        """Return whether a seat's quilt is in view and at rest."""
        return seat in self.views.settled

    def unrest(self, seat: int) -> Unrest | None:
        """Return why a seat's quilt in view does not come to rest, or None."""
        return self.views.unrest(seat)

    def readable(self, seat: int) -> bool:
        """Return whether a seat's quilt can be read: it is in view and at rest, and both boards were seen empty."""
        return self.ready and self.settled(seat)

    @property
    def at_rest(self) -> bool:
        """True if both quilts can be read."""
        return all(self.readable(seat) for seat in SEATS)

    def thumbnail(self, seat: int) -> NDArray[np.float32]:
        """Return a thumbnail of a seat's quilt in view, to compare by `vision.quilt.look.is_alike`."""
        return thumbnail(self.views[seat])

    def empty_thumbnail(self, seat: int) -> NDArray[np.float32]:
        """Return a thumbnail of a seat's board when its empty reference was taken, without an arm over it."""
        return thumbnail(self._empty[seat])

    def reached_over(self, seat: int) -> int:
        """Return the number of squares around a seat's quilt in view covered by something that reaches over it."""
        windows = changed(look_at(self._empty[seat]), self.views.look_at(seat))
        return reaching(windows.reshape(SQUARES, 2, SQUARES, 2).mean(axis=(1, 3)) > 0)

    def profile(self) -> Profile:
        """Return the empty references and the boards' places, to be stored.

        Raises:
            KeyError: the empty boards have not been seen yet.
        """
        return Profile(dict(self._empty), {seat: self.locator.place(seat) for seat in self._empty})

    def restore(self, profile: Profile, quilts: Mapping[int, int]) -> None:
        """Continue with boards that were seen empty earlier.

        The look of the cells covered now, by seat as the rules' bit mask, is taken from the first frames at rest.
        """
        for seat in SEATS:
            self.locator.put(seat, profile.places[seat])
            self._references[seat].complete = True
            self._empty[seat] = profile.empty[seat]
            self._unrecognised[seat] = quilts[seat]
            self.tracker.expected[seat] = without(look_at(profile.empty[seat]), lattice_of(quilts[seat]))
            self.tracker.displacements.known.add(seat)

    def withhold(self, withheld: Sequence[str], looks: Profile) -> None:
        """Learn neither board while something lies on them, as the sentences say, unless players accept these looks."""
        self.withheld, self._set_aside = tuple(withheld), looks
        self.memories.forget()
        self._empty.clear()
        self._references = {seat: EmptyReference() for seat in SEATS}
        self.restart_rest()

    def learn_anew(self) -> None:
        """Learn both boards from the next frames at rest, as what lay on them was touched; `trust` ends the doubt."""
        self.withheld, self.memories.in_doubt = (), True

    def trust(self) -> None:
        """Take the boards for empty as they were learnt."""
        self._set_aside, self.memories.in_doubt = None, False

    def learn(self, seat: int, view: NDArray[np.uint8]) -> None:
        """Take a board that was known, without patches, for empty as it looks in a view."""
        self._empty[seat] = view
        self.memories.begin(seat, QuiltMemory(view))

    def accept(self, quilts: Mapping[int, int]) -> None:
        """Take boards that were withheld for empty as they looked then.

        Args:
            quilts: by seat, the cells covered by decisions since, as the rules' bit mask.
        """
        if self._set_aside is not None:
            # What was learnt since has not been checked.
            self.memories.forget()
            self.restore(self._set_aside, quilts)
            self.withheld, self.accepted = (), True
        self.trust()

    def restart_rest(self) -> None:
        """Restart the count of frames at rest."""
        self._stillness.end()
        self.views.restart_rest()

    def see(self, frame: Frame) -> None:
        """Process the next frame."""
        if self.withheld:
            self.restart_rest()
        # Still frames are not skipped while a board is yet to be recognised: they are what its reference is made of.
        if self.ready and not self._unrecognised and self._stillness.holds(frame.image):
            self.views.rest_on(frame)
            return
        self.views.see(frame)
        for seat in [each for each in self.evidence if not self.settled(each)]:
            del self.evidence[seat]
        for seat in self.views.places:
            if not self._references[seat].complete:
                self._update_reference(seat, frame)
            elif seat in self._unrecognised and self.settled(seat):
                self._recognise_restored(seat, frame)

    def _update_reference(self, seat: int, frame: Frame) -> None:
        """Add this frame to the empty reference; before the reference exists, refine the quilt's place by the grid."""
        reference, settled = self._references[seat], self.settled(seat)
        # Once frames are part of the reference its place must not change: the next ones are averaged with them.
        if not settled and not reference.taken:
            before = self.views.places[seat]
            fitted = fit_grid(frame.image, before)
            if isinstance(fitted, GridFit):
                self.views.adopt(seat, fitted.cells_to_image)
                # A first fit that had far to go is followed by another one before the place is relied on.
                if seat not in self._fitted and moved_px(before, fitted.cells_to_image) > SLIPPED_PX:
                    self.views.restart_rest(seat)
                self._fitted.add(seat)
        reference.offer(self.views[seat], settled)
        if settled:
            self._empty[seat] = mean = reference.mean
            self.memories.begin(seat, QuiltMemory(mean))
            self.locator.keep(seat)

    def _recognise_restored(self, seat: int, frame: Frame, *, is_first: bool = True) -> None:
        """Remember the covered cells of a quilt that was seen empty on an earlier occasion, once its board is there."""
        covered = lattice_of(self._unrecognised[seat])
        is_distinct = is_distinctive(covered)
        found = self.tracker.register(seat, frame.image, self.tracker.expected[seat], is_known=is_distinct)
        if not found.aligned and is_first and 3 - seat in self._unrecognised and self.settled(3 - seat):
            # The other board may be found more easily, and show how the camera was moved.
            self._recognise_restored(3 - seat, frame, is_first=False)
            found = self.tracker.register(seat, frame.image, self.tracker.expected[seat], is_known=is_distinct)
        # A place that is merely held may be bare table by now. On a mat the board is where its markers are.
        is_in_doubt = not found.aligned and self.locator.is_held
        if is_in_doubt and (is_distinct or is_elsewhere(found.look, self.tracker.expected[seat])):
            self.tracker.displacements.seen(seat, aligned=False)
            return
        del self._unrecognised[seat]
        empty = QuiltMemory(self._empty[seat])
        ratios = log_likelihood_ratio(changed(empty.expected(lattice_of(0)), found.look))[0]
        if (ratios[~np.pad(np.ones((SIDE, SIDE), np.bool_), 1)] > 0).any():
            # It has been pushed since it was seen empty, and something else surrounds it.
            self.tracker.displaced.add(seat)
        # Where the board itself is seen a patch is missing, whose look is learnt once it lies there.
        self.memories.begin(seat, empty.lay(found.look.view, _lying(empty, found.look, covered, ratios)))


def _lying(
    empty: QuiltMemory, look: Look, covered: NDArray[np.bool_], ratios: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return the covered cells on which a piece lies at present, shape (RING, RING), bool.

    Patches around a bare cell reach over it and shade it, so that it looks changed beside the empty board; a plain
    piece may look bare amid the patches around it. The evidence of both comparisons is summed; `ratios`, shape
    (RING, RING), are those of the first. In the second no two cells that touch are judged at once.
    """
    lying = np.zeros_like(covered)
    for row, column in product(range(2), repeat=2):
        judged = np.zeros_like(covered)
        judged[row::2, column::2] = covered[row::2, column::2]
        amid = empty.lay(look.view, covered & ~judged).expected(covered)
        lying |= judged & (ratios + log_likelihood_ratio(changed(amid, look))[0] > 0)
    return lying
