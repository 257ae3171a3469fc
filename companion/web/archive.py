"""The games in the journal, in the form in which the page shows and exports them."""

import csv
import io
import os
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any, Final

from companion.errors import CompanionError
from companion.journal import GameFilter, GameSummary, Journal, JournalError, Status, UnknownGameError
from companion.journal.logs import LOGS_NAME, Logs
from companion.journal.scored import SCORED_NAME, ScoredGames
from companion.languages import ENGLISH, Language, render, said
from companion.play.friend import Friend, friend_in
from companion.play.page import ArchivedGame, ArchivePage, GamePage, GamePages, Json, Part, Rows
from companion.registry import codecs
from companion.upkeep.privacy.keeping import being_played, delete_game, forget_name
from companion.web.requests import MissingError


def standings(archive: "Archive") -> list[Json]:
    """Return a row per player of each kind of game, most wins first.

    Raises:
        NoGameError: the journal cannot be read.
    """
    return list(archive.figures("standings", lambda: {"rows": _computed(archive)})["rows"])


def _computed(archive: "Archive") -> list[Json]:
    return [
        row
        for name, side in archive.sides.items()
        if side.archive is not None
        for row in _rows(name, side.archive.parts(archive.finished(side)))
    ]


def _rows(game: str, parts: Iterable[Part]) -> list[Json]:
    of_player: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        of_player[part.name].append(part)
    rows = [_row(game, name, played) for name, played in of_player.items()]
    # Within one kind of game, as points of different games cannot be compared.
    return sorted(rows, key=lambda row: (-row["wins"], -row["mean"]))


def _row(game: str, name: str, played: list[Part]) -> Json:
    points = [part.points for part in played]
    wins = sum(part.won for part in played)
    return {"game": game, "name": name, "games": len(played), "wins": wins, "best": max(points), "mean": fmean(points)}


# The same sentence for every fault of a stored game: the journal's own names paths and lines, which help no reader.
_STRANGE = said("This game cannot be replayed.")


class NoGameError(MissingError):
    """Raised for a game that does not exist or cannot be read; the message is a sentence."""


