"""What people tell the companion on a page stands in a recording, and comes to the same game when it is replayed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion import events
from companion.bootstrap import Attached, SimulationOptions, VirtualTable, replay_recording, simulate
from companion.bootstrap.arrangement import Circle
from companion.bootstrap.telling import RecordedClerk, clerk_of
from companion.config import Config
from companion.events import Complained, DecisionTaken
from companion.games.patchwork import (
    Advance,
    Decision,
    History,
    Setup,
    TakePatch,
    affordable,
    decision_from_json,
    legal_decisions,
    names_of,
    twins_of,
)
from companion.inbox import Answer, Inbox, NamePatch, Override
from companion.journal import MemoryJournal
from companion.orders import Clerk, Orderly, Plan
from companion.verdict import Complaint, Question
from hardware.ports import Button, Press
from hardware.recorded import RecordingError, Tape, Told

OPTIONS = SimulationOptions(seed=4, tempers=("tidy", "tidy"), fast=True, by_hand=True, circle=Circle.UNKNOWN)


class Presses:
    """Buttons that a test presses."""

    def __init__(self) -> None:
        self.waiting: list[Button] = []

    def presses(self) -> tuple[Press, ...]:
        pressed, self.waiting = self.waiting, []
        return tuple(Press(button, 0.0) for button in pressed)

    def close(self) -> None:
        """Nothing more comes."""


class Evening:
    """People who say what they do on the page, a thing each few frames; then somebody ends it."""

    def __init__(self) -> None:
        self.inbox, self.buttons = Inbox(), Presses()
        self.history: History | None = None
        self.frames = 0
        self.steps: list[Callable[[], object]] = [
            self.buy, self.buy, self.rename, self.advance, self.undo, self.advance, self.advance,
        ]  # fmt: skip

    def __call__(self, event: events.Event) -> None:
        if isinstance(event, events.GameOpened):
            self.history = History(event.state.setup)
        elif isinstance(event, events.DecisionTaken) and self.history is not None:
            self.history.apply(event.decision)
        elif isinstance(event, events.DecisionUndone) and self.history is not None:
            self.history.undo()

    def look_on(self, watch: object, now_s: float) -> None:
        del watch, now_s
        self.frames += 1
        if self.frames % 6 == 0 and self.frames > 6 and self.steps:
            self.steps.pop(0)()

    def buy(self) -> None:
        assert self.history is not None
        state = self.history.state
        bought = [each for each in legal_decisions(state) if isinstance(each, TakePatch)]
        # One that can be mistaken for its twin.
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
        self.buttons.waiting.append(Button.ADVANCE)

    def undo(self) -> None:
        self.buttons.waiting.append(Button.UNDO)


def _played(folder: Path) -> tuple[tuple[Decision, ...], Path]:
    evening, table, book = Evening(), VirtualTable(), MemoryJournal()
    attached = Attached(evening.buttons, evening.inbox, evening.look_on)

    class Ending:
        """Ends the evening once everything was done."""

        def look_on(self, history: History, camera: object, now_s: float) -> None:
            del history, now_s
            if not evening.steps and evening.frames % 6 == 5:
                camera.close()  # type: ignore[attr-defined]  # it is a camera

    attached = replace(attached, host=Ending())  # type: ignore[arg-type]  # all of a host that counts here
    options = replace(OPTIONS, record=folder / "recording")
    played = simulate(Config(), options, book, folder, None, [evening], (), attached, virtual=table)
    assert played.error is None
    return book.decisions(1), folder / "recording"


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
    assert all(line["told"]["move"] == "patch" and line["looks"] for line in told)
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)


class StandingTable:
    """A table that notes what it is to do."""

    def __init__(self, question: Question | None = None) -> None:
        self.history = History(Setup(players=("Anna", "Boris")))
        self.question = question
        self.complaint: Complaint | None = None
        self.ready = True
        self.done: list[Plan] = []

    def out_of_sight(self, seat: int) -> str:
        return "" if seat == 1 else "It is out of sight."

    def carry_out(self, plan: Plan) -> None:
        if plan.decision is not None and not plan.takes_back:
            self.history.apply(plan.decision)
        self.done.append(plan)


class ShortTape(Tape):
    """Tells what a test wants told."""

    def __init__(self, *told: Told) -> None:
        self._all = told

    def told(self) -> tuple[Told, ...]:
        return self._all


def test_an_answer_to_a_question_that_is_not_asked_any_more_is_passed_over() -> None:
    table: Orderly = StandingTable()
    RecordedClerk(ShortTape(Told(1.0, {"seat": 1, "move": "advance"}, answers=True))).serve(table, 1.0)
    assert isinstance(table, StandingTable)
    assert table.done == []


@pytest.mark.parametrize("line", [{"seat": 1, "move": "sleep"}, {"seat": 2, "move": "advance"}])
def test_what_cannot_be_done_at_this_point_ends_the_replay_in_a_line(line: dict[str, object]) -> None:
    table = StandingTable()
    with pytest.raises(RecordingError, match=r"what was told at 7 s cannot be done here: [^\n]+$"):
        RecordedClerk(ShortTape(Told(7.0, line))).serve(table, 8.0)


CORNER = {"seat": 1, "move": "patch", "patch": "corner-b1", "cells": ["A1", "A2", "B2"]}
TWIN = {**CORNER, "patch": "corner-b3"}


def test_what_this_version_has_read_by_itself_is_not_told_to_it() -> None:
    table, clerk = StandingTable(), RecordedClerk(ShortTape(Told(1.0, CORNER, looks=True)))
    clerk.serve(table, 1.0)
    clerk.serve(table, 2.0)
    assert table.done == [Plan(decision_from_json(CORNER), looks=True)]


@pytest.mark.parametrize("is_read", [True, False])
def test_only_what_was_read_is_taken_back(overlap: Complaint, is_read: bool) -> None:
    table = StandingTable()
    clerk = RecordedClerk(ShortTape(Told(1.0, CORNER, looks=True, takes_back=True)))
    clerk(DecisionTaken(Advance(1), (), table.history.state) if is_read else Complained(overlap, table.history.state))
    clerk.serve(table, 1.0)
    assert table.done == [Plan(decision_from_json(CORNER), looks=True, takes_back=is_read)]


def test_that_people_insisted_is_told_again() -> None:
    table = StandingTable()
    RecordedClerk(ShortTape(Told(1.0, None, insists=True))).serve(table, 1.0)
    assert table.done == [Plan(None, insists=True)]


def test_answers_are_recorded_as_what_they_came_to(tmp_path: Path) -> None:
    noted: list[Told] = []

    class Writer:
        def told(self, told: Told) -> None:
            noted.append(told)

    state = StandingTable().history.state
    options = tuple(list(legal_decisions(state))[:2])
    question = Question.__new__(Question)
    object.__setattr__(question, "options", options)
    inbox = Inbox()
    attached = Attached(Presses(), inbox, lambda *_: None)
    clerk = clerk_of(attached, Writer())  # type: ignore[arg-type]  # all of a writer that counts here
    assert isinstance(clerk, Clerk)
    inbox.put(Answer(1))
    clerk.serve(StandingTable(question), 3.0)
    inbox.put(Answer(None))
    clerk.serve(StandingTable(question), 4.0)
    assert [(told.t_s, told.answers, told.looks) for told in noted] == [(3.0, True, False), (4.0, True, False)]
    first = options[1]
    assert noted[1].decision is None
    assert noted[0].decision is not None
    assert noted[0].decision["seat"] == first.seat
    if isinstance(first, TakePatch):
        assert noted[0].decision["cells"] == list(names_of(first.cells))
    else:
        assert isinstance(first, Advance)
    assert clerk_of(None, None) is None
    assert tmp_path.exists()
