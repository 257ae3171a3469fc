"""A table of Kvilt in a real browser."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from companion.games.kvilt.rules import History
from companion.games.kvilt.state import Phase, State
from companion.kvilt.choices import Choice, ChoiceTopic, Option, ReportColour, SheetComplaint
from companion.kvilt.page.table import sheet_json
from companion.kvilt.sheets.files import own_sheet
from companion.kvilt.sheets.layout_files import load_layout
from companion.kvilt.table.offering import VirtualBag, choice_of
from companion.languages import LANGUAGES
from companion.play.events import Asked, Complained, DecisionTaken, GameOpened
from companion.play.page import Visibility
from companion.registry import pages
from companion.web.account import AccountBuilder, snapshot
from tests.companion.announcing import AnnouncedAccount
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup
from tests.companion.web.page.accessibility import findings
from tests.companion.web.page.holding import Held

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.companion.web.page.feeding import FeedingServer

Table = Any
Open = Callable[..., "Page"]
NAMES = ("Anna", "Boris", "Vera", "Gleb")
TELEVISION = {"width": 1920, "height": 1080}


@cache
def _played(seats: int) -> History:
    """Return a whole game."""
    return play_game(own_setup(NAMES[:seats]), random.Random(3))


def table_at(stop: Callable[[State], bool], seats: int = 2, *, asks: bool = True) -> AccountBuilder:
    """Return a game played until `stop` returns true, with the current choice."""
    game = _played(seats)
    history, builder = History(game.setup), AnnouncedAccount(pages(), 7 if asks else 8)
    builder.set_visibility(Visibility(camera=True, boards_seen=True))
    builder(GameOpened(4, history.state))
    for decision in game.decisions:
        if stop(history.state):
            break
        outcome = history.apply(decision)
        builder(DecisionTaken(decision, outcome.facts, outcome.state))
    choice = choice_of(history.state, (), VirtualBag(1))
    if choice is not None and asks:
        builder(Asked(choice, 0, history.state))
    return builder


def shown(builder: AccountBuilder, code: str = "en") -> dict[str, Any]:
    body: dict[str, Any] = json.loads(json.dumps(snapshot(builder.account, LANGUAGES[code])))
    return body


def colouring(state: State) -> bool:
    return state.round == 6 and state.phase is Phase.COLOURING and any(side.done for side in state.seats)


@cache
def answers() -> dict[str, Any]:
    """Return what the page asks for to draw the sheets."""
    return {"/api/kvilt/sheet": {"ok": True, "sheet": sheet_json(own_sheet(), load_layout())}}


@pytest.fixture
def kvilt(table: Table) -> Table:
    table.json |= answers()
    return table


@pytest.fixture
def see(look: Open) -> Open:
    """A function that shows a scene of Kvilt to a test that only looks at it."""
    return partial(look, answers=answers())


@pytest.mark.parametrize("seats", [2, 4])
def test_every_sheet_is_drawn_with_its_marks(see: Open, seats: int) -> None:
    body = shown(table_at(colouring, seats))
    page = see(body)
    page.wait_for_selector(f"#seat-{seats} .kvilt-sheet")
    expect(page.locator(".kvilt-sheet")).to_have_count(seats)
    for seat in body["kvilt"]["seats"]:
        drawn = page.locator(f"#seat-{seat['seat']} .kvilt-sheet .region[fill-opacity]")
        # Both flanges of a spool are one region.
        expect(drawn).to_have_count(len(seat["marks"]) + sum(name.endswith(".body") for name in seat["marks"]))
        total = page.locator(f"#seat-{seat['seat']} .seat-total").inner_text()
        assert int(total.split()[0].replace("\u2212", "-")) == seat["score"]["total"]


def test_a_sheet_is_drawn_with_the_pictures_of_its_theme(kvilt: Table, open_page: Open) -> None:
    page = open_page(shown(table_at(colouring)))
    usual = page.locator("#seat-2 polygon.region").first.get_attribute("points")
    assert usual
    kvilt.send("desk", {"kvilt": {"themes": ["", "animals"]}})

    expect(page.locator("#seat-2 .fine").first).to_be_visible()
    expect(page.locator("#seat-2 polygon.region").first).not_to_have_attribute("points", usual)
    expect(page.locator("#seat-1 polygon.region").first).to_have_attribute("points", usual)
    expect(page.locator("#seat-1 .fine")).to_have_count(0)


def test_the_next_game_is_drawn_on_its_own_sheet_when_the_one_before_comes_late(kvilt: Table, open_page: Open) -> None:
    table = shown(table_at(colouring))
    page = open_page(table)
    expect(page.locator("#seat-1 .kvilt-sheet")).to_have_count(1)
    sheets = Held(page, "**/api/kvilt/sheet*")
    kvilt.show({**table, "game": {**table["game"], "id": 5}})
    sheets.wait()
    body = kvilt.json["/api/kvilt/sheet"]
    others = [{**colour, "screen": "#12345f"} for colour in body["sheet"]["colours"]]
    kvilt.json["/api/kvilt/sheet"] = {**body, "sheet": {**body["sheet"], "colours": others}}
    kvilt.show({**table, "game": {**table["game"], "id": 6}})

    own = page.locator("#seat-1 [fill='#12345f']")
    sheets.release(1)
    expect(own).not_to_have_count(0)
    sheets.release()
    expect(own).not_to_have_count(0)


def test_choices_are_made_with_a_tap_and_doubts_can_be_left_open(kvilt: FeedingServer, open_page: Open) -> None:
    page = open_page(shown(table_at(lambda _: True)))
    page.wait_for_selector(".kvilt-options .option")
    expect(page.locator(".kvilt-options .option")).to_have_count(6)
    kvilt.answer = (200, {"ok": True, "says": "It is taken."})
    page.locator('[data-key="option-2"]').click()
    assert kvilt.nth_post(1) == ("/api/answer", {"option": 2, "question": 7})
    page.get_by_text("It is taken.").wait_for()

    kvilt.show(shown(table_at(colouring)))
    expect(page.locator(".push-confirm .push-sense")).to_have_text("the colouring is finished: look at the sheet")
    kvilt.answer = (200, {"ok": True, "says": "It is finished."})
    page.locator('[data-key="advance"]').click()
    assert kvilt.nth_post(2) == ("/api/press", {"button": "advance", "question": 7})
    page.get_by_text("It is finished.").wait_for()

    builder = table_at(colouring, asks=False)
    state = builder.account.table.state if builder.account.table else None
    assert state is not None
    seat = state.turn or 1
    options = (
        Option("tell", ReportColour("p7", "red"), "red", ("red",)),
        Option("tell", ReportColour("p7", None), "white"),
    )
    builder(Asked(Choice(ChoiceTopic.DOUBT, seat, options, "How is patch p7 coloured?", ("p7",)), 0, state))
    kvilt.show(shown(builder))
    page.wait_for_selector(f"#seat-{seat} .asked")
    page.locator('[data-key="none"]').click()
    assert kvilt.nth_post(3) == ("/api/answer", {"option": None, "question": 8})


def test_the_pencil_that_was_drawn_is_seen_where_it_is_asked_for_its_place(see: Open) -> None:
    builder = table_at(lambda state: state.phase is Phase.PENCILS, asks=False)
    state = builder.account.table.state if builder.account.table else None
    assert state is not None
    choice = choice_of(state, ("green",), VirtualBag(1))
    assert choice is not None
    builder(Asked(choice, 0, state))
    page = see(shown(builder))
    expect(page.locator("#offers-title")).to_have_text("On which pincushion?green")
    expect(page.locator("#offers-title .pencil")).to_have_count(1)
    expect(page.locator(".option-says").first).to_have_text("on pincushion 1, still empty")


def test_an_error_is_said_and_marked_on_the_sheet(see: Open) -> None:
    builder = table_at(colouring, asks=False)
    state = builder.account.table.state if builder.account.table else None
    assert state is not None
    seat = state.turn or 1
    codes = ("E_ORDER", "E_NO_PENCIL")
    says = "E_ORDER: cell 7 is too early. E_NO_PENCIL: no pencil is left for it."
    builder(Complained(SheetComplaint(codes, seat, ("r1c7.picture",), says, ""), state))
    builder(
        Asked(
            Choice(ChoiceTopic.TROUBLE, seat, (Option("again", ReportColour("p3", None), "look again"),), "?"), 0, state
        )
    )
    page = see(shown(builder))
    page.wait_for_selector("#doubt .doubt-title")
    # A phone's bar shows it, too; the faults' codes are for records only.
    plain = "Cell 7 is too early. No pencil is left for it."
    expect(page.locator("#turn .now")).to_have_text(plain, use_inner_text=True)
    expect(page.locator("#news")).not_to_contain_text(plain, use_inner_text=True)
    expect(page.locator(".doubt-line-says")).to_have_text(plain)


def test_a_camera_that_never_sends_a_picture_is_told_of(see: Open) -> None:
    body = shown(table_at(colouring))
    body["table"].update(camera=False, awaited=True)
    page = see(body)
    page.get_by_text("The camera is starting…").wait_for()
    body["table"].update(awaited=False)
    see(body)
    page.get_by_text("The camera is sending no picture.").wait_for()


def test_the_end_is_told_with_the_score_sheet(see: Open) -> None:
    body = shown(table_at(lambda _: False, 3))
    page = see(body)
    page.wait_for_selector("#result .winning")
    expect(page.locator("#turn-title")).to_have_text(body["kvilt"]["result"]["says"], use_inner_text=True)
    totals = page.locator("#result tfoot td").all_inner_texts()
    assert totals == [str(seat["score"]["total"]) for seat in body["kvilt"]["seats"]]
    expect(page.locator("#track")).to_be_hidden()


@pytest.mark.parametrize(("scene", "theme"), [("start", "light"), ("colouring", "dark"), ("end", "light")])
def test_axe_finds_nothing(see: Open, scene: str, theme: str) -> None:
    stops = {"start": lambda _: True, "colouring": colouring, "end": lambda _: False}
    phone = {"width": 390, "height": 844}
    page = see(shown(table_at(stops[scene], 3)), color_scheme=theme, viewport=phone)
    page.wait_for_selector("#seat-3 .kvilt-sheet")
    assert findings(page, least=21) == []


@pytest.mark.parametrize(("code", "round_"), [("fa", "دور ۶"), ("ru", "Раунд 6")])
def test_it_speaks_the_readers_language(see: Open, code: str, round_: str) -> None:
    page = see(shown(table_at(colouring), code), f"/?language={code}")
    page.wait_for_selector(".round")
    expect(page.locator(".round")).to_have_text(round_, use_inner_text=True)


def test_a_phone_shows_all_of_it_without_scrolling_sideways(see: Open) -> None:
    body = shown(table_at(colouring, 4))
    for seat in body["kvilt"]["seats"]:
        seat["name"] = f"Александра {seat['seat']}"
    page = see(body, "/?language=ru", viewport={"width": 360, "height": 780})
    page.wait_for_selector("#seat-4 .kvilt-sheet")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    heights = page.locator(".kvilt-scores tbody th").evaluate_all("(all) => all.map((one) => one.clientHeight)")
    assert heights
    assert max(heights) < 40, "no word is broken"
    assert page.locator(".kvilt-scores thead th .icon-seat").count() == 4
    # Beside one another, the sheets leave no room for all badges in a name's line.
    page.set_viewport_size({"width": 640, "height": 780})
    assert page.locator(".seat-name").evaluate_all(
        "(all) => all.every((one) => one.scrollWidth <= one.clientWidth + 1)"
    )


_LAYOUT: Final = """(parts) => {
  const seen = (part) => part.checkVisibility({ visibilityProperty: true });
  const boxes = [...document.querySelectorAll(parts)].filter(seen).map((part) => part.getBoundingClientRect());
  const apart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1;
  const stacked = (one, other) => one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
  const fits = (one, other) => one === other || apart(one, other) || stacked(one, other);
  return [Math.max(...boxes.map((box) => box.bottom)), boxes.every((one) => boxes.every((other) => fits(one, other)))];
}"""
"""Returns the lower edge of the parts that are visible, and whether none overlaps another."""


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_tv_shows_every_sheet_at_once(see: Open, seats: int) -> None:
    for stop in (colouring, lambda _: False):
        page = see(shown(table_at(stop, seats)), "/tv", viewport=TELEVISION)
        page.wait_for_selector(f"#seat-{seats} .kvilt-sheet")
        page.wait_for_selector(".tv-code img")
        lowest, apart = page.evaluate(_LAYOUT, ".game > section, .middle > section, .tv-code")
        assert (0 < lowest <= 1080, apart) == (True, True)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("language", ["en", "ru", "fa"])
def test_the_tv_shows_every_sheet_at_once_if_names_are_long_words(see: Open, seats: int, language: str) -> None:
    word = "Donaudampfschifffahrtsgesellschaftskapit"
    for stop in (lambda _: True, colouring, lambda _: False):
        body = json.dumps(shown(table_at(stop, seats), language))
        for name in NAMES:
            body = body.replace(name, word)
        page = see(json.loads(body), f"/tv?language={language}", viewport=TELEVISION)
        page.wait_for_selector(f"#seat-{seats} .kvilt-sheet")
        page.wait_for_selector(".tv-code img")
        lowest, apart = page.evaluate(_LAYOUT, ".game > section, .middle > section, #track, .tv-code")
        assert (0 < lowest <= 1080, apart) == (True, True)
        # The badges and the points are beside the name, however much of it there is room for.
        heights = page.locator(".seat-head").evaluate_all("(all) => all.map((head) => head.clientHeight)")
        assert max(heights) < 70


def test_the_tv_holds_what_a_game_opens_with_in_russian(see: Open) -> None:
    page = see(shown(table_at(lambda _: True), "ru"), "/tv?language=ru", viewport=TELEVISION)
    page.wait_for_selector("#news .news-item")
    assert 0 < page.evaluate(_LAYOUT, ".game > section, .middle > section")[0] <= 1080
