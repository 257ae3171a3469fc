"""MQTT discovery for Home Assistant: the table as a device with sensors, buttons and a camera."""

import json
from typing import Any, Final, get_args

from companion import __version__
from companion.languages import ENGLISH, Language, Sentence, render, said
from companion.mqtt.messages import OFFLINE, ONLINE, Phase, TableTopics
from hardware.ports import Button

USUAL_PREFIX: Final = "homeassistant"
"""Home Assistant's own discovery prefix, unless it is configured otherwise."""
_USUAL_SEATS: Final = 2
# The number of seats with a score; those beyond the usual two are disabled until users enable them.
_SEATS: Final = 4
_PRESSED: Final[dict[Button, tuple[Sentence, str]]] = {
    Button.CONFIRM: (said("Confirm"), "mdi:check"),
    Button.ADVANCE: (said("Advance"), "mdi:skip-next"),
    Button.UNDO: (said("Undo"), "mdi:undo"),
}


def discovery_topic(prefix: str, table: str) -> str:
    """Return the discovery topic of a table; `prefix` is Home Assistant's configured discovery prefix."""
    return f"{prefix}/device/quilt_companion_{table}/config"


def birth_topic(prefix: str) -> str:
    """Return the topic of Home Assistant's birth message."""
    return f"{prefix}/status"


def discovery(topics: TableTopics, name: str, *, buttons: bool, camera: bool, language: Language = ENGLISH) -> bytes:
    """Return the discovery message of a table.

    Args:
        topics: the table's topics.
        name: the table's display name.
        buttons: whether buttons may be pressed remotely.
        camera: whether pictures are published.
        language: the language of the entities' names.
    """
    unique = f"quilt_companion_{topics.table}"
    parts: dict[str, dict[str, Any]] = {**_sensors(topics, language)}
    if buttons:
        for button, (says, icon) in _PRESSED.items():
            parts[button.value] = {
                "platform": "button",
                "name": render(says, language),
                "command_topic": topics.press,
                "payload_press": button.value,
                "icon": icon,
            }
    if camera:
        parts["camera"] = {"platform": "camera", "name": render(said("Camera"), language), "topic": topics.picture}
    described = {
        "device": {
            "identifiers": [unique],
            "name": name,
            "manufacturer": "quilt-companion",
            "model": render(said("Game table"), language),
            "sw_version": __version__,
        },
        "origin": {"name": "quilt-companion", "sw_version": __version__},
        "availability_topic": topics.availability,
        "payload_available": ONLINE.decode(),
        "payload_not_available": OFFLINE.decode(),
        "qos": 1,
        "components": {key: {**part, "unique_id": f"{unique}_{key}"} for key, part in parts.items()},
    }
    return json.dumps(described, ensure_ascii=False).encode()


def _sensors(topics: TableTopics, language: Language) -> dict[str, dict[str, Any]]:
    sensors: dict[str, dict[str, Any]] = {
        "turn": {
            "name": render(said("Whose turn"), language),
            "value_template": "{{ value_json.seats[value_json.turn - 1].name if value_json.turn else '' }}",
            "icon": "mdi:account-clock",
            "json_attributes_topic": topics.state,
        },
        "phase": {
            "name": render(said("Phase"), language),
            "value_template": "{{ value_json.phase }}",
            "device_class": "enum",
            "options": list(get_args(Phase)),
            "icon": "mdi:progress-clock",
        },
        "game": {
            "name": render(said("Game"), language),
            "value_template": "{{ value_json.game.title if value_json.game else '' }}",
            "icon": "mdi:puzzle",
        },
        "decisions": {
            "name": render(said("Decisions"), language),
            "value_template": "{{ value_json.decisions }}",
            "icon": "mdi:counter",
        },
    }
    for seat in range(1, _SEATS + 1):
        sensors[f"score_{seat}"] = {
            "name": render(said("Score of seat {seat}", seat=seat), language),
            "value_template": (
                f"{{{{ value_json.seats[{seat - 1}].score if value_json.seats | length >= {seat} else None }}}}"
            ),
            "icon": "mdi:scoreboard",
            "enabled_by_default": seat <= _USUAL_SEATS,
        }
    return {key: {"platform": "sensor", "state_topic": topics.state, **sensor} for key, sensor in sensors.items()}
