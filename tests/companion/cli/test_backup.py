from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import backup
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs
from companion.upkeep.backup.manifest import Places
from companion.upkeep.install import CONFIG, STATE, UNIT

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    with Journal(folder / JOURNAL_NAME, codecs()) as journal:
        journal.new_game(Setup(players=("Anna", "Boris")))
    return folder


def test_a_backup_goes_to_another_machine_and_back(run: Run, data: Path, tmp_path: Path) -> None:
    kept, other = tmp_path / "kept.zip", tmp_path / "other"
    status, out, err = run("backup", kept, "--data", data)
    assert (status, err) == (0, "")
    assert re.fullmatch(rf"{kept}: 1 game, 1 file, [\d.]+ MB\. It contains the players’ names.*\n", out)
    status, out, _ = run("restore", kept, "--check")
    assert (status, out.startswith(f"{kept}: intact, 1 game, made on 20")) == (0, True)
    assert run("restore", kept, "--data", other) == (0, f"1 game was restored to {other}.\n", "")
    assert "Anna and Boris" in run("games", "--data", other)[1]

    status, out, err = run("restore", kept, "--data", other)
    assert (status, out) == (2, "")
    assert err.startswith(f"companion: {other}/games")
    assert err.count("\n") == 1
    status, out, _ = run("restore", kept, "--data", other, "--replace")
    assert (status, f"What was there before is kept: {other}/before-restore-" in out) == (0, True)


def test_a_restored_hall_says_that_its_database_needs_its_password_again(run: Run, data: Path, tmp_path: Path) -> None:
    config, kept = tmp_path / "companion.toml", tmp_path / "kept.zip"
    config.write_text('[hall]\ndatabase = "postgresql://hall:secret@192.168.1.4/hall"\n')
    assert run("backup", kept, "--data", data, "--config", config)[0] == 0
    here = tmp_path / "here.toml"
    status, out, _ = run("restore", kept, "--data", tmp_path / "other", "--config", here)
    assert (status, here.read_text()) == (0, '[hall]\ndatabase = "postgresql://hall@192.168.1.4/hall"\n')
    assert f"the password of the hall’s database: write it into its address in {here}." in out


def test_a_backup_without_a_name_is_called_by_its_date(
    run: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("backup", "--data", data)[0] == 0
    assert [path for path in tmp_path.iterdir() if re.fullmatch(r"quilt-companion-\d{8}-\d{6}\.zip", path.name)]


def test_a_user_whose_games_are_the_service_s_reads_how_to_back_them_up(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.backup.is_installed", lambda: True)
    status, _, err = run("backup", tmp_path / "kept.zip", "--data", tmp_path / "none")
    assert (status, "sudo companion backup saves those of the service" in err) == (2, True)


def test_an_update_of_a_program_that_runs_from_its_clone_is_one_line(run: Run, tmp_path: Path) -> None:
    status, out, err = run("update", Path(__file__).parents[3], "--data", tmp_path / "none")
    assert (status, out) == (2, "")
    assert "git pull && make setup" in err
    assert run("update")[0] == 2
    assert "companion: the arguments" in run("update")[2] or "SOURCE" in run("update")[2]


def test_root_gets_the_games_of_the_service_unless_it_names_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(backup, "is_installed", lambda: True)
    monkeypatch.delenv("QUILT_COMPANION_DATA", raising=False)
    assert backup.places_of(Namespace()) == Places(Path(STATE), Path(CONFIG))
    assert backup.places_of(Namespace(data=tmp_path)).data == tmp_path
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("companion.config.text.SYSTEM_CONFIG", tmp_path / "none")
    assert backup.places_of(Namespace()).data == tmp_path / ".local/state/quilt-companion"


def test_the_service_is_found_where_either_way_of_installing_puts_it(tmp_path: Path) -> None:
    assert not backup.is_installed((tmp_path,))
    (tmp_path / UNIT).touch()
    assert backup.is_installed((tmp_path,))
