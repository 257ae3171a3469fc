"""Test that what people enter on a page is recorded, and that a replay yields the same game."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from companion.config import Config
from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import twins_of
from companion.games.patchwork.decisions import Advance, Decision, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, affordable
from companion.journal import MemoryJournal
from companion.patchwork.arrangement import CircleSource, with_circle_known
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.commands import NamePatch, Override
from companion.patchwork.hands_free import AdvanceForecaster, Forecaster
from companion.patchwork.recording import Recorder
from companion.patchwork.replaying import ReplayedTable, replay_recording
from companion.play import events
from companion.play.inbox import Answer, EndGame, Inbox, PressButton
from companion.play.session import RemoteParticipant, Simulation
from companion.registry import codecs
from hardware.ports import Button
from hardware.recorded import Instruction, RecordingError
from hardware.simulated.virtual.table import VirtualTable
from tests.companion.patchwork.timeboard.boards import StillWatch, ToldBoard, ToldReader
from tests.companion.sessions import simulate

if TYPE_CHECKING:
    from pathlib import Path

    from companion.patchwork.foresight import PlacementForecaster
    from companion.patchwork.reading.reader import Reader
    from companion.patchwork.reading.verdict import Complaint, Question, Reading
    from companion.patchwork.timeboard import TimeBoardWatch
    from companion.patchwork.watching.watch import TableWatch
    from hardware.recorded import RecordingWriter
    from tests.companion.conftest import ScriptedTable

Scripted = Callable[..., "ScriptedTable"]
CONFIRM = Button.CONFIRM
STEP_FRAMES = 4


class Evening:
    """People who enter their moves on the page, one each `STEP_FRAMES`, and then end the evening."""

    def __init__(self) -> None:
        self.inbox = Inbox()
        self.history: History | None = None
        self.frames = 0
        self.steps: list[Callable[[], object]] = [
            self.buy, self.buy, self.rename, self.advance, self.undo, self.advance,
        ]  # fmt: skip

    def __call__(self, event: events.Event) -> None:
        if isinstance(event, events.GameOpened):
            self.history = History(event.state.setup)
        elif isinstance(event, events.DecisionTaken) and self.history is not None:
            self.history.apply(event.decision)
        elif isinstance(event, events.DecisionUndone) and self.history is not None:
            self.history.undo()

    def observe(self, watch: object, now_s: float) -> None:
        del watch, now_s
        self.frames += 1
        if self.frames % STEP_FRAMES == 0 and self.frames > 6 and self.steps:
            self.steps.pop(0)()
        elif not self.steps and self.frames % STEP_FRAMES == STEP_FRAMES - 1:
            self.inbox.put(EndGame(leaves=True))

    def buy(self) -> None:
        assert self.history is not None
        state = self.history.state
        bought = [each for each in legal_decisions(state) if isinstance(each, TakePatch)]
        # A patch whose twin is affordable, too.
        taken = next(each for each in bought if set(twins_of(each.patch)) & set(affordable(state)))
        self.inbox.put(Override(taken.seat, taken.cells, taken.patch))

    def rename(self) -> None:
        assert self.history is not None
        latest = self.history.decisions[-1]
        assert isinstance(latest, TakePatch)
        self.history.undo()
        twin = next(each for each in twins_of(latest.patch) if each in affordable(self.history.state))
        self.history.apply(latest)
        self.inbox.put(NamePatch(twin))

    def advance(self) -> None:
        self.inbox.put(PressButton(Button.ADVANCE))

    def undo(self) -> None:
        self.inbox.put(PressButton(Button.UNDO))


def _played(folder: Path) -> tuple[tuple[Decision, ...], Path]:
    evening, book = Evening(), MemoryJournal(codecs())

    attached = RemoteParticipant(evening.inbox, evening.observe)
    simulation = Simulation(4, fast=True, by_hand=VirtualTable(), record=folder / "recording")
    config = with_circle_known(Config(), CircleSource.UNKNOWN)
    played = simulate(config, simulation, book, folder, None, [evening], remote=attached)
    assert played.error is None
    return book.decisions(1, PATCHWORK), folder / "recording"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[tuple[Decision, ...], Path]:
    return _played(tmp_path_factory.mktemp("evening"))


def test_a_replay_comes_to_the_same_game(recorded: tuple[tuple[Decision, ...], Path]) -> None:
    decisions, folder = recorded
    assert sum(isinstance(each, TakePatch) for each in decisions) == 2
    replayed = replay_recording(folder, Config())
    assert replayed.error is None
    assert replayed.history.decisions == decisions


def test_every_correction_stands_in_the_recording(recorded: tuple[tuple[Decision, ...], Path]) -> None:
    _, folder = recorded
    lines = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    told = [line for line in lines if "told" in line]
    assert [line.get("takes_back", False) for line in told] == [False, False, True]
    assert [line.get("looks", False) for line in told] == [True, True, False], "only another name needs no look"
    assert all(line["told"]["move"] == "patch" for line in told)
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)


# One point of a recording at a time.

CORNER = {"seat": 1, "move": "patch", "patch": "corner-b1", "cells": ["A1", "A2", "B2"]}
TWIN = {**CORNER, "patch": "corner-b3"}
TAKEN = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
OTHER = TakePatch(1, "corner-b3", TAKEN.cells)
BEFORE = (Advance(1), Advance(2))


def tape(*told: tuple[Instruction, ...]) -> Callable[[], tuple[Instruction, ...]]:
    """Return a function that gives the instructions of each frame in turn."""
    left = deque(told)
    return lambda: left.popleft() if left else ()


def test_an_answer_to_a_question_that_is_not_asked_any_more_is_passed_over(scripted: Scripted) -> None:
    told = Instruction(1.0, {"seat": 1, "move": "advance"}, answers=True)
    evening = scripted(ReplayedTable, instructions=tape((told,))).play(None)
    assert (evening.decisions, evening.kinds) == ((), [])


@pytest.mark.parametrize("line", [{"seat": 1, "move": "sleep"}, {"seat": 2, "move": "advance"}])
def test_an_impossible_command_ends_the_replay_with_a_sentence(scripted: Scripted, line: dict[str, object]) -> None:
    evening = scripted(ReplayedTable, instructions=tape((Instruction(7.0, line),)))
    with pytest.raises(RecordingError, match=r"the input at 7 s cannot be carried out here: [^\n]+$"):
        evening.play(None)


def test_a_recorded_command_for_a_decision_already_read_is_skipped(scripted: Scripted, reading: Reading) -> None:
    told = (Instruction(1.0, CORNER, looks=True),)
    evening = scripted(ReplayedTable, verdicts=[reading], instructions=tape((), told)).play(CONFIRM, None)
    assert evening.kinds == ["LookStarted", "DecisionTaken"]
    assert evening.decisions == (TAKEN,)
    again = scripted(ReplayedTable, instructions=tape(told, told)).play(None, None)
    assert again.kinds == ["DecisionTaken"], "and what was told is not told twice"
    assert again.looks == [(TAKEN, "000000.jpg", None)]


def test_a_different_reading_is_undone_by_the_recorded_command(scripted: Scripted, reading: Reading) -> None:
    told = tape((), (Instruction(1.0, TWIN, looks=True, takes_back=True),))
    evening = scripted(ReplayedTable, before=BEFORE, verdicts=[reading], instructions=told).play(CONFIRM, None)
    assert evening.kinds == ["LookStarted", "DecisionTaken", "DecisionUndone", "DecisionTaken"]
    assert evening.decisions == (*BEFORE, OTHER)


@pytest.mark.parametrize("doubt", ["question", "overlap"])
def test_nothing_is_taken_back_where_this_version_had_a_doubt(
    scripted: Scripted, request: pytest.FixtureRequest, doubt: str
) -> None:
    told = tape((), (Instruction(1.0, TWIN, looks=True, takes_back=True),))
    evening = scripted(ReplayedTable, before=BEFORE, verdicts=[request.getfixturevalue(doubt)], instructions=told)
    evening.play(CONFIRM, None)
    assert "DecisionUndone" not in evening.kinds
    assert evening.decisions == (*BEFORE, OTHER)


def test_that_people_insisted_is_told_again(scripted: Scripted, overlap: Complaint) -> None:
    complaint = replace(overlap, otherwise=(TAKEN, OTHER))
    told = tape((), (Instruction(1.0, None, insists=True),))
    evening = scripted(ReplayedTable, verdicts=[complaint], instructions=told).play(CONFIRM, None)
    assert evening.kinds[:3] == ["LookStarted", "Complained", "Asked"]


@pytest.mark.parametrize("option", [1, None])
def test_answers_are_recorded_as_what_they_came_to(scripted: Scripted, question: Question, option: int | None) -> None:
    noted: list[Instruction] = []
    inbox = Inbox()

    class Writer:
        def press(self, *_: object) -> None: ...

        def instruction(self, told: Instruction) -> None:
            noted.append(told)

    def answer(event: events.Event) -> None:
        if isinstance(event, events.Asked):
            inbox.put(Answer(option))

    recorder = Recorder(cast("RecordingWriter", Writer()))
    evening = scripted(verdicts=[question], inbox=inbox, recorder=recorder, after_me=[answer])
    evening.play(CONFIRM, None, None)
    assert noted == [Instruction(0.2, None if option is None else TWIN, answers=True)]
    assert evening.decisions == (() if option is None else (OTHER,))


# Hands-free, with a time board.


class NothingForeseen:
    """A fake `PlacementForecaster`: nothing is laid on the quilts."""

    is_announced, due_s = False, None

    def see(self, *_: object) -> None: ...

    def lapse(self, *_: object, stopped: bool) -> None: ...

    def forget_doubt(self) -> None: ...

    def learn(self, seat: int) -> None: ...


def untouched(scripted: Scripted, board: ToldBoard) -> ScriptedTable:
    """Return a table whose third frame is a minute after the first two, as in a recording."""
    advances = AdvanceForecaster(
        cast("TimeBoardWatch", board), cast("TableWatch", StillWatch()), cast("Reader", ToldReader()), 2.0, print
    )
    return scripted(
        ReplayedTable, away=2, forecaster=Forecaster(cast("PlacementForecaster", NothingForeseen()), advances=advances)
    )


@pytest.mark.parametrize("moments", [(None, Button.ADVANCE, None), (None, None, Button.ADVANCE), (None, None, None)])
def test_an_advance_that_the_markers_show_needs_no_press(scripted: Scripted, moments: tuple[Button | None]) -> None:
    board = ToldBoard()
    board.stands(1, 0)
    evening = untouched(scripted, board).play(*moments)
    assert evening.kinds[:2] == ["DecisionForeseen", "DecisionTaken"]
    assert evening.decisions == (Advance(1),)


def test_an_advance_that_no_marker_shows_is_pressed_for(scripted: Scripted) -> None:
    board = ToldBoard()
    board.stands(0, 0)
    evening = untouched(scripted, board).play(None, Button.ADVANCE, None)
    assert (evening.kinds, evening.decisions) == (["DecisionTaken"], (Advance(1),))


def test_an_advance_waits_for_its_marker_for_a_while(scripted: Scripted) -> None:
    board = ToldBoard()
    board.stands(0, 0)
    evening = untouched(scripted, board)
    evening.table._open()
    assert evening.go_on(None, Button.ADVANCE).kinds == []
    assert evening.go_on(None).decisions == (Advance(1),), "a minute later"


def test_a_press_of_another_button_waits_for_no_marker(scripted: Scripted) -> None:
    board = ToldBoard()
    board.stands(None, None)
    evening = untouched(scripted, board)
    evening.table._open()
    assert evening.go_on(None, Button.UNDO).kinds == ["NothingToUndo"]


def test_a_press_at_the_recordings_end_counts(scripted: Scripted) -> None:
    board = ToldBoard()
    board.stands(None, None)
    assert untouched(scripted, board).play(None, Button.ADVANCE).decisions == (Advance(1),)


def test_without_a_time_board_a_press_counts_at_once(scripted: Scripted) -> None:
    board = ToldBoard(is_found=False)
    evening = untouched(scripted, board).play(Button.ADVANCE, Button.ADVANCE)
    assert evening.decisions == (Advance(1), Advance(2))
