"""The parts that follow the time board, buttons and tile of a table, assembled."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.patchwork.ending.buttons import ButtonCheck
from companion.patchwork.ending.tile import SeenTiles, TileCheck, see_tiles
from companion.patchwork.events import Event
from companion.patchwork.photograph.hands import SeenHeaps, see_heaps
from companion.patchwork.reading.reader import Reader
from companion.patchwork.timeboard.advancing import AdvanceForesight
from companion.patchwork.timeboard.describing import layout_in
from companion.patchwork.timeboard.hints import MarkerHints
from companion.patchwork.timeboard.watching import TimeBoardWatch
from companion.patchwork.watching.watch import TableWatch
from companion.play.evening import Evening
from vision.geometry.homography import Homography
from vision.timeboard.layout import known_layouts
from vision.tokens.kinds import AnyKind


@dataclass(frozen=True, slots=True)
class TimeBoardParts:
    """The parts that follow the time board; without a followed board there are none.

    Attributes:
        listeners: called with every event.
        ticks: called once per frame.
        advances: detects advances; None if each one needs a press.
        at_end: comparisons of the table with the recorded state at the end of the game.
    """

    listeners: tuple[Callable[[Event], None], ...] = ()
    ticks: tuple[Callable[[float], None], ...] = ()
    advances: AdvanceForesight | None = None
    at_end: tuple[ButtonCheck | TileCheck, ...] = ()


def time_board_parts(evening: Evening, watch: TableWatch, reader: Reader) -> TimeBoardParts:
    """Return the parts that the configuration requires.

    Raises:
        RecordError: the file of the time board's printing cannot be used.
    """
    config = evening.config
    if config.table.time_board != "followed":
        return TimeBoardParts()
    own = config.table.time_board_print
    layouts = known_layouts() if own is None else (layout_in(own),)
    board = TimeBoardWatch(watch, evening.history, evening.at.background, layouts)

    def tokens(image: NDArray[np.uint8], places: Mapping[int, Homography], kinds: Sequence[AnyKind]) -> SeenHeaps:
        return see_heaps(image, places, kinds, board.place, looks_for_track=not board.is_missing)

    buttons = ButtonCheck(watch, evening.history, evening.at.background, tokens)

    def tiles(image: NDArray[np.uint8], places: Mapping[int, Homography]) -> SeenTiles:
        return see_tiles(image, places, board.place)

    tile = TileCheck(watch, evening.history, evening.at.background, evening.say, tiles)
    hints = MarkerHints(board, evening.history, evening.say)
    advances = None
    if config.reading.hands_free:
        advances = AdvanceForesight(board, watch, reader, config.reading.pause_s, evening.say)
    # The board's tick before its hints, which use what it has read.
    return TimeBoardParts((hints,), (board.tick, hints.tick), advances, (buttons, tile))
