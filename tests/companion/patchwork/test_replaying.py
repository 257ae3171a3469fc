from __future__ import annotations

import json
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.config import Config
from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.games.patchwork.state import Setup
from companion.patchwork.recording import head_text
from companion.patchwork.replaying import replay_recording
from companion.play.events import Complained, DecisionForeseen, DecisionTaken, DoubtLapsed, Event, GameOpened
from companion.record import RecordError
from hardware.ports import Button, Frame, Press
from hardware.recorded import RecordingError, RecordingWriter
from hardware.simulated.conditions import normal
from hardware.simulated.scene.table import SimulatedTable

if TYPE_CHECKING:
    from pathlib import Path


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
    assert (evening.error, evening.truth) == (None, None)
    assert isinstance(told[0], GameOpened)
    assert told[0].state.setup.players == ("Ines", "Jonas")
    assert [event.decision for event in told[1:] if isinstance(event, DecisionTaken)] == [Advance(1), Advance(2)]


def test_a_fault_in_the_middle_is_kept_with_what_came_before(tmp_path: Path) -> None:
    tape = _tape(tmp_path, {"t": 0, "frame": "0.png"}, {"t": 1, "button": "advance"}, {"t": 2, "frame": "1.png"})
    evening = replay_recording(tape, Config())
    assert evening.history.decisions == (Advance(1),)
    assert evening.error is not None
    assert "events.jsonl:3: " in evening.error


def test_a_folder_without_a_recording_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"recording\.toml"):
        replay_recording(tmp_path, Config())
    (tmp_path / "recording.toml").write_text(head_text(Setup()))
    with pytest.raises(RecordingError, match=r"events\.jsonl: is missing"):
        replay_recording(tmp_path, Config())


SETUP = Setup(players=("Anna", "Boris"))
TEE = TakePatch(1, "tee", mask_of(["D4", "E4", "F4", "E5"]))
BAR = TakePatch(2, "bar3", mask_of(["A9", "B9", "C9"]))


@pytest.fixture(scope="module")
def mended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording in which Boris lays his patch over the edge and lays it again after the complaint."""
    table, folder = SimulatedTable(4, normal(), mats=False), tmp_path_factory.mktemp("evening") / "tape"
    corners = table.grid_corners_px()
    writer = RecordingWriter(folder, head_text(SETUP, corners=(corners[0], corners[1])))

    def look(at_s: float, *presses: Press) -> None:
        for number in range(3):
            t_s = at_s + 0.4 * number
            writer.frame(Frame(table.frame(t_s), t_s, f"{round(10 * t_s):06d}.jpg"))
        for press in presses:
            writer.press(press)

    look(0.0)
    table.lay(1, "tee", [(3, 3), (3, 4), (3, 5), (4, 4)])
    look(10.0, Press(Button.CONFIRM, 11.0))
    wrong = table.lay(2, "bar3", [(8, -1), (8, 0), (8, 1)])
    look(20.0, Press(Button.CONFIRM, 21.0))
    table.lift(2, wrong)
    table.lay(2, "bar3", [(8, 0), (8, 1), (8, 2)])
    look(30.0, Press(Button.CONFIRM, 31.0))
    writer.close()
    return folder


@pytest.mark.parametrize("hands_free", [False, True])
def test_a_recording_is_read_with_its_presses_of_confirm_or_without(mended: Path, hands_free: bool) -> None:
    told: list[Event] = []
    evening = replay_recording(mended, Config(), [told.append], hands_free=hands_free)
    assert evening.history.decisions == (TEE, BAR)
    assert [each["reason"] for each in evening.transcript.complaints] == ["over-the-edge"]
    assert sum(isinstance(event, DecisionForeseen) for event in told) == (2 if hands_free else 0)
    assert [event.unasked for event in told if isinstance(event, Complained)] == [hands_free]
    assert any(isinstance(event, DoubtLapsed) for event in told) is hands_free, "it was mended"
