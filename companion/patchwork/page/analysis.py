"""The coach on the page: the analysis of a finished game, and hints in one that goes on, by processes of their own."""

import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO, Any, Final

from companion.errors import CompanionError
from companion.games.patchwork.rules import History
from companion.games.strategy import Level
from companion.languages import Language, render, said
from companion.patchwork import advice
from companion.patchwork.advice import COACH
from companion.patchwork.codec import PATCHWORK
from companion.play import coach
from companion.play.coach import Remark
from companion.play.page import ArchivedGame, Asking, Json, RefusedError
from companion.play.partner import ThinkingProcess

# Of the analyses that are kept, each some 10 kB; a further one replaces the oldest.
_KEPT: Final = 8
# The time to think about a hint, and to wait for it on a slow machine.
_HINT_S: Final = 1.0
_PATIENCE_S: Final = 30.0


@dataclass(slots=True)
class _Analysis:
    """An analysis under way, or done; its remarks are the lines of a temporary file."""

    process: "subprocess.Popen[bytes]"
    written: IO[bytes]

    def remarks(self) -> list[Remark]:
        """Return the remarks so far."""
        self.written.seek(0)
        *lines, _ = self.written.read().split(b"\n")
        return [coach.from_json(json.loads(line), PATCHWORK) for line in lines]

    @property
    def is_over(self) -> bool:
        """True once there will be no more remarks."""
        return self.process.poll() is not None

    def close(self) -> None:
        """Stop it, and forget its remarks."""
        self.process.kill()
        self.process.wait()
        self.written.close()


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
        with ExitStack() as opened:
            written = opened.enter_context(tempfile.TemporaryFile())
            process = subprocess.Popen(  # noqa: S603
                line, stdin=subprocess.DEVNULL, stdout=written, start_new_session=True
            )
            opened.pop_all()  # It is closed with the analysis.
    except OSError as error:
        raise RefusedError(500, _FAILED) from error
    # The table's pictures come first. Not all systems have priorities.
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, 10)
    return _Analysis(process, written)


_ANALYSES: Final = Analyses()


def analysis(asking: Asking[None]) -> Json:
    """Return the analysis of a finished game as far as it has come."""
    game = asking.archived(asking.numbers["game"])
    if asking.folder is None or not game.decisions or not _is_finished(game):
        raise RefusedError(404, said("Only games that were played to their end are analysed."))
    return analysis_json(game, _ANALYSES.remarks(asking.folder, game), asking.language)


def _is_finished(game: ArchivedGame) -> bool:
    history = PATCHWORK.begin(game.setup)
    for decision in game.decisions:
        history.apply(decision)
    return bool(history.state.finished)


def hint(asking: Asking[None]) -> Json:
    """Return a hint for the seat to move, as deep as the address says."""
    game = asking.archived(asking.numbers["game"])
    history = History(game.setup)
    for decision in game.decisions:
        history.apply(decision)
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
