"""Test the sentences about Kvilt: every fact, every event, every region, in every language."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from companion.games.kvilt import facts as f
from companion.games.kvilt.decisions import TakeToken
from companion.games.kvilt.rules import History, new_game
from companion.games.kvilt.state import Variant
from companion.kvilt.choices import Choice, ChoiceTopic, Option, SheetComplaint, Take
from companion.kvilt.naming import colour_word, pencils, region_words
from companion.kvilt.sheets.files import own_sheet
from companion.kvilt.table.offering import taking_back
from companion.kvilt.words import sentences, taken_sentences, turn_sentence
from companion.languages import Sentence
from companion.play.events import (
    Asked,
    Complained,
    DecisionTaken,
    DecisionUndone,
    GameOpened,
    LookCalledOff,
    LookStarted,
    NothingToUndo,
    QuestionAnswered,
    TableNoticed,
)
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from companion.kvilt.codec import Event

STATE = new_game(own_setup(("Anna", "Boris")))
SHEET = own_sheet()
_SILENT = (f.PhaseBegan, f.TurnPassed, f.PencilReturned, f.BonusLost)

WORDS = (
    "A scrap is a colour token: each player takes one a round. A pincushion holds drawn pencils; whoever takes it "
    "colours with them."
)


def choice(asks: ChoiceTopic = ChoiceTopic.TOKEN) -> Choice:
    options = tuple(Option("token", Take(TakeToken(1, colour)), colour, (colour,)) for colour in ("red", "blue"))
    return Choice(asks, 1, options, "Anna takes a scrap.")


@pytest.mark.parametrize("seed", range(4))
def test_every_fact_is_worded_or_left_out_on_purpose(seed: int) -> None:
    variants = frozenset([Variant.ALL_COUNTED] if seed % 2 else [])
    game = play_game(own_setup(("Anna", "Boris", "Vera")[: 2 + seed % 2], variants=variants), random.Random(seed))
    again = History(game.setup)
    for decision in game.decisions:
        outcome = again.apply(decision)
        told = taken_sentences(outcome.facts, outcome.state)
        loud = [fact for fact in outcome.facts if not isinstance(fact, _SILENT)]
        assert len(loud) <= len(told) <= len(outcome.facts)
        assert all(isinstance(sentence, Sentence) and sentence.endswith(".") for sentence in told)
    assert "with" in told[-1]


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (GameOpened(7, STATE), ("Game 7: Anna and Boris play Kvilt.", WORDS)),
        (GameOpened(7, STATE, is_again=True), ()),
        (GameOpened(7, STATE, (TakeToken(2, "red"),) * 3), ("Game 7 of Anna and Boris resumes after 3 decisions.",)),
        (LookStarted(STATE), ()),
        (LookCalledOff(STATE), ("The look was cancelled.",)),
        (DecisionTaken(TakeToken(1, "red"), (f.TokenTaken(1, "red"),), STATE), ("Anna takes the red scrap.",)),
        (DecisionUndone(TakeToken(2, "red"), STATE), ("Boris’s last step was taken back.",)),
        (DecisionUndone(TakeToken(2, "red"), STATE, anew=True),
         ("Boris’s sheet shows something else than at the last look.",)),
        (NothingToUndo(STATE), ("There is nothing to take back.",)),
        (Complained(SheetComplaint(("unseen",), 1, (), "Where is it?", ""), STATE), ("Where is it?",)),
        (Asked(choice(), 0, STATE), ("Anna takes a scrap.",)),
        (Asked(choice(), 1, STATE), ("Showing 2 of 2: blue.",)),
        (Asked(choice(ChoiceTopic.DOUBT), 0, STATE), ("Anna takes a scrap. Showing 1 of 2: red.",)),
        (QuestionAnswered(choice(), None, STATE),
         ("The question is closed: place the sheet under the camera and press confirm again.",)),
        (TableNoticed("It is dark.", STATE), ("It is dark.",)),
    ],
)  # fmt: skip
def test_every_event_has_its_sentences(event: Event, says: tuple[str, ...]) -> None:
    assert sentences(event) == says


def test_a_question_about_a_draw_that_is_closed_leaves_no_empty_line() -> None:
    state = new_game(own_setup(("Anna", "Boris")))
    assert sentences(QuestionAnswered(taking_back(state, 1), None, state)) == ()


def test_a_shared_victory_names_all_winners() -> None:
    game = play_game(own_setup(("Anna", "Boris")), random.Random(1))
    seat = game.state.seats[0]
    state = replace(game.state, seats=(seat, seat))
    assert turn_sentence(state) == f"Anna and Boris share the victory with {state.score(1).total} points."


def test_a_tie_is_said_to_be_broken_by_the_best_row() -> None:
    setup = own_setup(("Anna", "Boris"), variants=frozenset([Variant.ALL_COUNTED]))
    state = play_game(setup, random.Random(9)).state
    (one, other), (best, less) = zip(*[(it.total, it.best_row) for it in map(state.score, (2, 1))], strict=True)
    assert (one == other, best > less) == (True, True)
    assert turn_sentence(state) == f"Boris wins the tie at {one} points by the best row, {best}."


def test_every_region_of_the_sheet_has_words_of_its_own() -> None:
    regions = SHEET.regions()
    words = [region_words(region, SHEET) for region in regions]
    assert len(set(words)) == len(regions)
    assert region_words("r2c3.picture", SHEET) == "cell 3 of row 2"
    assert region_words("r2c3.background", SHEET) == "the background of cell 3 of row 2"
    assert region_words("spool4.body", SHEET) == "spool 4"
    assert region_words("e3b.2", SHEET) == "part 2 of embroidery 3"
    assert region_words("p5", SHEET) == "the patch of column 4"


def test_pencils_are_listed_in_their_order() -> None:
    assert pencils(("red", "red", "blue")) == "red, red, blue"
    assert pencils(()) == "none"
    assert (colour_word(None), colour_word("ochre")) == ("white", "ochre")
