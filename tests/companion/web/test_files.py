"""Test sending the page's files."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from companion.web.files import IMMUTABLE, REVALIDATED, file_routes, files_of
from companion.web.routing import STATIC

SCRIPT = f"/files/{files_of(STATIC).version}/js/main.js"


@pytest.fixture
def client() -> TestClient:
    """A client for requests of files."""
    return TestClient(Starlette(routes=file_routes(STATIC)))


def test_a_file_is_cached_for_good_by_an_address_with_its_version(client: TestClient) -> None:
    assert client.get(SCRIPT).headers["cache-control"] == IMMUTABLE
    assert client.get("/static/js/main.js").headers["cache-control"] == REVALIDATED


def test_an_address_of_another_version_gives_the_present_file(client: TestClient) -> None:
    old = client.get("/files/000000000000/js/main.js")

    assert old.status_code == 200
    assert old.headers["cache-control"] == REVALIDATED


@pytest.mark.parametrize("path", ["/static/js/main.js", "/static/css/base.css", SCRIPT, "/static/icon.svg"])
def test_an_unchanged_file_is_not_sent_again(client: TestClient, path: str) -> None:
    first = client.get(path)

    again = client.get(path, headers={"if-none-match": first.headers["etag"]})

    assert first.headers["content-encoding"] == "gzip"
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/static/../page.py", "/static/none.js", "/files/x/none.js"])
def test_nothing_beside_the_files_is_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_client_that_cannot_unpack_gets_the_file_plain(client: TestClient) -> None:
    plain: Any = client.get("/static/icon.svg", headers={"accept-encoding": "identity"})

    assert "content-encoding" not in plain.headers
    assert plain.content == (STATIC / "icon.svg").read_bytes()


@pytest.mark.parametrize("path", ["/static/css/base.css", "/static/companion.webmanifest"])
def test_files_link_one_another_by_their_version(client: TestClient, path: str) -> None:
    assert f"/files/{files_of(STATIC).version}/" in client.get(path).text
    assert "/static/" not in client.get(path).text
