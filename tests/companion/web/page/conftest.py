"""The page in a real browser: a server of a few lines feeds it snapshots of situations at the table."""

from __future__ import annotations

import json
import queue
import random
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import pytest

from companion import events
from companion.games.patchwork import (
    PATCHES,
    Advance,
    Decision,
    History,
    PlaceLeather,
    Setup,
    State,
    TakePatch,
    affordable,
    legal_decisions,
    twins_of,
)
from companion.verdict import Asks, Complaint, Question, Reason
from companion.web.chronicle import Chronicle, Sighted
from companion.web.snapshot import snapshot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STATIC: Final = Path(str(resources.files("companion.web"))) / "static"
BROWSER: Final = shutil.which("chromium") or shutil.which("chromium-browser")
CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
_ROUTES: Final = {"/": "index.html", "/tv": "index.html", "/watch": "index.html"}
_CAMERA: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 12"><rect width="12" height="12" fill="#7d6a58"/>'
    b'<rect x="1.5" y="1.5" width="9" height="9" fill="#d9cbb0"/></svg>'
)


def market(seed: int) -> tuple[str, ...]:
    """A circle of patches; the 1x2 patch is last, as at the start of every game."""
    patches = [patch for patch in PATCHES if patch != "domino"]
    random.Random(seed).shuffle(patches)
    return (*patches, "domino")


class Evening:
    """A game that is played by a seed, and told to a chronicle as the table would.

    Args:
        seed: the circle and the moves follow from it.
        known: whether the circle is known.
        players: their names.
    """

    def __init__(self, seed: int = 5, *, known: bool = True, players: tuple[str, str] = ("Anna", "Boris")) -> None:
        self._random = random.Random(seed)
        self.history = History(Setup(players=players, market=market(seed) if known else None))
        self.chronicle = Chronicle()
        self.chronicle.sight(Sighted(camera=True, boards_seen=True, in_view=(1, 2)))
        self.chronicle.lights([(20, 90, 255) if number % 7 == 0 else (0, 0, 0) for number in range(60)])
        self.chronicle(events.GameOpened(7, self.state, 0))

    @property
    def state(self) -> State:
        """The rules' state now."""
        return self.history.state

    def play(self, stop: Callable[[State], bool]) -> Evening:
        """Go on until `stop` says so, or the game has ended."""
        while not self.state.finished and not stop(self.state):
            self.take(self._choice())
        return self

    def take(self, decision: Decision) -> None:
        """Take a decision and tell of it."""
        outcome = self.history.apply(decision)
        self.chronicle(events.DecisionTaken(decision, outcome.facts, outcome.state))

    def _choice(self) -> Decision:
        legal = legal_decisions(self.state)
        picks = [legal.pick(self._random) for _ in range(120)]
        return max(picks, key=self._worth)

    def _worth(self, decision: Decision) -> float:
        """Snug placements and cheap patches first: quilts like those that people sew."""
        if isinstance(decision, Advance):
            return 0.5
        quilt = self.state.seat(decision.seat).quilt
        cost = 0 if isinstance(decision, PlaceLeather) else PATCHES[decision.patch].buttons
        return _touching(decision.cells, quilt) / decision.cells.bit_count() - cost / 30

    def snapshot(self) -> dict[str, Any]:
        """What the page is sent now."""
        return cast("dict[str, Any]", json.loads(json.dumps(snapshot(self.chronicle.account))))


def _touching(cells: int, quilt: int) -> int:
    """How many sides of the cells lie against the quilt or the board's edge."""
    sides = 0
    for bit in range(81):
        if not cells >> bit & 1:
            continue
        row, column = divmod(bit, 9)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            inside = 0 <= r < 9 and 0 <= c < 9
            sides += not inside or quilt >> (r * 9 + c) & 1
    return sides


def legal_purchase(state: State) -> TakePatch:
    """A patch that the player to move may take now, at the first place it fits."""
    return next(decision for decision in legal_decisions(state) if isinstance(decision, TakePatch))


def twins_for_sale(state: State) -> TakePatch | None:
    """A patch that could be taken now as well as its twin."""
    purchases = (decision for decision in legal_decisions(state) if isinstance(decision, TakePatch))
    both = set(affordable(state))
    return next((one for one in purchases if one.patch in both and both.intersection(twins_of(one.patch))), None)


