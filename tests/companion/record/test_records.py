"""Game records: reading, writing, replaying, and everything that can be wrong with a file."""

import json
import random
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.kvilt import rules as kvilt_rules
from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES, Edition
from companion.games.patchwork.decisions import Advance, Decision, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import RuleProfile, Setup, State
from companion.kvilt.codec import KVILT
from companion.patchwork.codec import PATCHWORK
from companion.record import (
    RecordError,
    Replayed,
    game_of,
    record_lines,
    replay_record,
    write_record,
)
from companion.registry import codecs
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")
SETUP = Setup(players=("Anna", "Bó — ёж"), first_seat=2, market=CIRCLE)
HEADER: dict[str, Any] = {
    "format": 1,
    "game": "patchwork",
    "rules": "official",
    "edition": "original",
    "players": ["Anna", "Boris"],
    "first_seat": 1,
}
ADVANCE = '{"seat": 1, "move": "advance"}'


def random_game(seed: int, setup: Setup = SETUP, decisions: int = 200) -> History:
    rng = random.Random(seed)
    history = History(setup)
    while not history.state.finished and len(history.decisions) < decisions:
        history.apply(legal_decisions(history.state).pick(rng))
    return history


def written(path: Path, *lines: str | bytes) -> Path:
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines) + b"\n")
    return path


@pytest.fixture
def record(tmp_path: Path) -> Callable[..., Path]:
    return lambda *lines: written(tmp_path / "game.jsonl", *lines)


@pytest.mark.parametrize("seed", range(6))
def test_a_written_record_reads_and_replays_as_it_was(tmp_path: Path, seed: int) -> None:
    market = CIRCLE if seed % 2 else None
    setup = Setup(list(RuleProfile)[seed % 2], list(Edition)[seed % 2], ("A", "B"), 1 + seed % 2, market)
    history = random_game(seed, setup, 200 if seed < 4 else 7 * seed)
    path = tmp_path / "game.jsonl"
    write_record(path, history.setup, history.decisions, PATCHWORK)
    replayed = replay_record(path, PATCHWORK)
    assert (replayed.state, replayed.decisions, replayed.error) == (history.state, history.decisions, None)


def test_the_lines_are_those_of_the_published_format() -> None:
    setup = Setup(players=("Anna", "Boris"), market=CIRCLE)
    cells = mask_of(["B2", "A2", "A1"])
    decisions: list[Decision] = [TakePatch(1, "corner-b1", cells), Advance(2)]
    header, *lines = record_lines(setup, decisions, PATCHWORK)
    assert list(json.loads(header)) == ["format", "game", "rules", "edition", "players", "first_seat", "market"]
    assert lines == [
        '{"seat": 1, "move": "patch", "patch": "corner-b1", "cells": ["A1", "A2", "B2"]}',
        '{"seat": 2, "move": "advance"}',
    ]


