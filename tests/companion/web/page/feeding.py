"""A small server that sends the page what a test wants the table to say."""

from __future__ import annotations

import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from companion.games.patchwork.components import PATCHES
from companion.languages import FOLDER
from companion.languages.compiling import SPOKEN_BY_PAGE
from companion.web.files import files_of
from tests.companion.web.page.scenes import scene

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STATIC: Final = Path(str(resources.files("companion.web"))) / "static"
CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_ROUTES: Final = {"/": "index.html", "/tv": "index.html", "/watch": "index.html"}
_PATIENCE_S: Final = 60
_PICTURE: Final = cv2.imencode(".jpg", np.full((216, 384, 3), 120, np.uint8))[1].tobytes()
_CAMERA: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 12"><rect width="12" height="12" fill="#7d6a58"/>'
    b'<rect x="1.5" y="1.5" width="9" height="9" fill="#d9cbb0"/></svg>'
)


class Outlet(ThreadingHTTPServer):
    """An address that the tests' servers use one after the other, so that a browser's cache stays valid.

    Attributes:
        feeding: the current test's server.
    """

    daemon_threads = True
    feeding: FeedingServer

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The address, without a slash at the end."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_args: object) -> None:
        """Ignore errors: browsers close connections at any time."""

    def close(self) -> None:
        """Stop serving."""
        self.shutdown()
        self.server_close()
        self._thread.join()


class FeedingServer:
    """A server of the page's files and of the messages that a test sets.

    Args:
        outlet: the address at which it serves from now on.

    Attributes:
        url: its address, without a slash at the end.
        posts: the commands received, as (path, body); a click returns before its command is received.
        answer: the answer to the next commands: a status and a body.
        can_touch: whether the browser has the table's key.
        json: further answers, by path.
        quilts: the picture sent for every final quilt; None for none.
        silent: the prefixes of paths that are answered with an error.
    """

    def __init__(self, outlet: Outlet) -> None:
        self.url = outlet.url
        self.posts: list[tuple[str, Any]] = []
        self.answer: tuple[int, dict[str, Any]] = (200, {"ok": True, "says": ""})
        self.can_touch = True
        self.json: dict[str, dict[str, Any]] = {}
        self.quilts: bytes | None = None
        self.silent: tuple[str, ...] = ()
        self._newest: dict[str, Any] = {"snapshot": {}}
        self._listening: set[queue.SimpleQueue[tuple[str, Any] | None]] = set()
        self._lock = threading.Lock()
        self._posted = threading.Condition()
        outlet.feeding = self

    def show(self, shown: str | dict[str, Any]) -> None:
        """Send a snapshot, or that of a scene, to every open page and to later ones."""
        self.send("snapshot", scene(shown) if isinstance(shown, str) else shown)

    def send(self, topic: str, data: Any) -> None:
        """Send a message to every open page and, as its topic's newest, to later ones, unless it is a goodbye."""
        with self._lock:
            if topic != "bye":
                self._newest[topic] = data
            for listener in self._listening:
                listener.put((topic, data))

    def take(self, post: tuple[str, Any]) -> None:
        """Record a command."""
        with self._posted:
            self.posts.append(post)
            self._posted.notify_all()

    def post(self, begins: str = "/api/") -> tuple[str, Any]:
        """Wait for and return the only command whose path has this prefix."""

        def sent() -> list[tuple[str, Any]]:
            return [post for post in self.posts if post[0].startswith(begins)]

        with self._posted:
            self._posted.wait_for(sent, _PATIENCE_S)
        (only,) = sent()
        return only

    def nth_post(self, number: int) -> tuple[str, Any]:
        """Wait for and return the command with this number, from 1, the last one."""
        with self._posted:
            self._posted.wait_for(lambda: len(self.posts) >= number, _PATIENCE_S)
        assert len(self.posts) == number, self.posts
        return self.posts[-1]

    def comes_to(self, fits: Callable[[tuple[str, Any]], bool]) -> bool:
        """Wait for the last command to fit; return whether it does in time."""
        with self._posted:
            return self._posted.wait_for(lambda: bool(self.posts) and fits(self.posts[-1]), _PATIENCE_S)

    def cut(self) -> None:
        """Cut all streams, as a restart does."""
        for listener in list(self._listening):
            listener.put(None)

    def stream(self) -> Iterator[bytes]:
        """Yield the messages for one page, until its stream is cut."""
        mine: queue.SimpleQueue[tuple[str, Any] | None] = queue.SimpleQueue()
        with self._lock:
            self._listening.add(mine)
            for message in self._newest.items():
                mine.put(message)
        try:
            while (sent := mine.get()) is not None:
                yield f"event: {sent[0]}\ndata: {json.dumps(sent[1])}\n\n".encode()
        finally:
            with self._lock:
                self._listening.discard(mine)

    def get_json(self, path: str) -> dict[str, Any] | None:
        """Return the JSON interface's answer, None if it has none."""
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
    server: Outlet
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    @property
    def feeding(self) -> FeedingServer:
        """The current test's server."""
        return self.server.feeding

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path == "/api/events":
            self._stream()
        elif path.startswith(self.feeding.silent):
            self._reply(500, b"{}", "application/json")
        elif path.startswith("/texts/"):
            self._texts(path.removeprefix("/texts/").removesuffix(".json"))
        elif (answer := self.feeding.get_json(path)) is not None:
            self._reply(200, json.dumps(answer).encode(), "application/json")
        elif "/quilts/" in path and self.feeding.quilts is not None:
            self._reply(200, self.feeding.quilts, "image/jpeg")
        elif path == "/camera.jpg":
            self._reply(200, _PICTURE, "image/jpeg")
        elif path.startswith("/crop/") or path in ("/api/code.svg", "/circle.jpg"):
            self._reply(200, _CAMERA, "image/svg+xml")
        else:
            self._file(path)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.feeding.take((self.path, body))
        status, answer = self.feeding.answer
        self._reply(status, json.dumps(answer).encode(), "application/json")

    def _texts(self, code: str) -> None:
        path = FOLDER / code.removesuffix("-whole") / "LC_MESSAGES" / SPOKEN_BY_PAGE
        catalogue = json.loads(path.read_text("utf-8"))
        if code.endswith("-whole"):
            catalogue["texts"] |= catalogue["others"]
        self._reply(200, json.dumps(catalogue).encode(), "application/json")

    def _file(self, path: str) -> None:
        files = files_of(STATIC)
        name = _ROUTES.get(path) or path.removeprefix("/static/").removeprefix(f"/files/{files.version}/")
        file = files.get(name)
        if file is not None:
            self._reply(200, file.plain, file.kind, keeps=not name.endswith(".html"))
        else:
            self._reply(404, b"{}", "application/json")

    def _reply(self, status: int, body: bytes, kind: str, *, keeps: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", CSP)
        if keeps:
            self.send_header("Cache-Control", "max-age=3600")
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
        """Log nothing."""


def _box(patch: str) -> dict[str, Any]:
    one = PATCHES[patch]
    cells = [[row, column] for row, column in one.cells]
    return {"id": patch, "cells": cells, "buttons": one.buttons, "time": one.time, "income": one.income}
