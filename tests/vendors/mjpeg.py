"""A camera in the network on this machine: an HTTP server with a stream of JPEG pictures, as phones send it."""

from __future__ import annotations

import threading
from base64 import b64encode
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import cv2

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

_TICK_S = 0.01
"""The interval of the stream's pictures; a camera sends the same one again while nothing moves."""


class FakeNetworkCamera:
    """A camera at /video, which sends its picture again and again; a page is at /, and one picture at /shot.jpg."""

    def __init__(self, user: str = "", password: str = "") -> None:
        self.picture = b""
        self.breaks_off = threading.Event()
        self.stalls = threading.Event()
        self._closing = threading.Event()
        self._expects = f"Basic {b64encode(f'{user}:{password}'.encode()).decode()}" if user else ""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    def show(self, image: NDArray[np.uint8]) -> None:
        self.picture = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if camera._expects and self.headers.get("Authorization") != camera._expects:
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="camera"')
                    self.end_headers()
                    return
                kinds = {"/": "text/html", "/shot.jpg": "image/jpeg", "/video": "multipart/x-mixed-replace; boundary=b"}
                if self.path not in kinds:
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Type", kinds[self.path])
                self.end_headers()
                if self.path == "/video":
                    self._stream()

            def _stream(self) -> None:
                while not camera._closing.wait(_TICK_S) and not camera.breaks_off.is_set():
                    if not camera.stalls.is_set():
                        head = f"--b\r\nContent-Type: image/jpeg\r\nContent-Length: {len(camera.picture)}\r\n\r\n"
                        try:
                            self.wfile.write(head.encode() + camera.picture + b"\r\n")
                        except OSError:
                            return

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        return Handler


@contextmanager
def network_camera(user: str = "", password: str = "") -> Iterator[FakeNetworkCamera]:
    camera = FakeNetworkCamera(user, password)
    try:
        yield camera
    finally:
        camera.close()
