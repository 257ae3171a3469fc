from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from hardware.ports import Button, EndOfFramesError
from hardware.recorded import Instruction, RecordedCamera, RecordedControls, RecordingError, Tape

if TYPE_CHECKING:
    from pathlib import Path


def _recording(folder: Path, *lines: str, frames: tuple[str, ...] = ("a.jpg", "b.jpg")) -> Path:
    (folder / "frames").mkdir()
    for index, name in enumerate(frames):
        cv2.imwrite(str(folder / "frames" / name), np.full((6, 8, 3), 60 * index, np.uint8))
    (folder / "events.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def test_instructions_follow_the_frame_and_the_presses_before_them(tmp_path: Path) -> None:
    tape = Tape(
        _recording(
            tmp_path,
            '{"t": 0.5, "frame": "a.jpg"}',
            '{"t": 1.0, "button": "confirm"}',
            '{"t": 1.0, "told": {"seat": 1, "move": "advance"}, "answers": true}',
            '{"t": 2.0, "frame": "b.jpg"}',
            '{"t": 2.5, "told": null, "takes_back": true}',
        )
    )
    tape.frame()
    assert [press.button for press in tape.presses()] == [Button.CONFIRM]
    assert tape.instructions() == (Instruction(1.0, {"seat": 1, "move": "advance"}, answers=True),)
    assert tape.instructions() == ()
    tape.frame()
    assert tape.instructions() == (Instruction(2.5, None, takes_back=True),)


def test_frames_come_in_order_with_the_presses_that_follow_each(tmp_path: Path) -> None:
    tape = Tape(
        _recording(
            tmp_path,
            '{"t": 0.5, "frame": "a.jpg"}',
            '{"t": 1.0, "button": "confirm"}',
            '{"t": 1.5, "button": "undo", "answers": true}',
            "",
            '{"t": 2.0, "frame": "b.jpg"}',
            '{"t": 3.0, "button": "advance"}',
        )
    )
    camera, controls = RecordedCamera(tape), RecordedControls(tape)
    assert controls.presses() == ()
    first = camera.capture()
    assert (first.name, first.t_s, first.image.shape) == ("a.jpg", 0.5, (6, 8, 3))
    assert [(press.button, press.answers) for press in controls.presses()] == [
        (Button.CONFIRM, None),
        (Button.UNDO, True),
    ]
    assert controls.presses() == ()
    assert camera.capture().image.mean() == pytest.approx(60, abs=2)
    with pytest.raises(EndOfFramesError):
        camera.capture()
    assert [press.button for press in controls.presses()] == [Button.ADVANCE]


def test_presses_nobody_fetched_in_time_are_kept(tmp_path: Path) -> None:
    tape = Tape(
        _recording(tmp_path, '{"t": 0, "frame": "a.jpg"}', '{"t": 1, "button": "undo"}', '{"t": 2, "frame": "b.jpg"}')
    )
    tape.frame()
    tape.frame()
    assert [press.t_s for press in tape.presses()] == [1.0]


def test_frames_are_not_to_be_written_to(tmp_path: Path) -> None:
    frame = Tape(_recording(tmp_path, '{"t": 0, "frame": "a.jpg"}')).frame()
    with pytest.raises(ValueError, match="read-only"):
        frame.image[0, 0, 0] = 1


def test_a_closed_camera_has_no_more_frames_and_closed_controls_no_presses(tmp_path: Path) -> None:
    tape = Tape(_recording(tmp_path, '{"t": 0, "button": "undo"}', '{"t": 1, "frame": "a.jpg"}'))
    camera, controls = RecordedCamera(tape), RecordedControls(tape)
    camera.close()
    camera.close()
    with pytest.raises(EndOfFramesError):
        camera.capture()
    controls.close()
    assert controls.presses() == ()


def test_a_fault_is_raised_when_the_tape_gets_there(tmp_path: Path) -> None:
    tape = Tape(
        _recording(tmp_path, '{"t": 0, "frame": "a.jpg"}', '{"t": 1, "button": "undo"}', "nonsense", '{"t": 2}')
    )
    tape.frame()
    assert len(tape.presses()) == 1
    for _ in range(2):
        with pytest.raises(RecordingError, match=r"events\.jsonl:3: is not JSON"):
            tape.frame()


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (['{"t": 5, "frame": "a.jpg"}', '{"t": 4, "frame": "b.jpg"}'], r":2: time runs backwards, from 5 s to 4 s"),
        (['{"t": 5, "frame": "a.jpg"}', '{"t": 6, "frame": "z.jpg"}'], r":2: the frame .*z\.jpg cannot be read"),
        (
            ['{"t": 5, "frame": "a.jpg"}', '{"t": 6, "button": "play"}'],
            r':2: is no event: "button" is not valid; allowed: "confirm"',
        ),
        (['{"t": 5, "frame": "a.jpg"}', '{"t": 6, "frame": "c.jpg"}'], r":2: the frame .* is not a readable picture"),
        (['{"t": 5, "frame": "a.jpg"}', '{"t": 6, "frame": "d.jpg"}'], r":2: the frame .* is not a readable picture"),
    ],
)
def test_faults_name_file_and_line(tmp_path: Path, lines: list[str], says: str) -> None:
    folder = _recording(tmp_path, *lines)
    (folder / "frames" / "c.jpg").write_bytes(b"")
    (folder / "frames" / "d.jpg").write_bytes(b"no picture at all")
    tape = Tape(folder)
    tape.frame()
    with pytest.raises(RecordingError, match=says) as caught:
        tape.frame()
    assert str(caught.value).startswith(str(folder / "events.jsonl"))
    assert "\n" not in str(caught.value)


def test_a_missing_folder_and_missing_events_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="no such folder"):
        Tape(tmp_path / "none")
    with pytest.raises(RecordingError, match="is missing"):
        Tape(tmp_path)


def test_an_empty_recording_has_no_frames(tmp_path: Path) -> None:
    with pytest.raises(EndOfFramesError):
        Tape(_recording(tmp_path)).frame()
