"""Test the score sheet of Kvilt, and replaying its records from the command line."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

from companion.__main__ import main
from companion.games.kvilt.decisions import TakeToken
from companion.games.kvilt.rules import apply, new_game
from companion.games.kvilt.state import Setup, Variant
from companion.games.patchwork.state import Setup as PatchworkSetup
from companion.kvilt.codec import KVILT, summary
from companion.kvilt.entry import kvilt_sheet
from companion.patchwork.codec import PATCHWORK
from companion.record import game_of, replay_record, write_record
from companion.registry import codecs
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def finished_record(path: Path, setup: Setup, seed: int = 1) -> dict[str, object]:
    history = play_game(setup, random.Random(seed))
    write_record(path, setup, history.decisions, KVILT)
    return summary(history.state)


def test_a_game_at_its_start_has_a_column_a_seat() -> None:
    state = apply(new_game(own_setup(("Anna", "Boris", "Ёлка"))), TakeToken(1, "red")).state
    lines = kvilt_sheet(summary(state)).splitlines()
    assert lines[0].split() == ["Anna", "(1)", "Boris", "(2)", "Ёлка", "(3)"]
    assert len({len(line) for line in lines[2:10]}) == 1
    assert not any("negative" in line for line in lines)
    assert lines[3].split() == ["row", "1", "0", "0", "0"]
    assert lines[-2:] == ["Round 1, scraps: it is Boris’s turn.", ""]
    assert kvilt_sheet({**summary(state), "seats": []}) == ""


def test_points_of_a_finished_game_stand_under_each_other(tmp_path: Path) -> None:
    setup = own_setup(("Anna", "Boris"), variants=frozenset([Variant.ALL_COUNTED]))
    told = finished_record(tmp_path / "game.jsonl", setup)
    text = kvilt_sheet(told)
    # Negative points are written with a minus sign, which int() does not read.
    rows = {line[:14].strip(): line[14:].replace("−", "-").split() for line in text.splitlines()}
    seats = told["seats"]
    assert isinstance(seats, list)
    assert rows["total"] == [str(seat["score"]["total"]) for seat in seats]
    assert all(int(points) <= 0 for points in rows["negative rows"])
    for column, seat in enumerate(seats):
        parts = [rows[name][column] for name in ("patches", "spools", "buttons", "negative rows")]
        assert sum(map(int, parts)) + sum(seat["score"]["rows"]) == seat["score"]["total"]
    assert " wins after " in text


def test_a_shared_victory_names_all() -> None:
    told = {**summary(new_game(own_setup(("Anna", "Boris")))), "winners": [1, 2], "round": 9}
    assert "Anna and Boris share the victory after 9 rounds." in kvilt_sheet(told)


def test_replay_prints_records_of_both_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = finished_record(tmp_path / "game.jsonl", own_setup(("Anna", "Boris")))
    patchwork = tmp_path / "patchwork.jsonl"
    write_record(patchwork, PatchworkSetup(players=("A", "B")), [], PATCHWORK)
    assert main(["replay", "--json", str(tmp_path / "game.jsonl"), str(patchwork)]) == 0
    one, other = map(json.loads, capsys.readouterr().out.splitlines())
    assert one == told
    assert other["game"] == "patchwork"
    assert main(["replay", str(tmp_path / "game.jsonl")]) == 0
    assert capsys.readouterr().out == kvilt_sheet(told)


def test_replay_saves_what_it_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    finished_record(tmp_path / "game.jsonl", own_setup(("Anna", "Boris")))
    assert main(["replay", str(tmp_path / "game.jsonl"), "--save", str(tmp_path / "again.jsonl")]) == 0
    capsys.readouterr()
    assert game_of(tmp_path / "again.jsonl", codecs()) is KVILT
    assert replay_record(tmp_path / "again.jsonl", KVILT) == replay_record(tmp_path / "game.jsonl", KVILT)


def test_a_faulty_record_gives_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    finished_record(path, own_setup(("Anna", "Boris")))
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines[:2], lines[1]]), encoding="utf-8")
    assert main(["replay", "--json", str(path)]) == 2
    out, err = capsys.readouterr()
    assert err == f"companion: {path}:3: illegal: it is seat 2’s turn\n"
    assert (json.loads(out)["moves"], json.loads(out)["turn"]) == (1, 2)
    path.write_text('{"format": 1, "game": "kvilt", "players": ["A"], "first_seat": 1}')
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr() == ("", f"companion: {path}:1: players must be two to four names\n")
