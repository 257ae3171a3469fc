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

from companion.games import kvilt
from companion.games.patchwork import (
    PATCHES,
    Advance,
    Decision,
    Edition,
    History,
    RuleProfile,
    Setup,
    State,
    TakePatch,
    legal_decisions,
    mask_of,
    new_game,
)
from companion.record import (
    GAMES,
    KVILT,
    Record,
    RecordError,
    Replayed,
    game_of,
    header_from_json,
    header_to_json,
    read_record,
    record_lines,
    replay_record,
    replayed_to_json,
    summary,
    write_record,
)

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
    write_record(path, history.setup, history.decisions)
    assert read_record(path) == Record(history.setup, history.decisions)
    replayed = replay_record(path)
    assert (replayed.state, replayed.decisions, replayed.error) == (history.state, history.decisions, None)


def test_the_lines_are_those_of_the_published_format() -> None:
    setup = Setup(players=("Anna", "Boris"), market=CIRCLE)
    cells = mask_of(["B2", "A2", "A1"])
    header, *lines = record_lines(setup, [TakePatch(1, "corner-b1", cells), Advance(2)])
    assert list(json.loads(header)) == ["format", "game", "rules", "edition", "players", "first_seat", "market"]
    assert lines == [
        '{"seat": 1, "move": "patch", "patch": "corner-b1", "cells": ["A1", "A2", "B2"]}',
        '{"seat": 2, "move": "advance"}',
    ]


def test_market_is_absent_where_the_circle_is_unknown() -> None:
    assert header_to_json(Setup(players=("Anna", "Boris"))) == HEADER


@given(
    rules=st.sampled_from(RuleProfile),
    edition=st.sampled_from(Edition),
    names=st.tuples(*[st.text(min_size=1).filter(str.strip)] * 2),
    first_seat=st.sampled_from([1, 2]),
    circle=st.none() | st.permutations(CIRCLE[:-1]),
)
@settings(derandomize=True, deadline=None)
def test_a_header_goes_round(
    rules: RuleProfile, edition: Edition, names: tuple[str, str], first_seat: int, circle: list[str] | None
) -> None:
    printable = tuple("".join(ch for ch in name if ch.isprintable()) or "x" for name in names)
    market = None if circle is None else (*circle, "domino")
    setup = Setup(rules, edition, (printable[0].strip() or "x", printable[1].strip() or "x"), first_seat, market)
    assert header_from_json(json.loads(json.dumps(header_to_json(setup)))) == setup


def test_edition_may_be_absent_and_unknown_keys_are_passed_over() -> None:
    header = {key: value for key, value in HEADER.items() if key != "edition"} | {"calibration": {"fiducials": True}}
    assert header_from_json(header).edition is Edition.ORIGINAL
    assert header_from_json(HEADER | {"market": None}).market is None
    assert header_from_json(HEADER | {"edition": "revised"}).edition is Edition.REVISED


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": 2}, '"format" must be 1'),
        ({"format": True}, '"format" must be 1'),
        ({"format": 1.0}, '"format" must be 1'),
        ({"format": 10**4000}, '"format" must be 1'),
        ({"game": "kvilt"}, '"game" must be "patchwork"'),
        ({"game": None}, '"game" must be "patchwork"'),
        ({"rules": "house"}, '"rules" must be "official" or "marker-on-top"'),
        ({"rules": None}, '"rules" must be'),
        ({"rules": ["official"]}, '"rules" must be'),
        ({"edition": None}, '"edition" must be "original" or "revised"'),
        ({"edition": {}}, '"edition" must be'),
        ({"players": "AB"}, '"players" must be a list of texts'),
        ({"players": ["A", 1]}, '"players" must be a list of texts'),
        ({"players": ["A", "B", "C"]}, '"players" must be two names'),
        ({"players": ["A", ""]}, "players must be two names"),
        ({"first_seat": True}, '"first_seat" must be 1 or 2'),
        ({"first_seat": 3}, "first_seat must be 1 or 2"),
        ({"first_seat": "1"}, '"first_seat" must be 1 or 2'),
        ({"market": "domino"}, '"market" must be a list of texts'),
        ({"market": [1] * 33}, '"market" must be a list of texts'),
        ({"market": ["domino"] * 33}, "'domino' stands there more than once"),
        ({"market": ["domino", *CIRCLE[:-1]]}, "list the circle clockwise from the neutral token"),
    ],
)
def test_headers_that_cannot_be(record: Callable[..., Path], changes: dict[str, Any], says: str) -> None:
    with pytest.raises(RecordError, match=re.escape(says)):
        header_from_json({**HEADER, **changes})
    path = record(json.dumps({**HEADER, **changes}), ADVANCE)
    replayed = replay_record(path)
    assert (replayed.state, replayed.decisions) == (None, ())
    assert str(replayed.error).startswith(f"{path}:1: ")


