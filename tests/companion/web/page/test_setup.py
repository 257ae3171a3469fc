"""Test setting up a game on the page: names, colours, first player, dealing the circle, earlier games."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion.config.palette import COLOURS
from companion.patchwork.arrangement import deal_steps, dealt_market
from tests.companion.web.page.accessibility import findings, findings_at_night
from tests.companion.web.page.pointing import broken
from tests.companion.web.page.scenes import scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

NEXT = {
    "players": ["Anna", "Boris"],
    "colours": ["blue", "orange"],
    "first_seat": 1,
    "edition": "original",
    "rules": "official",
    "circle": "unknown",
    "language": None,
}
KVILT = {
    "next": {"players": ["Anna", "Boris"], "first_seat": 1, "bag": "virtual", "variants": []},
    "seats": [2, 3, 4],
    "bags": ["virtual", "real"],
    "variants": ["all-counted", "kviltomania"],
}
EARLIER = {
    "id": 4,
    "game": "patchwork",
    "players": ["Eva", "Fritz"],
    "decisions": 7,
    "last_at": "2026-11-20T18:30:00+00:00",
}
ME = {"ok": True, "can_touch": True, "can_see_camera": True, "sets_up": True}
"""What the page is told of a reader who may set up a game."""


def offered(**changes: Any) -> dict[str, Any]:
    """Return the server's offered set-up; Patchwork's own options may be among the changes."""
    own = {
        "next": NEXT,
        "palette": [{"name": name, "colour": colour} for name, colour in COLOURS.items()],
        "editions": ["original", "revised"],
        "rules": ["official", "marker-on-top"],
        "circles": ["dealt", "seen", "unknown"],
        "levels": [],
        "lies_there": False,
    }
    return {
        "ok": True,
        "game": "patchwork",
        "titles": {"patchwork": "Patchwork", "kvilt": "Kvilt"},
        "language": None,
        "kvilt": KVILT,
        "patchwork": {**own, **{name: changes.pop(name) for name in own if name in changes}},
        "under_way": False,
        "games": [],
        "names": ["Anna", "Boris", "Eva"],
        **changes,
    }


@pytest.fixture
def open_setup(open_page: Callable[..., Page], table: Any) -> Callable[..., Page]:
    """A function that opens the set-up over a scene."""

    def opened(scene: str = "start", path: str = "/", offer: dict[str, Any] | None = None, **options: Any) -> Page:
        table.json["/api/me"] = ME
        table.json["/api/setup"] = offer or offered()
        page = open_page(scene, path, **options)
        page.locator("[data-key=setup]").click()
        page.locator(".setup-form").wait_for()
        return page

    return opened


def begun(table: Any) -> dict[str, Any]:
    """Return the body with which a game was begun."""
    return dict(table.post("/api/setup/begin")[1])


def test_before_the_first_game_it_is_said_how_one_begins(open_setup: Callable[..., Page], table: Any) -> None:
    page = open_setup("waiting")
    expect(page.locator("[data-key=setup]")).to_have_count(1)
    assert page.locator(".turn-why").inner_text().startswith("Set up the game here, or press confirm")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector("dialog", state="detached")
    assert begun(table) == {**NEXT, "market": None, "leave": False}


def test_names_colours_and_who_begins_are_chosen_by_keys_alone(open_setup: Callable[..., Page], table: Any) -> None:
    page = open_setup()
    assert page.evaluate("scrollY") > 0
    first, second = (page.locator(f"[data-key=name-{seat}]") for seat in (1, 2))
    start = page.get_by_role("button", name="Start the game")
    for names, says in (
        ((" ", "Boris"), "Both players need a name."),
        (("boris", "Boris "), "The players need different names."),
    ):
        first.fill(names[0])
        second.fill(names[1])
        start.press("Enter")
        expect(page.get_by_role("alert")).to_have_text(says)
    assert table.posts == []

    first.fill("Clara")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")  # from blue to orange, which was the other's
    second.fill("Dmitri")
    expect(page.locator("[data-key=first_seat-1] + span")).to_have_text("Clara")
    page.get_by_role("radio", name="Dmitri").check()
    start.press("Enter")
    page.wait_for_selector("dialog", state="detached")

    assert begun(table) == {
        **NEXT, "players": ["Clara", "Dmitri"], "colours": ["orange", "blue"], "first_seat": 2, "market": None,
        "leave": False,
    }  # fmt: skip
    assert page.evaluate("scrollY") == 0


def test_a_friend_s_code_leaves_nothing_else_to_choose(open_setup: Callable[..., Page], table: Any) -> None:
    page = open_setup(offer=offered(levels=["child"], next={**NEXT, "friend": None}, lies_there=True))
    page.locator("[data-key=who-2]").select_option("A friend at another table")
    expect(page.locator("[data-key=name-2]")).to_have_count(0)
    expect(page.get_by_role("radio", name="Dealt")).to_have_count(0)
    code = page.get_by_label("Code on the friend’s page")
    code.press_sequentially("kq7x-m4pd")
    expect(code).to_be_focused()
    expect(page.get_by_role("radio", name="Draw lots")).to_have_count(0)
    page.get_by_role("button", name="Join the game").click()
    page.wait_for_selector("dialog", state="detached")
    assert begun(table)["friend"] == {"seat": 2, "code": "kq7x-m4pd"}


def test_the_robot_has_one_seat_and_must_know_the_circle(open_setup: Callable[..., Page], table: Any) -> None:
    page = open_setup(offer=offered(levels=["child", "champion", "adaptive"], lies_there=True))
    names = [page.locator(f"[data-key=name-{seat}]") for seat in (1, 2)]
    page.locator("[data-key=who-1]").select_option("child")
    expect(names[0]).to_have_value("Robot")
    page.locator("[data-key=who-2]").select_option("champion")
    expect(names[0]).to_have_value("Anna")
    expect(names[1]).to_have_value("Robot")
    page.get_by_label("Handicap").select_option("Anna begins with 3 buttons more")
    page.locator("[data-key=who-2]").select_option("The robot: about as good as you")
    start = page.get_by_role("button", name="Start the game")
    page.get_by_role("radio", name="Not known").check()
    start.click()
    expect(page.get_by_role("alert")).to_contain_text("The robot must know the circle")
    page.get_by_role("radio", name="Seen").check()
    start.click()
    page.wait_for_selector("dialog", state="detached")
    assert (begun(table)["players"], begun(table)["robot"]) == (
        ["Anna", "Robot"],
        {"seat": 2, "level": "adaptive", "handicap": 3},
    )


def test_the_circle_is_laid_out_twelve_at_a_time(open_setup: Callable[..., Page], table: Any) -> None:
    market = dealt_market(3)
    steps = [step.to_json() for step in deal_steps(market)]
    table.answer = (200, {"ok": True, "says": "", "market": list(market), "steps": steps})
    page = open_setup(viewport={"width": 390, "height": 844})
    page.get_by_role("radio", name="Dealt").check()
    page.get_by_role("button", name="Deal the circle").click()

    for begins, count in ((1, 12), (13, 12), (25, 9)):
        expect(page.locator(".dealt-place").first).to_have_text(str(begins))
        expect(page.locator(".dealt-patch")).to_have_count(count)
        if count == 12:
            page.get_by_role("button", name="Done").click()
    expect(page.locator(".dealt-head")).to_contain_text("put the neutral token after the last one")
    first = page.locator(".dealt-patch").first.get_attribute("aria-label") or ""
    assert first.startswith(f"25: {market[24]}, costs ")
    page.locator("[data-key=back]").click()
    expect(page.locator(".dealt-place").first).to_have_text("13")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector("dialog", state="detached")
    assert (begun(table)["market"], begun(table)["circle"]) == (list(market), "dealt")


def test_a_game_under_way_is_left_knowingly_and_an_earlier_one_gone_on_with(
    open_setup: Callable[..., Page], table: Any
) -> None:
    page = open_setup("middle", offer=offered(under_way=True, games=[EARLIER]))
    expect(page.locator(".setup-leaves")).to_contain_text("A game is in progress. It is saved", use_inner_text=True)
    table.answer = (409, {"ok": False, "error": "Its profile is lost.", "errors": [], "status": 409})
    page.get_by_role("button", name="Resume the game of Eva and Fritz").click()
    page.locator(".setup-earlier .refused:not(:empty)").wait_for()

    expect(page.locator(".setup-earlier .refused")).to_have_text("Its profile is lost.")
    (path, body) = table.post()
    assert path.startswith("/api/setup/resume")
    assert body == {"game": 4, "leave": True}


def test_after_the_end_another_game_is_at_hand_and_the_other_begins(
    open_page: Callable[..., Page], look: Callable[..., Page], table: Any
) -> None:
    table.json["/api/me"], table.json["/api/setup"] = ME, offered()
    page = open_page("end")
    page.get_by_role("button", name="Play again").click()
    expect(page.get_by_role("radio", name="Boris")).to_be_checked()
    assert look("end", can_touch=False).get_by_role("button", name="Play again").count() == 0


def test_long_names_keep_their_words_whole_where_it_is_asked_who_begins(open_setup: Callable[..., Page]) -> None:
    players = ["Маргарита Александровна", "Wilhelmina-Charlotte"]
    page = open_setup(offer=offered(next={**NEXT, "players": players}), viewport={"width": 360, "height": 640})
    who = page.locator("[data-key^=first_seat] + span bdi")

    assert who.all_inner_texts()[:2] == players
    for width in (360, 390, 768, 1366):
        page.set_viewport_size({"width": width, "height": 768})
        assert broken(who) == []
        tops = page.locator(".swatch").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
        assert len(set(Counter(tops).values())) == 1, "no row of colours is shorter than another"


def test_axe_finds_nothing(open_setup: Callable[..., Page]) -> None:
    page = open_setup("start", "/?language=fa", viewport={"width": 390, "height": 844})
    page.locator("summary").click()

    assert min(page.locator(".swatch").evaluate_all("all => all.map((one) => one.offsetWidth)")) >= 44
    assert findings(page) == []
    assert findings_at_night(page) == []


def test_set_up_is_hidden_without_the_key_or_a_table_of_many_games(look: Callable[..., Page]) -> None:
    answers = {"/api/me": {**ME, "sets_up": False}}
    page = look("start", answers=answers)
    page.locator("[data-key=invite]").wait_for()
    expect(page.locator("[data-key=setup]")).to_have_count(0)
    look("waiting", answers=answers)
    expect(page.locator(".turn-why")).to_have_text("The game appears here as soon as it starts.", use_inner_text=True)
    expect(page.locator("[data-key=setup]")).to_have_count(0)


def test_a_room_of_the_home_that_is_still_being_opened_asks_for_no_press(look: Callable[..., Page]) -> None:
    page = look(scene("waiting") | {"room": "play"}, answers={"/api/me": ME})
    expect(page.locator(".turn-why")).to_have_text("The game appears here as soon as it starts.", use_inner_text=True)
    expect(page.locator("[data-key=setup]")).to_have_count(0)


def test_a_page_that_has_chosen_none_reads_the_table_s_language(open_page: Callable[..., Page], table: Any) -> None:
    table.json["/api/me"] = {"ok": True, "can_touch": False, "can_see_camera": False, "language": "ru"}
    page = open_page("start", "/tv")
    page.wait_for_url("**/tv?language=ru")
    page.locator("html[lang=ru]").wait_for()
    page.goto(f"{table.url}/?language=fa")
    page.locator("html[lang=fa]").wait_for()
    assert page.url.endswith("/?language=fa")


def test_an_interrupted_game_is_offered_first_and_gone_on_with(
    open_page: Callable[..., Page], table: Any, situation: Callable[..., Any]
) -> None:
    table.json["/api/me"] = ME
    table.json["/api/setup"] = offered(games=[EARLIER])
    shown = situation("waiting")
    shown["table"]["interrupted"] = {"id": 3, "game": "patchwork", "players": ["Anna", "Eva"], "decisions": 12}
    page = open_page(shown)
    expect(page.locator("#turn")).to_contain_text("A game was interrupted")
    expect(page.locator("#turn")).to_contain_text("Anna, Eva")
    page.locator("[data-key=setup]").click()
    page.locator(".setup-form").wait_for()
    places = [page.locator(place).bounding_box() for place in (".setup-earlier", ".setup-form")]
    assert places[0]
    assert places[1]
    assert places[0]["y"] < places[1]["y"]
    page.keyboard.press("Escape")

    table.answer = (409, {"ok": False, "error": "This game cannot be resumed.", "errors": [], "status": 409})
    page.locator("[data-key=resume]").click()
    expect(page.locator("#turn .refused")).to_have_text("This game cannot be resumed.")
    table.answer = (200, {"ok": True, "says": ""})
    page.locator("[data-key=resume]").click()
    assert table.nth_post(2) == ("/api/setup/resume?language=en", {"game": 3, "leave": False})
    shown["table"]["interrupted"] |= {"damaged": True, "decisions": 7}
    table.show(shown)
    expect(page.locator("#turn")).to_contain_text("A game is damaged")
    expect(page.locator("#turn")).to_contain_text("it can go on after decision 7")
    table.show("start")
    expect(page.locator("#turn .refused")).to_have_count(0)


def test_the_sheet_closes_when_the_game_is_begun_elsewhere(open_setup: Callable[..., Page], table: Any) -> None:
    page = open_setup("waiting")
    table.show("start")
    expect(page.locator("dialog")).to_have_count(0)
