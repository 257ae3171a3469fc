"""Test permissions: with the key, on the table's own machine, and on the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.web.handlers.reading import SNAPSHOT
from tests.companion.web.conftest import exposure

if TYPE_CHECKING:
    from tests.companion.web.conftest import Desk, MakeDesk

PHONE = ("192.168.1.77", 40000)
TO_TOUCH = ("/api/code", "/api/code.svg")


def _laid(desk: Desk) -> Desk:
    desk.site.hub.publish(SNAPSHOT, b'{"game":null}')
    return desk


def _rights(desk: Desk, host: str = "localhost:8080") -> tuple[bool, bool, bool]:
    told = desk.client.get("/api/me", headers={"host": host}).json()
    return told["can_watch"], told["can_see_camera"], told["can_touch"]


def test_on_this_machine_everybody_may_watch_and_only_the_key_does_more(desk: MakeDesk) -> None:
    opened = desk(spectators=False)
    assert _rights(opened) == (True, False, False)
    assert _rights(opened.with_key()) == (True, True, True)


def test_on_the_network_watching_is_as_the_configuration_says(desk: MakeDesk) -> None:
    assert _rights(desk(client=PHONE, lan=True), "192.168.1.5") == (True, False, False)
    assert _rights(desk(client=PHONE, lan=True, spectators=False), "192.168.1.5") == (False, False, False)
    assert _rights(desk(client=PHONE, lan=True, open_camera=True), "192.168.1.5") == (True, True, False)
    shut = desk(client=PHONE, lan=True, spectators=False, open_camera=True)
    assert _rights(shut, "192.168.1.5") == (False, False, False)
    assert _rights(shut.with_key(), "192.168.1.5") == (True, True, True)


def test_a_proxy_on_this_machine_lets_nobody_in(desk: MakeDesk) -> None:
    assert _rights(desk(spectators=False), "quilt.test") == (False, False, False)


def test_nothing_is_shown_or_done_without_the_right(desk: MakeDesk) -> None:
    opened = _laid(desk(client=PHONE, lan=True, spectators=False))
    paths = ("/api/snapshot", "/api/events", "/api/games", "/api/games.csv", "/api/games/1", "/camera.jpg")
    for path in (*paths, *TO_TOUCH):
        answer = opened.client.get(path, headers={"host": "192.168.1.5"})
        assert answer.status_code == 401
        assert answer.json()["error"].startswith("You need the table’s key to ")
        assert answer.headers["www-authenticate"]


@pytest.mark.parametrize("path", ["press", "answer", "override", "name"])
def test_commands_need_the_key(desk: MakeDesk, path: str) -> None:
    opened = desk()
    assert opened.post(f"/api/{path}", {}).status_code == 401
    opened.client.cookies.set(opened.site.access.cookie, "x" * 20)
    assert opened.post(f"/api/{path}", {}).status_code == 401
    assert opened.with_key().post(f"/api/{path}", {}).status_code == 400


def test_the_terminal_s_link_gives_the_key_as_a_cookie_that_scripts_do_not_see(desk: MakeDesk) -> None:
    opened = desk()
    answer = opened.client.get(f"/?key={opened.site.access.keys.key}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
    assert opened.client.get("/api/me").json()["can_touch"]


def test_a_wrong_link_gives_nothing(desk: MakeDesk) -> None:
    answer = desk().client.get("/?key=guessed")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?join=refused")
    assert "set-cookie" not in answer.headers


def test_a_phone_joins_with_the_code_of_the_moment(desk: MakeDesk) -> None:
    opened = desk(client=PHONE, lan=True)
    code = opened.site.access.keys.code().code
    at = {"host": "192.168.1.5"}
    assert opened.client.get("/join?code=WRONG1", headers=at).headers["location"] == "/?join=refused"
    assert opened.client.get("/join", headers=at).headers["location"] == "/?join=refused"
    joined = opened.client.get(f"/join?code={code.lower()}", headers=at)
    assert (joined.status_code, joined.headers["location"]) == (303, "/")
    assert opened.site.access.keys.key in joined.headers["set-cookie"]


def test_an_old_code_is_refused(desk: MakeDesk) -> None:
    opened = desk()
    code = opened.site.access.keys.code().code
    opened.clock.now_s += 3600
    assert "set-cookie" not in opened.client.get(f"/join?code={code}").headers


def test_codes_cannot_be_guessed_one_after_the_other(desk: MakeDesk) -> None:
    opened = desk()
    statuses = [opened.client.get("/join?code=AAAAAA").status_code for _ in range(12)]
    assert statuses[:8] == [303] * 8
    assert statuses[8:] == [429] * 4
    assert opened.client.get(f"/join?code={opened.site.access.keys.code().code}").status_code == 429
    assert opened.client.get(f"/?key={opened.site.access.keys.key}").status_code == 429


def test_a_reader_with_the_key_shows_the_code(desk: MakeDesk) -> None:
    opened = desk(lan=True).with_key()
    shown = opened.client.get("/api/code").json()
    assert shown["url"] == f"http://192.168.1.5:8080/join?code={shown['code']}"
    assert shown["expires_in_s"] == 240.0
    drawn = opened.client.get(shown["qr"])
    assert drawn.status_code == 200, drawn.text
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.startswith("<svg")
    assert "script" not in drawn.text


def test_a_page_of_this_machine_alone_has_no_address_to_scan(desk: MakeDesk) -> None:
    opened = desk().with_key()
    assert opened.client.get("/api/code").json()["url"] is None
    answer = opened.client.get("/api/code.svg")
    assert (answer.status_code, "lan = true" in answer.json()["error"]) == (404, True)


def test_the_camera_s_pictures_need_the_key(desk: MakeDesk) -> None:
    opened = desk()
    opened.site.gallery.keep(exposure())
    assert opened.client.get("/camera.jpg").status_code == 401
    assert opened.client.get("/crop/1.jpg").status_code == 401
    assert opened.with_key().client.get("/camera.jpg").status_code == 200
