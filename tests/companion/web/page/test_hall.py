"""Test the hall's page in a real browser: live tables, directing a tournament, and accessibility."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from companion.config import HallConfig
from companion.hall.collector import Collector
from companion.hall.database import Database
from companion.hall.hall import HallPage
from companion.hall.invitations import Invitations
from companion.hall.live import Live
from companion.hall.site import Role, stored_roles
from companion.mqtt.messages import GameRef, SeatMessage, StateMessage
from tests.companion.hall.standin import HALL, StandInTable, close_tables
from tests.companion.web.page.accessibility import findings
from tests.companion.web.page.holding import Held, settle
from tests.companion.web.page.test_accessible import PHONE
from tests.companion.web.page.test_connection import refuse_once

STATE = StateMessage(
    "table-3",
    "Table 3",
    "s",
    9,
    "2026-03-01T12:00:00+00:00",
    "playing",
    GameRef(1, "patchwork", "Patchwork"),
    (SeatMessage(1, "Anna", -12), SeatMessage(2, "کاوه", 3)),
    turn=2,
    decisions=8,
)


@pytest.fixture
def live() -> Live:
    shown = Live()
    shown.availability("table-3", b"online")
    shown.state("table-3", STATE)
    return shown


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'hall.sqlite3'}")
    opened.upgrade()
    yield opened
    opened.close()


@pytest.fixture
def hall(live: Live, database: Database, tmp_path: Path) -> Iterator[HallPage]:
    roles = lambda cookie: stored_roles(tmp_path, cookie)  # noqa: E731
    invitations = Invitations(tmp_path / "invitations")
    with HallPage(HallConfig(port=0), roles, database, live, lambda: None, invitations) as page:
        yield page
    close_tables()


def test_tables_are_shown_as_they_change_and_new_ones_by_themselves(
    visit: Callable[..., Page], hall: HallPage, live: Live
) -> None:
    page = visit()
    # A stream that a proxy refuses comes back by itself.
    refused = refuse_once(page, "/api/events")
    page.goto(hall.address)
    card = page.locator("[data-table=table-3]")
    expect(card.locator(".hall-seat.has-turn")).to_contain_text("کاوه")
    expect(card).to_contain_text("8 decisions")
    live.state("table-3", replace(STATE, turn=1, decisions=9))
    expect(card.locator(".hall-seat.has-turn")).to_contain_text("Anna")
    expect(card).to_contain_text("9 decisions")
    expect(page.locator("#banner")).to_be_hidden()
    assert refused

    # A table that has moved on stays so when an older list of tables comes.
    lists = Held(page, "**/api/tables*")
    live.availability("table-4", b"online")
    lists.wait()
    live.state("table-3", replace(STATE, decisions=10))
    expect(card).to_contain_text("10 decisions")
    lists.release()
    expect(page.locator(".hall-table")).to_have_count(2)
    expect(card).to_contain_text("10 decisions")
    lists.end()

    live.forget("table-4")
    expect(page.locator(".hall-table")).to_have_count(1)
    live.availability("table-3", b"offline")
    expect(card.locator(".hall-phase")).to_have_text("away")
    # A guest neither announces nor begins anything.
    expect(page.get_by_role("button", name="Announcements")).to_have_count(0)


def test_a_table_opens_and_shows_both_quilts_as_they_stand(
    visit: Callable[..., Page], hall: HallPage, live: Live, database: Database, tmp_path: Path
) -> None:
    table = StandInTable(tmp_path)
    storing = Collector(database, HALL, live, lambda *_: None)
    *before, decided, finished = table.play(2)
    # The hall hears of a decision before it has stored it.
    storing.take([*table.arrived(before), table.state()])
    page = visit(f"{hall.address}?language=ru", viewport=PHONE)
    page.get_by_role("link", name="Table-3").click()
    pieces = page.locator(".hall-quilt .piece")
    expect(page.get_by_role("img", name="Anna")).to_be_visible()
    expect(page.get_by_role("img", name="Boris")).to_be_visible()
    expect(pieces).to_have_count(sum(bool((each.decision or {}).get("cells")) for each in before))
    assert findings(page) == []
    says = page.locator(".hall-says")
    told = says.text_content()
    storing.take(table.arrived([decided, finished]))
    expect(says).not_to_have_text(told or "")
    expect(page.locator(".hall-seat.has-won")).to_have_count(1)
    page.reload()
    expect(pieces.first).to_be_visible()
    page.get_by_role("link", name="Все столы").click()
    expect(page.locator(".hall-quilt")).to_have_count(0)


@pytest.mark.parametrize(("tab", "language", "scheme"), [("tables", "en", "dark"), ("announce", "fa", "light")])
def test_axe_finds_nothing_and_nothing_is_wider_than_a_phone(
    visit: Callable[..., Page], hall: HallPage, tab: str, language: str, scheme: str
) -> None:
    page = visit(hall.link(Role.DIRECTOR), f"{hall.address}?language={language}", viewport=PHONE, color_scheme=scheme)
    expect(page.locator(".hall-table")).to_have_count(1)
    page.locator(f"[data-key=tab-{tab}]").click()
    expect(page.locator(f"[data-key=tab-{tab}]")).to_have_attribute("aria-current", "page")
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tabs = page.locator("#tabs button").evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert len(tabs) > 3
    assert min(tab["left"] for tab in tabs) >= 0
    assert max(tab["right"] for tab in tabs) <= PHONE["width"]


def begin(page: Page, hall: HallPage, name: str) -> int:
    """Begin a tournament of four, as another director does, and pair its first round; return its number."""
    wanted = {"name": name, "system": "swiss", "rounds": 3, "players": ["Anna", "Boris", "Cilla", "Dan"]}
    number = int(page.request.post(f"{hall.address}api/tournaments", data=wanted).json()["tournament"]["id"])
    assert page.request.post(f"{hall.address}api/tournaments/{number}/pair", data={}).ok
    return number


def test_a_director_holds_a_tournament_and_what_happens_meanwhile_stays_when_answers_come_late(
    visit: Callable[..., Page], hall: HallPage, live: Live
) -> None:
    page = visit(hall.link(Role.DIRECTOR), f"{hall.address}#tournament")
    page.get_by_text("Start a tournament").first.click()
    page.get_by_label("Its name").fill("Spring cup")
    page.get_by_label("Players, one per line").fill("Anna\nBoris\nCilla\nDan")
    page.get_by_role("button", name="Start a tournament").click()
    page.get_by_role("button", name="Pair the next round").click()
    one, other = page.get_by_label("Result of Anna against Cilla"), page.locator("[data-key=result-1-2]")
    expect(other).to_have_value("")
    page.get_by_role("button", name="Pair the next round").click()
    expect(page.locator("#refused")).to_have_text("First enter all results of the previous round.")
    (spring,) = (each["id"] for each in page.request.get(f"{hall.address}api/tournaments").json()["tournaments"])
    settle(page)

    # Where somebody chooses, nothing is drawn anew that has not changed.
    one.evaluate("field => { field.dataset.old = 'yes'; }")
    page.locator("[data-key=tab-results]").evaluate("tab => { tab.dataset.old = 'yes'; }")
    news = Held(page, f"**/api/tournaments/{spring}?*")
    live.changed()
    news.release()
    expect(page.locator("[data-key=result-1-1][data-old], [data-key=tab-results][data-old]")).to_have_count(2)
    news.end()

    # What came after a command stays when its answer comes.
    answers = Held(page, "**/result*", "POST")
    one.select_option("1 : 0")
    answers.wait()
    decided = {"round": 1, "board": 2, "score": 0.5}
    assert page.request.post(f"{hall.address}api/tournaments/{spring}/result", data=decided).ok
    expect(other).to_have_value("0.5")
    # The news of both results, either of which makes the page ask for everything, has come.
    for _ in "....":
        settle(page)
    with page.expect_request_finished(lambda request: "/result?" in request.url):
        answers.release()
    settle(page)
    expect(one).to_have_value("1")
    expect(other).to_have_value("0.5")
    expect(page.locator(".hall-figures tbody tr").first).to_contain_text("Anna")
    answers.end()

    # The tournament that somebody has chosen stays when another one comes.
    autumn = begin(page, hall, "Autumn cup")
    title = page.locator("#room h2")
    chooser = page.get_by_label("Tournament")
    chooser.select_option(str(spring))
    expect(title).to_have_text("Spring cup")
    late = Held(page, f"**/api/tournaments/{spring}*")
    live.changed()
    late.wait()
    chooser.select_option(str(autumn))
    expect(title).to_have_text("Autumn cup")
    late.release()
    expect(title).to_have_text("Autumn cup")
    expect(chooser).to_have_value(str(autumn))


def test_a_text_being_typed_stays_when_tables_come_and_go(
    visit: Callable[..., Page], hall: HallPage, live: Live
) -> None:
    page = visit(hall.link(Role.REFEREE), f"{hall.address}#announce")
    text, where = page.locator("[data-key=announce-text]"), page.locator("[data-key=announce-where]")
    where.select_option("table-3")
    text.fill("Round 2")
    live.availability("table-4", b"online")
    expect(where.locator("option")).to_have_count(3)
    expect(text).to_have_value("Round 2")
    live.forget("table-3")
    live.forget("table-4")
    # An announcement to all tables would be wrong.
    expect(where.locator("option")).to_have_count(2)
    expect(where).to_have_value("table-3")

    answers = Held(page, "**/api/announcements*", "POST")
    page.get_by_role("button", name="Announce").last.click()
    answers.wait()
    text.fill("Round 2 at eight")
    answers.release()

    expect(page.locator(".hall-said")).to_contain_text("Round 2")
    expect(text).to_have_value("Round 2 at eight")
