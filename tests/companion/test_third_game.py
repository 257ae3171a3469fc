"""Test a game that a package registers by an entry point and that nothing in the program refers to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.__main__ import main
from companion.compose.playing import SimulatedDevices, play
from companion.config import Config
from companion.journal import JOURNAL_NAME, Journal
from companion.play.events import DecisionTaken, GameOpened
from companion.play.host import NextGame
from companion.play.session import Participants, Simulation
from companion.registry import _installed, codecs
from tests.dominoes.game import DOMINOES

Command = Callable[..., str]


@pytest.fixture
def companion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Command]:
    """The program with the package installed beside it."""
    package = tmp_path / "site" / "dominoes-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: dominoes\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[quilt_companion.games]\ndominoes = tests.dominoes.game:DOMINOES\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def run(*arguments: str) -> str:
        status = main(arguments)
        out, err = capsys.readouterr()
        assert status == 0, err
        return out

    _installed.cache_clear()
    yield run
    _installed.cache_clear()


def test_it_is_played_listed_exported_and_replayed(companion: Command, tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "data"))
    simulated = ("play", "--simulate", "--autoplay", "--fast", "--seed", "3")
    played = companion(*simulated, "--game", "dominoes", "--json", *data)
    printed = json.loads(played)
    assert printed["finished"]
    assert printed["game"] == "dominoes"
    laid = [cell for decision in printed["record"] for cell in decision["cells"]]
    assert sorted(laid) == printed["table"]
    assert "Dominoes  Anna and Boris" in companion("games", *data)
    record = tmp_path / "game.jsonl"
    record.write_text(companion("games", "export", "1", *data))
    replayed = json.loads(companion("replay", "--json", str(record)))
    assert replayed == {key: printed[key] for key in replayed}
    assert companion("replay", str(record)).startswith("dominoes: seat 1: ")


@pytest.mark.parametrize("is_again", [False, True])
def test_its_listeners_are_told_whether_it_was_on_the_table_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_again: bool
) -> None:
    monkeypatch.setattr("companion.registry._installed", lambda: (DOMINOES,))
    told: list[Any] = []
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as book:
        game = NextGame(DOMINOES, Config(), is_again=is_again)
        play(game, SimulatedDevices(Simulation(5, fast=True)), book, tmp_path, Participants((told.append,)))
    assert [event.is_again for event in told if isinstance(event, GameOpened)] == [is_again]


class Pulled(BaseException):
    """The plug is pulled."""


def test_it_is_gone_on_with_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.registry._installed", lambda: (DOMINOES,))
    made: list[Any] = []

    def pull(event: object) -> None:
        if isinstance(event, DecisionTaken):
            made.append(event.decision)
            if len(made) == 3:
                raise Pulled

    devices, config = SimulatedDevices(Simulation(5, fast=True)), Config()
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as book, pytest.raises(Pulled):
        play(NextGame(DOMINOES, config), devices, book, tmp_path, Participants((pull,)))
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as book:
        played = play(NextGame(DOMINOES, config, 1), devices, book, tmp_path, Participants())
        assert played.error is None
        assert played.history.state.finished
        assert played.history.decisions[:3] == tuple(made)
        assert book.decisions(1, DOMINOES.codec) == played.history.decisions
