"""A tree search for the best decision: its visits go where the estimate, and what was found below it, promise most.

It is the search of AlphaZero (Silver et al., 2018) with a fitted estimate in place of a network: no game is played to
its end at random, which tells little in a game whose score is mostly how well the patches fit.
"""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from companion.games.patchwork.decisions import MoveDecision
from companion.games.patchwork.errors import GameOverError
from companion.games.patchwork.state import State
from companion.games.patchwork.strategy.evaluation import candidates, winning_chance
from companion.games.patchwork.strategy.position import Move, Position, decision_of, play, position_of

# How strongly visits are drawn to moves that were visited little, in winning chances. Chosen among 0.3 to 1.0.
_EXPLORATION = 0.6
# The temperature by which first estimates become shares of the visits, in winning chances. Chosen among 0.03 to 0.12.
_TEMPERATURE = 0.06
# The placements of a patch that are looked at, in the position to decide and in those after it.
_BREADTH_AT_ROOT = 6
_BREADTH = 3


@dataclass(frozen=True, slots=True)
class Considered:
    """A decision that a search has weighed.

    Attributes:
        decision: legal in the state that was searched.
        value: the chance that the seat to move wins after it, from 0 to 1.
        visits: how often the search passed it.
    """

    decision: MoveDecision
    value: float
    visits: int


@dataclass(slots=True, eq=False)
class _Node:
    """A position in the tree; `total` adds up the winning chances of seat 1 that were found below it."""

    position: Position
    estimate: float
    share: float = 1.0
    visits: int = 0
    total: float = 0.0
    children: "list[tuple[Move, _Node]]" = field(default_factory=list)

    @property
    def value(self) -> float:
        """The winning chance of seat 1, in which its own estimate counts as one visit."""
        return (self.total + self.estimate) / (self.visits + 1)


def search(state: State, stop: Callable[[int], bool], rng: random.Random) -> list[Considered]:
    """Return the decisions weighed for the seat to move, best first.

    Args:
        state: a game that has not ended.
        stop: is asked before each visit, with the number of visits so far, and ends the search; asked at least once
            after a visit.
        rng: settles which of equally good moves is tried first.

    Raises:
        GameOverError: if the game has ended.
    """
    if state.turn is None:
        raise GameOverError("nobody is to move: the game has ended")
    root = _node(position_of(state))
    _expand(root, _BREADTH_AT_ROOT)
    rng.shuffle(root.children)
    visits = 0
    while not (visits and stop(visits)):
        _visit(root)
        visits += 1
    return sorted(_considered(root), key=lambda each: (each.visits, each.value), reverse=True)


def _considered(root: _Node) -> Iterator[Considered]:
    is_first = root.position.turn == 0
    for move, child in root.children:
        value = child.value if is_first else 1 - child.value
        yield Considered(decision_of(root.position, move), value, child.visits)


def _node(position: Position) -> _Node:
    return _Node(position, winning_chance(position))


def _visit(root: _Node) -> None:
    """Follow the most promising moves to a position not expanded yet, and add what it promises to all passed."""
    path = [root]
    while path[-1].children:
        path.append(_most_promising(path[-1]))
    leaf = path[-1]
    value = leaf.estimate if leaf.position.turn < 0 else _expand(leaf, _BREADTH)
    for node in path:
        node.visits += 1
        node.total += value


def _most_promising(node: _Node) -> _Node:
    """Return the child with the greatest upper bound of what it is worth to the side to move."""
    is_first = node.position.turn == 0
    drawn = _EXPLORATION * math.sqrt(node.visits + 1)
    best, greatest = node.children[0][1], -1.0
    for _, child in node.children:
        visits = child.visits + 1
        value = (child.total + child.estimate) / visits
        bound = (value if is_first else 1 - value) + drawn * child.share / visits
        if bound > greatest:
            best, greatest = child, bound
    return best


def _expand(node: _Node, breadth: int) -> float:
    """Add the moves worth a look to a node, and return the winning chance of seat 1 after the best of them."""
    position = node.position
    children = [(move, _node(play(position, move))) for move in candidates(position, breadth)]
    is_first = position.turn == 0
    chances = [child.estimate if is_first else 1 - child.estimate for _, child in children]
    best = max(chances)
    weights = [math.exp((chance - best) / _TEMPERATURE) for chance in chances]
    whole = sum(weights)
    for (_, child), weight in zip(children, weights, strict=True):
        child.share = weight / whole
    node.children = children
    return best if is_first else 1 - best
