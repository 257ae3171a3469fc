"""Test the page's texts in each situation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion.patchwork.naming import patch_name
from tests.companion.web.page.pointing import broken

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

    from tests.companion.web.page.feeding import FeedingServer

PHONE = {"width": 390, "height": 844}


SIZES = [(390, 844), (820, 1180), (1366, 768), (1920, 1080)]


def texts(page: Page, selector: str) -> list[str]:
    """Return the visible text of each element, with white space collapsed."""
    return [" ".join(text.split()) for text in page.locator(selector).all_inner_texts()]


def numbers(page: Page, selector: str) -> list[int]:
    """Return the last number in each element."""
    return [int(text.replace("\u2212", "-").split()[-1]) for text in texts(page, selector)]


def texts_of(seat: dict[str, Any]) -> list[str]:
    """Return a seat's figures as the page should write them."""
    score = str(seat["score"]).replace("-", "\u2212")
    return [str(seat["buttons"]), score, f"+{seat['income']}", str(seat["empty"])]


def test_seats_show_the_figures_of_the_books(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    page = look("middle")

    for seat in situation("middle")["patchwork"]["seats"]:
        assert texts(page, f"#seat-{seat['seat']} .figure dd") == texts_of(seat)
        assert texts(page, f"#seat-{seat['seat']} .seat-name") == [seat["name"]]


def test_names_are_whole_on_a_small_phone_beside_the_tile_and_on_offer(
    look: Callable[..., Page], situation: Callable[..., Any]
) -> None:
    shown = situation("middle")
    shown["patchwork"]["seats"][0]["name"] = "Маргарита Александровна"
    shown["patchwork"]["seats"][1]["bonus"] = True
    page = look(shown, viewport={"width": 360, "height": 640})

    assert page.locator("#seat-2 .seat-name").evaluate("name => name.scrollWidth <= name.clientWidth")
    expect(page.locator("#seat-2 .bonus svg")).to_be_visible()
    expect(page.locator("#offers")).to_contain_text("then Маргарита Александровна")
    assert broken(page.locator("#offers .next > :not(svg)")) == []


def test_quilts_are_drawn_piece_by_piece(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    page = look("income")

    for seat in situation("income")["patchwork"]["seats"]:
        drawn = page.locator(f"#seat-{seat['seat']} .piece")
        patches = [piece.get_attribute("data-patch") for piece in drawn.all()]
        assert patches == [piece["patch"] for piece in seat["pieces"]]
        expect(page.locator(f"#seat-{seat['seat']} .glow")).to_have_count(sum(piece["new"] for piece in seat["pieces"]))


def test_a_piece_lies_where_the_books_say(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    page = look("middle")
    piece = situation("middle")["patchwork"]["seats"][0]["pieces"][0]

    cloth = page.locator("#seat-1 .piece .piece-cloth").first
    edges = "path => { const b = path.getBBox(); return [b.x, b.x + b.width, b.y, b.y + b.height]; }"
    columns, rows = [ord(cell[0]) - 65 for cell in piece["cells"]], [int(cell[1]) - 1 for cell in piece["cells"]]
    wanted = [min(columns), max(columns) + 1, min(rows), max(rows) + 1]
    assert cloth.evaluate(edges) == pytest.approx([10 * edge for edge in wanted], abs=0.5)


def test_a_count_that_differs_is_asked_about_beside_the_score_sheet(
    look: Callable[..., Page], situation: Callable[..., Any]
) -> None:
    page = look("buttons")

    counts = [str(option["buttons"]) for option in situation("buttons")["patchwork"]["question"]["options"]]
    expect(page.locator("#doubt .option-count")).to_have_text(counts)
    expect(page.locator("#doubt button.option")).to_have_count(2)
    expect(page.locator("#doubt [data-key=none]")).to_have_count(0)
    expect(page.locator("#result .score-sheet")).to_be_visible()


def test_a_marker_that_stands_wrong_is_drawn_there_and_told_until_it_is_mended(
    look: Callable[..., Page],
) -> None:
    page = look("marker")

    expect(page.locator("#track .track-hint")).to_have_text(["Anna’s marker belongs on 30; it is on 28."])
    expect(page.locator("#track .token.seat-1")).to_have_count(1)
    spaces = (page.locator("#track .track").get_attribute("data-spaces") or "").split()
    x, y = spaces[28].split(",")
    expect(page.locator("#track .astray.seat-1")).to_have_attribute("transform", f"translate({x} {y})")
    expect(page.locator("#track .awaited.seat-1")).to_have_count(1)

    look("middle")
    expect(page.locator("#track .track-hint, #track .astray, #track .awaited")).to_have_count(0)


def test_the_turn_says_whose_and_why(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    page = look("middle")
    name = {seat["seat"]: seat["name"] for seat in situation("middle")["patchwork"]["seats"]}[
        situation("middle")["patchwork"]["turn"]["seat"]
    ]

    assert texts(page, "#turn h2") == [f"{name}’s turn"]
    assert texts(page, ".turn-why") == ["Boris is on 29, behind Anna on 30."]


def test_the_reason_follows_the_tokens(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    for mine, theirs, why in (
        (12, 12, "Both are on 12. Boris came last and is on top."),
        (40, 53, "Anna has reached the middle. Boris plays on alone."),
    ):
        shown = situation("middle")
        for seat in shown["patchwork"]["seats"]:
            seat["time"] = mine if seat["moves"] else theirs

        assert texts(look(shown), ".turn-why") == [why]


def test_offers_show_price_and_what_they_bring(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    page = look("middle")

    for index, offer in enumerate(situation("middle")["patchwork"]["offers"]):
        card = page.locator(".offer").nth(index)
        expect(card.locator("h3")).to_have_text(patch_name(offer["patch"]), use_inner_text=True)
        spoken = " ".join(card.locator(".price .spoken").all_inner_texts())
        assert f"costs {offer['buttons']} button" in spoken
        assert f"takes {offer['time']} space" in spoken
        assert (f"brings {offer['income']} button" in spoken) == bool(offer["income"])
        assert f"lands on {offer['brings']['time']}" in (card.text_content() or "")
        assert ("leather" in card.locator(".brings").inner_text()) == bool(offer["brings"]["leather"])


def test_nothing_is_told_as_plus_nothing(look: Callable[..., Page]) -> None:
    page = look("start")

    expect(page.locator("#seat-1 .next-marks li")).to_have_text(["income in 5 spaces", "income in 11 spaces"])
    assert "+0" not in page.locator("#game").inner_text()


def test_the_patches_after_the_three_stand_in_one_row(look: Callable[..., Page]) -> None:
    page = look("middle", viewport={"width": 360, "height": 640})
    for width in (360, 1100, 1366):
        page.set_viewport_size({"width": width, "height": 640})
        middles, scales = page.evaluate("""async () => {
          for (const _ of "..") await new Promise(requestAnimationFrame);
          const patches = [...document.querySelectorAll(".following-list .patch")];
          const boxes = patches.map((patch) => patch.getBoundingClientRect());
          const scales = patches.map((patch, index) => boxes[index].width / patch.viewBox.baseVal.width);
          return [boxes.map((box) => Math.round(box.top + box.height / 2)), scales];
        }""")
        assert len(middles) == 7
        assert max(middles) - min(middles) <= 1, width
        assert max(scales) / min(scales) < 1.3, width


def test_a_patch_out_of_reach_says_by_how_much(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    shown = situation("middle")
    mover = next(seat for seat in shown["patchwork"]["seats"] if seat["moves"])
    shown["patchwork"]["offers"][0].update(buttons=mover["buttons"] + 1, affordable=False)
    shown["patchwork"]["offers"][1].update(buttons=0, fits=False)

    page = look(shown)

    assert texts(page, ".reach") == ["1 button short", "No room on the quilt"]


def test_real_tokens_to_pay_with_are_counted_out(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    shown = situation("middle")
    shown["patchwork"]["money"] = [
        {"seat": 1, "kind": "pay", "buttons": 3, "tokens": [[1, 3]], "says": ""},
        {"seat": 1, "kind": "income", "buttons": 17, "tokens": [[10, 1], [5, 1], [1, 2]], "says": ""},
        {"seat": 1, "kind": "earn", "buttons": 0, "tokens": [], "says": ""},
    ]

    page = look(shown)

    assert texts(page, ".money-line .spoken") == ["3 × 1", "1 × 10, 1 × 5, 2 × 1"]
    assert texts(page, ".money-says") == ["Anna pays", "income"]


def test_the_track_shows_tokens_marks_and_leather_that_is_left(
    look: Callable[..., Page], situation: Callable[..., Any]
) -> None:
    page = look("middle")
    track = situation("middle")["patchwork"]["track"]

    expect(page.locator(".track .token")).to_have_count(2)
    expect(page.locator(".track .leather-shape")).to_have_count(len(track["leather_left"]))
    expect(page.locator(".track .leather-gone")).to_have_count(len(track["leather"]) - len(track["leather_left"]))
    expect(page.locator(".track .button-shape")).to_have_count(9)


def test_the_next_marks_and_their_effects_are_shown(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    page = look("middle")

    for seat in situation("middle")["patchwork"]["seats"]:
        marks = texts(page, f"#seat-{seat['seat']} .next-marks li")
        for mark, text in zip(seat["next_marks"], marks, strict=False):
            assert f"in {mark['steps']} space" in text
            assert ("leather" in text) == mark["leather"]


def test_the_score_sheet_adds_up_line_by_line(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    page = look("end")
    result = situation("end")["patchwork"]["result"]

    rows = [numbers(page, f".score-sheet tbody tr:nth-child({row}) td") for row in (1, 2, 3)]
    sums = [sum(row[seat] for row in rows) for seat in (0, 1)]
    assert sums == [sheet["total"] for sheet in result["sheet"]]
    assert numbers(page, ".score-sheet tfoot td") == sums
    assert texts(page, ".seat .turn-badge") == ["wins"]


def test_a_tie_is_called_one(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    shown = situation("end")
    shown["patchwork"]["result"]["tie"] = True
    for sheet in shown["patchwork"]["result"]["sheet"]:
        sheet["total"] = -4
    shown["patchwork"]["result"]["first_home"] = 2

    page = look(shown, viewport={"width": 360, "height": 640})

    heads = page.locator(".score-sheet thead .icon")
    assert len({box["y"] for head in heads.all() if (box := head.bounding_box())}) == 1
    assert texts(page, "#turn h2") == ["Boris wins the tie"]
    decides = "−4 to −4: Boris was first at the end of the time track, and that decides."
    assert texts(page, ".turn-why") == [decides]


def test_names_are_text_whatever_they_hold(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    shown = situation("middle")
    shown["patchwork"]["seats"][0]["name"] = "<img src=x onerror=alert(1)>"
    shown["news"] = [{"number": 1, "kind": "taken", "says": "<b>bold</b>", "first": 1}]

    page = look(shown)

    assert texts(page, "#seat-1 .seat-name") == ["<img src=x onerror=alert(1)>"]
    expect(page.locator("#news b")).to_have_count(0)
    expect(page.locator("#news li").first).to_have_text("<b>bold</b>", use_inner_text=True)


def test_the_news_leave_out_whose_turn_it_is(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    shown = situation("middle")
    assert "turn" in {news["kind"] for news in shown["news"]}
    page = look(shown)

    texts_of = [news for news in shown["news"] if news["kind"] != "turn"]
    firsts = sorted({news["first"] for news in texts_of}, reverse=True)[:6]
    events = [[news["says"] for news in texts_of if news["first"] == first] for first in firsts]
    assert texts(page, "#news li") == [" ".join(says) for says in events]
    assert any(len(says) > 1 for says in events), "what follows from a move stands with it"


def test_nothing_is_wider_than_the_screen(look: Callable[..., Page]) -> None:
    for scene, sizes in (("unknown", SIZES), ("complaint", SIZES), ("twins", SIZES[:1]), ("end", SIZES[:1])):
        page = look(scene, viewport={"width": sizes[0][0], "height": sizes[0][1]})
        expect(page.locator("html")).to_have_attribute("data-phase", _phase(scene))
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(_SETTLED_WIDTH) <= width, (scene, width)


_SETTLED_WIDTH = """async () => {
  for (const _ of "..") await new Promise(requestAnimationFrame);
  return document.documentElement.scrollWidth;
}"""
"""Returns the page's width once it has been drawn at its current size."""


def test_the_time_track_winds_as_its_room_allows(look: Callable[..., Page]) -> None:
    page = look("start", viewport={"width": 1366, "height": 768})
    track = page.locator("svg.track")
    wide = int(track.get_attribute("data-columns") or 0)

    page.set_viewport_size({"width": 390, "height": 844})
    expect(track).to_have_attribute("data-columns", "9")
    page.set_viewport_size({"width": 1366, "height": 768})
    expect(track).to_have_attribute("data-columns", str(wide))
    assert wide > 9


def _phase(scene: str) -> str:
    return {"unknown": "playing", "twins": "question", "complaint": "complaint", "end": "finished"}[scene]


@pytest.mark.parametrize("path", ["/watch", "/tv"])
def test_a_spectator_has_nothing_to_press(look: Callable[..., Page], path: str) -> None:
    page = look("twins", path)

    expect(page.locator("main button, main form")).to_have_count(0)
    expect(page.locator(".option")).to_have_count(2)


@pytest.mark.parametrize("doubt", ["complaint", "twins"])
def test_a_doubt_on_the_tv_ends_above_the_track(look: Callable[..., Page], doubt: str) -> None:
    page = look(doubt, "/tv", viewport={"width": 1920, "height": 1080})

    ends = page.locator("#doubt").evaluate("(element) => element.getBoundingClientRect().bottom")
    begins = page.locator("#track").evaluate("(element) => element.getBoundingClientRect().top")
    assert ends <= begins


def test_the_decision_of_a_partner_is_said_once(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    shown = situation("twins")
    table, (*_, latest) = shown["patchwork"], shown["news"]
    decided = table["question"]["options"][0]
    table |= {"question": None, "proposed": decided}
    number = latest["number"] + 1
    shown |= {
        "phase": "playing",
        "news": [
            *shown["news"],
            {**latest, "number": number, "first": number, "kind": "turned", "says": decided["says"]},
        ],
    }
    page = look(shown, "/tv")
    expect(page.locator(".doubt-says")).to_have_text(decided["says"])
    expect(page.locator("#news").get_by_text(decided["says"], exact=True)).to_have_count(0)


def test_the_tv_shows_everything_at_once(look: Callable[..., Page]) -> None:
    page = look("middle", "/tv", viewport={"width": 1920, "height": 1080})
    page.wait_for_selector(".tv-code img")

    for selector in ("#seat-1", "#seat-2", "#offers", "#track", ".tv-code", "#news"):
        box = page.locator(selector).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 1080
    assert page.locator("#seat-1 .figure.main dd").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") >= 48


@pytest.mark.parametrize(
    ("scenes", "language"), [(("unknown", "foreseen"), "en"), (("twins", "income"), "ru")], ids=["en", "ru"]
)
@pytest.mark.parametrize("code", [True, False], ids=["code", "no-code"])
def test_nothing_on_the_tv_is_cut_off(
    look: Callable[..., Page], scenes: tuple[str, ...], language: str, code: bool
) -> None:
    path = "/tv" if language == "en" else f"/tv?language={language}"
    for name in scenes:
        page = look(name, path, can_touch=code, viewport={"width": 1920, "height": 1080})
        page.wait_for_selector(".tv-code img" if code else "#news li")
        assert page.evaluate(_CUT_OFF) == []


@pytest.mark.parametrize("language", ["en", "fa"])
def test_the_tv_shows_what_every_patch_costs_however_long_the_names_are(
    look: Callable[..., Page], situation: Callable[[str], dict[str, Any]], language: str
) -> None:
    for name in ("middle", "foreseen", "unknown"):
        shown = json.dumps(situation(name)).replace("Anna", "Maximilian von Habsburg")
        shown = shown.replace("Boris", "Donaudampfschifffahrtska")
        page = look(json.loads(shown), f"/tv?language={language}", viewport={"width": 1920, "height": 1080})
        page.wait_for_selector(".tv-code img")
        room = page.locator("#offers").bounding_box()
        prices = page.locator("#offers .price")
        lowest = prices.evaluate_all("all => Math.max(...all.map((price) => price.getBoundingClientRect().bottom))")
        assert room is not None
        assert lowest < room["y"] + room["height"]


@pytest.mark.parametrize("width", [820, 1366])
def test_figures_of_two_seats_are_apart_on_a_tv_as_on_a_tablet(
    look: Callable[..., Page], situation: Callable[..., Any], width: int
) -> None:
    shown = situation("middle")
    for seat in shown["patchwork"]["seats"]:
        seat |= {"buttons": 26, "score": -34, "income": 12}
    page = look(shown, "/tv?language=fa", viewport={"width": width, "height": 768})
    page.locator("#seat-2 .figure").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".seat").evaluate_all(_TOUCHING) == []
    wide = page.locator(".seat").evaluate_all("seats => seats.map((seat) => seat.clientWidth)")
    assert abs(wide[0] - wide[1]) <= 1


_TOUCHING = """(seats) => seats.flatMap((seat) => {
  const boxes = [...seat.querySelectorAll(".figure dd")].map((figure) => {
    const range = document.createRange();
    range.selectNodeContents(figure);
    return range.getBoundingClientRect();
  });
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) =>
    one.left < other.right + 4 && other.left < one.right + 4 && one.top < other.bottom && other.top < one.bottom,
  )).map(() => seat.id);
})"""
"""Returns the seats with figures that are not at least four pixels apart."""
_CUT_OFF = """() => {
  const bottom = (one) => one.getBoundingClientRect().bottom;
  const [news, room] = ["#news", "#offers"].map((each) => document.querySelector(each));
  const offers = [...room.querySelectorAll(".offer")].filter((each) => each.checkVisibility());
  const cut = offers.filter((each) => bottom(each) > bottom(room) || each.scrollWidth > each.clientWidth);
  const newest = news.querySelector("li");
  const broken = bottom(news) > 1080 || bottom(newest) > bottom(news) || newest.scrollWidth > newest.clientWidth;
  return [...(broken ? [news] : []), ...cut].map((each) => each.textContent);
}"""
"""Returns the texts of the news and the offers that are not drawn as wholes."""


@pytest.mark.parametrize("path", ["/", "/tv", "/watch"])
def test_at_a_simulated_table_every_view_draws_the_cloths_that_the_camera_sees(
    look: Callable[..., Page], path: str
) -> None:
    me = {"ok": True, "can_touch": False, "can_see_camera": True, "simulated": True}
    plain = {"weave": "plain", "ground": "#123456", "figure": "#123456", "accent": "#123456", "pitch": 0.5}

    page = look("middle", path, answers={"/api/me": me, "/api/patchwork/prints": {"prints": {"plus": plain}}})

    page.locator("#cloth-plus rect[fill='#123456']").wait_for(state="attached", timeout=15_000)


def test_a_reader_without_the_key_can_type_the_code(open_page: Callable[..., Page], table: Any) -> None:
    table.can_touch = False
    page = open_page("complaint", "/?join=refused")

    expect(page.locator("main button")).to_have_count(0)
    expect(page.locator(".crop img")).to_have_count(0)
    expect(page.get_by_label("Type the code")).to_be_visible()
    assert texts(page, "#join-refused") == ["That code is wrong or has expired. Use the newest one."]
    expect(page.locator("#join-refused")).to_be_in_viewport()


def test_income_is_drawn_on_the_answers_however_late_the_box_comes(
    visit: Callable[..., Page], table: FeedingServer
) -> None:
    table.show("twins")
    page = visit()
    waiting: list[Route] = []
    page.route("**/api/box", lambda route: waiting.append(route))  # noqa: PLW0108  # Playwright marks it
    page.goto(table.url)
    page.wait_for_selector("#doubt .option svg.quilt")
    while not waiting:
        page.wait_for_timeout(10)
    before = page.locator("#doubt .option svg.quilt").first.inner_html()
    waiting[0].continue_()
    page.wait_for_function(
        "before => document.querySelector('#doubt .option svg.quilt').innerHTML !== before", arg=before
    )
