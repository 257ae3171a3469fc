"""A check of the boards when a game begins, against their calibrated empty looks."""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from calibration.profile import Profile
from companion.calibrating.boards import covered_cells
from companion.games.patchwork import History, cell_name
from companion.languages import Label, said
from companion.languages.lists import all_of
from companion.patchwork.watching.watch import TableWatch
from vision.quilt.changes import changed
from vision.quilt.likelihood import log_likelihood_ratio
from vision.quilt.look import look_at

_LOG: Final = logging.getLogger(__name__)
_MOST_NAMED: Final = 6


def occupied_cells(empty: NDArray[np.uint8], now: NDArray[np.uint8]) -> list[str]:
    """Return the names of a board's cells on which an object lies.

    A shadow's edge or a lamp's reflection that is new since the calibration changes cells, and a print may look like a
    patch; only cells that both methods report count.

    Args:
        empty: the view of the empty board, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
        now: the view of the same board now, of the same shape and type.
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

    Args:
        watch: the watch over the boards.
        history: the game.
        calibrated: the boards' looks when the table was calibrated.
        say: announces a sentence to the players.
        executor: runs the looks, which take a moment.
    """

    def __init__(
        self, watch: TableWatch, history: History, calibrated: Profile, say: Callable[[str], None], executor: Executor
    ) -> None:
        self._watch, self._history, self._calibrated = watch, history, calibrated
        self._say, self._executor = say, executor
        self._looking: Future[dict[int, list[str]]] | None = None
        self._done = bool(history.decisions)

    def tick(self, now_s: float) -> None:
        """Process the next frame."""
        del now_s
        if self._done:
            return
        # Too late: that decision was read against the boards as they were first seen.
        if self._history.decisions:
            self._done = True
        elif self._looking is None and self._watch.ready:
            self._looking = self._executor.submit(_look, self._calibrated.empty, self._watch.profile().empty)
        if not self._done and self._looking is not None and self._looking.done():
            self._done = True
            self._apply(self._looking)

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
            self._say(sentence(seat, cells))


def sentence(seat: int, cells: Sequence[str]) -> str:
    """Return the sentence for a board that is not empty."""
    more = len(cells) - _MOST_NAMED
    named = all_of([*map(Label, cells[:_MOST_NAMED]), *([said("{count} more", count=more)] if more > 0 else [])])
    return said(
        "There is already something on seat {seat}’s board, at {cells}: take it off, unless it is the first patch.",
        seat=seat,
        cells=named,
    )


def _look(empty: Mapping[int, NDArray[np.uint8]], now: Mapping[int, NDArray[np.uint8]]) -> dict[int, list[str]]:
    """Return the cells on which an object lies, by seat, without empty boards."""
    return {seat: cells for seat in SEATS if (cells := occupied_cells(empty[seat], now[seat]))}
