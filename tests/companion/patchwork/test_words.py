from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, AwardTile, CountButtons, PlaceLeather, TakePatch
from companion.games.patchwork.facts import (
    BonusTileTaken,
    ButtonsCounted,
    ButtonsEarned,
    Fact,
    GameEnded,
    IncomePaid,
    LeatherPlaced,
    LeatherSetAside,
    LeatherWon,
    PatchPlaced,
    TileAwarded,
    TokenMoved,
    TurnPassed,
)
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, apply, new_game
from companion.games.patchwork.state import Setup, State
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reason
from companion.patchwork.words import sentences
from companion.play.events import (
    NONE_SHOWN,
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    DecisionUndone,
    DoubtLapsed,
    Event,
    ForesightLapsed,
    GameOpened,
    LookCalledOff,
    LookStarted,
    NothingToUndo,
    QuestionAnswered,
    TableNoticed,
    UndoForeseen,
    UndoLapsed,
)

CORNER = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
SETUP = Setup(players=("Anna", "Boris"))


@pytest.fixture
def start() -> State:
    return new_game(SETUP)


def _taken(state: State, *facts: Fact) -> tuple[str, ...]:
    return sentences(DecisionTaken(Advance(1), facts, state))


def test_a_purchase_is_told_with_its_cells_price_and_place(start: State) -> None:
    outcome = apply(start, CORNER)
    assert sentences(DecisionTaken(CORNER, tuple(outcome.facts), outcome.state)) == (
        "Anna takes the corner for 1 at A1 A2 B2 for 1 button; 3 on the time track.",
        "It is Boris’s turn.",
    )


def test_an_advance_is_told_with_what_it_earns(start: State) -> None:
    state = apply(start, CORNER).state
    outcome = apply(state, Advance(2))
    assert sentences(DecisionTaken(Advance(2), tuple(outcome.facts), outcome.state)) == (
        "Boris advances and earns 4 buttons; 4 on the time track.",
        "It is Anna’s turn.",
    )


@pytest.mark.parametrize(
    ("fact", "says"),
    [
        (IncomePaid(1, 5, 1), "Anna passes the button at 5: 1 button of income."),
        (IncomePaid(2, 53, 0), "Boris passes the button at 53: 0 buttons of income."),
        (LeatherWon(2, 26), "Boris wins the leather patch at 26."),
        (LeatherSetAside(1), "Anna has no empty square: the leather patch is set aside."),
        (BonusTileTaken(1), "Anna is the first to fill 7x7 and takes the tile: 7 points."),
        (TurnPassed(1), "It is Anna’s turn."),
        # There is no quilt yet, so that the state given here is a tie at 5 - 162 points.
        (GameEnded(2), "The game has ended: Boris wins the tie at −157 to −157."),
    ],
)
def test_every_consequence_has_its_sentence(start: State, fact: Fact, says: str) -> None:
    told = _taken(start, ButtonsEarned(1, 1), TokenMoved(1, 0, 1), fact)
    assert told == ("Anna advances and earns 1 button; 1 on the time track.", says)


def test_a_leather_patch_is_told_with_its_cell(start: State) -> None:
    assert _taken(start, LeatherPlaced(2, mask_of(["E5"]))) == ("Boris sews the leather patch on E5.",)


def test_the_order_of_the_table_is_kept(start: State) -> None:
    facts = PatchPlaced(1, "bar3", 7, 2), BonusTileTaken(1), TokenMoved(1, 4, 6), IncomePaid(1, 5, 2), TurnPassed(2)
    told = _taken(start, *facts)
    assert [sentence.split()[1] for sentence in told] == ["takes", "is", "passes", "is"]


def _question() -> Question:
    options = (CORNER, TakePatch(1, "corner-b3", CORNER.cells))
    return Question(QuestionTopic.WHICH_PATCH, 1, options, (), "Which patch is it?", "f")


def _of_buttons() -> Question:
    return Question(QuestionTopic.BUTTONS, 1, (CountButtons(1, 5), CountButtons(1, 4)), (), "Which stands?", "f")


def _of_tile() -> Question:
    return Question(QuestionTopic.TILE, 2, (AwardTile(2), AwardTile(1)), (), "Whose is it?", "f")


