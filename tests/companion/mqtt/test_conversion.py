from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import CountButtons
from companion.games.patchwork.rules import apply
from companion.kvilt.choices import Choice, ChoiceTopic, LookAtSheet, Option
from companion.mqtt.table import EventBatch, EventConverter
from companion.patchwork.reading.verdict import Question, QuestionTopic
from companion.play.events import (
    Asked,
    Complained,
    DecisionTaken,
    DecisionUndone,
    GameOpened,
    LookStarted,
    Pending,
    TableNoticed,
)
from companion.registry import pages
from tests.companion.kvilt_setups import own_setup
from tests.companion.mqtt.standin import NOON, game_events

if TYPE_CHECKING:
    from companion.mqtt.messages import Happened

OPENED, TAKEN = game_events(3)


def opened(converter: EventConverter, decisions: int = 0, told: tuple[str, ...] = ()) -> EventBatch:
    state = TAKEN[decisions - 1].state if decisions else OPENED.state
    return converter.opened(GameOpened(1, state, tuple(each.decision for each in TAKEN[:decisions])), NOON, told)


def texts(count: int) -> tuple[str, ...]:
    converter, told = EventConverter(pages()), None
    opened(converter)
    for event in TAKEN[:count]:
        told = converter.after(event, NOON)
    return () if told is None or told.announced is None else told.announced


def kinds(batch: EventBatch | None) -> list[tuple[str, int]]:
    return [] if batch is None else [(each.kind, each.number) for each in batch.events]


def test_a_game_is_told_from_its_opening_to_its_end() -> None:
    converter = EventConverter(pages())
    told: list[Happened] = list(opened(converter).events)
    for event in TAKEN:
        batch = converter.after(event, NOON)
        assert batch is not None
        told.extend(batch.events)
    assert [each.kind for each in told] == ["opened", *["decided"] * len(TAKEN), "finished"]
    assert [each.number for each in told[1:-1]] == list(range(1, len(TAKEN) + 1))
    assert told[0].setup is not None
    assert told[0].setup["players"] == ["Anna", "Boris"]
    last = TAKEN[-1].state
    assert told[-1].winners == (last.winner,)
    assert told[-1].scores == tuple(pages()["patchwork"].codec.scores(last))
    assert told[1].decision is not None
    assert told[1].says


def test_the_state_says_who_plays_whose_turn_it_is_and_how_long_each_has_thought() -> None:
    converter = EventConverter(pages())
    opened(converter)
    first = TAKEN[0].state.mover if not TAKEN[0].state.finished else 1
    converter.after(TAKEN[0], NOON + timedelta(seconds=40))
    now = NOON + timedelta(seconds=50)
    state = converter.state("table-3", "Table 3", "abc", 2, now)
    assert (state.phase, state.decisions, state.sequence) == ("playing", 1, 2)
    assert [seat.name for seat in state.seats] == ["Anna", "Boris"]
    assert state.turn == first
    assert state.seats[0].time == TAKEN[0].state.seat(1).time
    spent = [seat.spent_s for seat in state.seats]
    assert spent == ([40.0, 0.0] if state.turn == 2 else [0.0, 0.0])


def test_without_a_game_the_table_waits() -> None:
    state = EventConverter(pages()).state("table-3", "Table 3", "abc", 0, NOON)
    assert (state.phase, state.game, state.seats, state.turn) == ("waiting", None, (), None)


def test_taking_back_is_told_with_what_was_taken_back() -> None:
    converter = EventConverter(pages())
    opened(converter)
    converter.after(TAKEN[0], NOON)
    batch = converter.after(DecisionUndone(TAKEN[0].decision, OPENED.state), NOON)
    assert batch is not None
    assert kinds(batch) == [("undone", 0)]
    assert batch.announced == ()
    assert batch.events[0].decision is not None
    assert batch.events[0].decision.get("patch", "domino") in {*PATCHES, "domino"}


def test_decisions_that_are_taken_back_together_are_each_told() -> None:
    converter = EventConverter(pages())
    opened(converter)
    for event in TAKEN[:4]:
        converter.after(event, NOON)
    batch = converter.after(DecisionUndone(TAKEN[1].decision, TAKEN[0].state, 3), NOON)
    assert batch is not None
    assert kinds(batch) == [("undone", 3), ("undone", 2), ("undone", 1)]
    assert [bool(each.says) for each in batch.events] == [False, False, True]
    assert batch.announced is not None
    assert len(batch.announced) == 1


