from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.decisions import TakePatch
from companion.patchwork.page.snapshot import PatchworkAccount
from companion.play import events
from companion.play.friend import FriendStatus
from companion.play.page import Visibility
from companion.registry import pages
from companion.web.account import NEWS_LIMIT, AccountBuilder, snapshot
from tests.companion.announcing import AnnouncedAccount
from tests.companion.web.conftest import account_after, played

if TYPE_CHECKING:
    from companion.patchwork.reading.verdict import Complaint, Question


def shown(builder: AccountBuilder) -> PatchworkAccount:
    """Return the account of the game of Patchwork on the table."""
    table = builder.account.table
    assert isinstance(table, PatchworkAccount)
    return table


def sewn(*happened: events.Event) -> PatchworkAccount:
    """Return that account after these events."""
    builder = AnnouncedAccount(pages())
    for event in happened:
        builder(event)
    return shown(builder)


def test_decisions_are_followed_there_and_back() -> None:
    history, happened = played(6)
    account = account_after(*happened)
    assert account.game_id == 7
    table = sewn(*happened)
    assert (table.state, table.decisions) == (history.state, history.decisions)
    assert table.facts == getattr(happened[-1], "facts", None)
    undone = history.undo()
    back = sewn(*happened, events.DecisionUndone(undone, history.state))
    assert (back.decisions, back.facts) == (history.decisions, ())


def test_a_friend_at_another_table_is_shown_and_gone_with_the_game() -> None:
    history, happened = played(1)
    builder = AnnouncedAccount(pages())
    builder(events.GameOpened(3, history.state, (), {"partner": "2 friend KQ7XM4PD"}))
    friend = {"seat": 2, "name": "Boris", "code": "KQ7X-M4PD", "is_there": None, "word": "", "own_word": "", "wish": 0}
    assert snapshot(builder.account)["friend"] == friend
    assert shown(builder).robot == 2
    builder(events.TableNoticed("Boris: hi", history.state, FriendStatus(2, "KQ7XM4PD", True, "hi")))
    assert snapshot(builder.account)["friend"] == {**friend, "is_there": True, "word": "hi"}
    builder(events.TableNoticed("Boris asks", history.state, FriendStatus(2, "KQ7XM4PD", True, wish=1)))
    assert snapshot(builder.account)["friend"] == {**friend, "is_there": True, "wish": 1}
    builder(happened[-1])
    assert snapshot(builder.account)["friend"] == {**friend, "is_there": True}
    builder(happened[0])
    assert snapshot(builder.account)["friend"] is None


def test_a_resumed_game_is_shown_with_its_decisions() -> None:
    history, _ = played(6)
    builder = AnnouncedAccount(pages())
    builder(events.GameOpened(3, history.state, history.decisions))
    assert (shown(builder).decisions, shown(builder).facts) == (history.decisions, ())


def test_a_new_game_has_no_decisions_of_the_one_before() -> None:
    history, happened = played(6)
    builder = AnnouncedAccount(pages())
    builder(events.GameOpened(3, history.state, history.decisions))
    builder(happened[0])
    assert shown(builder).decisions == ()


def test_a_question_stays_while_answers_are_looked_through(question: Question) -> None:
    history, happened = played(0)
    asked = [events.Asked(question, choice, history.state) for choice in (0, 1)]
    first, second = sewn(*happened, asked[0]), sewn(*happened, *asked)
    assert (first.pending.choice, second.pending.choice) == (0, 1)
    assert first.looked_at == second.looked_at > 0
    answered = sewn(*happened, *asked, events.QuestionAnswered(question, None, history.state))
    assert answered.pending.question is None


@pytest.mark.parametrize("kind", ["look", "undo", "taken"])
def test_a_complaint_is_shown_until_a_player_acts(overlap: Complaint, kind: str) -> None:
    history, happened = played(2)
    complained = events.Complained(overlap, history.state)
    still = sewn(*happened, complained, events.TableNoticed("A board has moved.", history.state))
    assert still.pending.complaint == overlap
    _, more = played(3)
    ways: dict[str, events.Event] = {
        "look": events.LookStarted(history.state),
        "undo": events.DecisionUndone(history.decisions[-1], history.state),
        "taken": more[-1],
    }
    acted = snapshot(account_after(*happened, complained, ways[kind]))["patchwork"]
    assert acted["complaint"] is None


