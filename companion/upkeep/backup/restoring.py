"""Restoring of backups; the former files are moved aside.

All files are unpacked into a separate folder and compared with the manifest before any is put in place.
"""

import hashlib
import os
import shutil
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import structs

from companion.configuration import config_text, parse_config
from companion.durable import at_once, free_name, rewrite
from companion.errors import CompanionError
from companion.journal import JOURNAL_NAME
from companion.journal.logs import LOGS_NAME, JournalLock
from companion.journal.restoration import STAGING, complete_locked_exchange, exchange_files
from companion.languages import all_of, said, unreadable, unwritable
from companion.ownership import as_owner_of
from companion.upkeep.backup.manifest import (
    ASIDE_NAME,
    CONFIG,
    DATA,
    HALL_NAME,
    MANIFEST_NAME,
    BackedUpFile,
    Manifest,
    Places,
    damaged,
    is_included,
    manifest_of,
    moved,
)

_LARGEST_MANIFEST: Final = 64 << 20
_MOST_FILES: Final = 300_000
# The largest compression ratio accepted; a mostly empty database compresses best.
_MOST_TIMES: Final = 200
# The number of bytes that a backup of any size may unpack to.
_ALWAYS_ALLOWED: Final = 64 << 20
# A thousand times what the longest game takes. A log is read whole, at the first start after the restoration.
_LARGEST_LOG: Final = 64 << 20
# The compression methods accepted; others may need gigabytes of memory to unpack a few bytes.
_PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BLOCK: Final = 1 << 20
# The exceptions of the standard library for invalid archives.
_FAULTS: Final = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    KeyError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    ValueError,
)


def checked(path: Path, folder: Path, stream: BinaryIO | None = None) -> Manifest:
    """Unpack a backup into an empty folder, check all of it, and return its manifest.

    Args:
        path: the backup.
        folder: the folder.
        stream: the open backup, if the user who unpacks it may not open it; else None.

    Raises:
        CompanionError: it cannot be read, is damaged, or contains files that no backup has.
        ConfigError: the configuration in it cannot be used by this companion.
    """
    with explained(path), stream or open(path, "rb", opener=at_once) as opened:
        # Of a device without end, all would be read in search of the archive's end.
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise zipfile.BadZipFile
        with zipfile.ZipFile(opened) as archive:
            manifest = _manifest(archive, path)
            for stored in manifest.files:
                _unpack(archive, stored, folder, str(path))
    config = folder / CONFIG
    if config.exists():
        parse_config(_text(config, path), f"{path}: {CONFIG}")
    return manifest


def _manifest(archive: zipfile.ZipFile, path: Path) -> Manifest:
    infos = {info.filename: info for info in archive.infolist()}
    head = infos.pop(MANIFEST_NAME, None)
    if head is None or head.file_size > _LARGEST_MANIFEST:
        raise damaged(str(path), said("its list of files cannot be read"))
    if any(info.compress_type not in _PACKINGS for info in archive.filelist):
        raise damaged(str(path), said("it is packed in a way that the companion does not use"))
    manifest = manifest_of(archive.read(head), str(path))
    sizes = {stored.name: stored.size for stored in manifest.files}
    # Also counted, because the dictionary hides a second entry of the same name.
    if len(archive.filelist) != len(sizes) + 1 or {name: info.file_size for name, info in infos.items()} != sizes:
        raise damaged(str(path), said("its files do not match its list"))
    named = {key: DATA + name for key, name in manifest.named.items()}
    strange = next((name for name in (*sizes, *named.values()) if not _is_ours(name)), None)
    if strange is not None:
        raise damaged(str(path), said("{name} is not a file of the companion", name=ascii(strange)[:60]))
    _refuse_bombs(sizes, archive, path)
    # Earlier versions could name a file that they had left out, a link in the data folder.
    return structs.replace(manifest, named={key: manifest.named[key] for key, name in named.items() if name in sizes})


def _is_ours(name: str) -> bool:
    return name == CONFIG or (name.startswith(DATA) and is_included(name.removeprefix(DATA)))


def _refuse_bombs(sizes: dict[str, int], archive: zipfile.ZipFile, path: Path) -> None:
    whole, packed = sum(sizes.values()), archive.start_dir
    largest_log = max((size for name, size in sizes.items() if name.startswith(f"{DATA}{LOGS_NAME}/")), default=0)
    is_bomb = whole > max(_ALWAYS_ALLOWED, _MOST_TIMES * packed) or largest_log > _LARGEST_LOG
    if len(sizes) > _MOST_FILES or is_bomb:
        raise damaged(str(path), said("it would unpack to far more than its size"))


def _unpack(archive: zipfile.ZipFile, stored: BackedUpFile, folder: Path, path: str) -> None:
    target = folder / stored.name
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    if shutil.disk_usage(folder).free < stored.size + _ALWAYS_ALLOWED:
        raise CompanionError.said("{path}: there is no room to unpack it; free some space on the disk", path=path)
    with archive.open(stored.name) as stream, target.open("xb") as file:
        while block := stream.read(_BLOCK):
            digest.update(block)
            file.write(block)
        size = file.tell()
    if size != stored.size or digest.hexdigest() != stored.sha256:
        raise damaged(path, said("{name} has a different checksum", name=stored.name))


