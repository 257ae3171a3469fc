from __future__ import annotations

import asyncio
from threading import Thread

import pytest

from companion.web.transport.hub import CrowdedError, Hub, LocalizedData, Message


def _topics(messages: list[Message]) -> list[tuple[str, bytes | LocalizedData]]:
    return [(message.topic, message.data) for message in messages]


def test_a_new_listener_gets_the_newest_of_each_topic() -> None:
    async def listen() -> None:
        hub = Hub()
        hub.publish("strip", b"1")
        hub.publish("snapshot", b"1")
        hub.publish("strip", b"2")
        assert _topics(await hub.subscribe().next(0.1)) == [("snapshot", b"1"), ("strip", b"2")]
        assert hub.latest("strip") == b"2"
        assert hub.latest("other") is None

    asyncio.run(listen())


def test_a_slow_listener_misses_superseded_messages() -> None:
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
        hub = Hub(spectators=2)
        first, _ = hub.subscribe("a"), hub.subscribe("b")
        with pytest.raises(CrowdedError):
            hub.subscribe("c")
        first.close()
        first.close()
        hub.subscribe("a")
        with pytest.raises(CrowdedError):
            hub.subscribe("a")
        assert hub.listening == 2

    asyncio.run(listen())


def test_one_address_has_a_share_of_the_places() -> None:
    async def listen() -> None:
        hub = Hub(of_address=1)
        first = hub.subscribe("a")
        with pytest.raises(CrowdedError):
            hub.subscribe("a")
        hub.subscribe("b")
        first.close()
        hub.subscribe("a")

    asyncio.run(listen())


def test_a_reader_with_the_key_finds_a_place_beside_all_spectators() -> None:
    async def listen() -> None:
        hub = Hub(keyed=2, spectators=1)
        hub.subscribe("a")
        first, _ = hub.subscribe("a", keyed=True), hub.subscribe("a", keyed=True)
        with pytest.raises(CrowdedError):
            hub.subscribe("a", keyed=True)
        first.close()
        hub.subscribe("a", keyed=True)

    asyncio.run(listen())


def test_many_spectators_are_sent_no_more_than_a_few_and_always_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    async def listen() -> None:
        slept_s, awake = [], asyncio.Event()

        async def sleep(seconds: float) -> None:
            slept_s.append(seconds)
            await awake.wait()

        monkeypatch.setattr("companion.web.transport.hub.asyncio.sleep", sleep)
        hub = Hub(sends_per_s=0.01)
        player, spectators = hub.subscribe(keyed=True), [hub.subscribe("hall") for _ in range(20)]
        assert hub.spectators_wait_s == 2000
        hub.publish("snapshot", b"0")
        for each in (player, *spectators):
            assert _topics(await each.next(0.1)) == [("snapshot", b"0")]
        late = asyncio.create_task(spectators[0].next(0.1))
        await asyncio.tasks.sleep(0)
        for number in range(1, 4):
            hub.publish("snapshot", b"%d" % number)
            assert _topics(await player.next(0.1)) == [("snapshot", b"%d" % number)]
        assert 1000 < slept_s[0] <= 2000
        awake.set()
        assert _topics(await late) == [("snapshot", b"3")]

    asyncio.run(listen())


def test_after_the_last_listener_s_loop_is_gone_publishing_goes_on() -> None:
    hub = Hub()

    async def listen() -> None:
        hub.subscribe()

    asyncio.run(listen())
    hub.publish("snapshot", b"late")
    assert hub.latest("snapshot") == b"late"
