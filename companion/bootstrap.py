"""The composition root: puts the parts together. It alone knows which hardware there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.games.patchwork import History, decision_to_json
from companion.journal import MemoryJournal
from companion.reader.reader import Reader
from companion.reader.watch import TableWatch
from companion.record import summary
from companion.recording import read_head
from companion.table import ReplayedTable
from companion.transcript import Transcript
from hardware.ports import HardwareError
from hardware.recorded import RecordedCamera, RecordedControls, Tape

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.config import Config
    from companion.events import Listener


@dataclass(frozen=True, slots=True)
class PlayedEvening:
    """What came of an evening at the table.

    Attributes:
        history: the decisions that were taken.
        transcript: the questions and complaints.
        error: the fault that ended it early, None where it came to its end.
    """

    history: History
    transcript: Transcript
    error: str | None = None

    def to_json(self) -> dict[str, Any]:
        """What `companion replay FOLDER --json` prints."""
        printed = summary(self.history.state)
        if self.error is not None:
            printed["error"] = self.error
        printed["record"] = [decision_to_json(decision) for decision in self.history.decisions]
        printed["questions"] = self.transcript.questions
        printed["complaints"] = self.transcript.complaints
        return printed


def replay_recording(folder: Path, config: Config, listeners: Sequence[Listener] = ()) -> PlayedEvening:
    """Play a table recording through the same loop as at the table.

    Raises:
        RecordError: its head cannot be used.
        RecordingError: there is no recording in the folder.
    """
    head = read_head(folder)
    tape = Tape(folder)
    history, transcript, book = History(head.setup), Transcript(), MemoryJournal()
    watch = TableWatch(head.locator(), config.reading.settle_frames)
    reader = Reader(watch, config.reading.confidence)
    game_id = book.new_game(head.setup)
    table = ReplayedTable(
        camera=RecordedCamera(tape),
        controls=RecordedControls(tape),
        watch=watch,
        reader=reader,
        book=book,
        game_id=game_id,
        history=history,
        listeners=(transcript, *listeners),
    )
    try:
        table.run()
    except HardwareError as error:
        return PlayedEvening(history, transcript, str(error))
    return PlayedEvening(history, transcript)