@pytest.mark.parametrize("header", [None, [], "header", 1])
def test_a_header_is_an_object(header: object) -> None:
    with pytest.raises(RecordError, match="the header must be an object"):
        header_from_json(header)


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
        ('{"seat": 2, "move": "leather", "cells": ["A1", "A1"]}', "cell A1 is named twice"),
        ('{"seat": 2, "move": "patch", "patch": "\\ud800", "cells": ["A1"]}', "there is no patch"),
        ('{"seat": 1, "move": "advance"}', "illegal: it is seat 2's turn"),
        ('{"seat": 2, "move": "patch", "patch": "domino", "cells": ["A1", "C1"]}', "illegal: these cells are not"),
        ("x" * (1 << 20) + "x" * 10, "a line longer than"),
    ],
)
def test_a_bad_line_is_named_and_the_state_before_it_is_kept(
    record: Callable[..., Path], line: str | bytes, says: str
) -> None:
    path = record(json.dumps(HEADER), ADVANCE, "", line, ADVANCE)
    replayed = replay_record(path)
    assert str(replayed.error).startswith(f"{path}:4: {says}")
    assert "\n" not in str(replayed.error)
    assert replayed.decisions == (Advance(1),)
    assert replayed.state is not None
    assert replayed.state.seat(1).buttons == 6
    str(replayed.error).encode()


def test_reading_alone_asks_for_form_and_not_for_the_rules(record: Callable[..., Path]) -> None:
    path = record(json.dumps(HEADER), ADVANCE, ADVANCE)
    assert read_record(path).decisions == (Advance(1), Advance(1))
    with pytest.raises(RecordError, match=r"game\.jsonl:2: not JSON"):
        read_record(record(json.dumps(HEADER), "?"))


@pytest.mark.parametrize("read", [read_record, replay_record])
@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \r\n\t\n"])
def test_an_empty_file(tmp_path: Path, read: Callable[[Path], Any], content: bytes) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(content)
    error = replay_record(path).error
    assert str(error) == f"{path}: empty: a game record begins with a header"
    if read is read_record:
        with pytest.raises(RecordError, match="empty"):
            read(path)


def test_marks_of_other_editors_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"\xef\xbb\xbf\r\n" + json.dumps(HEADER).encode() + b"\r\n\r\n  " + ADVANCE.encode())
    assert read_record(path).decisions == (Advance(1),)


@pytest.mark.parametrize("name", ["missing.jsonl", ".", "nul\0l"])
def test_what_is_no_file(tmp_path: Path, name: str) -> None:
    replayed = replay_record(tmp_path / name)
    assert replayed.state is None
    assert str(replayed.error).startswith(f"{tmp_path / name}: cannot be read: ")


def test_decisions_after_the_end_are_illegal(tmp_path: Path) -> None:
    history = random_game(1)
    path = tmp_path / "game.jsonl"
    write_record(path, history.setup, [*history.decisions, Advance(1)])
    replayed = replay_record(path)
    assert str(replayed.error) == f"{path}:{len(history.decisions) + 2}: illegal: the game has ended"
    assert replayed.state == history.state


def test_the_summary_is_the_published_object() -> None:
    state = random_game(2).state
    told = summary(state)
    assert list(told) == ["game", "finished", "winner", "turn", "seats", "market", "moves"]
    keys = ["seat", "name", "buttons", "income", "time", "empty", "bonus", "score", "quilt"]
    assert [list(seat) for seat in told["seats"]] == [keys, keys]
    assert (told["game"], told["finished"], told["winner"], told["turn"]) == ("patchwork", True, state.winner, None)
    assert told["moves"] == state.decisions_made
    assert told["market"] == list(state.market or ())
    for number, seat in enumerate(told["seats"], 1):
        assert (seat["seat"], seat["name"], seat["time"]) == (number, SETUP.players[number - 1], 53)
        assert seat["empty"] == "".join(seat["quilt"]).count(".")
        assert seat["score"] == seat["buttons"] + 7 * seat["bonus"] - 2 * seat["empty"]
    assert json.loads(json.dumps(told)) == told


def test_the_summary_of_a_game_that_runs() -> None:
    told = summary(new_game(Setup(players=("Anna", "Boris"), first_seat=2)))
    assert (told["finished"], told["winner"], told["turn"], told["market"], told["moves"]) == (False, None, 2, None, 0)


def test_the_json_of_a_replay_adds_the_error(record: Callable[..., Path]) -> None:
    good = replay_record(record(json.dumps(HEADER), ADVANCE))
    assert good.state is not None
    assert replayed_to_json(good) == summary(good.state)
    bad = replay_record(record(json.dumps(HEADER), ADVANCE, ADVANCE))
    assert replayed_to_json(bad) == {**summary(good.state), "error": str(bad.error)}
    nothing = replay_record(record("?"))
    assert replayed_to_json(nothing) == {"game": "patchwork", "error": str(nothing.error)}


