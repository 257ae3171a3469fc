"""Test calibration on the page: the grid follows fingers and keys, and obstacles are reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from companion.calibrating.remarks import RemarkCode
from companion.play.events import GameOpened, TableNoticed
from tests.companion.web.page.accessibility import findings
from tests.companion.web.page.holding import Held
from tests.companion.web.page.pointing import middle
from tests.companion.web.page.scenes import Evening

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

SQUARES = {
    "1": [[100, 100], [500, 100], [500, 500], [100, 500]],
    "2": [[900, 100], [1300, 100], [1300, 500], [900, 500]],
}


def view(**changes: Any) -> dict[str, Any]:
    """Return the state of a calibration."""
    usual = {"step": "done", "done": True, "share": 1.0, "size": [1536, 864], "by_hand": [], "remarks": []}
    return {"ok": True, **usual, "corners": SQUARES, **changes}


@pytest.fixture
def open_calibration(open_page: Callable[..., Page], table: Any) -> Callable[..., Page]:
    """A function that opens the sheet on a calibration of a given state."""

    def opened(shown: dict[str, Any], path: str = "/", **options: Any) -> Page:
        table.json["/api/me"] = {"ok": True, "can_touch": True, "can_see_camera": True, "calibrates": True}
        table.json["/api/calibration"] = shown
        page = open_page("start", path, **options)
        page.locator("[data-key=calibrate]").click()
        page.locator(".calibration-steps").wait_for()
        return page

    return opened


def moved(table: Any) -> dict[str, Any]:
    """Return the last corners that were sent."""
    return dict([body for path, body in table.posts if path.startswith("/api/calibration/corners")][-1])


def test_a_corner_goes_where_it_is_dragged_and_where_keys_send_it(
    open_calibration: Callable[..., Page], table: Any
) -> None:
    table.answer = (200, view(by_hand=[1]))
    page = open_calibration(view())
    expect(page.locator(".corner")).to_have_count(8)
    room = page.locator(".calibration-picture").bounding_box()
    assert room is not None
    x, y = middle(page.locator("[data-key='1-2']"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 12)
    expect(page.locator(".loupe")).to_be_visible()
    with page.expect_response("**/api/calibration/corners*"):
        page.mouse.up()
    table.json["/api/calibration"] = view(by_hand=[1])
    page.get_by_role("button", name="Back to what was found").wait_for()

    scale = 1536 / room["width"]
    sent = moved(table)
    assert sent["seat"] == 1
    assert sent["corners"][2] == pytest.approx([500 + 30 * scale, 500 + 12 * scale], abs=1.5)
    assert [*sent["corners"][:2], sent["corners"][3]] == [SQUARES["1"][at] for at in (0, 1, 3)]
    expect(page.locator(".loupe")).to_be_hidden()

    table.answer = (200, view(by_hand=[1, 2]))
    page.get_by_role("button", name="Boris’s board, corner A1").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    assert table.comes_to(lambda post: "corners" in post[1] and post[1]["corners"][0] == [902, 80])


def test_a_calibration_does_not_announce_the_game_again(open_page: Callable[..., Page], table: Any) -> None:
    evening = Evening()
    page = open_page(evening.snapshot())
    news, spoken = page.locator("#news .news-item"), page.locator("#spoken-news")
    expect(news).to_have_text(["Game 7: Anna and Boris play. It is Anna’s turn."])
    for _ in range(2):
        evening.builder(GameOpened(7, evening.state, is_again=True))
    evening.builder(TableNoticed("A lamp is reflected.", evening.state))
    table.show(evening.snapshot())
    expect(spoken).to_have_text("A lamp is reflected.")
    expect(news).to_have_text(["A lamp is reflected.", "Game 7: Anna and Boris play. It is Anna’s turn."])


def _halves(left: tuple[int, int, int], right: tuple[int, int, int]) -> bytes:
    """Return a JPEG of two colours, BGR, that meet at the left edge of the first board's squares."""
    picture = np.full((864, 1536, 3), right, np.uint8)
    picture[:, :100] = left
    return cv2.imencode(".jpg", picture)[1].tobytes()


