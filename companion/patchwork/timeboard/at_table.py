"""The parts that a table with a time board needs, put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.patchwork.timeboard.advancing import AdvanceForesight
from companion.patchwork.timeboard.hints import MarkerHints
from companion.patchwork.timeboard.watching import TimeBoardWatch

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.patchwork.events import Event
    from companion.patchwork.reading.reader import Reader
    from companion.patchwork.reading.watch import TableWatch
    from companion.play.evening import Evening


@dataclass(frozen=True, slots=True)
class TimeBoardParts:
    """The parts that follow the time board; without one, none.

    Attributes:
        listeners: called with every event.
        ticks: called once a frame.
        advances: foresees advances; None if each is pressed for.
    """

    listeners: tuple[Callable[[Event], None], ...] = ()
    ticks: tuple[Callable[[float], None], ...] = ()
    advances: AdvanceForesight | None = None


def time_board_parts(evening: Evening, watch: TableWatch, reader: Reader) -> TimeBoardParts:
    """Return the parts that the configuration asks for."""
    config = evening.config
    if config.table.time_board != "followed":
        return TimeBoardParts()
    board = TimeBoardWatch(watch, evening.history, evening.at.background)
    hints = MarkerHints(board, evening.history, evening.say)
    advances = None
    if config.reading.hands_free:
        advances = AdvanceForesight(board, watch, reader, config.reading.pause_s, evening.say)
    return TimeBoardParts((hints,), (board.tick, hints.tick), advances)
