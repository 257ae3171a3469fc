"""Files of JSON Lines, read line by line, and written completely or not at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from companion import durable
from companion.languages import json_says, said, system_says
from companion.record.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

# A full header takes under 1 kB; the limit keeps a file that is not a record from filling the memory.
_LONGEST_LINE_BYTES: Final = 1 << 20


def decoded_lines(path: Path) -> Generator[tuple[int, object], None, None]:
    """Yield the decoded lines of a file with their numbers, from 1; blank lines are skipped.

    Raises:
        RecordError: if the file cannot be read, or a line is not JSON.
    """
    try:
        with path.open("rb") as stream:
            number = 0
            while text := stream.readline(_LONGEST_LINE_BYTES + 1):
                number += 1
                if number == 1:
                    # A byte order mark, which some editors on Windows add.
                    text = text.removeprefix(b"\xef\xbb\xbf")
                if not text.isspace() and text:
                    yield number, _decoded(text, path, number)
    except OSError as error:
        raise RecordError(said("cannot be read: {fault}", fault=system_says(error)), path) from error
    except ValueError as error:  # a name with a null byte
        raise RecordError(said("cannot be read: {fault}", fault=system_says(error)), path) from error


def _decoded(text: bytes, path: Path, number: int) -> object:
    if len(text) > _LONGEST_LINE_BYTES:
        raise RecordError(
            said("a line longer than {count} bytes is not part of a game record", count=_LONGEST_LINE_BYTES),
            path,
            number,
        )
    try:
        return json.loads(text.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(
            said("not {encoding} (byte {number} of the line)", encoding="UTF-8", number=error.start + 1), path, number
        ) from error
    except (ValueError, RecursionError) as error:
        raise RecordError(
            said("not {encoding}: {fault}", encoding="JSON", fault=json_says(error)), path, number
        ) from error


def write_whole(target: Path, text: str) -> None:
    """Write a file completely or not at all, replacing an existing one; it is synced to disk when this returns.

    Raises:
        RecordError: if it cannot be written.
    """
    try:
        # A link remains one: the file that it points to is replaced.
        resolved = target.resolve()
        if resolved.exists() and not resolved.is_file():
            raise RecordError(said("cannot be written: it exists and is not a file"), target)
        durable.write_whole(resolved, text.encode("utf-8"))
    except OSError as error:
        raise RecordError(said("cannot be written: {fault}", fault=system_says(error)), target) from error
    except ValueError as error:  # a name with a null byte
        raise RecordError(said("cannot be written: {fault}", fault=system_says(error)), target) from error
