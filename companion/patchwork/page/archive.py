"""Games of Patchwork in the journal, as the page shows and exports them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

from companion.errors import CompanionError
from companion.games.patchwork.decisions import Decision, decision_to_json
from companion.games.patchwork.rules import History, Outcome
from companion.games.patchwork.state import score
from companion.games.strategy import Level
from companion.journal import GameSummary
from companion.languages import Language, render, said
from companion.patchwork import advice
from companion.patchwork.advice import COACH
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.page.choices import turn_json
from companion.patchwork.page.snapshot import colours_of, result_json, seats_json, track_json
from companion.patchwork.statistics import (
    FinishedGame,
    course,
    patch_figures,
    player_figures,
    purchases,
    records,
    worth,
)
from companion.patchwork.watching.profiles import PICTURES, quilt_path
from companion.patchwork.words import taken_sentences
from companion.play import coach
from companion.play.coach import Remark
from companion.play.page import (
    ArchivedGame,
    ArchivePage,
    Asking,
    GameRoute,
    Json,
    Need,
    Part,
    RefusedError,
    Rows,
    rounded,
)
from companion.play.partner import ThinkingProcess

# Of the analyses that are kept, each some 10 kB; a further one replaces the oldest.
_KEPT: Final = 8
# The time to think about a hint, and to wait for it on a slow machine.
_HINT_S: Final = 1.0
_PATIENCE_S: Final = 30.0


@dataclass(slots=True)
class _Analysis:
    """An analysis under way, or done; its remarks are lines in a pipe, which breaks and ends it if this program ends.

    All remarks on a game, some 10 kB, find room in the pipe even if nobody asks for them any more.
    """

    process: "subprocess.Popen[bytes]"
    read: bytes = b""

    def remarks(self) -> list[Remark]:
        """Return the remarks so far."""
        assert self.process.stdout is not None  # noqa: S101  # It is a pipe.
        self.read += self.process.stdout.read() or b""
        *lines, _ = self.read.split(b"\n")
        return [coach.from_json(json.loads(line), PATCHWORK) for line in lines]

    @property
    def is_over(self) -> bool:
        """True once there will be no more remarks."""
        return self.process.poll() is not None

    def close(self) -> None:
        """Stop it, and forget its remarks."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None  # noqa: S101  # It is a pipe.
        self.process.stdout.close()


_FAILED: Final = said("The game could not be analysed.")


