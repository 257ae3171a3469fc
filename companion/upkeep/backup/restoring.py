"""Restoring of backups; the former files are moved aside."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from companion.configuration import config_text, parse_config
from companion.durable import sync_folder, write_whole
from companion.journal import JOURNAL_NAME
from companion.journal.locks import JournalLock
from companion.journal.log import LOGS_NAME
from companion.languages import all_of, said, system_says
from companion.upkeep.backup.contents import ASIDE_NAME, Places, is_included
from companion.upkeep.backup.manifest import CONFIG, DATA, BackupError, Manifest
from companion.upkeep.backup.named import moved
from companion.upkeep.backup.reading import checked

_STOP: Final = "sudo systemctl stop quilt-companion"


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restoration.

    Attributes:
        manifest: the backup's manifest.
        aside: the folder of the data folder's former files; None if there were none.
        config_aside: the copy of the former configuration; None if there was none, or it was not replaced.
        is_rewritten: whether paths in the configuration were changed to those of this machine.
        password: the missing password file of the restored configuration's broker, which is in no backup; None if it
            exists or none is configured.
    """

    manifest: Manifest
    aside: Path | None = None
    config_aside: Path | None = None
    is_rewritten: bool = False
    password: Path | None = None


def restore(path: Path, places: Places, now: datetime, *, replace: bool, with_config: bool = True) -> Restored:
    """Restore the games, calibrations and configuration of a backup.

    Args:
        path: the backup.
        places: the paths to restore to; files get the owner of the data folder.
        now: the time in the names of the former files moved aside.
        replace: whether existing files may be replaced; they are moved aside.
        with_config: whether the configuration is restored, too.

    Raises:
        BackupError: the backup cannot be used, or there are files already.
        ConfigError: as `checked`.
        JournalError: as `checked`; or another companion has the journal open.
    """
    try:
        with ExitStack() as stack:
            places.data.mkdir(parents=True, exist_ok=True)
            # In the data folder, so that renaming suffices to put the files in place.
            staging = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=".restore-", dir=places.data)))
            manifest = checked(path, staging)
            config = None
            if places.config is not None and with_config:
                config = _Configuration(places.config, places.data, staging, manifest)
            there = [*_there(places.data), *(config.there() if config else ())]
            if there and not replace:
                raise BackupError(
                    said(
                        "{path}: already exists; {option} replaces it with the backup and keeps the old version",
                        path=all_of(there),
                        option="--replace",
                    )
                )
            # Held until all files are in place: no companion may open a journal whose logs are still on their way.
            stack.enter_context(_alone(places.data))
            aside = _swap(places.data, staging, now)
            # After the data, to which its paths may lead.
            config_aside, is_rewritten = config.put(now) if config else (None, False)
            _hand_over(places.data)
        return Restored(manifest, aside, config_aside, is_rewritten, config.password() if config else None)
    except OSError as error:
        where = str(error.filename or places.data)
        raise BackupError(said("{path}: cannot be written: {fault}", path=where, fault=system_says(error))) from error


class _Configuration:
    """The configuration of a backup, to be restored."""

    def __init__(self, path: Path, data: Path, staging: Path, manifest: Manifest) -> None:
        self._path, self._text, self._is_rewritten = path, "", False
        self._password: Path | None = None
        kept = staging / CONFIG
        if kept.exists():
            self._text = kept.read_text(encoding="utf-8-sig")
            config = parse_config(self._text, CONFIG)
            self._password = config.mqtt.password_file
            here = moved(config, manifest.named, data.absolute())
            self._is_rewritten = here != config
            self._text = config_text(here) if self._is_rewritten else self._text

    def there(self) -> list[str]:
        """Return the path of an existing, different configuration, in a list; empty if there is none."""
        return [str(self._path)] if self._text and self._path.exists() and not self._is_same() else []

    def put(self, now: datetime) -> tuple[Path | None, bool]:
        """Restore it; return the copy of the former one, or None, and whether paths were changed."""
        if not self._text or (self._path.exists() and self._is_same()):
            return None, False
        aside, mode = None, 0o644
        if self._path.exists():
            mode = stat.S_IMODE(self._path.stat().st_mode)
            aside = self._path.with_name(f"{self._path.name}.{ASIDE_NAME}-{now:%Y%m%d-%H%M%S}")
            shutil.copy2(self._path, aside)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, self._text.encode())
        self._path.chmod(mode)
        return aside, self._is_rewritten

    def password(self) -> Path | None:
        """Return the broker's password file if it is missing, else None."""
        return self._password if self._password is not None and not os.path.exists(self._password) else None  # noqa: PTH110  # It never raises.

    def _is_same(self) -> bool:
        return self._path.read_bytes() == self._text.encode()


def _there(data: Path) -> list[str]:
    """Return the existing paths in a data folder that a user would miss."""
    missed = (LOGS_NAME, "journal.sqlite3", "decisions", "calibrations", "calibration.toml")
    return [str(data / name) for name in missed if (data / name).is_file() or _has_files(data / name)]


def _has_files(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


@contextmanager
def _alone(data: Path) -> Iterator[None]:
    """Hold the journal exclusively.

    Raises:
        BackupError: another companion has it open.
    """
    with JournalLock(data / JOURNAL_NAME) as lock:
        if not lock.is_exclusive:
            raise BackupError(
                said(
                    "{path}: a companion has the games open; stop it first ({command}), then restore again",
                    path=str(data),
                    command=_STOP,
                )
            )
        yield


def _swap(data: Path, staging: Path, now: datetime) -> Path | None:
    """Move the data folder's files aside and the unpacked ones in; return the folder of the former, or None."""
    entries = [entry.name for entry in sorted(data.iterdir()) if entry != staging and _is_swapped(entry.name)]
    unpacked, aside = staging / DATA, _free_name(data, now)
    came = [entry.name for entry in sorted(unpacked.iterdir())] if unpacked.is_dir() else []
    if entries:
        aside.mkdir()
    moves = [*((data / name, aside / name) for name in entries), *((unpacked / name, data / name) for name in came)]
    with ExitStack() as back:
        for source, target in moves:
            source.rename(target)
            back.callback(target.rename, source)
        for folder in (data, *([aside] if entries else [])):
            sync_folder(folder)
        # All files are in place: do not move them back.
        back.pop_all()
    return aside if entries else None


def _is_swapped(name: str) -> bool:
    """Return whether an entry of the data folder is moved aside, as the index of the games is, too."""
    return is_included(name) or (name.startswith(JOURNAL_NAME) and not name.endswith(".lock"))


def _free_name(data: Path, now: datetime) -> Path:
    stem, count = f"{ASIDE_NAME}-{now:%Y%m%d-%H%M%S}", 1
    free = data / stem
    while free.exists():
        count += 1
        free = data / f"{stem}-{count}"
    return free


def _hand_over(data: Path) -> None:
    """Change the owner of all files to the data folder's if root has restored them, as the service is another user."""
    owner = data.stat()
    if os.geteuid() != 0:
        return
    for place, folders, files in os.walk(data):
        for name in (*folders, *files):
            os.chown(Path(place) / name, owner.st_uid, owner.st_gid, follow_symlinks=False)
