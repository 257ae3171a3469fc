"""Write the JSON Schemas of a table's messages into docs/mqtt, from the messages' types.

.venv/bin/python bench/club/schemas.py
"""

from __future__ import annotations

import json
from pathlib import Path

from companion.mqtt.messages import MESSAGES, json_schema

FOLDER = Path(__file__).parents[2] / "docs" / "mqtt"


def main() -> None:
    """Write all schemas."""
    for name in MESSAGES:
        text = json.dumps(json_schema(name), indent=2, ensure_ascii=False)
        (FOLDER / f"{name}.schema.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
