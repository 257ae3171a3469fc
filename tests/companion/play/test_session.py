from __future__ import annotations

import json

from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.codec import PATCHWORK, PatchworkTranscript, summary
from companion.patchwork.reading.verdict import Complaint, Reason
from companion.play.events import Complained
from companion.play.session import GameResult

QUILTS = [["X" + "." * 8, *["." * 9] * 8], ["." * 9] * 9]


def _history() -> History:
    history = History(Setup())
    history.apply(Advance(1))
    return history


def test_a_recording_prints_its_game_and_what_was_said() -> None:
    history, transcript = _history(), PatchworkTranscript()
    transcript(Complained(Complaint(Reason.OBJECT, 2, ("C3",), "Take it off.", "f"), history.state))
    printed = GameResult(PATCHWORK, history, transcript).to_json()
    assert list(printed) == [*summary(history.state), "record", "questions", "complaints"]
    assert printed["record"] == [{"seat": 1, "move": "advance"}]
    assert printed["complaints"] == transcript.complaints != []
    assert json.loads(json.dumps(printed)) == printed


def test_a_fault_and_the_table_s_own_quilts_are_added_where_there_are_any() -> None:
    printed = GameResult(
        PATCHWORK, _history(), PatchworkTranscript(), "the cable is loose", {"table": QUILTS}
    ).to_json()
    assert printed["error"] == "the cable is loose"
    assert printed["table"] == QUILTS
