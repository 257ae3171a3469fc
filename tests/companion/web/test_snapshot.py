from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config import Config
from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import TakePatch
from companion.games.patchwork.rules import can_buy
from companion.games.patchwork.state import Setup, score
from companion.languages import ENGLISH, render, said
from companion.patchwork.arrangement import presses_note
from companion.patchwork.circle.hints import CircleFault, CircleFaultStatus
from companion.patchwork.reading.verdict import Reason
from companion.patchwork.watching.opening import BoardsStatus
from companion.patchwork.words import sentences, turn_sentence
from companion.play import events
from companion.play.events import GameOpened
from companion.play.page import Visibility
from companion.play.partner import WATCHED_NOTE
from companion.registry import pages
from companion.web.account import Account, colours, snapshot
from tests.companion.announcing import AnnouncedAccount
from tests.companion.web.conftest import CIRCLE, account_after, played

if TYPE_CHECKING:
    from companion.patchwork.reading.verdict import Complaint, Question

SEEN = Visibility(camera=True, boards_seen=True, in_view=(1, 2))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 60), st.integers(0, 3))
def test_a_snapshot_is_json_with_the_same_keys_from_the_first_to_the_last(decisions: int, seed: int) -> None:
    _, happened = played(decisions, seed=seed)
    shown = snapshot(account_after(*happened))
    assert json.loads(json.dumps(shown)) == shown
    assert list(shown) == list(snapshot(Account(pages())))


def test_before_the_game_is_opened_there_is_nothing_to_show() -> None:
    shown = snapshot(Account(pages()))
    assert (shown["phase"], shown["patchwork"], shown["kvilt"], shown["game"]) == ("waiting", None, None, None)


def test_the_game_is_shown_as_it_is() -> None:
    history, happened = played(8)
    shown = snapshot(account_after(*happened))
    assert shown["game"] == {"id": 7, "decisions": 8, "finished": False, "name": "patchwork", "title": "Patchwork"}
    table = shown["patchwork"]
    assert table["market_known"]
    assert table["circle"] == list(history.state.unbought)
    assert table["circle"][:3] == [offer["patch"] for offer in table["offers"]]
    assert shown["phase"] == "playing"


def test_an_unknown_circle_is_said_to_be() -> None:
    _, happened = played(0, Setup())
    table = snapshot(account_after(*happened))["patchwork"]
    assert not table["market_known"]
    assert set(table["circle"]) == set(CIRCLE)


def test_a_fault_of_the_circle_is_shown_until_it_is_mended() -> None:
    history, happened = played(3)
    says = said("The neutral token is in the wrong place in the circle.")
    wrong = events.TableNoticed(says, history.state, CircleFaultStatus(CircleFault.TOKEN, says))
    mended = events.TableNoticed("", history.state, CircleFaultStatus(CircleFault.TOKEN, None))
    assert snapshot(account_after(*happened))["patchwork"]["circle_hints"] == []
    assert snapshot(account_after(*happened, wrong))["patchwork"]["circle_hints"] == [render(says, ENGLISH)]
    assert snapshot(account_after(*happened, wrong, mended))["patchwork"]["circle_hints"] == []


def test_the_newest_piece_glows_until_it_is_taken_back() -> None:
    history, happened = played(1)
    assert isinstance(history.decisions[0], TakePatch)
    taken = snapshot(account_after(*happened))["patchwork"]
    assert [piece["new"] for seat in taken["seats"] for piece in seat["pieces"]] == [True]
    noticed = snapshot(account_after(*happened, events.TableNoticed("A board has moved.", history.state)))
    assert noticed["patchwork"]["seats"] == taken["seats"]
    complete = account_after(*happened, events.DecisionUndone(history.undo(), history.state))
    assert snapshot(complete)["patchwork"]["money"] == []