class Analyses:
    """The analyses of this process, by the journal's folder, the game and the number of its decisions."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._begun: dict[tuple[Path, int, int], _Analysis] = {}

    def remarks(self, folder: Path, game: ArchivedGame) -> list[Remark]:
        """Return the remarks on a game so far; its analysis is begun if it is not yet.

        Raises:
            RefusedError: it cannot be analysed now; the next request begins anew.
        """
        key = (folder, game.game_id, len(game.decisions))
        with self._lock:
            if key not in self._begun:
                if any(not each.is_over for each in self._begun.values()):
                    raise RefusedError(503, said("Another game is being analysed: try again in a minute."))
                self._begun[key] = _started(folder, game.game_id)
                if len(self._begun) > _KEPT:
                    self._begun.pop(next(iter(self._begun))).close()
            analysis = self._begun[key]
            # Before the remarks: those written in between are then told next time.
            is_over = analysis.is_over
            found = analysis.remarks()
            if is_over and len(found) < len(game.decisions):
                self._begun.pop(key).close()
                raise RefusedError(500, _FAILED)
            return found


def _started(folder: Path, game_id: int) -> _Analysis:
    line = [sys.executable, "-m", "companion", "games", "analyse", str(game_id), "--json", "--data", str(folder)]
    # Without memory a process cannot even be forked.
    try:
        process = subprocess.Popen(  # noqa: S603
            line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
        )
    except OSError as error:
        raise RefusedError(500, _FAILED) from error
    # The table's pictures come first. Not all systems have priorities.
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, 10)
    assert process.stdout is not None  # noqa: S101  # It is a pipe.
    os.set_blocking(process.stdout.fileno(), False)
    return _Analysis(process)


_ANALYSES: Final = Analyses()


def analysis(asking: Asking[None]) -> Json:
    """Return the analysis of a finished game as far as it has come."""
    game = asking.archived(asking.numbers["game"])
    if asking.folder is None or not game.decisions or not _replayed(game)[0].state.finished:
        raise RefusedError(404, said("Only games that were played to their end are analysed."))
    return analysis_json(game, _ANALYSES.remarks(asking.folder, game), asking.language)


def hint(asking: Asking[None]) -> Json:
    """Return a hint for the seat to move, as deep as the address says."""
    game = asking.archived(asking.numbers["game"])
    history, _ = _replayed(game)
    if history.state.finished or history.state.market is None:
        raise RefusedError(409, said("There are hints while a game goes on, and if the circle of patches is known."))
    thinking = ThinkingProcess(PATCHWORK, _HINT_S)
    try:
        best = thinking.begin(history, Level.CHAMPION).result(_PATIENCE_S)
    except (CompanionError, TimeoutError) as error:
        raise RefusedError(503, said("There is no hint now: try again.")) from error
    finally:
        thinking.close()
    says = advice.hint(history.state, best, asking.numbers["depth"])
    return {"says": render(says, asking.language), "deeper": asking.numbers["depth"] < advice.DEPTHS}


def analysis_json(game: ArchivedGame, found: list[Remark], language: Language) -> Json:
    """Return the remarks on a game: the winning chances, and once it is complete the turning points."""
    chances = [[each.number, round(100 * each.first_chance)] for each in found if each.first_chance is not None]
    shown: Json = {"done": len(found), "of": len(game.decisions), "chances": chances, "turning": [], "lost": []}
    if len(found) < len(game.decisions):
        return shown
    points = coach.explained(coach.turning_points(found), COACH, PATCHWORK, game.setup, game.decisions)
    lost: list[Any] = [round(100 * coach.mean_loss(found, seat), 1) for seat in (1, 2)]
    turning = [{"number": each.number, "seat": each.seat, "says": render(says, language)} for each, says in points]
    return {**shown, "turning": turning, "lost": lost}


_PLAYER_COLUMNS: Final = ("name", "games", "won", "best", "mean", "income", "empty", "patches", "bonuses", "streak")
_PATCH_COLUMNS: Final = ("patch", "bought", "won", "space", "worth", "worth_a_space")


def statistics_json(games: Sequence[FinishedGame]) -> Json:
    """Return the statistics of all finished games: scores, players, records, and the patches."""
    return {
        "games": [_result(game) for game in games],
        "players": rounded(player_figures(games)),
        "patches": rounded(patch_figures(games)),
        "records": [asdict(each) for each in records(games)],
    }


def parts(games: Iterable[FinishedGame]) -> Iterator[Part]:
    """Yield all players' parts in all finished games."""
    for game in games:
        for seat, (name, stood) in enumerate(zip(game.players, game.standings, strict=True), start=1):
            yield Part(name, stood.score, game.winner == seat)


def pictures(folder: Path, game_id: int) -> tuple[Path, ...]:
    """Return the paths of the pictures of both finished quilts; `folder` is the journal's."""
    return tuple(_quilt(folder, game_id, seat) for seat in (1, 2))


def _quilt(folder: Path, game_id: int, seat: int) -> Path:
    return quilt_path(folder / PICTURES, game_id, seat)


def _result(game: FinishedGame) -> Json:
    return {
        "id": game.game_id,
        "started_at": game.started_at.isoformat(),
        "players": list(game.players),
        "scores": [seat.score for seat in game.standings],
        "winner": game.winner,
    }


def course_json(archived: ArchivedGame) -> Json:
    """Return the course of a game: both seats after each decision, and the worth of each purchase."""
    setup, decisions = archived.setup, archived.decisions
    stood = course(setup, decisions)
    return {
        "players": list(setup.players),
        "income_marks": list(setup.track.income),
        "seats": [[asdict(pair[index]) for pair in stood] for index in (0, 1)],
        "purchases": [{**asdict(purchase), "worth": worth(purchase)} for purchase in purchases(setup, decisions)],
    }


def _patches_csv(asking: Asking[None]) -> Rows:
    rows = (tuple(each[key] for key in _PATCH_COLUMNS) for each in asking.figures()["patches"])
    return Rows(_PATCH_COLUMNS, tuple(rows), "patches.csv")


def _course(asking: Asking[None]) -> Json:
    return course_json(asking.archived(asking.numbers["game"]))


def _quilt_picture(asking: Asking[None]) -> Path:
    """Return the file of a finished quilt as the camera saw it, seen straight on."""
    path = asking.folder and _quilt(asking.folder, asking.numbers["game"], asking.numbers["seat"])
    if path is None or not path.is_file():
        raise RefusedError(404, said("No picture of this quilt is stored."))
    return path


