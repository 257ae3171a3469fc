"""Test the host between clients that request games and the loop that plays them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.calibrating.configured import calibration_path, with_own_calibration
from companion.config import Config, TableConfig
from companion.errors import CompanionError
from companion.games.patchwork.decisions import Advance, PlaceLeather
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import MemoryJournal
from companion.patchwork.arrangement import CircleSource, PatchworkArrangement, circle_of
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.game import PATCHWORK as GAME
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.watching.profiles import ProfileGoneError
from companion.play.arrangement import ArrangementError
from companion.play.host import Host, interrupted_game
from companion.play.inbox import CommandRefusedError, Inbox, TableAwayError
from companion.play.loop import TableParts, TurnLoop
from companion.registry import codecs, games
from hardware.ports import EndOfFramesError, Frame, Press

if TYPE_CHECKING:
    from pathlib import Path

    from companion.play.host import NextGame

CLARA = PatchworkArrangement(("Clara", "Dmitri"), ("blue", "rose"))
SETUP = Setup(players=("Anna", "Boris"))


class Camera:
    """A camera of a few frames."""

    left = 3

    def capture(self) -> Frame:
        if not self.left:
            raise EndOfFramesError("no more")
        self.left -= 1
        return Frame(np.zeros((2, 2, 3), np.uint8), 3.0 - self.left, "frame.jpg")

    def presses(self) -> tuple[()]:
        return ()

    def close(self) -> None: ...


class Idle(TurnLoop[object, object]):
    """A turn loop at a table where nobody plays."""

    def _see(self, frame: Frame) -> None: ...

    def _try_look(self, frame: Frame) -> None: ...

    def _press(self, press: Press) -> None: ...

    def _execute(self, command: object, *, may_wait: bool) -> bool:
        raise NotImplementedError


class Room:
    """A host, and a loop that a test steps through."""

    def __init__(self, *, by_hand: bool = False) -> None:
        self.book = MemoryJournal(codecs())
        self.host = Host(Config(), "table", GAME, games(), by_hand=by_hand)
        self.game_id = self.play(SETUP)

    def play(self, setup: Setup, game_id: int | None = None) -> int:
        self.game_id = game_id or self.book.new_game(setup, "table")
        self.history = History(setup)
        for decision in self.book.decisions(self.game_id, PATCHWORK):
            self.history.apply(decision)
        self.inbox = Inbox()
        self.host.opened(GAME, self.game_id, self.history, self.inbox)
        return self.game_id

    def decide(self) -> None:
        state = self.history.state
        mover, quilt = state.turn or 0, state.seat(state.turn or 1).quilt
        free = ~quilt & (quilt + 1)
        decision = PlaceLeather(mover, free) if state.leather_due else Advance(mover)
        self.history.apply(decision)
        self.book.append(self.game_id, len(self.history.decisions), decision)

    def frame(self) -> bool:
        """Go through some frames of the game; return whether it was left for another one."""
        camera = Camera()
        Idle(
            TableParts(
                camera=camera, controls=camera, book=self.book, game_id=self.game_id, history=self.history,
                inbox=self.inbox,
            )
        ).run()  # fmt: skip
        return camera.left > 0

    def next(self) -> NextGame:
        sitting = self.host.next(self.book)
        assert sitting is not None
        return sitting


def test_a_game_that_is_wished_for_takes_the_place_of_one_in_which_nothing_happened() -> None:
    room = Room()
    assert not room.frame()
    wish = room.host.begin(CLARA)
    assert room.host.has_request
    assert room.frame()
    sitting = room.next()
    assert (sitting.game, sitting.config.of(PatchworkSettings).players, sitting.game_id) == (
        GAME,
        ("Clara", "Dmitri"),
        None,
    )
    assert circle_of(sitting.config) is CircleSource.UNKNOWN
    assert not wish.done()
    room.play(sitting.config.of(PatchworkSettings).setup())
    assert wish.done()
    assert wish.result() is None
    assert room.host.arrangement(GAME.name) == CLARA
    assert not room.host.has_request


def test_a_game_under_way_is_left_only_where_that_is_said_and_does_not_come_back_by_itself() -> None:
    room = Room()
    room.decide()
    refused = room.host.begin(CLARA)
    assert not room.frame()
    with pytest.raises(CommandRefusedError, match="is in progress"):
        refused.result(0)

    room.host.begin(CLARA, leaves=True)
    assert room.frame()
    room.play(room.next().config.of(PatchworkSettings).setup())
    assert interrupted_game(room.book, "table", GAME.name) is not None
    room.book.note(room.game_id, "left", "yes")
    assert interrupted_game(room.book, "table", GAME.name) is None


def test_an_earlier_game_is_gone_on_with_and_is_no_longer_left() -> None:
    room = Room()
    first = room.game_id
    room.decide()
    room.host.begin(CLARA, leaves=True)
    room.play(room.next().config.of(PatchworkSettings).setup())
    wish = room.host.resume(first)
    assert room.frame()
    sitting = room.next()
    assert sitting.game_id == first
    room.play(SETUP, sitting.game_id)
    assert wish.done()
    assert room.book.notes(first)["left"] == ""
    game = interrupted_game(room.book, "table", GAME.name)
    assert game is not None
    assert game.game_id == first


def test_the_same_game_can_be_opened_anew_before_its_first_move() -> None:
    room = Room()
    room.host.begin(replace(CLARA, circle=CircleSource.SEEN))
    first = room.next()
    room.play(first.config.of(PatchworkSettings).setup())
    room.host.reopen()
    assert room.frame()
    assert room.next() == replace(first, game_id=room.game_id, is_again=True)
    assert "left" not in room.book.notes(room.game_id)


def test_after_a_game_s_end_another_needs_no_leave() -> None:
    room = Room()
    while not room.history.state.finished:
        room.decide()
    room.host.begin(CLARA)
    assert room.frame()


def test_a_game_that_cannot_be_played_is_refused_and_the_one_before_goes_on() -> None:
    room = Room()
    first = room.game_id
    wish = room.host.resume(first + 7)
    with pytest.raises(CompanionError):
        room.host.next(room.book) or wish.result(0)

    other = room.book.new_game(SETUP, "table")
    wish = room.host.resume(other)
    room.next()
    before = room.host.report_failure(
        ProfileGoneError("/home/pi/profiles/4.npz: is missing; start again with --new"), room.book
    )
    assert before is not None
    assert before.game_id == first
    assert room.book.notes(first)["left"] == "", "it is on the table again"
    with pytest.raises(CommandRefusedError, match="no longer knows how its empty boards looked"):
        wish.result(0)
    assert room.host.report_failure(CompanionError("of itself"), room.book) is None


def test_one_wish_at_a_time_and_none_after_the_evening() -> None:
    room = Room()
    waiting = room.host.begin(CLARA)
    with pytest.raises(TableAwayError, match="being set up"):
        room.host.begin(CLARA).result(0)
    room.host.close()
    room.host.close()
    for wish in (waiting, room.host.begin(CLARA), room.host.resume(1)):
        with pytest.raises(TableAwayError, match="Play has ended"):
            wish.result(0)
    assert room.host.next(room.book, None) is None


def test_a_game_that_is_being_opened_when_the_evening_ends_is_refused_once() -> None:
    room = Room()
    wish = room.host.begin(CLARA)
    room.next()
    room.host.close()
    room.host.close()
    with pytest.raises(TableAwayError, match="Play has ended"):
        wish.result(0)


def test_a_wish_that_nobody_waits_for_any_more_does_no_harm() -> None:
    room = Room()
    room.host.begin(CLARA).cancel()
    room.play(room.next().config.of(PatchworkSettings).setup())


def test_a_circle_that_cannot_be_is_refused_at_once() -> None:
    wrong = replace(CLARA, circle=CircleSource.DEALT, market=("domino",))
    with pytest.raises(ArrangementError):
        Room().host.begin(wrong)


def test_on_the_virtual_table_a_circle_lies_in_any_case() -> None:
    room = Room(by_hand=True)
    room.host.begin(CLARA)
    assert room.next().config.of(PatchworkSettings).market is not None


def test_a_table_s_own_calibration_counts_where_mats_lie_and_none_is_named(tmp_path: Path) -> None:
    path = calibration_path(tmp_path, "virtual 1/2")
    assert path == tmp_path / "calibrations" / "virtual 1%2F2.toml"
    assert with_own_calibration(Config(), path) == Config()
    path.parent.mkdir()
    path.touch()
    assert with_own_calibration(Config(), path).table.calibration == path
    found = replace(Config(), table=TableConfig("found"))
    named = replace(Config(), table=TableConfig(calibration=tmp_path / "other.toml"))
    assert with_own_calibration(found, path) == found
    assert with_own_calibration(named, path) == named


def test_a_calibration_counts_from_the_next_game_on_or_at_once(tmp_path: Path) -> None:
    room = Room()
    assert room.host.apply_calibration() is None
    room.host = Host(Config(), "table", GAME, games(), by_hand=False, calibration=tmp_path / "table.toml")
    assert room.host.apply_calibration() is None
    assert room.host.config.table.calibration == tmp_path / "table.toml"
    room.play(SETUP)
    room.frame()
    opened = room.host.apply_calibration()
    assert opened is not None
    again = room.next()
    assert (again.config.table.calibration, again.is_again) == (tmp_path / "table.toml", True)
    room.play(SETUP)
    room.decide()
    room.frame()
    assert room.host.apply_calibration() is None
