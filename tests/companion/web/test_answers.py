"""Costly answers: one at a time, kept until they change, fair to every address, and not for clients that left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request

from companion.play.page import RefusedError
from companion.web.answers import PLACES, Answers
from companion.web.files import StaticFile


@dataclass
class Work:
    """What the worker does: it waits at a gate, and notes the answers that it made."""

    gate: Event = field(default_factory=Event)
    begun: Event = field(default_factory=Event)
    made: list[str] = field(default_factory=list)

    def of(self, name: str) -> Callable[[], StaticFile]:
        """Return the function that makes an answer."""

        def make() -> StaticFile:
            self.begun.set()
            assert self.gate.wait(10)
            self.made.append(name)
            return StaticFile(f"{name}.json", f"{name} {len(self.made)}".encode())

        return make


@dataclass
class Client:
    """A client that may leave."""

    address: str = "10.0.0.1"
    left: asyncio.Event = field(default_factory=asyncio.Event)

    def request(self) -> Request:
        """Return its request."""

        async def receive() -> dict[str, Any]:
            await self.left.wait()
            return {"type": "http.disconnect"}

        return Request({"type": "http", "client": (self.address, 50000)}, receive)


async def asked(
    answers: Answers, work: Work, name: str, client: Client | None = None, mark: int = 0, *, keyed: bool = False
) -> bytes:
    """Return an answer to a client."""
    request = (client or Client()).request()
    return (await answers.get(request, name, lambda: mark, work.of(name), keyed=keyed)).plain


async def busy(answers: Answers, work: Work, client: Client | None = None) -> asyncio.Task[bytes]:
    """Return a request that the worker has begun with, and that it completes when the gate opens."""
    first = asyncio.create_task(asked(answers, work, "first", client))
    assert await asyncio.to_thread(work.begun.wait, 10)
    return first


def test_an_answer_is_kept_until_its_mark_changes() -> None:
    async def ask() -> list[bytes]:
        answers, work = Answers(), Work()
        work.gate.set()
        return [await asked(answers, work, "list", mark=mark) for mark in (1, 1, 2)]

    assert asyncio.run(ask()) == [b"list 1", b"list 1", b"list 2"]


def test_the_answers_used_longest_ago_are_dropped_first() -> None:
    async def ask() -> list[str]:
        answers, work = Answers(kept_bytes=StaticFile("a.json", b"a 1").size * 2), Work()
        work.gate.set()
        for name in "abacab":
            await asked(answers, work, name)
        return work.made

    assert asyncio.run(ask()) == ["a", "b", "c", "b"]


def test_short_answers_to_many_long_questions_do_not_fill_the_memory() -> None:
    names = [f"{'x' * 1000}{number}" for number in range(1000)]

    async def ask() -> list[str]:
        answers, work = Answers(), Work()
        work.gate.set()
        for name in (*names, names[-1], names[0]):
            await asked(answers, work, name)
        return work.made

    # The newest one was kept, the oldest one was not.
    assert asyncio.run(ask()) == [*names, names[0]]


def test_clients_who_ask_for_the_same_wait_for_one_answer() -> None:
    async def ask() -> tuple[list[str], set[bytes]]:
        answers, work = Answers(), Work()
        first = await busy(answers, work)
        more = [asyncio.create_task(asked(answers, work, "list", Client(f"10.0.0.{n}"))) for n in range(100)]
        await asyncio.sleep(0)
        work.gate.set()
        await first
        return work.made, set(await asyncio.gather(*more))

    assert asyncio.run(ask()) == (["first", "list"], {b"list 2"})


def test_an_answer_that_began_before_a_change_is_not_given_to_those_who_ask_after_it() -> None:
    async def ask() -> tuple[bytes, bytes]:
        answers, work = Answers(), Work()
        early = await busy(answers, work)
        late = asyncio.create_task(asked(answers, work, "first", mark=1))
        await asyncio.sleep(0)
        work.gate.set()
        return await early, await late

    assert asyncio.run(ask()) == (b"first 1", b"first 2")


def test_an_answer_whose_clients_left_is_not_made() -> None:
    async def ask() -> list[str]:
        answers, work, gone = Answers(), Work(), Client()
        first = await busy(answers, work)
        left = [asyncio.create_task(asked(answers, work, str(number), gone)) for number in range(PLACES)]
        await asyncio.sleep(0)
        gone.left.set()
        with pytest.raises(ClientDisconnect):
            await left[0]
        await asyncio.wait(left)
        work.gate.set()
        await first
        return work.made

    assert asyncio.run(ask()) == ["first"]


def test_one_address_has_few_places_and_others_have_theirs() -> None:
    async def ask() -> list[str]:
        answers, work, greedy = Answers(), Work(), Client("10.0.0.9")
        waiting = [await busy(answers, work, greedy)]
        waiting += [asyncio.create_task(asked(answers, work, f"greedy {n}", greedy)) for n in range(PLACES)]
        await asyncio.sleep(0)
        with pytest.raises(RefusedError) as refused:
            await asked(answers, work, "one more", greedy)
        assert refused.value.status == 503
        waiting.append(asyncio.create_task(asked(answers, work, "modest", Client("10.0.0.2"))))
        waiting.append(asyncio.create_task(asked(answers, work, "player", greedy, keyed=True)))
        await asyncio.sleep(0)
        work.gate.set()
        await asyncio.gather(*waiting)
        return work.made

    # First who has the key, then the address that was not served yet.
    assert asyncio.run(ask())[:4] == ["first", "player", "modest", "greedy 0"]


def test_an_error_is_raised_where_the_answer_is_awaited_and_nothing_of_it_is_kept() -> None:
    async def ask() -> bytes:
        answers, work = Answers(), Work()
        work.gate.set()

        def fail() -> StaticFile:
            raise ValueError("damaged")

        with pytest.raises(ValueError, match="damaged"):
            await answers.get(Client().request(), "list", lambda: 0, fail)
        return await asked(answers, work, "list")

    assert asyncio.run(ask()) == b"list 1"
