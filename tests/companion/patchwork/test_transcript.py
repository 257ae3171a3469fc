from __future__ import annotations

import json

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, PlaceLeather, TakePatch
from companion.games.patchwork.rules import new_game
from companion.games.patchwork.state import Setup
from companion.patchwork.codec import PatchworkTranscript
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reason
from companion.play.events import Asked, Complained, DecisionTaken, DoubtLapsed, LookStarted, QuestionAnswered

STATE = new_game(Setup())
ONE = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
TWIN = TakePatch(1, "corner-b3", ONE.cells)
MOVED = TakePatch(1, "corner-b1", mask_of(["B1", "B2", "C2"]))
WHICH = Question(QuestionTopic.WHICH_PATCH, 1, (ONE, TWIN), (), "Which?", "000123.jpg")
CELLS = Question(QuestionTopic.CELLS, 2, (ONE, MOVED), ("A1", "B1", "A2", "C2"), "Does it cover?", "000124.jpg")


def test_a_question_of_twins_is_kept_as_the_format_has_it() -> None:
    transcript = PatchworkTranscript()
    transcript(QuestionAnswered(WHICH, TWIN, STATE))
    transcript(QuestionAnswered(WHICH, None, STATE))
    asked = {
        "frame": "000123.jpg",
        "seat": 1,
        "asks": "which-patch",
        "candidates": ["corner-b1", "corner-b3"],
        "taken": "corner-b3",
    }
    assert transcript.questions == [asked, {**asked, "taken": None}]
    assert list(transcript.questions[0]) == ["frame", "seat", "asks", "candidates", "taken"]


def test_a_question_of_cells_tells_which_of_them_are_covered() -> None:
    transcript = PatchworkTranscript()
    for taken in (ONE, MOVED, None, Advance(2)):
        transcript(QuestionAnswered(CELLS, taken, STATE))
    assert [question["taken"] for question in transcript.questions] == [["A1", "A2"], ["B1", "C2"], [], []]
    first = transcript.questions[0]
    assert {key: first[key] for key in ("frame", "seat", "asks")} == {"frame": "000124.jpg", "seat": 2, "asks": "cells"}
    assert first["cells"] == ["A1", "B1", "A2", "C2"]


def test_a_question_about_leather_is_one_of_cells() -> None:
    leather = Question(QuestionTopic.CELLS, 1, (PlaceLeather(1, mask_of(["E5"])),), ("E5",), "E5?", "f")
    transcript = PatchworkTranscript()
    transcript(QuestionAnswered(leather, leather.options[0], STATE))
    assert transcript.questions[0]["taken"] == ["E5"]


def test_a_question_that_lapsed_was_not_answered_and_a_complaint_that_lapsed_was_kept_before() -> None:
    transcript = PatchworkTranscript()
    transcript(DoubtLapsed(WHICH, STATE))
    transcript(DoubtLapsed(Complaint(Reason.OBJECT, 1, (), "A cup.", "f"), STATE))
    assert [question["taken"] for question in transcript.questions] == [None]
    assert transcript.complaints == []


def test_complaints_are_kept_as_the_format_has_them() -> None:
    transcript = PatchworkTranscript()
    transcript(Complained(Complaint(Reason.OVERLAP, 2, ("D4", "D5"), "They overlap.", "000130.jpg"), STATE))
    assert transcript.complaints == [
        {"frame": "000130.jpg", "seat": 2, "reason": "overlap", "cells": ["D4", "D5"], "says": "They overlap."}
    ]
    assert json.loads(json.dumps(transcript.complaints)) == transcript.complaints


def test_a_question_counts_once_when_it_is_answered_and_all_else_is_passed_over() -> None:
    transcript = PatchworkTranscript()
    for event in (LookStarted(STATE), Asked(WHICH, 0, STATE), Asked(WHICH, 1, STATE), DecisionTaken(ONE, (), STATE)):
        transcript(event)
    assert (transcript.questions, transcript.complaints) == ([], [])
    transcript(QuestionAnswered(WHICH, ONE, STATE))
    assert len(transcript.questions) == 1
