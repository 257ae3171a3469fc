from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from companion.web.transport.hub import BYE, EventStream, Hub

if TYPE_CHECKING:
    from starlette.types import Message

Send = Callable[["Message"], Awaitable[None]]


class Reader:
    """One page at the other end of a stream."""

    def __init__(self, hub: Hub, **more: Any) -> None:
        self.hub, self.stream = hub, EventStream(hub.subscribe(), **more)
        self.got: asyncio.Queue[Message] = asyncio.Queue()
        self._gone = asyncio.Event()
        self.stuck = False
        self._never = asyncio.Event()
        self.task = asyncio.create_task(self.stream({"type": "http"}, self._receive, self._send))

    async def _receive(self) -> Message:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if self.stuck:
            await self._never.wait()
        await self.got.put(message)

    def leave(self) -> None:
        self._gone.set()

    async def text(self) -> bytes:
        message = await asyncio.wait_for(self.got.get(), 5)
        return bytes(message.get("body", b""))

    async def begun(self) -> Message:
        start = await asyncio.wait_for(self.got.get(), 5)
        assert await self.text() == b"retry: 1000\n\n"
        return start


def _run(scene: Callable[[Hub], Awaitable[None]]) -> None:
    asyncio.run(_with(scene))


async def _with(scene: Callable[[Hub], Awaitable[None]]) -> None:
    await scene(Hub())


def test_messages_are_streamed_as_events() -> None:
    async def scene(hub: Hub) -> None:
        hub.publish("snapshot", b'{"number":1}')
        reader = Reader(hub)
        headers = dict((await reader.begun())["headers"])
        assert headers[b"content-type"].startswith(b"text/event-stream")
        assert headers[b"cache-control"] == b"no-store"
        assert b"content-length" not in headers
        assert await reader.text() == b'event: snapshot\ndata: {"number":1}\n\n'
        hub.publish("strip", b"{}")
        assert await reader.text() == b"event: strip\ndata: {}\n\n"
        reader.leave()
        await asyncio.wait_for(reader.task, 5)

    _run(scene)


def test_silence_is_broken_by_a_comment() -> None:
    async def scene(hub: Hub) -> None:
        reader = Reader(hub, keepalive_s=0.01)
        await reader.begun()
        assert await reader.text() == b": still there\n\n"
        reader.leave()
        await asyncio.wait_for(reader.task, 5)

    _run(scene)


def test_a_reader_that_leaves_stops_listening() -> None:
    async def scene(hub: Hub) -> None:
        reader = Reader(hub, keepalive_s=600)
        await reader.begun()
        assert hub.listening == 1
        reader.leave()
        await asyncio.wait_for(reader.task, 5)
        assert hub.listening == 0

    _run(scene)


def test_a_reader_that_does_not_read_is_dropped() -> None:
    async def scene(hub: Hub) -> None:
        reader = Reader(hub, slowest_s=0.01)
        await reader.begun()
        reader.stuck = True
        hub.publish("snapshot", b"{}")
        await asyncio.wait_for(reader.task, 5)
        assert hub.listening == 0

    _run(scene)


def test_the_last_message_ends_the_stream() -> None:
    async def scene(hub: Hub) -> None:
        reader = Reader(hub)
        await reader.begun()
        hub.publish(BYE, b"{}")
        assert await reader.text() == b"event: bye\ndata: {}\n\n"
        await asyncio.wait_for(reader.task, 5)
        assert reader.got.get_nowait() == {"type": "http.response.body", "body": b"", "more_body": False}

    _run(scene)
