"""Test that everything is easy to find and to reach: on phones and laptops, by keys, in every language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from companion.patchwork.naming import patch_name
from tests.companion.web.page.pointing import DESK, PHONE
from tests.companion.web.page.scenes import scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.companion.web.page.feeding import FeedingServer

SMALL: Final[dict[str, Any]] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
LEAST_PX: Final = 40
"""The least width and height of what a finger or a mouse hits without aiming."""


def top(thing: Locator) -> float:
    """Return the distance of an element's top from the window's upper edge, in CSS pixels."""
    box = thing.bounding_box()
    assert box is not None
    return box["y"]


def test_the_bar_of_a_phone_leads_to_a_complaint_which_as_a_payment_moves_no_quilt_at_a_virtual_table(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("complaint", **SMALL)
    page.evaluate("window.scrollTo(0, 900)")
    line = page.locator(".doubt-line")

    expect(line).to_contain_text("overlaps what is on E6 and F5", use_inner_text=True)
    line.tap()
    page.wait_for_function("() => Math.abs(document.querySelector('#doubt').getBoundingClientRect().top) < 80")

    quilt = page.locator(f"#seat-{page.locator('html').get_attribute('data-mover')}")
    assert top(quilt) > top(page.locator("#doubt"))
    page.evaluate(_VIRTUAL)
    assert top(quilt) < top(page.locator("#doubt"))
    assert top(quilt) < top(page.locator("#money"))


def test_a_press_that_brings_a_complaint_says_it_once(open_page: Callable[..., Page], table: FeedingServer) -> None:
    page = open_page("complaint")
    says = scene("complaint")["patchwork"]["complaint"]["says"]
    table.answer = (409, {"ok": False, "error": says, "errors": [says], "status": 409})

    page.get_by_role("button", name=re.compile("^Advance")).click()

    assert table.nth_post(1)[0] == "/api/press"
    expect(page.locator("[data-key=advance]")).not_to_have_attribute("aria-busy", "true")
    expect(page.get_by_text("overlaps what is on").filter(visible=True)).to_have_count(1)


_VIRTUAL: Final = """async () => {
  const { stylesheet } = await import("/static/js/stylesheet.js");
  await stylesheet("/static/css/virtual.css");
  document.documentElement.dataset.table = "virtual";
}"""
"""Lays the page out as at a virtual table."""


def test_a_small_phone_shows_a_question_with_its_answers_above_the_push_buttons(look: Callable[..., Page]) -> None:
    page = look("cells", "/?language=ru", **SMALL)

    title = page.locator(".doubt-title").bounding_box()
    assert title is not None
    assert top(page.locator(".crop img")) >= title["y"] + title["height"] + 4
    for answer in page.locator(".option").all():
        assert top(answer.locator(".option-says")) < top(page.locator(".doubt-line"))


def test_a_long_complaint_covers_little_of_a_phone_s_page_until_it_is_tapped(
    open_page: Callable[..., Page], situation: Callable[[str], dict[str, Any]]
) -> None:
    shown = situation("complaint")
    shown["patchwork"]["complaint"]["says"] *= 6
    line = open_page(shown, **SMALL).locator(".doubt-line")

    heights = [line.evaluate("(line) => line.offsetHeight")]
    line.tap()
    heights.append(line.evaluate("(line) => line.offsetHeight"))

    assert heights[0] < SMALL["viewport"]["height"] / 8 < heights[1]


def test_the_figures_of_a_phone_s_narrow_cards_do_not_read_as_one_number(
    look: Callable[..., Page], situation: Callable[[str], dict[str, Any]]
) -> None:
    shown = situation("middle")
    for seat in shown["patchwork"]["seats"]:
        seat.update(buttons=34, name="Wolkenkratzerbaumeisterinnenvereinskasse")
    page = look(shown, **PHONE)

    assert min(page.locator(".seat").evaluate_all(_BETWEEN_FIGURES)) > 16
    assert max(page.locator(".seat").evaluate_all(_OFF_CENTRE)) < 1.5
    page.set_viewport_size({"width": 320, "height": 568})
    assert min(page.locator(".seat").evaluate_all(_BETWEEN_FIGURES)) > 8
    # Nor does a name of one word make the page wider than the window.
    assert page.evaluate("document.documentElement.scrollWidth") == 320


_BETWEEN_FIGURES: Final = """(seats) => seats.map((seat) => {
  const [buttons, score] = seat.querySelectorAll(".figure.main dd"), range = document.createRange();
  range.selectNodeContents(buttons);
  return score.getBoundingClientRect().left - range.getBoundingClientRect().right;
})"""
"""Returns the distance in pixels of each seat's score from the buttons beside it."""
_OFF_CENTRE: Final = """(seats) => seats.map((seat) => {
  const [card, board] = [seat, seat.querySelector(".binding")].map((part) => part.getBoundingClientRect());
  return Math.abs(card.left + card.width / 2 - board.left - board.width / 2);
})"""
"""Returns how far in pixels each quilt is from the middle of its card."""


