"""The hint that buttons in hand and books differ at a game's end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from companion.games.patchwork import Advance, History, PlaceLeather, Setup
from companion.patchwork.buttons.ending import ButtonCheck
from companion.patchwork.photograph.hands import SeenHand
from companion.play.at_once import AtOnce
from hardware.ports import Frame

if TYPE_CHECKING:
    from companion.patchwork.reading.watch import TableWatch


def finished_history() -> History:
    """Return a game of advances alone; leather is laid on the next free cell."""
    history, laid = History(Setup(players=("Anna", "Boris"))), {1: 0, 2: 0}
    while not history.state.finished:
        seat = history.state.mover
        if history.state.leather_due:
            history.apply(PlaceLeather(seat, 1 << laid[seat]))
            laid[seat] += 1
        else:
            history.apply(Advance(seat))
    return history


@dataclass
class RestingTable:
    """Stands in for `TableWatch`."""

    ready: bool = True
    at_rest: bool = True
    frame: Frame = field(default_factory=lambda: Frame(np.zeros((2, 2, 3), np.uint8), 0.0, ""))
    places: dict[int, None] = field(default_factory=lambda: {1: None, 2: None})

    def settled(self, _seat: int) -> bool:
        return self.at_rest


class Ended:
    """A game that has ended, and what lies before its players by the next looks."""

    def __init__(self) -> None:
        self.history, self.table, self.said = finished_history(), RestingTable(), list[str]()
        self.booked = {seat: self.history.state.seat(seat).buttons for seat in (1, 2)}
        self.seen: dict[int, int] = dict(self.booked)
        self.doubts: tuple[str, ...] = ()
        self.looks, self.now_s = 0, 0.0
        watch = cast("TableWatch", self.table)
        self.check = ButtonCheck(watch, self.history, AtOnce(), self.said.append, self._count)

    def _count(self, *_: object) -> dict[int, SeenHand]:
        self.looks += 1
        return {seat: SeenHand(seat, {1: value}, self.doubts) for seat, value in self.seen.items()}

    def wait(self, seconds: float) -> list[str]:
        """Let time pass, and return what was said in it."""
        said = len(self.said)
        for _ in range(round(seconds)):
            self.now_s += 1.0
            self.check.tick(self.now_s)
        return self.said[said:]


@pytest.fixture
def ended() -> Ended:
    return Ended()


def test_a_difference_is_told_once_after_two_looks(ended: Ended) -> None:
    ended.seen[1] -= 1
    assert ended.wait(15) == []
    name, booked = "Anna", ended.booked[1]
    says = f"{name} has {booked} by the books; buttons worth {booked - 1} lie in view. Please count them."
    assert ended.wait(200) == [says]


def test_what_agrees_is_not_told_and_looking_ends(ended: Ended) -> None:
    assert ended.wait(300) == []
    assert ended.looks == 6


def test_a_count_that_is_not_sure_is_not_told(ended: Ended) -> None:
    ended.seen[2] += 5
    ended.doubts = ("stacked",)
    assert ended.wait(200) == []


def test_two_looks_that_differ_tell_nothing(ended: Ended) -> None:
    ended.seen[1] -= 1
    ended.wait(15)
    ended.seen[1] = ended.booked[1]
    assert ended.wait(200) == []


def test_nothing_is_counted_while_hands_are_over_the_table(ended: Ended) -> None:
    ended.table.at_rest = False
    ended.wait(60)
    assert ended.looks == 0
    ended.table.at_rest = True
    ended.wait(5)
    assert ended.looks == 1


def test_a_decision_that_is_taken_back_begins_the_check_anew(ended: Ended) -> None:
    ended.seen[1] -= 1
    ended.wait(100)
    undone = ended.history.undo()
    assert ended.wait(30) == []
    ended.history.apply(undone)
    assert len(ended.wait(100)) == 1


def test_a_look_that_fails_ends_the_check(ended: Ended, caplog: pytest.LogCaptureFixture) -> None:
    ended.seen = cast("dict[int, int]", None)
    assert ended.wait(100) == []
    assert ended.looks == 1
    assert "could not be counted" in caplog.text
