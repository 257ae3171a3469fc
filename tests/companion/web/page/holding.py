"""Answers that come when a test says so: the order in which a page hears of things is the test's."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.companion.web.page.served import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Page, Request, Route

_TAKEN: Final = """async () => {
  await fetch("/static/icon.svg", { cache: "no-store" });
  for (const _ of "..") await new Promise(requestAnimationFrame);
}"""
"""Lasts until a page has long taken what had come before, and has drawn what follows from it."""


@dataclass(slots=True)
class _Request:
    """A request that is held, and the server's answer to it once that has come."""

    route: Route
    response: APIResponse | None = None


def settle(page: Page) -> None:
    """Wait until the page has taken what has come to it, and is drawn."""
    page.evaluate(_TAKEN)


class Held:
    """Requests that the server answers at once and whose answers the page gets only when they are released.

    Args:
        page: asks.
        pattern: which addresses, as a glob.
        method: with which method.
    """

    def __init__(self, page: Page, pattern: str, method: str = "GET") -> None:
        self._page, self._pattern, self._method = page, pattern, method
        self._held: list[_Request] = []
        page.route(pattern, self._hold)

    def wait(self, count: int = 1) -> None:
        """Wait until so many are held.

        Raises:
            AssertionError: there are fewer in the end.
        """
        ends_s = time.monotonic() + PATIENCE_S
        while len(self._held) < count or not all(each.response for each in self._held[:count]):
            assert time.monotonic() < ends_s, f"{len(self._held)} of {count} were asked for"
            self._page.wait_for_timeout(5)

    def release(self, place: int = 0) -> None:
        """Let the page have an answer, the oldest by default, and wait until it has taken it."""
        self.wait(place + 1)
        held = self._held.pop(place)
        held.route.fulfill(response=held.response)
        settle(self._page)

    def end(self) -> None:
        """Hold nothing from now on."""
        self._page.unroute(self._pattern, self._hold)

    def _hold(self, route: Route, request: Request) -> None:
        if request.method != self._method:
            route.fallback()
            return
        # Answers may come in another order than the requests: these keep theirs.
        held = _Request(route)
        self._held.append(held)
        held.response = route.fetch()
