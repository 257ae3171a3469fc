"""The games in the journal, as the page shows and exports them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from companion.bootstrap.arrangement import colours_in
from companion.bootstrap.finale import PICTURES, quilt_path
from companion.games.patchwork import History, decision_to_json, score
from companion.journal import Journal, JournalError, Status, UnknownGameError, Wanted
from companion.languages import ENGLISH, said, tell
from companion.palette import USUAL, page_colours
from companion.record import KVILT, PATCHWORK, record_lines
from companion.sentences import taken_sentences
from companion.statistics import PlayedGame
from companion.web.choices import turn_json
from companion.web.kviltarchive import (
    kvilt_details,
    kvilt_games_rows,
    kvilt_replay,
    kvilt_rows,
)
from companion.web.seats import seats_json, track_json
from companion.web.snapshot import result_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.games.patchwork import Decision, Outcome, Setup
    from companion.journal import GameSummary
    from companion.languages import Language
    from companion.statistics import FinishedGame, KviltGame
    from companion.web.jsontype import Json


class NoGameError(Exception):
    """There is no such game, or it cannot be read; the message is a sentence."""


class Archive:
    """Reads the journal; every call opens it anew, so that any thread may ask.

    Args:
        path: the journal's file; None where nothing is kept.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._figures: dict[str, tuple[tuple[int, int], Json]] = {}

    def games(self, live: int | None = None, language: Language = ENGLISH) -> list[Json]:
        """All games in which something was decided, the newest first, told in a language; `live` is on the table.

        Raises:
            NoGameError: the journal cannot be read.
        """
        if self._path is None or not self._path.exists():
            return []
        with self._journal() as journal:
            games = journal.find(Wanted(decided=True, also=live))
            return [self._summary(journal, game, live, language) for game in games]

    def games_before(
        self, before: int | None, limit: int, live: int | None = None, language: Language = ENGLISH
    ) -> tuple[list[Json], bool]:
        """Some of these games, told in a language, and whether there are more.

        Args:
            before: only games with lower numbers; None for the newest.
            limit: no more than so many.
            live: the number of the game on the table.
            language: of whoever reads it.

        Raises:
            NoGameError: the journal cannot be read.
        """
        if self._path is None or not self._path.exists():
            return [], False
        with self._journal() as journal:
            games = journal.find(Wanted(decided=True, also=live, before=before, limit=limit + 1))
            return [self._summary(journal, game, live, language) for game in games[:limit]], len(games) > limit

    def game(self, game_id: int, live: int | None = None, language: Language = ENGLISH) -> Json:
        """One game with its decisions, told in a language.

        Raises:
            NoGameError: it is not there, or cannot be replayed.
        """
        with self._journal() as journal:
            summary = self._summary(journal, _listed(journal, game_id), live, language)
            if summary["game"] == KVILT.name:
                return {**summary, **kvilt_details(journal, game_id, language)}
            history, outcomes = _replayed(journal.setup(game_id), journal.decisions(game_id))
        setup = history.setup
        return {
            **summary,
            "edition": setup.edition.value,
            "rules": setup.rules.value,
            "first_seat": setup.first_seat,
            "market_known": setup.market is not None,
            "result": result_json(history.state, language),
            "decisions_list": _told(outcomes, language),
        }

    def replay(self, game_id: int, language: Language = ENGLISH) -> Json:
        """Which game it was, and its states, told in a language: the start, and the one after each decision.

        Raises:
            NoGameError: it is not there, or cannot be replayed.
        """
        with self._journal() as journal:
            if journal.game(game_id).name == KVILT.name:
                return kvilt_replay(journal, game_id, language)
            setup, decisions, colours = journal.setup(game_id), journal.decisions(game_id), _colours(journal, game_id)
        history = History(setup)
        states = [_frame(history, (), language, colours)]
        for decision in decisions:
            outcome = history.apply(decision)
            states.append(_frame(history, taken_sentences(outcome.facts, outcome.state), language, colours))
        return {"game": PATCHWORK.name, "states": states}

    def under_way(self, table: str) -> list[Json]:
        """The games at a table that can be gone on with, the one that was changed last first.

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
                for game in journal.find(Wanted(table, status=Status.UNFINISHED, decided=True, by_change=True))
            ]

    def names(self) -> list[str]:
        """Who has played, whoever played last first.

        Raises:
            NoGameError: the journal cannot be read.
        """
        with self._journal() as journal:
            return list(journal.players())

    def colours(self, game_id: int) -> tuple[str, str]:
        """The players' colours in a game, as a page writes them."""
        try:
            with self._journal() as journal:
                return _colours(journal, game_id)
        except (NoGameError, JournalError):
            return page_colours(USUAL)

    def record(self, game_id: int) -> str:
        """A game as a game record.

        Raises:
            NoGameError: it is not there.
        """
        with self._journal() as journal:
            game = journal.game(game_id)
            setup, decisions = journal.setup(game_id, game), journal.decisions(game_id, game)
        return "".join(f"{line}\n" for line in record_lines(setup, decisions, game))

    def decisions_csv(self, game_id: int) -> str:
        """A game's decisions as a table, one row each, with how all seats stood after it.

        Raises:
            NoGameError: it is not there, or cannot be replayed.
        """
        with self._journal() as journal:
            if journal.game(game_id).name == KVILT.name:
                return table_csv(*kvilt_rows(journal, game_id))
            _, outcomes = _replayed(journal.setup(game_id), journal.decisions(game_id))
        rows = [_row(number, decision, outcome) for number, (decision, outcome) in enumerate(outcomes, start=1)]
        standing = [f"{what}_{seat}" for seat in (1, 2) for what in ("buttons", "income", "time", "empty", "score")]
        return table_csv(["number", "seat", "player", "move", "patch", "cells", *standing], rows)

    def games_csv(self, game: str = PATCHWORK.name) -> str:
        """All games of Patchwork, or the finished ones of Kvilt, as a table, one row each.

        Raises:
            NoGameError: the journal cannot be read.
        """
        if game == KVILT.name:
            return table_csv(*kvilt_games_rows(self.kvilt_played()))
        rows = []
        for known in self.games():
            if known["game"] != PATCHWORK.name:
                continue  # Another number of players has no room in these columns.
            players, scores = known["players"] or ["", ""], known["scores"] or ["", ""]
            rows.append(
                [known["id"], known["started_at"], *players, *scores, known["winner"] or "", known["decisions"]]
            )
        heading = ["id", "started_at", "player_1", "player_2", "score_1", "score_2", "winner", "decisions"]
        return table_csv(heading, rows)

    def played(self) -> Sequence[FinishedGame]:
        """The finished games of Patchwork, in the order in which they were begun.

        Raises:
            NoGameError: the journal cannot be read.
        """
        if self._path is None or not self._path.exists():
            return []
        with self._journal() as journal:
            return journal.figures(PATCHWORK)

    def kvilt_played(self) -> Sequence[KviltGame]:
        """The finished games of Kvilt, in the order in which they were begun.

        Raises:
            NoGameError: the journal cannot be read.
        """
        if self._path is None or not self._path.exists():
            return []
        with self._journal() as journal:
            return journal.figures(KVILT)

    def figures(self, name: str, reckon: Callable[[], Json]) -> Json:
        """Figures over all finished games, reckoned anew only once another game has ended.

        Args:
            name: what they are remembered by.
            reckon: makes them of what `played` and `kvilt_played` give.

        Raises:
            NoGameError: the journal cannot be read.
        """
        mark = self._mark()
        known = self._figures.get(name)
        if mark is not None and known is not None and known[0] == mark:
            return known[1]
        figures = reckon()
        if mark is not None:
            self._figures[name] = mark, figures
        return figures

    def _mark(self) -> tuple[int, int] | None:
        if self._path is None or not self._path.exists():
            return None
        with self._journal() as journal:
            return journal.finished_mark()

    def one(self, game_id: int) -> PlayedGame:
        """A game, finished or not.

        Raises:
            NoGameError: it is not there.
        """
        with self._journal() as journal:
            stored = journal.stored(game_id)
            return PlayedGame(game_id, stored.started_at, journal.setup(game_id), journal.decisions(game_id))

    def quilt_path(self, game_id: int, seat: int) -> Path | None:
        """The picture of a finished quilt; None where none is kept."""
        if self._path is None:
            return None
        path = quilt_path(self._path.parent / PICTURES, game_id, seat)
        return path if path.is_file() else None

    @contextmanager
    def _journal(self) -> Iterator[Journal]:
        if self._path is None:
            raise NoGameError(said("No games are kept."))
        try:
            with Journal(self._path, read_only=True) as journal:
                yield journal
        except JournalError as error:
            raise NoGameError(_unplaced(error, self._path)) from error

    def _summary(self, journal: Journal, game: GameSummary, live: int | None, language: Language) -> Json:
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
            "live": game.game_id == live,
            "colours": list(_colours(journal, game.game_id)),
            "pictures": all(self.quilt_path(game.game_id, seat) is not None for seat in (1, 2)),
            "error": None if game.error is None else tell(said("This game cannot be replayed."), language),
        }