class Archive:
    """The journal's games for the page. Every call opens the journal anew, so that any thread may use it.

    Args:
        path: the journal's file, or None if nothing is stored.
        sides: the kinds of games that are shown.

    Attributes:
        sides: see above.
    """

    def __init__(self, path: Path | None, sides: GamePages) -> None:
        self._path, self.sides = path, sides
        self._figures: dict[str, tuple[tuple[int, int, int], Json]] = {}

    def games(self, live: int | None = None, language: Language = ENGLISH) -> list[Json]:
        """Return all games with decisions, newest first, with texts in a language; `live` is the game on the table.

        Raises:
            NoGameError: the journal cannot be read.
        """
        if self._path is None:
            return []
        with self._journal() as journal:
            games = journal.find(GameFilter(decided=True, also=live))
            return self._summaries(journal, games, live, language)

    def games_before(
        self, before: int | None, limit: int, live: int | None = None, language: Language = ENGLISH
    ) -> tuple[list[Json], bool]:
        """Return a part of the games with decisions, newest first, and whether there are more.

        Args:
            before: only games with lower numbers; None to begin with the newest.
            limit: the largest number of games to return.
            live: the number of the game on the table.
            language: the reader's.

        Raises:
            NoGameError: the journal cannot be read.
        """
        if self._path is None:
            return [], False
        with self._journal() as journal:
            # One more than asked for shows whether there are more.
            games = journal.find(GameFilter(decided=True, also=live, before=before, limit=limit + 1))
            return self._summaries(journal, games[:limit], live, language), len(games) > limit

    def scored(self) -> list[Json]:
        """Return the games scored from photographs, the newest first."""
        if self.folder is None:
            return []
        games = ScoredGames(self.folder)
        return [
            {
                "id": each.number,
                "kind": each.game,
                "scored_at": each.scored_at,
                "players": list(each.players),
                "scores": list(each.scores),
                "sheet": each.sheet,
                "pictures": len(games.pictures(each.number)),
            }
            for each in games.all()
        ]

    def game(self, game_id: int, live: int | None = None, language: Language = ENGLISH) -> Json:
        """Return one game with its decisions, with texts in a language.

        Raises:
            NoGameError: it does not exist, or cannot be replayed.
        """
        with self._journal() as journal:
            (summary,) = self._summaries(journal, [_listed(journal, game_id)], live, language)
            side, pages = self._shown(summary["game"])
            return {**summary, **pages.details(_archived(journal, game_id, side), language)}

    def replay(
        self, game_id: int, language: Language = ENGLISH, desks: Mapping[str, Any] = MappingProxyType({})
    ) -> Json:
        """Return the kind of a game, and its states, with texts in a language: the first, and one after each decision.

        Args:
            game_id: the game's number.
            language: the reader's.
            desks: the games' desks of this session, by kind of game.

        Raises:
            NoGameError: it is not there, or cannot be replayed.
        """
        with self._journal() as journal:
            side, pages = self._shown(journal.game(game_id).name)
            archived = _archived(journal, game_id, side)
            return {"game": side.name, **pages.replay(archived, desks.get(side.name), language)}

    def under_way(self, table: str) -> list[Json]:
        """Return the games at a table that can be resumed, last changed first.

        Raises:
            NoGameError: the journal cannot be read.
        """
        with self._journal() as journal:
            return [
                {
                    "id": game.game_id,
                    "game": game.game,
                    "players": list(game.players or ()),
                    "decisions": game.decisions,
                    "last_at": game.last_at.isoformat(),
                }
                for game in journal.find(GameFilter(table, status=Status.UNFINISHED, decided=True, by_change=True))
            ]

    def names(self) -> list[str]:
        """Return the names of all players, latest first.

        Raises:
            NoGameError: the journal cannot be read.
        """
        with self._journal() as journal:
            return list(journal.players())

    def record(self, game_id: int) -> str:
        """Return a game as a game record.

        Raises:
            NoGameError: it does not exist.
        """
        with self._journal() as journal:
            lines, fault = journal.record(game_id)
        if fault is not None:
            raise NoGameError(_STRANGE)
        return "".join(f"{line}\n" for line in lines)

    def decisions_csv(self, game_id: int) -> str:
        """Return a game's decisions as CSV, one row each, with the state of all seats after it.

        Raises:
            NoGameError: it does not exist, or cannot be replayed.
        """
        with self._journal() as journal:
            side, pages = self._shown(journal.game(game_id).name)
            return csv_of(pages.decisions_rows(_archived(journal, game_id, side)))

    def games_csv(self, side: GamePage[Any]) -> str:
        """Return all games of a kind with decisions as CSV, one row each.

        Raises:
            NoGameError: the journal cannot be read.
        """
        _, pages = self._shown(side.name)
        listed: Sequence[GameSummary] = ()
        if self._path is not None:
            with self._journal() as journal:
                listed = journal.find(GameFilter(game=side.name, decided=True))
        return csv_of(pages.games_rows(listed, self.finished(side)))

    def finished(self, side: GamePage[Any]) -> Sequence[Any]:
        """Return the summaries of the finished games of a kind, in the order in which they began.

        Raises:
            NoGameError: the journal cannot be read.
        """
        if self._path is None:
            return []
        with self._journal() as journal:
            return journal.figures(side.codec)

    def figures(self, name: str, reckon: Callable[[], Json]) -> Json:
        """Return figures over all finished games, recomputed only after another game has ended.

        Args:
            name: their key in the cache.
            reckon: computes the figures.

        Raises:
            NoGameError: the journal cannot be read.
        """
        mark = self._mark()
        known = self._figures.get(name)
        if mark is not None and known is not None and known[0] == mark:
            return known[1]
        figures = reckon()
        # Without a journal there is no mark by which later games would be noticed.
        if mark is not None:
            self._figures[name] = mark, figures
        return figures

    def mark(self, game_id: int | None = None) -> Hashable:
        """Return a value that changes with a game, or with any if none is named, and with pictures and scored games.

        Raises:
            NoGameError: the journal cannot be read.
        """
        if self._path is None:
            return None
        logs = Logs(self._path.with_name(LOGS_NAME))
        try:
            mark: Hashable = frozenset(logs.marks().items()) if game_id is None else logs.mark(game_id)
        except JournalError as error:
            raise NoGameError(_without_paths(error, self._path)) from error
        folder = self._path.parent
        return hash(mark), *map(_changed_at, (*self._picture_folders(folder), folder / SCORED_NAME))

    def _picture_folders(self, folder: Path) -> set[Path]:
        archives = (side.archive for side in self.sides.values() if side.archive is not None)
        return {path.parent for each in archives for path in each.pictures(folder, 1)}

    def _mark(self) -> tuple[int, int, int] | None:
        if self._path is None:
            return None
        with self._journal() as journal:
            return journal.finished_mark()

    def one(self, game_id: int, side: GamePage[Any]) -> ArchivedGame:
        """Return a game of a kind, finished or not.

        Raises:
            NoGameError: it does not exist, or is of another kind.
        """
        with self._journal() as journal:
            return _archived(journal, game_id, side)

    def delete(self, game_id: int, live: int | None, table: str | None) -> Friend | None:
        """Delete a game permanently, with its pictures; return the friend at another table who played in it, or None.

        Args:
            game_id: the game's number.
            live: the number of the game on the table, which cannot be deleted.
            table: the table's name; games being played at other tables cannot be deleted either.

        Raises:
            NoGameError: it does not exist.
            CompanionError: it is on a table, or cannot be deleted.
        """
        with self._writing() as journal:
            _listed(journal, game_id)
            friend = friend_in(journal.notes(game_id))
            delete_game(journal, game_id, _played(journal, live, table))
        return friend

    def forget(self, name: str, live: int | None, table: str | None) -> int:
        """Remove a player's name from all games; return the number of games changed.

        Args:
            name: the player's name.
            live: the number of the game on the table, which must not contain the name.
            table: the table's name.

        Raises:
            CompanionError: one of the games is on a table, or cannot be changed.
        """
        with self._writing() as journal:
            return forget_name(journal, name, _played(journal, live, table))

    @property
    def folder(self) -> Path | None:
        """The journal's folder, which also holds pictures of finished games, or None if nothing is stored."""
        return None if self._path is None else self._path.parent

    def _shown(self, game: str) -> tuple[GamePage[Any], ArchivePage]:
        """Return a game's side of the page, and its side of stored games."""
        side = self.sides.get(game)
        if side is None or side.archive is None:
            raise NoGameError(_STRANGE)
        return side, side.archive

    @contextmanager
    def _journal(self) -> Iterator[Journal]:
        if self._path is None:
            raise NoGameError.said("No games are stored.")
        try:
            with Journal(self._path, codecs(), read_only=True) as journal:
                yield journal
        except JournalError as error:
            raise NoGameError(_without_paths(error, self._path)) from error

    @contextmanager
    def _writing(self) -> Iterator[Journal]:
        if self._path is None:
            raise NoGameError.said("No games are stored.")
        try:
            with Journal(self._path, codecs()) as journal:
                yield journal
        except JournalError as error:
            raise CompanionError(_without_paths(error, self._path)) from error
        finally:
            # After a failed change, too: part of it may have been written.
            self._figures.clear()

    def _summaries(
        self, journal: Journal, games: Sequence[GameSummary], live: int | None, language: Language
    ) -> list[Json]:
        notes, pictures = journal.notes_on(games), self._pictures()
        return [
            {
                **self._summary(game, notes.get(game.game_id, {}), pictures),
                "live": game.game_id == live,
                "error": None if game.error is None else render(_STRANGE, language),
            }
            for game in games
        ]

    def _summary(self, game: GameSummary, notes: Mapping[str, str], pictures: AbstractSet[str]) -> Json:
        side = self.sides.get(game.game)
        return {
            "id": game.game_id,
            "game": game.game,
            "started_at": game.started_at.isoformat(),
            "last_at": game.last_at.isoformat(),
            "players": None if game.players is None else list(game.players),
            "decisions": game.decisions,
            "finished": game.finished,
            "scores": None if game.scores is None else list(game.scores),
            "winner": game.winners[0] if len(game.winners) == 1 else None,
            "colours": [] if side is None else list(side.colours(notes)),
            "pictures": bool(pictures) and side is not None and self._has_pictures(side, game.game_id, pictures),
        }

    def _has_pictures(self, side: GamePage[Any], game_id: int, pictures: AbstractSet[str]) -> bool:
        if side.archive is None or self.folder is None:
            return False
        paths = side.archive.pictures(self.folder, game_id)
        return bool(paths) and all(str(path) in pictures for path in paths)

    def _pictures(self) -> AbstractSet[str]:
        """Return the paths of all pictures of games."""
        folders = set() if self.folder is None else self._picture_folders(self.folder)
        return {entry.path for folder in folders if folder.is_dir() for entry in os.scandir(folder)}


