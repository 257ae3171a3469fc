"""The kinds of files in the data folder: their information about players, their retention, and their deletion."""

import os
import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Final

from companion.errors import CompanionError
from companion.journal import JOURNAL_NAME, SHEET_NOTE, GameFilter, GameSummary, Journal, TableTakenError, table_lock
from companion.journal.logs import JournalLock
from companion.journal.restoration import complete_locked_exchange, delete_copies
from companion.journal.scored import ScoredGames
from companion.languages import Sentence, said, system_says, unreadable
from companion.ownership import as_owner_of
from companion.upkeep.backup.manifest import HALL_NAME

COPIES: Final = said(
    "Backups, files that were set aside and messages for a broker may still contain it; {command} lists them.",
    command="`companion privacy`",
)
"""The sentence shown after a deletion."""


def being_played(journal: Journal, *, apart_from: str | None = None) -> set[int]:
    """Return the numbers of the games that companions have on their tables now, or had there last and may resume.

    Args:
        journal: the journal.
        apart_from: the name of a table to skip: this program's own.
    """
    folder, found = journal.path.parent, set[int]()
    # A lock that this program holds itself would look like that of another companion.
    for table in {game.table for game in journal.games()} - {"", apart_from}:
        try:
            with table_lock(folder, table):
                pass
        except TableTakenError:
            last = journal.find(GameFilter(table, limit=1, by_change=True))
            found.update(game.game_id for game in last if not _is_over(journal, game))
    return found


def _is_over(journal: Journal, game: GameSummary) -> bool:
    """Return whether a game has ended definitively: its last decision can no longer be undone."""
    return game.finished and SHEET_NOTE in journal.notes(game.game_id)


def delete_game(journal: Journal, game_id: int, played: Collection[int]) -> None:
    """Delete a game permanently: its decisions, its notes and its pictures.

    Args:
        journal: the journal.
        game_id: its number.
        played: the numbers of the games on a table.

    Raises:
        CompanionError: it is being played, or a file cannot be deleted; the game still exists then.
        JournalError: it does not exist, or cannot be deleted.
    """
    # Raises for a game that does not exist, before any file is deleted.
    journal.listed(game_id)
    _refuse_played([game_id], played)
    # The game goes last: the deletion can be repeated while it is listed.
    for path in files_of(journal.path.parent, game_id):
        _delete(path)
    journal.delete(game_id)


def files_of(folder: Path, game_id: int) -> list[Path]:
    """Return the stored pictures of a game in a data folder: of its empty boards, its circle, and its end."""
    own = re.compile(rf"{game_id}[.-].*")
    rooms = [folder / name for name in ("pictures", "profiles") if (folder / name).is_dir()]
    return sorted(path for room in rooms for path in room.iterdir() if own.fullmatch(path.name) and not path.is_dir())


def count_games_with(journal: Journal, name: str) -> int:
    """Return the number of games in which a player of this name took part, those scored from photographs included."""
    return len(_games_with(journal, name)) + len(ScoredGames(journal.path.parent).with_player(name))


def _games_with(journal: Journal, name: str) -> list[int]:
    ids = [game.game_id for game in journal.games()]
    return [game_id for game_id in ids if name in journal.names(game_id)]


def forget_name(journal: Journal, name: str, played: Collection[int]) -> int:
    """Replace a player's name by the seat's in all stored games; return how many there are.

    Args:
        journal: the journal.
        name: the player's name.
        played: the numbers of the games on a table.

    Raises:
        CompanionError: one of the games is being played; nothing is changed then.
        JournalError: a game cannot be changed; those before it are changed.
    """
    found = _games_with(journal, name)
    _refuse_played(found, played)
    for game_id in found:
        journal.rename(game_id, _without(name, journal.names(game_id)))
    return len(found) + ScoredGames(journal.path.parent).forget(name)


def _without(name: str, players: Iterable[str]) -> list[str]:
    return [f"Seat {seat}" if player == name else player for seat, player in enumerate(players, start=1)]


def _refuse_played(games: Iterable[int], played: Collection[int]) -> None:
    for game_id in games:
        if game_id in played:
            raise CompanionError.said(
                "game {game} is on a table now: start another one there, or stop that companion", game=game_id
            )


_JOURNAL: Final = re.escape(JOURNAL_NAME)


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
        re.compile(rf"{_JOURNAL}(-wal|-shm)?|journal\.sqlite3(-wal|-shm)?|(games|decisions)/.*|scored/[^/]*\.json"),
    ),
    FileKind(
        "pictures",
        said("photographs of the table: the empty boards, the circle of patches, both finished quilts"),
        said("until you delete them; an interrupted game needs its own to be resumed"),
        re.compile(r"(profiles|pictures)/.*|scored/[^/]*\.jpg"),
    ),
    FileKind(
        "looks",
        said("the latest looks at the quilts, with all but the table blurred, for a bug report"),
        said("the newest ones, as many as the configuration says"),
        re.compile(r"looks/.*"),
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
        re.compile(r"page\.key|https/.*|.*\.password"),
    ),
    FileKind(
        "calibrations",
        said("the positions of the boards, with pictures of the empty table, and sheets that you described"),
        said("until you delete them"),
        re.compile(
            r"calibrations/.*|named/(calibration|time_board_print|sheet)[^/]*/.*"
            r"|(.*/)?[^/]*(calibration|sheet|kvilt)[^/]*\.(toml|npz|png|jpg|json)"
        ),
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
        CompanionError: the folder cannot be read.
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
        CompanionError: a companion has the journal open, or a file cannot be deleted; those before it are gone then.
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
            raise CompanionError.said("{path}: a companion is using it; close that one first (a service: {command})",
                     path=str(folder), command="systemctl stop quilt-companion")  # fmt: skip
        complete_locked_exchange(folder)
        delete_copies()
        gone = tuple(each for each in stored_files(folder) if each.kind.name in wanted and each.paths)
        for path in (path for each in gone for path in each.paths):
            _delete(path)
            _sweep(folder, path)
    return gone


def _kind_of(name: str) -> FileKind:
    return next(kind for kind in KINDS if kind.pattern is None or kind.pattern.fullmatch(name))


def _files(folder: Path) -> Sequence[Path]:
    def refuse(error: OSError) -> None:
        raise CompanionError(unreadable(error.filename or folder, error)) from error

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
        raise CompanionError.said(
            "{path}: cannot be deleted: {fault}", path=str(path), fault=system_says(error)
        ) from error


def _sweep(folder: Path, deleted: Path) -> None:
    """Remove the folders of a deleted file that are now empty; other empty ones may be the owner's."""
    for place in takewhile(lambda each: each != folder, deleted.parents):
        # It is not removed while it has entries.
        with suppress(OSError):
            place.rmdir()
