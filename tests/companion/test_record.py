"""Game records: reading, writing, replaying, and everything that can be wrong with a file."""

import json
import os
import random
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from companion.games.patchwork import (
    PATCHES,
    Advance,
    Edition,
    History,
    RuleProfile,
    Setup,
    TakePatch,
    legal_decisions,
    mask_of,
    new_game,
)
from companion.record import (
    Record,
    RecordError,
    header_from_json,
    header_to_json,
    read_record,
    record_lines,
    replay_record,
    summary,
    write_record,
)
from hypothesis import given
from hypothesis import strategies as st

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
