"""Test writing a game's log, and reading it after a flipped bit, or after a power cut while a line was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.journal.logs import Added, Begun, Change, GameLogs, Noted, StoredEntry, line_of, read_log

if TYPE_CHECKING:
    from pathlib import Path

GAME = 7
CHANGES: tuple[Change, ...] = (
    Begun("table", '{"game": "patchwork"}', "2026-01-02T19:00:07+00:00"),
    Added(1, StoredEntry("decision", 1, '{"seat": 1, "move": "advance"}', "2026-01-02T19:00:08+00:00")),
    Noted("presses", "each"),
    Added(2, StoredEntry("decision", 2, '{"seat": 2, "move": "advance"}', "2026-01-02T19:00:09+00:00")),
)
LINES = [line_of(GAME, number, change) for number, change in enumerate(CHANGES)]
WHOLE = b"".join(LINES)


def test_a_whole_log() -> None:
    logged = read_log(GAME, WHOLE)
    assert logged.is_whole
    assert logged.history == list(CHANGES)
    assert logged.lines == len(LINES)


def test_two_companions_that_write_to_one_log_number_its_lines_without_a_gap(path: Path) -> None:
    path.parent.mkdir()
    one, other = GameLogs(path), GameLogs(path)
    changes = [*CHANGES[:1], *(Noted("key", str(value)) for value in range(6))]
    one.write(GAME, changes[:1])
    for logs, change in zip((one, one, one, other, other, one), changes[1:], strict=True):
        assert logs.append(GAME, change)
    assert one.path(GAME).read_bytes() == b"".join(line_of(GAME, *line) for line in enumerate(changes))


@pytest.mark.parametrize("bit", range(8))
def test_any_bit_that_flips_is_seen(bit: int) -> None:
    """Also in the end of the last line, without which the line would look incompletely written."""
    for place in range(len(WHOLE)):
        content = bytearray(WHOLE)
        content[place] ^= 1 << bit
        logged = read_log(GAME, bytes(content))
        assert logged.damaged, f"byte {place}"
        assert set(logged.history) < set(CHANGES) or place == len(WHOLE) - 1


@pytest.mark.parametrize("end", [b"", b"\0", b"\0" * 9])
def test_a_line_of_which_only_a_part_was_written_is_no_damage(end: bytes) -> None:
    for length in range(1, len(LINES[-1]) - 1):
        logged = read_log(GAME, WHOLE[: -len(LINES[-1])] + LINES[-1][:length] + end)
        assert (logged.is_torn, logged.damaged) == (True, 0)
        assert logged.history == list(CHANGES[:-1])


@pytest.mark.parametrize(("end", "damaged"), [(b"", False), (b"\0", False), (b"\x0b", True), (b"J", True)])
def test_a_line_that_lacks_its_end_alone_counts(end: bytes, *, damaged: bool) -> None:
    logged = read_log(GAME, WHOLE[:-1] + end)
    assert logged.history == list(CHANGES)
    assert (logged.is_torn, bool(logged.damaged)) == (True, damaged)
