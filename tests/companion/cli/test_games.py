from __future__ import annotations

import errno
import io
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from companion.__main__ import main
from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup, score
from companion.journal import JOURNAL_NAME, TABLE_NAME, Journal
from companion.journal.logs import LOGS_NAME
from companion.patchwork.codec import PATCHWORK
from companion.record import replay_record
from companion.registry import codecs

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]
DECISIONS: tuple[Decision, ...] = (TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"])), Advance(2))


@pytest.fixture
def utc() -> Iterator[None]:
    """Set the machine's time zone to UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def data(tmp_path: Path, utc: None) -> Path:
    """A folder with a journal of two games, the second of which breaks the rules."""
    del utc
    folder = tmp_path / "data"
    with Journal(folder / JOURNAL_NAME, codecs(), lambda: datetime(2026, 1, 2, 19, 30, tzinfo=UTC)) as journal:
        game_id = journal.new_game(Setup(players=("Anna", "[b]oris")), TABLE_NAME)
        for sequence, decision in enumerate(DECISIONS, start=1):
            journal.append(game_id, sequence, decision)
        journal.append(journal.new_game(Setup()), 1, PlaceLeather(1, 1))
    return folder


def test_games_are_listed_in_plain_lines(run: Run, data: Path) -> None:
    status, out, err = run("games", "--data", data)
    assert (status, err) == (0, "")
    first, second = out.splitlines()
    assert first == "1  2026-01-02 19:30  2026-01-02 19:30  Patchwork  Anna and [b]oris  2  real table  unfinished"
    assert "cannot be replayed: decision 1 does not follow from the rules" in second


def test_the_same_games_are_listed_without_the_index(run: Run, data: Path) -> None:
    listed = run("games", "--data", data)
    (data / JOURNAL_NAME).unlink()
    assert run("games", "--data", data) == listed
    assert not (data / JOURNAL_NAME).exists()


def test_games_are_listed_as_json(run: Run, data: Path) -> None:
    first, second = (json.loads(line) for line in run("games", "--json", "--data", data)[1].splitlines())
    assert first == {
        "id": 1,
        "table": "table",
        "started_at": "2026-01-02T19:30:00+00:00",
        "last_at": "2026-01-02T19:30:00+00:00",
        "game": "patchwork",
        "players": ["Anna", "[b]oris"],
        "decisions": 2,
        "finished": False,
        "scores": None,
        "winners": [],
    }
    assert "does not follow from the rules" in second["error"]


def test_a_finished_game_is_listed_with_its_winner(run: Run, tmp_path: Path) -> None:
    setup, rng = Setup(players=("Anna", "Boris")), random.Random(5)
    history = History(setup)
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        game_id = journal.new_game(setup)
        while not history.state.finished:
            decision = legal_decisions(history.state).pick(rng)
            history.apply(decision)
            journal.append(game_id, history.state.decisions_made, decision)
    scores = [score(history.state.seat(seat)) for seat in (1, 2)]
    winner = "Anna" if scores[0] > scores[1] else "Boris"
    assert scores[0] != scores[1]
    assert run("games", "--data", tmp_path)[1].endswith(f"finished {scores[0]} : {scores[1]}, {winner} wins\n")
    listed = json.loads(run("games", "--json", "--data", tmp_path)[1])
    assert (listed["scores"], listed["winners"]) == (scores, [1 + (winner == "Boris")])


def test_the_list_comes_in_pieces_where_it_is_long(run: Run, data: Path) -> None:
    for arguments, ids in (
        (["--limit", "1"], ["2"]),
        (["--before", "2"], ["1"]),
        (["--before", "2", "--limit", "5"], ["1"]),
        (["--limit", str(10**30)], ["1", "2"]),
    ):
        assert [line.split()[0] for line in run("games", *arguments, "--data", data)[1].splitlines()] == ids
    for wrong in ("0", "-1", "all"):
        status, out, err = run("games", "--limit", wrong, "--data", data)
        assert (status, out) == (2, "")
        assert f"must be a whole number, 1 or more, not {wrong!r}" in err


def test_a_terminal_gets_a_table(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", "120")
    assert run("games", "--data", data)[0] == 0
    shown = screen.getvalue()
    assert all(word in shown for word in ("Games", "Players", "Anna and [b]oris", "unfinished"))


@pytest.mark.parametrize("arguments", [["games"], ["games", "--json"]])
def test_no_games_yet_is_no_error(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    status, out, err = run(*arguments, "--data", tmp_path / "none")
    assert (status, err) == (0, "")
    assert out == ("" if "--json" in arguments else "No games yet; `companion play` starts one.\n")
    assert not (tmp_path / "none").exists()


def test_an_exported_game_is_a_game_record(run: Run, data: Path, tmp_path: Path) -> None:
    status, out, err = run("games", "export", 1, "--data", data)
    assert (status, err) == (0, "")
    header, *lines = (json.loads(line) for line in out.splitlines())
    assert (header["format"], header["game"], header["players"]) == (1, "patchwork", ["Anna", "[b]oris"])
    assert lines[0] == {"seat": 1, "move": "patch", "patch": "corner-b1", "cells": ["A1", "A2", "B2"]}
    target = tmp_path / "game.jsonl"
    assert run("games", "--data", data, "export", 1, "--output", target) == (0, "", "")
    assert target.read_text() == out
    assert replay_record(target, PATCHWORK).decisions == DECISIONS


def test_a_link_to_itself_is_replaced_by_the_exported_game(run: Run, data: Path, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert run("games", "--data", data, "export", 1, "--output", tmp_path / "loop") == (0, "", "")
    assert (tmp_path / "loop").read_text() == run("games", "--data", data, "export", 1)[1]


def test_an_unknown_game_is_one_line_and_status_2(run: Run, data: Path) -> None:
    assert run("games", "export", 7, "--data", data) == (
        2,
        "",
        "companion: there is no game 7; `companion games` lists them\n",
    )


@pytest.mark.parametrize("number", ["x", 0])
@pytest.mark.parametrize("command", [("export",), ("delete", "--yes")])
def test_every_number_that_no_game_has_is_refused_alike(
    run: Run, data: Path, command: tuple[str, ...], number: object
) -> None:
    status, out, err = run("games", *command, number, "--data", data)
    assert (status, out) == (2, "")
    assert "argument ID: must be a whole number, 1 or more" in err


def test_the_data_folder_may_come_from_the_environment_or_the_file(
    run: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[data]\nfolder = "{data}"\n')
    listed = run("games", "--data", data)
    assert run("games", "--config", config) == listed
    monkeypatch.setenv("QUILT_COMPANION_DATA", str(data))
    assert run("games") == listed


def test_games_can_be_listed_while_one_is_played(run: Run, data: Path) -> None:
    with Journal(data / JOURNAL_NAME, codecs()):
        assert run("games", "--data", data)[0] == 0


def test_games_are_listed_without_their_index(run: Run, data: Path) -> None:
    listed = run("games", "--data", data)
    for content in (b"nonsense" * 100, None):
        (data / JOURNAL_NAME).unlink()
        if content is not None:
            (data / JOURNAL_NAME).write_bytes(content)
        assert run("games", "--data", data) == listed
        assert (data / JOURNAL_NAME).exists() == (content is not None)


def test_a_damaged_game_is_exported_up_to_the_damage_with_a_message(run: Run, data: Path, tmp_path: Path) -> None:
    log = data / "games" / "1.log"
    _, whole, _ = run("games", "export", "1", "--data", data)
    log.write_bytes(log.read_bytes().replace(b'"advance"', b'"Zdvanke"'))
    status, out, err = run("games", "export", "1", "--data", data)
    assert (status, out) == (2, "".join(whole.splitlines(keepends=True)[:2]))
    assert err == "companion: game 1 is not complete: its log is damaged after decision 1\n"
    status, out, again = run("games", "export", "1", "--data", data, "--output", tmp_path / "game.jsonl")
    assert (status, out, again) == (2, "", err)
    assert len((tmp_path / "game.jsonl").read_text().splitlines()) == 2
    status, out, _ = run("games", "--data", data)
    assert (status, "cannot be replayed: its log is damaged after decision 1" in out.splitlines()[0]) == (0, True)


def test_a_game_whose_beginning_is_lost_hides_no_others(run: Run, data: Path) -> None:
    whole = run("games", "--data", data)[1].splitlines()
    log = data / "games" / "1.log"
    log.write_bytes(b"\0" * 200 + log.read_bytes()[200:])
    status, out, err = run("games", "--data", data)
    assert (status, err, len(out.splitlines())) == (0, "", len(whole))
    assert "cannot be replayed: its log is damaged after decision 0" in out.splitlines()[0]


def test_a_game_whose_log_cannot_be_read_is_listed_and_can_be_deleted(run: Run, data: Path) -> None:
    os.mkfifo(data / LOGS_NAME / "7.log")
    status, out, _ = run("games", "--data", data)
    assert (status, len(out.splitlines())) == (0, 3)
    assert out.endswith("cannot be read: it is not a file\n")
    assert run("games", "delete", "7", "--yes", "--data", data)[0] == 0
    assert len(run("games", "--data", data)[1].splitlines()) == 2


def test_games_are_deleted_once_that_is_confirmed(run: Run, data: Path) -> None:
    status, out, err = run("games", "delete", "1", "--data", data)
    assert (status, err) == (0, "")
    assert out.endswith("unfinished: would be deleted; add --yes to delete\n")
    status, _, err = run("games", "delete", "1", "7", "--yes", "--data", data)
    assert (status, err) == (2, "companion: there is no game 7; `companion games` lists them\n")
    assert len(run("games", "--data", data)[1].splitlines()) == 2
    status, out, err = run("games", "delete", "1", "1", "--yes", "--data", data)
    assert (status, err) == (0, "")
    assert out.splitlines()[0].endswith("unfinished: deleted")
    assert "`companion privacy` lists them" in out
    assert [line[0] for line in run("games", "--data", data)[1].splitlines()] == ["2"]


def test_games_whose_logs_are_gone_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        journal.new_game(Setup(players=("Anna", "Boris")), "table")
    (tmp_path / LOGS_NAME / "1.log").unlink()
    main(["games", "--data", str(tmp_path)])
    assert f"{tmp_path / LOGS_NAME}: the logs of these games are missing: 1" in capsys.readouterr().err


def test_a_folder_into_which_the_user_may_not_look_is_named_in_a_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "games"))

    monkeypatch.setattr("pathlib.Path.exists", refused)
    told = f"companion: {tmp_path / 'games'}: cannot be read: Permission denied\n"
    assert run("games", "--data", tmp_path / "games") == (2, "", told)


def test_a_folder_whose_name_is_too_long_is_one_line(run: Run, tmp_path: Path) -> None:
    status, out, err = run("games", "--data", tmp_path / ("games" * 60))
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert err.endswith("cannot be read: File name too long\n")
