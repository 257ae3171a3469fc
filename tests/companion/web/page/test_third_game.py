"""Test that a game without a module of its own is shown by its sentences and played with the three buttons."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from companion.play import events
from companion.play.page import Visibility
from companion.registry import pages
from companion.web.account import AccountBuilder, snapshot
from tests.companion.web.page.accessibility import findings
from tests.dominoes.game import DOMINO_PAGE
from tests.dominoes.rules import History, Lay, Setup

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.companion.web.page.feeding import FeedingServer


def evening() -> dict[str, Any]:
    """Return the snapshot of a game in which one domino was laid."""
    history, builder = History(Setup()), AccountBuilder({**pages(), "dominoes": DOMINO_PAGE})
    builder.set_visibility(Visibility(camera=True))
    builder(events.GameOpened(3, history.state))
    lay = Lay(1, ("A1", "B1"))
    builder(events.DecisionTaken(lay, (), history.apply(lay)))
    return dict(json.loads(json.dumps(snapshot(builder.account))))


def test_a_game_without_a_module_is_shown_and_played(open_page: Callable[..., Page], table: FeedingServer) -> None:
    page = open_page(evening())

    expect(page.locator("#turn h2")).to_have_text("Dominoes", use_inner_text=True)
    expect(page.locator("#turn")).to_contain_text("It is Boris’s turn.")
    expect(page.locator("#news .news-item").first).to_have_text("Anna lays a domino on A1 B1.", use_inner_text=True)
    for button in ("confirm", "advance", "undo"):
        table.posts.clear()
        page.locator(f'[data-key="{button}"]').click()
        assert table.post() == ("/api/press", {"button": button, "question": 0})
        page.locator(f'[data-key="{button}"]:not([aria-busy])').wait_for()
    assert findings(page) == []
