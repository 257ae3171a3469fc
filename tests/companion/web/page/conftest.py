"""The page in a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.companion.web.page.feeding import FeedingServer
from tests.companion.web.page.scenes import scene
from tests.companion.web.page.served import PATIENCE_MS, PatchworkTable, await_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

_BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The shell draws no window around the page: the whole browser takes twice as long for the same."""
BROWSER: Final = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
ARGUMENTS: Final = ("--no-sandbox", "--force-gpu-mem-available-mb=1")
"""Little memory for pictures: only what is in the window is painted, not what lies far below it."""
USUAL: Final[dict[str, Any]] = {"viewport": {"width": 1366, "height": 768}, "locale": "en-GB"}
expect.set_options(timeout=PATIENCE_MS)

_DRAWN: Final = """async () => {
  const asked = ["/api/me", "/api/box"].map((path) => new URL(path, location.href).href);
  if (!asked.every((address) => performance.getEntriesByName(address).length)) return false;
  await document.fonts.ready;
  for (const _ of "..") await new Promise(requestAnimationFrame);
  return true;
}"""
"""Whether the page has its answers and its typefaces, after which nothing is drawn anew of itself."""


@pytest.fixture
def table() -> Iterator[FeedingServer]:
    """A server that shows what a test tells it to."""
    server = FeedingServer()
    yield server
    server.close()


class _Driven:
    """The distribution's Chromium, started once for all tests of this folder that a worker runs one after the other."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browser: Browser | None = None

    @property
    def browser(self) -> Browser:
        """The browser, started where it does not run."""
        if self._browser is None:
            from playwright.sync_api import sync_playwright  # noqa: PLC0415

            playwright = self._open.enter_context(sync_playwright())
            self._browser = playwright.chromium.launch(executable_path=BROWSER, args=[*ARGUMENTS])
            self._open.callback(self._browser.close)
        return self._browser

    def close(self) -> None:
        """Close it and its driver, if they run."""
        self._browser = None
        self._open.close()


_DRIVEN: Final = _Driven()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """The driver keeps a loop running, in which no other test can run one: it must not outlive this folder's tests."""
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        _DRIVEN.close()


@pytest.fixture
def browser() -> Iterator[Browser]:
    """The distribution's Chromium, without a page; tests that need it are skipped where there is none."""
    if BROWSER is None:
        pytest.skip("no Chromium is installed")
    yield _DRIVEN.browser
    for context in _DRIVEN.browser.contexts:
        context.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page as somebody who was never there; takes what a new context takes.

    Of several addresses only the last is shown: the others are asked for what they give to keep, as a table's key is.
    Any error in the page's scripts and any breach of its policy fails the test.
    """
    faults: list[str] = []
    contexts = []

    def heed(told: ConsoleMessage) -> None:
        if "Content Security" in told.text:
            faults.append(told.text)

    def opened(*addresses: str, **options: Any) -> Page:
        context = browser.new_context(**{**USUAL, **options})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", heed)
        for address in addresses[:-1]:
            context.request.get(address)
        for address in addresses[-1:]:
            page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def open_page(visit: Callable[..., Page], table: FeedingServer) -> Callable[..., Page]:
    """Opens the page on a scene; takes a path too, and what a new context takes."""

    def opened(shown: str | dict[str, Any], path: str = "/", **options: Any) -> Page:
        table.show(shown)
        page = visit(table.url + path, **options)
        page.wait_for_selector("#turn h2")
        page.wait_for_function(_DRAWN)
        return page

    return opened


@pytest.fixture(scope="module")
def virtual_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PatchworkTable]:
    """A virtual table of Patchwork at which all tests of a module sit down, one after the other."""
    with PatchworkTable(tmp_path_factory.mktemp("table")) as served:
        yield served


@pytest.fixture
def patchwork(virtual_table: PatchworkTable) -> Iterator[PatchworkTable]:
    """The same, with nothing on the boards."""
    yield virtual_table
    virtual_table.clear()


@pytest.fixture
def sit_down(visit: Callable[..., Page], patchwork: PatchworkTable) -> Callable[..., Page]:
    """Opens the virtual table's page with its key; takes what follows its address, and what a new context takes."""

    def opened(path: str = "", **options: Any) -> Page:
        companion = patchwork.companion
        page = visit(companion.link, *([companion.address + path] if path else []), **options)
        await_table(page)
        return page

    return opened


@pytest.fixture
def finger() -> Callable[[Page, tuple[float, float], tuple[float, float]], None]:
    """Drags with a finger from a place in the window to another."""

    def drag(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
        session = page.context.new_cdp_session(page)
        for step in range(5):
            x, y = (a + (b - a) * step / 4 for a, b in zip(begin, end, strict=True))
            kind = "touchMove" if step else "touchStart"
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()

    return drag


@pytest.fixture
def situation() -> Callable[[str], dict[str, Any]]:
    """A snapshot of a scene, for what it should show or to be changed before it is shown."""
    return scene
