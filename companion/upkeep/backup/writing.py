"""Writing of backups, also while games are played."""

import errno
import fcntl
import glob
import hashlib
import logging
import os
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final

from companion import __version__
from companion.config.text import ConfigError
from companion.configuration import load_config
from companion.durable import database_damage, take_place, temporary_name
from companion.errors import CompanionError
from companion.journal import JOURNAL_NAME, Journal
from companion.journal.errors import StorageError
from companion.journal.logs import LOGS_NAME, Logs
from companion.journal.restoration import COPIES, ROOMY, folder_for_copies
from companion.languages import system_says, unreadable
from companion.ownership import as_owner_of
from companion.registry import codecs
from companion.upkeep.backup.manifest import (
    CONFIG,
    DATA,
    FORMAT,
    MANIFEST_NAME,
    PROGRAM,
    BackedUpFile,
    Manifest,
    Places,
    included_files,
    manifest_bytes,
    named_files,
)

_LOG: Final = logging.getLogger(__name__)
_PACKED_ALREADY: Final = (".jpg", ".png", ".npz")
_DATABASE: Final = ".sqlite3"
# In addresses such as postgresql://user:password@host/name?password=…, also in comments. SQLAlchemy reads a slash in a
# password as a part of it, where in other addresses it begins the path.
_PASSWORDS: Final = (
    re.compile(rb"(postgresql[\w+]*://[^:/?#@\s\"']*):[^@\n\"]*(?=@)"),
    re.compile(rb"(://[^:/?#@\s\"']*):[^/\s\"']*(?=@)"),
    re.compile(rb"([?&](?:ssl)?(?:password|passwd|pass|pwd)=)[^&\s\"']*", re.IGNORECASE),
)
_BLOCK: Final = 1 << 20
_USUAL: Final = "quilt-companion-"


def usual_name(now: datetime) -> str:
    """Return the default file name of a backup."""
    return f"{_USUAL}{now:%Y%m%d-%H%M%S}.zip"


def back_up(places: Places, target: Path, now: datetime) -> Manifest:
    """Write a backup atomically into a new file; games may be played meanwhile.

    Raises:
        CompanionError: the file exists already, there is nothing to back up, or files cannot be read or written.
        JournalError: the journal cannot be used.
    """
    if target.exists():
        raise CompanionError.said("{path}: already exists; choose another name", path=str(target))
    if not places.data.is_dir():
        raise CompanionError.said(
            "{path}: contains no games; give the folder of the games with {option}",
            path=str(places.data),
            option="--data",
        )
    config, temporary = _config_of(places), temporary_name(target)
    _delete_unfinished(target)
    try:
        # Before the change of user, who need not be allowed to write there. Only its owner may read it: it contains the
        # players' names.
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            # Some network file systems know no locks.
            with suppress(OSError):
                fcntl.flock(stream, fcntl.LOCK_EX)
            with as_owner_of(places.data), folder_for_copies() as staging:
                manifest = _written(places, config, stream, staging, now)
            stream.flush()
            os.fsync(stream.fileno())
        take_place(temporary, target)
    except OSError as error:
        raise _failed(error, temporary, target) from error
    finally:
        # A disk that cannot be written refuses this, too, and its first error is the one to report.
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return manifest


def _delete_unfinished(target: Path) -> None:
    """Delete what backups into the same folder have left that were killed while they wrote."""
    names = (f".{glob.escape(target.name)}.*.tmp", f".{_USUAL}*.zip.*.tmp")
    for path in {path for name in names for path in target.parent.glob(name)}:
        with suppress(OSError), path.open("rb") as stream:
            # One that is written to is locked.
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
            _LOG.warning("%s: what an interrupted backup left was deleted", path)


def _config_of(places: Places) -> bytes | None:
    """Return the configuration without passwords, or None if there is none.

    Raises:
        CompanionError: it cannot be read.
    """
    if places.config is None:
        return None
    try:
        # The data folder's user need not be allowed to read it; and its own folder's user may have put a link there.
        with as_owner_of(places.config.parent):
            return without_passwords(places.config.read_bytes()) if places.config.is_file() else None
    except OSError as error:
        raise CompanionError(unreadable(places.config, error)) from error


def _failed(error: OSError, written: Path, target: Path) -> CompanionError:
    """Return the error on a file to save that cannot be read, or on what could not be written.

    Args:
        error: the error.
        written: the temporary file beside the target.
        target: the backup.
    """
    name, fault = error.filename if isinstance(error.filename, str) else "", system_says(error)
    if name.startswith(str(ROOMY / COPIES)):
        return CompanionError.said("{path}: cannot be written: {fault}", path=str(ROOMY), fault=fault)
    if name in ("", str(written)):
        return CompanionError.said("{path}: cannot be written: {fault}", path=str(target), fault=fault)
    return CompanionError.said("{path}: cannot be read: {fault}", path=name, fault=fault)


