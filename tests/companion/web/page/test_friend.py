"""Test the friend at another table on the page: who it is, whether that table is on, and words there and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.companion.web.page.pointing import DESK, PHONE
from tests.companion.web.page.scenes import scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.companion.web.page.feeding import FeedingServer


def with_friend(**changed: Any) -> dict[str, Any]:
    """Return a table whose seat 2 belongs to a friend."""
    friend = {"seat": 2, "name": "Boris", "code": "KQ7X-M4PD", "is_there": True, "word": "", "own_word": "", "wish": 0}
    return {**scene("start"), "friend": {**friend, **changed}}


def test_without_a_friend_there_is_no_room_for_one(look: Callable[..., Page]) -> None:
    expect(look("start").locator("#friend")).to_be_hidden()


@pytest.mark.parametrize(
    ("is_there", "says"),
    [(True, "The other table is on."), (False, "The other table is away"), (None, "Looking for the other table")],
)
def test_the_friend_s_name_and_table_are_shown(look: Callable[..., Page], *, is_there: bool | None, says: str) -> None:
    friend = look(with_friend(is_there=is_there)).locator("#friend")
    expect(friend).to_contain_text("Boris, at the other table")
    expect(friend).to_contain_text(says)
    expect(friend.get_by_text("KQ7X-M4PD")).to_have_count(0 if is_there else 1)


def test_the_code_is_shown_while_the_friend_is_awaited(look: Callable[..., Page]) -> None:
    shown = with_friend(name="")
    page = look({**shown, "game": None, "patchwork": None, "phase": "waiting"})
    expect(page.locator("#turn")).to_contain_text("Waiting for your friend")
    expect(page.locator("#turn")).to_contain_text("KQ7X-M4PD")
    expect(page.locator("#friend")).to_be_hidden()


_LINES: Final = """(sentence) => {
  const lines = new Set();
  for (const walker = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT); walker.nextNode(); ) {
    for (const { index } of walker.currentNode.data.matchAll(/KQ7X-M4PD/g)) {
      const code = document.createRange();
      code.setStart(walker.currentNode, index);
      code.setEnd(walker.currentNode, index + 9);
      lines.add(code.getClientRects().length);
    }
  }
  return [...lines];
}"""
"""Returns the numbers of lines in which a sentence's codes are written."""


@pytest.mark.parametrize("place", ["#turn .turn-awaits", "#friend .friend-code"], ids=["awaited", "away"])
def test_a_code_is_never_broken_at_its_hyphen_and_is_copied_whole(open_page: Callable[..., Page], place: str) -> None:
    shown = with_friend(is_there=False)
    if place.startswith("#turn"):
        says = "The code of this game is KQ7X-M4PD. Your friend enters it, or types: companion play --code KQ7X-M4PD"
        shown = with_friend(name="") | {"game": None, "patchwork": None, "phase": "waiting"}
        shown["table"] = shown["table"] | {"waiting_for": says}
    page = open_page(shown)
    sentence = page.locator(place)
    for width in range(240, 500, 20):
        page.set_viewport_size({"width": width, "height": 800})
        assert sentence.evaluate(_LINES) == [1], width
    page.locator("#turn .code, #friend .code").first.dblclick(position={"x": 4, "y": 4})
    assert page.evaluate("getSelection().toString()") == "KQ7X-M4PD"


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_words_come_and_go(open_page: Callable[..., Page], table: FeedingServer, device: dict[str, Any]) -> None:
    page = open_page(with_friend(), **device)
    page.get_by_label("A word to Boris").fill("Well played!")
    # What is being typed outlasts what comes meanwhile.
    table.show(with_friend(word="👏", own_word=""))
    expect(page.locator(".friend-word")).to_have_text("👏")
    page.get_by_role("button", name="Send").click()
    assert table.nth_post(1) == ("/api/word", {"text": "Well played!"})
    expect(page.get_by_label("A word to Boris")).to_have_value("")
    page.get_by_role("button", name="👍").click()
    assert table.nth_post(2) == ("/api/word", {"text": "👍"})
    table.show(with_friend(word="👏", own_word="👍"))
    expect(page.locator(".friend-own")).to_have_text("You: 👍", use_inner_text=True)
    table.show(with_friend(wish=2))
    expect(page.locator("#turn .now")).to_have_text(
        "Boris asks to take back 2 decisions. Press undo if you agree, or just go on."
    )


def test_a_friend_s_wish_reads_in_the_direction_of_the_page(look: Callable[..., Page]) -> None:
    asks = look(with_friend(wish=1), "/?language=fa").locator("#turn .now")
    expect(asks).to_contain_text("Boris")
    expect(asks).to_have_css("direction", "rtl")


def test_those_who_watch_read_the_words_and_send_none(look: Callable[..., Page]) -> None:
    page = look(with_friend(word="hello"), can_touch=False)
    expect(page.locator(".friend-word")).to_have_text("hello")
    expect(page.get_by_role("button", name="Send")).to_have_count(0)
