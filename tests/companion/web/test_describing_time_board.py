"""Test the page on which a time board is described: permissions, requests and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from companion.config import PageConfig
from companion.patchwork.timeboard_print import layout_in
from companion.web.access import Access, Keys
from companion.web.describing import DescribingSite, time_board_app
from tests.companion.patchwork.timeboard.boards import tapped
from tests.companion.patchwork.timeboard.conftest import printing_desk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.patchwork.timeboard_print import PrintingDesk

__all__ = ["printing_desk"]


@pytest.fixture
def client(printing_desk: PrintingDesk) -> Iterator[TestClient]:
    keys = Keys()
    app = time_board_app(DescribingSite(access=Access(keys, PageConfig(), "defining"), desk=printing_desk))
    with TestClient(app, base_url="http://localhost") as client:
        client.cookies.set("defining", keys.key)
        yield client


def entered(spaces: int = 54) -> dict[str, Any]:
    told = tapped(spaces)
    return {"corners": told.corners, "spaces": told.spaces, "marks": {}}


def test_without_the_key_nothing_is_seen_or_changed(client: TestClient) -> None:
    client.cookies.clear()
    for path in ("/api/time-board", "/api/time-board/photo.jpg"):
        assert client.get(path).status_code == 401
    for path in ("/api/time-board", "/api/time-board/save"):
        assert client.post(path, json={}).status_code == 401
    assert client.get("/").status_code == 200


def test_tapped_spaces_are_taken_and_saved(client: TestClient, printing_desk: PrintingDesk) -> None:
    assert client.get("/api/time-board/photo.jpg").content[:2] == b"\xff\xd8"
    shown = client.post("/api/time-board", json=entered()).json()
    assert (shown["fault"], shown["saved"], shown["kinds"]["5"]) == ("", False, "income")
    assert len(shown["marks"]) == 13

    assert client.post("/api/time-board/save", json={}).json()["saved"] is True
    assert layout_in(printing_desk.path).name == "mine"


def test_missing_spaces_are_named_in_the_reader_s_language(client: TestClient) -> None:
    shown = client.post("/api/time-board?language=ru", json=entered(50)).json()
    assert "4" in shown["fault"]
    assert shown["fault"] != "4 spaces still have to be tapped."
    assert client.post("/api/time-board/save", json={}).status_code == 409


@pytest.mark.parametrize("wrong", [{"corners": []}, {"spaces": [[0, 0]] * 55}, {"marks": {"5": [1]}}, {"more": 1}])
def test_a_malformed_time_board_is_refused(client: TestClient, wrong: dict[str, Any]) -> None:
    assert client.post("/api/time-board", json={**entered(), **wrong}).status_code == 400
