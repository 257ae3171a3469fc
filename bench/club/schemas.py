"""Write the JSON Schemas of a table's messages into docs/mqtt, from the messages' types.

.venv/bin/python bench/club/schemas.py
"""

from __future__ import annotations

import json
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec

from companion.mqtt.messages import MESSAGES

FOLDER = Path(__file__).parents[2] / "docs" / "mqtt"


def json_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a message."""
    # Encoded and decoded, so that it has lists, not tuples, as when read from a file.
    schema = json.loads(msgspec.json.encode(msgspec.json.schema(MESSAGES[name])), object_hook=_unindented)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **schema}


def _unindented(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a schema with its description as Python 3.13 keeps docstrings: not indented."""
    says = part.get("description")
    return {**part, "description": cleandoc(says)} if isinstance(says, str) else part


def main() -> None:
    """Write all schemas."""
    for name in MESSAGES:
        text = json.dumps(json_schema(name), indent=2, ensure_ascii=False)
        (FOLDER / f"{name}.schema.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