def test_a_question_is_shown_with_its_options(question: Question) -> None:
    history, happened = played(0, Setup(players=("Anna", "Boris")))
    shown = snapshot(account_after(*happened, events.Asked(question, 1, history.state)))
    assert shown["phase"] == "question"
    asked = shown["patchwork"]["question"]
    assert (asked["seat"], asked["asks"], asked["choice"]) == (1, "which-patch", 1)
    assert asked["options"][1] == {
        "patch": "corner-b3",
        "cells": ["A1", "A2", "B2"],
        "seat": 1,
        "move": "patch",
        "says": "Anna takes the corner for 3 at A1 A2 B2",
    }
    assert asked["crop"].startswith("/crop/1.jpg?at=")


def test_a_complaint_is_shown_with_its_cells(overlap: Complaint) -> None:
    history, happened = played(0)
    shown = snapshot(account_after(*happened, events.Complained(overlap, history.state)))
    assert shown["phase"] == "complaint"
    assert shown["patchwork"]["complaint"] == {
        "seat": 1,
        "reason": "overlap",
        "says": "The new patch overlaps.",
        "cells": ["A1"],
        "quilt": 1,
        "insists": False,
        "crop": "/crop/1.jpg?at=2",
    }


def test_a_complaint_of_the_other_quilt_shows_that_one_and_says_whether_players_may_insist(overlap: Complaint) -> None:
    history, happened = played(0)
    lies = TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"]))
    astray = replace(overlap, reason=Reason.WRONG_SEAT, otherwise=(lies,))
    shown = snapshot(account_after(*happened, events.Complained(astray, history.state)))["patchwork"]["complaint"]
    assert (shown["seat"], shown["quilt"], shown["insists"]) == (1, 2, True)
    assert shown["crop"] == "/crop/2.jpg?at=2"


