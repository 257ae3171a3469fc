from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.bootstrap import replay_recording
from companion.config import Config
from companion.events import DecisionTaken, Event, GameOpened
from companion.games.patchwork import Advance, Setup
from companion.record import RecordError
from companion.recording import head_text
from hardware.recorded import RecordingError


def _tape(folder: Path, *lines: dict[str, object]) -> Path:
    (folder / "frames").mkdir()
    cv2.imwrite(str(folder / "frames" / "0.png"), np.full((40, 60, 3), 128, np.uint8))
    (folder / "recording.toml").write_text(head_text(Setup(players=("Ines", "Jonas"))))
    (folder / "events.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def test_a_recording_goes_through_the_same_loop_as_an_evening(tmp_path: Path) -> None:
    told: list[Event] = []
    tape = _tape(tmp_path, {"t": 0, "frame": "0.png"}, {"t": 1, "button": "advance"}, {"t": 2, "button": "advance"})
    evening = replay_recording(tape, Config(), [told.append])
    assert evening.history.decisions == (Advance(1), Advance(2))
    assert (evening.error, evening.quilts) == (None, None)
    assert isinstance(told[0], GameOpened)
    assert told[0].state.setup.players == ("Ines", "Jonas")
    assert [event.decision for event in told[1:] if isinstance(event, DecisionTaken)] == [Advance(1), Advance(2)]


def test_a_fault_in_the_middle_is_kept_with_what_came_before(tmp_path: Path) -> None:
    tape = _tape(tmp_path, {"t": 0, "frame": "0.png"}, {"t": 1, "button": "advance"}, {"t": 2, "frame": "1.png"})
    evening = replay_recording(tape, Config())
    assert evening.history.decisions == (Advance(1),)
    assert evening.error is not None
    assert "events.jsonl:3: " in evening.error


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"recording\.toml"):
        replay_recording(tmp_path, Config())
    (tmp_path / "recording.toml").write_text(head_text(Setup()))
    with pytest.raises(RecordingError, match=r"events\.jsonl: is missing"):
        replay_recording(tmp_path, Config())
