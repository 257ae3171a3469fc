"""Test that everything the table says is translated into every language, whatever happens in a game."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, PlaceLeather, TakePatch
from companion.games.patchwork.errors import (
    IllegalDecisionError,
    IllegalReason,
    MalformedDecisionError,
    MalformedReason,
)
from companion.games.patchwork.facts import BonusTileTaken, LeatherSetAside
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, new_game, offers
from companion.games.patchwork.state import Setup, State
from companion.languages import LANGUAGES, Sentence
from companion.patchwork.reading import complaints
from companion.patchwork.reading.explain import Explanation, ExplanationKind
from companion.patchwork.refusals import both_fit, fault, refusal
from companion.patchwork.watching.tracking import Displacement, sentence
from companion.patchwork.words import sentences, taken_sentences
from companion.play import events
from companion.play.page import Visibility
from companion.registry import pages
from companion.web.account import snapshot
from tests.companion.announcing import AnnouncedAccount

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.patchwork.reading.verdict import Complaint, Question

FOREIGN: Final = [language for language in LANGUAGES.values() if language.code != "en"]
NAMES: Final = {"ru": ("Анна", "Борис"), "fa": ("مریم", "رضا")}
_MARKS: Final = re.compile("[\u2066-\u2069\u200e\u200f]")
_PATCH: Final = re.compile("|".join(sorted(map(re.escape, PATCHES), key=len, reverse=True)))
_WORD: Final = re.compile(r"[A-Za-z]{2,}|[{}]")


def english_in(text: str) -> list[str]:
    """Return the English words or placeholders left in a text, except names of patches and cells."""
    return _WORD.findall(_PATCH.sub("", _MARKS.sub("", text)))


def started(code: str, seed: int = 1) -> History:
    """Return a new game of players whose names are in the language's script."""
    circle = [patch for patch in PATCHES if patch != "domino"]
    random.Random(seed).shuffle(circle)
    return History(Setup(players=NAMES[code], market=(*circle, "domino")))


def evening(code: str, seed: int) -> Iterator[events.Event]:
    """Yield the events of a whole game, with every other event that can precede each decision."""
    history, chance = started(code, seed), random.Random(seed)
    yield events.GameOpened(1, history.state)
    while not history.state.finished:
        decision = legal_decisions(history.state).pick(chance)
        yield from chance.choices(list(interruptions(decision, history.state)), k=3)
        outcome = history.apply(decision)
        yield events.DecisionTaken(decision, outcome.facts, outcome.state)
    yield events.GameOpened(1, history.state, history.decisions)


def interruptions(decision: Advance | PlaceLeather | TakePatch, state: State) -> Iterator[events.Event]:
    """Yield every kind of event that can precede a decision."""
    yield events.LookStarted(state)
    yield events.LookCalledOff(state)
    yield events.NothingToUndo(state)
    yield events.DecisionUndone(decision, state)
    yield events.DecisionProposed(decision, state)
    yield events.DecisionForeseen(decision, 2.5, 9.0, state)
    yield events.ForesightLapsed(decision, True, state)
    yield events.ForesightLapsed(decision, False, state)
    yield events.UndoForeseen(decision, 2.5, 9.0, state)
    yield events.UndoLapsed(decision, state)
    question = complaints.which_cells(decision.seat, (decision, Advance(decision.seat)), 7, "f")
    yield events.Asked(question, 1, state)
    yield events.QuestionAnswered(question, decision, state)
    yield events.QuestionAnswered(question, None, state)
    yield events.DoubtLapsed(question, state)
    for following in (complaints.to_be_confirmed, complaints.hands_free, complaints.with_ways_out):
        yield from (events.Complained(following(each), state) for each in all_complaints(state))
    yield from (events.TableNoticed(sentence(Displacement(1, by_mm), state), state) for by_mm in (None, 3.4))


def all_complaints(state: State) -> Iterator[Complaint]:
    """Yield every possible complaint in a state."""
    seat, cells = state.turn or 1, mask_of(["A1", "B1", "C1"])
    yield complaints.nothing_placed(state, seat, "f")
    yield complaints.wrong_seat(state, seat, cells, "f")
    yield complaints.stray_object(state, seat, cells, "f")
    yield complaints.moved(state, seat, ["tee", "leather patch"], cells, "f")
    yield complaints.unclear(state, seat, cells, "f")
    one, other = (replace(each, quilt=each.quilt | 1) for each in state.seats)
    laid = replace(state, seats=(one, other))
    kinds = [ExplanationKind.OVERLAP, ExplanationKind.OVER_THE_EDGE, ExplanationKind.NOT_OFFERED]
    if offers(state):
        yield complaints.misplaced(
            laid, seat, Explanation(ExplanationKind.NOT_AFFORDABLE, offers(state), cells, 0.9, 0), "f"
        )
    if state.leather_due or state.unbought:
        for kind in kinds:
            yield complaints.misplaced(laid, seat, Explanation(kind, state.unbought, cells, 0.9, 0), "f")


