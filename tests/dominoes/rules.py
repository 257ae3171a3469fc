"""The rules of a game that the program does not have: two players fill a board of 4x4 with dominoes.

They take turns; a player who cannot lay a domino has lost. Every domino laid is a point, and the last one another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

SIDE = 4
CELLS = tuple(f"{column}{row}" for row in range(1, SIDE + 1) for column in "ABCD")
DOMINOES = tuple(
    (CELLS[row * SIDE + column], CELLS[(row + down) * SIDE + column + across])
    for down, across in ((0, 1), (1, 0))
    for row in range(SIDE - down)
    for column in range(SIDE - across)
)
"""Every placement of a domino."""


class DominoesError(Exception):
    """Root of the game's errors."""


@dataclass(frozen=True)
class Setup:
    """A game's setup: the names of seat 1, which lays first, and of seat 2."""

    players: tuple[str, str] = ("Anna", "Boris")


@dataclass(frozen=True)
class Lay:
    """The decision to lay a domino."""

    seat: int
    cells: tuple[str, str]


@dataclass(frozen=True)
class State:
    """A state; `board` holds pairs of a covered cell's name and the seat that covered it."""

    setup: Setup
    board: tuple[tuple[str, int], ...] = ()
    decisions_made: int = 0

    @cached_property
    def covered(self) -> dict[str, int]:
        return dict(self.board)

    @cached_property
    def legal(self) -> tuple[tuple[str, str], ...]:
        return tuple(cells for cells in DOMINOES if not self.covered.keys() & set(cells))

    @property
    def finished(self) -> bool:
        return not self.legal

    @property
    def turn(self) -> int | None:
        return None if self.finished else self.decisions_made % 2 + 1

    @property
    def scores(self) -> tuple[int, int]:
        first = (self.decisions_made + 1) // 2
        last = (self.finished and self.decisions_made % 2 == 1, self.finished and self.decisions_made % 2 == 0)
        return first + last[0], self.decisions_made - first + last[1]

    @property
    def winners(self) -> tuple[int, ...]:
        return ((self.decisions_made - 1) % 2 + 1,) if self.finished else ()


def legal(state: State) -> list[Lay]:
    """Return all legal decisions."""
    return [] if state.turn is None else [Lay(state.turn, cells) for cells in state.legal]


def apply(state: State, decision: Lay) -> State:
    """Return the state after a decision, or refuse it."""
    if decision.seat != state.turn:
        raise DominoesError("it is the other seat's turn")
    if decision.cells not in state.legal:
        raise DominoesError("no domino can lie there")
    board = (*state.board, *((cell, decision.seat) for cell in decision.cells))
    return replace(state, board=board, decisions_made=state.decisions_made + 1)


class History:
    """A game's history."""

    def __init__(self, setup: Setup) -> None:
        self._states = [State(setup)]
        self._decisions: list[Lay] = []

    @property
    def setup(self) -> Setup:
        return self.state.setup

    @property
    def state(self) -> State:
        return self._states[-1]

    @property
    def decisions(self) -> tuple[Lay, ...]:
        return tuple(self._decisions)

    def apply(self, decision: Lay) -> State:
        self.follow(decision, apply(self.state, decision))
        return self.state

    def follow(self, decision: Lay, state: State) -> None:
        self._states.append(state)
        self._decisions.append(decision)

    def undo(self) -> Lay:
        self._states.pop()
        return self._decisions.pop()