def test_a_foreseen_decision_is_shown_with_its_pause() -> None:
    history, happened = played(0)
    decision = TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"]))
    shown = snapshot(account_after(*happened, events.DecisionForeseen(decision, 2.0, 9.0, history.state)))
    assert shown["phase"] == "foreseen"
    assert (shown["patchwork"]["foreseen"]["patch"], shown["patchwork"]["foreseen"]["pause_s"]) == ("bar3", 2.0)
    assert (
        shown["patchwork"]["foreseen"]["says"]
        == "In 2 s: Anna takes the short bar at A1 B1 C1. Lift it off, or press undo, to stop it."
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_score_sheet_adds_up(seed: int) -> None:
    history, happened = played(999, seed=seed)
    state = history.state
    shown = snapshot(account_after(*happened))
    result = shown["patchwork"]["result"]
    assert shown["phase"] == "finished"
    assert result["winner"] == state.winner
    assert result["tie"] == (score(state.seat(1)) == score(state.seat(2)))
    for sheet in result["sheet"]:
        assert sum(line["points"] for line in sheet["lines"]) == sheet["total"] == score(state.seat(sheet["seat"]))
        assert [line["what"] for line in sheet["lines"]] == ["buttons", "bonus", "empty"]
    names = state.setup.players
    assert result["says"].startswith(f"{names[(state.winner or 0) - 1]} wins")


def test_while_the_game_runs_there_is_no_result() -> None:
    assert snapshot(account_after(*played(5)[1]))["patchwork"]["result"] is None


@pytest.mark.parametrize(
    ("visibility", "says"),
    [
        (Visibility(), "The camera is starting."),
        (Visibility(awaited=False), "The camera sends no pictures."),
        (Visibility(camera=True), "Place both quilt boards in view, with nothing on them."),
        (
            Visibility(camera=True, in_view=(1, 2)),
            "Both quilt boards are in view: keep hands and patches off them for a moment.",
        ),
        (SEEN, "Anna lays a patch and presses confirm, or presses advance."),
    ],
)
def test_the_table_says_that_it_waits_for_camera_boards_or_move(visibility: Visibility, says: str) -> None:
    table = snapshot(replace(account_after(*played(0)[1]), visibility=visibility))["table"]
    assert table["waiting_for"] == says
    assert table["in_view"] == list(visibility.in_view)


def test_the_table_says_why_the_boards_are_not_seen_until_they_are() -> None:
    history, happened = played(0)
    blurred = said("The picture is blurred: focus the camera on the table.")
    missing = events.TableNoticed(blurred, history.state, BoardsStatus(are_seen=False))
    seen = events.TableNoticed(said("Both quilt boards are seen."), history.state, BoardsStatus(are_seen=True))

    def waits_for(visibility: Visibility, *notices: events.Event) -> str:
        shown = snapshot(replace(account_after(*happened, *notices), visibility=visibility))
        return str(shown["table"]["waiting_for"])

    assert waits_for(Visibility(camera=True), missing) == render(blurred, ENGLISH)
    assert waits_for(Visibility(camera=True, in_view=(1, 2)), missing, seen).startswith("Both quilt boards are in view")
    assert waits_for(SEEN, missing).startswith("Anna lays a patch")


@pytest.mark.parametrize(
    ("time_board", "says"),
    [
        ("ignored", "Anna lays a patch, or presses advance."),
        ("followed", "Anna lays a patch, or advances by moving the marker."),
    ],
)
def test_hands_free_nobody_is_told_to_press_confirm(time_board: str, says: str) -> None:
    config = Config()
    config = replace(
        config,
        reading=replace(config.reading, hands_free=True),
        table=replace(config.table, time_board=time_board),
    )
    builder = AnnouncedAccount(pages())
    history, _ = played(0)
    builder(GameOpened(7, history.state, notes=dict([presses_note(config)])))
    table = snapshot(replace(builder.account, visibility=SEEN))["table"]
    assert table["waiting_for"] == says


@pytest.mark.parametrize("can", [True, False])
def test_of_simulated_players_it_is_said_what_they_do_and_nobody_is_told_to_press(can: bool) -> None:
    history, _ = next(game for count in range(60) if can_buy((game := played(count))[0].state) is can)
    builder = AnnouncedAccount(pages())
    builder(GameOpened(7, history.state, notes={WATCHED_NOTE: "simulated"}))
    says = snapshot(replace(builder.account, visibility=SEEN))["table"]["waiting_for"]
    mover = history.state.setup.players[history.state.mover - 1]
    does = "chooses a patch, or advances" if can else "can buy nothing, and advances"
    assert says == f"{mover} {does}."


def test_a_player_who_can_buy_nothing_is_told_to_advance_and_the_voice_says_so_too() -> None:
    history, happened = next(game for count in range(60) if not can_buy((game := played(count))[0].state))
    mover = history.state.setup.players[history.state.mover - 1]
    shown = snapshot(replace(account_after(*happened), visibility=SEEN))
    assert shown["table"]["waiting_for"] == f"{mover} can buy nothing: press advance."
    assert shown["patchwork"]["turn"]["can_buy"] is False
    assert str(turn_sentence(history.state)) == f"It is {mover}’s turn, and nothing can be bought: advance."


def test_a_complaint_is_what_is_to_be_done_until_the_next_look(overlap: Complaint) -> None:
    history, happened = played(0)
    complained = events.Complained(overlap, history.state)
    shown = snapshot(replace(account_after(*happened, complained), visibility=SEEN))
    assert shown["table"]["waiting_for"] == shown["patchwork"]["complaint"]["says"]


def test_the_table_says_that_it_waits_for_a_look_an_answer_or_a_pause(question: Question) -> None:
    history, happened = played(0)
    state = history.state

    def waiting(*more: events.Event) -> str:
        account = replace(account_after(*happened, *more), visibility=SEEN)
        return str(snapshot(account)["table"]["waiting_for"])

    assert waiting(events.LookStarted(state)) == (
        "The camera is looking: Anna’s quilt must be still, with no hand over it."
    )
    assert waiting(events.Asked(question, 0, state)) == question.says
    foreseen = events.DecisionForeseen(question.options[0], 2.0, 9.0, state)
    assert waiting(foreseen) == render(sentences(foreseen)[0], ENGLISH)
    leather = next(game for count in range(60) if (game := played(count))[0].state.leather_due)
    account = replace(account_after(*leather[1]), visibility=SEEN)
    assert "lays the leather patch" in snapshot(account)["table"]["waiting_for"]
    assert snapshot(replace(account, over=True))["table"]["waiting_for"] == ""


def test_pixels_are_colours_of_a_page() -> None:
    assert colours([(0, 10, 255), (1, 2, 3)]) == ["#000aff", "#010203"]