def all_questions() -> Iterator[Question]:
    """Yield every possible question."""
    options = tuple(TakePatch(1, patch, mask_of(["A1", "A2", "B2"])) for patch in ("corner-b1", "corner-b3"))
    yield complaints.which_patch(1, options, "f")
    yield complaints.which_patch(1, options[:1], "f")
    yield complaints.which_cells(1, options, mask_of(["A1"]), "f")
    yield complaints.which_cells(1, options, mask_of(["A1", "B1", "C1"]), "f")
    yield complaints.which_else(complaints.which_cells(1, options[:1], mask_of(["A1"]), "f"), options)


def untranslated(said: Iterable[str], code: str) -> list[str]:
    """Return the texts that are no sentences, or that contain English when rendered."""
    language = LANGUAGES[code]
    return [text for text in said if not isinstance(text, Sentence) or english_in(text.rendered(language))]


@pytest.mark.parametrize("code", NAMES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_event_is_worded_in_the_language(code: str, seed: int) -> None:
    for event in evening(code, seed):
        assert untranslated(sentences(event), code) == []


@pytest.mark.parametrize("code", NAMES)
def test_all_kinds_of_events_are_covered(code: str) -> None:
    told = {type(event) for seed in range(3) for event in evening(code, seed)}
    assert told == set(events.Event.__args__)


@pytest.mark.parametrize("code", NAMES)
def test_every_complaint_and_question_is_worded_in_the_language(code: str) -> None:
    history = started(code)
    chance = random.Random(3)
    seen = set()
    while not history.state.finished:
        for complaint in all_complaints(history.state):
            seen.add(complaint.reason)
            assert untranslated([complaint.says], code) == []
        history.apply(legal_decisions(history.state).pick(chance))
    assert len(seen) == 9, "every reason"
    assert untranslated([question.says for question in all_questions()], code) == []


@pytest.mark.parametrize("code", NAMES)
def test_every_refusal_is_worded_in_the_language(code: str) -> None:
    state = started(code).state
    refusals = [
        refusal(IllegalDecisionError(reason, 3, patch), each)
        for reason in IllegalReason
        for patch in (None, "tee")
        for each in (state, replace(state, leather_due=True))
    ]
    faults = [fault(IllegalDecisionError(each, 3, "tee", turn=1, offers=("tee",))) for each in IllegalReason]
    assert untranslated([*refusals, *faults], code) == []
    # The other ones quote keys and examples of a record.
    assert untranslated([fault(MalformedDecisionError(MalformedReason.REPEATED_CELL, "A1"))], code) == []
    assert untranslated([both_fit(("corner-b1", "corner-b3"))], code) == []


@pytest.mark.parametrize("code", NAMES)
def test_rare_consequences_are_worded_in_the_language(code: str) -> None:
    state = new_game(Setup(players=NAMES[code]))
    assert untranslated(taken_sentences((BonusTileTaken(1), LeatherSetAside(1)), state), code) == []


@pytest.mark.parametrize("language", FOREIGN, ids=lambda language: language.code)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_snapshot_says_nothing_in_english(language: object, seed: int) -> None:
    code = getattr(language, "code", "")
    builder = AnnouncedAccount(pages())
    for visibility in (Visibility(), Visibility(camera=True), Visibility(camera=True, boards_seen=True)):
        builder.set_visibility(visibility)
        for event in evening(code, seed):
            builder(event)
            if event.state.decisions_made % 5 == 0:
                shown = snapshot(builder.account, LANGUAGES[code])
                assert [says for says in _says(shown) if english_in(says)] == []


def _says(shown: object) -> Iterator[str]:
    """Yield all sentences of a snapshot, at any depth."""
    if isinstance(shown, dict):
        yield from (value for key, value in shown.items() if key in ("says", "why", "waiting_for") and value)
        shown = list(shown.values())
    if isinstance(shown, list):
        for each in shown:
            yield from _says(each)
