"""The browser that a worker's tests share, and the page in it that most of them share, too."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Error

from tests.companion.web.page.feeding import FeedingServer, Outlet
from tests.companion.web.page.served import PATIENCE_MS, PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Frame, Page

_BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The browsers, best first: the shell has no window around the page, and the whole browser takes twice as long."""
BROWSER: Final = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
ARGUMENTS: Final = ("--no-sandbox", "--force-gpu-mem-available-mb=1", "--js-flags=--no-opt,--no-maglev")
"""Little memory for pictures, so that only what is in the window is painted, not what is far below it. No optimising
compiler for scripts: none runs for long here, and its work would be discarded with the page."""
USUAL: Final[dict[str, Any]] = {
    "viewport": {"width": 1366, "height": 768},
    "locale": "en-GB",
    # A tenth of what the browser does is motion. Tests that see it, or play through it, ask for it.
    "reduced_motion": "reduce",
    # Requests of a service worker bypass a test's routes.
    "service_workers": "block",
}
CHANGEABLE: Final = frozenset({"viewport", "color_scheme", "reduced_motion"})
"""The options of a new context that can also be changed while a page is open."""
_KINDS: Final = frozenset({"has_touch", "is_mobile"})
"""The other options with which a page is shared, one page for every kind of device."""


def new_page(context: BrowserContext, faults: list[str]) -> Page:
    """Open a page without an address; errors in its scripts and breaches of its policy are added to `faults`."""

    def on_console(message: ConsoleMessage) -> None:
        if "Content Security" in message.text:
            faults.append(message.text)

    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", on_console)
    return page


_AWAITED: Final = """async ([arg, patience_ms]) => {
  const holds = %s;
  for (const ends = performance.now() + patience_ms; performance.now() < ends; ) {
    if ((await holds(arg)) === true) return true;
    await new Promise((goOn) => setTimeout(goOn, 10));
  }
  return false;
}"""
"""Polls within the page: each call from outside costs a page as much as drawing itself."""


def await_true(page: Page, script: str, arg: object = None) -> None:
    """Wait until an asynchronous script yields true; `wait_for_function` would take its promise as true.

    Raises:
        AssertionError: it does not in time.
    """
    ends_s = time.monotonic() + PATIENCE_S
    while not _is_true(page, script, arg):
        assert time.monotonic() < ends_s, f"this is not true before long: {script}"
        page.wait_for_timeout(5)


def _is_true(page: Page, script: str, arg: object) -> bool:
    try:
        return page.evaluate(_AWAITED % script, [arg, PATIENCE_MS]) is True
    except Error as error:
        # The page is navigating or reloading.
        if "Execution context was destroyed" not in str(error):
            raise
        return False


def set_changeable(page: Page, options: dict[str, Any]) -> None:
    """Set the options of `CHANGEABLE`; those that are not given are as usual."""
    page.set_viewport_size(options.get("viewport") or USUAL["viewport"])
    page.emulate_media(
        color_scheme=options.get("color_scheme", "light"),
        reduced_motion=options.get("reduced_motion", USUAL["reduced_motion"]),
    )


class SharedPage:
    """A page that tests use one after the other: creating one is half the cost of a test's own page.

    Args:
        browser: the browser.
        kind: the options that cannot be changed.

    Attributes:
        faults: the errors in its scripts since the last test.
        is_taken: whether the current test uses it.
    """

    def __init__(self, browser: Browser, kind: dict[str, Any]) -> None:
        self.context = browser.new_context(**{**USUAL, **kind})
        self.faults: list[str] = []
        self.is_taken = False
        self.page = new_page(self.context, self.faults)
        self._session = self.context.new_cdp_session(self.page)
        self._visited: set[str] = set()
        self.page.on("framenavigated", self._on_navigated)

    def take(self, options: dict[str, Any]) -> Page:
        """Return the page, without an address, with options from `CHANGEABLE`."""
        self.is_taken = True
        set_changeable(self.page, options)
        return self.page

    def leave(self) -> None:
        """Reset the page: stop its scripts, move the pointer away, clear what the browser stores."""
        self.page.unroute_all()
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")
        self.context.clear_cookies()
        for origin in self._visited:
            self._session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage"})
        self._visited.clear()
        self.faults.clear()
        self.is_taken = False

    def _on_navigated(self, frame: Frame) -> None:
        address = urlsplit(frame.url)
        if address.netloc:
            self._visited.add(f"{address.scheme}://{address.netloc}")


_TELLS_WHAT_IT_HAS_HEARD: Final = """
const Usual = window.EventSource;
window.EventSource = class extends Usual {
  constructor(...all) {
    super(...all);
    this.addEventListener("shown", (event) => { window.shown = JSON.parse(event.data); });
  }
};"""
"""Keeps the number of the newest message of the topic `shown`, before which the page has received all others."""
DRAWN: Final = """async ({ game = null, number = null }) => {
  if (!document.querySelector("#turn h2")) return false;
  if (number !== null && window.shown !== number) return false;
  if (game && document.documentElement.dataset.game !== game) return false;
  if (document.querySelector("#game").ariaBusy !== "false") return false;
  if (number !== null) window.scrollTo({ top: 0, behavior: "instant" });
  await document.fonts.ready;
  for (const _ of "..") await new Promise(requestAnimationFrame);
  return true;
}"""
"""Whether the page has its game, its answers and its typefaces, after which it does not redraw by itself."""


