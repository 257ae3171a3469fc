"""Test the page's texts as the server sends them."""

from __future__ import annotations

import gc
import json
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from companion.languages import LANGUAGES
from companion.web.files import TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=[TEXTS])) as client:
        yield client


@pytest.mark.parametrize("code", ["ru", "fa"])
def test_the_page_and_the_terminal_share_one_translation(client: TestClient, code: str) -> None:
    message = "The camera has not sent a picture yet."
    texts = client.get(f"/texts/{code}.json").json()["texts"]
    assert texts[message] == LANGUAGES[code].template(message, "", None)


def test_the_table_s_page_is_spared_the_texts_of_other_pages(client: TestClient) -> None:
    table, whole = (client.get(f"/texts/{name}.json").json() for name in ("ru", "ru-whole"))
    assert table["plurals"] == whole["plurals"]
    assert table["texts"].items() < whole["texts"].items()
    assert "Skip to the content" in {*whole["texts"]} - {*table["texts"]}


def test_it_is_compressed_for_whoever_can_unpack_it(client: TestClient) -> None:
    packed = client.get("/texts/ru.json", headers={"accept-encoding": "gzip, br"})
    plain = client.get("/texts/ru.json", headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert 2 * int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert packed.json() == json.loads(plain.content)
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"


def test_an_unchanged_catalogue_is_not_sent_again(client: TestClient) -> None:
    tag = client.get("/texts/fa.json").headers["etag"]
    again = client.get("/texts/fa.json", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/texts/ru.json").headers["etag"] != tag


@pytest.mark.parametrize("code", ["en", "de", "..", "%2e%2e%2fru"])
def test_there_is_none_of_other_languages(client: TestClient, code: str) -> None:
    assert client.get(f"/texts/{code}.json").status_code == 404


def test_names_that_clients_think_of_are_not_stored(client: TestClient) -> None:
    def sent(name: str) -> int:
        return client.get(f"/texts/{name}.json").status_code

    sent("nowhere")
    tracemalloc.start()
    try:
        assert {sent(f"{'x' * 50_000}{number}") for number in range(40)} == {404}
        gc.collect()
        stored_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert stored_bytes < 1_000_000
