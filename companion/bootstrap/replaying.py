"""Puts a table together from a recording."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.calibrated import straightened
from companion.bootstrap.evening import PlayedEvening
from companion.bootstrap.locating import lookouts
from companion.bootstrap.telling import RecordedClerk
from companion.games.patchwork import History
from companion.journal import MemoryJournal
from companion.languages import reason
from companion.reader.foresight import Foresight
from companion.reader.reader import Reader
from companion.reader.watch import TableWatch
from companion.recording import read_head
from companion.table import ReplayedTable
from companion.transcript import Transcript
from hardware.ports import HardwareError
from hardware.recorded import RecordedCamera, RecordedControls, Tape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.config import Config
    from companion.events import Listener
    from companion.reader.study import Study


def replay_recording(
    folder: Path,
    config: Config,
    listeners: Sequence[Listener] = (),
    *,
    hands_free: bool = False,
    studied: Callable[[Study], None] | None = None,
) -> PlayedEvening:
    """Play a table recording through the same loop as at the table.

    Args:
        folder: the recording.
        config: how pictures become decisions.
        listeners: told of every event.
        hands_free: whether its presses of `confirm` are left out, and what lies there is taken after a pause.
        studied: told of every look with its verdict.

    Raises:
        RecordError: its head cannot be used.
        RecordingError: there is no recording in the folder.
    """
    head = read_head(folder)
    tape = Tape(folder)
    history, transcript, book = History(head.setup), Transcript(), MemoryJournal()
    locator = head.locator()
    watch = TableWatch(locator, config.reading.settle_frames)
    reader = Reader(watch, config.reading.confidence, studied)
    game_id = book.new_game(head.setup)
    table = ReplayedTable(
        camera=straightened(RecordedCamera(tape), head.calibration),
        controls=RecordedControls(tape),
        watch=watch,
        reader=reader,
        book=book,
        game_id=game_id,
        history=history,
        listeners=(transcript, *listeners),
        clerk=RecordedClerk(tape),
        foresight=Foresight(watch, reader, config.reading.pause_s) if hands_free else None,
        ticks=lookouts(watch, locator, history, listeners),
    )
    try:
        table.run()
    except HardwareError as error:
        return PlayedEvening(history, transcript, reason(error))
    return PlayedEvening(history, transcript)
