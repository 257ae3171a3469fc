from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from companion.games.patchwork import PATCHES, CountButtons, apply
from companion.mqtt.telling import Teller, Telling
from companion.patchwork.reading.verdict import Question, QuestionTopic
from companion.play.events import (
    Asked,
    Complained,
    DecisionTaken,
    DecisionUndone,
    GameOpened,
    LookStarted,
    TableNoticed,
)
from companion.registry import pages
from tests.companion.mqtt.standin import NOON, game_events

if TYPE_CHECKING:
    from companion.mqtt.messages import Happened

OPENED, TAKEN = game_events(3)


def opened(teller: Teller, decisions: int = 0, told: tuple[str, ...] = ()) -> Telling:
    state = TAKEN[decisions - 1].state if decisions else OPENED.state
    standing = [each.decision for each in TAKEN[:decisions]]
    return teller.opened(GameOpened(1, state, decisions), NOON, standing, told)


def texts(count: int) -> tuple[str, ...]:
    teller, told = Teller(pages()), None
    opened(teller)
    for event in TAKEN[:count]:
        told = teller.after(event, NOON)
    return () if told is None or told.announced is None else told.announced


def kinds(telling: Telling | None) -> list[tuple[str, int]]:
    return [] if telling is None else [(each.kind, each.number) for each in telling.events]


def test_a_game_is_told_from_its_opening_to_its_end() -> None:
    teller = Teller(pages())
    told: list[Happened] = list(opened(teller).events)
    for event in TAKEN:
        telling = teller.after(event, NOON)
        assert telling is not None
        told.extend(telling.events)
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
    teller = Teller(pages())
    opened(teller)
    first = TAKEN[0].state.mover if not TAKEN[0].state.finished else 1
    teller.after(TAKEN[0], NOON + timedelta(seconds=40))
    now = NOON + timedelta(seconds=50)
    state = teller.state("table-3", "Table 3", "abc", 2, now)
    assert (state.phase, state.decisions, state.sequence) == ("playing", 1, 2)
    assert [seat.name for seat in state.seats] == ["Anna", "Boris"]
    assert state.turn == first
    assert state.seats[0].time == TAKEN[0].state.seat(1).time
    spent = [seat.spent_s for seat in state.seats]
    assert spent == ([40.0, 0.0] if state.turn == 2 else [0.0, 0.0])


def test_without_a_game_the_table_waits() -> None:
    state = Teller(pages()).state("table-3", "Table 3", "abc", 0, NOON)
    assert (state.phase, state.game, state.seats, state.turn) == ("waiting", None, (), None)


def test_taking_back_is_told_with_what_was_taken_back() -> None:
    teller = Teller(pages())
    opened(teller)
    teller.after(TAKEN[0], NOON)
    telling = teller.after(DecisionUndone(TAKEN[0].decision, OPENED.state), NOON)
    assert telling is not None
    assert kinds(telling) == [("undone", 0)]
    assert telling.announced == ()
    assert telling.events[0].decision is not None
    assert telling.events[0].decision.get("patch", "domino") in {*PATCHES, "domino"}


def test_a_count_that_is_taken_back_leaves_the_game_at_its_end() -> None:
    teller = Teller(pages())
    opened(teller)
    ended = replace(OPENED.state, turn=None)
    count = CountButtons(1, 3)
    taken = teller.after(DecisionTaken(count, (), apply(ended, count).state), NOON)
    assert kinds(taken) == [("decided", 1), ("finished", 1)]
    assert kinds(teller.after(DecisionUndone(count, ended), NOON)) == [("undone", 0), ("finished", 0)]


def test_a_complaint_holds_the_table_up_and_a_look_is_nobody_s_news() -> None:
    teller = Teller(pages())
    opened(teller)
    complaint: Any = type("Complaint", (), {"says": "The patch overlaps.", "cells": ()})()
    telling = teller.after(Complained(complaint, OPENED.state), NOON)
    assert kinds(telling) == [("complaint", 0)]
    assert teller.state("t", "T", "s", 1, NOON).phase == "asking"
    assert teller.after(LookStarted(OPENED.state), NOON) is None
    assert kinds(teller.after(TableNoticed("The lights are back.", OPENED.state), NOON)) == [("notice", 0)]


def test_the_state_names_the_question_for_as_long_as_it_is_open() -> None:
    teller = Teller(pages())
    opened(teller)
    question = Question(QuestionTopic.WHICH_PATCH, 1, (TAKEN[0].decision,), (), "Which is it?", "frame")
    teller.after(Asked(question, 0, OPENED.state, number=17), NOON)
    assert teller.state("t", "T", "s", 1, NOON).asked == 17
    teller.after(TableNoticed("The lights are back.", OPENED.state), NOON)
    assert teller.state("t", "T", "s", 1, NOON).asked == 17
    # A look is not published, but the question is withdrawn.
    assert teller.after(LookStarted(OPENED.state), NOON) is None
    state = teller.state("t", "T", "s", 1, NOON)
    assert (state.asked, state.phase) == (0, "playing")


def test_after_a_restart_only_the_opening_is_told_if_all_else_was() -> None:
    telling = opened(Teller(pages()), 3, texts(3))
    assert kinds(telling) == [("opened", 3)]
    assert telling.events[0].setup is None


def test_decisions_that_were_not_told_before_the_program_ended_are_told_late() -> None:
    telling = opened(Teller(pages()), 5, texts(3))
    assert kinds(telling) == [("opened", 3), ("decided", 4), ("decided", 5)]
    assert [each.late for each in telling.events] == [False, True, True]
    assert telling.events[-1].scores == tuple(pages()["patchwork"].codec.scores(TAKEN[4].state))
    assert telling.announced == texts(5)


def test_decisions_that_no_longer_stand_are_taken_back_late() -> None:
    telling = opened(Teller(pages()), 2, texts(4))
    assert kinds(telling) == [("opened", 4), ("undone", 3), ("undone", 2)]


def test_an_end_that_was_not_told_is_told_late() -> None:
    telling = opened(Teller(pages()), len(TAKEN), texts(len(TAKEN) - 1))
    assert [kind for kind, _ in kinds(telling)] == ["opened", "decided", "finished"]
    assert telling.events[-1].winners == (TAKEN[-1].state.winner,)


def test_a_game_of_more_than_two_is_told_with_all_its_seats() -> None:
    codec = pages()["kvilt"].codec
    state = codec.begin(codec.setup_type(players=("Anna", "Boris", "Cilla"))).state
    teller = Teller(pages())
    (told,) = teller.opened(GameOpened(1, state, 0), NOON, (), ()).events
    assert told.players == ("Anna", "Boris", "Cilla")
    shown = teller.state("t", "T", "s", 1, NOON)
    assert [(seat.seat, seat.time) for seat in shown.seats] == [(1, None), (2, None), (3, None)]
    assert shown.game is not None
    assert shown.game.title == "Kvilt"