def test_a_header_that_cannot_be_is_named_by_its_line(record: Callable[..., Path]) -> None:
    path = record(json.dumps({**HEADER, "rules": "house"}), ADVANCE)
    replayed = replay_record(path, PATCHWORK)
    assert (replayed.state, replayed.decisions) == (None, ())
    assert str(replayed.error) == f'{path}:1: "rules" must be "official" or "marker-on-top"'


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "not JSON: Expecting property name"),
        ("advance", "not JSON"),
        ('{"seat": 1, "move": "advance"} {}', "not JSON: Extra data"),
        ('{"seat": 1, "move"', "not JSON"),
        ("[" * 100_000, "not JSON: not to be decoded"),
        ('{"seat": ' + "9" * 5000 + ', "move": "advance"}', "not JSON: not to be decoded"),
        (b'{"seat": 1, "move": "adv\xffance"}', "not UTF-8 (byte 25 of the line)"),
        (b"\x00\x00", "not JSON"),
        ("[1]", "a decision is an object"),
        ("null", "a decision is an object"),
        ('{"seat": true, "move": "advance"}', '"seat" must be 1 or 2'),
        ('{"seat": 2, "move": "leather", "cells": ["A1", "A1"]}', "square A1 is named twice"),
        ('{"seat": 2, "move": "patch", "patch": "\\ud800", "cells": ["A1"]}', "there is no patch"),
        ('{"seat": 1, "move": "advance"}', "illegal: it is seat 2’s turn"),
        ('{"seat": 2, "move": "patch", "patch": "domino", "cells": ["A1", "C1"]}', "illegal: these squares are not"),
        ("x" * (1 << 20) + "x" * 10, "a line longer than"),
    ],
)
def test_a_bad_line_is_named_and_the_state_before_it_is_kept(
    record: Callable[..., Path], line: str | bytes, says: str
) -> None:
    path = record(json.dumps(HEADER), ADVANCE, "", line, ADVANCE)
    replayed = replay_record(path, PATCHWORK)
    assert str(replayed.error).startswith(f"{path}:4: {says}")
    assert "\n" not in str(replayed.error)
    assert replayed.decisions == (Advance(1),)
    assert replayed.state is not None
    assert replayed.state.seat(1).buttons == 6
    str(replayed.error).encode()


@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \r\n\t\n"])
def test_an_empty_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(content)
    error = replay_record(path, PATCHWORK).error
    assert str(error) == f"{path}: empty: a game record begins with a header"
    with pytest.raises(RecordError, match="empty"):
        game_of(path, codecs())


def test_marks_of_other_editors_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"\xef\xbb\xbf\r\n" + json.dumps(HEADER).encode() + b"\r\n\r\n  " + ADVANCE.encode())
    assert replay_record(path, PATCHWORK).decisions == (Advance(1),)


@pytest.mark.parametrize("name", ["missing.jsonl", ".", "nul\0l"])
def test_a_path_that_cannot_be_read_is_a_record_error(tmp_path: Path, name: str) -> None:
    replayed = replay_record(tmp_path / name, PATCHWORK)
    assert replayed.state is None
    assert str(replayed.error).startswith(f"{tmp_path / name}: cannot be read: ")


def test_decisions_after_the_end_are_illegal(tmp_path: Path) -> None:
    history = random_game(1)
    path = tmp_path / "game.jsonl"
    write_record(path, history.setup, [*history.decisions, Advance(1)], PATCHWORK)
    replayed = replay_record(path, PATCHWORK)
    assert str(replayed.error) == f"{path}:{len(history.decisions) + 2}: illegal: the game has ended"
    assert replayed.state == history.state


def test_writing_replaces_the_file_whole_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("an older record\n" * 1000)
    write_record(path, SETUP, [Advance(2)], PATCHWORK)
    lines = record_lines(SETUP, [Advance(2)], PATCHWORK)
    assert path.read_text(encoding="utf-8") == "".join(f"{line}\n" for line in lines)
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_text("")
    link.symlink_to(target)
    write_record(link, SETUP, [], PATCHWORK)
    assert link.is_symlink()
    assert replay_record(target, PATCHWORK).state == PATCHWORK.begin(SETUP).state


@pytest.mark.parametrize("fails", ["os.fsync", "pathlib.Path.replace"])
def test_a_failed_write_keeps_the_old_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "game.jsonl"
    path.write_text("old")
    monkeypatch.setattr(fails, full)
    with pytest.raises(RecordError, match=r"game\.jsonl: cannot be written: No space left on device"):
        write_record(path, SETUP, [Advance(2)], PATCHWORK)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.jsonl"]


@pytest.mark.parametrize("name", [".", "missing/game.jsonl", "/dev/null", "nul\0l"])
def test_a_path_that_cannot_be_written_is_a_record_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match="cannot be written"):
        write_record(tmp_path / name, SETUP, [], PATCHWORK)


def test_errors_say_as_much_as_is_known() -> None:
    assert str(RecordError("empty")) == "empty"
    assert str(RecordError("empty", Path("a.jsonl"))) == "a.jsonl: empty"
    assert str(RecordError("bad", Path("a.jsonl"), 3)) == "a.jsonl:3: bad"


