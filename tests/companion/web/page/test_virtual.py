"""Test playing on the page with a whole companion, which receives only pictures and presses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np
from playwright.sync_api import expect

from companion.games.patchwork.cells import names_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import PlaceLeather, TakePatch
from companion.patchwork.naming import patch_name
from hardware.ports import Button
from hardware.simulated.drawing.fabrics import print_of
from hardware.simulated.virtual.table import MoveBox
from tests.companion.web.page.accessibility import findings
from tests.companion.web.page.pointing import ABOVE_FINGER_PX, PHONE, Spot, drag, middle, shifted, square
from tests.companion.web.page.served import PATIENCE_MS, PatchworkTable

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest
    from playwright.sync_api import Page


def rests(page: Page, count: int) -> None:
    """Wait until this number of new pieces is on the boards and no hand holds one."""
    expect(page.locator(".v-new")).to_have_count(count, timeout=PATIENCE_MS)
    expect(page.locator(".v-coming")).to_have_count(0, timeout=PATIENCE_MS)


def confirm(page: Page) -> None:
    """Press the drawn button and wait until no new piece is left."""
    page.get_by_role("button", name=re.compile("^Confirm")).click()
    rests(page, 0)


def cheap(page: Page) -> str:
    """Return an affordable patch on offer."""
    offer = page.locator("#offers .offer:not(.out-of-reach) [data-patch]").first
    return offer.get_attribute("data-patch") or ""


def test_a_patch_is_dragged_whatever_other_fingers_do_confirmed_and_on_the_scoreboard(
    sit_down: Callable[..., Page], patchwork: PatchworkTable
) -> None:
    page = sit_down(reduced_motion="no-preference")
    assert not patchwork.decisions
    patch = cheap(page)
    offer = page.locator(f"#offers [data-patch={patch}]")

    page.mouse.move(*middle(offer))
    page.mouse.down()
    page.mouse.move(*square(page, 1, 4.4, 3.3), steps=6)
    for end in ("pointerup", "pointercancel"):
        page.evaluate(_OF_ANOTHER_FINGER, end)
        expect(page.locator(".v-float")).to_be_visible()
        expect(page.locator(".v-hand")).to_be_visible()
    page.keyboard.press("r")
    page.mouse.up()
    rests(page, 1)
    expect(page.locator(".v-hand")).to_be_hidden()
    confirm(page)
    expect(page.locator("#news .news-item").filter(has_text=f"Anna takes the {patch_name(patch)} at")).to_have_count(1)

    (decision,) = patchwork.decisions
    assert isinstance(decision, TakePatch)
    assert (decision.seat, decision.patch) == (1, patch)
    income = sum(money["buttons"] for money in page.evaluate(_MONEY) if money["kind"] == "income")
    paid = 5 - PATCHES[patch].buttons + income
    expect(page.locator("#seat-1 .figure.main dd").first).to_have_text(str(paid))
    named = page.locator("#seat-1 .v-lying").get_attribute("aria-label") or ""
    assert sorted(named.removeprefix(f"{patch_name(patch)} on ").split()) == sorted(names_of(decision.cells))

    page.get_by_role("button", name=re.compile("^Undo")).click()
    rests(page, 1)
    row, column = divmod((decision.cells & -decision.cells).bit_length() - 1, 9)
    drag(page, square(page, 1, column + 0.5, row + 0.5), middle(page.locator("#turn")))
    expect(page.locator(".v-lying")).to_have_count(0, timeout=PATIENCE_MS)
    assert patchwork.decisions == ()


_OF_ANOTHER_FINGER: Final = """(end) => document.dispatchEvent(
  new PointerEvent(end, { pointerId: 77, pointerType: "touch", isPrimary: true })
)"""
_MONEY = "fetch('/api/snapshot').then((answer) => answer.json()).then(({ patchwork }) => patchwork.money)"


def test_the_keyboard_alone_is_enough_to_turn_lay_and_lift_by_the_rules(
    sit_down: Callable[..., Page], patchwork: PatchworkTable
) -> None:
    patchwork.hurry()
    page = sit_down()
    _turn_to_and_fro(page)
    assert patchwork.top.pieces == ()

    patch = cheap(page)
    page.locator(f"[data-source={patch}]").focus()
    page.keyboard.press("Enter")
    for key in ("f", "r", *["ArrowLeft"] * 8, *["ArrowUp"] * 8):
        page.keyboard.press(key)
    says = page.locator(".v-says").inner_text()
    assert says.startswith(f"{patch_name(patch)}: ")

    page.keyboard.press("Enter")
    rests(page, 1)
    confirm(page)

    (decision,) = patchwork.decisions
    assert sorted(names_of(decision.cells)) == sorted(says.removeprefix(f"{patch_name(patch)}: ").split())  # type: ignore[union-attr]
    assert any(name.startswith("A") for name in names_of(decision.cells))  # type: ignore[union-attr]

    lying = page.locator("#seat-1 .v-lying")
    lying.focus()
    page.keyboard.press("Delete")
    page.locator("#seat-1 .v-missing").wait_for(state="attached")
    expect(page.locator("#seat-1 .v-lying")).to_have_count(0)


def _turn_to_and_fro(page: Page) -> None:
    """Check that a piece in hand is back at its place after all turns or flips; a bar is offered no flip."""
    for patch, flips in (("zig-b3", 2), ("long-hook", 2), ("bar4", 4)):
        page.locator(f"[data-source={patch}]").click()
        expect(page.locator("[data-key=hand-flip]")).to_have_count(0 if patch == "bar4" else 1)
        says = page.locator(".v-says").inner_text()
        shown = [says]
        for key in ("r" * 4, "f" * flips):
            for each in key:
                page.keyboard.press(each)
            shown.append(page.locator(".v-says").inner_text())
        assert [sorted(each.split()) for each in shown] == [sorted(says.split())] * 3
        page.keyboard.press("Escape")


def test_a_finger_taps_scrolls_turns_and_lays(
    sit_down: Callable[..., Page], finger: Callable[..., None], patchwork: PatchworkTable
) -> None:
    patchwork.hurry()
    page = sit_down(reduced_motion="no-preference", **PHONE)
    assert page.evaluate(_PRICES_OUTSIDE) == []
    patch = cheap(page)
    page.locator(f"[data-source={patch}]").tap()
    expect(page.locator(".v-hand")).to_be_visible()
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    with page.expect_event("console", lambda message: message.text == "cancelled"):
        page.evaluate("document.addEventListener('pointercancel', () => console.log('cancelled'))")
        finger(page, (200, 500), (200, 200))
    expect(page.locator(".v-hand")).to_be_visible()
    page.get_by_role("button", name="Turn").tap()
    page.locator(".v-board[data-seat='1']").scroll_into_view_if_needed()
    # Where the patch has appeared nobody has chosen: tapped on a square at its end, it moves there.
    says = page.locator(".v-says").inner_text()
    column, row = _last_square(says)
    page.touchscreen.tap(*square(page, 1, column, row))
    expect(page.locator(".v-says")).not_to_have_text(says)
    page.touchscreen.tap(*square(page, 1, 4.5, 2.5))
    expect(page.locator(".v-lying")).to_have_count(0)
    page.get_by_role("button", name="Lay and confirm").tap()
    rests(page, 1)
    rests(page, 0)

    assert [decision.patch for decision in patchwork.decisions if isinstance(decision, TakePatch)] == [patch]


def _last_square(says: str) -> Spot:
    """Return the middle of the last square that the bar of the piece in hand names."""
    name = says.rsplit(maxsplit=1)[-1]
    return ord(name[0]) - ord("A") + 0.5, int(name[1]) - 0.5


_PRICES_OUTSIDE: Final = """() => {
  const bottom = (one) => one.getBoundingClientRect().bottom;
  const isOutside = (one) => bottom(one.querySelector(".v-price")) > bottom(one) - 3;
  return [...document.querySelectorAll(".v-source:has(.v-price)")].filter(isOutside).map((one) => one.dataset.source);
}"""
"""Returns the patches of the circle whose price is not within their button."""

WHILE_DRAGGED: Final = """() => {
  const root = document.documentElement;
  const parts = [".v-says", ".v-buttons"].map((one) => document.querySelector(one));
  root.classList.add("v-dragging");
  document.getAnimations().forEach((motion) => motion.finish());
  const isPlain = (one) => getComputedStyle(one.parentElement).opacity === "1";
  const shown = parts.map((one) => one.checkVisibility() && isPlain(one));
  root.classList.remove("v-dragging");
  return shown;
}"""
"""Returns whether the rules' text is readable while a finger drags, and whether buttons are in the way."""

