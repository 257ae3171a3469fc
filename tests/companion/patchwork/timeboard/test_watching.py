"""The watch over a simulated table's time board, from the search on."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import cv2
import numpy as np

from calibration.locator import MatLocator
from calibration.mat import load_mat
from companion.config import Config
from companion.games.patchwork.decisions import Advance
from companion.journal import MemoryJournal
from companion.patchwork import timeboard as watching
from companion.patchwork.arrangement import CircleSource, with_circle_known
from companion.patchwork.timeboard import TimeBoardWatch
from companion.patchwork.watching.watch import TableWatch
from companion.play import events
from companion.play.session import AtOnce, Simulation
from companion.registry import codecs
from hardware.ports import Frame
from hardware.simulated.conditions import Conditions
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.scene.table import SimulatedTable
from tests.companion.patchwork.timeboard.boards import new_history
from tests.companion.sessions import simulate
from tests.vision.timeboard.conftest import true_place
from vision.geometry import GRID_CORNERS, FailedFit
from vision.timeboard.board import load_layout
from vision.timeboard.finding import Alikeness, FoundBoard

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pytest

    from companion.games.patchwork.rules import History
    from hardware.ports import Button
    from vision.geometry import Homography
    from vision.timeboard.board import Layout

_BETWEEN = 1


@cache
def _drawn() -> SimulatedTable:
    """Return a table that was drawn once, for copies of it."""
    table = SimulatedTable(_BETWEEN, Conditions())
    table.frame(0.0)
    return table


class Camera:
    def __init__(self) -> None:
        self.table = deepcopy(_drawn())
        self.history: History = new_history()
        self.watch = TableWatch(MatLocator(load_mat()))
        self.board = TimeBoardWatch(self.watch, self.history, AtOnce())
        self.frames = 0
        self.covered: Homography | None = None

    def see(self, count: int) -> None:
        for _ in range(count):
            self.frames += 1
            image = self.table.frame(self.frames / 2)
            if self.covered is not None:
                cv2.fillPoly(image, [np.rint(self.covered(GRID_CORNERS)).astype(np.int32)], (190, 200, 205))
            self.watch.see(Frame(image, self.frames / 2, f"{self.frames}"))
            self.board.tick(self.frames / 2)


def spaces(board: TimeBoardWatch) -> dict[int, int | None] | None:
    return None if board.standing is None else dict(board.standing)


def found_on(table: SimulatedTable) -> FoundBoard:
    """Return the search's result; the search has tests of its own and takes a second."""
    return FoundBoard(true_place(table), load_layout("even"), Alikeness(10.0, 10.0))


def test_it_is_found_and_followed_from_move_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = Camera()
    monkeypatch.setattr(watching, "find_time_board", lambda *_: found_on(camera.table))
    camera.see(5)
    assert camera.board.is_found
    assert camera.board.place is not None
    np.testing.assert_allclose(camera.board.place(GRID_CORNERS), true_place(camera.table)(GRID_CORNERS), atol=2)
    camera.see(3)
    assert spaces(camera.board) == {1: 0, 2: 0}

    camera.history.apply(Advance(1))
    camera.table.books = replace(camera.table.books, times=(2, 0))
    camera.see(1)
    assert spaces(camera.board) is None, "it has moved just now"
    camera.see(3)
    assert spaces(camera.board) == {1: 2, 2: 0}


def test_a_board_that_was_moved_far_is_looked_for_and_its_markers_are_known_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    camera, searched = Camera(), list[object]()

    def found(*asked: object) -> FoundBoard:
        searched.append([layout.name for layout in cast("Sequence[Layout]", asked[-1])])
        return found_on(camera.table)

    monkeypatch.setattr(watching, "find_time_board", found)
    camera.see(5)
    camera.history.apply(Advance(1))
    camera.table.books = replace(camera.table.books, times=(1, 0))
    camera.see(4)
    pose = camera.table.layout.time_board
    camera.table.layout = replace(camera.table.layout, time_board=pose.moved(-40, 30, 25.0))
    camera.see(3)
    assert spaces(camera.board) is None
    camera.see(7)

    assert searched == [["square", "even"], ["even"]]
    assert spaces(camera.board) == {1: 1, 2: 0}
    camera.table.books = replace(camera.table.books, times=(1, 3))
    camera.see(3)
    assert spaces(camera.board) == {1: 1, 2: 3}


def test_a_board_that_lay_under_a_rulebook_is_read_again_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    camera, searched = Camera(), list[object]()

    def found(*_: object) -> FoundBoard | FailedFit:
        searched.append(1)
        return found_on(camera.table) if len(searched) == 1 else FailedFit("it lies under a rulebook")

    monkeypatch.setattr(watching, "find_time_board", found)
    camera.see(5)
    camera.covered = true_place(camera.table)
    camera.see(12)
    assert not camera.board.is_found
    assert camera.board.place is None
    assert not camera.board.is_missing
    assert spaces(camera.board) is None
    assert len(searched) == 2

    camera.covered = None
    camera.see(4)
    assert spaces(camera.board) == {1: 0, 2: 0}
    assert camera.board.is_found


def test_a_table_without_one_is_searched_ever_more_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = list[float]()

    def found_none(*_: object) -> FailedFit:
        searches.append(camera.frames)
        return FailedFit("none")

    monkeypatch.setattr(watching, "find_time_board", found_none)
    camera = Camera()
    camera.see(6)
    for now_s in range(10, 1000, 10):
        camera.board.tick(float(now_s))

    assert not camera.board.is_found
    assert camera.board.standing is None
    assert camera.board.is_missing
    assert len(searches) == 7


class BrokenOff(BaseException):
    """The evening is broken off."""


def test_hands_free_a_player_advances_by_the_marker_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    evenings: list[SimulatedEvening] = []
    taken: list[events.DecisionTaken] = []

    def seated(*arguments: object, **options: object) -> SimulatedEvening:
        evenings.append(SimulatedEvening(*arguments, **options))  # type: ignore[arg-type]  # passed on unchanged
        evenings[-1].controls.press = pressed  # type: ignore[method-assign]  # no press is allowed
        return evenings[-1]

    def pressed(button: Button, seat: int | None = None) -> None:
        del seat
        raise AssertionError(f"{button} was pressed")

    def until_two(event: events.Event) -> None:
        taken.extend([event] if isinstance(event, events.DecisionTaken) else [])
        if len(taken) == 2:
            raise BrokenOff

    monkeypatch.setattr(watching, "find_time_board", lambda *_: found_on(evenings[-1].table))
    monkeypatch.setattr("companion.patchwork.ending.checks._IN_VAIN", 0)  # tokens have tests of their own
    monkeypatch.setattr("companion.patchwork.simulated.SimulatedEvening", seated)
    monkeypatch.setattr(
        "hardware.simulated.people.players.choose", lambda state, *_: SimpleNamespace(decision=Advance(state.mover))
    )
    config = with_circle_known(Config(), CircleSource.UNKNOWN)
    config = replace(
        config,
        reading=replace(config.reading, hands_free=True),
        table=replace(config.table, time_board="followed"),
    )
    with suppress(BrokenOff):
        simulate(config, Simulation(_BETWEEN, fast=True), MemoryJournal(codecs()), tmp_path, None, [until_two])

    assert [event.decision for event in taken] == [Advance(1), Advance(2)]