def _written(places: Places, config: bytes | None, stream: BinaryIO, staging: Path, now: datetime) -> Manifest:
    source = _Source(places, config, staging)
    with Journal(places.data / JOURNAL_NAME, codecs(), read_only=True) as journal:
        games = len(journal.games())
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        put = [_put(archive, name, path, may_be_gone=not is_copy) for name, path, is_copy in source.files()]
        manifest = Manifest(
            FORMAT, PROGRAM, __version__, now.isoformat(), games - len(source.unread),
            tuple(file for file in put if file is not None), source.keys, tuple(source.damaged), tuple(source.unread),
        )  # fmt: skip
        archive.writestr(_info(MANIFEST_NAME), manifest_bytes(manifest))
    return manifest


class _Source:
    """The files to back up.

    Args:
        places: the paths to back up.
        config: the configuration, or None if there is none.
        staging: a folder for copies of files that may be written to meanwhile.

    Attributes:
        keys: the name in the backup of each file that the configuration refers to, by key.
        damaged: the names of the databases that were found damaged so far.
        unread: the names of the logs that could not be read so far.
    """

    def __init__(self, places: Places, config: bytes | None, staging: Path) -> None:
        self._places, self._staging, self._logs = places, staging, Logs(places.data / LOGS_NAME)
        self._config = staging / "config.copy" if config is not None else None
        self._elsewhere: dict[str, Path] = {}
        self.keys: dict[str, str] = {}
        self.damaged: list[str] = []
        self.unread: list[str] = []
        if self._config is not None and config is not None:
            self._config.write_bytes(config)
            # An invalid configuration must not prevent the backup of the games.
            with suppress(ConfigError):
                self.keys, self._elsewhere = named_files(load_config(self._config), places.data)

    def files(self) -> Iterator[tuple[str, Path, bool]]:
        """Yield the name in the backup and the path of each file, and whether that is a consistent copy of it.

        A log or a database may be written to meanwhile, and therefore is copied. A log may be a link to one elsewhere.
        """
        logs = {f"{LOGS_NAME}/{game_id}.log": game_id for game_id in self._logs.marks()}
        for name in sorted({*included_files(self._places.data), *logs}):
            path, copy = self._places.data / name, self._staging / f"{name.replace('/', '-')}.copy"
            if name in logs:
                if self._copy_log(name, logs[name], copy):
                    yield DATA + name, copy, True
            elif name.endswith(_DATABASE):
                found = copy if _copy_database(path, copy) else path
                if database_damage(found) is not None:
                    self.damaged.append(name)
                yield DATA + name, found, found is copy
            else:
                yield DATA + name, path, False
        for name, path in self._elsewhere.items():
            yield DATA + name, path, False
        if self._config is not None:
            yield CONFIG, self._config, True

    def _copy_log(self, name: str, game_id: int, copy: Path) -> bool:
        """Copy a log up to its last complete line; return False if it cannot be read, or is gone meanwhile."""
        try:
            content = self._logs.read(game_id)
        except StorageError:
            self.unread.append(name)
            return False
        if not content and self._logs.mark(game_id) is None:
            return False
        copy.write_bytes(content[: content.rfind(b"\n") + 1])
        return True


def without_passwords(config: bytes) -> bytes:
    """Return a configuration without the passwords in addresses, such as the hall's database's."""
    for pattern in _PASSWORDS:
        config = pattern.sub(rb"\1", config)
    return config


def _copy_database(database: Path, copy: Path) -> bool:
    """Copy a snapshot of a database that others may write to into a new file; return False if it is not a database."""
    try:
        source = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
        with closing(source), closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            # A single file, without the files that SQLite keeps beside a database that is written to.
            target.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(copy)) from error
        return False
    except UnicodeDecodeError:
        # SQLite quotes a damaged schema in its message.
        return False
    return True


def _put(archive: zipfile.ZipFile, name: str, path: Path, *, may_be_gone: bool) -> BackedUpFile | None:
    """Add a file to the archive, and return its entry for the manifest; None for one that was deleted meanwhile."""
    digest, size = hashlib.sha256(), 0
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(path.open("rb"))
        except FileNotFoundError:
            if may_be_gone:
                return None
            raise
        # The size is not known before: a file may grow while it is read.
        packed = stack.enter_context(archive.open(_info(name), "w", force_zip64=True))
        while block := stream.read(_BLOCK):
            digest.update(block)
            size += len(block)
            packed.write(block)
    return BackedUpFile(name, size, digest.hexdigest())


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED_ALREADY) else zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info