EMPTY_IN_HAND: Final = """() => {
  const { style } = document.documentElement, dock = style.getPropertyValue("--dock");
  style.setProperty("--dock", "170px");
  const [bar, ...rows] = [".v-hand", ".v-says", ".v-buttons"].map((each) => document.querySelector(each).offsetHeight);
  style.setProperty("--dock", dock);
  return bar - rows.reduce((sum, height) => sum + height);
}"""
"""Returns the height of the bar of the piece in hand that is neither text nor buttons, over high push-buttons."""
MOST_EMPTY_PX: Final = 22
"""Its padding, and the gap between the two."""


def test_axe_finds_nothing_in_hand_and_a_finger_drags_what_is_there_and_what_lies(
    sit_down: Callable[..., Page], finger: Callable[..., None], patchwork: PatchworkTable
) -> None:
    patchwork.hurry()
    page = sit_down("?language=fa", color_scheme="dark", **PHONE)
    page.locator(f"[data-source={cheap(page)}]").click()
    assert findings(page) == []
    expect(page.locator(".v-hand")).to_have_attribute("aria-label", "در دست")
    page.keyboard.press("b")
    expect(page.locator(".v-says.refused")).to_contain_text("طبق قواعد روی لحافِ Anna می‌رود.")
    page.keyboard.press("Escape")

    page.locator("[data-source=leather]").tap()
    assert page.locator(".v-says").inner_text().startswith("\u2068تکهٔ چرمی\u2069: ")
    assert page.evaluate(EMPTY_IN_HAND) < MOST_EMPTY_PX
    assert page.evaluate(WHILE_DRAGGED) == [True, False]
    aside = (0, ABOVE_FINGER_PX)
    finger(page, middle(page.locator(".v-ghost")), shifted(square(page, 1, 2.5, 6.5), aside))
    rests(page, 1)
    expect(page.locator(".v-lying")).to_have_attribute(
        "aria-label", "\u2068تکهٔ چرمی\u2069 روی \u2068C۷\u2069، هنوز ثبت نشده"
    )
    finger(page, middle(page.locator(".v-lying")), shifted(square(page, 1, 5.5, 4.5), aside))
    expect(page.get_by_role("button", name="F۵")).to_have_count(1, timeout=PATIENCE_MS)

    rests(page, 1)
    assert [piece.cells for piece in patchwork.top.pieces] == [((4, 5),)]


