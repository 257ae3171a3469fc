"""Test that nothing leaves the machine unasked: only these modules use the network, each as configured."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[4]
SPEAKERS: Final = {
    "companion/cli/join.py": "the hall whose code is entered",
    "companion/config/broker.py": "the machine's own name",
    "companion/mqtt/joining.py": "checks a hall's certificate, and opens no connection",
    "companion/mqtt/link.py": "the configured broker, and says why it refuses",
    "companion/upkeep/service.py": "systemd, over a socket of the machine",
    "companion/web/access.py": "the machine's own name",
    "companion/web/certificates.py": "the machine's own name and addresses, and listens for the page",
    "companion/web/door.py": "listens for the page",
    "companion/web/transport/server.py": "listens for the page, and looks up the machine's own address",
    "hardware/drivers/wled.py": "the configured strip of lights",
    "hardware/streams.py": "the configured camera in the network",
}
MODULES: Final = {
    "socket", "http.client", "urllib.request", "smtplib", "ftplib", "ssl", "paho.mqtt.client", "httpx", "requests",
}  # fmt: skip


CALLS: Final = ("open_connection", "create_connection")


def _speaks(path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    if not any(name in text for name in (*MODULES, *CALLS)):
        return False
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import) and MODULES & {each.name for each in node.names}:
            return True
        if isinstance(node, ast.ImportFrom) and node.module in MODULES:
            return True
        if isinstance(node, ast.Attribute) and node.attr in CALLS:
            return True
    return False


def test_only_what_is_configured_is_spoken_to() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for package in ("companion", "vision", "calibration", "hardware")
        for path in (ROOT / package).rglob("*.py")
        if _speaks(path)
    }
    assert found == set(SPEAKERS)
