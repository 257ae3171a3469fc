"""Test that commands of root leave nothing of root's in a folder of another user, and follow no link from there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.config import PageConfig
from companion.config.text import find_config
from companion.errors import CompanionError
from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.state import Setup
from companion.hall.invitations import Invitations
from companion.journal import JOURNAL_NAME, Journal, table_lock
from companion.mqtt.joining import BrokerPlace
from companion.ownership import as_owner_of
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs
from companion.upkeep.backup.manifest import Places
from companion.upkeep.backup.restoring import restore
from companion.upkeep.backup.writing import back_up
from companion.upkeep.update import Program, Update
from companion.web.access import stored_key
from companion.web.door import Door

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root acts as another user")
ENCRYPTED = PageConfig(port=0, https=True, https_port=0)
USER, NOW = 12345, datetime(2026, 1, 2, 19, 0, 7, tzinfo=UTC)


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder of root's that everybody may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data folder of a user, beside one of root's."""
    monkeypatch.setattr("companion.ownership._PROGRAM", ())
    # The program that runs these tests may be in a folder of root's, from which the user cannot load parts of it.
    _load_everything(tmp_path)
    data = tmp_path / "data"
    data.mkdir()
    os.chown(data, USER, USER)
    (tmp_path / "etc").mkdir(mode=0o755)
    (tmp_path / "etc" / "daemon.json").write_text("{}")
    with Journal(data / JOURNAL_NAME, codecs()) as journal:
        journal.new_game(Setup(players=("Anna", "Boris")), "table")
    yield data
    assert os.geteuid() == 0
    assert (tmp_path / "etc").stat().st_uid == 0
    assert [path.name for path in (tmp_path / "etc").iterdir()] == ["daemon.json"]
    assert {path.lstat().st_uid for path in data.rglob("*")} == {USER}


def _load_everything(tmp_path: Path) -> None:
    """Do once as root what the tests do as the user."""
    config = tmp_path / "config.toml"
    config.write_text("# first\n")
    with Journal(tmp_path / "first" / JOURNAL_NAME, codecs()) as journal:
        journal.new_game(Setup(players=("Zoe", "Boris")), "table")
    places = Places(tmp_path / "first", config)
    back_up(places, tmp_path / "first.zip", NOW)
    restore(tmp_path / "first.zip", places, NOW, replace=True)
    for line in (["privacy", "forget", "Zoe", "--yes"], ["games"], ["privacy", "delete", "all", "--yes"]):
        main([*line, "--data", str(places.data)])
    with Door(ENCRYPTED, places.data):
        pass
    config.unlink()


def as_user(action: str, folder: Path, target: Path) -> None:
    """Let the folder's user put a link there."""
    with as_owner_of(folder):
        (folder / action).parent.mkdir(parents=True, exist_ok=True)
        (folder / action).symlink_to(target)


def update(data: Path) -> Update:
    return Update(Program(data, data, data), Places(data, None), lambda _: pytest.fail("not run"), lambda _: None)


def test_a_folder_that_is_missing_belongs_to_the_owner_of_the_one_above(folder: Path) -> None:
    with Journal(folder / "a" / "b" / JOURNAL_NAME, codecs()):
        pass