ROUTES: Final[tuple[GameRoute[Any], ...]] = (
    GameRoute("/api/patches.csv", _patches_csv, costly=True),
    GameRoute("/api/games/{game:number}/course", _course, costly=True),
    GameRoute("/api/games/{game:number}/analysis", analysis, need=Need.TOUCH),
    GameRoute("/api/games/{game:number}/hint/{depth:number}", hint, need=Need.TOUCH),
    GameRoute("/api/games/{game:number}/quilts/{seat:number}.jpg", _quilt_picture, need=Need.CAMERA),
)


def details(archived: ArchivedGame, language: Language) -> Json:
    """Return what a game's summary lacks: its set-up, its decisions and its result."""
    history, outcomes = _replayed(archived)
    setup = history.setup
    return {
        "edition": setup.edition.value,
        "rules": setup.rules.value,
        "first_seat": setup.first_seat,
        "market_known": setup.market is not None,
        "result": result_json(history.state, language),
        "decisions_list": _decisions_json(outcomes, language),
    }


def replay(archived: ArchivedGame, desk: object, language: Language) -> Json:
    """Return the states of a game: the start, and the one after each decision."""
    del desk
    history, colours = History(archived.setup), colours_of(archived.notes)
    states = [_frame(history, (), language, colours)]
    for decision in archived.decisions:
        outcome = history.apply(decision)
        states.append(_frame(history, taken_sentences(outcome.facts, outcome.state), language, colours))
    return {"states": states}


def decisions_rows(archived: ArchivedGame) -> Rows:
    """Return a game's decisions, one row each, with the standing of both seats after it."""
    _, outcomes = _replayed(archived)
    rows = (_row(number, decision, outcome) for number, (decision, outcome) in enumerate(outcomes, start=1))
    standing = (f"{what}_{seat}" for seat in (1, 2) for what in ("buttons", "income", "time", "empty", "score"))
    return Rows(("number", "seat", "player", "move", "patch", "cells", *standing), tuple(rows))


def games_rows(listed: Iterable[GameSummary], finished: Sequence[FinishedGame]) -> Rows:
    """Return all games, one row each."""
    del finished
    heading = ("id", "started_at", "player_1", "player_2", "score_1", "score_2", "winner", "decisions")
    return Rows(heading, tuple(map(_listed, listed)))


def _listed(game: GameSummary) -> tuple[Any, ...]:
    winner = game.winners[0] if len(game.winners) == 1 else ""
    players, scores = game.players or ("", ""), game.scores or ("", "")
    return (game.game_id, game.started_at.isoformat(), *players, *scores, winner, game.decisions)


def _replayed(archived: ArchivedGame) -> tuple[History, list[tuple[Decision, Outcome]]]:
    history = History(archived.setup)
    return history, [(decision, history.apply(decision)) for decision in archived.decisions]


def _decisions_json(outcomes: list[tuple[Decision, Outcome]], language: Language) -> list[Json]:
    return [
        {
            "number": number,
            "patch": None,
            "cells": [],
            **decision_to_json(decision),
            "says": [render(says, language) for says in taken_sentences(outcome.facts, outcome.state)],
        }
        for number, (decision, outcome) in enumerate(outcomes, start=1)
    ]


def _frame(history: History, says: tuple[str, ...], language: Language, colours: tuple[str, str]) -> Json:
    made = len(history.decisions)
    return {
        "number": made,
        "seats": seats_json(history.state, history.decisions, made or None, colours),
        "track": track_json(history.state),
        "turn": turn_json(history.state, language),
        "says": [render(each, language) for each in says],
    }


def _row(number: int, decision: Decision, outcome: Outcome) -> tuple[Any, ...]:
    line, state = decision_to_json(decision), outcome.state
    move = (line["move"], line.get("patch", ""), " ".join(line.get("cells", [])))
    standing = (
        value for seat in state.seats for value in (seat.buttons, seat.income, seat.time, seat.empty, score(seat))
    )
    return (number, decision.seat, state.name_of(decision.seat), *move, *standing)


ARCHIVE: Final = ArchivePage(
    details=details,
    replay=replay,
    decisions_rows=decisions_rows,
    games_rows=games_rows,
    statistics=statistics_json,
    parts=parts,
    player_columns=_PLAYER_COLUMNS,
    pictures=pictures,
)
"""The stored games of Patchwork on the page."""
