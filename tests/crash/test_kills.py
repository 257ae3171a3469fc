"""Killed evenings are checked by their announcements: a score sheet is shown before or after the kill."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, cast

import pytest

from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs
from tests.crash.announced import LostError, sentences
from tests.crash.disk import Kind, Step
from tests.crash.kills import KilledEvenings
from tests.crash.program import Program, Run

if TYPE_CHECKING:
    from pathlib import Path

KILLED = -9
SHEET = "score              18             score              18"


class ScriptedProgram:
    """A program with prepared runs."""

    def __init__(self, home: Path) -> None:
        self.home, self.data = home, home / "data"
        self.runs: list[Run] = []

    def run(self, *_line: str, **_kill: object) -> Run:
        """Return the next run."""
        return self.runs.pop(0)


@pytest.fixture
def program(tmp_path: Path) -> ScriptedProgram:
    """A program that announced a complete game, and was then killed."""
    program, history, rng = ScriptedProgram(tmp_path), History(Setup()), random.Random(5)
    with Journal(program.data / JOURNAL_NAME, codecs()) as journal:
        game_id = journal.new_game(Setup())
        while not history.state.finished:
            decision = legal_decisions(history.state).pick(rng)
            history.apply(decision)
            journal.append(game_id, history.state.decisions_made, decision)
    program.runs.append(_killed(*sentences(program.data / JOURNAL_NAME, game_id)))
    return program


def _killed(*lines: str, says: str = "") -> Run:
    return Run(KILLED, [Step(Kind.PRINT, data=f"{line}\n".encode()) for line in lines], says)


@pytest.mark.parametrize(
    "runs_after",
    [
        [_killed(SHEET), _killed()],
        [_killed("score             −15             score              27"), _killed()],
        [_killed(SHEET, says="game 1 was finished, but its score sheet"), _killed()],
        [_killed(), _killed(says="game 1 was finished, but its score sheet")],
    ],
)
def test_a_sheet_that_any_run_has_shown_is_not_lost(program: ScriptedProgram, runs_after: list[Run]) -> None:
    program.runs += runs_after
    _play(program)


def test_a_sheet_that_no_run_has_shown_is_lost(program: ScriptedProgram) -> None:
    program.runs += [_killed(), _killed()]
    with pytest.raises(LostError, match="score sheet of game 1 was never shown"):
        _play(program)


def _play(program: ScriptedProgram) -> None:
    """Process each run; before the last one, begin the next game."""
    evenings = KilledEvenings(cast("Program", program), "patchwork", random.Random(1))
    while len(program.runs) > 1:
        evenings.kill()
    with Journal(program.data / JOURNAL_NAME, codecs()) as journal:
        journal.new_game(Setup())
    evenings.kill()