@pytest.mark.parametrize("kind", ["called off", "lapsed"])
def test_a_complaint_that_is_still_open_after_a_look_or_an_announcement_is_shown_again(
    overlap: Complaint, kind: str
) -> None:
    history, happened = played(2)
    state, decision = history.state, history.decisions[-1]
    ways: dict[str, tuple[events.Event, events.Event]] = {
        "called off": (events.LookStarted(state), events.LookCalledOff(state)),
        "lapsed": (events.DecisionForeseen(decision, 2.0, 9.0, state), events.ForesightLapsed(decision, False, state)),
    }
    meanwhile, over = ways[kind]
    complained = events.Complained(overlap, state)
    assert snapshot(account_after(*happened, complained, meanwhile))["patchwork"]["complaint"] is None
    before, again = (
        snapshot(account_after(*happened, complained)),
        snapshot(account_after(*happened, complained, meanwhile, over)),
    )
    assert again["phase"] == "complaint"
    assert again["patchwork"]["complaint"] == before["patchwork"]["complaint"]


def test_a_doubt_that_has_lapsed_is_shown_no_more(overlap: Complaint, question: Question) -> None:
    history, happened = played(0)
    complained = events.Complained(overlap, history.state, unasked=True)
    asked = events.Asked(question, 0, history.state, unasked=True)
    assert sewn(*happened, complained, events.DoubtLapsed(overlap, history.state)).pending.complaint is None
    account = account_after(*happened, asked, events.DoubtLapsed(question, history.state))
    assert account.news[-1].kind == "lapsed"
    assert sewn(*happened, asked, events.DoubtLapsed(question, history.state)).pending.question is None


def test_two_complaints_are_two_looks(overlap: Complaint) -> None:
    history, happened = played(0)
    complained = events.Complained(overlap, history.state)
    assert sewn(*happened, complained, complained).looked_at > sewn(*happened, complained).looked_at


def test_looks_and_foreseen_decisions_come_and_go() -> None:
    history, happened = played(0)
    state = history.state
    decision = TakePatch(1, "corner-b1", 1 | 2 | 1 << 9)
    foreseen = events.DecisionForeseen(decision, 2.0, 9.0, state)
    assert sewn(*happened, events.LookStarted(state)).pending.looking
    assert not sewn(*happened, events.LookStarted(state), events.LookCalledOff(state)).pending.looking
    assert sewn(*happened, foreseen).pending.foreseen == foreseen
    assert sewn(*happened, foreseen, events.ForesightLapsed(decision, True, state)).pending.foreseen is None


def test_only_the_latest_sentences_are_kept_and_they_are_counted() -> None:
    _, happened = played(40)
    news = account_after(*happened).news
    assert len(news) == NEWS_LIMIT
    numbers = [each.number for each in news]
    assert numbers == list(range(numbers[0], numbers[0] + NEWS_LIMIT))
    assert numbers[0] > 1
    assert {each.kind for each in news} == {"taken", "turn"}
    turns = [each.says for each in news if each.kind == "turn"]
    assert all(says.startswith(("It is ", "Anna places the leather", "Boris places the leather")) for says in turns)
    assert not [each for each in news if each.kind == "taken" and each.says.startswith("It is")]
    assert account_after(happened[0]).news[0].says == "Game 7: Anna and Boris play. It is Anna’s turn."


def test_a_game_that_is_opened_again_after_a_calibration_is_announced_once() -> None:
    _, (opened,) = played(0)
    assert isinstance(opened, events.GameOpened)
    says = ["Game 7: Anna and Boris play. It is Anna’s turn."]
    again = replace(opened, is_again=True)
    assert [item.says for item in account_after(opened, again, again).news] == says
    assert [item.says for item in account_after(opened, opened).news] == says * 2


def test_a_change_of_visibility_is_reported_once() -> None:
    builder = AnnouncedAccount(pages())
    visibility = Visibility(camera=True, boards_seen=False, in_view=(1,))
    assert builder.set_visibility(visibility)
    assert not builder.set_visibility(visibility)
    assert builder.account.visibility == visibility


def test_lights_are_kept_and_the_end_is_told() -> None:
    builder = AnnouncedAccount(pages())
    builder.set_lights([(1, 2, 3)])
    builder.end()
    assert (builder.account.pixels, builder.account.over) == (((1, 2, 3),), True)
