"""Test the door: an address that serves one application after the other."""

from __future__ import annotations

import http.client
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pytest
from starlette.responses import PlainTextResponse

from companion.config import PageConfig
from companion.web import door as doors
from companion.web.door import Door

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST, SECOND = PlainTextResponse("first"), PlainTextResponse("second")
_PATIENCE_S: Final = 60


@pytest.fixture
def door() -> Iterator[Door]:
    """A door behind which nothing is served any more."""
    with Door(PageConfig(port=0), None) as opened:
        opened.show(FIRST)
        opened.show(None)
        yield opened


@contextmanager
def asking(door: Door, method: str) -> Iterator[http.client.HTTPConnection]:
    """A connection over which a request was sent."""
    connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=_PATIENCE_S)
    connection.request(method, "/")
    yield connection
    connection.close()


def answer(connection: http.client.HTTPConnection) -> tuple[int, str]:
    """Return the answer that comes over a connection."""
    response = connection.getresponse()
    return response.status, response.read().decode()


def test_a_reader_between_two_applications_gets_the_answer_of_the_next_one(door: Door) -> None:
    with asking(door, "GET") as reader:
        # Anything else was meant for the last one.
        with asking(door, "POST") as writer:
            assert answer(writer) == (503, "")

        door.show(SECOND)

        assert answer(reader) == (200, "second")


def test_a_reader_is_refused_before_long_if_nothing_follows(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "PATIENCE_S", 0.05)

    with asking(door, "GET") as reader:
        response = reader.getresponse()

    assert response.status == 503
    # A browser's page asks again by itself.
    assert response.getheader("refresh") == "1"


def test_the_end_of_a_door_does_not_wait_for_readers(door: Door) -> None:
    with asking(door, "GET") as reader, asking(door, "POST") as writer:
        assert answer(writer) == (503, "")

        door.__exit__()

        assert answer(reader) == (503, "")
