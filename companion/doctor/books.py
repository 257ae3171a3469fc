"""The journal: whether it is sound, and whether the game that is to be gone on with can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.doctor.finding import Finding, fault, note, ok
from companion.journal import JOURNAL_NAME, Journal, JournalError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from companion.journal.book import GameSummary


def check_journal(folder: Path) -> Iterator[Finding]:
    """The journal in a data folder; every game in it is replayed."""
    path = folder / JOURNAL_NAME
    yield from _set_aside(path)
    if not path.exists():
        yield ok("journal", "There is no journal yet; the first game begins one.")
        return
    try:
        with Journal(path, read_only=True) as journal:
            games = journal.games()
    except JournalError as error:
        what, _, do = str(error).partition(";")
        yield fault("journal", f"{what}.", "Games cannot be kept, or not be gone on with.", do.strip() or "See above.")
        return
    yield from _games(games, folder / "profiles")


def _set_aside(path: Path) -> Iterator[Finding]:
    aside = sorted(path.parent.glob(f"{path.name}.damaged-*[0-9]")) if path.parent.is_dir() else []
    if aside:
        says = "Most often the plug was pulled while a worn card was writing."
        do = f"sqlite3 {aside[-1].name} .recover may bring games back; delete it if nobody misses them"
        yield note("journal", f"A damaged journal was set aside: {aside[-1].name}.", says, do)


def _games(games: Sequence[GameSummary], profiles: Path) -> Iterator[Finding]:
    broken = [game for game in games if game.error is not None]
    for game in broken:
        says = "It is left out; no other game is touched by it."
        yield note("journal", f"Game {game.game_id} cannot be replayed: {game.error}.", says)
    count = f"{len(games)} game{'' if len(games) == 1 else 's'}"
    yield ok("journal", f"The journal is sound: {count}, {len(games) - len(broken)} replayed.")
    open_games = [game for game in games if not game.finished and game.error is None and game.decisions]
    if open_games and not (profiles / f"{open_games[-1].game_id}.npz").is_file():
        number = open_games[-1].game_id
        says = "How its empty boards looked is lost, and its quilts cannot be read any more."
        yield note("journal", f"Game {number} cannot be gone on with.", says, "companion play --new")
