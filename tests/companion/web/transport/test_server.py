"""Test serving the page on a real socket, and the messages if that is not possible."""

from __future__ import annotations

import json
import socket
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest

from companion.config import PageConfig
from companion.registry import pages
from companion.web.page import PageServer
from companion.web.transport.server import NEXT_PORTS, PageError, listen, reached_at
from tests.companion.web.conftest import played

if TYPE_CHECKING:
    from http.client import HTTPResponse


def _events(response: HTTPResponse, wanted: int) -> list[str]:
    """Return the topics of a stream's next events."""
    topics: list[str] = []
    while len(topics) < wanted:
        line = response.readline().decode()
        assert line, "the stream has ended"
        if line.startswith("event: "):
            topics.append(line.removeprefix("event: ").strip())
    return topics


def test_the_page_is_served_until_the_evening_is_over() -> None:
    _, happened = played(2)
    with PageServer(pages(), PageConfig(port=0)) as page:
        page(happened[0])
        connection = HTTPConnection("127.0.0.1", page.door.port, timeout=60)
        connection.request("GET", "/api/snapshot")
        assert json.loads(connection.getresponse().read())["game"]["decisions"] == 0
        connection.request("GET", "/api/events")
        stream = connection.getresponse()
        assert _events(stream, 1) == ["snapshot"]
        page(happened[1])
        assert _events(stream, 1) == ["snapshot"]
    assert _events(stream, 2) == ["snapshot", "bye"]
    stream.close()
    connection.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", page.door.port), 1)


def test_by_default_nobody_else_on_the_network_reaches_it() -> None:
    with PageServer(pages(), PageConfig(port=0)) as page:
        assert page.door.join_address is None
        address = reached_at(None)
        if address is not None:
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((address, page.door.port), 1)


@pytest.mark.parametrize(
    ("host", "own", "reached"),
    [
        (None, {socket.AF_INET: "192.168.1.9", socket.AF_INET6: "fd00::9"}, "192.168.1.9"),
        ("::", {socket.AF_INET: "192.168.1.9", socket.AF_INET6: "fd00::9"}, "192.168.1.9"),
        ("::", {socket.AF_INET6: "fd00::9"}, "fd00::9"),
        ("0.0.0.0", {socket.AF_INET6: "fd00::9"}, None),  # noqa: S104  # the tested address
        (None, {}, None),
        ("fd00::7", {socket.AF_INET: "192.168.1.9"}, "fd00::7"),
        ("127.0.0.1", {socket.AF_INET: "192.168.1.9"}, None),
    ],
)
def test_others_reach_it_at_an_address_that_it_listens_at(
    host: str | None, own: dict[socket.AddressFamily, str], reached: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.transport.server._own_address", own.get)
    assert reached_at(host) == reached


def test_a_taken_port_gives_way_to_the_next_free_one() -> None:
    with listen("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with listen("127.0.0.1", taken) as second:
            assert taken < second.getsockname()[1] <= taken + NEXT_PORTS


def test_an_error_about_taken_ports_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.transport.server.NEXT_PORTS", 0)
    with listen("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with pytest.raises(PageError, match=f"the ports {taken} to {taken} are in use: choose another one with --port"):
            listen("127.0.0.1", taken)


def test_another_machine_s_address_cannot_be_listened_at() -> None:
    with pytest.raises(PageError, match=r"the page cannot listen at 192\.0\.2\.1 port 8080: "):
        listen("192.0.2.1", 8080)
