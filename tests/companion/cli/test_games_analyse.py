"""Test `companion games analyse`."""

import json
import random
from pathlib import Path

import pytest

from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.games.patchwork.strategy import analysis
from companion.games.patchwork.strategy.choice import choose
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs
from tests.companion.cli.conftest import Run

CIRCLE = (*(patch for patch in PATCHES if patch != SMALLEST_PATCH), SMALLEST_PATCH)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a finished game (1) and one that goes on (2)."""
    monkeypatch.setattr(analysis, "_VISITS", 30)
    monkeypatch.setattr(analysis, "_VISITS_AFTER", 20)
    history, rng = History(Setup(players=("Anna", "Boris"), market=CIRCLE)), random.Random(5)
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        journal.new_game(history.setup)
        journal.new_game(history.setup)
        while not history.state.finished:
            history.apply(choose(history.state, rng.gauss, 0.4).decision)
            journal.append(1, len(history.decisions), history.decisions[-1])
    return tmp_path


def test_the_turning_points_and_each_player_s_losses_are_told(run: Run, folder: Path) -> None:
    status, out, err = run("games", "analyse", 1, "--data", folder)
    *points, anna, boris = out.splitlines()
    assert (status, err) == (0, "")
    assert points
    assert all("better: " in each for each in points)
    assert anna.startswith("Anna lost ")
    assert boris.startswith("Boris lost ")


def test_programs_get_a_line_for_each_decision(run: Run, folder: Path) -> None:
    status, out, _ = run("games", "analyse", 1, "--data", folder, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [line["number"] for line in lines] == [*range(1, len(lines) + 1)]
    assert all(0 <= line["chance"] <= line["best_chance"] <= 1 for line in lines)


@pytest.mark.parametrize("game", [2, 3])
def test_a_game_that_goes_on_or_is_not_there_is_refused(run: Run, folder: Path, game: int) -> None:
    status, out, err = run("games", "analyse", game, "--data", folder)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