def test_writing_replaces_the_file_whole_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("an older record\n" * 1000)
    write_record(path, SETUP, [Advance(2)])
    assert path.read_text(encoding="utf-8") == "".join(f"{line}\n" for line in record_lines(SETUP, [Advance(2)]))
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_text("")
    link.symlink_to(target)
    write_record(link, SETUP, [])
    assert link.is_symlink()
    assert read_record(target).setup == SETUP


@pytest.mark.parametrize("fails", ["os.fsync", "pathlib.Path.replace"])
def test_a_failed_write_keeps_the_old_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "game.jsonl"
    path.write_text("old")
    monkeypatch.setattr(fails, full)
    with pytest.raises(RecordError, match=r"game\.jsonl: cannot be written: No space left on device"):
        write_record(path, SETUP, [Advance(2)])
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.jsonl"]


@pytest.mark.parametrize("name", [".", "missing/game.jsonl", "/dev/null", "nul\0l"])
def test_where_no_record_can_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match="cannot be written"):
        write_record(tmp_path / name, SETUP, [])


def test_errors_say_as_much_as_is_known() -> None:
    assert str(RecordError("empty")) == "empty"
    assert str(RecordError("empty", Path("a.jsonl"))) == "a.jsonl: empty"
    assert str(RecordError("bad", Path("a.jsonl"), 3)) == "a.jsonl:3: bad"


def replayed_bytes(content: bytes) -> Replayed[Decision, State]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        path.write_bytes(content)
        return replay_record(path)


@given(st.binary(max_size=200))
@settings(derandomize=True, deadline=None)
def test_no_bytes_bring_the_reader_down(content: bytes) -> None:
    assert replayed_bytes(content).error is not None


@given(st.integers(0, 10**6), st.integers(0, 255))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_a_damaged_record_is_played_up_to_the_damage(place: int, byte: int) -> None:
    history = random_game(7)
    content = bytearray("".join(f"{line}\n" for line in record_lines(history.setup, history.decisions)).encode())
    place %= len(content)
    line = content[:place].count(b"\n")  # decisions before the damaged line, and the header
    content[place] = byte
    replayed = replayed_bytes(bytes(content))
    intact = max(0, line - 1)
    assert replayed.decisions[:intact] == history.decisions[:intact]
    assert replayed.error is None or replayed.error.line is None or replayed.error.line > line


@pytest.fixture(scope="module")
def kvilt_game() -> kvilt.History:
    return kvilt.play_game(kvilt.Setup(("Anna", "Bó", "Ёж")), random.Random(4))


def test_a_record_of_the_other_game_goes_round(tmp_path: Path, kvilt_game: kvilt.History) -> None:
    path = tmp_path / "game.jsonl"
    write_record(path, kvilt_game.setup, kvilt_game.decisions, KVILT)
    assert game_of(path) is KVILT
    record = read_record(path, KVILT)
    assert (record.setup, record.decisions) == (kvilt_game.setup, kvilt_game.decisions)
    replayed = replay_record(path, game_of(path))
    assert (replayed.state, replayed.error) == (kvilt_game.state, None)
    told = replayed_to_json(replayed, KVILT)
    assert (told["game"], told["finished"], len(told["seats"])) == ("kvilt", True, 3)


def test_a_bad_line_of_the_other_game_is_named(record: Callable[..., Path], kvilt_game: kvilt.History) -> None:
    lines = list(record_lines(kvilt_game.setup, kvilt_game.decisions, KVILT))
    twice = replay_record(record(lines[0], lines[1], lines[1]), KVILT)
    assert str(twice.error).endswith(":3: illegal: it is seat 2's turn")
    assert (twice.state is not None, len(twice.decisions)) == (True, 1)
    malformed = replay_record(record(lines[0], '{"seat": 1}'), KVILT)
    assert '"move" must be one of token' in str(malformed.error)
    unbegun = replay_record(record('{"format": 1, "game": "kvilt"}'), KVILT)
    assert str(unbegun.error).endswith(':1: "first_seat" must be a seat')
    assert replayed_to_json(unbegun, KVILT) == {"game": "kvilt", "error": str(unbegun.error)}


@pytest.mark.parametrize("header", ['{"game": "chess"}', '{"game": ["kvilt"]}', "[]", "?", "", '{"format": 1}'])
def test_what_names_no_known_game_is_taken_for_patchwork(record: Callable[..., Path], header: str) -> None:
    assert game_of(record(header)) is GAMES["patchwork"]


def test_what_is_no_file_is_taken_for_patchwork(tmp_path: Path) -> None:
    assert game_of(tmp_path / "missing.jsonl") is GAMES["patchwork"]
