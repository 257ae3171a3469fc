"""Test that the cost of a list of games depends on what it shows, not on the number of games."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from companion.journal import GameFilter, Journal, Status
from companion.journal.summed import select_games
from companion.registry import codecs

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "wanted",
    [
        GameFilter("table", None, Status.UNFINISHED, by_change=True),
        GameFilter("table", None, by_change=True, limit=1),
        GameFilter("table", "patchwork", by_change=True, limit=10),
        GameFilter(by_change=True, limit=1),
        GameFilter(decided=True, before=900, limit=50),
    ],
)
def test_the_last_games_are_found_without_sorting_all(tmp_path: Path, wanted: GameFilter) -> None:
    Journal(tmp_path / "games.db", codecs()).close()
    query, values = select_games(wanted)
    with sqlite3.connect(tmp_path / "games.db") as connection:
        plan = [step for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {query}", values)]
    connection.close()
    assert plan
    assert not [step for step in plan if "TEMP B-TREE" in step]
