"""Games of Kvilt in the list: told apart, watched again sheet by sheet, and counted by themselves."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_core_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

from companion.games.kvilt import History, Setup, play_game
from companion.journal import JOURNAL_NAME, Journal
from companion.web.archive import Archive
from companion.web.figures import _kvilt_statistics

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
PATCHWORK = {
    "id": 7, "game": "patchwork", "started_at": "2026-11-20T18:30:00+00:00", "last_at": "2026-11-20T19:00:00+00:00",
    "players": ["Anna", "Boris"], "decisions": 41, "finished": True, "scores": [-3, 12], "winner": 2, "live": False,
    "error": None,
}  # fmt: skip


@pytest.fixture
def game() -> History:
    return play_game(Setup(("Anna", "Boris", "Vera")), random.Random(4))


@pytest.fixture
def open_games(open_page: Open, table: Any, game: History, tmp_path: Path) -> Open:
    """Opens the list of a journal with a game of each kind."""
    path = tmp_path / JOURNAL_NAME
    with Journal(path) as journal:
        number = journal.new_game(game.setup, "table")
        for sequence, decision in enumerate(game.decisions, start=1):
            journal.append(number, sequence, decision)
    archive = Archive(path)

    def opened(**options: Any) -> Page:
        games = [PATCHWORK, *archive.games()]
        table.json["/api/games"] = {"ok": True, "games": json.loads(json.dumps(games))}
        table.json["/api/games/1"] = {"ok": True, "game": archive.game(1)}
        table.json["/api/games/1/replay"] = {"ok": True, **archive.replay(1)}
        table.json["/api/statistics"] = {
            "ok": True, "game": "kvilt", "played": {"patchwork": 1, "kvilt": 1},
            **_kvilt_statistics(archive.kvilt_played()),
        }  # fmt: skip
        page = open_page("middle", **{"viewport": {"width": 390, "height": 844}, **options})
        page.locator("#settings button").first.click()
        page.locator(".games :not(:empty)").first.wait_for()
        return page

    return opened


def test_they_are_told_apart_with_all_their_scores(open_games: Open, game: History) -> None:
    page = open_games()
    assert page.locator(".game-kind").all_inner_texts() == ["Patchwork", "Kvilt"]
    totals = " : ".join(str(game.state.score(seat).total) for seat in (1, 2, 3))
    assert page.locator(".game-score").last.inner_text() == totals.replace("-", "\u2212")
    assert page.locator(".game-who").last.inner_text().endswith("Anna, Boris, Vera")
    assert page.locator("a[href='/api/games/1/decisions.csv']").count() == 1
    assert [link.get_attribute("href") for link in page.locator(".games > .takeaways a").all()] == [
        "/api/games.csv?game=patchwork", "/api/games.csv?game=kvilt",
    ]  # fmt: skip
    assert page.locator(".standings").count() == 2


def test_every_sheet_is_drawn_again_as_it_was_coloured(open_games: Open, game: History) -> None:
    page = open_games()
    page.locator("[data-key=game-1]").click()
    slider = page.locator(".replay-slider")
    expect(slider).to_be_focused()
    coloured = page.locator(".replay-sheet .region[fill-opacity]")
    assert (page.locator(".replay-sheet .kvilt-sheet").count(), coloured.count()) == (3, 0)
    page.keyboard.press("End")
    marks = [side.marks.regions(game.setup.sheet) for side in game.state.seats]
    # Both flanges of a spool are one region.
    shapes = sum(len(each) + sum(region.endswith(".body") for region in each) for each in marks)
    expect(coloured).to_have_count(shapes)
    totals = [int(text.split()[0]) for text in page.locator(".replay-sheet .seat-total").all_inner_texts()]
    assert totals == [game.state.score(seat).total for seat in (1, 2, 3)]
    assert (slider.get_attribute("aria-valuetext") or "").startswith(f"{len(game.decisions)} of ")
    assert page.locator(".chart-line").count() >= 3
    page.keyboard.press("Home")
    expect(coloured).to_have_count(0)


def test_statistics_are_those_of_the_game_that_is_chosen(open_games: Open, table: Any) -> None:
    page = open_games()
    page.locator("[data-key=statistics]").click()
    with page.expect_request(lambda request: request.url.endswith("/api/statistics?game=kvilt&language=en")):
        page.locator("[data-key=kind-kvilt]").click()
    page.locator("[data-key=kind-kvilt][aria-pressed=true]").wait_for()
    assert page.locator(".record-what").all_inner_texts()[:2] == ["Highest score", "Best row"]
    assert page.locator(".statistics .standings tbody tr").count() == 3
    assert page.locator(".worths").count() == 0
    assert table.json["/api/statistics"]["played"]["kvilt"] == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_sheets_are_a_picture_to_keep(open_games: Open, theme: str) -> None:
    page = open_games(color_scheme=theme)
    page.locator("[data-key=share-1]").click()
    page.locator(".share-picture").wait_for()
    assert page.locator("[data-key=save-picture]").get_attribute("download") == "kvilt-1.png"
    sizes = page.evaluate(
        """async () => {
          const image = document.querySelector(".share-picture");
          await image.decode();
          const canvas = Object.assign(document.createElement("canvas"), { width: 1600, height: 1130 });
          const ink = canvas.getContext("2d");
          ink.drawImage(image, 0, 0);
          const seen = new Set();
          for (let y = 300; y < 1000; y += 6)
            for (let x = 60; x < 780; x += 6) seen.add(ink.getImageData(x, y, 1, 1).data.join());
          const paper = ink.getImageData(100, 320, 1, 1).data;
          return [image.naturalWidth, image.naturalHeight, seen.size, Math.min(...paper)];
        }"""
    )
    assert sizes[:2] == [1600, 1130]
    assert sizes[2] > 60, "sheets are in it, with their colours"
    assert sizes[3] > 220, "on paper as by day"


@pytest.mark.parametrize("what", ["game-1", "statistics"])
def test_axe_finds_nothing(open_games: Open, what: str) -> None:
    page = open_games(color_scheme="dark", reduced_motion="reduce")
    page.locator(f"[data-key={what}]").click()
    page.locator(".replay-slider, .record-cards").first.wait_for()
    result: dict[str, Any] = Axe().run(page, context={"include": [["dialog"]], "exclude": [["svg > *"]]})
    found = [f"{one['id']}: {node['html'][:120]}" for one in result["violations"] for node in one["nodes"]]
    assert found == []
    assert page.evaluate("document.querySelector('dialog').scrollWidth <= innerWidth")
