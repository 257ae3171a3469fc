from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion import events
from companion.games.patchwork import TakePatch
from companion.web.chronicle import KEPT_NEWS, Chronicle, Sighted
from tests.companion.web.conftest import played, told

if TYPE_CHECKING:
    from companion.verdict import Complaint, Question


def test_decisions_are_followed_there_and_back() -> None:
    history, happened = played(6)
    account = told(*happened)
    assert (account.game_id, account.state, account.decisions) == (7, history.state, history.decisions)
    assert account.facts == getattr(happened[-1], "facts", None)
    undone = history.undo()
    back = told(*happened, events.DecisionUndone(undone, history.state))
    assert (back.decisions, back.facts) == (history.decisions, ())


def test_a_game_that_goes_on_is_remembered() -> None:
    history, _ = played(6)
    chronicle = Chronicle()
    chronicle.remember(history.decisions)
    chronicle(events.GameOpened(3, history.state, 6))
    assert (chronicle.account.decisions, chronicle.account.facts) == (history.decisions, ())


def test_a_new_game_forgets_what_was_remembered() -> None:
    history, happened = played(6)
    chronicle = Chronicle()
    chronicle.remember(history.decisions)
    chronicle(happened[0])
    assert chronicle.account.decisions == ()


def test_a_question_stays_while_answers_are_looked_through(question: Question) -> None:
    history, happened = played(0)
    asked = [events.Asked(question, choice, history.state) for choice in (0, 1)]
    first, second = told(*happened, asked[0]), told(*happened, *asked)
    assert (first.asked, second.asked) == (asked[0], asked[1])
    assert first.looked_at == second.looked_at > 0
    answered = told(*happened, *asked, events.QuestionAnswered(question, None, history.state))
    assert answered.asked is None


@pytest.mark.parametrize("kind", ["look", "undo", "taken"])
def test_a_complaint_stays_until_somebody_does_something(overlap: Complaint, kind: str) -> None:
    history, happened = played(2)
    complained = events.Complained(overlap, history.state)
    still = told(*happened, complained, events.TableNoticed("A board has moved.", history.state))
    assert still.complaint == overlap
    _, more = played(3)
    ways: dict[str, events.Event] = {
        "look": events.LookStarted(history.state),
        "undo": events.DecisionUndone(history.decisions[-1], history.state),
        "taken": more[-1],
    }
    assert told(*happened, complained, ways[kind]).complaint is None


def test_a_doubt_that_has_lapsed_is_shown_no_more(overlap: Complaint, question: Question) -> None:
    history, happened = played(0)
    complained = events.Complained(overlap, history.state, unasked=True)
    asked = events.Asked(question, 0, history.state, unasked=True)
    assert told(*happened, complained, events.DoubtLapsed(overlap, history.state)).complaint is None
    account = told(*happened, asked, events.DoubtLapsed(question, history.state))
    assert (account.asked, account.news[-1].kind) == (None, "lapsed")


def test_two_complaints_are_two_looks(overlap: Complaint) -> None:
    history, happened = played(0)
    complained = events.Complained(overlap, history.state)
    assert told(*happened, complained, complained).looked_at > told(*happened, complained).looked_at


def test_looks_and_foreseen_decisions_come_and_go() -> None:
    history, happened = played(0)
    state = history.state
    decision = TakePatch(1, "corner-b1", 1 | 2 | 1 << 9)
    foreseen = events.DecisionForeseen(decision, 2.0, 9.0, state)
    assert told(*happened, events.LookStarted(state)).looking
    assert not told(*happened, events.LookStarted(state), events.LookCalledOff(state)).looking
    assert told(*happened, foreseen).foreseen == foreseen
    assert told(*happened, foreseen, events.ForesightLapsed(decision, True, state)).foreseen is None


def test_only_the_latest_sentences_are_kept_and_they_are_counted() -> None:
    _, happened = played(40)
    news = told(*happened).news
    assert len(news) == KEPT_NEWS
    numbers = [each.number for each in news]
    assert numbers == list(range(numbers[0], numbers[0] + KEPT_NEWS))
    assert numbers[0] > 1
    assert {each.kind for each in news} == {"taken", "turn"}
    turns = [each.says for each in news if each.kind == "turn"]
    assert all(says.startswith(("It is ", "Anna places the leather", "Boris places the leather")) for says in turns)
    assert not [each for each in news if each.kind == "taken" and each.says.startswith("It is")]
    assert told(happened[0]).news[0].says == "Game 7: Anna and Boris play. It is Anna's turn."


def test_how_the_table_looks_is_news_once() -> None:
    chronicle = Chronicle()
    sighted = Sighted(camera=True, boards_seen=False, in_view=(1,))
    assert chronicle.sight(sighted)
    assert not chronicle.sight(sighted)
    assert chronicle.account.sighted == sighted


def test_lights_are_kept_and_the_end_is_told() -> None:
    chronicle = Chronicle()
    chronicle.lights([(1, 2, 3)])
    chronicle.end()
    assert (chronicle.account.pixels, chronicle.account.over) == (((1, 2, 3),), True)
