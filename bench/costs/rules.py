"""Random games of Patchwork a second on one core: the rules core beside a plain set of rules.

    .venv/bin/python bench/costs/rules.py [--games N] [--rounds N] [--seed N]

Every legal placement is enumerated at each decision and one of all legal decisions is chosen uniformly, by both. The
core is used by its public names alone. The baseline is written the obvious way: boards as lists of lists, each turn of
each patch tried on each cell, a deep copy a decision. The rounds of both are interleaved; the fastest of each counts,
for whatever else the machine does can only slow them down. Seconds are the processor's, not the wall clock's.
"""

from __future__ import annotations

import argparse
import copy
import platform
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.games.patchwork.cells import ALL_CELLS
from companion.games.patchwork.components import PATCHES, fits
from companion.games.patchwork.legal import anchor_groups, legal_decisions
from companion.games.patchwork.rules import affordable, apply, new_game
from companion.games.patchwork.state import Setup, State

if TYPE_CHECKING:
    from collections.abc import Callable

INCOME_MARKS = (5, 11, 17, 23, 29, 35, 41, 47, 53)
LEATHER_MARKS = (20, 26, 32, 44, 50)
Shape = list[tuple[int, int]]


@dataclass
class Tally:
    """The result of a series of games; `legal` is the total number of legal decisions."""

    games: int = 0
    decisions: int = 0
    legal: int = 0
    seconds: float = 0.0


def random_circle(rng: random.Random) -> tuple[str, ...]:
    """Return a shuffled circle with the 1x2 patch at its end."""
    circle = [patch for patch in PATCHES if patch != "domino"]
    rng.shuffle(circle)
    return (*circle, "domino")


def core_game(rng: random.Random, tally: Tally) -> None:
    """Play one random game on the core."""
    state = new_game(Setup(market=random_circle(rng)))
    while not state.finished:
        legal = legal_decisions(state)
        tally.legal += legal.count()
        tally.decisions += 1
        state = apply(state, legal.pick(rng)).state


def all_shapes(patch: str) -> list[Shape]:
    """Return the distinct orientations of a patch, from its cells."""
    cells, found = list(PATCHES[patch].cells), []
    for step in range(8):
        cells = [(column, -row) for row, column in cells] if step != 4 else [(row, -column) for row, column in cells]
        top, left = min(row for row, _ in cells), min(column for _, column in cells)
        shape = sorted((row - top, column - left) for row, column in cells)
        if shape not in found:
            found.append(shape)
    return found


SHAPES = {patch: all_shapes(patch) for patch in PATCHES}


class PlainGame:
    """The baseline: the rules in a straightforward implementation."""

    def __init__(self, circle: tuple[str, ...]) -> None:
        self.circle = list(circle)
        self.boards = [[[False] * 9 for _ in range(9)] for _ in range(2)]
        self.buttons, self.income, self.time = [5, 5], [0, 0], [0, 0]
        self.leather = list(LEATHER_MARKS)
        self.tile: int | None = None
        self.turn, self.due = 0, False

    def legal(self) -> list[tuple[str | None, Shape]]:
        """Return the legal decisions as (patch, cells); no patch for leather, no cells for an advance."""
        board = self.boards[self.turn]
        if self.due:
            return [(None, [(row, column)]) for row in range(9) for column in range(9) if not board[row][column]]
        found: list[tuple[str | None, Shape]] = [(None, [])]
        for patch in self.circle[:3]:
            if PATCHES[patch].buttons <= self.buttons[self.turn]:
                found += [(patch, cells) for shape in SHAPES[patch] for cells in self.places(board, shape)]
        return found

    @staticmethod
    def places(board: list[list[bool]], shape: Shape) -> list[Shape]:
        """Return the placements of a shape on empty cells."""
        moved = [[(r + row, c + column) for r, c in shape] for row in range(9) for column in range(9)]
        return [cells for cells in moved if all(r < 9 and c < 9 and not board[r][c] for r, c in cells)]

    def after(self, patch: str | None, cells: Shape) -> PlainGame:
        """Return the game after a decision; this one is not changed."""
        game = copy.deepcopy(self)
        game.cover(cells)
        if patch is not None:
            place, label = game.circle.index(patch), PATCHES[patch]
            game.circle = game.circle[place + 1 :] + game.circle[:place]
            game.buttons[game.turn] -= label.buttons
            game.income[game.turn] += label.income
            game.move(label.time)
        elif not cells:
            spaces = min(53, game.time[1 - game.turn] + 1) - game.time[game.turn]
            game.buttons[game.turn] += spaces
            game.move(spaces)
        else:
            game.due = False
        if not game.due and game.time[game.turn] > game.time[1 - game.turn]:
            game.turn = 1 - game.turn
        return game

    def cover(self, cells: Shape) -> None:
        """Cover cells of the mover's board, and take the tile for the first 7x7 square."""
        board = self.boards[self.turn]
        for row, column in cells:
            board[row][column] = True
        if self.tile is None and any(
            all(all(line[left : left + 7]) for line in board[top : top + 7]) for top in range(3) for left in range(3)
        ):
            self.tile = self.turn

    def move(self, spaces: int) -> None:
        """Move the mover's token and resolve the marks that it crosses."""
        start, end = self.time[self.turn], min(53, self.time[self.turn] + spaces)
        self.time[self.turn] = end
        self.buttons[self.turn] += self.income[self.turn] * sum(start < mark <= end for mark in INCOME_MARKS)
        for mark in [mark for mark in self.leather if start < mark <= end]:
            self.leather.remove(mark)
            self.due = not all(all(line) for line in self.boards[self.turn])