def test_a_folder_that_is_a_link_to_itself_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert main(["privacy", "forget", "Anna", "--yes", "--data", str(tmp_path / "loop")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_forgetting_a_name_leaves_logs_that_the_service_can_write(folder: Path) -> None:
    assert main(["privacy", "forget", "Anna", "--yes", "--data", str(folder)]) == 0
    with as_owner_of(folder), Journal(folder / JOURNAL_NAME, codecs()) as journal:
        assert journal.names(1) == ("Seat 1", "Boris")
        journal.new_game(Setup(), "table")


def test_a_user_goes_on_with_a_log_and_locks_that_belong_to_root(folder: Path) -> None:
    """As an earlier version, or an editor run with sudo, left them."""
    with as_owner_of(folder), table_lock(folder, "table"):
        pass
    owned = [folder / "games" / "1.log", folder / f"{JOURNAL_NAME}.lock", folder / "tables" / "table.lock"]
    for path in owned:
        os.chown(path, 0, 0)
    with as_owner_of(folder), table_lock(folder, "table"), Journal(folder / JOURNAL_NAME, codecs()) as journal:
        journal.append(1, 1, Advance(1))
        journal.note(1, "drawn", "1 red")
    with Journal(folder / JOURNAL_NAME, codecs(), read_only=True) as journal:
        assert (journal.findings, journal.decisions(1, PATCHWORK)) == ([], (Advance(1),))
    for path in owned[1:]:
        os.chown(path, USER, USER)


@pytest.mark.parametrize("line", [["games"], ["games", "delete", "1", "--yes"], ["privacy", "delete", "all", "--yes"]])
def test_a_command_writes_as_the_owner_of_the_folder(folder: Path, line: list[str]) -> None:
    assert main([*line, "--data", str(folder)]) in (0, 2)


OUTPUTS = (
    ["games", "export", "1", "--data", "{folder}", "--output", "{folder}/game.jsonl"],
    ["print", "mats", "--output", "{folder}/mats.pdf"],
    ["calibrate", "--simulate", "--seed", "3", "--output", "{folder}/new/calibration.toml"],
)


@pytest.mark.parametrize("line", OUTPUTS, ids=lambda line: line[0])
def test_a_file_that_a_command_writes_belongs_to_whom_the_folder_belongs(folder: Path, line: list[str]) -> None:
    main([part.format(folder=folder) for part in line])
    (written,) = (path for path in folder.rglob("*") if path.name == Path(line[-1]).name)
    assert written.stat().st_uid == USER


def test_the_page_s_key_and_certificates_belong_to_whom_the_folder_belongs(folder: Path) -> None:
    with Door(ENCRYPTED, folder):
        assert (folder / "https" / "page.key").exists()
    stored_key(folder)


def test_a_configuration_that_only_root_may_read_is_saved_and_does_no_harm(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "root" / "quilt-companion" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("# mine\n")
    (tmp_path / "root").chmod(0o700)
    manifest = back_up(Places(folder, config), tmp_path / "kept.zip", NOW)
    assert "config/config.toml" in [each.name for each in manifest.files]
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "root"))
    with Journal(folder / JOURNAL_NAME, codecs()):
        assert find_config(os.environ, tmp_path / "none") is None


def test_an_invitation_goes_into_no_folder_of_roots_by_a_link(folder: Path, tmp_path: Path) -> None:
    as_user("hall/invitations", folder, tmp_path / "etc")
    with pytest.raises(PermissionError):
        Invitations(folder / "hall" / "invitations").add(BrokerPlace("b", "p", "t", "T", "secret"), 0.0)


def test_an_invitation_belongs_to_the_service(folder: Path) -> None:
    Invitations(folder / "hall" / "invitations").add(BrokerPlace("b", "p", "t", "T", "secret"), 0.0)
    (path,) = (folder / "hall" / "invitations").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_backup_before_an_update_goes_into_no_folder_of_roots_by_a_link(folder: Path, tmp_path: Path) -> None:
    as_user("backups", folder, tmp_path / "etc")
    with pytest.raises(CompanionError, match="Permission denied"):
        update(folder)._back_up(NOW)


def test_a_backup_contains_nothing_that_only_root_may_read(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    secret.chmod(0o600)
    as_user("calibrations/table.toml", folder, secret)
    with pytest.MonkeyPatch.context() as patched:
        # As if the file had become a link after it was looked at.
        patched.setattr("companion.upkeep.backup.manifest._is_plain_file", lambda _: True)
        with pytest.raises(CompanionError, match="Permission denied"):
            back_up(Places(folder, None), tmp_path / "kept.zip", NOW)


def test_root_restores_files_of_the_service_from_a_backup_that_only_root_may_read(folder: Path, tmp_path: Path) -> None:
    kept, config = tmp_path / "kept.zip", tmp_path / "config.toml"
    config.write_text("# mine\n")
    back_up(Places(folder, config), kept, NOW)
    config.write_text("# other\n")
    assert (kept.stat().st_uid, kept.stat().st_mode & 0o777) == (0, 0o600)
    done = restore(kept, Places(folder, config), NOW, replace=True)
    assert done.aside is not None
    assert (config.read_text(), config.stat().st_uid) == ("# mine\n", 0)
    update(folder)._back_up(NOW)


def test_a_link_of_roots_to_a_folder_of_a_user_is_that_users(folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    with as_owner_of(link):
        assert os.geteuid() == USER
    with as_owner_of(tmp_path / "etc"):
        assert os.geteuid() == 0


def test_a_program_that_the_owner_cannot_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    os.chown(tmp_path / "data", USER, USER)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("companion.ownership._PROGRAM", (Path("/etc/shadow"),))
        with (
            pytest.raises(CompanionError, match="cannot read this program, /etc/shadow"),
            as_owner_of(tmp_path / "data"),
        ):
            pass
    assert os.geteuid() == 0
