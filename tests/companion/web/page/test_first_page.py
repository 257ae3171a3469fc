"""Test how soon the board is shown: one answer of data after the files, all from this server, and small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from companion.config import PageConfig
from companion.games.patchwork.decisions import TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME
from companion.play import events
from companion.registry import pages
from companion.web.page import PageServer as Companion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, Route


LARGEST_BYTES: Final = 300_000
PIECES: Final = 4
DATA: Final = "/api/"
STREAM: Final = "/api/events"


@pytest.fixture(scope="module")
def companion(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    """The program's own server, in the middle of a game."""
    history = History(Setup(players=("Anna", "Boris")))
    with Companion(pages(), PageConfig(port=0), tmp_path_factory.mktemp("table") / JOURNAL_NAME) as companion:
        companion(events.GameOpened(1, history.state))
        while sum(isinstance(decision, TakePatch) for decision in history.decisions) < PIECES:
            legal = list(legal_decisions(history.state))
            decision = next((each for each in legal if isinstance(each, TakePatch)), legal[0])
            outcome = history.apply(decision)
            companion(events.DecisionTaken(decision, outcome.facts, outcome.state))
        yield companion


@pytest.mark.parametrize(("language", "whose"), [("en", "turn"), ("ru", "Ход"), ("fa", "نوبت")])
def test_one_answer_of_data_shows_the_board(
    visit: Callable[..., Page], companion: Companion, language: str, whose: str
) -> None:
    page = visit()
    asked: list[str] = []
    held: list[str] = []
    texts: list[Route] = []
    page.on("request", lambda request: asked.append(request.url))
    # Every other question stays without an answer.
    page.route(lambda address: DATA in address and STREAM not in address, lambda route: held.append(route.request.url))
    page.route(f"**/texts/{language}.json", lambda route: texts.append(route))  # noqa: PLW0108  # Playwright marks it
    # The table is asked before the language's texts have come.
    with page.expect_request(f"**{STREAM}*"):
        page.goto(f"{companion.door.address}?language={language}")
    while language != "en" and not texts:
        page.wait_for_timeout(10)
    for route in texts:
        route.continue_()
    expect(page.locator(".seat svg.quilt .piece")).to_have_count(PIECES)
    expect(page.locator("#turn h2")).to_contain_text(whose)
    expect(page.locator("#track svg, #track ol").first).to_be_visible()
    while len(held) < 2:
        page.wait_for_timeout(10)

    assert {urlsplit(address).path for address in held} == {"/api/me", "/api/box"}
    assert {urlsplit(address).netloc for address in asked} == {f"localhost:{companion.door.port}"}


def test_the_first_load_is_small(visit: Callable[..., Page], companion: Companion) -> None:
    page = visit()
    session = page.context.new_cdp_session(page)
    loaded: list[float] = []
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.on("Network.loadingFinished", lambda done: loaded.append(done["encodedDataLength"]))
    page.goto(f"{companion.door.address}?language=fa", wait_until="load")
    expect(page.locator(".seat svg.quilt .piece")).to_have_count(PIECES)
    page.wait_for_load_state("load")
    assert 20_000 < sum(loaded) <= LARGEST_BYTES
    session.detach()
