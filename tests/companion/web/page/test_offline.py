"""Test the page when the table cannot be reached: its frame says so, and never shows an old game."""

from __future__ import annotations

from shutil import copytree
from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from companion.config import PageConfig
from companion.games.patchwork.rules import new_game
from companion.games.patchwork.state import Setup
from companion.play import events
from companion.registry import pages
from companion.web.files import StaticFiles, files_of
from companion.web.page import PageServer as Companion
from companion.web.routing import STATIC
from tests.companion.web.page.browsing import await_true

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest
    from playwright.sync_api import Page

KEPT: Final = """async () => {
  const kept = await (await caches.open("page")).keys();
  const names = kept.map(({ url }) => new URL(url).pathname);
  return names.includes("/") && names.some((name) => name.endsWith("/js/main.js")) && names.includes("/texts/ru.json");
}"""
WHOLE: Final = """async (version) => {
  const kept = await (await caches.open("page")).keys();
  const files = kept.map(({ url }) => new URL(url).pathname).filter((name) => name.startsWith("/files/"));
  const page = await (await caches.match("/"))?.text();
  return files.length > 1 && files.every((name) => name.startsWith(`/files/${version}/`)) && page?.includes(version);
}"""
"""Whether the page and all its files are cached, of one version and of no other."""
TOUCHED: Final = """() => new Promise((brought) => {
  WindowClient.prototype.focus = function () { brought(new URL(this.url).pathname); };
  const event = new ExtendableEvent("notificationclick");
  self.dispatchEvent(Object.assign(event, { notification: { close() {} } }));
})"""
"""Returns the page that the worker opens when its notification is clicked; without a gesture a browser refuses to."""


def test_the_frame_of_the_newest_version_says_that_the_table_is_out_of_reach(
    visit: Callable[..., Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Companion(pages(), PageConfig(port=0)) as companion:
        companion(events.GameOpened(1, new_game(Setup(players=("Anna", "Boris")))))
        page = visit(f"{companion.door.address}?language=ru", service_workers="allow")
        expect(page.locator("#turn h2")).to_contain_text("Anna")
        await_true(page, KEPT)
        await_true(page, WHOLE, files_of(STATIC).version)
        assert page.evaluate("caches.match('/api/events')") is None
        assert page.context.service_workers[0].evaluate(TOUCHED) == "/"
        page.reload()
        expect(page.locator("#turn h2")).to_contain_text("Anna")

    page.reload()

    expect(page.locator("#banner")).to_have_text("Стол недоступен. Страница подключится снова сама.")
    expect(page.locator("#turn h2")).to_have_text("Стол не отвечает")
    expect(page.locator("#seat-1")).to_be_hidden()
    expect(page.locator("body")).not_to_contain_text("Anna")

    # The program is renewed.
    copytree(STATIC, tmp_path / "static")
    (tmp_path / "static/icon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    renewed = StaticFiles(tmp_path / "static")
    for module in ("files", "routing"):
        monkeypatch.setattr(f"companion.web.{module}.files_of", lambda _: renewed)

    with Companion(pages(), PageConfig(port=companion.door.port)) as companion:
        page.goto(companion.door.address)
        await_true(page, WHOLE, renewed.version)
    page.reload()

    expect(page.locator("#banner")).to_have_text("The table cannot be reached. This page reconnects by itself.")
