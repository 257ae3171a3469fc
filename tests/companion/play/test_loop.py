"""Test the loop that all games share: the order of steps in a frame, and failures around it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion.games.patchwork.state import Setup
from companion.journal import MemoryJournal
from companion.play.devices import FramePace
from companion.play.events import NOTHING_ASKED, Asked, Event, GameOpened, LookCalledOff, TableNoticed
from companion.play.inbox import (
    Answer,
    CommandRefusedError,
    EndGame,
    Inbox,
    PressButton,
    TableAwayError,
)
from companion.play.loop import READING_S, TableParts, Tick, TurnLoop
from companion.registry import codecs
from hardware.ports import Button, CameraError, EndOfFramesError, Frame, HardwareError, Press
from hardware.simulated.devices import SimulatedClock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.play.inbox import Outcome


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

    def press(self, press: Press) -> None:
        """Press a button from now on."""
        self._presses.append(press)

    def close(self) -> None: ...


@dataclass(frozen=True)
class State:
    """A state of a game of two."""

    turn: int | None = 1
    finished: bool = False


class Diary(TurnLoop[str, str]):
    """A loop that records its calls; a press of `confirm` asks a question, and `advance` shows its next option."""

    def __init__(
        self,
        source: Source | Even,
        listeners: Sequence[Callable[[Event], None]] = (),
        *,
        looks_since: float | None = None,
        inbox: Inbox | None = None,
        **more: Any,
    ) -> None:
        self.lines: list[str] = []
        self.game = SimpleNamespace(state=State(), decisions=())
        book = MemoryJournal(codecs())
        super().__init__(
            TableParts(
                camera=source, controls=source, book=book, game_id=book.new_game(Setup()), history=self.game,
                listeners=listeners, ticks=[lambda now_s: self.lines.append(f"tick {now_s}")],
                inbox=inbox or Inbox(), whose_turn=lambda state: f"It is the turn of {state.turn}.", **more,
            )
        )  # fmt: skip
        self._look_since = looks_since

    def _see(self, frame: Frame) -> None:
        self.lines.append(f"see {frame.t_s}")

    def _try_look(self, frame: Frame) -> None:
        del frame
        self.lines.append(f"look since {self._look_since}")

    def _press(self, press: Press) -> None:
        self.lines.append(f"press {press.button}")
        if self._question is not None and press.button is Button.ADVANCE:
            self._show_option(self._question, self._choice + 1)
        elif press.button is Button.CONFIRM and self._look_since is None:
            self._put_question("Which is it?")

    def _execute(self, command: object, *, may_wait: bool) -> bool:
        self.lines.append(f"execute {command}")
        if command == "wait":
            return not may_wait
        if command == "what cannot be":
            raise CommandRefusedError("It cannot be.")
        self._notice(f"{command}: done")
        return True

    def _look_ahead(self, frame: Frame) -> None:
        del frame
        self.lines.append("look ahead")

    def said(self, outcome: Outcome) -> list[str]:
        """Return the sentences of the events that a request has caused."""
        return [event.says for event in outcome.result(timeout=0) if isinstance(event, TableNoticed)]


def test_a_frame_is_seen_looked_at_answered_and_ticked_in_that_order() -> None:
    inbox, told = Inbox(), list[Event]()
    inbox.put("sew")
    diary = Diary(Source([1.0], [Press(Button.UNDO, 0.5)]), [told.append], looks_since=0.5, inbox=inbox)
    diary.run()
    assert diary.lines == [
        "see 1.0", "look since 0.5", "press undo", "execute sew", "look ahead", "tick 1.0",
    ]  # fmt: skip
    assert [type(event) for event in told] == [GameOpened, TableNoticed, LookCalledOff]


def test_nothing_is_read_in_a_picture_that_came_before(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source([1.0, 2.0])
    capture = source.capture
    monkeypatch.setattr(source, "capture", lambda: replace(frame := capture(), repeated=frame.t_s < 2.0))
    diary = Diary(source, looks_since=0.5)
    diary.run()
    assert diary.lines == ["see 1.0", "tick 1.0", "see 2.0", "look since 0.5", "look ahead", "tick 2.0"]


def test_a_command_is_answered_by_what_it_led_to_or_refused() -> None:
    inbox = Inbox()
    done, refused = inbox.put("sew"), inbox.put("what cannot be")
    diary = Diary(Source([1.0]), inbox=inbox)
    diary.run()
    assert diary.said(done) == ["sew: done"]
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
    assert diary.said(behind) == ["sew: done"]


def test_a_command_that_is_withdrawn_while_it_waits_is_passed_over() -> None:
    inbox = Inbox()
    waiting, behind = inbox.put("wait"), inbox.put("sew")
    diary = Diary(Source([1.0, 1.5]), inbox=inbox)
    diary.step()
    assert waiting.cancel()
    diary.step()
    assert diary.lines.count("execute wait") == 1
    assert diary.said(behind) == ["sew: done"]


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
    assert diary.lines == ["press undo"]


def test_a_camera_that_was_away_takes_no_patience_away() -> None:
    diary = Diary(Source([1.0, 1.5, 9.5]), looks_since=1.0)
    diary.run()
    assert [line for line in diary.lines if line.startswith("look since")] == [
        "look since 1.0", "look since 1.0", "look since 9.0",
    ]  # fmt: skip


def test_a_broken_device_ends_the_look_and_is_told() -> None:
    source = Source([1.0])
    source.fault = CameraError("the cable is loose")
    told: list[Event] = []
    diary = Diary(source, [told.append], looks_since=0.5)
    with pytest.raises(CameraError):
        diary.run()
    assert [type(event) for event in told] == [GameOpened, LookCalledOff]


def test_a_listener_that_fails_keeps_nobody_else_from_hearing(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[Event] = []

    def fails(event: Event) -> None:
        raise ValueError(event)

    Diary(Source([]), [fails, heard.append]).run()
    assert len(heard) == 1
    assert "failed at GameOpened" in caplog.text


def test_a_reader_that_has_gone_ends_the_program() -> None:
    def gone(event: Event) -> None:
        raise BrokenPipeError(event)

    with pytest.raises(BrokenPipeError):
        Diary(Source([]), [gone]).run()


@pytest.fixture
def told() -> list[Event]:
    return []


def test_every_event_says_what_is_open_and_each_question_has_a_number_of_its_own(told: list[Event]) -> None:
    source = Source([1.0, 2.0], [Press(Button.CONFIRM, 0.5)])
    diary = Diary(source, [told.append])
    diary._open()
    diary.step()
    source.press(Press(Button.ADVANCE, 1.5))
    diary.step()
    opened, asked, shown = (event.pending for event in told)
    assert (opened.number, opened.question) == (NOTHING_ASKED, None)
    assert (asked.question, asked.choice, shown.choice) == ("Which is it?", 0, 1)
    assert asked.number == shown.number > NOTHING_ASKED
    diary._put_question("And now?")
    assert diary.pending.number == asked.number + 1
    assert Diary(Source([])).pending.number == NOTHING_ASKED
    other = Diary(Source([]))
    other._put_question("Which is it?")
    assert other.pending.number != asked.number, "no two tables count alike"


@pytest.mark.parametrize("kind", ["press", "answer"])
def test_a_request_that_names_another_question_is_refused(kind: str) -> None:
    inbox = Inbox()
    diary = Diary(Source([1.0, 2.0]), inbox=inbox)
    diary._put_question("Which is it?")
    number = diary.pending.number
    named: Callable[[int | None], object] = (
        (lambda each: PressButton(Button.UNDO, each)) if kind == "press" else (lambda each: Answer(0, each))
    )
    right, unknown = inbox.put(named(number)), inbox.put(named(None))
    wrong = [inbox.put(named(number - 1)), inbox.put(named(NOTHING_ASKED))]
    diary.step()
    assert right.exception(timeout=0) is None
    assert unknown.exception(timeout=0) is None
    for each in wrong:
        with pytest.raises(CommandRefusedError, match="question has changed"):
            each.result(timeout=0)


def test_presses_that_came_with_the_one_that_led_to_a_question_do_not_answer_it(told: list[Event]) -> None:
    presses = [Press(button, 0.5) for button in (Button.CONFIRM, Button.ADVANCE, Button.CONFIRM)]
    diary = Diary(Source([1.0], presses), [told.append])
    diary.run()
    assert diary.lines.count("press advance") == 0
    assert [type(event) for event in told] == [GameOpened, Asked]


class AskedTable:
    """A table that has just asked a question, on a clock."""

    def __init__(self, *, is_expected: bool = False) -> None:
        self.clock, self.refused = SimulatedClock(10.0), list[float]()
        self.source, self.inbox = Source([11.0, 12.0, 13.0]), Inbox()
        self.diary = Diary(
            self.source, inbox=self.inbox, now=self.clock.now, refuse=lambda: self.refused.append(self.clock.now()),
            is_expected=lambda _: is_expected,
        )  # fmt: skip
        self.diary._put_question("Which is it?")

    def press(self, button: Button, after_s: float) -> None:
        self.source.press(Press(button, 10.0 + after_s))
        self.clock.sleep(1.0)
        self.diary.step()
        self.lines = [line for line in self.diary.lines if line.startswith("press")]


def test_a_press_from_before_a_question_does_not_answer_it() -> None:
    table = AskedTable()
    table.press(Button.ADVANCE, -0.5)
    assert (table.lines, table.refused) == ([], [])


def test_a_confirm_before_a_question_can_have_been_read_does_not_answer_it() -> None:
    table = AskedTable()
    table.press(Button.CONFIRM, 0.8 * READING_S)
    assert (table.lines, len(table.refused)) == ([], 1), "and the lights say so"
    table.press(Button.ADVANCE, 0.9 * READING_S)
    assert table.lines == ["press advance"], "nothing is taken by it"
    table.press(Button.CONFIRM, READING_S)
    assert table.lines == ["press advance", "press confirm"], "whichever option is on display"
    assert len(table.refused) == 1


def test_a_message_without_a_question_s_number_is_a_press_like_any_other() -> None:
    table = AskedTable()
    number = table.diary.pending.number
    early = table.inbox.put(PressButton(Button.CONFIRM, number, has_read=False))
    named = table.inbox.put(PressButton(Button.CONFIRM, number))
    table.diary._asked_s = 11.0
    table.diary.step()
    with pytest.raises(CommandRefusedError, match="question has changed"):
        early.result(timeout=0)
    assert named.exception(timeout=0) is None


def test_a_choice_that_the_game_puts_may_be_answered_at_once() -> None:
    table = AskedTable(is_expected=True)
    table.press(Button.CONFIRM, 0.0)
    assert (table.lines, table.refused) == (["press confirm"], [])


def test_only_the_seat_to_move_is_heard_and_anybody_may_undo(told: list[Event]) -> None:
    presses = [Press(button, 0.5, seat=seat) for seat in (1, 2, None) for button in (Button.ADVANCE, Button.UNDO)]
    diary = Diary(Source([1.0], presses), [told.append])
    diary.step()
    assert diary.lines.count("press advance") == 2
    assert diary.lines.count("press undo") == 3
    assert [event.says for event in told if isinstance(event, TableNoticed)] == ["It is the turn of 1."]


def test_a_game_is_left_on_request_but_one_in_progress_only_knowingly() -> None:
    inbox = Inbox()
    source = Source([1.0, 2.0, 3.0, 4.0])
    diary = Diary(source, inbox=inbox)
    diary.game.decisions = ("sew",)
    refused = inbox.put(EndGame())
    diary.step()
    with pytest.raises(CommandRefusedError, match="is in progress"):
        refused.result(timeout=0)
    left, late = inbox.put(EndGame(leaves=True)), inbox.put("sew")
    diary.run()
    assert left.result(timeout=0) == ()
    assert diary.said(late) == ["sew: done"]
    assert [line for line in diary.lines if line.startswith("see")] == ["see 1.0", "see 2.0"]


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


def test_a_tick_that_needs_no_further_frame_is_called_no_more_and_one_may_be_added(clock: SimulatedClock) -> None:
    soon: list[Tick] = []
    diary = Diary(Even(clock), soon=soon)
    diary.step()
    often = iter(range(9))
    soon += [lambda _: next(often) == 0, lambda _: diary.lines.append("always")]
    for _ in range(3):
        diary.step()
    assert (next(often), diary.lines.count("always")) == (1, 3)


def test_motion_brings_back_the_full_pace_until_the_table_has_rested_for_long(clock: SimulatedClock) -> None:
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
