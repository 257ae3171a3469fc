"""The beginning of a game at the table: the strip's light, and boards that are not empty."""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from calibration.stored import Profile
from companion.calibrating.boards import covered_cells
from companion.games.patchwork.cells import cell_name, mask_of
from companion.games.patchwork.rules import History
from companion.languages import Label, all_of, said
from companion.lights import Lights
from companion.patchwork.watching.watch import TableWatch, lattice_of
from companion.play.events import Event, GameOpened, LookCalledOff, LookStarted, TableNoticed
from vision.quilt.changes import changed, log_likelihood_ratio
from vision.quilt.look import changed_squares, is_alike, look_at, thumbnail

_LOG: Final = logging.getLogger(__name__)


class NeutralStart:
    """A wrapper of the light show that holds its neutral light until both boards have been seen.

    The empty boards' looks are compared with every later picture, and those are taken in the neutral light. A signal
    that must be shown meanwhile, such as a complaint, is shown, and no picture of it counts.
    """

    def __init__(self, lights: Lights, watch: TableWatch, history: History) -> None:
        self._lights, self._watch, self._history = lights, watch, history
        self._opened: GameOpened | None = None
        self._holds = False

    def __call__(self, event: Event) -> None:
        """Pass an event on to the show; the opening of a game is deferred until its boards have been seen."""
        if isinstance(event, GameOpened) and not self._watch.ready:
            self._opened = event
            self._hold()
            return
        if self._holds and isinstance(event, TableNoticed):
            # During a player's look the show leaves notices out; this look was not requested by a player.
            self._lights(LookCalledOff(event.state))
        self._holds = False
        self._lights(event)

    def tick(self, now_s: float) -> None:
        """Process the next frame, and show the strip's picture for it."""
        if self._watch.ready:
            self._begin()
        elif not self._lights.is_neutral:
            # No frame that a signal lights may become part of the empty references.
            self._watch.restart_rest()
            if self._lights.is_resting(now_s):
                self._hold()
        self._lights.tick(now_s)

    def _hold(self) -> None:
        self._holds = True
        self._lights(LookStarted(self._history.state))

    def _begin(self) -> None:
        """End the neutral light once both boards have been seen; show the deferred opening unless a signal is on."""
        opened, self._opened = self._opened, None
        if self._holds:
            self._holds = False
            self._lights(opened or LookCalledOff(self._history.state))


BOTH_SEEN: Final = said("Both quilt boards are seen.")
_MOST_NAMED: Final = 6


def occupied_cells(empty: NDArray[np.uint8], now: NDArray[np.uint8]) -> list[str]:
    """Return the names of a board's cells on which an object lies, by views of shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.

    A shadow's edge or a lamp's reflection that is new since the calibration changes cells, and a print may look like a
    patch; only cells that both methods report count.
    """
    ratios = log_likelihood_ratio(changed(look_at(empty), look_at(now)))[0][1:-1, 1:-1]
    if not (ratios > 0).any():
        return []  # Looking for patches takes longer.
    different = {cell_name(int(cell)) for cell in np.flatnonzero(ratios.reshape(-1) > 0)}
    return [name for name in covered_cells(now) if name in different]


class EmptyCheck:
    """A check, once both boards of a new game have come to rest, that they are as empty as when calibrated.

    If an object lies on a board, its calibrated look replaces the first pictures': a patch that a player laid early is
    then read like any other, and anything else leads to a complaint.
    """

    def __init__(
        self, watch: TableWatch, history: History, calibrated: Profile, say: Callable[[str], None], executor: Executor
    ) -> None:
        self._watch, self._history, self._calibrated = watch, history, calibrated
        self._say, self._executor = say, executor
        self._looking: Future[dict[int, list[str]]] | None = None
        self._done = bool(history.decisions)

    def tick(self, now_s: float) -> bool:
        """Process the next frame; return whether it was the last one needed."""
        del now_s
        # Too late: that decision was read against the boards as they were first seen.
        if self._done or self._history.decisions:
            self._done = True
        elif self._looking is None and self._watch.ready:
            self._looking = self._executor.submit(_look, self._calibrated.empty, self._watch.profile().empty)
        if not self._done and self._looking is not None and self._looking.done():
            self._done = True
            self._apply(self._looking)
        return self._done

    def _apply(self, looked: Future[dict[int, list[str]]]) -> None:
        try:
            found = looked.result()
        except Exception:
            # The game continues without the check.
            _LOG.exception("the empty boards could not be compared with the calibrated ones")
            return
        if not found:
            return
        seen = self._watch.profile()
        empty = {seat: (self._calibrated if seat in found else seen).empty[seat] for seat in SEATS}
        # No cell counts as covered, so that what lies there is read as new.
        self._watch.restore(Profile(empty, seen.places), dict.fromkeys(SEATS, 0))
        for seat, cells in found.items():
            self._say(_occupied_sentence(seat, cells))


