"""Test which requests the page answers, and the security headers of every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from companion.web.access import RateLimit, host_of, is_loopback, is_own, own_names
from companion.web.routing import Guard
from tests.companion.web.conftest import HERE, ManualClock

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from companion.web.account import Account
    from tests.companion.web.conftest import MakeDesk


@pytest.mark.parametrize(
    "host", ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "192.168.1.5:8080", "QUILT.test", "localhost"]
)
def test_the_page_goes_by_its_names_and_addresses(desk: MakeDesk, host: str) -> None:
    assert desk().client.get("/api/me", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "localhost.evil.example", "", "127.0.0.1.nip.io"]
)
def test_by_another_name_it_is_not_reached(desk: MakeDesk, host: str) -> None:
    for path in ("/", "/api/me", "/api/snapshot", "/static/page.js", "/nowhere"):
        answer = desk().client.get(path, headers={"host": host})
        assert answer.status_code == 403
        assert answer.json()["error"] == "The page cannot be opened by this name: use its address."


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://localhost:8080"},
        {"origin": "http://localhost:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"},
    ],
)
def test_another_site_s_page_commands_nothing(desk: MakeDesk, headers: dict[str, str]) -> None:
    opened = desk().with_key()
    answer = opened.post("/api/press", {"button": "undo"}, headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (403, "Other sites are not allowed to use the page.")
    assert opened.site.inbox.take() == ()


def test_another_site_s_page_reads_nothing_but_may_link_here(desk: MakeDesk) -> None:
    client = desk().client
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}):
        assert client.get("/camera.jpg", headers=headers).status_code == 403
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=link).status_code == 200
    own = {"origin": HERE, "sec-fetch-site": "same-origin"}
    assert client.get("/api/me", headers=own).status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/me", "/static/page.js", "/nowhere", "/api/code"])
def test_every_answer_is_fenced_in(desk: MakeDesk, path: str) -> None:
    headers = desk().client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


def test_documents_are_fenced_more_and_what_dresses_them_less(desk: MakeDesk) -> None:
    client = desk().client
    page, styles = client.get("/").headers, client.get("/static/look.css").headers
    assert page["permissions-policy"] == "camera=(), microphone=(), geolocation=()"
    assert page["cross-origin-opener-policy"] == "same-origin"
    assert {"permissions-policy", "cross-origin-opener-policy", "content-security-policy"}.isdisjoint(styles)
    assert styles["x-content-type-options"] == "nosniff"


def test_a_fault_is_one_sentence_and_no_trace(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("the inside of it")

    client = TestClient(Guard(broken, own_names(), RateLimit(9, 9)), HERE, raise_server_exceptions=False)
    answer = client.get("/api/me")
    assert answer.status_code == 500
    assert answer.json() == {
        "ok": False,
        "error": "The page had a problem; see the terminal.",
        "errors": ["The page had a problem; see the terminal."],
        "status": 500,
    }
    assert "the inside of it" in caplog.text


def test_a_fault_in_a_handler_is_one_sentence_too(desk: MakeDesk, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> Account:
        raise ValueError

    opened = desk()
    object.__setattr__(opened.site, "account", fail)  # a frozen value
    answer = opened.client.get("/api/games")
    assert (answer.status_code, answer.json()["error"]) == (500, "The page had a problem; see the terminal.")
    assert "content-security-policy" in answer.headers
    assert "GET /api/games failed" in caplog.text


def test_an_address_that_asks_too_often_is_refused_for_a_while() -> None:
    clock = ManualClock()
    calls: list[Any] = []

    async def counting(scope: Scope, _: Receive, send: Send) -> None:
        calls.append(scope["path"])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def wait() -> None:
        waits.append(clock.now_s)

    waits: list[float] = []
    client = TestClient(Guard(counting, own_names(), RateLimit(2, 1.0, clock), wait), HERE)
    assert [client.get("/").status_code for _ in range(4)] == [204, 204, 429, 429]
    # The refusal takes its time: a client that asks again at once would have the server refuse all day.
    assert (len(calls), len(waits)) == (2, 2)
    clock.now_s += 1
    assert client.get("/").status_code == 204


@pytest.mark.parametrize(
    ("authority", "host"),
    [("Pi.local:80", "pi.local"), ("[FE80::1]:80", "fe80::1"), ("10.0.0.1", "10.0.0.1"), ("", ""), (":80", "")],
)
def test_a_host_is_read_without_its_port(authority: str, host: str) -> None:
    assert host_of(authority) == host


def test_loopback_is_this_machine_alone() -> None:
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.9.9.9", "::1")))
    assert not any(map(is_loopback, ("192.168.1.5", "0.0.0.0", "evil.example", "", "localhost.evil.example")))  # noqa: S104
    assert not is_own("evil.example", own_names())
    assert is_own("fe80::1", own_names())


def test_the_names_by_which_routers_and_avahi_call_this_machine_are_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Quilt.club.example")
    names = own_names(("Tables.Example.org",))
    ours = "quilt quilt.club.example quilt.local quilt.local. quilt-2.local quilt.fritz.box quilt.lan quilt.home.arpa"
    for host in (*ours.split(), "QUILT.LAN:8080", "tables.example.org", "localhost"):
        assert is_own(host_of(host), names), host
    theirs = "quilt-2 quilt-2.example quilt.evil.example quilt.local.evil.example xquilt.local quilt-1.local lan .lan"
    for host in (*theirs.split(), "evil.lan", "quilt..", "quilt.box", ""):
        assert not is_own(host_of(host), names), host


def test_a_configured_name_opens_the_page_and_another_does_not(desk: MakeDesk) -> None:
    client = desk(names=("quilt.example.org",)).client
    assert client.get("/", headers={"host": "quilt.example.org:8080"}).status_code == 200
    assert client.get("/", headers={"host": "quilt.example.net"}).status_code == 403
