"""A page's application over a table that a test plays by hand."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from companion.config import PageConfig
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Decision
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.kvilt.defining.desk import DefiningDesk, open_desk
from companion.kvilt.defining.tables import new_tables
from companion.patchwork.page.interface import Boards
from companion.patchwork.watching.watch import Evidence
from companion.play.events import DecisionTaken, GameOpened
from companion.play.inbox import Inbox, Posted
from companion.registry import pages
from companion.terminal.photograph import load_photo
from companion.web import documents, photographing
from companion.web.access import Access, Keys, RateLimit
from companion.web.account import AccountBuilder, Gallery
from companion.web.archive import Archive
from companion.web.page import build_app
from companion.web.routing import COMMANDS, JOINS, MOVES, PICTURES
from companion.web.site import Site
from companion.web.transport.hub import Hub
from hardware.clock import Tempo
from hardware.ports import Frame
from tests.companion.announcing import AnnouncedAccount
from tests.companion.boxedsheet import photograph_blank
from vision.geometry import Homography

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.play.events import Event
    from companion.play.page import Exposure
    from companion.web.account import Account

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")
SETUP = Setup(players=("Anna", "Boris"), market=CIRCLE)
HERE = "http://localhost:8080"
_STEP_S = 0.001
"""Time between two steps of a table that a browser waits for: steps at full speed would take its time."""


class ManualClock:
    """A clock that a test advances."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def frame(name: str = "000001.jpg", grey: int = 90) -> Frame:
    """Return a grey picture of 200 x 120 pixels."""
    return Frame(np.full((120, 200, 3), grey, np.uint8), 1.0, name)


def place(left_px: float) -> Homography:
    """Return the place of a board with cells of 8 x 8 pixels, 10 pixels below the upper edge."""
    return Homography(np.array([[8.0, 0.0, left_px], [0.0, 8.0, 10.0], [0.0, 0.0, 1.0]]))


def boards(**more: Any) -> Boards:
    """Return both boards in one grey frame."""
    plain = Boards(frame(), {1: place(10.0), 2: place(110.0)}, {}, {})
    return replace(plain, **more)


def exposure(question: int | None = None, **more: Any) -> Exposure:
    """Return the exposure of both boards; `question` identifies the open question."""
    return boards(**more).exposure(question)


class Watch:
    """A fake watch whose frame is set by a test."""

    def __init__(self) -> None:
        self.ready = True
        self.frame: Frame | None = frame()
        self.places = {1: place(10.0), 2: place(110.0)}
        self.evidence: dict[int, Evidence] = {}


def account_after(*happenings: Event) -> Account:
    """Return the account after these events."""
    builder = AnnouncedAccount(pages())
    for happening in happenings:
        builder(happening)
    return builder.account


@cache
def whole_game(setup: Setup = SETUP, seed: int = 4) -> tuple[Decision, ...]:
    """Return the decisions of a whole random game."""
    rng, history = random.Random(seed), History(setup)
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    return history.decisions


def played(decisions: int, setup: Setup = SETUP, seed: int = 4) -> tuple[History, list[Event]]:
    """Return a game of at most this number of decisions, and its events."""
    history = History(setup)
    happened: list[Event] = [GameOpened(7, history.state)]
    for decision in whole_game(setup, seed)[:decisions]:
        outcome = history.apply(decision)
        happened.append(DecisionTaken(decision, outcome.facts, outcome.state))
    return history, happened