def _unplaced(error: Exception, path: Path) -> str:
    """What is wrong, without where on the disk."""
    return str(error).removeprefix(f"{path}: ").replace(str(path.parent), "the folder")


def _replayed(setup: Setup, decisions: tuple[Decision, ...]) -> tuple[History, list[tuple[Decision, Outcome]]]:
    history = History(setup)
    return history, [(decision, history.apply(decision)) for decision in decisions]


def _told(outcomes: list[tuple[Decision, Outcome]], language: Language) -> list[Json]:
    return [
        {
            "number": number,
            "patch": None,
            "cells": [],
            **decision_to_json(decision),
            "says": [tell(says, language) for says in taken_sentences(outcome.facts, outcome.state)],
        }
        for number, (decision, outcome) in enumerate(outcomes, start=1)
    ]


def _listed(journal: Journal, game_id: int) -> GameSummary:
    try:
        return journal.listed(game_id)
    except UnknownGameError as error:
        raise NoGameError(said("There is no game {game}.", game=game_id)) from error


def _colours(journal: Journal, game_id: int) -> tuple[str, str]:
    return page_colours(colours_in(journal.notes(game_id)) or USUAL)


def _frame(history: History, says: tuple[str, ...], language: Language, colours: tuple[str, str]) -> Json:
    made = len(history.decisions)
    return {
        "number": made,
        "seats": seats_json(history.state, history.decisions, made or None, colours),
        "track": track_json(history.state),
        "turn": turn_json(history.state, language),
        "says": [tell(each, language) for each in says],
    }


def _row(number: int, decision: Decision, outcome: Outcome) -> list[Any]:
    line, state = decision_to_json(decision), outcome.state
    move = [line["move"], line.get("patch", ""), " ".join(line.get("cells", []))]
    standing = [
        value for seat in state.seats for value in (seat.buttons, seat.income, seat.time, seat.empty, score(seat))
    ]
    return [number, decision.seat, state.setup.players[decision.seat - 1], *move, *standing]


def table_csv(heading: list[str], rows: list[list[Any]]) -> str:
    """Commas and quotes as RFC 4180 has them; what a spreadsheet would take for a formula is made text."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(heading)
    writer.writerows([_harmless(value) for value in row] for row in rows)
    return stream.getvalue()


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
