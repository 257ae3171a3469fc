"""Test requests that no page would send, to every route, with the table's key and without."""

from __future__ import annotations

import json
import random
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.play.page import Need
from companion.registry import pages
from companion.web.page import page_routes
from companion.web.routing import PageRoute
from companion.web.site import Site
from tests.companion.web.conftest import Desk, MakeDesk, desk
from tests.hostile.answering import tried
from tests.hostile.spoiling import TEXTS, VALUES, spoiled_bytes

__all__ = ("desk",)
ROUTES = [each for each in page_routes(pages()) if each.path != "/api/events"]
COMMANDS = [each for each in ROUTES if each.body is not None]
FILES = (
    "/static/{}.js", "/files/1/{}.js", "/texts/{}.json", "/help/{}", "/help/pictures/{}.svg", "/help/print/{}/a4.pdf",
    "/api/photographs/{}/0.jpg",
)  # fmt: skip
QUERIES = ("language", "limit", "before", "game", "reading", "printing", "seed", "camouflage", "grounds", "key", "code")


def _address(rng: random.Random, route: PageRoute[Site]) -> str:
    """Return the route's path with random numbers and a random query."""
    path = route.path
    while "{" in path:
        before, _, rest = path.partition("{")
        path = before + rng.choice(("0", "1", "7", "9" * 30)) + rest.partition("}")[2]
    asked = [(name, rng.choice((*TEXTS, "1", "0", "-1", "patchwork"))) for name in QUERIES]
    pairs = "&".join(f"{name}={_quoted(value)}" for name, value in asked if rng.random() < 0.3 and len(value) < 1000)
    return f"{path}?{pairs}"


def _quoted(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "surrogatepass"))


def _body(rng: random.Random, route: PageRoute[Site]) -> bytes:
    assert route.body is not None
    names = [field.name for field in msgspec.structs.fields(route.body)]
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


def _asked(opened: Desk, rng: random.Random, route: PageRoute[Site]) -> Any:
    opened.clock.now_s += 60  # The rate limits never apply.
    address = _address(rng, route)
    if route.body is None:
        return opened.client.get(address)
    media = rng.choice(("application/json",) * 8 + ("text/plain", ""))
    return opened.client.post(address, content=_body(rng, route), headers={"content-type": media})


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
    @given(st.integers(0, 2**32), st.sampled_from(ROUTES))
    def ask(seed: int, route: PageRoute[Site]) -> None:
        answer = _asked(quick, random.Random(seed), route)
        _must_be_plain(answer)
        if not keyed and route.need is Need.TOUCH:
            # An address with a number beyond all games is no route's: it has no key to ask for.
            nowhere = (404,) if "9" * 30 in answer.url.path else ()
            assert answer.status_code in (401, 429, *nowhere)

    ask()


def test_no_body_makes_the_page_stumble(quick: Desk) -> None:
    quick.with_key()

    @tried(200)
    @given(st.integers(0, 2**32), st.sampled_from(COMMANDS))
    def ask(seed: int, route: PageRoute[Site]) -> None:
        _must_be_plain(_asked(quick, random.Random(seed), route))

    ask()


def test_no_file_s_name_makes_the_page_stumble(quick: Desk) -> None:
    quick.with_key()
    for path, name in product(FILES, TEXTS):
        quick.clock.now_s += 60
        _must_be_plain(quick.client.get(path.replace("{}", _quoted(name[:2000]))))