def plain_game(rng: random.Random, tally: Tally) -> None:
    """Play one random game on the baseline."""
    game = PlainGame(random_circle(rng))
    while game.due or game.time != [53, 53]:
        legal = game.legal()
        tally.legal += len(legal)
        tally.decisions += 1
        game = game.after(*rng.choice(legal))


def series(play: Callable[[random.Random, Tally], None], games: int, seed: int) -> Tally:
    """Play a number of games, and return their timed result."""
    rng, tally = random.Random(seed), Tally(games=games)
    began = time.process_time()
    for _ in range(games):
        play(rng, tally)
    tally.seconds = time.process_time() - began
    return tally


def met_states(games: int, seed: int) -> list[State]:
    """Return the states of some random games in which a patch may be bought."""
    rng, met = random.Random(seed), []
    for _ in range(games):
        state = new_game(Setup(market=random_circle(rng)))
        while not state.finished:
            met += [state] if affordable(state) else []
            state = apply(state, legal_decisions(state).pick(rng)).state
    return met


def enumeration_us(states: list[State], rounds: int) -> tuple[float, float]:
    """Return the microseconds to find all placements in a state, by shifting the free cells and by testing a table."""
    asked = [(affordable(state), state.seat(state.mover).quilt) for state in states]
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        began = time.process_time()
        shifted = [anchor_groups(patches, ALL_CELLS & ~quilt)[1] for patches, quilt in asked]
        middle = time.process_time()
        tested = [sum(len(fits(patch, quilt)) for patch in patches) for patches, quilt in asked]
        best = [min(best[0], middle - began), min(best[1], time.process_time() - middle)]
        assert shifted == tested
    return best[0] / len(asked) * 1e6, best[1] / len(asked) * 1e6


def report(name: str, tallies: list[Tally], baseline: float) -> None:
    """Print a line of the table: the fastest round's rate and its ratio to the baseline's."""
    rates = sorted(tally.games / tally.seconds for tally in tallies)
    best = min(tallies, key=lambda tally: tally.seconds)
    print(
        f"{name:<22}{rates[-1]:>10.1f}{rates[len(rates) // 2]:>10.1f}{best.decisions / best.games:>12.1f}"
        f"{best.legal / best.decisions:>12.1f}{rates[-1] / baseline:>10.1f}"
    )


def main() -> None:
    """Run the rounds and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1500, help="games a round on the core (1500)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (5)")
    parser.add_argument("--seed", type=int, default=1, help="seed (1)")
    args = parser.parse_args()
    series(core_game, 20, args.seed)  # fills the tables
    plain, core = [], []
    for number in range(args.rounds):
        plain.append(series(plain_game, max(1, args.games // 100), args.seed + number))
        core.append(series(core_game, args.games, args.seed + number))
    baseline = max(tally.games / tally.seconds for tally in plain)
    print(f"Python {platform.python_version()}, {platform.machine()}, one core, {args.rounds} rounds\n")
    print(f"{'games a second':<22}{'best':>10}{'median':>10}{'decisions':>12}{'legal each':>12}{'ratio':>10}")
    report("baseline: plain lists", plain, baseline)
    report("rules core", core, baseline)
    shifts_us, table_us = enumeration_us(met_states(40, args.seed), args.rounds)
    times = table_us / shifts_us
    print(f"\nenumerating one decision: shifts {shifts_us:.1f} us, table {table_us:.1f} us, {times:.1f} times")


if __name__ == "__main__":
    main()
