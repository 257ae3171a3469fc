from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from bench.club.schemas import json_schema
from companion.mqtt.messages import MESSAGES, EventMessage, HallTopics, TableTopics
from companion.mqtt.outbox import Outbox
from companion.mqtt.table import EventConverter
from companion.registry import pages
from tests.companion.mqtt.standin import NOON, game_events

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("name", MESSAGES)
def test_the_documented_schema_is_the_message_s(name: str) -> None:
    written = json.loads((DOCS / "mqtt" / f"{name}.schema.json").read_text(encoding="utf-8"))
    assert written == json_schema(name), "run: .venv/bin/python bench/club/schemas.py"


def test_a_table_s_messages_fit_the_schemas(tmp_path: Path) -> None:
    opened, taken = game_events(8)
    converter = EventConverter(pages())
    with Outbox(tmp_path / "o", "table-3") as outbox:
        outbox.add(converter.opened(opened, NOON, ()).events, 1)
        for event in taken:
            batch = converter.after(event, NOON)
            assert batch is not None
            outbox.add(batch.events, 1)
            _hold(converter.state("table-3", "Table 3", outbox.source, outbox.last, NOON), "state")
        events = outbox.after(0, 1000)
    assert len(events) == len(taken) + 2
    for message in events:
        _hold(message, "event")
        assert msgspec.json.decode(msgspec.json.encode(message), type=EventMessage) == message


CHECKS = {name: jsonschema.Draft202012Validator(json_schema(name)) for name in ("state", "event")}


def _hold(message: msgspec.Struct, name: str) -> None:
    instance: Any = json.loads(msgspec.json.encode(message))
    CHECKS[name].validate(instance)


def test_a_topic_is_told_from_its_table() -> None:
    hall = HallTopics("club/east")
    assert hall.parted(TableTopics("club/east", "table-3").events) == ("table-3", "events")
    for foreign in ("club/east/v1/hall/availability", "club/east/v2/tables/a/events", "club/east/v1/tables/a", "x"):
        assert hall.parted(foreign) is None


def test_every_topic_is_documented() -> None:
    told = (DOCS / "mqtt.md").read_text(encoding="utf-8")
    topics = TableTopics("quilt-companion", "<table>")
    for part in ("availability", "state", "events", "picture", "press", "resend", "announcement"):
        assert getattr(topics, part) in told
    assert HallTopics("quilt-companion").availability in told
    assert HallTopics("quilt-companion").announcement in told
