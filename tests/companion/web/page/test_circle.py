"""Test the circle as the camera saw it in a browser: a tap on a place, and a tap on its patch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import expect

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.proposal import AllRight, CircleAnswer, RunsSo
from companion.patchwork.circle.seen import CircleSighting, SeenMarket, UnclearStretch
from companion.patchwork.naming import patch_name
from companion.patchwork.page.circle import circle_json
from tests.companion.web.page.accessibility import findings

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

ORDER = (*(patch for patch in PATCHES if patch != "domino"), "domino")


def circle(
    *doubtful: int, shown: int = 33, told: CircleAnswer | None = None, unclear: tuple[UnclearStretch, ...] = ()
) -> dict[str, Any]:
    """A circle as the table sends it, with doubts at some places, each with the place after it."""
    pieces = []
    for place, patch in enumerate(ORDER[:shown], start=1):
        middle = np.array([400 + 300 * np.cos(0.19 * place), 300 + 200 * np.sin(0.19 * place)])
        names = (patch, ORDER[place % 33]) if place in doubtful else (patch,)
        chances = tuple((name, 1 / len(names)) for name in names)
        corners = middle + np.array([[-18, -18], [18, -18], [18, 18], [-18, 18]])
        pieces.append(CircleSighting(patch, corners, (middle[0], middle[1]), chances, sure=place not in doubtful))
    desk, history = CircleDesk(), History(Setup())
    desk.begin(history, history.know_market, lambda _: None)
    desk.lay_out(SeenMarket(tuple(pieces), None, "domino", unclear), np.zeros((600, 800, 3), np.uint8))
    if told is not None:
        desk.submit(told)
        desk.tick(0.0)
    return {"circle": circle_json(desk.laid)}


def await_answer(page: Page) -> None:
    """Wait until the page has the answer to its command; until then it sends no other."""
    expect(page.locator(".seen-foot [data-key=right]")).to_have_attribute("aria-busy", "false")


@pytest.fixture
def at_circle(open_page: Callable[..., Page], table: Any) -> Callable[..., Page]:
    """A function that opens the page while a circle is laid out."""

    def opened(shown: dict[str, Any], scene: str = "unknown", **how: Any) -> Page:
        page = open_page(scene, **how)
        table.send("desk", {"patchwork": shown})
        page.locator(".seen-circle:not([hidden])").wait_for()
        return page

    return opened


def test_the_first_doubt_is_asked_and_answered_by_its_picture_or_all_is_right_with_one_tap(
    at_circle: Callable[..., Page], table: Any
) -> None:
    page = at_circle(circle(7, 20))
    card = page.locator(".seen-circle")
    expect(card).to_contain_text("2 places are uncertain", use_inner_text=True)
    expect(card.locator("h3")).to_have_text("What is in place 7?", use_inner_text=True)
    # The push buttons stay within reach.
    button, below = (page.locator(what).bounding_box() for what in (".push-confirm[data-key=confirm]", ".seen-circle"))
    assert button is not None
    assert below is not None
    assert button["y"] + button["height"] <= below["y"]
    choices = card.locator(".seen-choices .option")
    expect(choices.locator(".option-says")).to_have_text([patch_name(ORDER[6]), patch_name(ORDER[7])])
    expect(choices.nth(0)).to_have_attribute("aria-pressed", "true")
    choices.nth(1).click()
    assert table.post() == ("/api/circle/place", {"place": 7, "patch": ORDER[7]})
    await_answer(page)

    page.get_by_role("button", name="This is right").click()
    assert table.post("/api/circle/right") == ("/api/circle/right", {"place": None})
    table.send("desk", {"patchwork": circle(7, 20, told=AllRight())})
    card.wait_for(state="hidden")


SPUR = UnclearStretch(((32, 33, 1), (33, 32, 1), (1, 32, 33)))


def test_the_order_of_a_stretch_is_one_question_before_its_names(at_circle: Callable[..., Page], table: Any) -> None:
    page = at_circle(circle(1, 20, unclear=(SPUR,)))
    card = page.locator(".seen-circle")
    expect(card).to_contain_text("The order of the patches is uncertain in 1 stretch.", use_inner_text=True)
    expect(card).to_contain_text("1 place is uncertain", use_inner_text=True)
    expect(card.locator("h3")).to_have_text("In which order are they here, clockwise?")
    ways = card.locator(".seen-ways .option")
    expect(ways.locator(".option-says")).to_have_text(
        [", ".join(patch_name(ORDER[place - 1]) for place in way) for way in SPUR.ways]
    )
    ways.nth(2).click()
    assert table.post() == ("/api/circle/way", {"place": 32, "way": 2})
    await_answer(page)

    table.send("desk", {"patchwork": circle(20, unclear=(SPUR,), told=RunsSo(32, 1))})
    # The smallest patch is the last of the circle, wherever it was read before.
    last = page.get_by_role("button", name=f"Place 33: {patch_name('domino')}", exact=True, include_hidden=True)
    expect(last).to_have_attribute("data-key", "place-33")
    first = page.get_by_role("button", name=f"Place 1: {patch_name(ORDER[31])}", exact=True, include_hidden=True)
    expect(first).to_have_attribute("data-key", "place-32")

    # Who finds no such order names the patches one by one.
    table.send("desk", {"patchwork": circle(unclear=(SPUR,))})
    page.get_by_role("button", name="No order fits", exact=True).click()
    expect(page.locator(".seen-asks h3")).to_have_text("What is in place 32?")


def test_any_place_can_be_tapped_and_by_keys_too(at_circle: Callable[..., Page], table: Any) -> None:
    page = at_circle(circle(7))
    card = page.locator(".seen-circle")
    page.get_by_role("button", name=f"Place 12: {patch_name(ORDER[11])}").click()
    expect(card.locator("h3")).to_have_text("What is in place 12?")
    page.get_by_role("button", name=f"Place 3: {patch_name(ORDER[2])}").press("Enter")
    expect(card.locator("h3")).to_have_text("What is in place 3?")
    expect(page.locator("[data-key=place-3]")).to_be_focused()
    page.get_by_role("button", name="No patch is there").click()
    page.locator(".seen-asks h3", has_text="7").wait_for()
    assert table.post() == ("/api/circle/place", {"place": 3, "patch": None})

    # Another game takes the panel away.
    table.send("desk", {"patchwork": {"circle": None}})
    card.wait_for(state="hidden")


def test_an_unseen_patch_must_find_its_place_first(at_circle: Callable[..., Page], table: Any) -> None:
    page = at_circle(circle(7, shown=32))
    right = page.get_by_role("button", name="This is right")
    expect(right).to_have_attribute("aria-disabled", "true")
    right.click(force=True)
    expect(page.locator(".seen-circle")).to_contain_text("1 patch was not seen: domino", use_inner_text=True)
    page.get_by_text("A patch that was not seen is behind it").click()
    page.locator(".seen-asks details [data-key=patch-domino]").last.click()
    assert table.post() == ("/api/circle/behind", {"place": 7, "patch": "domino"})
    await_answer(page)

    # A known circle can be corrected until the first move.
    table.send("desk", {"patchwork": circle()})
    table.show("start")
    page.get_by_text("Correct it here.").click()
    page.get_by_role("button", name=f"Place 5: {patch_name(ORDER[4])}").click()
    expect(page.locator(".seen-asks h3")).to_have_text("What is in place 5?")
    table.show("middle")
    page.locator(".seen-circle").wait_for(state="hidden")


def test_a_spectator_sees_that_the_camera_is_looking_and_is_not_asked(
    open_page: Callable[..., Page], table: Any
) -> None:
    table.can_touch = False
    page = open_page("unknown")
    table.send("desk", {"patchwork": circle(7)})
    table.show("middle")
    page.get_by_text("It is").first.wait_for()
    expect(page.locator(".seen-circle")).to_have_count(0)

    table.send("desk", {"patchwork": {"circle": None, "looking": True, "share": 0.0}})
    table.show("unknown")
    bar = page.locator(".seen-circle progress")
    bar.wait_for()
    expect(bar).to_have_js_property("value", 0)
    says = page.locator(".seen-circle [role=status]")
    expect(says).to_contain_text("looking at the patches", use_inner_text=True)
    says.evaluate("says => { says.dataset.old = 'yes'; }")
    table.send("desk", {"patchwork": {"circle": None, "looking": True, "share": 0.6}})
    expect(bar).to_have_js_property("value", 0.6)
    # The text above the bar is not announced again with every step.
    expect(says).to_have_attribute("data-old", "yes")
    table.send("desk", {"patchwork": {**circle(7), "looking": False, "share": None}})
    page.locator(".seen-circle").wait_for(state="hidden")


def test_axe_finds_nothing(at_circle: Callable[..., Page]) -> None:
    page = at_circle(circle(7, shown=31), path="/?language=fa", viewport={"width": 390, "height": 844})
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        assert findings(page, within=".seen-circle") == []