def test_the_live_picture_is_drawn_into_one_canvas_and_the_loupe_enlarges_it(
    open_calibration: Callable[..., Page],
) -> None:
    page = open_calibration(view())
    pictures = iter([_halves((200, 0, 0), (0, 0, 200))])
    newest = _halves((0, 200, 0), (0, 0, 200))
    page.route("**/camera.jpg*", lambda route: route.fulfill(body=next(pictures, newest), content_type="image/jpeg"))
    canvas = page.locator(".calibration-picture canvas.calibration-image")
    expect(canvas).to_have_js_property("width", 1536)
    colour = "(canvas, [x, y]) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data]"
    page.wait_for_function(
        "canvas => canvas.getContext('2d').getImageData(50, 432, 1, 1).data[1] > 150", arg=canvas.element_handle()
    )
    assert page.locator(".calibration-picture img").count() == 0

    x, y = middle(page.locator("[data-key='1-0']"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 2)
    lens = page.locator(".loupe canvas")
    side = lens.evaluate("canvas => canvas.width")
    # The corner lies on the edge of the colours, in the middle of the loupe.
    red, green, _, alpha = lens.evaluate(colour, [side // 4, side // 2])
    assert (red < 60, green > 150, alpha) == (True, True, 255)
    red, green, _, alpha = lens.evaluate(colour, [3 * side // 4, side // 2])
    assert (red > 150, green < 60, alpha) == (True, True, 255)
    page.mouse.up()


def test_a_corner_stays_where_it_was_sent_when_the_table_tells_late_where_it_was(
    open_calibration: Callable[..., Page], table: Any
) -> None:
    page = open_calibration(view())
    corner = page.locator("[data-key='1-0']")
    before = corner.get_attribute("style")
    told = Held(page, "**/api/calibration?*")
    told.wait()
    lies = {**SQUARES, "1": [[120, 80], *SQUARES["1"][1:]]}
    table.answer = (200, view(by_hand=[1], corners=lies))
    table.json["/api/calibration"] = view(by_hand=[1], corners=lies)
    corner.press("Shift+ArrowRight")
    corner.press("Shift+ArrowUp")
    # Moving on to the other board completes this one.
    page.locator("[data-key='2-0']").press("ArrowLeft")
    page.get_by_role("button", name="Back to what was found").wait_for()
    assert next(body["seat"] for path, body in table.posts if "corners" in path) == 1
    moved = corner.get_attribute("style")
    assert moved != before

    told.release()

    expect(corner).to_have_attribute("style", moved or "")
    expect(page.get_by_role("button", name="Back to what was found")).to_have_count(1)


def test_an_obstacle_is_named_by_the_player_s_name_and_every_remark_has_words(
    open_calibration: Callable[..., Page], table: Any
) -> None:
    remarks = [
        {"code": "no-board", "says": "", "blocks": True, "seat": 2},
        {"code": "dim", "says": "", "blocks": False, "seat": None},
    ]
    table.answer = (200, view())
    shown = view(step="boards", done=False, corners={"1": SQUARES["1"]}, remarks=remarks)
    page = open_calibration(shown)
    assert page.locator(".calibration-remarks .blocks").inner_text().startswith("Boris: the board is not seen.")
    expect(page.locator(".calibration-remarks .advises")).to_have_text("It is rather dark. More light helps.")
    expect(page.locator("[data-key=save]")).to_have_attribute("aria-disabled", "true")
    with page.expect_request("**/api/calibration/corners*"):
        page.get_by_role("button", name="Mark Boris’s board by hand").click()
    # A new request confirms it.
    table.json["/api/calibration"] = view(
        remarks=[{"code": code.value, "says": "", "blocks": False, "seat": 1} for code in RemarkCode]
    )
    page.locator("[data-key='2-0']").wait_for()
    assert table.comes_to(lambda post: post[0].startswith("/api/calibration/corners") and post[1]["seat"] == 2)
    expect(page.locator(".calibration-remarks li")).to_have_count(len(RemarkCode))


def test_it_is_saved_and_a_refusal_is_shown_and_with_patches_on_the_boards_it_is_not_offered(
    open_calibration: Callable[..., Page], table: Any
) -> None:
    page = open_calibration(view())
    table.answer = (409, {"ok": False, "error": "The disk is full.", "errors": [], "status": 409})
    page.get_by_role("button", name="Save").click()
    page.locator(".calibration .refused:not(:empty)").wait_for()
    expect(page.locator(".calibration .refused")).to_have_text("The disk is full.")
    table.answer = (200, {"ok": True, "says": "", "at_once": True})
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved. The table uses it from now on.").wait_for()
    page.get_by_role("button", name="Back to the table").click()
    expect(page.locator("dialog")).to_have_count(0)

    expect(page.locator("[data-key=calibrate]")).to_have_count(1)
    table.show("middle")
    expect(page.locator("[data-key=calibrate]")).to_have_count(0)
    expect(page.locator("[data-key=invite]")).to_have_count(1)


def test_axe_finds_nothing(open_calibration: Callable[..., Page]) -> None:
    remarks = [{"code": "dim", "says": "", "blocks": False, "seat": None}]
    shown = view(step="rest", done=False, share=0.4, remarks=remarks)
    page = open_calibration(shown, "/?language=fa", viewport={"width": 390, "height": 844})
    assert findings(page) == []
    page.emulate_media(color_scheme="dark")
    assert findings(page, within="dialog") == []
