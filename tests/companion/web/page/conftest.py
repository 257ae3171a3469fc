"""The page in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from companion.web import routing
from tests.companion.web.page.browsing import BROWSER, DRAWN, USUAL, Driven, await_true, new_page
from tests.companion.web.page.feeding import FeedingServer
from tests.companion.web.page.scenes import scene
from tests.companion.web.page.served import PATIENCE_MS, PatchworkTable, await_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

expect.set_options(timeout=PATIENCE_MS)

_DRIVEN: Final = Driven()


@pytest.fixture
def table() -> Iterator[FeedingServer]:
    """A server of snapshots that a test sets."""
    server = FeedingServer(_DRIVEN.outlet)
    yield server
    server.cut()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser after this folder's tests: its driver's event loop would block those of other tests."""
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        _DRIVEN.close()


@pytest.fixture(autouse=True)
def one_process() -> Iterator[None]:
    """Let servers within the test send no opener policy, for which a browser starts a new process for each page.

    That is a third of the loading. The evening at a started program, and the tests of the headers, have the policy.
    """
    # Not the test's own `monkeypatch`, whose changes would then outlast the test's other fixtures.
    with pytest.MonkeyPatch.context() as patches:
        patches.delitem(routing._OF_DOCUMENTS, "cross-origin-opener-policy")
        yield


@pytest.fixture
def browser() -> Iterator[Browser]:
    """The distribution's Chromium, without a page; tests that need it are skipped if it is not installed."""
    if BROWSER is None:
        pytest.skip("no Chromium is installed")
    yield _DRIVEN.browser
    _DRIVEN.close_contexts()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A function that opens a page, with the options of a new context.

    The first page that a test opens is a shared one, unless the test needs its own: with `alone`, because its changes
    to the page cannot be undone or its browser must have loaded nothing, or because its options need a context of
    their own.

    Of several addresses only the last is shown: the others are requested for their cookies, such as a table's key.
    A `cookie` (its name and value) is set without a request: a table refuses links that come one upon the other.
    Any error in the page's scripts and any breach of its policy fails the test.
    """
    faults: list[str] = []
    contexts = []

    def opened(*addresses: str, alone: bool = False, cookie: tuple[str, str] | None = None, **options: Any) -> Page:
        page = None if alone else _DRIVEN.borrow(options)
        if page is None:
            contexts.append(browser.new_context(**{**USUAL, **options}))
            page = new_page(contexts[-1], faults)
        if cookie is not None:
            page.context.add_cookies([{"name": cookie[0], "value": cookie[1], "url": addresses[-1]}])
        for address in addresses[:-1]:
            page.context.request.get(address)
        for address in addresses[-1:]:
            page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults + _DRIVEN.give_back() == []


@pytest.fixture
def open_page(visit: Callable[..., Page], table: FeedingServer) -> Callable[..., Page]:
    """A function that opens the page on a scene, with a path and the options of `visit`."""

    def opened(shown: str | dict[str, Any], path: str = "/", **options: Any) -> Page:
        shown = scene(shown) if isinstance(shown, str) else shown
        table.show(shown)
        page = visit(table.url + path, **options)
        await_true(page, DRAWN, {"game": (shown["game"] or {}).get("name")})
        return page

    return opened


@pytest.fixture(scope="module")
def displays() -> Iterator[Driven]:
    """The pages that a module's tests only look at."""
    yield _DRIVEN
    _DRIVEN.close_displays()


@pytest.fixture
def look(browser: Browser, displays: Driven) -> Iterator[Callable[..., Page]]:
    """A function that shows a scene on a page which stays open, for a test that only looks at what is drawn.

    The next test finds the page as this one leaves it, but for its scene, size and theme: whoever clicks, types,
    moves the pointer or changes the page in another way takes `open_page`.
    """
    del browser  # It skips the test if there is none.

    def shows(
        shown: str | dict[str, Any],
        path: str = "/",
        *,
        can_touch: bool = True,
        answers: dict[str, Any] | None = None,
        **options: Any,
    ) -> Page:
        shown = scene(shown) if isinstance(shown, str) else shown
        display = displays.display(options)
        return display.show(shown, path, options, can_touch=can_touch, answers=answers or {})

    yield shows
    assert displays.faults_of_displays() == []


@pytest.fixture(scope="module")
def virtual_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PatchworkTable]:
    """A virtual table of Patchwork that all tests of a module use, one after the other."""
    with PatchworkTable(tmp_path_factory.mktemp("table")) as served:
        yield served


@pytest.fixture
def patchwork(virtual_table: PatchworkTable) -> Iterator[PatchworkTable]:
    """That table with nothing on the boards."""
    yield virtual_table
    virtual_table.clear()


@pytest.fixture
def sit_down(patchwork: PatchworkTable, visit: Callable[..., Page]) -> Callable[..., Page]:
    """A function that opens the virtual table's page with its key, with a path and the options of a new context."""

    def opened(path: str = "", **options: Any) -> Page:
        access = patchwork.companion.site().access
        page = visit(patchwork.companion.door.address + path, cookie=(access.cookie, access.keys.key), **options)
        await_table(page)
        return page

    return opened


@pytest.fixture
def finger() -> Callable[[Page, tuple[float, float], tuple[float, float]], None]:
    """A function that drags with a finger from a place in the window to another."""

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
    """A function that returns a scene's snapshot, for comparison or to be changed before it is shown."""
    return scene