def test_a_patch_that_is_complained_of_is_lifted_by_mouse_and_finger_and_takes_its_marks_with_it(
    sit_down: Callable[..., Page], finger: Callable[..., None], patchwork: PatchworkTable
) -> None:
    patchwork.hurry()
    page = sit_down(**PHONE)
    # At another place each time: a complaint about the same picture would be taken for insisting.
    for lifted, row in ((drag, 2.5), (finger, 6.5)):
        page.locator("[data-source=stairs]").tap()
        page.locator(".v-board[data-seat='1']").scroll_into_view_if_needed()
        page.touchscreen.tap(*square(page, 1, 4.5, row))
        page.get_by_role("button", name="Lay and confirm").tap()
        marks = page.locator(".v-board .mark")
        expect(marks).not_to_have_count(0, timeout=PATIENCE_MS)
        lying = page.locator("#seat-1 .v-lying")
        lying.hover(trial=True)  # Scrolls there; the page may draw the patch anew with the complaint.
        assert findings(page) == []
        # The middle of the stairs is one of its squares.
        lifted(page, middle(lying), middle(page.locator("#turn")))
        expect(lying).to_have_count(0)
        expect(marks).to_have_count(0)
        # The page shows it before the table knows it.
        expect(page.locator(".v-hand")).to_be_hidden(timeout=PATIENCE_MS)
        assert patchwork.top.pieces == ()
    assert patchwork.decisions == ()


