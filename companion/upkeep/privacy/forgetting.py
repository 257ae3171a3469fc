"""The deletion of single games, and of a player's name, from the stored data."""

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from companion.journal import SHEET_NOTE, GameFilter, GameSummary, Journal, TableTakenError, table_lock
from companion.languages import said, system_says
from companion.upkeep.privacy.keeping import PrivacyError

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
        PrivacyError: it is being played, or a file cannot be deleted; the game still exists then.
        JournalError: it does not exist, or cannot be deleted.
    """
    # Raises for a game that does not exist, before any file is deleted.
    journal.names(game_id)
    _refuse_played([game_id], played)
    # The game goes last: the deletion can be repeated while it is listed.
    for path in files_of(journal.path.parent, game_id):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            says = said("{path}: cannot be deleted: {fault}", path=str(path), fault=system_says(error))
            raise PrivacyError(says) from error
    journal.delete(game_id)


def files_of(folder: Path, game_id: int) -> list[Path]:
    """Return the stored pictures of a game in a data folder: of its empty boards, its circle, and its end."""
    own = re.compile(rf"{game_id}[.-].*")
    rooms = [folder / name for name in ("pictures", "profiles") if (folder / name).is_dir()]
    return sorted(path for room in rooms for path in room.iterdir() if own.fullmatch(path.name) and not path.is_dir())


def games_with(journal: Journal, name: str) -> list[int]:
    """Return the numbers of the games in which a player of this name took part."""
    ids = [game.game_id for game in journal.games()]
    return [game_id for game_id in ids if name in journal.names(game_id)]


def forget_name(journal: Journal, name: str, played: Collection[int]) -> list[int]:
    """Replace a player's name by the seat's in all stored games; return their numbers.

    Args:
        journal: the journal.
        name: the player's name.
        played: the numbers of the games on a table.

    Raises:
        PrivacyError: one of the games is being played; nothing is changed then.
        JournalError: a game cannot be changed; those before it are changed.
    """
    found = games_with(journal, name)
    _refuse_played(found, played)
    for game_id in found:
        journal.rename(game_id, _without(name, journal.names(game_id)))
    return found


def _without(name: str, players: Iterable[str]) -> list[str]:
    return [f"Seat {seat}" if player == name else player for seat, player in enumerate(players, start=1)]


def _refuse_played(games: Iterable[int], played: Collection[int]) -> None:
    for game_id in games:
        if game_id in played:
            raise PrivacyError(
                said("game {game} is on a table now: start another one there, or stop that companion", game=game_id)
            )