def twins_question(state: State) -> Question:
    """A question which of two patches of one shape it is; its cells are free."""
    seat = state.turn or 1
    purchase = twins_for_sale(state)
    assert purchase is not None
    twin = replace(purchase, patch=twins_of(purchase.patch)[0])
    says = f"Which patch is it: {purchase.patch} or {twin.patch}?"
    return Question(Asks.WHICH_PATCH, seat, (purchase, twin), (), says, "000123.jpg")


def cells_question(state: State) -> Question:
    """A question where a patch lies, one square up or down."""
    taken = legal_purchase(state)
    other = next(
        decision
        for decision in legal_decisions(state)
        if isinstance(decision, TakePatch) and decision.patch == taken.patch and decision.cells != taken.cells
    )
    return Question(Asks.CELLS, taken.seat, (taken, other), ("E6", "F6"), "Does it cover E6 or F6?", "000123.jpg")


def overlap(state: State) -> Complaint:
    """A complaint about two cells."""
    says = "The new patch overlaps what lies on E6 and F5. Lay it where there is room."
    return Complaint(Reason.OVERLAP, state.turn or 1, ("F5", "E6"), says, "000130.jpg")


def scene(name: str) -> dict[str, Any]:
    """A situation by its name, as a snapshot."""
    return SCENES[name]()


def _waiting() -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(json.dumps(snapshot(Chronicle().account))))


def _middle(seed: int = 5, moves: int = 24) -> Evening:
    return Evening(seed).play(lambda state: state.decisions_made >= moves and not state.leather_due)


def _told(evening: Evening, event: events.Event) -> dict[str, Any]:
    evening.chronicle(event)
    return evening.snapshot()


def _twins() -> dict[str, Any]:
    evening = Evening(known=False)
    evening.play(lambda state: state.decisions_made >= 6 and twins_for_sale(state) is not None)
    return _told(evening, events.Asked(twins_question(evening.state), 0, evening.state))


def _cells() -> dict[str, Any]:
    evening = _middle()
    return _told(evening, events.Asked(cells_question(evening.state), 0, evening.state))


def _complaint() -> dict[str, Any]:
    evening = _middle()
    return _told(evening, events.Complained(overlap(evening.state), evening.state))


def _foreseen() -> dict[str, Any]:
    evening = _middle()
    decision = legal_purchase(evening.state)
    return _told(evening, events.DecisionForeseen(decision, 2.0, 99.0, evening.state))


def _looking() -> dict[str, Any]:
    evening = _middle()
    return _told(evening, events.LookStarted(evening.state))


def _income() -> dict[str, Any]:
    """A move after which several tokens go over the table."""
    evening = Evening(11)
    evening.play(
        lambda state: state.decisions_made > 20
        and any(entry["kind"] == "income" and entry["buttons"] > 5 for entry in evening.snapshot()["money"])
    )
    return evening.snapshot()


SCENES: Final[dict[str, Callable[[], dict[str, Any]]]] = {
    "waiting": _waiting,
    "start": lambda: Evening().snapshot(),
    "middle": lambda: _middle().snapshot(),
    "income": _income,
    "leather": lambda: Evening(3).play(lambda state: bool(state.leather_due)).snapshot(),
    "unknown": lambda: Evening(9, known=False).play(lambda state: state.decisions_made >= 8).snapshot(),
    "looking": _looking,
    "foreseen": _foreseen,
    "twins": _twins,
    "cells": _cells,
    "complaint": _complaint,
    "end": lambda: Evening().play(lambda _: False).snapshot(),
}


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_args: object) -> None:
        """Browsers leave without a word."""