def _changed_at(folder: Path) -> int | None:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return None


def _played(journal: Journal, live: int | None, table: str | None) -> set[int]:
    found = being_played(journal, apart_from=table)
    return found if live is None else found | {live}


def _without_paths(error: Exception, path: Path) -> str:
    """Return an error's message without paths on the disk."""
    return str(error).removeprefix(f"{path}: ").replace(str(path.parent), "the folder")


def _archived(journal: Journal, game_id: int, side: GamePage[Any]) -> ArchivedGame:
    setup, decisions = journal.setup(game_id, side.codec), journal.decisions(game_id, side.codec)
    return ArchivedGame(game_id, journal.listed(game_id).started_at, setup, decisions, journal.notes(game_id))


def _listed(journal: Journal, game_id: int) -> GameSummary:
    try:
        return journal.listed(game_id)
    except UnknownGameError as error:
        raise NoGameError.said("There is no game {game}.", game=game_id) from error


def csv_of(table: Rows) -> str:
    """Return rows as CSV (RFC 4180); values that a spreadsheet would run as formulas are escaped."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(table.heading)
    writer.writerows([safe_cell(value) for value in row] for row in table.rows)
    return stream.getvalue()


_FORMULA: Final = re.compile(r"(^|[;,\t\r\n]\s*)([=+\-@\t\r])")


def safe_cell(value: object) -> object:
    """Return a value of a CSV table, escaped if a spreadsheet would run it as a formula."""
    # With an apostrophe, spreadsheets show such a value as text. Some separate columns at semicolons or tabs instead.
    return _FORMULA.sub(r"\1'\2", value) if isinstance(value, str) else value
