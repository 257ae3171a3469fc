"""Test the whole hall on a real broker: it collects from tables, and they receive its announcements."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from companion.config import HallConfig
from companion.hall import club
from companion.hall.database import Event, TableGame
from companion.hall.hall import Hall
from companion.mqtt.courier import CourierHooks
from companion.mqtt.link import Address, PahoLink
from companion.mqtt.messages import HallTopics, TableTopics
from companion.mqtt.table import TableOnBroker
from companion.registry import pages
from tests.companion.mqtt.standin import game_events
from tests.companion.mqtt.test_table import await_until
from tests.mosquitto import MISSING, PROGRAM, Mosquitto

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)
OPENED, TAKEN = game_events(6)


def table(port: int, folder: Path, number: int, heard: list[list[str]]) -> TableOnBroker:
    address, name = Address("127.0.0.1", port), f"table-{number}"
    hooks = CourierHooks(
        TableTopics("club", name),
        HallTopics("club"),
        announced=lambda told: heard.append([each.text for each in told]),
    )
    return TableOnBroker(
        name,
        hooks,
        pages(),
        folder / f"{name}.sqlite3",
        lambda hello, notify: PahoLink(address, hello, notify),
    )


def test_tables_are_collected_also_what_they_did_before_the_hall_was_there(tmp_path: Path) -> None:
    heard: list[list[str]] = []
    with Mosquitto(tmp_path / "broker") as broker:
        address = Address("127.0.0.1", broker.port)
        hall = Hall(
            HallConfig(port=0), tmp_path / "hall", "club", lambda hello, notify: PahoLink(address, hello, notify)
        )
        with table(broker.port, tmp_path, 1, heard) as early:
            early(OPENED)
            for event in TAKEN:
                early(event)
            with hall, table(broker.port, tmp_path, 2, []) as late:
                late(OPENED)

                def collected() -> bool:
                    with hall.database.transaction() as session:
                        events = session.scalar(select(func.count()).select_from(Event))
                        ended = session.scalars(select(TableGame.finished_at)).all()
                    return events == len(TAKEN) + 3 and sorted(bool(each) for each in ended) == [False, True]

                await_until(collected)
                assert hall.live.online() == ["table-1", "table-2"]
                with hall.database.transaction() as session:
                    club.announce(session, "", "Round 2 at eight")
                    club.announce(session, "table-1", "Anna – Boris")
                hall.listening.announce()
                await_until(lambda: ["Round 2 at eight", "Anna – Boris"] in heard)
                with hall.database.transaction() as session:
                    club.announce(session, "", "")
                hall.listening.announce()
                await_until(lambda: heard[-1] == ["Anna – Boris"])