def test_push_buttons_stay_where_they_are(look: Callable[..., Page]) -> None:
    page = look("start", **DESK)
    before = top(page.locator(".push-confirm"))

    for shown in ("complaint", "income", "foreseen", "middle"):
        look(shown, **DESK)
        assert abs(top(page.locator(".push-confirm")) - before) < 3, shown


def test_after_the_end_no_button_asks_for_a_patch(look: Callable[..., Page]) -> None:
    page = look("end")
    for button in ("advance", "confirm"):
        expect(page.locator(f"[data-key={button}] .push-sense")).to_have_text("not now")


def test_a_key_presses_each_button_in_any_language_until_keys_of_one_letter_are_switched_off(
    open_page: Callable[..., Page], table: FeedingServer
) -> None:
    page = open_page("middle", "/?language=ru")
    for number, (key, button) in enumerate((("c", "confirm"), ("a", "advance"), ("u", "undo")), start=1):
        table.answer = (200, {"ok": True, "says": f"{button} is pressed"})
        page.keyboard.press(key)
        assert table.nth_post(number) == ("/api/press", {"button": button, "question": 0})
        page.get_by_text(f"{button} is pressed").wait_for()

    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Клавиши").locator("kbd")).to_have_text(["C", "A", "U", "?"])
    page.get_by_role("dialog").get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for key in ("c", "?"):
        page.keyboard.press(key)
    page.locator(".push-advance").focus()
    page.keyboard.press("Enter")

    assert table.nth_post(4) == ("/api/press", {"button": "advance", "question": 0})
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_complaint_marks_the_board_it_is_about(
    look: Callable[..., Page], situation: Callable[[str], dict[str, Any]]
) -> None:
    shown = situation("complaint")
    other = 3 - shown["patchwork"]["complaint"]["seat"]
    shown["patchwork"]["complaint"]["quilt"] = other
    look("middle")
    page = look(shown)

    expect(page.locator(f"#seat-{other} .mark-complaint")).to_have_count(2)
    expect(page.locator(f"#seat-{3 - other} .mark-complaint")).to_have_count(0)
    assert page.evaluate(_MARKED_VIRTUALLY, shown) == [2 if seat == other else 0 for seat in (1, 2)]


_MARKED_VIRTUALLY: Final = """async (snapshot) => {
  const { Boards } = await import("/static/js/patchwork/virtual/boards.js");
  const page = { say: (key) => key, language: { digits: String } };
  const boards = new Boards(page, { held: null });
  const state = { snapshot, own: {}, virtual: null };
  const marks = (seat) => boards.picture(seat, state).querySelectorAll(".mark-complaint").length;
  return [marks(1), marks(2)];
}"""
"""Returns the number of marked squares on each board of a virtual table."""


