"""`companion privacy`: listed, counted, deleted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs
from companion.upkeep.privacy.keeping import KINDS

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "profiles").mkdir(parents=True)
    (folder / "profiles" / "1.npz").write_bytes(bytes(2_500_000))
    (folder / "page.key").write_bytes(b"key")
    return folder


def test_stored_data_is_listed_with_its_size_and_term(run: Run, data: Path) -> None:
    status, out, err = run("privacy", "--data", data)
    assert (status, err) == (0, "")
    assert "pictures: 1 file, 2.5 MB: photographs of the table" in out
    assert "kept: until you delete them" in out
    assert "Recordings are made only with --record" in out
    assert all(f"{kind.name}: " in out for kind in KINDS)


def test_a_link_of_our_own_folder_is_named_as_what_it_is(run: Run, data: Path) -> None:
    (data / "pictures").symlink_to(data.parent)
    line = f"{data / 'pictures'} is a link: what it leads to is neither counted nor deleted.\n"
    for action in ((), ("delete", "pictures"), ("delete", "pictures", "--yes")):
        out = run("privacy", *action, "--data", data)[1]
        assert "pictures: 2 files, 2.5 MB" in out
        assert line in out


def test_programs_get_a_line_of_json_for_each_kind(run: Run, data: Path) -> None:
    _, out, _ = run("privacy", "--json", "--data", data)
    told = {each["kind"]: each for each in map(json.loads, out.splitlines())}
    assert (told["pictures"]["files"], told["pictures"]["bytes"]) == (1, 2_500_000)
    assert told["games"]["files"] == 0


def test_the_deletion_of_keys_says_that_an_open_page_keeps_its_own(run: Run, data: Path) -> None:
    assert run("privacy", "delete", "keys", "--data", data)[1].count("\n") == 1
    assert run("privacy", "delete", "keys", "--yes", "--data", data)[1] == (
        "keys: 1 file, 0 MB, deleted\nA page that is open keeps its key until the program is started again.\n"
    )


def test_nothing_is_deleted_unless_it_is_meant(run: Run, data: Path) -> None:
    assert run("privacy", "delete", "pictures", "games", "--data", data)[1] == (
        "pictures: 1 file, 2.5 MB, would be deleted; add --yes to delete\n"
    )
    assert (data / "profiles" / "1.npz").is_file()
    assert run("privacy", "delete", "pictures", "--yes", "--data", data)[1] == "pictures: 1 file, 2.5 MB, deleted\n"
    assert not (data / "profiles").exists()
    assert (data / "page.key").is_file()
    assert run("privacy", "delete", "pictures", "--yes", "--data", data)[1] == "There is nothing of that kind.\n"
    run("privacy", "delete", "all", "--yes", "--data", data)
    assert not (data / "page.key").exists()


def test_files_of_the_owners_own_are_deleted_only_if_they_are_named(run: Run, data: Path) -> None:
    own = data / "holidays" / "beach.jpg"
    own.parent.mkdir()
    own.write_bytes(b"picture")
    run("privacy", "delete", "all", "--yes", "--data", data)
    assert own.is_file()
    assert run("privacy", "delete", "all", "other", "--yes", "--data", data)[1] == "other: 1 file, 0 MB, deleted\n"
    assert not own.exists()


def test_a_folder_without_a_name_is_refused(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(data)
    status, out, err = run("privacy", "delete", "all", "--yes", "--data", "")
    assert (status, out) == (2, "")
    assert "argument --data: invalid value: ''" in err
    assert (data / "page.key").is_file()


def test_a_kind_that_is_none_is_refused(run: Run, data: Path) -> None:
    status, _, err = run("privacy", "delete", "everything", "--yes", "--data", data)
    assert status == 2
    assert "everything" in err
    assert (data / "page.key").is_file()


def test_a_name_is_taken_out_of_all_games_once_that_is_confirmed(run: Run, tmp_path: Path) -> None:
    with Journal(tmp_path / "own" / JOURNAL_NAME, codecs()) as journal:
        journal.new_game(Setup(players=("Anna", "Boris")))
    here = ("--data", tmp_path / "own")
    assert run("privacy", "forget", "Anna", *here)[1] == "Anna appears in 1 game; add --yes to remove it.\n"
    assert run("privacy", "forget", "Anna", "--yes", *here)[1].splitlines()[0] == "Anna was removed from 1 game."
    status, _, err = run("privacy", "forget", "Anna", *here)
    assert (status, err) == (2, "companion: no game has a player 'Anna'\n")
