"""The Swiss tournament of FIDE's "Exercises in Tie-Breaking" (M. Held, C.07 of 2023, rev. 2403220900), with solutions.

It has byes given and asked for, forfeits, a player who misses a round and one who leaves.
"""

from __future__ import annotations

from companion.hall.tournaments import TournamentGame

_POINTS = {"+": 1.0, "=": 0.5, "-": 0.0}
# A line for each player: the rounds (w began, b did not), then points, Buchholz, Buchholz cut 1 and Sonneborn-Berger.
_CROSSTABLE = """
1 +w9 =b13 =w2 +b15 =w4 | 3.5 12.5 11 8
2 +b10 +w7 =b1 +w16 =b3 | 4 13 12 9.5
3 =w11 +b6 +w8 =b4 =w2 | 3.5 15.5 13 10.5
4 +b12 half +w13 =w3 =b1 | 3.5 15 11.5 9.75
5 -w13 -b15 +w11 =b7 +w10 | 2.5 8.5 7.5 4.25
6 -b14 -w3 bye +w10 +b8 | 3 12 11 6.5
7 +w15 -b2 -b16 =w5 -b11 | 1.5 14.5 12.5 3.25
8 =b16 +w14 -b3 +w13 -w6 | 2.5 13.5 12 5.25
9 -b1 -w10 half lost11 bye | 1.5 9 7.5 2.25
10 -w2 +b9 -w15 -b6 -b5 | 1 13 11.5 1.5
11 =b3 -w16 -b5 won9 +w7 | 2.5 13.5 12 5.75
12 -w4 bye won14 out out | 2 11.5 9.5 4
13 +b5 =w1 -b4 -b8 -w14 | 1.5 14 12 4.25
14 +w6 -b8 lost12 out +b13 | 2 11 9 4.5
15 -b7 +w5 +b10 -w1 -b16 | 2 12 11 3.5
16 =w8 +b11 +w7 -b2 +w15 | 3.5 12.5 11 7.25
"""
_LINES = [line.partition(" |") for line in _CROSSTABLE.strip().split("\n")]
_ROUNDS = {int(line.split()[0]): line.split()[1:] for line, _, _ in _LINES}
SOLUTIONS = {number: [float(each) for each in line[2].split()] for number, line in zip(_ROUNDS, _LINES, strict=True)}
"""Each player's points and tie-breaks."""


def exercise_rounds() -> list[list[TournamentGame]]:
    """Return the rounds of the tournament."""
    rounds: list[list[TournamentGame]] = [[] for _ in range(5)]
    for number, results in _ROUNDS.items():
        for games, result in zip(rounds, results, strict=True):
            other = int("".join(filter(str.isdigit, result)) or 0)
            if result in ("bye", "half"):
                games.append(TournamentGame(number, None, 0.5 if result == "half" else None))
            elif result.startswith("won"):
                games.append(TournamentGame(number, other, absent=(other,)))
            elif result[1] == "w":
                games.append(TournamentGame(number, other, _POINTS[result[0]]))
    return rounds


def away(number: int) -> set[int]:
    """Return who is not paired in a round, from 1."""
    return {player for player, results in _ROUNDS.items() if results[number - 1] in ("half", "out")}
