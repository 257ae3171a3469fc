"""Test statistics, charts and share pictures on the page, on games that the server really replays."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.arrangement import dealt_market
from companion.patchwork.page.archive import course_json, statistics_json
from companion.patchwork.page.snapshot import seats_json, track_json
from companion.patchwork.statistics import FinishedGame, finished
from companion.play.page import ArchivedGame
from tests.companion.web.page.accessibility import findings, findings_at_night
from tests.companion.web.page.pointing import broken

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page


def played(seed: int) -> tuple[ArchivedGame, FinishedGame]:
    """Return a random game, and its summary."""
    rng = random.Random(seed)
    history = History(Setup(players=("Anna", "Boris"), market=dealt_market(seed)))
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    begun = datetime(2026, 11, seed, 20, tzinfo=UTC)
    return ArchivedGame(seed, begun, history.setup, history.decisions), finished(seed, begun, history)


GAMES, FINISHED = zip(*map(played, range(1, 4)), strict=True)
PHONE = {"width": 390, "height": 844}


def frames(game: ArchivedGame) -> list[dict[str, Any]]:
    history = History(game.setup)
    for decision in game.decisions:
        history.apply(decision)
    seats = seats_json(history.state, history.decisions, None, ("#3f74b8", "#d9772f"))
    return [{"number": 1, "seats": seats, "track": track_json(history.state), "says": []}]


@pytest.fixture
def open_games(open_page: Callable[..., Page], table: Any) -> Callable[..., Page]:
    """A function that opens the sheet of games."""

    def opened(path: str = "/", **options: Any) -> Page:
        result = statistics_json(FINISHED)["games"][0]
        game = {**result, "game": "patchwork", "decisions": 40, "live": False, "error": None, "finished": True}
        table.json["/api/games"] = {"ok": True, "games": [game]}
        table.json["/api/statistics"] = {"ok": True, "game": "patchwork", **statistics_json(FINISHED)}
        table.json["/api/games/1/course"] = {"ok": True, **course_json(GAMES[0])}
        table.json["/api/games/1/replay"] = {"ok": True, "states": frames(GAMES[0])}
        page = open_page("middle", path, **options)
        page.locator("#settings button").first.click()
        page.locator(".game-item").wait_for()
        return page

    return opened


_FITS: Final = """sheet => [sheet, ...sheet.querySelectorAll("*:not(svg, svg *)")].every((part) =>
    getComputedStyle(part).display === "inline" || part.scrollWidth <= part.clientWidth + 1)"""


def fits(page: Page) -> bool:
    """Return whether neither the sheet nor anything on it needs to be scrolled sideways."""
    return bool(page.locator("dialog").evaluate(_FITS))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_figures_of_each_player_fit_a_phone(open_games: Callable[..., Page], language: str) -> None:
    page = open_games(f"/?language={language}", viewport=PHONE)
    page.locator("[data-key=statistics]").click()
    page.locator(".statistics .standings").wait_for()
    assert fits(page)
    page.set_viewport_size({"width": 320, "height": 568})
    assert fits(page)
    assert page.get_by_role("cell").count() == 2 * (page.get_by_role("columnheader").count() - 1)


def test_statistics_fit_a_phone_and_axe_finds_nothing(open_games: Callable[..., Page]) -> None:
    page = open_games("/?language=fa", viewport=PHONE)
    page.locator("[data-key=statistics]").click()
    page.locator(".record-card").first.wait_for()
    expect(page.locator(".record-card")).to_have_count(5)
    expect(page.locator(".statistics .standings tbody tr")).to_have_count(2)
    expect(page.locator(".worth-item")).to_have_count(16)
    assert fits(page)
    assert findings(page) == []
    assert findings_at_night(page) == []
    page.locator(".record-who bdi").first.evaluate("name => name.textContent = 'Маргарита Александровна'")
    for width in (360, 390, 768, 1366):
        page.set_viewport_size({"width": width, "height": 768})
        assert broken(page.locator(".record-who bdi")) == []
        assert fits(page)


def test_scores_are_told_to_who_cannot_see_the_chart(open_games: Callable[..., Page]) -> None:
    page = open_games(viewport=PHONE)
    page.locator("[data-key=statistics]").click()
    label = page.locator(".chart-picture").get_attribute("aria-label") or ""
    assert label.startswith("Scores of the last 3 games; on average ")
    second = page.locator(".line-lost .chart-over").first
    assert second.evaluate("line => getComputedStyle(line).strokeDasharray") != "none"
    assert fits(page)


def test_a_game_s_course_is_drawn_beneath_it(open_games: Callable[..., Page]) -> None:
    page = open_games()
    page.locator(".game-item button", has_text="Watch again").click()
    page.locator(".charts .chart").nth(2).wait_for()
    titles = page.locator(".charts figcaption").all_inner_texts()
    assert titles == ["Income over time", "Score over time", "Buttons over time"]
    heights = page.locator(".charts .chart-tick").evaluate_all(
        "all => all.map((tick) => tick.getBoundingClientRect().height)"
    )
    assert min(heights) > 10
    last = course_json(GAMES[0])["seats"][0][-1]["income"]
    assert f"Anna: {last} at the end." in (page.locator(".chart-picture").first.get_attribute("aria-label") or "")
    expect(page.locator(".bought-item")).to_have_count(len(course_json(GAMES[0])["purchases"]))
    assert findings(page) == []


def shared(page: Page) -> np.ndarray[Any, Any]:
    """Return the saved picture as BGR."""
    page.locator("[data-key='share-1']").click()
    page.locator(".share-picture").wait_for()
    with page.expect_download() as saved:
        page.locator("[data-key=save-picture]").click()
    assert saved.value.suggested_filename == "patchwork-1.png"
    data = np.fromfile(saved.value.path(), np.uint8)
    assert data[:4].tobytes() == b"\x89PNG"
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert picture is not None
    return picture


def test_a_picture_to_share_shows_the_drawn_quilts_where_no_others_are_by_day_and_by_night(
    open_games: Callable[..., Page],
) -> None:
    page = open_games()
    picture = shared(page)
    assert picture.shape == (1130, 1600, 3)
    first, second = picture[290:960, 80:740], picture[290:960, 860:1520]
    assert min(first.std(), second.std()) > 25, "cloth is no plain ground"
    # The seats' colours, over their quilts.
    assert picture[188, 400].tolist() == pytest.approx([0xB8, 0x74, 0x3F], abs=4)
    assert picture[188, 1200].tolist() == pytest.approx([0x2F, 0x77, 0xD9], abs=4)

    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    page.emulate_media(color_scheme="dark")
    page.locator("#settings button").first.click()
    assert np.array_equal(picture, shared(page))


def test_a_picture_to_share_shows_what_the_camera_saw(open_games: Callable[..., Page], table: Any) -> None:
    table.quilts = cv2.imencode(".jpg", np.full((90, 90, 3), (10, 200, 30), np.uint8))[1].tobytes()
    picture = shared(open_games("/?language=fa"))
    for left in (60, 840):
        seen = picture[400:900, left + 50 : left + 650].reshape(-1, 3).mean(axis=0)
        assert seen == pytest.approx([10, 200, 30], abs=6)


def test_the_game_that_has_just_ended_has_its_picture_at_hand(open_page: Callable[..., Page], table: Any) -> None:
    result = statistics_json(FINISHED)["games"][0]
    table.json["/api/games/7"] = {"ok": True, "game": {**result, "game": "patchwork", "id": 7}}
    table.json["/api/games/7/replay"] = {"ok": True, "states": frames(GAMES[0])}
    page = open_page("end")
    page.get_by_role("button", name="A picture to share").click()
    page.locator(".share-picture").wait_for()
    expect(page.locator("[data-key=save-picture]")).to_have_attribute("download", "patchwork-7.png")
    assert findings(page) == []
