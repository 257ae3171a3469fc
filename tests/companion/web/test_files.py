"""Test sending the page's files."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from companion.web.files import ASKED, KEPT, file_routes, shelf_of
from companion.web.routing import STATIC

SCRIPT = f"/files/{shelf_of(STATIC).version}/page.js"


@pytest.fixture
def client() -> TestClient:
    """A client for requests of files."""
    return TestClient(Starlette(routes=file_routes(STATIC)))


def test_a_linked_file_is_kept_for_good_and_one_as_written_is_asked_for(client: TestClient) -> None:
    assert client.get(SCRIPT).headers["cache-control"] == KEPT
    assert client.get("/static/js/main.js").headers["cache-control"] == ASKED


def test_an_address_of_another_version_gives_what_there_is_now(client: TestClient) -> None:
    old = client.get("/files/000000000000/page.js")

    assert old.status_code == 200
    assert old.headers["cache-control"] == ASKED


@pytest.mark.parametrize("path", ["/static/js/main.js", "/static/css/base.css", SCRIPT, "/static/icon.svg"])
def test_what_has_not_changed_is_not_sent_again(client: TestClient, path: str) -> None:
    first = client.get(path)

    again = client.get(path, headers={"if-none-match": first.headers["etag"]})

    assert first.headers["content-encoding"] == "gzip"
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/static/../page.py", "/static/none.js", "/files/x/none.js"])
def test_there_is_nothing_beside_the_files(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_who_cannot_unpack_gets_it_plain(client: TestClient) -> None:
    plain: Any = client.get("/static/js/main.js", headers={"accept-encoding": "identity"})

    assert "content-encoding" not in plain.headers
    assert plain.content == (STATIC / "js/main.js").read_bytes()