class FeedingServer:
    """Serves the static files and what a test wants the table to say.

    Attributes:
        posts: the commands that have come, as (path, body).
        answer: what the next commands are answered with: a status and a body.
        can_touch: whether the browser has the table's key.
        json: what else is answered, by path.
        quilts: every picture of a final quilt; None where there are none.
    """

    def __init__(self) -> None:
        self.posts: list[tuple[str, Any]] = []
        self.answer: tuple[int, dict[str, Any]] = (200, {"ok": True, "says": ""})
        self.can_touch = True
        self.json: dict[str, dict[str, Any]] = {}
        self.quilts: bytes | None = None
        self._snapshot: dict[str, Any] = {}
        self._listening: set[queue.SimpleQueue[tuple[str, Any] | None]] = set()
        self._lock = threading.Lock()
        self._server = _QuietServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"feeding": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where it is reached, without a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def show(self, shown: str | dict[str, Any]) -> None:
        """Send a snapshot, or that of a scene, to every open page and to those that come."""
        shown = scene(shown) if isinstance(shown, str) else shown
        with self._lock:
            self._snapshot = shown
        self.send("snapshot", shown)

    def send(self, topic: str, data: Any) -> None:
        """Send a message to every open page."""
        for listener in list(self._listening):
            listener.put((topic, data))

    def cut(self) -> None:
        """Cut all streams, as a restart does."""
        for listener in list(self._listening):
            listener.put(None)

    def close(self) -> None:
        """Stop serving."""
        self.cut()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def stream(self) -> Iterator[bytes]:
        """The messages for one page, until its stream is cut."""
        mine: queue.SimpleQueue[tuple[str, Any] | None] = queue.SimpleQueue()
        self._listening.add(mine)
        with self._lock:
            mine.put(("snapshot", self._snapshot))
        try:
            while (message := mine.get()) is not None:
                yield f"event: {message[0]}\ndata: {json.dumps(message[1])}\n\n".encode()
        finally:
            self._listening.discard(mine)

    def get_json(self, path: str) -> dict[str, Any] | None:
        """What the JSON interface answers, None where there is nothing."""
        match path:
            case _ if path in self.json:
                return self.json[path]
            case "/api/me":
                return {"ok": True, "can_touch": self.can_touch, "can_see_camera": self.can_touch, "version": "0"}
            case "/api/box":
                return {"ok": True, "patches": [_box(patch) for patch in PATCHES], "denominations": [20, 10, 5, 1]}
            case "/api/code" if self.can_touch:
                url = f"{self.url}/join?code=ABC123"
                return {"ok": True, "code": "ABC123", "url": url, "expires_in_s": 240, "qr": "/api/code.svg"}
        return None


class _Handler(BaseHTTPRequestHandler):
    feeding: FeedingServer
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path == "/api/events":
            self._stream()
        elif (answer := self.feeding.get_json(path)) is not None:
            self._reply(200, json.dumps(answer).encode(), "application/json")
        elif "/quilts/" in path and self.feeding.quilts is not None:
            self._reply(200, self.feeding.quilts, "image/jpeg")
        elif path.startswith("/crop/") or path in ("/api/code.svg", "/camera.jpg", "/circle.jpg"):
            self._reply(200, _CAMERA, "image/svg+xml")
        else:
            self._file(path)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.feeding.posts.append((self.path, body))
        status, answer = self.feeding.answer
        self._reply(status, json.dumps(answer).encode(), "application/json")

    def _file(self, path: str) -> None:
        file = STATIC / (_ROUTES.get(path) or path.removeprefix("/static/"))
        if file.is_file():
            self._reply(200, file.read_bytes(), _TYPES[file.suffix])
        else:
            self._reply(404, b"{}", "application/json")

    def _reply(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", CSP)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.flush()
        try:
            for message in self.feeding.stream():
                self.wfile.write(message)
                self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            return

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


def _box(patch: str) -> dict[str, Any]:
    one = PATCHES[patch]
    cells = [[row, column] for row, column in one.cells]
    return {"id": patch, "cells": cells, "buttons": one.buttons, "time": one.time, "income": one.income}


@pytest.fixture
def table() -> Iterator[FeedingServer]:
    """A server that shows what a test tells it to."""
    server = FeedingServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The distribution's Chromium; tests that need it are skipped where there is none.

    Its driver keeps a loop running, in which no other test can run one: it must not outlive the module.
    """
    if BROWSER is None:
        pytest.skip("no Chromium is installed")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, table: FeedingServer) -> Iterator[Callable[..., Page]]:
    """Opens the page on a scene; takes a path too, and what `Browser.new_context` takes.

    Any error in the page's scripts and any breach of its policy fails the test.
    """
    faults: list[str] = []
    contexts = []

    def opened(shown: str | dict[str, Any], path: str = "/", **options: Any) -> Page:
        table.show(shown)
        context = browser.new_context(**{"viewport": {"width": 1366, "height": 768}, "locale": "en-GB", **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if "Content Security" in message.text else None)
        page.goto(table.url + path)
        page.wait_for_selector("#turn h2")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


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
