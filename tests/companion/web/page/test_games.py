"""Test the journal's games on the page: the list, the players, and replaying one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.companion.web.page.feeding import FeedingServer


def game(number: int, **changes: Any) -> dict[str, Any]:
    """A finished game of Anna and Boris, which Boris won 12 to -3."""
    return {
        "id": number,
        "game": "patchwork",
        "started_at": "2026-11-20T18:30:00+00:00",
        "last_at": "2026-11-20T19:00:00+00:00",
        "players": ["Anna", "Boris"],
        "decisions": 41,
        "finished": True,
        "scores": [-3, 12],
        "winner": 2,
        "live": False,
        "error": None,
        **changes,
    }


@pytest.fixture
def open_games(open_page: Callable[..., Page], table: Any) -> Callable[..., Page]:
    """A function that opens the sheet of games on a journal, and opens it again on another one if it is open."""
    opened: list[Page] = []

    def on(games: list[dict[str, Any]], *, alone: bool = False, **told: Any) -> Page:
        table.json["/api/games"] = {"ok": True, "games": games, **told}
        if opened:
            opened[0].keyboard.press("Escape")
            expect(opened[0].get_by_role("dialog")).to_have_count(0)
        else:
            opened.append(open_page("middle", viewport={"width": 390, "height": 844}, alone=alone))
        opened[0].get_by_role("button", name="Games").click()
        opened[0].locator(".games :not(:empty)").first.wait_for()
        return opened[0]

    return on


def test_scores_below_nothing_stand_in_the_players_order_from_the_right_too(
    open_page: Callable[..., Page], table: Any
) -> None:
    table.json["/api/games"] = {"ok": True, "games": [game(1, scores=[-7, -25], winner=1)]}
    page = open_page("middle", locale="fa-IR")
    page.get_by_role("button", name="بازی‌ها", exact=True).click()
    score = page.locator(".game-score")
    score.wait_for()
    expect(score).to_have_text("\u2066−۷\u2069 : \u2066−۲۵\u2069", use_inner_text=True)


def test_long_names_and_names_from_the_right_are_left_whole_and_in_their_order(open_games: Callable[..., Page]) -> None:
    three = {"game": "kvilt", "scores": [4, 5, 6], "winner": 3}
    page = open_games(
        [
            game(2, players=["Анастасия-Александра", "Bartholomäus"]),
            game(1, players=["Vera", "مریم", "علی"], **three),
        ]
    )
    who = page.locator(".game-who")
    expect(who).to_have_count(2)
    # The number of lines of a word, and where names begin.
    lines = """(element, word) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const place = walker.currentNode.data.indexOf(word);
        if (place < 0) continue;
        const range = document.createRange();
        range.setStart(walker.currentNode, place);
        range.setEnd(walker.currentNode, place + word.length);
        return [...range.getClientRects()].map(({ left, top }) => [left, top]);
      }
    }"""
    assert len(who.first.evaluate(lines, "Анастасия")) == 1
    (first,), (second,) = (who.last.evaluate(lines, name) for name in ("مریم", "علی"))
    assert first[1] < second[1] or first[0] < second[0]


def test_the_list_says_what_became_of_each_game(open_games: Callable[..., Page], table: Any) -> None:
    assert open_games([]).locator(".games > p").first.inner_text() == "No game is in the journal yet."

    running = {"finished": False, "scores": None, "winner": None}
    page = open_games([game(3, live=True, **running), game(2, decisions=1, **running), game(1)])
    expect(page.locator(".game-score")).to_have_text(["on the table", "cut off after 1 decision", "−3 : 12"])
    assert page.locator("a[href='/api/games/1/record.jsonl']").get_attribute("download") is not None
    # If no other game can begin, the one on the table cannot be deleted.
    expect(page.locator("[data-key^=delete]")).to_have_count(2)

    page = open_games([game(2, decisions=0, live=True, **running), game(1)])
    expect(page.locator("[data-key=game-2]")).to_have_count(0)
    expect(page.locator("[data-key=game-1]")).to_have_count(1)

    page = open_games([game(1, players=None, scores=None, winner=None, error="This game cannot be replayed.")])
    expect(page.locator(".game-item .refused")).to_have_text("cannot be replayed", use_inner_text=True)
    expect(page.locator(".game-item button, .game-item a")).to_have_text(["Delete"])

    tied = game(9, scores=[4, 4])
    taken = [{"seat": 1, "patch": "domino", "cells": ["A1", "A2"]}, {"seat": 2, "patch": None, "cells": ["B2"]}]
    table.json["/api/games/9"] = {"game": {**tied, "decisions_list": taken}}
    page = open_games([tied])
    page.wait_for_selector(".game-thumb svg + svg")
    expect(page.locator(".game-won")).to_have_text("Boris won the tie", use_inner_text=True)
    expect(page.locator(".game-thumb .wins .leather")).to_have_count(1)

    del table.json["/api/games"]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Games").click()
    page.get_by_text("The journal cannot be read at the moment.").wait_for()


def test_players_are_ranked_by_wins_then_by_their_mean_and_older_games_are_a_press_away(
    open_games: Callable[..., Page], table: Any
) -> None:
    clara = game(3, players=["Clara", "Anna"], scores=[20, 3], winner=1)
    page = open_games([clara, game(2, scores=[5, 4], winner=1), game(1)])
    rows = [row.locator("th, td").all_inner_texts() for row in page.locator(".standings tbody tr").all()]
    assert rows == [
        ["Clara", "1", "1", "20", "20"],
        ["Boris", "2", "1", "12", "8"],
        ["Anna", "3", "1", "5", "2"],
    ]

    of_all = [{"game": "patchwork", "name": "Anna", "games": 70, "wins": 41, "best": 33, "mean": 12.4}]
    page = open_games([game(3), game(2)], more=True, standings=of_all)
    expect(page.locator(".standings tbody td")).to_have_text(["70", "41", "33", "12"], use_inner_text=True)
    table.json["/api/games"] = {"ok": True, "games": [game(1)], "more": False}
    page.get_by_role("button", name="Older games").click()
    expect(page.locator(".game-item")).to_have_count(3)
    expect(page.get_by_role("button", name="Older games")).to_have_count(0)
    expect(page.locator(".standings tbody td")).to_have_text(["70", "41", "33", "12"], use_inner_text=True)
    assert page.evaluate("document.activeElement.closest('.game-item') === document.querySelectorAll('.game-item')[2]")


def test_the_players_figures_fit_a_phone_in_russian(open_page: Callable[..., Page], table: Any) -> None:
    table.json["/api/games"] = {"ok": True, "games": [game(1)]}
    table.json["/api/me"] = {"ok": True, "can_touch": True, "can_see_camera": True, "sets_up": True}
    page = open_page("middle", "/?language=ru", viewport={"width": 360, "height": 640})
    page.get_by_role("button", name="Партии", exact=True).click()
    page.locator(".standings").wait_for()

    ends = "(all) => all.map((one) => one.getBoundingClientRect().right)"
    ending = page.locator(".standings td, .game-acts button").evaluate_all(ends)
    (room,) = page.locator(".game-list").evaluate_all(ends)
    expect(page.locator(".game-acts button")).to_have_count(3)
    assert max(ending) <= room + 1
    high = "(all) => all.map((one) => one.getBoundingClientRect().height)"
    assert min(page.locator(".takeaways a").evaluate_all(high)) >= 40


def test_a_game_is_watched_again_by_keyboard_and_by_itself_to_its_end(
    open_games: Callable[..., Page], table: Any, situation: Callable[..., Any]
) -> None:
    start, end = situation("start")["patchwork"], situation("end")["patchwork"]
    start["seats"][0]["buttons"] = 1
    told: tuple[list[str], ...] = ([], ["The game has ended."], [])
    frames = [{**shown, "number": number, "says": told[number]} for number, shown in enumerate((start, end, end))]
    table.json["/api/games/1/replay"] = {"ok": True, "states": frames}
    page = open_games([game(1)], alone=True)  # A page cannot uninstall a fake clock.

    page.get_by_role("button", name="Watch Anna and Boris again").click()
    slider = page.get_by_role("slider")
    slider.wait_for()
    expect(slider).to_be_focused()
    expect(page.locator(".replay-figures").first).to_have_text(re.compile("^1 button · income 0 · score"))
    expect(page.locator(".replay-stage .piece")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    pieces = sum(len(seat["pieces"]) for seat in end["seats"])
    expect(page.locator(".replay-stage .piece")).to_have_count(pieces)
    expect(slider).to_have_attribute("aria-valuetext", "1 of 2. The game has ended.")
    page.get_by_role("button", name="One decision on").click()
    expect(slider).to_have_value("2")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value("1")
    page.get_by_role("button", name="All games").click()
    expect(page.locator(".game-item")).to_have_count(1)

    page.get_by_role("button", name="Watch Anna and Boris again").click()
    expect(slider).to_have_value("0")
    play = page.get_by_role("button", name="Play", exact=True)
    play.wait_for()
    page.clock.install()  # Only now, because fetching and opening the replay needs the browser's own clock.
    play.click()
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.clock.run_for(3000)
    expect(slider).to_have_value("2")
    expect(play).to_be_visible()


def test_games_and_names_are_deleted_once_that_was_asked_for_twice(
    open_games: Callable[..., Page], table: FeedingServer
) -> None:
    table.json["/api/me"] = {"ok": True, "can_touch": True, "can_see_camera": True, "sets_up": True}
    live = game(3, live=True, finished=False, scores=None, winner=None)
    page = open_games([live, game(2), game(1)])
    for_good = page.get_by_role("button", name="Delete for good")
    page.get_by_role("button", name="Delete the game of Anna, Boris").nth(1).click()
    expect(page.locator(".games p").first).to_contain_text("delete the game of Anna, Boris")
    expect(page.get_by_role("button", name="Keep everything")).to_be_focused()
    page.get_by_role("button", name="Keep everything").click()
    expect(page.locator(".game-item")).to_have_count(3)
    assert table.posts == []

    # Why a game cannot be deleted stands below the question.
    table.answer = 409, {"ok": False, "error": "game 2 is on a table now"}
    page.locator("[data-key=delete-2]").click()
    for_good.click()
    expect(page.get_by_role("alert").filter(has_text="game 2 is on a table now")).to_be_visible()
    expect(for_good).to_be_enabled()
    assert table.nth_post(1) == ("/api/games/2/delete", {})
    table.answer = 200, {"ok": True}
    table.json["/api/games"] = {"ok": True, "games": [live, game(1)]}
    for_good.click()
    expect(page.locator(".game-item")).to_have_count(2)
    assert table.nth_post(2) == ("/api/games/2/delete", {})

    # The game on the table is ended before it is deleted.
    page.locator("[data-key=delete-3]").click()
    expect(page.locator(".games p").first).to_contain_text("is on the table. Permanently delete it? It ends")
    table.json["/api/games"] = {"ok": True, "games": [game(1)]}
    for_good.click()
    expect(page.locator(".game-item")).to_have_count(1)
    assert table.nth_post(3) == ("/api/games/3/delete", {"leave": True})

    page.get_by_role("button", name="Remove a player’s name").click()
    page.get_by_role("button", name="Boris", exact=True).click()
    table.json["/api/games"] = {"ok": True, "games": [game(1, players=["Anna", "Seat 2"])]}
    page.get_by_role("button", name="Remove for good").click()
    expect(page.locator(".game-who")).to_contain_text("Seat 2")
    assert table.nth_post(4) == ("/api/players/forget", {"name": "Boris"})


def test_a_spectator_can_delete_nothing(open_games: Callable[..., Page], table: Any) -> None:
    table.can_touch = False
    page = open_games([game(1)])
    expect(page.locator(".game-item")).to_have_count(1)
    expect(page.locator("[data-key^=delete], [data-key=forget]")).to_have_count(0)
