"""Matches of the robot against references, or between its levels, with the ratings that follow.

    python -m bench.robot [--games N] [--seconds S] [--seed N] [--levels]

Each pair plays every circle twice, once from each side. Thinking is timed on the processor. Without --levels the
champion plays the references: with 0.05 s a decision random, greedy and a depth-limited search; with --seconds the
latter again and a plain UCT, both of which have the same --seconds. With --levels each level, at its own number of
visits, plays the two below it, and the weakest ones two references.
"""

from __future__ import annotations

import argparse
import gc
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.robot.players import Player, Robot, depth_limited, greedy, plain_uct, randomly
from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH, Edition
from companion.games.patchwork.rules import apply, new_game
from companion.games.patchwork.state import Setup, score
from companion.games.strategy import Level

_ELO = 400 / math.log(10)
# The levels above and below a level that it plays.
_NEAR = 2


@dataclass(slots=True)
class Match:
    """The games of two players, and how many the first one won, by how many points in all."""

    first: str
    second: str
    games: int = 0
    won: int = 0
    points: int = 0

    @property
    def share(self) -> float:
        """The share of games that the first player won."""
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share (Wilson)."""
        z, n, share = 1.96, self.games, self.share
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return middle - half, middle + half


def played(first: Player, second: Player, games: int, seed: int) -> Match:
    """Play a match, each circle from both sides, in both editions of the time board."""
    rng, match = random.Random(seed), Match(first.name, second.name)
    for setup in _setups(rng, games):
        for seat in (1, 2):
            state = new_game(setup)
            while state.turn is not None:
                decision = (first if state.turn == seat else second).choose(state)
                state = apply(state, decision).state
            match.games += 1
            match.won += state.winner == seat
            match.points += score(state.seat(seat)) - score(state.seat(3 - seat))
    return match


def _setups(rng: random.Random, games: int) -> Iterator[Setup]:
    patches = [patch for patch in PATCHES if patch != SMALLEST_PATCH]
    for number in range((games + 1) // 2):
        rng.shuffle(patches)
        yield Setup(market=(*patches, SMALLEST_PATCH), edition=tuple(Edition)[number % 2])


def ratings(matches: Sequence[Match], anchor: str) -> dict[str, tuple[float, float]]:
    """Return each player's rating and half of its 95 % interval (Bradley and Terry), the anchor's rating being 0.

    Half a game is added to each side of a match, so that a match without a loss gives a finite rating.
    """
    names = sorted({name for match in matches for name in (match.first, match.second)})
    strength = dict.fromkeys(names, 0.0)
    for _ in range(4000):
        slope, curve = dict.fromkeys(names, 0.0), dict.fromkeys(names, 1e-9)
        for match in matches:
            expected = 1 / (1 + math.exp(strength[match.second] - strength[match.first]))
            gain = match.won + 0.5 - (match.games + 1) * expected
            weight = (match.games + 1) * expected * (1 - expected)
            for name, sign in ((match.first, 1), (match.second, -1)):
                slope[name] += sign * gain
                curve[name] += weight
        strength = {name: strength[name] + 0.5 * slope[name] / curve[name] for name in names}
    return {name: (_ELO * (strength[name] - strength[anchor]), 1.96 * _ELO / math.sqrt(curve[name])) for name in names}


def _against_references(games: int, seconds: float, seed: int) -> Iterator[Match]:
    rng = random.Random(seed)
    slow = Robot(f"champion {seconds:g} s", Level.CHAMPION, rng, seconds)
    quick = Robot("champion 0.05 s", Level.CHAMPION, rng, 0.05)
    for robot, other in (
        (quick, randomly(rng)),
        (quick, greedy(rng)),
        (quick, depth_limited(seconds)),
        (slow, depth_limited(seconds)),
        (slow, plain_uct(rng, seconds)),
    ):
        yield played(robot, other, games, seed)


def _between_levels(games: int, seed: int) -> Iterator[Match]:
    rng = random.Random(seed)
    robots = [Robot(level.value, level, rng) for level in Level]
    yield played(robots[0], randomly(rng), games, seed)
    for weak in robots[:2]:
        yield played(weak, greedy(rng), games, seed)
    # The strongest last, as they take by far the most time.
    for place, stronger in enumerate(robots):
        for weaker in robots[max(0, place - _NEAR) : place]:
            yield played(stronger, weaker, games, seed)


def _line(match: Match) -> str:
    low, high = match.interval
    label = f"{match.first} against {match.second}"
    figures = f"{match.won:>6} {match.games:>6} {100 * match.share:>7.1f} {100 * low:>7.1f} {100 * high:>7.1f}"
    return f"{label:42}{figures} {match.points / match.games:>7.1f}"


def main() -> None:
    """Play the matches, and print them and the ratings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20, metavar="N", help="of each match")
    parser.add_argument("--seconds", type=float, default=0.1, metavar="S", help="a decision, of the processor")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--levels", action="store_true", help="play the levels instead of the references")
    args = parser.parse_args()
    # As `companion advise` does.
    gc.disable()
    print(f"{'match':42}{'won':>6} {'games':>6} {'%':>7} {'from':>7} {'to':>7} {'points':>7}")
    matches = []
    found = (
        _between_levels(args.games, args.seed)
        if args.levels
        else _against_references(args.games, args.seconds, args.seed)
    )
    for match in found:
        matches.append(match)
        print(_line(match), flush=True)
    print(f"\n{'rating':42}{'elo':>6} {'+-':>6}")
    for name, (rating, half) in sorted(ratings(matches, matches[0].second).items(), key=lambda each: -each[1][0]):
        print(f"{name:42}{rating:>6.0f} {half:>6.0f}")


if __name__ == "__main__":
    main()
