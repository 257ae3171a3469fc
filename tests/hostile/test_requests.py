"""Test requests that no page would send, to every operation, with the table's key and without."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.registry import pages
from companion.web.access.access import Need
from companion.web.app import operations
from tests.companion.web.conftest import Desk, MakeDesk, desk
from tests.hostile.answering import tried
from tests.hostile.spoiling import TEXTS, VALUES, spoiled_bytes

if TYPE_CHECKING:
    from companion.web.site import Operation

__all__ = ("desk",)
OPERATIONS = [each for each in operations(pages()) if each.path != "/api/events"]
COMMANDS = [each for each in OPERATIONS if each.body is not None]


def _address(rng: random.Random, operation: Operation) -> str:
    """Return the operation's path with random numbers and a random query."""
    path = operation.path
    while "{" in path:
        before, _, rest = path.partition("{")
        path = before + rng.choice(("0", "1", "7", "9" * 30)) + rest.partition("}")[2]
    asked = [(name, rng.choice((*TEXTS, "1", "0", "-1", "patchwork"))) for name, _ in operation.query]
    pairs = "&".join(f"{name}={_quoted(value)}" for name, value in asked if rng.random() < 0.6 and len(value) < 1000)
    return f"{path}?{pairs}"


def _quoted(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "surrogatepass"))


def _body(rng: random.Random, operation: Operation) -> bytes:
    assert operation.body is not None
    names = [field.name for field in msgspec.structs.fields(operation.body)]
    told = {name: rng.choice(VALUES) for name in names if rng.random() < 0.9}
    if rng.random() < 0.2:
        told[rng.choice(TEXTS)] = rng.choice(VALUES)
    try:
        content = json.dumps(told).encode()
    except ValueError:  # the longest number
        content = b'{"option": ' + b"9" * 900 + b"}"
    return spoiled_bytes(rng, content) if rng.random() < 0.3 else content


def _must_be_plain(answer: Any) -> None:
    """Assert that a request is done, or refused in the form of all refusals."""
    assert answer.status_code < 500 or answer.status_code == 503, answer.text
    if answer.status_code >= 400:
        refused = answer.json()
        assert refused["ok"] is False
        assert refused["status"] == answer.status_code
        assert refused["errors"]
        assert refused["error"] == refused["errors"][0]
        assert len(answer.content) < 10_000


def _asked(opened: Desk, rng: random.Random, operation: Operation) -> Any:
    opened.clock.now_s += 60  # The rate limits never apply.
    address = _address(rng, operation)
    if operation.body is None:
        return opened.client.get(address)
    media = rng.choice(("application/json",) * 8 + ("text/plain", ""))
    return opened.client.post(address, content=_body(rng, operation), headers={"content-type": media})


@pytest.fixture
def quick(desk: MakeDesk) -> Desk:
    """A site without a table that does not wait for an answer."""
    opened = desk()
    object.__setattr__(opened.site, "answers_in_s", 0.0)  # a frozen value
    return opened


@pytest.mark.parametrize("keyed", [True, False], ids=["keyed", "keyless"])
def test_no_request_makes_the_page_stumble(quick: Desk, keyed: bool) -> None:
    if keyed:
        quick.with_key()

    @tried(150)
    @given(st.integers(0, 2**32), st.sampled_from(OPERATIONS))
    def ask(seed: int, operation: Operation) -> None:
        answer = _asked(quick, random.Random(seed), operation)
        _must_be_plain(answer)
        if not keyed and operation.need is Need.TOUCH:
            # An address with a number beyond all games is no operation's: it has no key to ask for.
            nowhere = (404,) if "9" * 30 in answer.url.path else ()
            assert answer.status_code in (401, 429, *nowhere)

    ask()


def test_no_body_makes_the_page_stumble(quick: Desk) -> None:
    quick.with_key()

    @tried(200)
    @given(st.integers(0, 2**32), st.sampled_from(COMMANDS))
    def ask(seed: int, operation: Operation) -> None:
        _must_be_plain(_asked(quick, random.Random(seed), operation))

    ask()