def test_buttons_are_sewn_to_the_same_squares_however_a_patch_lies(look: Callable[..., Page]) -> None:
    page = look("middle")
    spots = page.evaluate("""async () => {
        const { cloth } = await import("/static/js/patchwork/quilt.js");
        const shape = [[0, 0], [0, 1], [0, 2], [0, 3], [1, 1]];
        const lies = { as: ([row, column]) => [row, column], turned: ([row, column]) => [column, 1 - row] };
        const places = (turn) => {
            const cells = shape.map(turn).map(([row, column]) => ({ row, column }));
            const sewn = cloth("tee", cells.reverse(), 2).querySelectorAll("g");
            return [...sewn].map((one) => one.getAttribute("transform"));
        };
        return [places(lies.as), places(lies.turned)];
    }""")

    def cells(all_of: list[str]) -> set[tuple[int, int]]:
        pairs = [one.removeprefix("translate(").split(")")[0].split(" ") for one in all_of if one]
        return {(int((float(y) - 5) / 10), int((float(x) - 5) / 10)) for x, y in pairs}

    assert {(column, 1 - row) for row, column in cells(spots[0])} == cells(spots[1])


def test_seats_in_white_and_black_are_told_from_the_ground(
    look: Callable[..., Page], situation: Callable[..., Any]
) -> None:
    shown = situation("start")
    for seat, colour in zip(shown["patchwork"]["seats"], ("#26222a", "#f4f1ea"), strict=True):
        seat["colour"] = colour
    for scheme in ("light", "dark"):
        ground, drawn = look(shown, color_scheme=scheme).evaluate(_SEAT_COLOURS)
        for place, colours in drawn.items():
            assert max(_contrast(colour, ground) for colour in colours) > 2, (scheme, place)


def test_the_push_buttons_answer_a_question_and_the_focus_is_on_one_of_them_afterwards(
    open_page: Callable[..., Page], table: Any
) -> None:
    page = open_page("middle")
    page.locator(".push-confirm").focus()

    table.show("cells")
    page.wait_for_selector("#doubt .option")
    expect(page.locator(".push-sense")).to_have_text(["None of these", "show the next answer", "take answer 1 of 2"])
    assert page.evaluate("document.activeElement.dataset.key") == "confirm"
    page.locator("#doubt .option").first.focus()
    table.show("middle")
    expect(page.locator("#doubt")).to_be_hidden()
    assert page.evaluate("document.activeElement.dataset.key") == "confirm"


@pytest.mark.parametrize(("path", "size"), [("/", "desk"), ("/tv", "desk"), ("/", "phone"), ("/watch", "phone")])
@pytest.mark.parametrize("shown", ["start", "cells", "complaint", "foreseen"])
def test_the_next_action_is_said_once(look: Callable[..., Page], path: str, size: str, shown: str) -> None:
    snapshot = scene(shown)
    says = snapshot["table"]["waiting_for"]
    page = look(shown, path, **(DESK if size == "desk" else PHONE))

    # Names and squares are isolated from the text around them.
    words = max(re.split("[\u2066-\u2069]", says), key=len).strip()
    expect(page.get_by_text(words).filter(visible=True)).to_have_count(1)
    assert "lays a patch" in says or shown != "start"
    expect(page.get_by_text("lays a patch").filter(visible=True)).to_have_count(int(shown == "start"))


def test_seats_are_where_they_are_at_the_table_however_one_reads(look: Callable[..., Page]) -> None:
    page = look("middle", "/?language=fa", **DESK)
    first, second = (page.locator(f"#seat-{seat}").bounding_box() for seat in (1, 2))
    assert first
    assert second

    assert first["x"] < second["x"]
    expect(page.locator("#seat-1 .edge-name").last).to_have_text("۹")
    expect(page.locator("#seat-1 .seat-name")).to_have_attribute("dir", "auto")


@pytest.mark.parametrize("size", [DESK, SMALL], ids=["desk", "phone"])
def test_everything_in_the_head_is_large_enough_to_hit(open_page: Callable[..., Page], size: dict[str, Any]) -> None:
    page = open_page("middle", **size)
    boxes = [each.bounding_box() for each in page.locator("#settings :is(a, button, select):visible").all()]

    assert len(boxes) > 2
    assert min(min(box["width"], box["height"]) for box in boxes if box) >= LEAST_PX


def test_russian_headings_have_one_face(look: Callable[..., Page]) -> None:
    page = look("middle", "/?language=ru")

    assert page.evaluate("getComputedStyle(document.querySelector('#turn-title')).fontFamily").startswith("Vollkorn")
    assert page.evaluate("document.fonts.check('600 20px Vollkorn', 'Ход')")


