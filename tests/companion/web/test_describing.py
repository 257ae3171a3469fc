"""Test the page on which a sheet is described: permissions, requests and answers."""

from __future__ import annotations

from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from companion.config import PageConfig
from companion.kvilt.sheets.layout_files import load_layout
from companion.web.access import Access, Keys
from companion.web.describing import DescribingSite, sheet_app, sheet_page
from tests.companion.boxedsheet import SHEET, entered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.kvilt.defining.desk import DefiningDesk


@pytest.fixture
def client(sheet_desk: DefiningDesk) -> Iterator[TestClient]:
    keys = Keys()
    app = sheet_app(DescribingSite(access=Access(keys, PageConfig(), "defining"), desk=sheet_desk))
    with TestClient(app, base_url="http://localhost") as client:
        client.cookies.set("defining", keys.key)
        yield client


def answer_of(answer: Any, status: int = 200) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    return dict(answer.json())


def test_without_the_key_nothing_is_seen_or_changed(client: TestClient) -> None:
    client.cookies.clear()
    assert "no-store" in told_headers(client.get("/api/define"), 401)
    for path in ("/api/define/photo.jpg", "/api/define/flat.jpg"):
        assert client.get(path).status_code == 401
    for path in ("corners", "turn", "sheet", "pictures", "save"):
        assert client.post(f"/api/define/{path}", json={}).status_code == 401
    assert client.get("/").status_code == 200
    assert client.get("/?key=wrong", follow_redirects=False).cookies.get("defining") is None


def told_headers(answer: Any, status: int) -> str:
    assert answer.status_code == status
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    return str(answer.headers["cache-control"])


def test_the_link_and_a_code_let_in(sheet_desk: DefiningDesk) -> None:
    keys = Keys()
    app = sheet_app(DescribingSite(access=Access(keys, PageConfig(), "defining"), desk=sheet_desk))
    for address in (f"/?key={keys.key}", f"/join?code={keys.code().code}"):
        with TestClient(app, base_url="http://localhost") as client:
            assert client.get(address).status_code == 200
            assert answer_of(client.get("/api/define"))["file"] == "mine.toml"


def test_another_site_may_not_use_it(client: TestClient) -> None:
    answer = client.post("/api/define/save", json={}, headers={"origin": "http://evil.example"})
    assert answer_of(answer, 403)["ok"] is False
    assert client.get("/api/define", headers={"host": "evil.example"}).status_code == 403


def test_a_sheet_is_described_through_it(client: TestClient, sheet_desk: DefiningDesk) -> None:
    begun = answer_of(client.get("/api/define"))
    assert begun["photo"] == [2016, 1512]
    assert len(begun["corners"]) == 4
    assert begun["marks"] == ["neutral", "swap", "spool", "button", "stitch"]

    def outlines(cells: list[list[float]]) -> list[Any]:
        return list(answer_of(client.post("/api/define/pictures", json={"cells": cells}))["outlines"])

    sheet = {**begun["sheet"], **entered(outlines)}
    view = answer_of(client.post("/api/define/sheet", json={"sheet": sheet}))
    assert (view["missing"], view["fault"], view["saved"]) == ([], "", False)
    assert answer_of(client.post("/api/define/save", json={}))["saved"] is True
    layout = load_layout(sheet_desk.path)
    assert len(layout.cells) == len(list(SHEET.cells()))
    flat = cv2.imdecode(np.frombuffer(client.get("/api/define/flat.jpg").content, np.uint8), cv2.IMREAD_COLOR)
    kept = cv2.imread(layout.fiducials.blank)
    assert flat is not None
    assert kept is not None
    assert flat.shape == kept.shape == (1184, 1680, 3)


def test_corners_are_put_turned_and_found_again(client: TestClient) -> None:
    begun = answer_of(client.get("/api/define"))
    corners = [[x + 5, y + 3] for x, y in begun["corners"]]
    moved = answer_of(client.post("/api/define/corners", json={"corners": corners}))
    assert moved["corners"] == corners
    assert moved["flat"] > begun["flat"]
    assert answer_of(client.post("/api/define/turn", json={}))["corners"] == [*corners[1:], corners[0]]
    assert answer_of(client.post("/api/define/corners", json={"corners": None}))["corners"] == begun["corners"]
    refused = answer_of(client.post("/api/define/corners?language=ru", json={"corners": corners[::-1]}), 409)
    assert refused["error"].startswith("Углы должны идти")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("corners", {"corners": [[1, 2], [3, 4]]}),
        ("corners", {"corners": [[1, 2], [3, 4], [5, 6], [7, 1e9]]}),
        ("corners", {}),
        ("sheet", {"sheet": []}),
        ("sheet", {"sheet": {}, "more": 1}),
        ("pictures", {"cells": [[1, 2, 3]]}),
        ("pictures", {"cells": [[0, 0, 1, 1]] * 500}),
    ],
)
def test_a_malformed_description_is_refused(client: TestClient, path: str, body: dict[str, Any]) -> None:
    assert answer_of(client.post(f"/api/define/{path}", json=body), 400)["ok"] is False


def test_too_much_is_refused(client: TestClient) -> None:
    answer = client.post("/api/define/sheet", json={"sheet": {"much": "x" * (1 << 20)}})
    assert answer_of(answer, 413)["ok"] is False


def test_saving_too_early_is_refused_in_the_readers_language(client: TestClient) -> None:
    refused = answer_of(client.post("/api/define/save?language=fa", json={}), 409)
    assert refused["error"] == "شبکهٔ کوئیلت را روی خانه‌ها بکشید."


def test_it_is_served_at_an_address_with_its_key(sheet_desk: DefiningDesk) -> None:
    with sheet_page(PageConfig(port=0), sheet_desk) as page:
        assert page.link.startswith(f"http://localhost:{page.port}/?key=")
        assert page.join_link is None
        asked = HTTPConnection("127.0.0.1", page.port)
        asked.request("GET", "/")
        assert b"/files/" in asked.getresponse().read()
        asked.close()
