"""Test the spoken sentences for people who do not look at a screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, PlaceLeather, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.languages import LANGUAGES
from companion.patchwork.table import PatchworkTable
from companion.patchwork.words import spoken
from companion.play import events
from companion.play.speaker import Speaker
from hardware.ports import Button
from hardware.voices import SwitchedVoice
from tests.vendors.recorded_voice import SimulatedVoice

if TYPE_CHECKING:
    from companion.patchwork.reading.verdict import Complaint, Question, Reading
    from tests.companion.conftest import ScriptedTable

Scripted = Callable[..., "ScriptedTable"]
HISTORY = History(Setup(players=("Anna", "Boris")))
STATE = HISTORY.state
CORNER = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))


def _spoken_text(event: events.Event) -> str:
    return " ".join(str(each) for each in spoken(event))


def test_a_complaint_is_spoken_as_it_is_read(overlap: Complaint) -> None:
    assert _spoken_text(events.Complained(overlap, STATE, unasked=True)) == "The new patch overlaps."


def test_a_question_is_asked_once_and_every_answer_is_named(question: Question) -> None:
    assert _spoken_text(events.Asked(question, 0, STATE)) == (
        "Which patch is it? Anna takes the corner for 1 at A1 A2 B2 "
        "Advance shows the next answer, confirm takes it, undo takes none of them."
    )
    assert _spoken_text(events.Asked(question, 1, STATE)) == "Anna takes the corner for 3 at A1 A2 B2"


def test_a_question_that_begins_with_none_of_its_answers_says_how_to_hear_them(question: Question) -> None:
    doubted = replace(question, none_first=True)
    assert _spoken_text(events.Asked(doubted, events.NONE_SHOWN, STATE)) == (
        "Which patch is it? Advance shows the first answer. If none is right, press undo."
    )
    assert _spoken_text(events.Asked(doubted, 0, STATE)) == "Anna takes the corner for 1 at A1 A2 B2"


@pytest.mark.parametrize(
    ("decision", "says"),
    [
        (CORNER, "Anna takes the corner for 1"),
        (Advance(1), "Anna advances"),
        (PlaceLeather(1, 1), "Anna sews the leather patch on"),
    ],
)
def test_a_foreseen_decision_is_spoken_without_its_cells(decision: TakePatch, says: str) -> None:
    assert _spoken_text(events.DecisionForeseen(decision, 2.0, 9.0, STATE)) == says


def test_a_decision_is_told_by_what_follows_from_it() -> None:
    outcome = History(Setup(players=("Anna", "Boris"))).apply(CORNER)
    assert _spoken_text(events.DecisionTaken(CORNER, outcome.facts, outcome.state)) == "It is Boris’s turn."


@pytest.mark.parametrize("event", [events.LookStarted(STATE), events.LookCalledOff(STATE)])
def test_events_of_no_interest_are_not_spoken(event: events.Event) -> None:
    assert spoken(event) == ()


@pytest.mark.parametrize("code", ["en", "ru", "fa"])
def test_a_speaker_says_it_in_its_language(scripted: Scripted, overlap: Complaint, reading: Reading, code: str) -> None:
    voice = SimulatedVoice()
    speaker = Speaker(SwitchedVoice({"plain": lambda: voice}, "plain"), LANGUAGES[code], spoken)
    evening = scripted(PatchworkTable, verdicts=[overlap, reading], before_me=[speaker])
    evening.play(Button.CONFIRM, None, Button.CONFIRM, None)
    assert {language for _, language in voice.spoken} == {code}
    assert len(voice.spoken) == 3, "the game, the complaint, and whose turn it is"
    if code == "en":
        assert voice.spoken[1:] == [
            ("The new patch overlaps. Then press confirm.", "en"),
            ("It is Boris’s turn.", "en"),
        ]
    else:
        assert "turn" not in voice.spoken[-1][0]
