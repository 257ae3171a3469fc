from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, cast

import pytest

from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.watching.opening import BoardsNotice
from companion.patchwork.watching.tracking import Displacement

if TYPE_CHECKING:
    from calibration.boards import FoundLocator
    from companion.patchwork.watching.watch import TableWatch


class Table:
    """A fake watch and locator."""

    def __init__(self, found_count: int = 0) -> None:
        self.found_count, self.ready, self.relied_upon = found_count, False, False
        self.displacements: deque[Displacement] = deque()


class Evening:
    """A lookout with the time and text of each sentence that it said."""

    def __init__(self, table: Table) -> None:
        self.table, self.said, self.now_s = table, list[tuple[float, str]](), 100.0
        history = History(Setup(players=("Anna", "Boris")))
        self.lookout = BoardsNotice(cast("TableWatch", table), cast("FoundLocator", table), history, self._record)

    def _record(self, sentence: str) -> None:
        self.said.append((self.now_s, sentence))

    def last(self, seconds: int) -> list[str]:
        """Advance the time and return what was said."""
        before = len(self.said)
        for _ in range(seconds):
            self.lookout.tick(self.now_s)
            self.now_s += 1.0
        return [says for _, says in self.said[before:]]


@pytest.mark.parametrize(
    ("found_count", "says"),
    [(0, "No empty quilt board is seen."), (1, "Only one empty quilt board is seen."), (2, "are not still")],
)
def test_missing_boards_are_reported_after_a_while_and_seldom_repeated(found_count: int, says: str) -> None:
    evening = Evening(Table(found_count))
    assert evening.last(8) == []
    (said,) = evening.last(50)
    assert says in said
    assert evening.last(60) == [said]


def test_a_change_is_said_at_once_and_that_all_is_well() -> None:
    evening = Evening(Table(0))
    evening.last(10)
    evening.table.found_count = 1
    (said,) = evening.last(2)
    assert said.startswith("Only one")
    evening.table.ready = True
    assert evening.last(20) == ["Both quilt boards are seen."]


def test_boards_that_are_seen_in_time_need_no_word() -> None:
    evening = Evening(Table(2))
    evening.last(5)
    evening.table.ready = True
    assert evening.last(100) == []
    assert not evening.said


def test_a_board_that_is_not_where_it_lay_when_a_game_was_cut_off_is_named() -> None:
    table = Table(0)
    table.relied_upon, table.displacements = True, deque([Displacement(2, None)])
    (said,) = Evening(table).last(100)
    assert said.startswith("Boris’s quilt board is covered, or was moved too far")
