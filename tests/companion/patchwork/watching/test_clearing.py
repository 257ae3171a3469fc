"""Test clearing the table after a game: the next one begins when both boards are empty, and no sooner."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from companion.config import Config, TableConfig
from companion.games.patchwork.components import PATCHES, placements
from companion.patchwork.watching.clearing import REST_S, BoardClearing, ClearedAway, begins_by_clearing
from companion.play.inbox import EndGame, Inbox
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.none import NoControlsDriver
from hardware.ports import Frame
from hardware.simulated.conditions import normal
from hardware.simulated.scene.placing import Hand
from hardware.simulated.scene.table import SimulatedTable, cells_of

FRAME_S = 0.5


@cache
def _drawn(mats: bool) -> SimulatedTable:
    """Return a table that was drawn once, for copies of it."""
    table = SimulatedTable(7, normal(), mats=mats)
    table.frame(0.0)
    return table


class Played:
    """A table after a game, and a camera over it."""

    def __init__(self, table: TableConfig, *, mats: bool = True) -> None:
        self.table = deepcopy(_drawn(mats))
        self.clearing, self.now_s = BoardClearing(table), 0.0

    def frames(self, seconds: float) -> list[bool]:
        return [self._frame() for _ in range(round(seconds / FRAME_S))]

    def cleared_after(self, seconds: float) -> float | None:
        """Return the seconds until the table is seen to be cleared, or None if it takes longer than `seconds`."""
        frames = range(1, round(seconds / FRAME_S) + 1)
        return next(((number - 1) * FRAME_S for number in frames if self._frame()), None)

    def _frame(self) -> bool:
        self.now_s += FRAME_S
        return self.clearing.see(Frame(self.table.frame(self.now_s), self.now_s, "frame"))

    def lay(self, seat: int, patch: str) -> None:
        self.table.lay(seat, patch, cells_of(next(iter(placements(patch)))))

    def clear(self) -> None:
        for seat in (1, 2):
            for piece in self.table.pieces(seat):
                self.table.lift(seat, piece)


@pytest.mark.parametrize("mats", [True, False])
def test_a_table_is_cleared_when_both_boards_have_been_empty_for_a_while(mats: bool) -> None:
    played = Played(TableConfig(boards="mats" if mats else "found"), mats=mats)
    played.lay(1, next(iter(PATCHES)))
    assert not any(played.frames(REST_S + 1.5)), "a patch still lies there"
    played.clear()
    took_s = played.cleared_after(2 * REST_S + 2.5)
    assert took_s is not None
    assert took_s >= REST_S - 1


def test_a_hand_over_a_board_is_waited_for() -> None:
    played = Played(TableConfig())
    pose = played.table.board_pose(2)
    for step in range(10):
        played.table.hands = (Hand(2, pose.x_mm + 15.0 * (step % 4), pose.y_mm + 20.0),)
        assert not any(played.frames(FRAME_S))
    played.table.hands = ()
    assert played.cleared_after(REST_S + 2) is not None


def test_a_finished_game_ends_when_its_boards_are_cleared_and_no_sooner() -> None:
    played, inbox = Played(TableConfig()), Inbox()
    history: Any = SimpleNamespace(state=SimpleNamespace(finished=False))
    watch: Any = SimpleNamespace(frame=None)
    away = ClearedAway(TableConfig(), watch, history, inbox)

    def frames(seconds: float) -> bool:
        for _ in range(round(seconds / FRAME_S)):
            played.now_s += FRAME_S
            watch.frame = Frame(played.table.frame(played.now_s), played.now_s, "frame")
            away.tick(played.now_s)
        return any(each.command == EndGame() for each in inbox.take())

    assert not frames(REST_S + 1.5), "the boards lie empty before the game, too"
    history.state.finished = True
    played.lay(1, next(iter(PATCHES)))
    assert not frames(REST_S + 1.5), "a patch still lies there"
    played.clear()
    assert frames(2 * REST_S + 2.5)


def test_empty_boards_begin_a_game_only_where_no_button_could() -> None:
    config = replace(Config(), controls=NoControlsDriver())
    hands_free = replace(config, reading=replace(config.reading, hands_free=True))
    assert begins_by_clearing(hands_free)
    assert not begins_by_clearing(config)
    assert not begins_by_clearing(replace(hands_free, controls=GpioDriver()))