def test_leather_is_laid_by_finger_mouse_and_keys_and_what_is_in_hand_takes_up_no_other_patch(
    sit_down: Callable[..., Page], patchwork: PatchworkTable
) -> None:
    patchwork.hurry()
    page = sit_down(**PHONE)
    for seat in (1, 2):
        page.locator(f"[data-source={cheap(page)}]").tap()
        page.get_by_role("button", name="Lay and confirm").tap()
        expect(page.locator(f"#seat-{seat} .v-lying:not(.v-new)")).to_have_count(1, timeout=PATIENCE_MS)
    while page.evaluate(_TURN)["must"] != "leather":
        patchwork.press(Button.ADVANCE)
    leather, hand, lay = page.locator("[data-source=leather]"), page.locator(".v-says"), "Lay and confirm"
    seat = page.evaluate(_TURN)["seat"]
    lying = page.locator(f"#seat-{seat} .v-lying").get_attribute("aria-label") or ""
    name, covered = lying.rsplit(maxsplit=1)[-1], _last_square(lying)

    leather.tap()
    expect(hand).to_have_text(re.compile(r"^leather: [A-I][1-9]$"))
    page.touchscreen.tap(*square(page, seat, *covered))
    expect(hand).to_have_text(f"leather: {name} Already covered: {name}.")
    page.touchscreen.tap(*square(page, seat, 0.5, 8.5))
    expect(hand).to_have_text("leather: A9")
    page.get_by_role("button", name=lay).tap()
    _takes_leather(page, patchwork, "A9")

    leather.click()
    page.mouse.click(*square(page, seat, 1.5, 8.5))
    rests(page, 1)
    confirm(page)
    _takes_leather(page, patchwork, "B9")

    leather.focus()
    for key in ("Enter", *["ArrowDown"] * 8, *["ArrowLeft"] * 8, *["ArrowRight"] * 2, "Enter"):
        page.keyboard.press(key)
    rests(page, 1)
    page.keyboard.press("c")
    _takes_leather(page, patchwork, "C9")


def _takes_leather(page: Page, patchwork: PatchworkTable, cell: str) -> None:
    """Wait until leather is taken, then undo it and take it off."""
    expect(page.locator("#news").get_by_text(f"leather patch on {cell}")).not_to_have_count(0)
    decision = patchwork.decisions[-1]
    assert isinstance(decision, PlaceLeather)
    assert names_of(decision.cells) == (cell,)
    patchwork.press(Button.UNDO)
    page.locator(".v-new").focus()
    page.keyboard.press("Delete")
    rests(page, 0)


_TURN = "fetch('/api/snapshot').then((answer) => answer.json()).then(({ patchwork }) => patchwork.turn)"


def test_confirm_alone_takes_nothing_that_is_not_there_and_a_button_puts_a_stray_patch_right(
    sit_down: Callable[..., Page], patchwork: PatchworkTable
) -> None:
    patchwork.hurry()
    page = sit_down()
    _is_refused_however_often(page, "There is nothing new on Anna’s quilt.")
    righting = page.locator("[data-key=put-right]")
    expect(righting).to_have_count(0)

    page.locator(f"[data-source={cheap(page)}]").click()
    page.locator(".v-board[data-seat='2']").scroll_into_view_if_needed()
    page.mouse.click(*square(page, 2, 4.5, 4.5))
    rests(page, 1)
    _is_refused_however_often(page, "the new patch is on Boris’s quilt")
    assert patchwork.decisions == ()

    righting.click()
    expect(page.locator("#doubt")).to_be_hidden(timeout=PATIENCE_MS)
    expect(page.locator("#turn .now")).to_contain_text("lays a patch")
    assert patchwork.top.pieces == ()
    assert patchwork.decisions == ()


def _is_refused_however_often(page: Page, complaint: str) -> None:
    """Press *confirm* to look, to insist and to answer, and once more."""
    picture = page.locator("#doubt .crop img")
    for _ in range(4):
        before = picture.get_attribute("src") if picture.count() else None
        page.locator("[data-key=confirm]").click()
        expect(picture.and_(page.locator(f":not([src='{before}'])"))).to_have_count(1, timeout=PATIENCE_MS)
        expect(page.locator("#turn .now")).to_contain_text(complaint)
        expect(page.locator(".option")).to_have_count(0)
    expect(page.locator(".doubt-hint")).not_to_contain_text("you are asked")


IN_ONE_GO: Final = """
window.IntersectionObserver = class {
  constructor(changed) { this.changed = changed; }
  observe(target) { this.changed([{ target, isIntersecting: false }, { target, isIntersecting: true }]); }
};
"""
"""An `IntersectionObserver` that reports several changes at once, as that of a busy page."""