def _occupied_sentence(seat: int, cells: Sequence[str]) -> str:
    """Return the sentence for a board that is not empty."""
    return said(
        "There is already something on seat {seat}’s board, at {cells}: take it off, unless it is the first patch.",
        seat=seat,
        cells=_some_of(cells),
    )


def _look(empty: Mapping[int, NDArray[np.uint8]], now: Mapping[int, NDArray[np.uint8]]) -> dict[int, list[str]]:
    """Return the cells on which an object lies, by seat, without empty boards."""
    return {seat: cells for seat in SEATS if (cells := occupied_cells(empty[seat], now[seat]))}


@dataclass(frozen=True, slots=True)
class BoardsStatus:
    """The subject of a notice on both boards: whether they are seen, empty, or why they are not."""

    are_seen: bool


class LeftoverCheck:
    """A check, at a table whose empty boards are not calibrated, that a new game begins with nothing on them.

    What lies there, such as the quilts of the last game, would be taken for part of the empty boards, and no look would
    be right after it is cleared. It is named, and the boards are seen anew once it is gone. A board that was seen empty
    meanwhile is known: what is laid on it before the other one is cleared is the first patch. A board that players have
    accepted with something on it, and clear before they lay its first patch, is learnt as it looks then.
    """

    def __init__(
        self, watch: TableWatch, history: History, say: Callable[[str, object], None], executor: Executor
    ) -> None:
        self._watch, self._history, self._say, self._executor = watch, history, say, executor
        self._looking: Future[dict[int, list[str]]] | None = None
        self._looks = Profile({}, {})
        # By seat: the thumbnails of the boards on which something lies, and the emptiest look of each board, with what
        # lies there.
        self._occupied: dict[int, NDArray[np.float32]] = {}
        self._emptiest: dict[int, tuple[list[str], NDArray[np.uint8]]] = {}
        self._said: dict[int, list[str]] = {}
        self._done = bool(history.decisions)
        # The seats whose board players have accepted with something on it, or None before.
        self._accepted: set[int] | None = None

    def tick(self, now_s: float) -> bool:
        """Process the next frame; return whether it was the last one needed."""
        del now_s
        if self._done:
            return True
        if self._accepted is not None:
            self._follow(self._accepted)
        elif self._history.decisions:
            # The players go on, as by a move that they enter by hand.
            self._watch.accept({seat: self._history.state.seat(seat).quilt for seat in SEATS})
            self._accept()
        elif self._watch.accepted:
            if self._watch.ready:
                self._accept()
                self._say(BOTH_SEEN, BoardsStatus(are_seen=True))
        elif self._occupied:
            if not self._is_untouched():
                self._occupied = {}
                self._watch.learn_anew()
        elif self._looking is None and self._watch.memories.complete:
            self._looks = self._watch.profile()
            self._looking = self._executor.submit(leftovers, self._looks.empty)
        if self._accepted is None and self._looking is not None and self._looking.done():
            looked, self._looking = self._looking, None
            self._apply(looked)
        return self._done

    def _accept(self) -> None:
        self._accepted = {seat for seat, (cells, _) in self._emptiest.items() if cells}
        self._looking, self._occupied = None, {}

    def _follow(self, accepted: set[int]) -> None:
        """Learn accepted boards on which nothing is left, until their first patch is laid."""
        if self._looking is not None and self._looking.done():
            looked, self._looking = self._looking, None
            accepted -= {seat for seat in self._looks.empty if self._learn_cleared(seat, looked)}
        accepted -= {seat for seat in accepted if self._history.state.seat(seat).quilt}
        self._done = not accepted
        for seat in accepted if self._looking is None else ():
            if self._watch.readable(seat) and self._is_cleared(seat):
                self._occupied[seat] = self._watch.thumbnail(seat)
                self._looks = Profile({seat: self._watch.views[seat]}, {})
                self._looking = self._executor.submit(leftovers, self._looks.empty)
                return

    def _is_cleared(self, seat: int) -> bool:
        """Return whether a board has changed since the last look, and only where, and beside where, something lay."""
        now, (cells, view) = self._watch.thumbnail(seat), self._emptiest[seat]
        if seat in self._occupied and is_alike(now, self._occupied[seat]):
            return False
        changed_now, left = changed_squares(now, thumbnail(view)), lattice_of(mask_of(cells))[1:-1, 1:-1]
        # By half a cell more, as people do not lay patches exactly on the grid.
        around = cv2.dilate(np.kron(left, np.ones((2, 2))), np.ones((3, 3))) > 0
        return bool(changed_now.any()) and not (changed_now & ~around).any()

    def _learn_cleared(self, seat: int, looked: Future[dict[int, list[str]]]) -> bool:
        """Learn a board that was looked at if nothing lies there and it is untouched since; return whether it was."""
        is_same = is_alike(self._watch.thumbnail(seat), self._occupied[seat]) if self._watch.settled(seat) else False
        if not is_same or looked.exception() is not None or looked.result():
            return False
        self._watch.learn(seat, self._looks.empty[seat])
        return True

    def _is_untouched(self) -> bool:
        return all(
            seat in self._watch.places and is_alike(self._watch.thumbnail(seat), seen)
            for seat, seen in self._occupied.items()
        )

    def _apply(self, looked: Future[dict[int, list[str]]]) -> None:
        try:
            found = looked.result()
        except Exception:
            # The game continues without the check.
            _LOG.exception("the boards could not be checked for what was left on them")
            self._done = True
            self._watch.trust()
            return
        for seat, view in self._looks.empty.items():
            if not self._is_added_to(seat, cells := found.get(seat, [])):
                self._emptiest[seat] = cells, view
        left = {seat: cells for seat, (cells, _) in self._emptiest.items() if cells}
        self._done = not left
        if found:
            self._withhold(left)
        else:
            self._watch.trust()
        if self._done and self._said:
            self._say(BOTH_SEEN, BoardsStatus(are_seen=True))
        self._said = left

    def _is_added_to(self, seat: int, cells: Sequence[str]) -> bool:
        """Return whether more lies on a board than in its emptiest look, and most of that still does."""
        before, _ = self._emptiest.get(seat, (None, None))
        return before is not None and len(before) < len(cells) and 2 * len({*before} & {*cells}) >= len(before)

    def _withhold(self, left: Mapping[int, list[str]]) -> None:
        """Withhold the boards because of what is left on them; if nothing is, take their emptiest looks for empty."""
        sentences = {seat: _leftover_sentence(seat, cells) for seat, cells in left.items()}
        self._occupied = {seat: self._watch.thumbnail(seat) for seat in left if seat in self._watch.places}
        looks = {seat: view for seat, (_, view) in self._emptiest.items()}
        self._watch.withhold(list(sentences.values()), Profile(looks, self._looks.places))
        if not left:
            self._watch.accept(dict.fromkeys(SEATS, 0))
        for seat, says in sentences.items():
            if self._said.get(seat) != left[seat]:
                self._say(says, BoardsStatus(are_seen=False))


def leftovers(boards: Mapping[int, NDArray[np.uint8]]) -> dict[int, list[str]]:
    """Return the covered cells of boards that should be empty, by seat, without empty boards."""
    return {seat: cells for seat, view in boards.items() if (cells := covered_cells(view))}


def _leftover_sentence(seat: int, cells: Sequence[str]) -> str:
    """Return the sentence for a board on which something lies when the game begins."""
    return said(
        "There is something on seat {seat}’s board, at {cells}. Take it off: the game begins with empty boards.",
        seat=seat,
        cells=_some_of(cells),
    )


def _some_of(cells: Sequence[str]) -> str:
    """Return the names of cells, or of the first ones and the number of the others."""
    more = len(cells) - _MOST_NAMED
    return all_of([*map(Label, cells[:_MOST_NAMED]), *([said("{count} more", count=more)] if more > 0 else [])])
