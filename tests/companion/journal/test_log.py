"""Test reading a game's log after a flipped bit, after a power cut while a line was written, and with foreign lines."""

from __future__ import annotations

import pytest

from companion.journal.log import GameLog, Line, LineKind, LogState, read_log

GAME = 7
AT = "2026-01-02T19:00:07+00:00"
LINES = (
    Line(LineKind.GAME, '{"format": 1, "game": "patchwork", "players": ["Zoë", "李"]}', 1, AT),
    Line(LineKind.TABLE, '"table"', 2, AT),
    Line(LineKind.DECISION, '{"seat": 1, "move": "advance"}', 3, AT),
    Line(LineKind.NOTE, '["presses", "each"]', 4, AT),
    Line(LineKind.DECISION, '{"seat": 2, "move": "advance"}', 5, AT),
)


def encoded(lines: tuple[Line, ...] = LINES) -> list[bytes]:
    return [line + b"\n" for line in GameLog(GAME).encoded(lines).split(b"\n")[:-1]]


WHOLE = b"".join(encoded())


def test_a_log_is_read_as_it_was_written() -> None:
    log = read_log(GAME, WHOLE)
    assert (log.state, log.lines, log.size) == (LogState.WHOLE, list(LINES), len(WHOLE))
    assert (log.header, log.table, log.notes) == (LINES[0].text, "table", {"presses": "each"})
    assert log.decisions == [LINES[2].text, LINES[4].text]
    assert (log.started_at, log.last_at, log.changed) == (AT, AT, 5)


def test_a_line_is_a_line_of_a_game_record_with_its_checksum_and_number_before_it() -> None:
    assert encoded()[2].split(b" ", 1)[1] == b'2 3 2026-01-02T19:00:07+00:00 decision {"seat": 1, "move": "advance"}\n'


@pytest.mark.parametrize("bit", range(8))
def test_any_flipped_bit_is_corrected(bit: int) -> None:
    """Also in a line's end, and where a byte becomes one."""
    for place in range(len(WHOLE)):
        content = bytearray(WHOLE)
        content[place] ^= 1 << bit
        log = read_log(GAME, bytes(content))
        assert log.is_corrected, f"byte {place}"
        assert (log.state, log.lines) == (LogState.WHOLE, list(LINES))


def test_two_flipped_bits_of_one_line_are_damage() -> None:
    lines = encoded()
    for place in range(len(lines[2]) - 2):
        damaged = bytearray(lines[2])
        damaged[place] ^= 1
        damaged[place + 1] ^= 4
        log = read_log(GAME, b"".join([*lines[:2], damaged, *lines[3:]]))
        assert (log.state, log.lines) == (LogState.DAMAGED, list(LINES[:2]))
        assert str(log.fault) == "its log is damaged after decision 0"


@pytest.mark.parametrize("end", [b"", b"\0", b"\0" * 9])
def test_a_line_of_which_only_a_part_was_written_is_no_damage(end: bytes) -> None:
    *before, last = encoded()
    for length in range(1, len(last) - 1):
        log = read_log(GAME, b"".join(before) + last[:length] + end)
        assert (log.state, log.is_corrected, log.fault) == (LogState.TORN, False, None)
        assert log.lines == list(LINES[:-1])


def test_a_line_of_which_the_disk_has_only_later_sectors_is_no_damage() -> None:
    lines = encoded((*LINES, Line(LineKind.NOTE, f'["circle", "{"x" * 1100}"]', 6, AT)))
    content, start = b"".join(lines), len(WHOLE)
    first = -(-start // 512) * 512
    for hole in ((start, first), (first, first + 512)):
        torn = content[: hole[0]] + bytes(hole[1] - hole[0]) + content[hole[1] :]
        assert read_log(GAME, torn).state is LogState.TORN
    assert read_log(GAME, content.replace(b"x" * 40, bytes(40), 1)).state is LogState.DAMAGED


def test_a_missing_line_is_damage() -> None:
    lines = encoded()
    for place in range(1, len(lines) - 1):
        log = read_log(GAME, b"".join([*lines[:place], *lines[place + 1 :]]))
        assert (log.state, len(log.lines)) == (LogState.DAMAGED, place)


def test_another_game_s_log_is_damage() -> None:
    assert read_log(GAME + 1, WHOLE).state is LogState.DAMAGED


@pytest.mark.parametrize(
    "line",
    [
        Line(LineKind.GAME, "{}", 6, AT),
        Line(LineKind.SETUP, "[]", 6, AT),
        Line(LineKind.DECISION, "{", 6, AT),
        Line(LineKind.DECISION, "[" * 100_000, 6, AT),
        Line(LineKind.UNDO, "1", 6, AT),
        Line(LineKind.UNDO, "3", 6, AT),
        Line(LineKind.CUT, "-1", 6, AT),
        Line(LineKind.CUT, "3", 6, AT),
        Line(LineKind.NOTE, '["key"]', 6, AT),
        Line(LineKind.NOTE, '["key", 1]', 6, AT),
        Line(LineKind.TABLE, "3", 6, AT),
    ],
)
def test_a_forged_line_with_its_checksum_is_damage(line: Line) -> None:
    log = read_log(GAME, b"".join(encoded((*LINES, line))))
    assert (log.state, log.lines) == (LogState.DAMAGED, list(LINES))


def test_a_first_line_that_is_no_header_is_damage() -> None:
    log = read_log(GAME, b"".join(encoded(LINES[1:])))
    assert (log.state, log.header) == (LogState.DAMAGED, "")


def test_a_newer_companion_s_line_is_no_damage_and_ends_what_can_be_read() -> None:
    log = read_log(GAME, b"".join(encoded((*LINES, Line("resigned", "1", 6, AT)))))
    assert (log.state, log.lines) == (LogState.NEWER, list(LINES))
    assert "a newer companion continued it" in str(log.fault)


def test_undone_replaced_and_cut_decisions_remain_in_the_history() -> None:
    more = (
        Line(LineKind.UNDO, "2", 6, AT),
        Line(LineKind.REPLACE, '{"seat": 1}', 7, AT),
        Line(LineKind.DECISION, '{"seat": 2}', 8, AT),
        Line(LineKind.CUT, "1", 9, AT),
    )
    log = read_log(GAME, b"".join(encoded((*LINES, *more))))
    assert (log.decisions, len(log.lines)) == (['{"seat": 1}'], 9)