def test_a_screen_without_the_key_says_how_to_join(look: Callable[..., Page]) -> None:
    page = look("middle", "/tv", can_touch=False, viewport={"width": 1920, "height": 1080})

    expect(page.locator(".tv-code")).to_contain_text("use the code in the terminal", use_inner_text=True)


def test_all_patches_of_the_box_fit_the_television(open_page: Callable[..., Page], table: Any) -> None:
    page = open_page("unknown", "/tv", viewport={"width": 1920, "height": 1080})
    room = page.locator("#offers").bounding_box()
    last = page.locator("#offers .offer").last.bounding_box()
    assert room
    assert last

    assert last["y"] + last["height"] <= room["y"] + room["height"]

    # Nor while the camera looks at the circle.
    table.send("desk", {"patchwork": {"circle": None, "looking": True, "share": 0.4}})
    expect(page.locator("#circle progress")).to_be_visible()
    page.wait_for_function(_NOTHING_HANGS_OVER)


_NOTHING_HANGS_OVER: Final = """() => {
  const bottom = (one) => one.getBoundingClientRect().bottom;
  const room = document.querySelector("#offers");
  return [...room.querySelectorAll(".offer")].every((offer) => bottom(offer) <= bottom(room));
}"""


def test_a_small_phone_offers_to_lead_round_and_then_shows_most_of_the_board(sit_down: Callable[..., Page]) -> None:
    page = sit_down(**SMALL)
    expect(page.locator("#tips [data-key=tips-round]")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="No, thanks").tap()
    expect(page.locator("#tips")).to_be_hidden()
    board, bar = page.locator("#seat-1 .v-board").bounding_box(), top(page.locator("#controls"))
    assert board is not None

    row = board["height"] * 10 / 98
    assert (bar - board["y"]) / row > 7
    page.get_by_role("button", name="More").tap()
    page.get_by_role("dialog").get_by_role("button", name="Invite a phone").tap()
    expect(page.locator(".invite")).to_have_count(1)


def test_the_circle_marks_what_is_on_offer_and_is_one_stop_of_the_keyboard(sit_down: Callable[..., Page]) -> None:
    page = sit_down(**DESK)
    marked = page.locator(".v-offered [data-source]").evaluate_all("(all) => all.map((one) => one.dataset.source)")
    assert [patch_name(each) for each in marked] == page.locator("#offers .offer-name").all_inner_texts()

    stops = page.locator(".v-circle [tabindex='0'], .v-circle button:not([tabindex])")
    expect(stops).to_have_count(1)
    stops.focus()
    page.keyboard.press("ArrowRight")
    assert stops.evaluate("(stop) => stop === document.activeElement")
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.dataset.source") == "domino"
    expect(stops).to_have_count(1)


_SEAT_COLOURS: Final = """() => {
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  const places = ["#seat-1", "#seat-2"].flatMap((seat) => [`${seat} .binding`, `${seat} .seat-shape`]);
  const drawn = places.map((place) => [place, [style(place).fill, style(place).stroke]]);
  return [style("#seat-1").backgroundColor, Object.fromEntries(drawn)];
}"""
"""Returns the colour of a seat's card, and of what shows the seats' colours on it."""


def _contrast(one: str, other: str) -> float:
    """Return the WCAG contrast of two colours in a browser's notation."""
    dark, light = sorted(_luminance(each, other) for each in (one, other))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str, ground: str) -> float:
    """Return the relative luminance of a colour, possibly transparent, on a background."""
    *channels, alpha = _channels(colour)
    below = _channels(ground)
    mixed = [alpha * channel + (1 - alpha) * under for channel, under in zip(channels, below, strict=False)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in mixed]
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _channels(colour: str) -> list[float]:
    """Return red, green, blue and alpha, 0..1."""
    numbers = [float(each) for each in re.findall(r"[\d.]+", colour.removeprefix("color(srgb"))]
    scale = 1.0 if colour.startswith("color(srgb") else 255.0
    return [*(each / scale for each in numbers[:3]), *(numbers[3:] or [1.0])]
