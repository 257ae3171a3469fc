"""The observer of both quilts: one observation of each per look, and the update of expectations after decisions."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from companion.games.patchwork.cells import indices_of, mask_of
from companion.games.patchwork.decisions import Decision, cells_covered
from companion.games.patchwork.state import State
from companion.patchwork.reading.verdict import Complaint
from companion.patchwork.watching.watch import Evidence, TableWatch, lattice_of
from vision.geometry import CELL_PX, MARGIN_CELLS, SIDE, VIEW_PX, cell_window, cells_in_frame
from vision.quilt.changes import (
    changed,
    changes_network,
    core_ratio,
    corner_light,
    log_likelihood_ratio,
    unbiased,
    visibility,
    worth,
)
from vision.quilt.look import (
    RING,
    WINDOW_PX,
    Look,
    QuiltMemory,
    changed_squares,
    is_recognised_nearby,
    look_at,
    thumbnail,
)
from vision.table.plane import PlacedPicture
from vision.tokens.discs import Disc, token_in_cell


class UnreadableQuiltError(LookupError):
    """A quilt cannot be read: it is out of view or not at rest, or a board was never seen empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """The observation of a quilt in one frame, compared with its memory.

    Attributes:
        ratios: log-likelihood ratio changed / as expected for each shift of the piece laid and each cell of the
            lattice, as much as it is worth at the cell's visibility, shape (len(SHIFTS), RING, RING).
        core: the ratios of the cells' middles alone, shape (RING, RING).
        windows: the ratio of each window, from which the others are derived, shape (WINDOWS, WINDOWS).
        crept: cells whose print was found again a little beside its place, shape (RING, RING), bool.
        expected: the look it was compared with.
        shift_px: how far the board has moved since the last look, in view pixels.
        picture: the frame's image with the boards' places.
        is_shaken: whether it depends on a belief whose decision was undone.
        unseen: cells whose patch was entered by hand and never seen, and which count as right however they look, shape
            (RING, RING), bool.
        visibility: how well each cell is seen, from 0 to 1, shape (RING, RING); see `vision.quilt.changes`.
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
    unseen: NDArray[np.bool_] = field(default_factory=lambda: lattice_of(0))
    visibility: NDArray[np.float64] = field(default_factory=lambda: np.ones((RING, RING)))


@dataclass(frozen=True, slots=True, eq=False)
class Understood:
    """An observation of a quilt that a decision explains: the covered cells now, and those that players have confirmed.

    Both are the rules' bit masks; the cells next to confirmed ones are confirmed, too.
    """

    observation: Observation
    quilt: int
    believed: int = 0


# The cells of the lattice that are the quilt's own; the others are the ring around it.
_GRID: Final = np.pad(np.ones((SIDE, SIDE), np.bool_), 1)
_NEIGHBOURS: Final = np.ones((3, 3), np.uint8)
# Log-likelihood ratio given to a cell whose print was found again near its place, so that it counts as unchanged.
_UNCHANGED: Final = -1.5
# The most bare cells side by side that look changed only because of the patches around them.
_MOST_OVERHUNG: Final = 3
# Mean log-ratio of light in the middle of a cell from which something lies there: tokens have 0.38 and more, bare
# cells between patches, in their shadow, 0.16 at most.
_LIKE_BARE: Final = 0.25
# Log-ratio below which a corner of a cell is free: beside 83 drawn tokens the least changed one had up to 0.096, beside
# 80 of them 0.064 at most; around 62 buttons printed on patches, in recordings, it had 0.079 and more.
_FREE_CORNER: Final = 0.075
# The least radius of a token, in cells: in recordings they had 0.33 and more, false rings in a print 0.27.
_TOKEN_CELLS: Final = 0.3


# Log-likelihood ratio beyond which a drawn probability would not look any different.
_SURE: Final = 10.0
# Both quilts' looks, with and without the latest decision.
_MOST_OWN: Final = 4


class QuiltComparer:
    """A comparer of both quilts with their expected looks."""

    def __init__(self, watch: TableWatch) -> None:
        self._views, self._tracker, self._memories = watch.views, watch.tracker, watch.memories
        self._evidence = watch.evidence
        # The latest expected looks that were compared with themselves: their views, and the ratios of the windows.
        self._own: deque[tuple[NDArray[np.uint8], NDArray[np.float64]]] = deque(maxlen=_MOST_OWN)

    def compare(self, seat: int, quilt: int) -> Observation:
        """Compare a seat's quilt, the covered cells as the rules' bit mask, with its expected look.

        Raises:
            UnreadableQuiltError: it cannot be read in the latest frame.
        """
        frame = self._views.frame
        if frame is None or not self._memories.are_empty_known or seat not in self._views.settled:
            raise UnreadableQuiltError(seat)
        memory, covered = self._memories.now[seat], lattice_of(quilt)
        expected, displacements = memory.expected(covered), self._tracker.displacements
        found = self._tracker.register(seat, frame.image, expected, is_known=seat in displacements.known)
        unseen = memory.unseen(covered)
        if unseen.any():
            memory = memory.lay(found.look.view, covered)
            expected = memory.expected(covered)
        network = changes_network()
        windows = changed(expected, found.look, network)
        ratios = log_likelihood_ratio(windows)
        if (ratios > _UNCHANGED).any():
            windows = unbiased(windows, self._compared_with_itself(expected, network))
            ratios = log_likelihood_ratio(windows)
        crept = _recognise(memory, covered, expected, found.look, ratios, network)
        # A print that was found again beside its place is seen, and says nothing about the visibility at its place.
        seen = visibility(expected, found.look, (ratios.max(axis=0) < 0) & ~crept)
        ratios = np.where(crept, ratios, worth(ratios, seen))
        displacements.seen(seat, aligned=found.aligned)
        if seat in self._tracker.displaced:
            ratios[:, ~_GRID] = 0.0
        height_px, width_px = frame.image.shape[:2]
        # Cells beyond the picture's edge were not seen: they are evidence neither for nor against a patch.
        ratios[:, ~cells_in_frame(self._views.places[seat], width_px, height_px)] = 0.0
        self._evidence[seat] = Evidence(1 / (1 + np.exp(-np.clip(ratios[0, 1:-1, 1:-1], -_SURE, _SURE))), frame.t_s)
        picture, core = PlacedPicture(frame.image, self._views.places), core_ratio(windows)
        observed = Observation(ratios, core, windows, crept, expected, found.look, found.shift_px, frame.name, picture)
        return replace(observed, unseen=unseen, visibility=seen)

    def _compared_with_itself(self, expected: Look, network: cv2.dnn.Net | None = None) -> NDArray[np.float64]:
        """Return the ratios of the windows of an expected look, compared with itself."""
        own = next((own for view, own in self._own if np.array_equal(view, expected.view)), None)
        if own is None:
            own = changed(expected, expected, network)
            self._own.append((expected.view, own))
        return own

    def follow_decision(self, understood: Mapping[int, Understood]) -> None:
        """Expect, by seat, the looks of quilts that a decision explains; `take_back` forgets them again.

        A board that was found not to be empty since it was looked at has no look to go on from: nothing is expected.
        """
        self._memories.keep()
        for seat, each in ((seat, understood[seat]) for seat in understood if seat in self._memories.now):
            self.remember(seat, each)
            # Now, while nobody waits: the next look needs it.
            self._compared_with_itself(self._memories.now[seat].expected(lattice_of(each.quilt)))

    def take_back(self, quilts: Mapping[int, int]) -> None:
        """Restore the expected looks from before the latest decision, which may have been misread.

        The quilts are the covered cells without it by seat, as the rules' bit masks.
        """
        self._tracker.displaced.update(self._memories.take_back({seat: lattice_of(quilts[seat]) for seat in quilts}))

    def remember(self, seat: int, understood: Understood) -> None:
        """Expect the look of a seat's quilt whose observation was understood."""
        view, covered = understood.observation.look.view, lattice_of(understood.quilt)
        memory = self._memories.now[seat]
        # `lay` comes first: the other two distinguish the cells that are covered now from bare ones.
        memory = memory.lay(view, covered & ~_still_bare(memory, covered, understood.observation))
        memory = memory.follow(view, understood.observation.crept)
        memory = memory.believe(view, _with_neighbours(lattice_of(understood.believed)))
        if seat in self._tracker.displaced:
            self._tracker.displaced.remove(seat)
            memory = memory.surround(view)
        self._memories.now[seat] = memory


