"""Test that a game without a drawing of its own is shown in a general form."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion.play import events
from companion.play.page.interface import Visibility
from companion.play.page.routes import SetupOffer
from companion.registry import pages
from companion.web.chronicle import snapshot
from tests.companion.announcing import AnnouncedChronicle
from tests.companion.web.page.accessibility import findings
from tests.dominoes.game import DOMINO_PAGE, Arrangement
from tests.dominoes.rules import History, Lay, Setup, State, legal
from tests.dominoes.table import Trouble

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.companion.web.page.feeding import FeedingServer

Open = Callable[..., "Page"]
NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dana", "Eva", "Fritz", "Ida")


@dataclass(frozen=True)
class Question:
    says: str
    options: tuple[str, ...]


class Evening:
    """A game of dominoes, as reported to a page."""

    def __init__(self) -> None:
        self.history, self.chronicle = History(Setup()), AnnouncedChronicle({**pages(), "dominoes": DOMINO_PAGE})
        self.chronicle.set_visibility(Visibility(camera=True, boards_seen=True))
        self.chronicle(events.GameOpened(3, self.state))

    @property
    def state(self) -> State:
        return self.history.state

    def lay(self, decision: Lay) -> Evening:
        self.chronicle(events.DecisionTaken(decision, (), self.history.apply(decision)))
        return self

    def shown(self, *more: Any) -> dict[str, Any]:
        """Return the snapshot that the page is sent after further events."""
        for event in more:
            self.chronicle(event)
        return dict(json.loads(json.dumps(snapshot(self.chronicle.account))))


@pytest.fixture
def evening() -> Evening:
    """A game in which one domino was laid."""
    return Evening().lay(Lay(1, ("A1", "B1")))


def test_who_plays_with_which_score_and_whose_turn_it_is(look: Open, evening: Evening) -> None:
    page = look(evening.shown())

    expect(page.locator("#turn h2")).to_have_text("Boris’s turn", use_inner_text=True)
    expect(page.locator("#turn p")).to_have_text(["It is Boris’s turn."], use_inner_text=True)  # No second time.
    assert page.title() == "Boris’s turn · Quilt Companion"
    expect(page.locator(".seat:visible h2")).to_have_text(["Anna", "Boris"], use_inner_text=True)
    expect(page.locator(".seat:visible .seat-total")).to_have_text(["1", "0"], use_inner_text=True)
    expect(page.locator("#seat-2 .turn-badge")).to_have_text("to move", use_inner_text=True)
    expect(page.locator("#news .news-item").first).to_have_text("Anna lays a domino on A1 B1.", use_inner_text=True)


def test_what_lies_before_all_is_drawn_cell_by_cell(look: Open, evening: Evening) -> None:
    page = look(evening.shown())
    cells = page.locator("#track .plain-cell")

    expect(page.locator("#track .plain-grid")).to_have_attribute("aria-label", "The table of Dominoes")
    expect(cells).to_have_text(["1", "1", *[""] * 14], use_inner_text=True)
    colours = cells.evaluate_all("cells => cells.map((cell) => getComputedStyle(cell).backgroundColor)")
    assert colours[0] == colours[1] != colours[2] == colours[15]


def test_eight_play_each_with_a_grid_of_the_own(open_page: Open, evening: Evening) -> None:
    shown = evening.shown()
    grid = {"rows": [[{"text": "7", "colour": 9}, {"text": "", "colour": 0}]]}
    seats = [
        {"seat": seat, "name": name, "score": -seat, "turn": seat == 7, "colour": f"#33{seat}f8f", "grid": grid}
        for seat, name in enumerate(NAMES, start=1)
    ]
    shown["table_view"] = {**shown["table_view"], "seats": seats, "grid": None}
    page = open_page({**shown, "turn": {"seat": 7, "says": ""}}, viewport={"width": 390, "height": 844})

    expect(page.locator(".seat:visible h2")).to_have_text(list(NAMES), use_inner_text=True)
    expect(page.locator("#seat-8 .seat-total")).to_have_text("\u22128", use_inner_text=True)
    expect(page.locator(".seat .plain-cell")).to_have_count(16)
    expect(page.locator("#track")).to_be_hidden()
    assert page.locator("#seat-7").evaluate("seat => getComputedStyle(seat).outlineStyle") == "dashed"
    assert findings(page) == []
    for width in (390, 1366):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    left, right = (page.locator(f"#seat-{seat}").bounding_box() for seat in (7, 8))
    assert left is not None
    assert right is not None
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] < right["x"]


def test_its_buttons_are_pressed_its_questions_answered_and_its_faults_and_end_told(
    open_page: Open, evening: Evening, table: FeedingServer
) -> None:
    page = open_page(evening.shown())
    expect(page.locator("[data-key=undo] .push-sense")).to_have_text("Take back", use_inner_text=True)
    expect(page.locator("[data-key=advance] .push-sense")).to_have_text("Next", use_inner_text=True)
    for button in ("confirm", "advance", "undo"):
        table.posts.clear()
        page.locator(f'[data-key="{button}"]').click()
        assert table.post() == ("/api/press", {"button": button, "question": 0})
        page.locator(f'[data-key="{button}"]:not([aria-busy])').wait_for()

    question = Question("Which one?", ("The upper one.", "The lower one."))
    table.show(evening.shown(events.Asked(question, 0, evening.state)))
    expect(page.locator("#doubt .doubt-says")).to_have_text("Which one?", use_inner_text=True)
    page.get_by_role("button", name="The lower one.").click()
    assert table.post("/api/answer") == ("/api/answer", {"option": 1, "question": 7})

    table.show(evening.shown(events.Complained(Trouble("It lies askew."), evening.state)))
    expect(page.locator("#doubt .doubt-says")).to_have_text("It lies askew.", use_inner_text=True)

    rng = random.Random(1)
    while not evening.state.finished:
        evening.lay(rng.choice(legal(evening.state)))
    shown = evening.shown()
    table.show(shown)
    page.get_by_role("heading", name=shown["result"]["says"]).wait_for()
    (winner,) = shown["result"]["winners"]
    expect(page.locator("#doubt")).to_be_hidden()
    expect(page.locator(".turn-badge:visible")).to_have_text(["wins"], use_inner_text=True)
    expect(page.locator(f"#seat-{winner} .turn-badge")).to_have_text("wins", use_inner_text=True)
    expect(page.locator("[data-key=confirm]")).to_have_attribute("aria-disabled", "true")


def test_it_is_set_up_by_its_players_names(open_page: Open, evening: Evening, table: FeedingServer) -> None:
    offer = DOMINO_PAGE.offer(SetupOffer(Arrangement(("Eva", "Fritz"))))
    table.json["/api/me"] = {"ok": True, "can_touch": True, "can_see_camera": True, "sets_up": True}
    table.json["/api/setup"] = {
        "ok": True, "game": "dominoes", "titles": {"dominoes": "Dominoes"}, "language": "ru",
        "dominoes": {**offer["dominoes"], "seats": [2, 3]},
        "under_way": False, "games": [], "names": ["Ida"],
    }  # fmt: skip
    page = open_page(evening.shown())
    page.locator("[data-key=setup]").click()
    expect(page.locator("[data-key=game-dominoes] + span")).to_have_text("Dominoes", use_inner_text=True)
    assert [each.input_value() for each in page.locator(".setup-name").all()] == ["Eva", "Fritz"]
    page.locator("[data-key=seats-3]").check()
    page.locator("[data-key=name-2]").fill(" ")
    page.locator("[data-key=begin]").click()
    expect(page.locator(".setup-form .refused")).to_have_text("All players need a name.", use_inner_text=True)
    page.locator("[data-key=name-2]").fill("Jan")
    page.locator("[data-key=begin]").click()
    page.wait_for_selector("dialog", state="detached")
    _, body = table.post("/api/setup/begin-dominoes?")
    assert body == {"players": ["Eva", "Jan", "Ida"], "language": "ru", "leave": False}
