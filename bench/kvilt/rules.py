"""Games of Kvilt a second on one core: whole games of simulated players, and of players who choose at random.

    .venv/bin/python -m bench.kvilt.rules [--games N] [--seed N]

Seconds are the processor's, not the wall clock's. The table also tells how the players fare: rounds, scores, and what
ended the games, for each number of players and the variant with fewer pencils. The baseline are players who take any
listed decision with equal chances: what sensible players score must lie well above it.
"""

from __future__ import annotations

import argparse
import platform
import random
import time
from collections.abc import Callable
from statistics import mean

from companion.games.kvilt.decisions import Done
from companion.games.kvilt.explaining import explain
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.rules import History
from companion.games.kvilt.state import Phase, Setup, State, Variant
from companion.kvilt.sheets.files import load_sheet
from tests.companion.games.kvilt.played import play_game

Play = Callable[[Setup, random.Random], History]


def random_game(setup: Setup, rng: random.Random) -> History:
    """Return a game in which every listed decision is equally likely."""
    history = History(setup)
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    return history


def setups() -> list[tuple[str, Setup]]:
    """Return the setups, by name: two to four players, and four with fewer pencils."""
    sheet = load_sheet()
    plain = [(f"{count} players", Setup(sheet, tuple("ABCD"[:count]))) for count in (2, 3, 4)]
    return [*plain, ("4, 18 pencils", Setup(sheet, tuple("ABCD"), variants=frozenset([Variant.KVILTOMANIA])))]


def report(name: str, play: Play, setup: Setup, games: int, seed: int) -> None:
    """Play games, and print a line of the table."""
    began = time.process_time()
    ended = [play(setup, random.Random(seed + number)) for number in range(games)]
    seconds = time.process_time() - began
    totals = [[game.state.score(seat).total for seat in range(1, setup.seats + 1)] for game in ended]
    rounds = [game.state.round for game in ended]
    length = f"{mean(rounds):.1f} ({min(rounds)}-{max(rounds)})"
    print(
        f"{name:<26}{games / seconds:>8.1f}{mean(len(game.decisions) for game in ended):>11.1f}{length:>15}"
        f"{mean(map(mean, totals)):>8.1f}{mean(map(max, totals)):>8.1f}"
    )


def colourings(game: History) -> list[tuple[State, int, dict[str, str]]]:
    """Return the state before, the seat and the marks afterwards of each colouring in a game."""
    again, begun, found = History(game.setup), dict[int, State](), []
    for decision in game.decisions:
        before = again.state
        if before.phase is Phase.COLOURING:
            begun.setdefault(decision.seat, before)
        again.apply(decision)
        if isinstance(decision, Done):
            marks = before.seat(decision.seat).marks.regions(game.setup.sheet)
            found.append((begun.pop(decision.seat), decision.seat, marks))
    return found


def report_explaining(games: int, seed: int) -> None:
    """Measure the explanation of a round's marks, and print its time and success rate."""
    cases = [case for _, setup in setups() for number in range(games)
             for case in colourings(play_game(setup, random.Random(seed + number)))]  # fmt: skip
    times, explained = [], 0
    for case in cases:
        began = time.process_time()
        explained += bool(explain(*case))
        times.append((time.process_time() - began) * 1e3)
    print(
        f"\nexplaining a colouring: {explained} of {len(cases)} explained, "
        f"{mean(times):.1f} ms on the average, {max(times):.1f} ms at most"
    )


def main() -> None:
    """Play and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="games a line (100)")
    parser.add_argument("--seed", type=int, default=1, help="seed (1)")
    args = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, one core, {args.games} games a line\n")
    print(f"{'':<26}{'games/s':>8}{'decisions':>11}{'rounds':>15}{'mean':>8}{'winner':>8}")
    for name, setup in setups():
        report(f"sensible, {name}", play_game, setup, args.games, args.seed)
        report(f"random, {name}", random_game, setup, max(1, args.games // 5), args.seed)
    report_explaining(max(1, args.games // 20), args.seed)


if __name__ == "__main__":
    main()