def test_other_events_are_told_in_a_sentence(start: State) -> None:
    complaint = Complaint(Reason.OVERLAP, 1, ("D4",), "Two patches overlap at D4.", "f")
    told: dict[Event, str] = {
        GameOpened(3, start): "Game 3: Anna and Boris play. It is Anna’s turn.",
        GameOpened(4, new_game(replace(SETUP, buttons=(5, 8)))): "Game 4: Anna and Boris play. "
        "Buttons at the start: 5 for Anna, 8 for Boris. It is Anna’s turn.",
        GameOpened(3, start, (CORNER,)): "Game 3 of Anna and Boris resumes after 1 decision. It is Anna’s turn.",
        Complained(complaint, start): "Two patches overlap at D4.",
        TableNoticed("A mat has moved.", start): "A mat has moved.",
        LookCalledOff(start): "The look was cancelled. It is Anna’s turn.",
        NothingToUndo(start): "There is nothing to take back.",
        DecisionForeseen(CORNER, 2.0, 9.5, start): "In 2 s: "
        "Anna takes the corner for 1 at A1 A2 B2. Lift it off, or press undo, to stop it.",
        DecisionForeseen(Advance(1), 2.0, 9.5, start): "In 2 s: "
        "Anna advances. Move the marker back, or press undo, to stop it.",
        ForesightLapsed(CORNER, stopped=True, state=start): (
            "Stopped: Anna takes the corner for 1 at A1 A2 B2. "
            "It is not taken unless you press confirm, or lift the patch and place it again."
        ),
        ForesightLapsed(
            CORNER, stopped=False, state=start
        ): "Not taken: Anna takes the corner for 1 at A1 A2 B2. The table has changed since.",
        UndoForeseen(CORNER, 2.0, 9.5, start): (
            "Taken back in 2 s: Anna takes the corner for 1 at A1 A2 B2. Put it back where it was to keep it."
        ),
        UndoLapsed(CORNER, start): "Not taken back: Anna takes the corner for 1 at A1 A2 B2.",
        DecisionUndone(Advance(1), start): "Taken back: Anna advances. It is Anna’s turn.",
        DecisionUndone(
            CORNER, start
        ): "Taken back: Anna takes the corner for 1 at A1 A2 B2. The patch comes off the board. It is Anna’s turn.",
        DecisionUndone(
            PlaceLeather(1, 1), start
        ): "Taken back: Anna sews the leather patch on A1. The patch comes off the board. It is Anna’s turn.",
        DoubtLapsed(_question(), start): "The question no longer applies: the table has changed.",
        QuestionAnswered(_question(), CORNER, start): "The answer is: Anna takes the corner for 1 at A1 A2 B2.",
        QuestionAnswered(
            _question(), None, start
        ): "The answer is none of these: put the table right and press confirm again.",
        QuestionAnswered(_of_buttons(), None, start): "The score stays as it is.",
        QuestionAnswered(
            _of_buttons(), CountButtons(1, 4), start
        ): "The answer is: use the count on the table: Anna has 4 buttons.",
        Asked(_question(), 0, start, unasked=True): (
            f"{_question().says} Showing 1 of 2: Anna takes the corner for 1 at A1 A2 B2. "
            "Press confirm to take it, advance for the next, undo for none; or place the patch again."
        ),
        Asked(replace(_question(), none_first=True), NONE_SHOWN, start): (
            "Which patch is it? Showing none of these. Press advance for the first of 2, confirm or undo for none."
        ),
        Asked(_of_buttons(), 0, start): (
            "Which stands? Showing 1 of 2: keep the companion’s count: Anna has 5 buttons. "
            "Press confirm to take it, advance for the next, undo for none."
        ),
        DecisionTaken(
            CountButtons(1, 5), (ButtonsCounted(1, 5, 5),), start
        ): "The companion’s count stands: Anna has 5 buttons.",
        DecisionTaken(
            CountButtons(1, 4), (ButtonsCounted(1, 4, 5),), start
        ): "The count on the table stands: Anna has 4 buttons, not 5.",
        QuestionAnswered(_of_tile(), None, start): "The score stays as it is.",
        QuestionAnswered(_of_tile(), AwardTile(1), start): "The answer is: the 7x7 tile is Anna’s.",
        DecisionTaken(AwardTile(1), (TileAwarded(1, 2),), start): "The 7x7 tile is Anna’s.",
        DecisionUndone(AwardTile(1), start): "Taken back: the 7x7 tile is Anna’s. It is Anna’s turn.",
        Asked(_question(), 1, start): (
            "Which patch is it? Showing 2 of 2: Anna takes the corner for 3 at A1 A2 B2. "
            "Press confirm to take it, advance for the next, undo for none."
        ),
    }
    for event, says in told.items():
        assert sentences(event) == (says,)


def test_a_look_goes_without_saying(start: State) -> None:
    assert sentences(LookStarted(start)) == ()


def test_whole_games_are_told_in_whole_sentences() -> None:
    history, rng = History(SETUP), random.Random(2)
    told: list[str] = []
    while not history.state.finished:
        decision = legal_decisions(history.state).pick(rng)
        outcome = history.apply(decision)
        told += sentences(DecisionTaken(decision, tuple(outcome.facts), outcome.state))
    assert all(sentence[0].isupper() and sentence.endswith(".") and ";." not in sentence for sentence in told)
    assert not any("A decision was taken" in sentence for sentence in told)
    assert told[-1].startswith("The game has ended: ")
    assert sum("passes the button" in sentence for sentence in told) == 18
