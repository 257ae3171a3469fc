"""Test the home with the whole program: its rooms, the last game, the settings, and the way of a phone into it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from companion.configuration import parse_config
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.simulated import table_name
from companion.play.session import Simulation
from companion.registry import codecs
from tests.companion.mqtt.standin import game_events
from tests.companion.web.page.accessibility import findings
from tests.companion.web.page.pointing import DESK, PHONE
from tests.companion.web.page.program import Program
from tests.companion.web.page.scenes import scene
from tests.companion.web.page.served import PATIENCE_MS, await_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.companion.web.page.feeding import FeedingServer

SETTINGS = """# My own table.
[patchwork]
players = ["Ada", "Bert"]  # as always
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The home, which counts down to the demo at first."""
    program = Program(tmp_path_factory.mktemp("home"), ("home", "--demo-after", "3600"), SETTINGS)
    program.start()
    yield program
    program.kill()


def in_lobby(page: Page) -> None:
    """Wait until the home is shown."""
    expect(page.locator(".home-entry").first).to_be_visible(timeout=PATIENCE_MS)


def test_a_game_here_is_left_for_the_home_and_gone_on_with(visit: Callable[..., Page], home: Program) -> None:
    page = visit(home.link, alone=True, reduced_motion="no-preference", **DESK)
    in_lobby(page)
    titles = ["Watch a demo", "Play here", "Play against the robot", "Score a photograph", "A real table"]
    expect(page.locator(".home-name")).to_have_text(titles)
    expect(page.locator(".home-begins")).to_be_visible()
    # The first click of all ends the countdown, and does what is clicked.
    page.locator("[data-key=home-here]").click()
    await_table(page)
    expect(page.locator("#seat-1 .seat-name")).to_have_text("Ada")
    page.locator("[data-key=advance]").click()
    expect(page.locator("[data-key=undo]")).not_to_have_attribute("aria-disabled", "true", timeout=PATIENCE_MS)

    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("[data-key=home]").click()
    in_lobby(page)
    expect(page.locator("[data-key=home-last]")).to_contain_text("Patchwork: Ada, Bert, after 1 decision")
    page.locator("[data-key=home-last]").click()
    await_table(page)
    expect(page.locator("[data-key=undo]")).not_to_have_attribute("aria-disabled", "true")
    page.locator("[data-key=home]").click()
    in_lobby(page)


def test_a_real_table_begins_only_once_a_camera_shows_it(visit: Callable[..., Page], home: Program) -> None:
    page = visit(home.link, **PHONE)
    in_lobby(page)
    assert findings(page) == []
    page.locator("[data-key=home-table]").tap()
    expect(page.locator("dialog .home-seen")).to_have_text("No camera is chosen yet.", timeout=PATIENCE_MS)
    expect(page.locator("dialog [data-key=begin]")).to_be_hidden()
    chosen = {"section": "camera", "key": "driver", "value": "webcam"}
    page.evaluate(_POSTED, ["/api/settings", chosen])
    expect(page.locator("dialog .home-seen")).to_contain_text("webcam", timeout=PATIENCE_MS)
    # What fails only in its room is said by the home, to which it leads back.
    page.keyboard.press("Escape")
    page.evaluate(_POSTED, ["/api/home/choose", {"entry": "table"}])
    expect(page.locator(".home-fault")).to_contain_text("webcam", timeout=PATIENCE_MS)


def _at_a_phone(table: FeedingServer, *, pictured: bool) -> dict[str, object]:
    """Let a home have a phone as its only camera, and return what is seen in its pictures."""
    entry = {"name": "table", "title": "A real table", "says": "", "needs_camera": True, "address": ""}
    seen = {"ok": True, "fault": "", "pictured": pictured, "says": "Lay the boards.", "remarks": [], "ready": False}
    table.json |= {
        "/api/me": {"ok": True, "can_touch": True, "can_see_camera": True, "home": True, "room": ""},
        "/api/home": {"ok": True, "room": "", "fault": "", "entries": [entry], "last": None, "begins_in_s": None},
        "/api/home/cameras": {"ok": True, "cameras": []},
        "/api/settings": {"ok": True, "settings": [{"section": "camera", "key": "driver", "value": "phone"}]},
        "/api/home/preview": seen,
    }
    table.show({**scene("waiting"), "room": ""})
    return seen


def test_that_no_camera_was_found_is_said_only_until_a_phone_sends_pictures(
    visit: Callable[..., Page], table: FeedingServer
) -> None:
    seen = _at_a_phone(table, pictured=False)
    page = visit(table.url)
    page.locator("[data-key=home-table]").click()
    none = page.get_by_text("No camera was found.")
    expect(none).to_be_visible()

    table.json["/api/home/preview"] = {**seen, "pictured": True}
    expect(page.locator(".home-preview")).to_be_visible()
    expect(none).to_be_hidden()
    table.json["/api/home/preview"] = seen
    expect(none).to_be_visible()


def test_a_real_table_is_opened_with_the_guide(visit: Callable[..., Page], table: FeedingServer) -> None:
    _at_a_phone(table, pictured=True)
    page = visit(table.url)
    page.locator("[data-key=home-table]").click()
    page.locator("dialog [data-key=begin]").click()
    assert table.nth_post(1) == ("/api/home/choose?language=en", {"entry": "table"})
    expect(page).to_have_url(f"{table.url}/#guide")
    page.go_back()
    expect(page).to_have_url("about:blank")


_POSTED: Final = """([path, body]) => fetch(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
})"""


def test_settings_are_written_where_they_were_with_their_comments(visit: Callable[..., Page], home: Program) -> None:
    page = visit(home.link, **DESK)
    in_lobby(page)
    page.get_by_text("Settings").click()
    page.get_by_label("Player 2").first.fill("Bea")
    page.get_by_label("Player 2").first.press("Tab")
    expect(page.locator(".home-saved").filter(has_text="Saved")).to_have_count(1)
    page.get_by_role("switch", name=re.compile("^Hands-free")).check()
    expect(page.locator(".home-saved").filter(has_text="Saved")).to_have_count(2)
    assert findings(page) == []
    page.set_viewport_size(PHONE["viewport"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#settings button:visible, .home :is(button, select, input):visible").evaluate_all(_SMALL) == []

    written = home.settings_file.read_text()
    assert written.startswith("# My own table.\n[patchwork]\n")
    assert 'players = ["Ada", "Bea"]' in written
    assert "hands_free = true" in written
    page.get_by_label("Player 1").first.fill("")
    page.get_by_label("Player 1").first.press("Tab")
    expect(page.locator(".home-saved.refused")).to_contain_text("players")
    assert home.settings_file.read_text() == written


_SMALL: Final = """(all) => all
  .map((one) => one.closest("label") ?? one)
  .map((one) => [one.textContent, one.offsetWidth, one.offsetHeight])
  .filter(([, wide, high]) => Math.min(wide, high) < 44)"""
"""Returns what is too small for a finger."""


def test_a_phone_is_let_in_by_a_button(visit: Callable[..., Page], home: Program) -> None:
    page = visit(home.link, **DESK)
    in_lobby(page)
    page.locator("[data-key=invite]").click()
    page.locator("[data-key=open-network]").click()
    expect(page.locator("dialog .invite-code, dialog .refused:not(:empty)")).to_be_visible(timeout=PATIENCE_MS)
    assert "lan = true" in home.settings_file.read_text()


def test_the_demo_starts_by_itself_unless_somebody_is_there(visit: Callable[..., Page], tmp_path: Path) -> None:
    # An earlier one was broken off.
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        config = parse_config('[patchwork]\ncircle = "seen"', "config.toml")
        table = table_name(Simulation(1, config.simulation.temper), config)
        event, *_ = game_events(2)[1]
        journal.append(journal.new_game(Setup(players=("Anna", "Boris")), table), 1, event.decision)
    program = Program(tmp_path, ("home", "--demo-after", "6"), "")
    program.start()
    try:
        page = visit(program.link, **DESK)
        # The demo may begin before a slow browser has loaded the page.
        seat = page.locator("#seat-1 .seat-name")
        said = page.locator(".home-begins").get_by_text("The demo starts by itself")
        expect(said.or_(seat).first).to_be_visible(timeout=PATIENCE_MS)
        expect(seat).to_be_visible(timeout=PATIENCE_MS)
        with Journal(tmp_path / JOURNAL_NAME, codecs(), read_only=True) as journal:
            assert len(journal.games()) == 2
        page.locator("[data-key=home]").click()
        in_lobby(page)
        expect(page.locator(".home-begins")).to_have_count(0)
    finally:
        program.kill()