def test_a_picture_that_is_late_is_awaited_and_one_that_is_missing_leaves_the_last(
    visit: Callable[..., Page], patchwork: PatchworkTable
) -> None:
    page = visit(alone=True, **PHONE)
    page.add_init_script(IN_ONE_GO)
    late = ["not yet", "not yet"]
    page.route("**/camera.jpg*", lambda route: route.fulfill(status=404) if late and late.pop() else route.continue_())
    page.goto(patchwork.companion.door.link)
    expect(page.locator(".v-camera .v-awaited")).to_have_text("The camera is starting…", timeout=PATIENCE_MS)
    picture = page.locator(".v-camera canvas.v-picture")
    expect(picture).to_have_js_property("width", 1536, timeout=PATIENCE_MS)
    # It has been drawn: the middle of the canvas is not transparent.
    drawn = "canvas => canvas.getContext('2d').getImageData(768, 432, 1, 1).data[3]"
    assert picture.evaluate(drawn) == 255
    expect(page.locator(".v-awaited")).to_have_count(0)

    page.locator(".v-enlarge").click()
    expect(page.locator(".v-camera")).to_have_class(re.compile("v-large"))
    page.keyboard.press("Escape")
    expect(page.locator(".v-camera")).not_to_have_class(re.compile("v-large"))

    page.unroute("**/camera.jpg*")
    with page.expect_response(lambda answer: "/camera.jpg" in answer.url and answer.status == 503):
        page.route("**/camera.jpg*", lambda route: route.fulfill(status=503))
    assert picture.evaluate(drawn) == 255


def test_sliders_bumps_and_tokens_reach_the_table_and_a_refusal_the_hand(
    sit_down: Callable[..., Page], patchwork: PatchworkTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = sit_down()
    _look_as_on_the_table(page)
    with page.expect_response(lambda answer: "reading=1" in answer.url and answer.ok) as seen:
        page.locator(".v-camera").scroll_into_view_if_needed()
    # Asked again: the browser gives away no copy of what a script has read.
    assert page.request.get(seen.value.url).body()[:2] == b"\xff\xd8"
    with page.expect_response(lambda answer: "/camera.jpg?reading=0" in answer.url):
        page.get_by_label("Reading").uncheck()
    page.get_by_role("slider", name="Light").fill("0.5")
    page.get_by_label("Arms are seen").uncheck()
    drag(page, middle(page.locator("[data-source=token]")), square(page, 2, 8.4, 8.6))
    page.locator("#seat-2 .v-token").wait_for()
    with page.expect_response(lambda answer: "/api/virtual/nudge" in answer.url) as bumped:
        page.get_by_role("button", name="Bump the camera").click()
    assert bumped.value.ok

    top = patchwork.top
    assert (top.circumstances.exposure, top.circumstances.arms) == (0.5, False)
    assert [(token.seat, token.x_cells, token.y_cells) for token in top.tokens] == [(2, 8.5, 8.5)]

    closed = MoveBox[object]()
    closed.close()
    monkeypatch.setattr(patchwork.virtual, "move", closed.put)
    page.locator("[data-source=leather]").click()
    page.mouse.click(*square(page, 2, 4.5, 4.5))
    expect(page.locator(".v-says.refused")).to_have_text("There is no longer a table.")
    page.keyboard.press("Escape")
    expect(page.locator(".v-hand")).to_be_hidden()


MEANS: Final = """async (patches) => {
  const defs = document.querySelector(".cupboard defs");
  const space = "http://www.w3.org/2000/svg";
  const cloths = patches.map((patch, index) => [index * 90, `url(#cloth-${patch})`]);
  const rects = cloths.map(([x, fill]) => `<rect x="${x}" width="90" height="90" fill="${fill}"/>`).join("");
  const size = `width="${90 * patches.length}" height="90"`;
  const drawn = `<svg xmlns="${space}" ${size}>${new XMLSerializer().serializeToString(defs)}${rects}</svg>`;
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([drawn], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 90 * patches.length, height: 90 });
  const ink = canvas.getContext("2d", { willReadFrequently: true });
  ink.drawImage(image, 0, 0);
  return cloths.map(([x]) => {
    const { data } = ink.getImageData(x, 0, 90, 90);
    const sum = (channel) => data.filter((_, at) => at % 4 === channel).reduce((all, one) => all + one);
    return [2, 1, 0].map((channel) => sum(channel) / 8100);
  });
}"""


def _look_as_on_the_table(page: Page) -> None:
    """Compare the cloth on the page with that on the table by its mean colour."""
    patches = list(PATCHES)
    drawn = page.evaluate(MEANS, patches)

    for patch, colour in zip(patches, drawn, strict=True):
        printed = print_of(patch, 300).reshape(-1, 3).mean(axis=0)
        assert np.abs(colour - printed).max() < 25, patch
