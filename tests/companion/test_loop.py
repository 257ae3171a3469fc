"""The loop that all games share: the order of things in a frame, and what goes wrong beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from companion.loop import TurnLoop
from hardware.ports import Button, CameraError, EndOfFramesError, Frame, HardwareError, Press


class Source:
    """A camera and buttons that give what they were told to."""

    def __init__(self, times_s: Sequence[float], presses: Sequence[Press] = ()) -> None:
        self._times_s, self._presses = list(times_s), list(presses)
        self.fault: HardwareError | None = None

    def capture(self) -> Frame:
        if self.fault is not None:
            raise self.fault
        if not self._times_s:
            raise EndOfFramesError("no more")
        t_s = self._times_s.pop(0)
        return Frame(np.zeros((2, 2, 3), np.uint8), t_s, f"{t_s}.jpg")

    def presses(self) -> Sequence[Press]:
        told, self._presses = self._presses, []
        return told

    def close(self) -> None: ...


class Diary(TurnLoop[str]):
    """Takes down what it is asked to do."""

    def __init__(
        self, source: Source, listeners: Sequence[Callable[[str], None]] = (), *, looks_since: float | None = None
    ) -> None:
        self.lines: list[str] = []
        super().__init__(source, source, listeners, [lambda now_s: self.lines.append(f"tick {now_s}")])
        self._look_since = looks_since

    def _open(self) -> None:
        self.lines.append("open")
        self._announce("opened")

    def _see(self, frame: Frame) -> None:
        self.lines.append(f"see {frame.t_s}")

    def _try_look(self, frame: Frame) -> None:
        del frame
        self.lines.append(f"look since {self._look_since}")

    def _press(self, press: Press) -> None:
        self.lines.append(f"press {press.button}")

    def _serve(self, frame: Frame) -> None:
        del frame
        self.lines.append("serve")

    def _call_off(self) -> None:
        self.lines.append("call off")


def test_a_frame_is_seen_looked_at_answered_and_ticked_in_that_order() -> None:
    diary = Diary(Source([1.0], [Press(Button.CONFIRM, 0.5)]), looks_since=0.5)
    diary.run()
    assert diary.lines == [
        "open", "see 1.0", "look since 0.5", "press confirm", "serve", "tick 1.0", "call off",
    ]  # fmt: skip


def test_presses_after_the_last_frame_count() -> None:
    diary = Diary(Source([], [Press(Button.UNDO, 0.5)]))
    diary.run()
    assert diary.lines == ["open", "press undo", "call off"]


def test_a_camera_that_was_away_takes_no_patience_away() -> None:
    diary = Diary(Source([1.0, 1.5, 9.5]), looks_since=1.0)
    diary.run()
    assert [line for line in diary.lines if line.startswith("look")] == [
        "look since 1.0", "look since 1.0", "look since 9.0",
    ]  # fmt: skip


def test_a_broken_device_ends_the_look_and_is_told() -> None:
    source = Source([1.0])
    source.fault = CameraError("the cable is loose")
    diary = Diary(source)
    with pytest.raises(CameraError):
        diary.run()
    assert diary.lines == ["open", "call off"]


def test_a_listener_that_fails_keeps_nobody_else_from_hearing(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[str] = []

    def fails(event: str) -> None:
        raise ValueError(event)

    Diary(Source([]), [fails, heard.append]).run()
    assert heard == ["opened"]
    assert "was not told of str" in caplog.text


def test_a_reader_that_has_gone_ends_the_program() -> None:
    def gone(event: str) -> None:
        raise BrokenPipeError(event)

    with pytest.raises(BrokenPipeError):
        Diary(Source([]), [gone]).run()
