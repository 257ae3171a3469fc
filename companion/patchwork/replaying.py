"""Replay of a table recording of Patchwork, through the same loop as at the table."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from calibration.calibrated import straightened
from companion.config import Config
from companion.games.patchwork import History
from companion.journal import MemoryJournal
from companion.languages import reason
from companion.patchwork.assembling import replayed_table
from companion.patchwork.boards.profiles import KnownBoards
from companion.patchwork.codec import PATCHWORK, PatchworkTranscript
from companion.patchwork.events import Listener
from companion.patchwork.reading.study import Study
from companion.patchwork.recording import read_head
from companion.patchwork.words import turn_sentence
from companion.play.at_table import AtTable, Company
from companion.play.evening import Evening, EveningResult
from companion.record import Games
from hardware.clock import SystemClock
from hardware.nothing import NoStrip
from hardware.ports import HardwareError
from hardware.recorded import RecordedCamera, RecordedControls, Tape

# The number of pixels of the strip, which is not shown.
_PIXELS: Final = 60


def replay_recording(
    folder: Path,
    config: Config,
    listeners: Sequence[Listener] = (),
    *,
    hands_free: bool = False,
    studied: Callable[[Study], None] | None = None,
) -> EveningResult:
    """Replay a table recording and return its result.

    Args:
        folder: the recording.
        config: the configuration, which determines how pictures are read.
        listeners: called with every event.
        hands_free: whether presses of `confirm` are left out, and placements are taken after a pause.
        studied: called with every look and its verdict.

    Raises:
        RecordError: the recording's head cannot be used.
        RecordingError: there is no recording in the folder.
    """
    head, tape, book = read_head(folder), Tape(folder), MemoryJournal(Games((PATCHWORK,)))
    with closing(straightened(RecordedCamera(tape), head.calibration)) as camera:
        at = AtTable(
            name=str(folder),
            clock=SystemClock(),
            camera=camera,
            controls=RecordedControls(tape),
            strip=NoStrip(_PIXELS),
            instructions=tape.instructions,
        )
        evening = Evening(
            config=replace(config, reading=replace(config.reading, hands_free=hands_free)),
            at=at,
            book=book,
            game_id=book.new_game(head.setup),
            history=History(head.setup),
            folder=folder,
            transcript=PatchworkTranscript(),
            company=Company(tuple(listeners)),
            whose_turn=turn_sentence,
        )
        error = None
        try:
            replayed_table(evening, KnownBoards(head.locator()), studied).run()
        # What was read before a damaged part of the recording is still a result.
        except HardwareError as fault:
            error = reason(fault)
    return EveningResult(PATCHWORK, evening.history, evening.transcript, error)
