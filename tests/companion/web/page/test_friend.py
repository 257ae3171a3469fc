"""Test the friend at another table on the page: who it is, whether that table is on, and words there and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
