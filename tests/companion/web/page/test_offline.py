"""The page where the table is out of reach: its frame comes up and says so; a game that was is never shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from companion.config import PageConfig
from companion.games.patchwork import Setup, new_game
from companion.play import events
from companion.registry import pages
from companion.web.page import PageServer as Companion

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

KEPT: Final = """async () => {
  const kept = await (await caches.open("page")).keys();
  const names = kept.map(({ url }) => new URL(url).pathname);
  return names.includes("/") && names.some((name) => name.endsWith("/page.js")) && names.includes("/texts/ru.json");
}"""


def test_the_frame_says_that_the_table_is_out_of_reach(visit: Callable[..., Page]) -> None:
    with Companion(pages(), PageConfig(port=0)) as companion:
        companion(events.GameOpened(1, new_game(Setup(players=("Anna", "Boris"))), 0))
        page = visit(f"{companion.address}?language=ru", service_workers="allow")
        expect(page.locator("#turn h2")).to_contain_text("Anna")
        page.wait_for_function(KEPT)
        assert page.evaluate("caches.match('/api/events')") is None
        page.reload()
        expect(page.locator("#turn h2")).to_contain_text("Anna")

    page.reload()

    expect(page.locator("#banner")).to_have_text("Стол недоступен. Страница вернётся к нему сама.")
    expect(page.locator("#seat-1")).to_be_hidden()
    expect(page.locator("body")).not_to_contain_text("Anna")
