"""A controller with WLED on this machine: its JSON interface, its live light, and a listener for DDP."""

from __future__ import annotations

import json
import socket
import struct
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE_S = 60
"""Long enough for a busy machine."""

LIVE_S: Final = 2.5
"""WLED's time-out of live light, as it is delivered."""
OWN: Final = (255, 160, 0)
"""The colour of its own light."""
BOOT_BRIGHTNESS: Final = 128


class FakeWled:
    """A fake controller with the states of live light that WLED's `udp.cpp` has (`realtimeLock`, `exitRealtime`).

    Its time passes by `wait` only. Pictures of DDP are taken from the network by `shown`.
    """

    def __init__(self, pixels: int) -> None:
        self.info: Any = {"ver": "0.15.0", "name": "table", "leds": {"count": pixels}}
        self.state: dict[str, Any] = {"on": True, "bri": 255}
        self.settings: Any = {"if": {"live": {"en": True, "maxbri": False, "timeout": 25}}}
        self.asked: list[dict[str, Any]] = []
        self.looked: list[str] = []
        self._now_s, self._live_until_s = 0.0, -1.0
        self._buffer = bytearray(3 * pixels)
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._listener.bind(("127.0.0.1", 0))
        self._listener.settimeout(_PATIENCE_S)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def ddp_port(self) -> int:
        return int(self._listener.getsockname()[1])

    @property
    def live(self) -> bool:
        return self._now_s <= self._live_until_s

    def wait(self, seconds: float) -> None:
        self._now_s += seconds

    def restart(self, brightness: int = BOOT_BRIGHTNESS) -> None:
        self._live_until_s = -1.0
        self.state = {"on": True, "bri": brightness}

    def lock(self, seconds: float) -> None:
        """Begin or prolong live light; one without an end keeps it."""
        self._live_until_s = max(self._now_s + seconds, self._live_until_s if self._live_until_s == _FOREVER else 0)

    def light(self) -> list[tuple[int, ...]]:
        """Return what the strip shows now: live light, also while it is switched off, or its own."""
        if not self.live:
            own = OWN if self.state["on"] else (0, 0, 0)
            return [tuple(value * self.state["bri"] // 255 for value in own)] * (len(self._buffer) // 3)
        bri = 255 if self.settings["if"]["live"]["maxbri"] else self.state["bri"]
        values = [value * bri // 255 for value in self._buffer]
        return [tuple(values[start : start + 3]) for start in range(0, len(values), 3)]

    def shown(self) -> tuple[bytes, int, int]:
        """Wait for the next picture; return its pixels' bytes, its sequence number, and its number of packets."""
        for count in range(1, 99):
            packet = self._listener.recv(2000)
            flags, sequence, kind, output, offset, length = struct.unpack(">BBBBIH", packet[:10])
            assert (flags & 0xC0, kind, output, len(packet)) == (0x40, 0x0B, 1, 10 + length)
            assert len(packet) <= 1450
            self._buffer[offset : offset + length] = packet[10:]
            self.lock(LIVE_S)
            if flags & 1:
                return bytes(self._buffer), sequence, count
        raise AssertionError("no packet shows the picture")

    def close(self) -> None:
        self._listener.close()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answers(self, path: str) -> Any:
        self.looked.append(path)
        info = {**self.info, "live": self.live} if isinstance(self.info, dict) else self.info
        return {"/json/info": info, "/json/state": self.state, "/json/cfg": self.settings}[path]

    def _take(self, asked: dict[str, Any]) -> None:
        self.asked.append(asked)
        self.state |= {key: value for key, value in asked.items() if key in ("on", "bri")}
        if asked.get("live") is True:
            self.lock(_FOREVER)
        elif asked.get("live") is False:
            self._live_until_s = -1.0

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        controller = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(controller._answers(self.path))

            def do_POST(self) -> None:
                controller._take(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self._answer({"success": True})

            def log_message(self, *_: Any) -> None:
                """Log nothing."""

            def _answer(self, body: Any) -> None:
                sent = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

        return Handler


_FOREVER: Final = float("inf")


@contextmanager
def wled(pixels: int) -> Iterator[FakeWled]:
    controller = FakeWled(pixels)
    try:
        yield controller
    finally:
        controller.close()
