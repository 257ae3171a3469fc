"""Test the page's commands for holders of the table's key, and the requests that they send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.companion.web.page.pointing import PHONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page


@pytest.mark.parametrize("button", ["confirm", "advance", "undo"])
def test_push_buttons_are_those_of_the_table(open_page: Callable[..., Page], table: Any, button: str) -> None:
    page = open_page("middle")

    page.get_by_role("button", name=button.capitalize()).click()

    assert table.post() == ("/api/press", {"button": button, "question": 0})


def test_push_buttons_work_from_the_keyboard_and_keep_the_focus(open_page: Callable[..., Page], table: Any) -> None:
    page = open_page("middle")
    table.answer = (200, {"ok": True, "says": "Boris advances."})

    page.locator("[data-key=advance]").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Boris advances.").wait_for()

    expect(page.locator("[data-key=advance]")).to_be_focused()
    assert len(table.posts) == 1


def test_what_cannot_be_pressed_sends_nothing(open_page: Callable[..., Page], table: Any) -> None:
    page = open_page("start")

    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    undo.click(force=True)

    assert table.posts == []


def test_a_refusal_is_shown_as_the_table_says_it(open_page: Callable[..., Page], table: Any) -> None:
    says = "There is nothing to take back."
    table.answer = (409, {"ok": False, "error": says, "errors": [says], "status": 409})
    page = open_page("middle")

    page.get_by_role("button", name="Undo").click()

    expect(page.get_by_role("alert")).to_have_text(says)


def test_a_lost_key_takes_the_push_buttons_away(open_page: Callable[..., Page], table: Any) -> None:
    table.answer = (401, {"ok": False, "error": "No key.", "errors": ["No key."], "status": 401})
    page = open_page("middle")

    page.get_by_role("button", name="Confirm").click()
    page.wait_for_selector("#join-code")

    expect(page.locator(".push")).to_have_count(0)


@pytest.mark.parametrize(("name", "option"), [("slow hook", 1), ("None of these", None)])
def test_a_question_is_answered_by_its_picture(
    open_page: Callable[..., Page], table: Any, name: str, option: int | None
) -> None:
    page = open_page("twins")
    assert page.locator(".option[aria-current=true] .option-says").inner_text().startswith("Anna takes the quick hook")

    page.get_by_role("button", name=name).last.click()

    assert table.post() == ("/api/answer", {"option": option, "question": 7})


def test_each_answer_is_drawn_on_the_quilt(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    page = look("twins")

    options = situation("twins")["question"]["options"]
    newest = [card.locator(".piece").last for card in page.locator(".option").all()]
    assert [piece.get_attribute("data-patch") for piece in newest] == [option["patch"] for option in options]


def test_a_complaint_points_at_its_cells(look: Callable[..., Page]) -> None:
    page = look("complaint")

    page.locator(".doubt .mark-complaint").nth(1).wait_for()
    expect(page.locator(".doubt .mark-complaint")).to_have_count(2)
    expect(page.locator("#seat-2 .mark-complaint")).to_have_count(2)
    expect(page.locator(".crop img")).to_have_attribute("alt", "The quilt board; squares in question: F5 E6")


def test_who_has_laid_it_as_meant_says_so(open_page: Callable[..., Page], table: Any) -> None:
    page = open_page("complaint")

    page.get_by_role("button", name="It is right as it is").click()

    assert table.post() == ("/api/insist", {})


@pytest.mark.parametrize("code", ["en", "ru", "fa"])
def test_a_phone_shows_the_complaint_and_the_way_past_it_together(look: Callable[..., Page], code: str) -> None:
    page = look("complaint", f"/?language={code}", viewport={"width": 360, "height": 640})
    says, insist, bar = page.locator(".doubt-says"), page.locator("[data-key=insist]"), page.locator("#controls")
    says.wait_for()
    page.evaluate("document.getElementById('doubt').scrollIntoView({ block: 'start', behavior: 'instant' })")

    top, button, controls = says.bounding_box(), insist.bounding_box(), bar.bounding_box()
    assert top is not None
    assert button is not None
    assert controls is not None
    assert top["y"] >= 0
    assert button["y"] + button["height"] <= controls["y"], "the push-buttons do not cover it"
    assert (button["height"] >= 24, button["width"] >= 24) == (True, True), "a finger hits it (WCAG 2.2, 2.5.8)"


@pytest.mark.parametrize("why", ["nothing to insist on", "no key"])
def test_who_cannot_insist_is_not_offered_to(
    look: Callable[..., Page], situation: Callable[..., Any], why: str
) -> None:
    shown = situation("complaint")
    shown["complaint"]["insists"] = why == "no key"
    page = look(shown, can_touch=why != "no key")

    page.locator(".doubt-says").wait_for()
    expect(page.locator("[data-key=insist]")).to_have_count(0)


def test_what_was_foreseen_can_be_stopped(open_page: Callable[..., Page], table: Any) -> None:
    page = open_page("foreseen")

    page.get_by_role("button", name="Stop", exact=True).click()

    assert table.post() == ("/api/press", {"button": "undo", "question": 0})


def test_undo_stops_even_the_first_move_that_is_foreseen(
    open_page: Callable[..., Page], table: Any, situation: Callable[..., Any]
) -> None:
    shown = situation("foreseen")
    shown["game"]["decisions"] = 0
    page = open_page(shown, viewport={"width": 390, "height": 844})
    expect(page.locator(".doubt-line")).to_contain_text("About to be taken", use_inner_text=True)
    expect(page.locator("[data-key=undo] .push-sense")).to_have_text("Stop")

    page.locator("[data-key=undo]").click()

    assert table.post() == ("/api/press", {"button": "undo", "question": 0})


def test_tapped_cells_override_the_reading(open_page: Callable[..., Page], table: Any) -> None:
    page = open_page("middle")
    page.get_by_role("button", name="Enter by hand").click()
    for cell in ("A9", "B9", "C9"):
        page.locator(f".tap-cell[data-key={cell}]").click()
    expect(page.get_by_text("none of the patches on offer has this shape")).to_be_visible()
    expect(page.get_by_role("button", name="It is there")).to_have_attribute("aria-disabled", "true")

    for cell in ("D9", "A8"):
        page.locator(f".tap-cell[data-key={cell}]").click()
    expect(page.get_by_text("This is long hook, for 10 buttons.")).to_be_visible()
    page.get_by_role("button", name="It is there").click()
    page.wait_for_selector("dialog", state="detached")

    path, body = table.post()
    assert path == "/api/override"
    assert (body["seat"], sorted(body["cells"]), body["patch"]) == (2, ["A8", "A9", "B9", "C9", "D9"], "long-hook")


def test_cells_are_walked_over_and_tapped_by_keyboard(open_page: Callable[..., Page]) -> None:
    page = open_page("middle")
    page.get_by_role("button", name="Enter by hand").click()
    page.locator(".tap-cell[data-key=A9]").focus()

    for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)

    pressed = page.locator(".tap-cell[aria-pressed=true]")
    expect(pressed).to_have_count(1)
    expect(pressed).to_have_attribute("data-key", "A8")
    expect(page.locator(".tap-cell[data-key=A8]")).to_be_focused()


def test_covered_cells_cannot_be_tapped(open_page: Callable[..., Page], situation: Callable[..., Any]) -> None:
    covered = situation("middle")["seats"][1]["pieces"][0]["cells"][0]
    page = open_page("middle")
    page.get_by_role("button", name="Enter by hand").click()

    cell = page.locator(f".tap-cell[data-key={covered}]")
    cell.click(force=True)

    expect(cell).to_have_attribute("aria-pressed", "false")
    expect(cell).to_have_attribute("aria-label", f"{covered}, already covered")


def test_leather_is_one_cell(open_page: Callable[..., Page], table: Any, situation: Callable[..., Any]) -> None:
    shown = situation("leather")
    seat = shown["turn"]["seat"]
    covered = {cell for piece in shown["seats"][seat - 1]["pieces"] for cell in piece["cells"]}
    free = next(f"{column}{row}" for row in range(1, 10) for column in "ABCDEFGHI" if f"{column}{row}" not in covered)
    page = open_page(shown)
    page.get_by_role("button", name="Enter by hand").click()

    page.locator(f".tap-cell[data-key={free}]").click()
    page.get_by_role("button", name="It is there").click()
    page.wait_for_selector("dialog", state="detached")

    assert table.post() == ("/api/override", {"seat": seat, "cells": [free], "patch": None})


def test_the_last_patch_can_be_given_its_twins_name(
    open_page: Callable[..., Page], table: Any, situation: Callable[..., Any]
) -> None:
    shown = situation("start")
    shown["seats"][0]["pieces"] = [{"patch": "hook-t2", "cells": ["A1", "A2", "B2", "C2"], "turn": 1, "new": True}]
    page = open_page(shown)

    page.get_by_role("button", name="It is its twin").click()
    page.get_by_role("button", name="slow hook: costs 4, time 6").click()
    page.wait_for_selector("dialog", state="detached")

    assert table.post() == ("/api/name", {"patch": "hook-t6"})


def test_another_phone_is_invited(open_page: Callable[..., Page], table: Any) -> None:
    page = open_page("middle")

    page.get_by_role("button", name="Invite a phone").click()

    page.get_by_role("img", name="QR code").wait_for()
    expect(page.get_by_text("ABC123")).to_be_visible()
    expect(page.locator(".invite-address")).to_have_text(table.url.removeprefix("http://"))
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_on_a_phone_all_can_be_reached_beside_what_was_said(open_page: Callable[..., Page], table: Any) -> None:
    page = open_page("middle", **PHONE)
    table.answer = (200, {"ok": True, "says": "Boris advances. " * 12})

    page.locator("[data-key=advance]").tap()
    page.locator(".said").wait_for()
    # The page grows by the message once it is laid out.
    page.wait_for_function(
        """() => {
          scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
          const dock = document.querySelector("#controls").getBoundingClientRect();
          const lowest = [...document.querySelectorAll("#hand button")].at(-1).getBoundingClientRect();
          return lowest.bottom <= dock.top;
        }"""
    )
