"""Changes of single values in a configuration file that preserve all else, comments included."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_HEADER: Final = re.compile(r"\s*\[(?P<name>[^\[\]]+)\]\s*(#.*)?")


def with_values(text: str, section: str, values: Mapping[str, str | None]) -> str:
    """Return a configuration's text with changed values in a section, which is added if missing.

    Args:
        text: the file's text, which must be valid TOML.
        section: the section's name, such as "controls".
        values: each key's value, as TOML; None to remove the key.
    """
    lines = text.splitlines()
    start = next((number for number, line in enumerate(lines) if _named(line) == section), None)
    new = [f"{key} = {value}" for key, value in values.items() if value is not None]
    if start is None:
        return "\n".join([*lines, *([""] if lines else []), f"[{section}]", *new]) + "\n"
    end = next((number for number in range(start + 1, len(lines)) if _named(lines[number])), len(lines))
    kept = _without(lines[start + 1 : end], values)
    # Directly below the header: at its end, a section often has the comment of the next one.
    return "\n".join([*lines[: start + 1], *new, *kept, *lines[end:]]) + "\n"


def _named(line: str) -> str | None:
    found = _HEADER.fullmatch(line)
    return found["name"].strip() if found else None


def _without(lines: list[str], keys: Mapping[str, str | None]) -> list[str]:
    """Return the lines of a section without those that set one of these keys."""
    kept: list[str] = []
    left = list(lines)
    while left:
        line = left.pop(0)
        if line.partition("=")[0].strip() not in keys:
            kept.append(line)
            continue
        # A value may span several lines.
        while left and not _is_whole(line):
            line = f"{line}\n{left.pop(0)}"
    return kept


def _is_whole(assignment: str) -> bool:
    try:
        tomllib.loads(assignment)
    except tomllib.TOMLDecodeError:
        return False
    return True
