"""Answers that are released by a test, which thereby controls their order."""

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
"""Takes until a page has processed all that it received before, and has drawn the result."""


@dataclass(slots=True)
class _Request:
    """A held request, and the server's answer once it has come."""

    address: str
    route: Route
    response: APIResponse | None = None


def settle(page: Page) -> None:
    """Wait until the page has processed what it received and is drawn."""
    page.evaluate(_TAKEN)


class Held:
    """Requests that the server answers at once and whose answers reach the page only when they are released.

    Args:
        page: the page that makes the requests.
        pattern: a glob of the addresses.
        method: the requests' method.
    """

    def __init__(self, page: Page, pattern: str, method: str = "GET") -> None:
        self._page, self._pattern, self._method = page, pattern, method
        self._held: list[_Request] = []
        page.route(pattern, self._hold)

    def wait(self, count: int = 1) -> None:
        """Wait until this number of requests is held.

        Raises:
            AssertionError: there are fewer in time.
        """
        ends_s = time.monotonic() + PATIENCE_S
        while len(self._held) < count or not all(each.response for each in self._held[:count]):
            assert time.monotonic() < ends_s, f"{len(self._held)} of {count} were asked for"
            self._page.wait_for_timeout(5)

    def release(self, place: int = 0) -> None:
        """Release an answer, the oldest by default, and wait until the page has processed it."""
        self.wait(place + 1)
        self._pass_on(self._held.pop(place))

    def release_of(self, part: str, *, among: int) -> None:
        """Release the answer to a request by a part of its address, once this number of requests is held.

        Two requests may arrive in another order than the page sent them.
        """
        self.wait(among)
        (held,) = (each for each in self._held if part in each.address)
        self._held.remove(held)
        self._pass_on(held)

    def _pass_on(self, held: _Request) -> None:
        held.route.fulfill(response=held.response)
        settle(self._page)

    def end(self) -> None:
        """Stop holding requests."""
        self._page.unroute(self._pattern, self._hold)

    def _hold(self, route: Route, request: Request) -> None:
        if request.method != self._method:
            route.fallback()
            return
        # The server may answer in another order: the list keeps that of the requests.
        held = _Request(request.url, route)
        self._held.append(held)
        held.response = route.fetch()
