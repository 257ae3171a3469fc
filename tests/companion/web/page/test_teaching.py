"""Test the first-run guide up to the first move, and the hints for new players at each move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.companion.web.page.accessibility import ALL_KINDS, findings
from tests.companion.web.page.scenes import Evening
from tests.companion.web.page.test_setup import NEXT, offered

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

PHONE = {"width": 360, "height": 640}
TAUGHT = """async (snapshots) => {
  const { teacher } = await import("/static/js/patchwork/teaching/lessons.js");
  const page = { say: (key, values) => [key, ...Object.values(values ?? {})].join(" ") };
  const taught = snapshots.map((snapshot) => teacher({ snapshot }, page));
  return taught.map(({ now, lessons }) => [now, ...lessons.map(({ says }) => says)]);
}"""


def test_the_guide_leads_to_the_first_move_and_tips_go_on(open_page: Callable[..., Page], table: Any) -> None:
    page = open_page("start", viewport=PHONE, color_scheme="dark")
    page.get_by_role("button", name="Show me round").first.click()
    sheet = page.get_by_role("dialog")
    for title in ("The companion keeps", "The camera looks", "Place both boards", "A turn", "Now the first move"):
        expect(sheet.locator(".guide-title")).to_contain_text(title)
        if title == "Place both boards":
            expect(sheet.locator(".guide-status")).to_have_text("✓ Both boards are seen.")
            assert findings(page) == []
        expect(sheet.locator("[data-key=next]")).to_be_in_viewport(ratio=1)
        sheet.locator("[data-key=next]").click()
    expect(sheet).to_have_count(0)
    assert page.evaluate("scrollY") == 0
    expect(page.locator(".tips-now")).to_contain_text("Anna takes one of the three patches")

    table.show(Evening().play(lambda state: state.decisions_made == 1).snapshot())

    expect(page.get_by_role("dialog", name="It works")).to_be_visible()
    page.locator("[data-key=go-on]").click()
    expect(page.locator(".lesson").first).to_be_visible()
    assert findings(page, ALL_KINDS) == []
    page.locator(".tips-off").click()
    expect(page.locator("#tips")).to_be_hidden()


def test_the_guide_goes_on_with_the_game_that_was_set_up_in_it(open_page: Callable[..., Page], table: Any) -> None:
    table.json["/api/me"] = {"ok": True, "can_touch": True, "can_see_camera": True, "sets_up": True}
    table.json["/api/setup"] = offered(next={**NEXT, "circle": "unknown"})
    table.silent = ("/camera.jpg",)
    page = open_page("waiting", viewport=PHONE)
    page.get_by_role("button", name="Show me round").first.click()
    sheet = page.get_by_role("dialog")
    sheet.locator("[data-key=next]").click()
    expect(sheet.locator(".guide-status")).to_contain_text("companion play --simulate")
    table.silent = ()
    expect(sheet.locator(".guide-status")).to_have_text("✓ Pictures are coming.")
    sheet.locator("[data-key=next]").click()
    sheet.locator("[data-key=setup]").click()
    sheet.locator("[data-key=begin]").click()
    table.show("start")

    expect(sheet.locator(".guide-title")).to_have_text("The camera looks straight down")
    assert table.post("/api/setup/begin")


def test_a_television_gives_tips_where_its_address_asks_for_them(open_page: Callable[..., Page]) -> None:
    screen = {"width": 1920, "height": 1080}
    page = open_page("start", "/tv", viewport=screen)
    expect(page.locator("#tips")).to_be_hidden()

    page.goto(page.url + "?tips=on")
    expect(page.locator(".tips-now")).to_contain_text("Anna takes one of the three patches")
    expect(page.locator(".tips-off")).to_be_hidden()
    expect(page.locator("#offers")).to_be_in_viewport(ratio=1)


def test_tips_are_offered_once(open_page: Callable[..., Page]) -> None:
    page = open_page("start", "/?language=fa")
    page.locator("[data-key=tips-no]").click()
    expect(page.locator("#tips")).to_be_hidden()
    page.reload()
    expect(page.locator("#game[aria-busy=false]")).to_be_visible()
    expect(page.locator("#tips")).to_be_hidden()
    page.locator("[data-key=tips]").click()
    expect(page.locator(".tips-now")).to_contain_text("جلو می‌رود")


def test_the_rules_of_both_games_are_told_before_the_first(open_page: Callable[..., Page]) -> None:
    page = open_page("waiting", "/?language=fa", viewport=PHONE)
    page.locator("[data-key=menu]").click()
    page.locator("[data-key=menu-rules]").click()

    expect(page.locator(".rules-game")).to_have_count(2)
    expect(page.locator(".rules-chapter")).to_have_count(10)
    expect(page.locator(".rules-picture .quilt .piece")).to_have_count(10)
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= PHONE["width"]
    assert findings(page) == []


@pytest.fixture
def course() -> list[dict[str, Any]]:
    """All snapshots of a whole game."""
    evening = Evening(5)
    shown = [evening.snapshot()]
    while not evening.state.finished:
        evening.play(lambda state, made=evening.state.decisions_made: state.decisions_made > made)  # type: ignore[misc]
        shown.append(evening.snapshot())
    return shown


def test_each_lesson_is_given_once_and_when_it_matters(
    visit: Callable[..., Page], table: Any, course: list[dict[str, Any]]
) -> None:
    taught = visit(f"{table.url}/api/me").evaluate(TAUGHT, course)
    given = [says.split()[0] for _, *lessons in taught for says in lessons]

    assert len(given) == len(set(given)) >= 8
    assert max(len(lessons) for _, *lessons in taught) == 2
    for snapshot, (now, *lessons) in zip(course, taught, strict=True):
        keys = {says.split()[0] for says in lessons}
        leather = snapshot["patchwork"]["turn"]["must"] == "leather"
        assert now.startswith("tips.leather") == leather
        paid = [money for money in snapshot["patchwork"]["money"] if money["kind"] == "income" and money["buttons"]]
        assert "lesson.income" not in keys or paid
        mover = next((seat for seat in snapshot["patchwork"]["seats"] if seat["moves"]), None)
        for says in lessons:
            if says.startswith("lesson.lone"):
                assert mover is not None
                assert int(says.split()[-1]) == _lone({cell for piece in mover["pieces"] for cell in piece["cells"]})
    assert taught[-1] == ["tips.ended"]


def _lone(covered: set[str]) -> int:
    def is_open(column: int, row: int) -> bool:
        return column in range(9) and row in range(9) and f"{'ABCDEFGHI'[column]}{row + 1}" not in covered

    beside = ((0, 1), (0, -1), (1, 0), (-1, 0))
    cells = [(column, row) for column in range(9) for row in range(9) if is_open(column, row)]
    return sum(not any(is_open(column + x, row + y) for x, y in beside) for column, row in cells)
