"""A controller with WLED on this machine: its JSON interface, and a listener for DDP."""

from __future__ import annotations

import json
import socket
import struct
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE_S = 60
"""Long enough for a busy machine."""


class FakeWled:
    """A fake controller that shows the pictures that it is sent, as the DDP specification says."""

    def __init__(self, pixels: int) -> None:
        self.info: Any = {"ver": "0.15.0", "name": "table", "leds": {"count": pixels}}
        self.state: dict[str, Any] = {"on": True, "bri": 77}
        self.asked: list[dict[str, Any]] = []
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

    def shown(self) -> tuple[bytes, int, int]:
        """Wait for the next picture; return its pixels' bytes, its sequence number, and its number of packets."""
        for count in range(1, 99):
            packet = self._listener.recv(2000)
            flags, sequence, kind, output, offset, length = struct.unpack(">BBBBIH", packet[:10])
            assert (flags & 0xC0, kind, output, len(packet)) == (0x40, 0x0B, 1, 10 + length)
            assert len(packet) <= 1450
            self._buffer[offset : offset + length] = packet[10:]
            if flags & 1:
                return bytes(self._buffer), sequence, count
        raise AssertionError("no packet shows the picture")

    def close(self) -> None:
        self._listener.close()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        controller = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer({"/json/info": controller.info, "/json/state": controller.state}[self.path])

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                controller.asked.append(asked)
                controller.state |= asked
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


@contextmanager
def wled(pixels: int) -> Iterator[FakeWled]:
    controller = FakeWled(pixels)
    try:
        yield controller
    finally:
        controller.close()
