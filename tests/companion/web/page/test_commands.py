"""Test the page's commands for holders of the table's key, and the requests that they send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from companion.games.patchwork.decisions import Advance
from companion.play.events import DecisionProposed, Pending, TableNoticed
from companion.play.friend import NOTE, Friend
from companion.play.partner import PartnerSilence, Robot
from tests.companion.web.page.pointing import PHONE
from tests.companion.web.page.scenes import Evening, legal_purchase

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.companion.web.page.feeding import FeedingServer


def test_push_buttons_are_those_of_the_table_until_the_key_is_lost(
    open_page: Callable[..., Page], table: FeedingServer
) -> None:
    page = open_page("start")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    undo.click(force=True)
    table.show("middle")
    expect(undo).not_to_have_attribute("aria-disabled", "true")
    assert table.posts == [], "what cannot be pressed sends nothing"

    table.answer = (200, {"ok": True, "says": "Boris has laid it."})
    page.get_by_role("button", name="Confirm").click()
    assert table.nth_post(1) == ("/api/press", {"button": "confirm", "question": 0})
    page.get_by_text("Boris has laid it.").wait_for()

    table.answer = (200, {"ok": True, "says": "Boris advances."})
    page.locator("[data-key=advance]").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Boris advances.").wait_for()
    expect(page.locator("[data-key=advance]")).to_be_focused()
    assert table.nth_post(2) == ("/api/press", {"button": "advance", "question": 0})

    says = "There is nothing to take back."
    table.answer = (409, {"ok": False, "error": says, "errors": [says], "status": 409})
    undo.click()
    expect(page.get_by_role("alert")).to_have_text(says)
    assert table.nth_post(3) == ("/api/press", {"button": "undo", "question": 0})

    table.answer = (401, {"ok": False, "error": "No key.", "errors": ["No key."], "status": 401})
    page.get_by_role("button", name="Advance").click()
    page.wait_for_selector("#join-code")
    expect(page.locator(".push")).to_have_count(0)
    assert table.nth_post(4) == ("/api/press", {"button": "advance", "question": 0})


@pytest.mark.parametrize("partner", [str(Robot(1)), str(Friend(1, "KQ7XM4PD"))], ids=["robot", "friend"])
def test_nobody_presses_for_a_partner_who_decides_and_then_only_confirms_it(
    open_page: Callable[..., Page], table: FeedingServer, partner: str
) -> None:
    evening = Evening(notes={NOTE: partner})
    page = open_page(evening.snapshot(), **PHONE)
    advance, confirm = page.locator("[data-key=advance]"), page.locator("[data-key=confirm]")
    expect(advance).to_have_text("Advancenot now")
    for button in (advance, confirm):
        expect(button).to_have_attribute("aria-disabled", "true")
        expect(button).to_have_accessible_description("Anna is thinking.")
        button.click(force=True)

    decided = legal_purchase(evening.state)
    evening.builder(DecisionProposed(decided, evening.state, pending=Pending(proposed=decided)))
    table.show(evening.snapshot())
    expect(confirm).not_to_have_attribute("aria-disabled", "true")
    expect(advance).to_have_attribute("aria-disabled", "true")
    expect(advance).to_have_accessible_description("Lay the patch for Anna where it is drawn, and press confirm.")
    advance.click(force=True)
    assert table.posts == []

    evening.take(Advance(1))
    table.show(evening.snapshot())
    expect(advance).not_to_have_attribute("aria-disabled", "true")
    expect(advance).to_have_accessible_description("")


def test_players_decide_for_a_robot_that_does_not_answer(open_page: Callable[..., Page], table: FeedingServer) -> None:
    evening = Evening(notes={NOTE: str(Robot(1))})
    evening.builder(TableNoticed("The robot does not answer.", evening.state, PartnerSilence()))
    page = open_page(evening.snapshot())
    expect(page.locator("#turn .now")).to_have_text("Anna lays a patch and presses confirm, or presses advance.")
    page.locator("[data-key=advance]").click()
    assert table.nth_post(1) == ("/api/press", {"button": "advance", "question": 0})

    evening.take(Advance(1))
    evening.take(Advance(2))
    table.show(evening.snapshot())
    expect(page.locator("#turn .now")).to_have_text("Anna is thinking.")


def test_a_question_is_answered_by_its_picture(
    open_page: Callable[..., Page], table: FeedingServer, situation: Callable[..., Any]
) -> None:
    page = open_page("twins")
    assert page.locator(".option[aria-current=true] .option-says").inner_text().startswith("Anna takes the quick hook")
    table.answer = (409, {"ok": False, "error": "Not now.", "errors": ["Not now."], "status": 409})

    page.get_by_role("button", name="slow hook").last.click()
    assert table.nth_post(1) == ("/api/answer", {"option": 1, "question": 7})
    page.get_by_text("Not now.").wait_for()
    page.get_by_role("button", name="None of these").last.click()
    assert table.nth_post(2) == ("/api/answer", {"option": None, "question": 7})

    doubtful = situation("twins")
    doubtful["patchwork"]["question"] |= {"none_first": True, "choice": -1}
    table.show(doubtful)
    expect(page.locator(".option").first).to_have_text("None of these")
    expect(page.locator("[aria-current=true]")).to_have_text("None of these")
    expect(page.locator("[data-key=confirm] .push-sense")).to_have_text("None of these")
    page.locator(".option").first.click()
    assert table.nth_post(3) == ("/api/answer", {"option": None, "question": 7})


def test_each_answer_is_drawn_on_the_quilt(look: Callable[..., Page], situation: Callable[..., Any]) -> None:
    page = look("twins")

    options = situation("twins")["patchwork"]["question"]["options"]
    newest = [card.locator(".piece").last for card in page.locator(".option").all()]
    assert [piece.get_attribute("data-patch") for piece in newest] == [option["patch"] for option in options]


def test_a_complaint_points_at_its_cells(look: Callable[..., Page]) -> None:
    page = look("complaint")

    page.locator(".doubt .mark-complaint").nth(1).wait_for()
    expect(page.locator(".doubt .mark-complaint")).to_have_count(2)
    expect(page.locator("#seat-2 .mark-complaint")).to_have_count(2)
    expect(page.locator(".crop img")).to_have_attribute("alt", "The quilt board; squares in question: F5 E6")


@pytest.mark.parametrize("code", ["en", "ru", "fa"])
def test_a_phone_shows_the_complaint_and_the_way_past_it_together(look: Callable[..., Page], code: str) -> None:
    path = "/" if code == "en" else f"/?language={code}"
    page = look("complaint", path, viewport={"width": 360, "height": 640})
    page.locator(".doubt-title").wait_for()
    says, insist, bar = page.evaluate(_SCROLLED_TO_COMPLAINT)

    assert says["top"] >= 0
    assert insist["bottom"] <= bar["top"], "the push-buttons do not cover it"
    assert (insist["height"] >= 24, insist["width"] >= 24) == (True, True), "a finger hits it (WCAG 2.2, 2.5.8)"


_SCROLLED_TO_COMPLAINT: Final = """() => {
  document.getElementById("doubt").scrollIntoView({ block: "start", behavior: "instant" });
  const places = [".doubt-title", "[data-key=insist]", "#controls"];
  return places.map((place) => document.querySelector(place).getBoundingClientRect().toJSON());
}"""
"""Scrolls to the complaint and returns the places of its title, of the way past it and of the push-buttons."""


@pytest.mark.parametrize("why", ["nothing to insist on", "no key"])
def test_insisting_is_offered_only_to_readers_who_can(
    look: Callable[..., Page], situation: Callable[..., Any], why: str
) -> None:
    shown = situation("complaint")
    shown["patchwork"]["complaint"]["insists"] = why == "no key"
    page = look(shown, can_touch=why != "no key")

    page.locator(".doubt-title").wait_for()
    expect(page.locator("[data-key=insist]")).to_have_count(0)


def test_a_player_insists_on_a_placement_and_stops_a_foreseen_one(
    open_page: Callable[..., Page], table: FeedingServer, situation: Callable[..., Any]
) -> None:
    page = open_page("complaint")
    table.answer = (200, {"ok": True, "says": "Boris has meant it."})
    page.get_by_role("button", name="It is right as it is").click()
    assert table.nth_post(1) == ("/api/insist", {})
    page.get_by_text("Boris has meant it.").wait_for()

    stop = ("/api/press", {"button": "undo", "question": 0})
    table.show("foreseen")
    table.answer = (200, {"ok": True, "says": "It is stopped."})
    page.get_by_role("button", name="Stop", exact=True).click()
    assert table.nth_post(2) == stop
    page.get_by_text("It is stopped.").wait_for()

    first = situation("foreseen")
    first["game"]["decisions"] = 0
    table.show("start")
    expect(page.locator("[data-key=undo]")).to_have_attribute("aria-disabled", "true")
    table.show(first)
    page.set_viewport_size(PHONE["viewport"])
    expect(page.locator(".doubt-line")).to_contain_text("In 2 s:", use_inner_text=True)
    expect(page.locator("[data-key=undo] .push-sense")).to_have_text("Stop")
    page.locator("[data-key=undo]").click()
    assert table.nth_post(3) == stop, "it stops even the first move"


def test_a_placement_is_entered_by_hand(
    open_page: Callable[..., Page], table: FeedingServer, situation: Callable[..., Any]
) -> None:
    page = open_page("middle")
    enter, is_there = (page.get_by_role("button", name=name) for name in ("Enter by hand", "It is there"))
    enter.click()
    pressed = page.locator(".tap-cell[aria-pressed=true]")

    covered = situation("middle")["patchwork"]["seats"][1]["pieces"][0]["cells"][0]
    cell = page.locator(f".tap-cell[data-key={covered}]")
    cell.click(force=True)
    expect(cell).to_have_attribute("aria-pressed", "false")
    expect(cell).to_have_attribute("aria-label", f"{covered}, already covered")

    page.locator(".tap-cell[data-key=A9]").focus()
    for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(pressed).to_have_count(1)
    expect(pressed).to_have_attribute("data-key", "A8")
    expect(page.locator(".tap-cell[data-key=A8]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(pressed).to_have_count(0)

    for name in ("A9", "B9", "C9"):
        page.locator(f".tap-cell[data-key={name}]").click()
    expect(page.get_by_text("none of the patches on offer has this shape")).to_be_visible()
    expect(is_there).to_have_attribute("aria-disabled", "true")
    for name in ("D9", "A8"):
        page.locator(f".tap-cell[data-key={name}]").click()
    expect(page.get_by_text("The long hook, for 10 buttons.")).to_be_visible()
    is_there.click()
    page.wait_for_selector("dialog", state="detached")
    path, body = table.nth_post(1)
    assert path == "/api/override"
    assert (body["seat"], sorted(body["cells"]), body["patch"]) == (2, ["A8", "A9", "B9", "C9", "D9"], "long-hook")

    shown = situation("leather")
    seat = shown["patchwork"]["turn"]["seat"]
    taken = {cell for piece in shown["patchwork"]["seats"][seat - 1]["pieces"] for cell in piece["cells"]}
    free = next(f"{column}{row}" for row in range(1, 10) for column in "ABCDEFGHI" if f"{column}{row}" not in taken)
    table.show(shown)
    expect(page.locator(f"#seat-{seat} .piece")).to_have_count(len(shown["patchwork"]["seats"][seat - 1]["pieces"]))
    enter.click()
    page.locator(f".tap-cell[data-key={free}]").click()
    is_there.click()
    page.wait_for_selector("dialog", state="detached")
    assert table.nth_post(2) == ("/api/override", {"seat": seat, "cells": [free], "patch": None}), "leather is one cell"

    shown = situation("start")
    shown["patchwork"]["seats"][0]["pieces"] = [
        {"patch": "hook-t2", "cells": ["A1", "A2", "B2", "C2"], "turn": 1, "new": True}
    ]
    table.show(shown)
    page.get_by_role("button", name="It was the slow hook, not the quick hook").click()
    page.get_by_role("button", name="slow hook: costs 4, time 6").click()
    page.wait_for_selector("dialog", state="detached")
    assert table.nth_post(3) == ("/api/name", {"patch": "hook-t6"})


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


def test_a_hint_is_read_where_it_is_shown_and_tells_more_when_it_is_asked(
    open_page: Callable[..., Page], table: FeedingServer
) -> None:
    says = ["Think of the buttons.", "Take the hat.", "Lay the hat on A1."]
    for depth, hint in enumerate(says, start=1):
        table.json[f"/api/games/7/hint/{depth}"] = {"ok": True, "says": hint, "deeper": depth < len(says)}
    page = open_page("start")
    page.get_by_role("button", name="A hint").click()
    for hint in says:
        expect(page.locator("#controls .said")).to_contain_text(hint)
        # It is asked for at the bottom of the page.
        expect(page.locator("#controls .said")).to_be_in_viewport(ratio=1)
        if hint != says[-1]:
            page.get_by_role("button", name="Tell me more").click()
    expect(page.get_by_role("button", name="Tell me more")).to_have_count(0)
