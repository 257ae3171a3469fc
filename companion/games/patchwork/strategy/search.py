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
from companion.games.strategy import Considered

# How strongly visits are drawn to moves that were visited little, in winning chances; the temperature by which first
# estimates become shares of the visits, in winning chances; and the placements of a patch that are looked at below the
# position to decide. Chosen by matches with 200 visits a decision among 0.3 to 1.0, 0.03 to 0.12 and 2 to 5.
_EXPLORATION = 0.3
_TEMPERATURE = 0.12
_BREADTH = 2
# The placements of a patch that are looked at in the position to decide.
_BREADTH_AT_ROOT = 6
# After so many visits the tree, of about 120 MB then, grows no more.
_MOST_GROWN = 50_000


@dataclass(slots=True, eq=False)
class _Node:
    """A position in the tree; `total` adds up the winning chances of seat 1 that were found below it.

    Most are never visited: a position is kept from the first visit on only.
    """

    move: Move
    estimate: float
    share: float = 1.0
    visits: int = 0
    total: float = 0.0
    position: Position | None = None
    children: "list[_Node]" = field(default_factory=list)

    @property
    def value(self) -> float:
        """The winning chance of seat 1, in which its own estimate counts as one visit."""
        return (self.total + self.estimate) / (self.visits + 1)


def search(
    state: State, stop: Callable[[int], bool], rng: random.Random, breadth: int = _BREADTH
) -> list[Considered[MoveDecision]]:
    """Return the decisions weighed for the seat to move, best first.

    Args:
        state: a game that has not ended.
        stop: is asked before each visit but the first, with the number of visits so far, and ends the search; it is not
            asked if there is one decision only.
        rng: settles which of equally good moves is tried first.
        breadth: the placements of a patch that are looked at in the positions after this one: the fewer, the further
            the search sees.

    Raises:
        GameOverError: if the game has ended.
    """
    if state.turn is None:
        raise GameOverError("nobody is to move: the game has ended")
    position = position_of(state)
    root = _Node(None, winning_chance(position), position=position)
    _expand(root, position, _BREADTH_AT_ROOT)
    rng.shuffle(root.children)
    visits = 0
    while not visits or (len(root.children) > 1 and not stop(visits)):
        _visit(root, position, breadth if visits < _MOST_GROWN else 0)
        visits += 1
    return sorted(_considered(root, position), key=lambda each: (each.visits, each.value), reverse=True)


def _considered(root: _Node, position: Position) -> Iterator[Considered[MoveDecision]]:
    for child in root.children:
        value = child.value if position.turn == 0 else 1 - child.value
        yield Considered(decision_of(position, child.move), value, child.visits)


def _visit(root: _Node, position: Position, breadth: int) -> None:
    """Follow the most promising moves to a position not expanded yet, and add what it promises to all passed.

    With a breadth of 0 that position is only estimated.
    """
    node, path = root, [root]
    while node.children:
        child = _most_promising(node, is_first=position.turn == 0)
        if child.position is None:
            child.position = play(position, child.move)
        node, position = child, child.position
        path.append(node)
    value = node.estimate if position.turn < 0 or not breadth else _expand(node, position, breadth)
    for passed in path:
        passed.visits += 1
        passed.total += value


def _most_promising(node: _Node, *, is_first: bool) -> _Node:
    """Return the child with the greatest upper bound of what it is worth to the side to move."""
    drawn = _EXPLORATION * math.sqrt(node.visits + 1)
    best, greatest = node, -1.0
    for child in node.children:
        visits = child.visits + 1
        value = (child.total + child.estimate) / visits
        bound = (value if is_first else 1 - value) + drawn * child.share / visits
        if bound > greatest:
            best, greatest = child, bound
    return best


def _expand(node: _Node, position: Position, breadth: int) -> float:
    """Add the moves worth a look to a node, and return the winning chance of seat 1 after the best of them."""
    children = [_Node(move, winning_chance(play(position, move))) for move in candidates(position, breadth)]
    is_first = position.turn == 0
    chances = [child.estimate if is_first else 1 - child.estimate for child in children]
    best = max(chances)
    weights = [math.exp((chance - best) / _TEMPERATURE) for chance in chances]
    whole = sum(weights)
    for child, weight in zip(children, weights, strict=True):
        child.share = weight / whole
    node.children = children
    return best if is_first else 1 - best
