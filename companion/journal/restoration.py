"""The exchange of a data folder's files for those of a backup, which an interruption delays but never leaves half done.

The files to come are complete in a folder of their own before any file is moved, with a plan of all moves. The next
program that opens the folder makes the moves that are missing, and deletes the copies of a backup that was interrupted.
"""

import fcntl
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from os.path import lexists
from pathlib import Path
from typing import Final

import msgspec

from companion.durable import sync_folder, write_whole
from companion.journal.errors import StorageError
from companion.journal.logs import JournalLock
from companion.languages import system_says

STAGING: Final = ".restore-"
"""The prefix of a folder into which a backup is unpacked."""
COPIES: Final = "companion-backup-"
"""The prefix of a folder of the copies that a backup is made of, in `ROOMY`."""
ROOMY: Final = Path("/var/tmp")  # noqa: S108 - the folders there have unguessable names
_NEW_S: Final = 60.0
_COMMITTED: Final = ".restoring"
_PLAN: Final = "plan.json"
_FILES: Final = "data"
_LOG: Final = logging.getLogger(__name__)


class _Plan(msgspec.Struct, frozen=True):
    """The moves of an exchange, by names in the data folder.

    Attributes:
        aside: the folder into which the former files are moved.
        former: the names of the former files and folders.
        coming: the names of those that replace them.
    """

    aside: str
    former: tuple[str, ...]
    coming: tuple[str, ...]


def exchange_files(data: Path, staging: Path, former: list[str], aside: Path) -> None:
    """Move files of a data folder aside, and those in the staging folder's `data` into it; or, on an error, none.

    The caller holds the journal's lock; every file in the staging folder has been flushed to the disk.

    Raises:
        OSError: a file cannot be moved.
    """
    unpacked = staging / _FILES
    coming = sorted(entry.name for entry in unpacked.iterdir()) if unpacked.is_dir() else []
    plan = _Plan(aside.name, tuple(former), tuple(coming))
    write_whole(staging / _PLAN, msgspec.json.encode(plan))
    with ExitStack() as back:
        for source, target in chain([(staging, data / _COMMITTED)], _moves(data, plan)):
            source.rename(target)
            back.callback(target.rename, source)
        # All files are in place: do not move them back.
        back.pop_all()
    _finish(data, plan)


def complete_exchange(journal: Path) -> None:
    """Complete an exchange beside a journal that was interrupted, and delete the remains of one that was not begun.

    Raises:
        StorageError: it cannot be completed, or another companion has the folder.
    """
    delete_copies()
    if not _remains(journal.parent):
        return
    with JournalLock(journal) as lock:
        if lock.is_exclusive:
            complete_locked_exchange(journal.parent)


def complete_locked_exchange(data: Path) -> None:
    """Do the same while the caller holds the journal's lock exclusively.

    Raises:
        StorageError: it cannot be completed.
    """
    committed = data / _COMMITTED
    try:
        if committed.is_dir():
            plan = msgspec.json.decode((committed / _PLAN).read_bytes(), type=_Plan)
            for source, target in _moves(data, plan):
                source.rename(target)
            _finish(data, plan)
            _LOG.warning("%s: a backup’s restoration that was interrupted is complete now; what was there before is "
                         "kept: %s", data, data / plan.aside)  # fmt: skip
        for remains in _remains(data):
            shutil.rmtree(remains)
            _LOG.warning("%s: what an interrupted restoration left was deleted", remains)
    except (OSError, msgspec.MsgspecError) as error:
        fault = system_says(error)
        raise StorageError.said(
            "{path}: a restoration was interrupted and cannot be completed: {fault}", path=str(data), fault=fault
        ) from error


@contextmanager
def folder_for_copies() -> Iterator[Path]:
    """Provide a temporary folder, which the next program deletes if this one is killed.

    Raises:
        OSError: it cannot be made.
    """
    # /tmp may be in memory.
    with tempfile.TemporaryDirectory(prefix=COPIES, dir=ROOMY) as name:
        descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            yield Path(name)
        finally:
            os.close(descriptor)


def delete_copies() -> None:
    """Delete this user's folders for copies that no running program has."""
    for folder in ROOMY.glob(f"{COPIES}*/"):
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                status = os.fstat(descriptor)
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # A new one may not be locked yet.
                if status.st_uid == os.geteuid() and abs(time.time() - status.st_mtime) > _NEW_S:
                    shutil.rmtree(folder)
                    _LOG.warning("%s: what an interrupted backup left was deleted", folder)
            finally:
                os.close(descriptor)


def _remains(data: Path) -> list[Path]:
    return [*data.glob(f"{STAGING}*/"), *data.glob(f"{_COMMITTED}/")]


def _moves(data: Path, plan: _Plan) -> Iterator[tuple[Path, Path]]:
    """Yield the missing moves of a plan, each after those before it were made."""
    aside, unpacked = data / plan.aside, data / _COMMITTED / _FILES
    if plan.former:
        aside.mkdir(exist_ok=True)
    for name in plan.former:
        # One of this name that is already aside was followed by the one that came.
        if lexists(data / name) and not lexists(aside / name):
            yield data / name, aside / name
    for name in plan.coming:
        if lexists(unpacked / name):
            yield unpacked / name, data / name


def _finish(data: Path, plan: _Plan) -> None:
    for folder in (data, *([data / plan.aside] if plan.former else [])):
        sync_folder(folder)
    # Renamed first, as it is not complete any more while it is deleted.
    done = (data / _COMMITTED).rename(data / f"{STAGING}done")
    shutil.rmtree(done)
