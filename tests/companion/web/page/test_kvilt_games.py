"""Test games of Kvilt in the list: distinguished, replayed sheet by sheet, and with their own statistics."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion.games.kvilt.rules import History
from companion.journal import JOURNAL_NAME, Journal
from companion.kvilt.page.archive import statistics_json
from companion.registry import codecs, pages
from companion.web.archive import Archive
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup
from tests.companion.web.page.accessibility import findings

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
PATCHWORK = {
    "id": 7, "game": "patchwork", "started_at": "2026-11-20T18:30:00+00:00", "last_at": "2026-11-20T19:00:00+00:00",
    "players": ["Anna", "Boris"], "decisions": 41, "finished": True, "scores": [-3, 12], "winner": 2, "live": False,
    "error": None,
}  # fmt: skip


@pytest.fixture(scope="module")
def game() -> History:
    return play_game(own_setup(("Anna", "Boris", "Vera")), random.Random(4))


@pytest.fixture(scope="module")
def archive(game: History, tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """The archive of a journal with that game."""
    path = tmp_path_factory.mktemp("table") / JOURNAL_NAME
    with Journal(path, codecs()) as journal:
        number = journal.new_game(game.setup, "table")
        for sequence, decision in enumerate(game.decisions, start=1):
            journal.append(number, sequence, decision)
    return Archive(path, pages())


@pytest.fixture
def open_games(open_page: Open, table: Any, archive: Archive) -> Open:
    """A function that opens the list of a journal with a game of each kind."""

    def opened(**options: Any) -> Page:
        games = [PATCHWORK, *archive.games()]
        table.json["/api/games"] = {"ok": True, "games": json.loads(json.dumps(games))}
        table.json["/api/games/1"] = {"ok": True, "game": archive.game(1)}
        table.json["/api/games/1/replay"] = {"ok": True, **archive.replay(1)}
        table.json["/api/statistics"] = {
            "ok": True, "game": "kvilt", "played": {"patchwork": 1, "kvilt": 1},
            **statistics_json(archive.finished(pages()["kvilt"])),
        }  # fmt: skip
        page = open_page("middle", viewport={"width": 390, "height": 844}, **options)
        page.locator("#settings button").first.click()
        page.locator(".games :not(:empty)").first.wait_for()
        return page

    return opened


def _shapes(game: History) -> int:
    """Count the coloured shapes on all sheets together; both flanges of a spool are one region."""
    marks = [side.marks.regions(game.setup.sheet) for side in game.state.seats]
    return sum(len(each) + sum(region.endswith(".body") for region in each) for each in marks)


def test_they_are_told_apart_with_all_their_scores(open_games: Open, game: History) -> None:
    page = open_games()
    expect(page.locator(".game-kind")).to_have_text(["Patchwork", "Kvilt"], use_inner_text=True)
    totals = " : ".join(str(game.state.score(seat).total) for seat in (1, 2, 3))
    expect(page.locator(".game-score").last).to_have_text(totals.replace("-", "\u2212"), use_inner_text=True)
    assert page.locator(".game-who").last.inner_text().endswith("Anna, Boris, Vera")
    expect(page.locator("a[href='/api/games/1/decisions.csv']")).to_have_count(1)
    assert [link.get_attribute("href") for link in page.locator(".games > .takeaways a").all()] == [
        "/api/games.csv?game=patchwork", "/api/games.csv?game=kvilt",
    ]  # fmt: skip
    expect(page.locator(".standings")).to_have_count(2)
    thumbs = page.locator(".of-many .sheet-thumb")
    expect(thumbs).to_have_count(3)
    expect(thumbs.locator(".region[fill-opacity]")).to_have_count(_shapes(game))
    expect(page.locator(".sheet-thumb.wins")).to_have_count(len(game.state.winners))


def test_every_sheet_is_drawn_again_as_it_was_coloured(open_games: Open, game: History) -> None:
    page = open_games(color_scheme="dark")
    page.locator("[data-key=game-1]").click()
    slider = page.locator(".replay-slider")
    expect(slider).to_be_focused()
    coloured = page.locator(".replay-sheet .region[fill-opacity]")
    assert (page.locator(".replay-sheet .kvilt-sheet").count(), coloured.count()) == (3, 0)
    page.keyboard.press("End")
    expect(coloured).to_have_count(_shapes(game))
    totals = [int(text.split()[0]) for text in page.locator(".replay-sheet .seat-total").all_inner_texts()]
    assert totals == [game.state.score(seat).total for seat in (1, 2, 3)]
    assert (slider.get_attribute("aria-valuetext") or "").startswith(f"{len(game.decisions)} of ")
    assert page.locator(".chart-line").count() >= 3
    page.keyboard.press("Home")
    expect(coloured).to_have_count(0)
    assert findings(page, within="dialog") == []
    assert page.evaluate(_FITS)


def test_statistics_are_those_of_the_game_that_is_chosen(open_games: Open, table: Any) -> None:
    page = open_games(color_scheme="dark")
    page.locator("[data-key=statistics]").click()
    with page.expect_request(lambda request: request.url.endswith("/api/statistics?game=kvilt&language=en")):
        page.locator("[data-key=kind-kvilt]").click()
    page.locator("[data-key=kind-kvilt][aria-pressed=true]").wait_for()
    assert page.locator(".record-what").all_inner_texts()[:2] == ["Highest score", "Best row"]
    expect(page.locator(".statistics .standings tbody tr")).to_have_count(3)
    expect(page.locator(".worths")).to_have_count(0)
    assert table.json["/api/statistics"]["played"]["kvilt"] == 1
    assert findings(page, within="dialog") == []
    assert page.evaluate(_FITS)


_FITS = "document.querySelector('dialog').scrollWidth <= innerWidth"
"""Whether the sheet need not be scrolled sideways."""


def test_the_sheets_are_a_picture_to_keep_as_by_day(open_games: Open) -> None:
    page = open_games()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.locator("[data-key=share-1]").click()
        page.locator(".share-picture").wait_for()
        expect(page.locator("[data-key=save-picture]")).to_have_attribute("download", "kvilt-1.png")
        width, height, colours, paper = page.evaluate(_PICTURE)
        assert (width, height) == (1600, 1130)
        assert colours > 60, "sheets are in it, with their colours"
        assert paper > 220, f"{theme} paper"
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
        page.locator("#settings button").first.click()


_PICTURE = """async () => {
  const image = document.querySelector(".share-picture");
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 1600, height: 1130 });
  const ink = canvas.getContext("2d");
  ink.drawImage(image, 0, 0);
  const [left, top, width, height] = [60, 300, 720, 700];
  const pixels = new Uint32Array(ink.getImageData(left, top, width, height).data.buffer);
  const seen = new Set();
  for (let y = 0; y < height; y += 6) for (let x = 0; x < width; x += 6) seen.add(pixels[y * width + x]);
  const paper = ink.getImageData(100, 320, 1, 1).data;
  return [image.naturalWidth, image.naturalHeight, seen.size, Math.min(...paper)];
}"""
"""Returns the picture's size, the number of colours on its first sheet, and how light the paper is."""
