"""Test the table's description for Home Assistant against the published schema of its discovery.

The schema is that of `DEVICE_DISCOVERY_SCHEMA` in Home Assistant's `components/mqtt/schemas.py` and of the platforms'
`DISCOVERY_SCHEMA`, with the keys that the table uses: an unknown key is an error here, though not everywhere there.
"""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest

from bench.club.schemas import json_schema
from companion.languages import LANGUAGES
from companion.mqtt.discovery import birth_topic, discovery, discovery_topic
from companion.mqtt.messages import TableTopics

TOPICS = TableTopics("club", "table-3")
TEXT, TOPIC = {"type": "string", "minLength": 1}, {"type": "string", "pattern": "^[^+#\\0]+$"}
ENTITY = {"platform": TEXT, "name": TEXT, "unique_id": TEXT, "icon": {"pattern": "^mdi:"}, "enabled_by_default": {}}
PLATFORMS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "sensor": (
        {
            "state_topic": TOPIC,
            "value_template": TEXT,
            "json_attributes_topic": TOPIC,
            "device_class": {"const": "enum"},
            "options": {"type": "array", "items": TEXT, "minItems": 1},
        },
        ["state_topic"],
    ),
    "button": ({"command_topic": TOPIC, "payload_press": TEXT}, ["command_topic"]),
    "camera": ({"topic": TOPIC}, ["topic"]),
}
COMPONENT = {
    "oneOf": [
        {
            "type": "object",
            "properties": {**ENTITY, **own, "platform": {"const": platform}},
            "required": ["platform", "unique_id", *required],
            "additionalProperties": False,
        }
        for platform, (own, required) in PLATFORMS.items()
    ]
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "device": {
            "type": "object",
            "properties": {
                "identifiers": {"type": "array", "items": TEXT, "minItems": 1},
                **dict.fromkeys(("name", "manufacturer", "model", "sw_version"), TEXT),
            },
            "required": ["identifiers"],
            "additionalProperties": False,
        },
        "origin": {
            "type": "object",
            "properties": {"name": TEXT, "sw_version": TEXT},
            "required": ["name"],
            "additionalProperties": False,
        },
        "components": {"type": "object", "additionalProperties": COMPONENT},
        "availability_topic": TOPIC,
        "payload_available": TEXT,
        "payload_not_available": TEXT,
        "qos": {"enum": [0, 1, 2]},
    },
    "required": ["device", "origin", "components"],
    "additionalProperties": False,
}


def described(*, buttons: bool = False, camera: bool = False, language: str = "en") -> dict[str, Any]:
    told = discovery(TOPICS, "Table 3", buttons=buttons, camera=camera, language=LANGUAGES[language])
    found: dict[str, Any] = json.loads(told)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_description_is_one_that_home_assistant_takes(language: str) -> None:
    jsonschema.validate(described(buttons=True, camera=True, language=language), SCHEMA)


def test_the_topic_is_one_that_it_looks_at() -> None:
    topic = discovery_topic("homeassistant", "table-3")
    assert re.fullmatch(r"homeassistant/device/[a-zA-Z0-9_-]+/config", topic)
    assert birth_topic("homeassistant") == "homeassistant/status"


def test_buttons_and_camera_are_there_only_with_the_owner_s_leave() -> None:
    platforms = {each["platform"] for each in described()["components"].values()}
    assert platforms == {"sensor"}
    all_of_it = described(buttons=True, camera=True)["components"]
    assert {key for key, each in all_of_it.items() if each["platform"] == "button"} == {"confirm", "advance", "undo"}
    assert all_of_it["camera"]["topic"] == TOPICS.picture


def test_every_template_asks_for_what_the_state_has() -> None:
    schema = json_schema("state")
    properties = schema["$defs"]["StateMessage"]["properties"]
    for component in described()["components"].values():
        for asked in re.findall(r"value_json\.(\w+)", component["value_template"]):
            assert asked in properties
    phases = described()["components"]["phase"]["options"]
    assert sorted(phases) == sorted(properties["phase"]["enum"])
