"""A watch over the time board: it is looked for once, and looked at when the table is at rest, and seldom."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from companion.patchwork.reading.tableshift import table_shift
from vision.geometry.rectify import rectify
from vision.quilt.thumbnail import is_alike, is_untouched, thumbnail
from vision.timeboard.finding import FoundBoard, find_time_board
from vision.timeboard.following import FollowedBoard
from vision.timeboard.markers import SEATS, MarkerReader

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor, Future

    import numpy as np
    from numpy.typing import NDArray

    from companion.games.patchwork import History
    from companion.patchwork.reading.watch import TableWatch
    from vision.geometry.homography import FailedFit, Homography
    from vision.timeboard.markers import Standing

_LOG: Final = logging.getLogger(__name__)
_EVERY_S: Final = 0.25
"""From one glance to the next: a board that looks alike in two of them is at rest. A glance takes two milliseconds."""
_SEARCHES: Final = 3
"""Where no board is found, it is looked for again after a while, so often; a table may have none."""
_AGAIN_S: Final = 30.0


class TimeBoardWatch:
    """A tick that follows the time board of one game; it says nothing of a board that is not surely seen.

    Args:
        watch: sees the quilts.
        history: the game.
        executor: does the searching, which takes a second or more.
    """

    def __init__(self, watch: TableWatch, history: History, executor: Executor) -> None:
        self._watch, self._history, self._executor = watch, history, executor
        self._search: Future[FoundBoard | FailedFit] | None = None
        self._searched: tuple[NDArray[np.uint8], dict[int, Homography], dict[int, int]] | None = None
        self._searches_left, self._search_at_s = _SEARCHES, float("-inf")
        self._board: FollowedBoard | None = None
        self._reader: MarkerReader | None = None
        self._places: Mapping[int, Homography] = {}
        self._glance_at_s = float("-inf")
        self._glance: NDArray[np.float32] | None = None
        self._read: tuple[NDArray[np.float32], int] | None = None
        self._standing: Standing | None = None

    @property
    def is_found(self) -> bool:
        """True if there is a time board that is followed."""
        return self._reader is not None

    @property
    def standing(self) -> Standing | None:
        """The markers' spaces, by the latest decision's books; None while the board is not at rest or not seen."""
        return self._standing

    def tick(self, now_s: float) -> None:
        """Take the next frame, which the watch has seen."""
        if not self._watch.ready or self._watch.frame is None:
            return
        if self._reader is None or self._board is None:
            self._look_for_it(now_s)
            return
        at_rest = all(self._watch.settled(seat) for seat in SEATS)
        if not at_rest:
            self._standing = None
        if now_s - self._glance_at_s >= _EVERY_S:
            self._glance_at_s = now_s
            self._look_at(self._board, self._reader, self._watch.frame.image, at_rest=at_rest)

    # ------------------------------------------------------------------ where it lies

    def _look_for_it(self, now_s: float) -> None:
        if self._search is None:
            self._begin_search(now_s)
        if self._search is not None and self._search.done():
            search, self._search = self._search, None
            self._search_at_s = now_s + _AGAIN_S
            self._adopt(search)

    def _begin_search(self, now_s: float) -> None:
        frame = self._watch.frame
        at_rest = all(self._watch.settled(seat) for seat in SEATS)
        if frame is None or not at_rest or not self._searches_left or now_s < self._search_at_s:
            return
        self._searches_left -= 1
        track, places = self._history.setup.track, dict(self._watch.places)
        self._searched = (frame.image, places, self._booked())
        self._search = self._executor.submit(
            find_time_board, frame.image, list(places.values()), track.income, track.leather
        )

    def _adopt(self, search: Future[FoundBoard | FailedFit]) -> None:
        try:
            found = search.result()
        except Exception:
            # The game goes on without it.
            _LOG.exception("the time board could not be looked for")
            self._searches_left = 0
            return
        if not isinstance(found, FoundBoard) or self._searched is None:
            _LOG.info("no time board: %s", found)
            return
        image, self._places, booked = self._searched
        self._searched = None
        self._board = FollowedBoard(found.layout, found.place, image)
        self._reader = MarkerReader(self._board, booked)

    def _booked(self) -> dict[int, int]:
        return {seat: self._history.state.seat(seat).time for seat in SEATS}

    # ------------------------------------------------------------------ what it shows

    def _look_at(self, board: FollowedBoard, reader: MarkerReader, image: NDArray[np.uint8], *, at_rest: bool) -> None:
        self._follow(board)
        if not board.is_in_view(image):
            self._standing = self._glance = None
            return
        now, before = thumbnail(rectify(image, board.place)), self._glance
        self._glance = now
        made = len(self._history.decisions)
        if not at_rest or before is None or not is_untouched(now, before):
            self._standing = None
        elif self._standing is None or self._read is None or self._read[1] != made or not is_alike(now, self._read[0]):
            self._standing = reader.read(image, self._booked(), self._history.state.turn)
            self._read = (now, made)

    def _follow(self, board: FollowedBoard) -> None:
        """Take it that the time board has moved in the picture with both quilts."""
        shift = table_shift(self._places, self._watch.places)
        if shift is not None:
            board.moved(shift)
            self._places = dict(self._watch.places)