@dataclass
class Desk:
    """A site, a browser, and a table that acts while the browser waits."""

    site: Site
    client: TestClient
    clock: ManualClock
    builder: AccountBuilder
    orders: list[Posted] = field(default_factory=list)

    def with_key(self) -> Desk:
        """Give the browser the table's key."""
        self.client.cookies.set(self.site.access.cookie, self.site.access.keys.key)
        return self

    def changed(self, **parts: Any) -> Desk:
        """Return a desk with these parts of the site replaced, and a browser of its own without the key."""
        site = replace(self.site, **parts)
        browser = TestClient(build_app(site), HERE, client=("127.0.0.1", 50000))
        return Desk(site, browser, self.clock, self.builder)

    def open_game(self, number: int) -> None:
        """Put a new game of this number on the table."""
        self.builder(GameOpened(number, History(SETUP).state))

    def at_table(self, does: Callable[[], object], asks: Callable[[], Any]) -> Any:
        """Return the answer to a request, calling `does` at the table until it has come."""
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(asks)
            while not wait([answer], _STEP_S).done:
                does()
            return answer.result()

    def post(self, path: str, body: object, **more: Any) -> Any:
        """Send a command."""
        headers = {"content-type": "application/json", **more.pop("headers", {})}
        return self.client.post(path, content=json.dumps(body), headers=headers, **more)


def make_site(
    config: PageConfig, clock: ManualClock, builder: AccountBuilder, journal: Path | None, static: Path
) -> Site:
    """Return a site."""
    return Site(
        games=pages(),
        access=Access(Keys(clock), config, "table_8080"),
        hub=Hub(),
        inbox=Inbox(),
        gallery=Gallery(),
        archive=Archive(journal, pages()),
        account=lambda: builder.account,
        join_address=lambda: "http://192.168.1.5:8080" if config.lan else None,
        static=static,
        commands=RateLimit(*COMMANDS, clock),
        joins=RateLimit(*JOINS, clock),
        pictures=RateLimit(*PICTURES, clock),
        moves=RateLimit(*MOVES, clock),
    )


@pytest.fixture(autouse=True)
def usual_priority() -> Iterator[None]:
    """Let photographs be read and sheets be written at the tests' own priority.

    What yields to all else hardly runs beside the other workers, and a browser draws its progress for minutes.
    """
    # Not the test's own `monkeypatch`, whose changes would then outlast the test's other fixtures.
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(photographing, "NICENESS", 0)
        patches.setattr(documents, "NICENESS", 0)
        yield


MakeDesk = Callable[..., Desk]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[MakeDesk]:
    """A function that returns a desk with a given page configuration."""
    static = tmp_path / "static"
    static.mkdir()
    (static / "index.html").write_text("<!doctype html><title>Quilt Companion</title>")
    (static / "page.js").write_text("export const answer = 42;")
    (static / "look.css").write_text("p { color: teal; }")
    (tmp_path / "secret.txt").write_text("secret")
    opened: list[TestClient] = []

    def make(
        journal: Path | None = None,
        client: tuple[str, int] = ("127.0.0.1", 50000),
        tempo: Tempo | None = None,
        **config: Any,
    ) -> Desk:
        clock = ManualClock()
        builder = AnnouncedAccount(pages())
        site = replace(make_site(PageConfig(**config), clock, builder, journal, static), tempo=tempo)
        browser = TestClient(build_app(site, names=["quilt.test"]), HERE, client=client, follow_redirects=False)
        opened.append(browser)
        return Desk(site, browser, clock, builder)

    yield make
    for browser in opened:
        browser.close()


@pytest.fixture(scope="session")
def blank_photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photograph of an owner's blank sheet of Kvilt."""
    return photograph_blank(tmp_path_factory.mktemp("boxed"))


@pytest.fixture(scope="session")
def blank_corners(blank_photo: Path) -> NDArray[np.float64]:
    """That sheet's corners in the photograph, shape (4, 2)."""
    corners = open_desk(blank_photo.with_name("mine.toml"), blank_photo, None).view().corners_px
    assert corners is not None
    return corners


@pytest.fixture
def sheet_desk(blank_photo: Path, blank_corners: NDArray[np.float64], tmp_path: Path) -> DefiningDesk:
    """The desk at which that sheet is described; only its corners are known yet."""
    image = load_photo(blank_photo)
    return DefiningDesk(
        tmp_path / "mine.toml", new_tables("mine"), image, corners_px=blank_corners.copy(), source=blank_photo
    )
