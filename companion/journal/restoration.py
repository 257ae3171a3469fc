"""The exchange of a data folder's files for those of a backup, which an interruption delays but never leaves half done.

The files to come are complete in a folder of their own before any file is moved, with a plan of all moves. The next
program that opens the folder makes the moves that are missing.
"""

import logging
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from os.path import lexists
from pathlib import Path
from typing import Final

import msgspec

from companion.durable import sync_folder, write_whole
from companion.journal.errors import StorageError
from companion.journal.locks import JournalLock
from companion.languages import said, system_says

STAGING: Final = ".restore-"
"""The prefix of a folder into which a backup is unpacked."""
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
        fault = system_says(error) if isinstance(error, OSError) else str(error)
        says = said(
            "{path}: a restoration was interrupted and cannot be completed: {fault}", path=str(data), fault=fault
        )
        raise StorageError(says) from error


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