def _text(config: Path, path: Path) -> str:
    try:
        return config.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise damaged(str(path), said("{name} is not text", name=CONFIG)) from error


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Convert the exceptions of unreadable and damaged archives into CompanionError."""
    try:
        yield
    except OSError as error:
        raise CompanionError(unreadable(path, error)) from error
    except _FAULTS as error:
        raise damaged(str(path), said("its archive is damaged")) from error


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
        address: the configuration whose hall's database is on a server, as its address lost a password; else None.
    """

    manifest: Manifest
    aside: Path | None = None
    config_aside: Path | None = None
    is_rewritten: bool = False
    password: Path | None = None
    address: Path | None = None


def restore(path: Path, places: Places, now: datetime, *, replace: bool, with_config: bool = True) -> Restored:
    """Restore the games, calibrations and configuration of a backup.

    Args:
        path: the backup.
        places: the paths to restore to; files get the owner of the data folder.
        now: the time in the names of the former files moved aside.
        replace: whether existing files may be replaced; they are moved aside.
        with_config: whether the configuration is restored, too.

    Raises:
        CompanionError: the backup cannot be used, or there are files already.
        ConfigError: as `checked`.
        JournalError: as `checked`; or another companion has the journal open.
    """
    with explained(path):
        # Before the change of user, who need not be allowed to read it.
        stream = open(path, "rb", opener=at_once)  # noqa: SIM115  # Closed below.
    try:
        with stream, ExitStack() as stack:
            as_owner = stack.enter_context(ExitStack())
            as_owner.enter_context(as_owner_of(places.data))
            places.data.mkdir(parents=True, exist_ok=True)
            # First, and held until all files are in place: no companion may open what is still on its way.
            stack.enter_context(_alone(places.data))
            # In the data folder, so that renaming suffices to put the files in place.
            staging = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=STAGING, dir=places.data)))
            manifest = checked(path, staging, stream)
            config = None
            if places.config is not None and with_config:
                config = _Configuration(places.config, places.data, staging, manifest)
            there = [*_there(places.data), *(config.there() if config else ())]
            if there and not replace:
                raise CompanionError.said(
                    "{path}: already exists; {option} replaces it with the backup and keeps the old version",
                    path=all_of(there),
                    option="--replace",
                )
            aside = _swap(places.data, staging, now)
            # The configuration may be in a folder of root's.
            as_owner.close()
            # After the data, to which its paths may lead.
            config_aside, is_rewritten = config.put(now) if config else (None, False)
        lacks = (config.password(), config.address()) if config else (None, None)
        return Restored(manifest, aside, config_aside, is_rewritten, *lacks)
    except OSError as error:
        raise CompanionError(unwritable(error.filename or places.data, error)) from error


class _Configuration:
    """The configuration of a backup, to be restored."""

    def __init__(self, path: Path, data: Path, staging: Path, manifest: Manifest) -> None:
        self._path, self._text, self._is_rewritten = path, "", False
        self._password: Path | None = None
        self._has_address = False
        kept = staging / CONFIG
        if kept.exists():
            content = kept.read_bytes()
            sha256 = hashlib.sha256(content).hexdigest()
            if sha256 not in (each.sha256 for each in manifest.files if each.name == CONFIG):
                # Another program of the data folder's user has changed it since it was checked.
                raise CompanionError.said("{path}: was changed meanwhile; nothing was restored", path=str(kept))
            self._text = content.decode("utf-8-sig")
            config = parse_config(self._text, CONFIG)
            self._password = config.mqtt.password_file
            self._has_address = "@" in (config.hall.database or "")
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
        aside = None
        if self._path.exists():
            aside = self._path.with_name(f"{self._path.name}.{ASIDE_NAME}-{now:%Y%m%d-%H%M%S}")
            shutil.copy2(self._path, aside)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        rewrite(self._path, self._text.encode())
        return aside, self._is_rewritten

    def password(self) -> Path | None:
        """Return the broker's password file if it is missing, else None."""
        return self._password if self._password is not None and not os.path.exists(self._password) else None  # noqa: PTH110  # It never raises.

    def address(self) -> Path | None:
        """Return the configuration if it has the address of a database on a server, else None."""
        return self._path if self._has_address else None

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
    """Hold the journal and the hall exclusively.

    Raises:
        CompanionError: another companion has the journal open.
        JournalError: a hall is running.
    """
    with JournalLock(data / HALL_NAME, timeout_s=0.0), JournalLock(data / JOURNAL_NAME) as lock:
        if not lock.is_exclusive:
            raise CompanionError.said(
                "{path}: a companion has the games open; stop it first ({command}), then restore again",
                path=str(data),
                command=_STOP,
            )
        complete_locked_exchange(data)
        yield


def _swap(data: Path, staging: Path, now: datetime) -> Path | None:
    """Move the data folder's files aside and the unpacked ones in; return the folder of the former, or None."""
    former = [entry.name for entry in sorted(data.iterdir()) if _is_swapped(entry.name)]
    aside = free_name(data / f"{ASIDE_NAME}-{now:%Y%m%d-%H%M%S}")
    # The files must be on the disk before the names lead to them.
    os.sync()
    exchange_files(data, staging, former, aside)
    return aside if former else None


def _is_swapped(name: str) -> bool:
    """Return whether an entry of the data folder is moved aside, as the index of the games is, too."""
    return is_included(name) or (name.startswith(JOURNAL_NAME) and not name.endswith(".lock"))
