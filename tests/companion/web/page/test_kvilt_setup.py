"""Test setting up Kvilt on the page: the game, the number of players, the bag, the variants, earlier games."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion.games.kvilt.rules import History
from companion.kvilt.page.table import sheet_json
from companion.kvilt.sheets.files import own_sheet
from companion.kvilt.sheets.layout_files import load_layout
from companion.play.events import GameOpened
from companion.registry import pages
from companion.web.account import snapshot
from tests.companion.announcing import AnnouncedAccount
from tests.companion.kvilt_setups import own_setup
from tests.companion.web.page.accessibility import findings

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def open_setup(open_page: Open, table: Any) -> Open:
    """A function that opens the set-up at a table where either game may be begun."""

    def opened(path: str = "/", **changes: Any) -> Page:
        options = changes.pop("options", {})
        table.json["/api/me"] = {"ok": True, "can_touch": True, "can_see_camera": True, "sets_up": True}
        table.json["/api/setup"] = {
            "ok": True,
            "game": "patchwork",
            "titles": {"patchwork": "Patchwork", "kvilt": "Kvilt"},
            "language": None,
            "kvilt": {
                "next": {"players": ["Anna", "Boris"], "first_seat": 2, "bag": "virtual", "variants": [],
                         "robot": None},
                "seats": [2, 3, 4],
                "bags": ["virtual", "real"],
                "variants": ["all-counted", "kviltomania"],
                "levels": ["child", "champion"],
            },
            "patchwork": {
                "next": {
                    "players": ["Anna", "Boris"], "colours": ["yellow", "green"], "first_seat": 1,
                    "edition": "original", "rules": "official", "circle": "unknown", "language": None,
                },
                "palette": [{"name": "yellow", "colour": "#e8b64c"}, {"name": "green", "colour": "#79a65b"}],
                "editions": ["original"], "rules": ["official"], "circles": ["unknown"], "lies_there": False,
            },
            "under_way": True, "games": [], "names": ["Anna", "Boris", "Eva"],
            **changes,
        }  # fmt: skip
        page = open_page("start", path, **options)
        page.locator("[data-key=setup]").click()
        page.locator(".setup-form").wait_for()
        return page

    return opened


def posted(table: Any, path: str) -> dict[str, Any]:
    """Return the only body posted to a path."""
    return dict(table.post(path)[1])


def test_four_play_kvilt_with_their_variants_and_a_real_bag(open_setup: Open, table: Any) -> None:
    page = open_setup()
    page.locator("[data-key=game-kvilt]").check()
    page.locator("[data-key=seats-4]").check()
    assert [page.locator(f"[data-key=name-{seat}]").input_value() for seat in (1, 2, 3, 4)] == [
        "Anna", "Boris", "Eva", "",
    ]  # fmt: skip
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".setup-form .refused")).to_have_text("All players need a name.")
    page.locator("[data-key=name-4]").fill("Gleb")
    page.locator("[data-key=who-2]").select_option("champion")
    page.locator("[data-key=first_seat-4]").check()
    page.locator("[data-key=bag-real]").check()
    page.locator("[data-key=variant-kviltomania]").check()
    page.locator("[data-key=variant-all-counted]").check()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector("dialog", state="detached")

    assert posted(table, "/api/setup/begin-kvilt") == {
        "players": ["Anna", "Robot", "Eva", "Gleb"], "first_seat": 4, "bag": "real",
        "robot": {"seat": 2, "level": "champion"},
        "variants": ["kviltomania", "all-counted"], "language": None, "leave": True,
    }  # fmt: skip


def test_a_variant_for_four_is_offered_to_four_alone_and_axe_finds_nothing(open_setup: Open, table: Any) -> None:
    page = open_setup("/?language=fa", game="kvilt", options={"viewport": PHONE, "color_scheme": "dark"})
    expect(page.locator("[data-key=variant-kviltomania]")).to_be_disabled()
    page.locator("[data-key=seats-4]").check()
    assert findings(page, within="dialog") == []
    assert page.evaluate("document.querySelector('dialog').scrollWidth <= innerWidth")

    page.locator("[data-key=name-4]").fill("Gleb")
    page.locator("[data-key=first_seat-3]").check()
    page.locator("[data-key=variant-kviltomania]").check()
    page.locator("[data-key=seats-2]").check()
    page.locator("[data-key=begin]").click()
    page.wait_for_selector("dialog", state="detached")
    sent = posted(table, "/api/setup/begin-kvilt")
    assert (sent["players"], sent["first_seat"], sent["variants"]) == (["Anna", "Boris"], 1, [])


def test_a_game_of_kvilt_that_was_cut_off_is_gone_on_with(open_setup: Open, table: Any) -> None:
    game = {"id": 8, "game": "kvilt", "players": ["Anna", "Boris", "Eva"], "decisions": 40}
    page = open_setup(games=[{**game, "last_at": "2026-11-01T20:00:00+00:00"}])
    expect(page.locator(".setup-earlier .game-who")).to_have_text("Kvilt: Anna, Boris, Eva", use_inner_text=True)
    page.locator(".setup-earlier").get_by_role("button").click()
    page.wait_for_selector("dialog", state="detached")
    assert posted(table, "/api/setup/resume") == {"game": 8, "leave": True}


def test_a_page_that_shows_the_one_game_goes_over_to_the_other(open_page: Open, table: Any) -> None:
    table.json["/api/kvilt/sheet"] = {"ok": True, "sheet": sheet_json(own_sheet(), load_layout()), "names": {}}
    page = open_page("start")
    page.wait_for_selector("#track .track")
    builder = AnnouncedAccount(pages())
    builder(GameOpened(8, History(own_setup(("Anna", "Boris", "Eva"))).state))
    body = json.loads(json.dumps(snapshot(builder.account)))
    table.show(body)
    page.wait_for_selector("#seat-3 .kvilt-sheet")
    assert page.evaluate("document.documentElement.dataset.game") == "kvilt"
    table.show("start")
    page.wait_for_selector("#track .track")
    expect(page.locator(".kvilt-sheet")).to_have_count(0)
