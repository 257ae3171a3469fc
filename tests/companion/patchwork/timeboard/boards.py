"""A time board that is told what is seen on it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.patchwork import History, Setup
from vision.timeboard.markers import Standing


@dataclass
class ToldBoard:
    """Stands in for `TimeBoardWatch`."""

    standing: Standing | None = None

    def stands(self, one: int | None, two: int | None) -> None:
        self.standing = Standing({1: one, 2: two}, as_booked=True)


def new_history() -> History:
    return History(Setup(players=("Anna", "Boris")))