def test_a_count_that_is_taken_back_leaves_the_game_at_its_end() -> None:
    converter = EventConverter(pages())
    opened(converter)
    ended = replace(OPENED.state, turn=None)
    count = CountButtons(1, 3)
    taken = converter.after(DecisionTaken(count, (), apply(ended, count).state), NOON)
    assert kinds(taken) == [("decided", 1), ("finished", 1)]
    assert kinds(converter.after(DecisionUndone(count, ended), NOON)) == [("undone", 0), ("finished", 0)]


def test_a_complaint_holds_the_table_up_and_a_look_is_nobody_s_news() -> None:
    converter = EventConverter(pages())
    opened(converter)
    complaint: Any = type("Complaint", (), {"says": "The patch overlaps.", "cells": ()})()
    batch = converter.after(Complained(complaint, OPENED.state, pending=Pending(complaint=complaint)), NOON)
    assert kinds(batch) == [("complaint", 0)]
    assert converter.state("t", "T", "s", 1, NOON).phase == "asking"
    assert converter.after(LookStarted(OPENED.state), NOON) is None
    assert kinds(converter.after(TableNoticed("The lights are back.", OPENED.state), NOON)) == [("notice", 0)]


def test_a_choice_of_a_turn_of_kvilt_holds_nothing_up_and_a_doubt_does() -> None:
    converter = EventConverter(pages())
    state = pages()["kvilt"].codec.begin(own_setup()).state
    converter.opened(GameOpened(1, state), NOON, ())
    for topic, phase in (ChoiceTopic.SHEET, "playing"), (ChoiceTopic.DOUBT, "asking"):
        choice = Choice(topic, 1, (Option("sheet", LookAtSheet(), "Ready."),), "Which?")
        converter.after(Asked(choice, 0, state, pending=Pending(question=choice, number=5)), NOON)
        told = converter.state("t", "T", "s", 1, NOON)
        assert (told.phase, told.asked) == (phase, 5)


def test_the_state_names_the_question_for_as_long_as_it_is_open() -> None:
    converter = EventConverter(pages())
    opened(converter)
    question = Question(QuestionTopic.WHICH_PATCH, 1, (TAKEN[0].decision,), (), "Which is it?", "frame")
    asking: Pending = Pending(question=question, number=17)
    converter.after(Asked(question, 0, OPENED.state, pending=asking), NOON)
    assert converter.state("t", "T", "s", 1, NOON).asked == 17
    converter.after(TableNoticed("The lights are back.", OPENED.state, pending=asking), NOON)
    assert converter.state("t", "T", "s", 1, NOON).asked == 17
    # A look is not published, but the question is withdrawn.
    assert converter.after(LookStarted(OPENED.state), NOON) is None
    state = converter.state("t", "T", "s", 1, NOON)
    assert (state.asked, state.phase) == (0, "playing")


def test_after_a_restart_only_the_opening_is_told_if_all_else_was() -> None:
    batch = opened(EventConverter(pages()), 3, texts(3))
    assert kinds(batch) == [("opened", 3)]
    assert batch.events[0].setup is None


def test_decisions_that_were_not_told_before_the_program_ended_are_told_late() -> None:
    batch = opened(EventConverter(pages()), 5, texts(3))
    assert kinds(batch) == [("opened", 3), ("decided", 4), ("decided", 5)]
    assert [each.late for each in batch.events] == [False, True, True]
    assert batch.events[-1].scores == tuple(pages()["patchwork"].codec.scores(TAKEN[4].state))
    assert batch.announced == texts(5)


def test_decisions_that_no_longer_stand_are_taken_back_late() -> None:
    batch = opened(EventConverter(pages()), 2, texts(4))
    assert kinds(batch) == [("opened", 4), ("undone", 3), ("undone", 2)]


def test_an_end_that_was_not_told_is_told_late() -> None:
    batch = opened(EventConverter(pages()), len(TAKEN), texts(len(TAKEN) - 1))
    assert [kind for kind, _ in kinds(batch)] == ["opened", "decided", "finished"]
    assert batch.events[-1].winners == (TAKEN[-1].state.winner,)


def test_a_game_of_more_than_two_is_told_with_all_its_seats() -> None:
    state = pages()["kvilt"].codec.begin(own_setup(("Anna", "Boris", "Cilla"))).state
    converter = EventConverter(pages())
    (told,) = converter.opened(GameOpened(1, state), NOON, ()).events
    assert told.players == ("Anna", "Boris", "Cilla")
    shown = converter.state("t", "T", "s", 1, NOON)
    assert [(seat.seat, seat.time) for seat in shown.seats] == [(1, None), (2, None), (3, None)]
    assert shown.game is not None
    assert shown.game.title == "Kvilt"
