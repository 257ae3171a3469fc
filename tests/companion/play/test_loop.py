"""Test the loop that all games share: the order of steps in a frame, and failures around it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.journal import Book, MemoryJournal
from companion.play.devices import FramePace
from companion.play.inbox import CommandRefusedError, Inbox, TableAwayError
from companion.play.loop import TableParts, TurnLoop
from companion.registry import codecs
from hardware.ports import Button, CameraError, EndOfFramesError, Frame, HardwareError, Press
from hardware.simulated.devices import SimulatedClock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Source:
    """A camera and buttons with scripted frames and presses."""

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
    """A loop that records its calls."""

    def __init__(
        self,
        source: Source | Even,
        listeners: Sequence[Callable[[str], None]] = (),
        *,
        looks_since: float | None = None,
        inbox: Inbox | None = None,
        pace: FramePace | None = None,
    ) -> None:
        self.lines: list[str] = []
        book: Book = MemoryJournal(codecs())
        super().__init__(
            TableParts(
                camera=source, controls=source, book=book, game_id=1, history=None, listeners=listeners,
                ticks=[lambda now_s: self.lines.append(f"tick {now_s}")], inbox=inbox, pace=pace,
            )
        )  # fmt: skip
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

    def _execute(self, command: str, *, may_wait: bool) -> bool:
        self.lines.append(f"execute {command}")
        if command == "wait":
            return not may_wait
        if command == "what cannot be":
            raise CommandRefusedError("It cannot be.")
        self._announce(f"{command}: done")
        return True

    def _look_ahead(self, frame: Frame) -> None:
        del frame
        self.lines.append("foresee")

    def _call_off(self) -> None:
        self.lines.append("call off")


def test_a_frame_is_seen_looked_at_answered_and_ticked_in_that_order() -> None:
    inbox = Inbox()
    inbox.put("sew")
    diary = Diary(Source([1.0], [Press(Button.CONFIRM, 0.5)]), looks_since=0.5, inbox=inbox)
    diary.run()
    assert diary.lines == [
        "open", "see 1.0", "look since 0.5", "press confirm", "execute sew", "foresee", "tick 1.0", "call off",
    ]  # fmt: skip


def test_nothing_is_read_in_a_picture_that_came_before(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source([1.0, 2.0])
    capture = source.capture
    monkeypatch.setattr(source, "capture", lambda: replace(frame := capture(), repeated=frame.t_s < 2.0))
    diary = Diary(source, looks_since=0.5)
    diary.run()
    assert diary.lines == [
        "open", "see 1.0", "tick 1.0", "see 2.0", "look since 0.5", "foresee", "tick 2.0", "call off",
    ]  # fmt: skip


def test_a_command_is_answered_by_what_it_led_to_or_refused() -> None:
    inbox = Inbox()
    done, refused = inbox.put("sew"), inbox.put("what cannot be")
    Diary(Source([1.0]), inbox=inbox).run()
    assert list(map(str, done.result(timeout=0))) == ["sew: done"]
    with pytest.raises(CommandRefusedError, match="It cannot be"):
        refused.result(timeout=0)


def test_a_command_that_must_wait_holds_up_those_behind_it_until_its_patience_ends() -> None:
    inbox = Inbox()
    waiting, behind = inbox.put("wait"), inbox.put("sew")
    diary = Diary(Source([1.0, 2.0, 3.5, 4.0]), inbox=inbox)
    for _ in range(3):
        diary.step()
    assert not waiting.done()
    assert diary.lines.count("execute wait") == 3
    assert not behind.done()
    diary.step()
    assert waiting.result(timeout=0) == ()
    assert list(map(str, behind.result(timeout=0))) == ["sew: done"]


def test_a_command_that_is_withdrawn_while_it_waits_is_passed_over() -> None:
    inbox = Inbox()
    waiting, behind = inbox.put("wait"), inbox.put("sew")
    diary = Diary(Source([1.0, 1.5]), inbox=inbox)
    diary.step()
    assert waiting.cancel()
    diary.step()
    assert diary.lines.count("execute wait") == 1
    assert list(map(str, behind.result(timeout=0))) == ["sew: done"]


@pytest.mark.parametrize("fault", [None, CameraError("torn cable")])
def test_a_command_that_waits_when_the_game_is_left_is_refused(fault: CameraError | None) -> None:
    inbox = Inbox()
    waiting, behind = inbox.put("wait"), inbox.put("sew")
    source = Source([1.0])
    diary = Diary(source, inbox=inbox)
    diary.step()
    source.fault = fault
    with suppress(CameraError):
        diary.run()
    for each in (waiting, behind):
        with pytest.raises(TableAwayError, match="busy"):
            each.result(timeout=0)


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


class Even:
    """A camera on a clock, over a table that changes only when a test sets it; counts the pictures taken."""

    def __init__(self, clock: SimulatedClock) -> None:
        self._clock, self.taken, self.grey = clock, 0, 50
        self.waiting: list[Press] = []

    def capture(self) -> Frame:
        self._clock.sleep(0.1)
        self.taken += 1
        return Frame(np.full((32, 32, 3), self.grey, np.uint8), self._clock.now(), f"{self.taken}.jpg")

    def presses(self) -> Sequence[Press]:
        told, self.waiting = self.waiting, []
        return told

    def close(self) -> None: ...


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(100.0)


def sleeping(clock: SimulatedClock, inbox: Inbox | None = None) -> tuple[Diary, Even]:
    """Return a loop at a table that has been at rest for a long time, and its camera."""
    table = Even(clock)
    diary = Diary(table, inbox=inbox, pace=FramePace(clock))
    while clock.now() < 115:
        diary.step()
    diary.lines.clear()
    return diary, table


def pictures_in(seconds: float, diary: Diary, table: Even, clock: SimulatedClock) -> int:
    before, until_s = table.taken, clock.now() + seconds
    while clock.now() < until_s - 1e-6:
        diary.step()
    return table.taken - before


def test_at_a_table_at_rest_few_pictures_are_taken_and_ticks_go_on(clock: SimulatedClock) -> None:
    diary, table = sleeping(clock)
    assert 6 <= pictures_in(5.0, diary, table, clock) <= 10
    assert sum(line.startswith("tick") for line in diary.lines) == pytest.approx(50, abs=2)


def test_what_stirs_brings_back_the_full_pace_until_it_has_rested_for_long(clock: SimulatedClock) -> None:
    diary, table = sleeping(clock)
    table.grey = 90
    pictures_in(1.0, diary, table, clock)
    assert pictures_in(5.0, diary, table, clock) >= 49
    pictures_in(6.0, diary, table, clock)
    assert pictures_in(5.0, diary, table, clock) <= 10


def test_a_press_is_heard_at_once_and_wakes_the_table(clock: SimulatedClock) -> None:
    diary, table = sleeping(clock)
    diary.step()
    table.waiting.append(Press(Button.CONFIRM, clock.now()))
    pictures_in(0.2, diary, table, clock)
    assert "press confirm" in diary.lines
    assert pictures_in(3.0, diary, table, clock) >= 29


def test_a_command_is_carried_out_at_rest_and_one_that_must_wait_gets_pictures(clock: SimulatedClock) -> None:
    inbox = Inbox()
    diary, table = sleeping(clock, inbox)
    inbox.put("wait")
    assert pictures_in(2.0, diary, table, clock) >= 18
    assert diary.lines.count("execute wait") > 10


def test_while_a_look_is_wanted_every_picture_is_taken(clock: SimulatedClock) -> None:
    diary, table = sleeping(clock)
    diary._look_since = clock.now()
    assert pictures_in(2.0, diary, table, clock) == 20


def test_a_table_that_has_come_to_rest_gives_its_memory_back_once(
    clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    monkeypatch.setattr("companion.play.devices.give_back_memory", lambda: given.append(clock.now()))
    diary, table = sleeping(clock)
    pictures_in(30.0, diary, table, clock)
    assert len(given) == 1
    table.grey = 90
    pictures_in(15.0, diary, table, clock)
    assert len(given) == 2