class Display:
    """A page that stays open while the table shows one scene after the other, as a television on the wall.

    It saves the tests which only look at a scene the loading of the page, more than half of what they take.

    Args:
        browser: the browser.
        kind: the options that cannot be changed.

    Attributes:
        faults: the errors in its scripts since the last test.
    """

    def __init__(self, browser: Browser, kind: dict[str, Any]) -> None:
        self._outlet = Outlet()
        self._table = FeedingServer(self._outlet)
        self.context = browser.new_context(**{**USUAL, **kind})
        self.faults: list[str] = []
        self._page = new_page(self.context, self.faults)
        self._page.add_init_script(_TELLS_WHAT_IT_HAS_HEARD)
        self._place: tuple[str, bool, str] | None = None
        self._number = 0

    def show(
        self, shown: dict[str, Any], path: str, options: dict[str, Any], *, can_touch: bool, answers: dict[str, Any]
    ) -> Page:
        """Show a scene at a path; the page is loaded only if it was at another path or asked for other answers."""
        set_changeable(self._page, options)
        self._number += 1
        self._table.show(shown)
        self._table.send("shown", self._number)
        place = (path, can_touch, json.dumps(answers))
        if place != self._place:
            self._table.can_touch, self._table.json = can_touch, answers
            self._page.goto(self._table.url + path)
            self._place = place
        await_true(self._page, DRAWN, {"game": (shown["game"] or {}).get("name"), "number": self._number})
        return self._page

    def close(self) -> None:
        """Close the page and its table."""
        self.context.close()
        self._table.cut()
        self._outlet.close()


class Driven:
    """The distribution's Chromium, started once for all of a worker's consecutive tests of this folder."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browser: Browser | None = None
        self._shared: dict[frozenset[tuple[str, Any]], SharedPage] = {}
        self._displays: dict[frozenset[tuple[str, Any]], Display] = {}
        self._outlet: Outlet | None = None

    @property
    def browser(self) -> Browser:
        """The browser, started if necessary."""
        if self._browser is None:
            from playwright.sync_api import sync_playwright  # noqa: PLC0415

            playwright = self._open.enter_context(sync_playwright())
            self._browser = playwright.chromium.launch(executable_path=BROWSER, args=[*ARGUMENTS])
            self._open.callback(self._browser.close)
        return self._browser

    def borrow(self, options: dict[str, Any]) -> Page | None:
        """Return a shared page for a test, None if it has it already or its options need a context of their own."""
        if not (CHANGEABLE | _KINDS).issuperset(options):
            return None
        kind, key = _kind(options)
        if key not in self._shared:
            self._shared[key] = SharedPage(self.browser, kind)
        shared = self._shared[key]
        return None if shared.is_taken else shared.take(options)

    def display(self, options: dict[str, Any]) -> Display:
        """Return the page for those who only look, of the kind of these options."""
        kind, key = _kind(options)
        if key not in self._displays:
            self._displays[key] = Display(self.browser, kind)
        return self._displays[key]

    def faults_of_displays(self) -> list[str]:
        """Return the errors in the displays' scripts since the last call."""
        faults = [fault for display in self._displays.values() for fault in display.faults]
        for display in self._displays.values():
            display.faults.clear()
        return faults

    def close_displays(self) -> None:
        """Close all displays: even a page at which nobody looks is drawn."""
        for display in self._displays.values():
            display.close()
        self._displays.clear()

    @property
    def outlet(self) -> Outlet:
        """The address of the tests' own servers."""
        if self._outlet is None:
            self._outlet = Outlet()
            self._open.callback(self._outlet.close)
        return self._outlet

    def close_contexts(self) -> None:
        """Close all contexts except those of the shared pages and the displays."""
        shared = [one.context for one in self._shared.values()]
        shared += [one.context for one in self._displays.values()]
        for context in self.browser.contexts:
            if context not in shared:
                context.close()

    def give_back(self) -> list[str]:
        """Reset the shared pages that a test used and return the errors of their scripts."""
        faults: list[str] = []
        for key, shared in list(self._shared.items()):
            if shared.is_taken:
                faults += shared.faults
                try:
                    shared.leave()
                except Error as error:
                    faults.append(str(error))
                    shared.context.close()
                    del self._shared[key]
        return faults

    def close(self) -> None:
        """Close the browser and its driver, if they run."""
        self.close_displays()
        self._browser, self._shared, self._outlet = None, {}, None
        self._open.close()


def _kind(options: dict[str, Any]) -> tuple[dict[str, Any], frozenset[tuple[str, Any]]]:
    """Return the options that cannot be changed, and a key for them."""
    kind = {name: options[name] for name in _KINDS & options.keys()}
    return kind, frozenset(kind.items())
