"""The kinds of files in the data folder: their information about players, their retention, and their deletion."""

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.errors import CompanionError
from companion.journal import JOURNAL_NAME
from companion.journal.locks import JournalLock
from companion.journal.restoration import complete_locked_exchange
from companion.languages import Sentence, said, system_says
from companion.ownership import as_owner_of
from companion.upkeep.backup.contents import HALL_NAME

_JOURNAL: Final = re.escape(JOURNAL_NAME)


class PrivacyError(CompanionError):
    """Raised if the stored data cannot be listed or deleted."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of files.

    Attributes:
        name: its name on the command line.
        tells: the information about players in it.
        until: the time for which it is kept.
        pattern: matches the paths in the data folder; None for those of no other kind.
    """

    name: str
    tells: Sentence
    until: Sentence
    pattern: re.Pattern[str] | None


KINDS: Final = (
    FileKind(
        # First, because the names of copies contain those of the files they were made from.
        "copies",
        said("copies of all this: backups made before updates, and damaged files that were set aside"),
        said("the newest backups, five at most; damaged files until you delete them"),
        re.compile(
            r"backups/.*|before-restore.*|\.(restore-|restoring|backup-).*|earlier-journal/.*"
            r"|(.*/)?\.[^/]*\.tmp|.*\.(damaged-.*|suspect)(/.*)?"
        ),
    ),
    FileKind(
        "games",
        said("players’ names and colours, every decision and when it was made"),
        said("until you delete them"),
        re.compile(rf"{_JOURNAL}(-wal|-shm)?|journal\.sqlite3(-wal|-shm)?|(games|decisions)/.*"),
    ),
    FileKind(
        "pictures",
        said("photographs of the table: the empty boards, the circle of patches, both finished quilts"),
        said("until you delete them; an interrupted game needs its own to be resumed"),
        re.compile(r"(profiles|pictures)/.*"),
    ),
    FileKind(
        "messages",
        said("what happened in games, for a broker that cannot be reached"),
        said("the last 50,000 events, where a broker is configured"),
        re.compile(r"outbox\.sqlite3.*"),
    ),
    FileKind(
        "hall",
        said("a club’s players, their games, results and ratings, and the keys of its page"),
        said("until you delete them, where this machine was a club’s hall"),
        re.compile(r"hall/.*"),
    ),
    FileKind(
        "keys",
        said("the page’s key and passwords, nothing about players"),
        said("the page’s key for three weeks; then a new one is made"),
        re.compile(r"page\.key|.*\.password"),
    ),
    FileKind(
        "calibrations",
        said("the positions of the boards, with pictures of the empty table, and sheets that you described"),
        said("until you delete them"),
        re.compile(r"(.*/)?[^/]*(calibration|sheet|kvilt)[^/]*\.(toml|npz|png|jpg|json)"),
    ),
    FileKind("other", said("files of an unknown kind"), said("until you delete them"), None),
)
"""In the order in which they are tried for a file."""
# Locks of tables and of the journal; they contain no information about players.
_NOBODYS: Final = re.compile(r".*\.lock")


@dataclass(frozen=True, slots=True)
class StoredFiles:
    """The files of one kind.

    Attributes:
        kind: the kind.
        paths: the paths, in order.
        size_bytes: the total size.
        links: the links among them; what they lead to is neither counted nor deleted.
    """

    kind: FileKind
    paths: tuple[Path, ...]
    size_bytes: int
    links: tuple[Path, ...]


def stored_files(folder: Path) -> tuple[StoredFiles, ...]:
    """Return the files in a data folder by kind, including the kinds without files.

    Raises:
        PrivacyError: the folder cannot be read.
    """
    found: dict[str, list[Path]] = {kind.name: [] for kind in KINDS}
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        if not _NOBODYS.fullmatch(name):
            # A folder's link is of the kind of the files that it would hold.
            found[_kind_of(f"{name}/" if path.is_dir() else name).name].append(path)
    return tuple(_stored(kind, found[kind.name]) for kind in KINDS)


def _stored(kind: FileKind, paths: Sequence[Path]) -> StoredFiles:
    links = tuple(path for path in paths if path.is_symlink())
    return StoredFiles(kind, tuple(paths), sum(map(_size, paths)), links)


def delete(folder: Path, names: Iterable[str]) -> tuple[StoredFiles, ...]:
    """Delete the stored files of some kinds, and return them.

    Nothing is deleted while a companion has the journal open, and nothing of a hall while that runs.

    Raises:
        PrivacyError: a companion has the journal open, or a file cannot be deleted; those before it are gone then.
        JournalError: a companion holds the journal exclusively, a hall is running, or the folder cannot be written to.
    """
    wanted = set(names)
    if not folder.is_dir():
        return ()
    with as_owner_of(folder), ExitStack() as stack:
        # No wait: a companion or a hall that uses them keeps them open.
        if "hall" in wanted and (folder / HALL_NAME).exists():
            stack.enter_context(JournalLock(folder / HALL_NAME, timeout_s=0.0))
        if not stack.enter_context(JournalLock(folder / JOURNAL_NAME, timeout_s=0.0)).is_exclusive:
            raise PrivacyError(
                said("{path}: a companion is using it; close that one first (a service: {command})",
                     path=str(folder), command="systemctl stop quilt-companion")
            )  # fmt: skip
        complete_locked_exchange(folder)
        gone = tuple(each for each in stored_files(folder) if each.kind.name in wanted and each.paths)
        for path in (path for each in gone for path in each.paths):
            _delete(path)
        _sweep(folder)
    return gone


def _kind_of(name: str) -> FileKind:
    return next(kind for kind in KINDS if kind.pattern is None or kind.pattern.fullmatch(name))


def _files(folder: Path) -> Sequence[Path]:
    def refuse(error: OSError) -> None:
        says = said("{path}: cannot be read: {fault}", path=str(error.filename or folder), fault=system_says(error))
        raise PrivacyError(says) from error

    if not folder.exists():
        return ()
    # Links are listed but never followed: their targets do not belong to the companion.
    walked = os.walk(folder, onerror=refuse)
    return sorted(
        Path(place, name)
        for place, rooms, names in walked
        for name in (*names, *(room for room in rooms if Path(place, room).is_symlink()))
    )


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:  # gone meanwhile
        return 0


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise PrivacyError(
            said("{path}: cannot be deleted: {fault}", path=str(path), fault=system_says(error))
        ) from error


def _sweep(folder: Path) -> None:
    """Remove the folders that are now empty."""
    for place, _, _ in os.walk(folder, topdown=False):
        if Path(place) != folder and not any(Path(place).iterdir()):
            Path(place).rmdir()
