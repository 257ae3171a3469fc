from __future__ import annotations

import asyncio
from threading import Thread

import pytest

from companion.web.hub import CrowdedError, Hub, Message, Telling


def _topics(messages: list[Message]) -> list[tuple[str, bytes | Telling]]:
    return [(message.topic, message.data) for message in messages]


def test_who_begins_to_listen_gets_the_newest_of_each_topic() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.publish("strip", b"1")
        hub.publish("snapshot", b"1")
        hub.publish("strip", b"2")
        assert _topics(await hub.subscribe().next(0.1)) == [("snapshot", b"1"), ("strip", b"2")]
        assert hub.latest("strip") == b"2"
        assert hub.latest("other") is None

    asyncio.run(listen())


def test_who_is_slow_misses_what_was_overtaken() -> None:
    async def listen() -> None:
        hub = Hub()
        slow, quick = hub.subscribe(), hub.subscribe()
        for number in range(50):
            hub.publish("snapshot", b"%d" % number)
            assert _topics(await quick.next(0.1)) == [("snapshot", b"%d" % number)]
        assert _topics(await slow.next(0.1)) == [("snapshot", b"49")]
        assert await slow.next(0.001) == []

    asyncio.run(listen())


def test_messages_come_from_any_thread_and_wake_who_waits() -> None:
    async def listen() -> None:
        hub = Hub()
        subscription = hub.subscribe()
        waiting = asyncio.create_task(subscription.next(30))
        await asyncio.sleep(0)
        Thread(target=hub.publish, args=("snapshot", b"news")).start()
        assert _topics(await waiting) == [("snapshot", b"news")]

    asyncio.run(listen())


def test_a_wake_without_news_is_an_answer_too() -> None:
    async def listen() -> None:
        subscription = Hub().subscribe()
        subscription.wake()
        assert await subscription.next(30) == []

    asyncio.run(listen())


def test_only_so_many_may_listen_until_one_leaves() -> None:
    async def listen() -> None:
        hub = Hub(capacity=2)
        first, _ = hub.subscribe(), hub.subscribe()
        with pytest.raises(CrowdedError):
            hub.subscribe()
        first.close()
        first.close()
        hub.subscribe()
        assert hub.listening == 2

    asyncio.run(listen())


def test_after_the_last_listener_s_loop_is_gone_publishing_goes_on() -> None:
    hub = Hub()

    async def listen() -> None:
        hub.subscribe()

    asyncio.run(listen())
    hub.publish("snapshot", b"late")
    assert hub.latest("snapshot") == b"late"
