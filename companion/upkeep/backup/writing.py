"""Writing of backups, also while games are played."""

import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from companion import __version__
from companion.config import ConfigError
from companion.configuration import load_config
from companion.durable import take_place
from companion.journal import JOURNAL_NAME
from companion.journal.copying import copy_any_database, copy_database, writes_paused
from companion.languages import said, system_says
from companion.upkeep.backup.contents import Places, included_files
from companion.upkeep.backup.manifest import (
    CONFIG,
    DATA,
    FORMAT,
    MANIFEST_NAME,
    PROGRAM,
    BackedUpFile,
    BackupError,
    Manifest,
    manifest_bytes,
)
from companion.upkeep.backup.named import named_files

_PACKED_ALREADY: Final = (".jpg", ".png", ".npz")
_LOGS: Final = "decisions/"
_DATABASE: Final = ".sqlite3"
_BLOCK: Final = 1 << 20
# The prefix of the temporary folder in which a backup is made, beside its final place.
_STAGING: Final = ".backup-"


def usual_name(now: datetime) -> str:
    """Return the default file name of a backup."""
    return f"quilt-companion-{now:%Y%m%d-%H%M%S}.zip"


def back_up(places: Places, target: Path, now: datetime) -> Manifest:
    """Write a backup atomically into a new file; games may be played meanwhile.

    Raises:
        BackupError: the file exists already, there is nothing to back up, or files cannot be read or written.
        JournalError: the journal cannot be used.
    """
    if target.exists():
        raise BackupError(said("{path}: already exists; choose another name", path=str(target)))
    if not places.data.is_dir():
        raise BackupError(
            said(
                "{path}: contains no games; give the folder of the games with {option}",
                path=str(places.data),
                option="--data",
            )
        )
    try:
        with tempfile.TemporaryDirectory(prefix=_STAGING, dir=target.absolute().parent) as staging:
            return _written(places, target, Path(staging), now)
    except OSError as error:
        raise BackupError(
            said("{path}: cannot be written: {fault}", path=_at_fault(error, target), fault=system_says(error))
        ) from error


def _at_fault(error: OSError, target: Path) -> str:
    """Return the path at which writing failed; the backup's if it was in the temporary folder."""
    named = error.filename
    return named if isinstance(named, str) and f"/{_STAGING}" not in named else str(target)


def _written(places: Places, target: Path, staging: Path, now: datetime) -> Manifest:
    source = _Source(places, staging)
    games = source.hold_still()
    temporary = staging / "backup"
    with temporary.open("xb") as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            files = tuple(_put(archive, name, path) for name, path in source.files())
            manifest = Manifest(FORMAT, PROGRAM, __version__, now.isoformat(), games, files, source.keys)
            archive.writestr(_info(MANIFEST_NAME), manifest_bytes(manifest))
        stream.flush()
        os.fsync(stream.fileno())
    # Backups contain the players' names, which are private.
    temporary.chmod(0o600)
    take_place(temporary, target)
    return manifest


class _Source:
    """The files to back up.

    Args:
        places: the paths to back up.
        staging: a folder for copies of files that may be written to meanwhile.

    Attributes:
        keys: the name in the backup of each file that the configuration refers to, by key.
    """

    def __init__(self, places: Places, staging: Path) -> None:
        self._places, self._staging = places, staging
        self._config = places.config if places.config is not None and places.config.is_file() else None
        self._copies: dict[str, Path] = {}
        self._elsewhere: dict[str, Path] = {}
        self._is_held = False
        self.keys: dict[str, str] = {}
        if self._config is not None:
            # An invalid configuration must not prevent the backup of the games.
            with suppress(ConfigError):
                self.keys, self._elsewhere = named_files(load_config(self._config), places.data)

    def hold_still(self) -> int:
        """Copy the journal and the logs in one consistent state; return the number of games."""
        journal = self._places.data / JOURNAL_NAME
        if not journal.exists():
            return 0
        self._is_held = True
        seen = {name: self._copied(name) for name in self._logs()}
        with writes_paused(journal):
            games = copy_database(journal, self._staging / JOURNAL_NAME)
            # While other companions wait, only logs changed since the first copy are copied again.
            for name in self._logs():
                if seen.get(name) != _mark(self._places.data / name):
                    self._copied(name)
        self._copies[JOURNAL_NAME] = self._staging / JOURNAL_NAME
        return games

    def files(self) -> Iterator[tuple[str, Path]]:
        """Yield the name in the backup and the path of each file."""
        for name in included_files(self._places.data):
            # The log of a game begun since then is left to the next backup.
            if name in self._copies or not (self._is_held and name.startswith(_LOGS)):
                yield DATA + name, self._copies.get(name) or self._at_one_moment(name)
        for name, path in self._elsewhere.items():
            yield DATA + name, path
        if self._config is not None:
            yield CONFIG, self._config

    def _at_one_moment(self, name: str) -> Path:
        """Return the path of a file, or, for a database such as a hall's, of a consistent copy."""
        path = self._places.data / name
        copy = self._staging / f"{name.replace('/', '-')}.copy"
        return copy if name.endswith(_DATABASE) and copy_any_database(path, copy) else path

    def _logs(self) -> list[str]:
        return [name for name in included_files(self._places.data) if name.startswith(_LOGS)]

    def _copied(self, name: str) -> tuple[int, int]:
        """Copy a file into the staging folder, and return its mark from before."""
        mark = _mark(self._places.data / name)
        copy = self._copies.setdefault(name, self._staging / f"{len(self._copies)}.log")
        shutil.copyfile(self._places.data / name, copy)
        return mark


def _mark(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def _put(archive: zipfile.ZipFile, name: str, path: Path) -> BackedUpFile:
    """Add a file to the archive, and return its entry for the manifest."""
    digest, size = hashlib.sha256(), 0
    with ExitStack() as stack:
        stream = stack.enter_context(path.open("rb"))
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