def replayed_bytes(content: bytes) -> Replayed[Decision, State]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        path.write_bytes(content)
        return replay_record(path, PATCHWORK)


@given(st.binary(max_size=200))
@settings(derandomize=True, deadline=None)
def test_no_bytes_bring_the_reader_down(content: bytes) -> None:
    assert replayed_bytes(content).error is not None


@given(st.integers(0, 10**6), st.integers(0, 255))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_a_damaged_record_is_played_up_to_the_damage(place: int, byte: int) -> None:
    history = random_game(7)
    lines = record_lines(history.setup, history.decisions, PATCHWORK)
    content = bytearray("".join(f"{line}\n" for line in lines).encode())
    place %= len(content)
    line = content[:place].count(b"\n")  # decisions before the damaged line, and the header
    content[place] = byte
    replayed = replayed_bytes(bytes(content))
    intact = max(0, line - 1)
    assert replayed.decisions[:intact] == history.decisions[:intact]
    assert replayed.error is None or replayed.error.line is None or replayed.error.line > line


@pytest.fixture(scope="module")
def kvilt_game() -> kvilt_rules.History:
    return play_game(own_setup(("Anna", "Bó", "Ёж")), random.Random(4))


def test_a_record_of_the_other_game_goes_round(tmp_path: Path, kvilt_game: kvilt_rules.History) -> None:
    path = tmp_path / "game.jsonl"
    write_record(path, kvilt_game.setup, kvilt_game.decisions, KVILT)
    assert game_of(path, codecs()) is KVILT
    replayed = replay_record(path, game_of(path, codecs()))
    assert (replayed.state, replayed.decisions, replayed.error) == (kvilt_game.state, kvilt_game.decisions, None)
    told = KVILT.summary(kvilt_game.state)
    assert (told["game"], told["finished"], len(told["seats"])) == ("kvilt", True, 3)


def test_a_bad_line_of_the_other_game_is_named(record: Callable[..., Path], kvilt_game: kvilt_rules.History) -> None:
    lines = list(record_lines(kvilt_game.setup, kvilt_game.decisions, KVILT))
    twice = replay_record(record(lines[0], lines[1], lines[1]), KVILT)
    assert str(twice.error).endswith(":3: illegal: it is seat 2’s turn")
    assert (twice.state is not None, len(twice.decisions)) == (True, 1)
    malformed = replay_record(record(lines[0], '{"seat": 1}'), KVILT)
    assert '"move" must be one of token' in str(malformed.error)
    unreadable_json = replay_record(record('{"format": 1, "game": "kvilt"}'), KVILT)
    assert str(unreadable_json.error).endswith(':1: "first_seat" must be a seat')
    assert unreadable_json.state is None


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ('{"game": "chess"}', ":1: the game 'chess' is not known here; known: patchwork and kvilt"),
        ('{"game": ["kvilt"]}', ':1: "game" must be "patchwork" or "kvilt"'),
        ('{"game": null}', ':1: "game" must be "patchwork" or "kvilt"'),
        ("[]", ":1: the header must be an object such as "),
        ("?", ":1: not JSON"),
        ("", ": empty: a game record begins with a header"),
    ],
)
def test_a_header_without_a_known_game_is_refused(record: Callable[..., Path], header: str, says: str) -> None:
    path = record(header)
    with pytest.raises(RecordError, match=re.escape(f"{path}{says}")):
        game_of(path, codecs())


def test_a_header_that_names_no_game_is_patchwork_s(record: Callable[..., Path]) -> None:
    path = record('{"format": 1}')
    assert game_of(path, codecs()) is PATCHWORK
    assert str(replay_record(path, PATCHWORK).error) == f'{path}:1: "game" must be "patchwork"'


def test_a_path_that_is_no_file_is_a_record_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"missing\.jsonl: cannot be read"):
        game_of(tmp_path / "missing.jsonl", codecs())