def _still_bare(memory: QuiltMemory, covered: NDArray[np.bool_], observation: Observation) -> NDArray[np.bool_]:
    """Return the covered cells whose patch does not lie there yet, shape (RING, RING), bool.

    Such a patch was entered by hand before it is laid.
    """
    fresh = memory.unseen(covered)
    latest, earlier = fresh & ~observation.unseen, fresh & observation.unseen
    bare = latest if latest.any() and observation.ratios[0][latest].mean() < 0 else np.zeros_like(fresh)
    if earlier.any():
        laid = log_likelihood_ratio(changed(memory.expected(covered), observation.look))[0] > 0
        bare = bare | (earlier & ~laid)
    return bare


def _recognise(
    memory: QuiltMemory,
    covered: NDArray[np.bool_],
    expected: Look,
    look: Look,
    ratios: NDArray[np.float64],
    network: cv2.dnn.Net,
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
        again = log_likelihood_ratio(changed(other, look, network))
        ratios[:, differs] = np.minimum(ratios, again)[:, differs]
    _clear_overhung(covered, expected, look, ratios, network)
    for row, column in np.argwhere(suspects & covered) - 1:
        if any(is_recognised_nearby(look, each, int(row), int(column)) for each in (expected, other)):
            ratios[:, row + 1, column + 1] = np.minimum(ratios[:, row + 1, column + 1], _UNCHANGED)
            crept[row + 1, column + 1] = True
    return crept


def _clear_overhung(
    covered: NDArray[np.bool_], expected: Look, look: Look, ratios: NDArray[np.float64], network: cv2.dnn.Net
) -> None:
    """Lower the ratios of bare cells that look changed only because patches beside them reach over their rims.

    That look is in no memory: the board was seen without those patches, and they were seen on their own cells. Beside
    another change such a cell may be a part of it, whose print resembles the board: then its look is no evidence.
    """
    beside = ~covered & _with_neighbours(covered) & _GRID & (ratios[0] > 0)
    bare = _as_bare(beside, expected, look)
    # The network runs once more for this, so only if it can clear a cell.
    if not bare.any():
        return
    seen = look_at(np.where(_rims(covered)[..., None], look.view, expected.view))
    again = log_likelihood_ratio(changed(seen, look, network))
    bare &= again[0] < _UNCHANGED
    alone = bare & ~_with_neighbours((ratios[0] > 0) & ~bare)
    ratios[:, alone] = np.minimum(ratios, again)[:, alone]
    ratios[:, bare & ~alone] = 0.0


def _as_bare(cells: NDArray[np.bool_], expected: Look, look: Look) -> NDArray[np.bool_]:
    """Return which of a few changed cells, shape (RING, RING), look as expected in their middles, but for the light."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cells.astype(np.uint8), connectivity=4)
    few = np.asarray(cells & (stats[:, cv2.CC_STAT_AREA] <= _MOST_OVERHUNG)[labels], np.bool_)
    light = np.median(look.log[::WINDOW_PX, ::WINDOW_PX] - expected.log[::WINDOW_PX, ::WINDOW_PX], axis=(0, 1))
    for row, column in np.argwhere(few):
        middle = cell_window(int(row) - 1, int(column) - 1, WINDOW_PX)
        few[row, column] = np.abs(look.log[middle] - expected.log[middle] - light).mean() < _LIKE_BARE
    return few


def _rims(covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the pixels of a view on bare cells within a window of a covered one, shape (VIEW_PX, VIEW_PX)."""
    pixels = np.zeros((VIEW_PX, VIEW_PX), np.uint8)
    first = round((MARGIN_CELLS - 1) * CELL_PX)
    lattice = slice(first, first + RING * CELL_PX)
    pixels[lattice, lattice] = np.kron(covered, np.ones((CELL_PX, CELL_PX), np.uint8))
    reached = cv2.dilate(pixels, np.ones((2 * WINDOW_PX + 1,) * 2, np.uint8))
    return np.asarray((reached > 0) & (pixels == 0))


def _with_neighbours(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return cells of the lattice and all adjacent ones, shape (RING, RING)."""
    return np.asarray(cv2.dilate(cells.astype(np.uint8), _NEIGHBOURS), np.bool_)


# Log-likelihood ratio given to a confirmed cell: low enough for its new look to be remembered as expected.
_AS_EXPECTED: Final = -2.0
# The most beliefs stored for a quilt; an evening seldom has more than two.
_MOST: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class _Belief:
    """Cells that players have confirmed to be right: masks of shape (RING, RING), and the quilt's thumbnail then.

    `made` is the number of decisions made, including the one taken with the confirmation.
    """

    cells: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    look: NDArray[np.float32]
    made: int


class Beliefs:
    """The cells that players have confirmed, by seat.

    Undoing a decision makes the reader forget how a quilt is expected to look, but not a belief: the players have not
    said that they were wrong about an old patch. Until another decision confirms it the belief is *shaken*, because it
    may result from a wrong decision.
    """

    def __init__(self) -> None:
        self._held: dict[int, list[_Belief]] = {}

    def add(self, seat: int, cells: int, quilt: int, look: NDArray[np.float32], made: int) -> None:
        """Record cells of a quilt as confirmed with the latest decision; both are bit masks of the rules."""
        belief = _Belief(lattice_of(cells), lattice_of(quilt), look, made)
        self._held[seat] = [*self._held.get(seat, ()), belief][-_MOST:]

    def applied(
        self, seat: int, observation: Observation, quilt: int, look: NDArray[np.float32], made: int
    ) -> Observation:
        """Return the observation with confirmed cells as expected; it is shaken if any of those beliefs is.

        The covered cells (`quilt`, the rules' bit mask), the thumbnail and the decisions made are the present ones.
        """
        vouched, shaken = np.zeros_like(lattice_of(0)), False
        for belief in self._held.get(seat, ()):
            # The squares show the quilt alone: nothing in the ring around it counts as alike.
            alike = ~np.pad(_cells_of(changed_squares(look, belief.look)), 1, constant_values=True)
            same = belief.cells & alike & (belief.covered == lattice_of(quilt))
            counts = same & (observation.ratios[0] > _AS_EXPECTED)
            vouched |= counts
            shaken = shaken or bool(belief.made > made and counts.any())
        if not vouched.any():
            return observation
        ratios = np.where(vouched, np.minimum(observation.ratios, _AS_EXPECTED), observation.ratios)
        core = np.where(vouched, np.minimum(observation.core, _AS_EXPECTED), observation.core)
        return replace(observation, ratios=ratios, core=core, is_shaken=shaken)


def _cells_of(squares: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which cells hold one of the squares, shape (SIDE, SIDE)."""
    side = squares.shape[0] // 2
    return np.asarray(squares.reshape(side, 2, side, 2).any(axis=(1, 3)))


class QuiltObserver:
    """An observer of both quilts, look by look.

    The observations of a look are held until the next look begins, or until a decision makes them the expected looks.
    """

    def __init__(self, comparer: QuiltComparer) -> None:
        self._comparer = comparer
        self._beliefs = Beliefs()
        self._observations: dict[int, Observation] = {}

    @property
    def thumbnails(self) -> Mapping[int, NDArray[np.float32]]:
        """By seat, the thumbnails (`vision.quilt.look.thumbnail`) of the quilts at their last look."""
        return {seat: thumbnail(observation.look.view) for seat, observation in self._observations.items()}

    def look(self, seat: int, state: State) -> Observation:
        """Begin a look: drop earlier observations, and return the observation of a quilt.

        Raises:
            UnreadableQuiltError: the quilt cannot be read.
        """
        self._observations = {}
        self._observations[seat] = observation = self._look(seat, state)
        return observation

    def observe_all(self, state: State) -> None:
        """Begin a look, and observe those quilts that are at rest in the latest frame."""
        self._observations = {}
        for seat in SEATS:
            self.observe(seat, state)

    def observed(self, seat: int) -> Observation | None:
        """Return this look's observation of a quilt, or None if none was made so far."""
        return self._observations.get(seat)

    def observe(self, seat: int, state: State) -> Observation | None:
        """Return this look's observation of a quilt, made at the first call, or None if the quilt cannot be read."""
        if seat not in self._observations:
            try:
                self._observations[seat] = self._look(seat, state)
            except UnreadableQuiltError:
                return None
        return self._observations[seat]

    def observe_as(self, seat: int, quilt: int) -> Observation:
        """Return an observation of a quilt as if other cells were covered, which is not part of the look.

        Raises:
            UnreadableQuiltError: the quilt cannot be read.
        """
        return self._comparer.compare(seat, quilt)

    def remember(self, state: State, decision: Decision, denied: Complaint | None = None) -> None:
        """Expect both quilts to look as they were observed in this look, which showed the decision.

        Args:
            state: after the decision.
            decision: the decision.
            denied: a complaint that players rejected, whose cells are expected to look as they do now, or None.
        """
        understood = {}
        for seat, observation in self._observations.items():
            placed = cells_covered(decision) if decision.seat == seat else 0
            believed = mask_of(denied.cells) if denied is not None and denied.quilt == seat else 0
            quilt = state.seat(seat).quilt
            understood[seat] = Understood(observation, quilt, believed)
            if believed & ~placed:
                look = thumbnail(observation.look.view)
                self._beliefs.add(seat, believed & ~placed, quilt, look, state.decisions_made)
        self._comparer.follow_decision(understood)
        self._observations = {}

    def take_back(self, state: State) -> None:
        """Forget the looks remembered with the latest decision, which is undone; `state` is that without it."""
        self._comparer.take_back({seat: state.seat(seat).quilt for seat in SEATS})
        self._observations = {}

    def _look(self, seat: int, state: State) -> Observation:
        """Observe a quilt, with what players have confirmed as expected."""
        quilt = state.seat(seat).quilt
        observation = self._comparer.compare(seat, quilt)
        look, made = thumbnail(observation.look.view), state.decisions_made
        return self._beliefs.applied(seat, observation, quilt, look, made)


def cells_with_token(observation: Observation, patch: int, seat: int) -> int:
    """Return the cells of a patch, as bit masks, in which a button token may lie beside a smaller one.

    A token looks as much like a part of a patch as what is printed on patches, but leaves corners of its cell free.
    """
    corners = corner_light(observation.expected, observation.look)
    free = [index for index in indices_of(patch) if corners[divmod(index, SIDE)] < _FREE_CORNER]
    discs = ((1 << index, _disc_in(1 << index, observation.picture, seat)) for index in free)
    return sum(cell for cell, disc in discs if disc is not None and disc.radius_cells > _TOKEN_CELLS)


def is_token(cell: int, picture: PlacedPicture, seat: int) -> bool:
    """Return whether a button token, rather than leather, which is square, lies in the only cell of a mask."""
    board = picture.boards.get(seat)
    return board is not None and token_in_cell(picture.image, board, divmod(cell.bit_length() - 1, SIDE)) is not None


def _disc_in(cell: int, picture: PlacedPicture, seat: int) -> Disc | None:
    board = picture.boards.get(seat)
    return None if board is None else token_in_cell(picture.image, board, divmod(cell.bit_length() - 1, SIDE))
