"""The players of the matches: the robot at each level, and references to beat."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Protocol

from companion.games.patchwork.cells import ALL_CELLS, SIDE
from companion.games.patchwork.components import placements
from companion.games.patchwork.decisions import MoveDecision
from companion.games.patchwork.state import State
from companion.games.patchwork.strategy import levels
from companion.games.patchwork.strategy.evaluation import candidates
from companion.games.patchwork.strategy.position import (
    IDS,
    LEATHER,
    Move,
    Position,
    affordable,
    decision_of,
    play,
    position_of,
)
from companion.games.strategy import Level

# Of the processor, so that players who share it with others think as long as if they were alone.
CLOCK: Final = time.process_time
# What a plain search tries before it lists all placements of a patch.
_TRIES: Final = 12
_WON: Final = 1000.0


class Player(Protocol):
    """A player of matches."""

    @property
    def name(self) -> str:
        """Its name in the tables."""

    def choose(self, state: State) -> MoveDecision:
        """Return a legal decision."""


@dataclass(frozen=True, slots=True)
class Robot:
    """The robot at a level, for as many seconds a decision, or as many visits as the level makes."""

    name: str
    level: Level
    rng: random.Random
    seconds: float | None = None

    def choose(self, state: State) -> MoveDecision:
        """See `Player`."""
        return levels.advise(state, self.level, self.rng, self.seconds, CLOCK).chosen.decision


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference, which chooses a move in a position."""

    name: str
    move: Callable[[Position], Move]

    def choose(self, state: State) -> MoveDecision:
        """See `Player`."""
        position = position_of(state)
        return decision_of(position, self.move(position))


def randomly(rng: random.Random) -> Reference:
    """Return a player of random moves: a patch, or to advance, and then a place."""
    return Reference("random", lambda position: _random_move(position, rng))


def greedy(rng: random.Random) -> Reference:
    """Return a player of the move after which its score is highest, then its income; it looks at every placement."""

    def worth(position: Position, move: Move) -> tuple[int, int, float]:
        side = play(position, move).sides[position.turn]
        return side.points, side.income, rng.random()

    return Reference("greedy", lambda position: max(_moves(position), key=lambda move: worth(position, move)))


def depth_limited(seconds: float) -> Reference:
    """Return a player who searches with alpha and beta, one move deeper each time until the time is over.

    It knows the score and the income to come, and looks at the four best placements of a patch.
    """
    return Reference("depth-limited", lambda position: _deepened(position, CLOCK() + seconds))


def plain_uct(rng: random.Random, seconds: float) -> Reference:
    """Return a player of UCT (Kocsis and Szepesvari, 2006) over all legal moves, with random games from the leaves."""
    return Reference("plain UCT", lambda position: _most_visited(position, rng, CLOCK() + seconds))


def _moves(position: Position) -> list[Move]:
    """Return all legal moves."""
    quilt = position.sides[position.turn].quilt
    if position.is_leather_due:
        return [(LEATHER, 1 << bit) for bit in range(SIDE * SIDE) if not quilt >> bit & 1]
    bought = [(patch, mask) for patch in affordable(position) for mask in placements(IDS[patch]) if not mask & quilt]
    return [None, *bought]


def _random_move(position: Position, rng: random.Random) -> Move:
    quilt = position.sides[position.turn].quilt
    if position.is_leather_due:
        return LEATHER, _random_cell(quilt, rng)
    choices: list[int | None] = [None, *affordable(position)]
    while (patch := choices.pop(rng.randrange(len(choices)))) is not None:
        laid = _random_placement(patch, quilt, rng)
        if laid is not None:
            return patch, laid
    return None


def _random_cell(quilt: int, rng: random.Random) -> int:
    empty = [1 << bit for bit in range(SIDE * SIDE) if not quilt >> bit & 1]
    assert quilt != ALL_CELLS
    return rng.choice(empty)


def _random_placement(patch: int, quilt: int, rng: random.Random) -> int | None:
    places = placements(IDS[patch])
    for _ in range(_TRIES):
        if not (mask := places[int(rng.random() * len(places))]) & quilt:
            return mask
    fitting = [mask for mask in places if not mask & quilt]
    return rng.choice(fitting) if fitting else None


class _OutOfTimeError(Exception):
    """Raised at the end of the time of a depth-limited search."""


def _deepened(position: Position, ends_s: float) -> Move:
    best = candidates(position, 4)[0]
    with suppress(_OutOfTimeError):
        for depth in range(30):
            best = _best_move(position, depth, ends_s)
    return best


def _best_move(position: Position, depth: int, ends_s: float) -> Move:
    def value(move: Move) -> float:
        return _value(play(position, move), depth, position.turn, ends_s, *_OPEN)

    return max(candidates(position, 4), key=value)


_OPEN: Final = (-math.inf, math.inf)


def _value(position: Position, depth: int, side: int, ends_s: float, alpha: float, beta: float) -> float:
    """Return what a position is worth to a side, within the bounds alpha and beta."""
    if CLOCK() >= ends_s:
        raise _OutOfTimeError
    if position.turn < 0:
        return _WON if position.winner == side else -_WON
    if depth == 0:
        return _promise(position, side) - _promise(position, 1 - side)
    for move in candidates(position, 4):
        value = _value(play(position, move), depth - 1, side, ends_s, alpha, beta)
        if position.turn == side:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if position.turn == side else beta


def _promise(position: Position, side: int) -> float:
    """Return a side's score with the income to come."""
    own, track = position.sides[side], position.track
    return own.points + own.income * track.paid[own.time][track.last]


@dataclass(slots=True, eq=False)
class _Node:
    """A position in the tree of a plain UCT; `won` counts the games that seat 1 won."""

    position: Position
    move: Move
    untried: list[Move]
    children: list[_Node] = field(default_factory=list)
    visits: int = 0
    won: int = 0


def _most_visited(position: Position, rng: random.Random, ends_s: float) -> Move:
    root = _fresh(position, None, rng)
    while CLOCK() < ends_s or not root.children:
        path = _grown(root, rng)
        after = path[-1].position
        while after.turn >= 0:
            after = play(after, _random_move(after, rng))
        for node in path:
            node.visits += 1
            node.won += after.winner == 0
    return max(root.children, key=lambda child: child.visits).move


def _fresh(position: Position, move: Move, rng: random.Random) -> _Node:
    untried = _moves(position) if position.turn >= 0 else []
    rng.shuffle(untried)
    return _Node(position, move, untried)


def _grown(root: _Node, rng: random.Random) -> list[_Node]:
    """Return the way to a position that was added to the tree, or to the end of a game."""
    path = [root]
    while not path[-1].untried and path[-1].children:
        path.append(_most_promising(path[-1]))
    leaf = path[-1]
    if leaf.untried:
        move = leaf.untried.pop()
        leaf.children.append(_fresh(play(leaf.position, move), move, rng))
        path.append(leaf.children[-1])
    return path


def _most_promising(node: _Node) -> _Node:
    whole, is_first = math.log(node.visits), node.position.turn == 0

    def bound(child: _Node) -> float:
        share = child.won / child.visits
        return (share if is_first else 1 - share) + math.sqrt(whole / child.visits)

    return max(node.children, key=bound)
