"""The core against a second, slow set of rules: counted sequences from listed positions, and whole games side by side.

`PlainGame` shares nothing with the core but the data files: it works with sets of (row, column) and plain lists, tries
every turn of a patch in every place, and finds the mover from a pile of tokens.
"""

import json
import random
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from companion.games.patchwork.cells import rows_of
from companion.games.patchwork.decisions import Decision, decision_from_json, decision_to_json
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, apply
from companion.games.patchwork.state import Setup, State, score
from companion.patchwork.codec import header_from_json

Cell = tuple[int, int]
Move = dict[str, Any]

POSITIONS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "perft.toml").read_text())["position"]
PATCH_DATA = tomllib.loads(files("companion.games.patchwork").joinpath("patches.toml").read_text())["patch"]
PAYDAYS = [5, 11, 17, 23, 29, 35, 41, 47, 53]
LEATHER = {"original": [20, 26, 32, 44, 50], "revised": [26, 32, 38, 44, 50]}


def turned(rows: list[str]) -> list[list[Cell]]:
    """Return the orientations of a drawing, eight or fewer."""
    drawings = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        drawings += [rows, [row[::-1] for row in rows]]
    ways = [[(r, c) for r, row in enumerate(lay) for c, mark in enumerate(row) if mark == "X"] for lay in drawings]
    return [way for number, way in enumerate(ways) if way not in ways[:number]]


def name(cell: Cell) -> str:
    return "ABCDEFGHI"[cell[1]] + "123456789"[cell[0]]


def move_key(move: Move) -> tuple[str, ...]:
    return (move["move"], move.get("patch", ""), *sorted(move.get("cells", [])))


SHAPES = {entry["id"]: turned(entry["cells"]) for entry in PATCH_DATA}
PRICES = {entry["id"]: entry for entry in PATCH_DATA}


class PlainGame:
    def __init__(self, header: dict[str, Any]) -> None:
        self.header = header
        self.quilts: list[set[Cell]] = [set(), set()]
        self.buttons, self.income, self.time, self.bonus = [5, 5], [0, 0], [0, 0], [False, False]
        self.circle: list[str] = list(header.get("market") or [entry["id"] for entry in PATCH_DATA])
        first: int = header["first_seat"] - 1
        self.arrivals = [1 - first, first]  # the last to arrive lies on top
        self.leather = list(LEATHER[header.get("edition", "original")])
        self.owed: int | None = None
        self.moves = 0

    def mover(self) -> int | None:
        if self.owed is not None:
            return self.owed
        if self.time == [53, 53]:
            return None
        behind = [seat for seat in (0, 1) if self.time[seat] == min(self.time)]
        return next(seat for seat in reversed(self.arrivals) if seat in behind)

    def legal(self) -> list[Move]:
        mover = self.mover()
        if mover is None:
            return []
        empty = [(r, c) for r in range(9) for c in range(9) if (r, c) not in self.quilts[mover]]
        if self.owed is not None:
            return [{"seat": mover + 1, "move": "leather", "cells": [name(cell)]} for cell in empty]
        found: dict[tuple[str, ...], Move] = {}
        for patch in self.circle[:3] if self.header.get("market") else self.circle:
            if PRICES[patch]["buttons"] <= self.buttons[mover]:
                for shape in SHAPES[patch]:
                    self.try_everywhere(mover, patch, shape, set(empty), found)
        return [*found.values(), {"seat": mover + 1, "move": "advance"}]

    @staticmethod
    def try_everywhere(seat: int, patch: str, shape: list[Cell], empty: set[Cell], found: dict[Any, Move]) -> None:
        for row in range(9 - max(r for r, _ in shape)):
            for column in range(9 - max(c for _, c in shape)):
                cells = [(row + r, column + c) for r, c in shape]
                if empty.issuperset(cells):
                    cells.sort()
                    move = {"seat": seat + 1, "move": "patch", "patch": patch, "cells": [name(c) for c in cells]}
                    found[move_key(move)] = move

    def after(self, move: Move) -> "PlainGame":
        """Return a copy of the game in which this move was played."""
        game = PlainGame(self.header)
        game.quilts, game.bonus = [set(quilt) for quilt in self.quilts], list(self.bonus)
        game.buttons, game.income, game.time = list(self.buttons), list(self.income), list(self.time)
        game.circle, game.arrivals, game.leather = list(self.circle), list(self.arrivals), list(self.leather)
        game.owed, game.moves = self.owed, self.moves
        game.play(move)
        return game

    def play(self, move: Move) -> None:
        me = move["seat"] - 1
        self.moves += 1
        for cell in move.get("cells", []):
            self.quilts[me].add(("123456789".index(cell[1]), "ABCDEFGHI".index(cell[0])))
        if not any(self.bonus) and self.has_square(self.quilts[me]):
            self.bonus[me] = True
        self.owed = None
        if move["move"] == "advance":
            target = min(53, self.time[1 - me] + 1)
            self.buttons[me] += target - self.time[me]
            self.walk(me, target)
        elif move["move"] == "patch":
            label, place = PRICES[move["patch"]], self.circle.index(move["patch"])
            self.circle = self.circle[place:] + self.circle[:place]
            if not self.header.get("market"):
                self.circle.sort(key=list(PRICES).index)
            self.circle.remove(move["patch"])
            self.buttons[me] -= label["buttons"]
            self.income[me] += label["income"]
            self.walk(me, min(53, self.time[me] + label["time"]))

    def walk(self, me: int, target: int) -> None:
        while self.time[me] < target:
            self.time[me] += 1
            if self.time[me] in PAYDAYS:
                self.buttons[me] += self.income[me]
            if self.time[me] in self.leather:
                self.leather.remove(self.time[me])
                self.owed = me if len(self.quilts[me]) < 81 else None
        self.arrivals.remove(me)
        self.arrivals.append(me)

    @staticmethod
    def has_square(quilt: set[Cell]) -> bool:
        return any(
            all((top + r, left + c) in quilt for r in range(7) for c in range(7))
            for top in (0, 1, 2)
            for left in (0, 1, 2)
        )

    def points(self) -> list[int]:
        return [self.buttons[s] + 7 * self.bonus[s] - 2 * (81 - len(self.quilts[s])) for s in (0, 1)]

    def winner(self) -> int | None:
        if self.mover() is not None:
            return None
        one, two = self.points()
        tied = self.arrivals[0 if self.header["rules"] == "official" else 1]
        return 1 + (tied if one == two else int(two > one))

    def drawing(self, seat: int) -> tuple[str, ...]:
        return tuple("".join("X" if (r, c) in self.quilts[seat] else "." for c in range(9)) for r in range(9))


def plain_account(game: PlainGame) -> dict[str, Any]:
    mover = game.mover()
    return {
        "turn": None if mover is None else mover + 1,
        "owed": game.owed is not None,
        "left": game.leather,
        "circle": game.circle,
        "winner": game.winner(),
        "moves": game.moves,
        "seats": [
            (game.buttons[s], game.income[s], game.time[s], game.bonus[s], game.points()[s], game.drawing(s))
            for s in (0, 1)
        ],
    }


def core_account(state: State) -> dict[str, Any]:
    return {
        "turn": state.turn,
        "owed": state.leather_due,
        "left": list(state.leather_left),
        "circle": list(state.unbought),
        "winner": state.winner,
        "moves": state.decisions_made,
        "seats": [(s.buttons, s.income, s.time, s.bonus, score(s), rows_of(s.quilt)) for s in state.seats],
    }


def packer(rng: random.Random, state: State, greed: float) -> Decision:
    """Choose a decision: with probability `greed` one that fills the board from a corner, so that squares form."""
    legal = legal_decisions(state)
    if rng.random() >= greed:
        return legal.pick(rng)
    square = sum(0b1111111 << 9 * row for row in range(7))
    return max(
        (legal[rng.randrange(legal.count())] for _ in range(40)),
        key=lambda decision: (getattr(decision, "cells", 0) & square).bit_count(),
    )


@pytest.mark.parametrize("seed", range(12))
def test_whole_games_side_by_side(seed: int) -> None:
    rng = random.Random(seed)
    circle = [entry["id"] for entry in PATCH_DATA if entry["id"] != "domino"]
    rng.shuffle(circle)
    header: dict[str, Any] = {"format": 1, "game": "patchwork", "players": ["A", "B"], "first_seat": 1 + seed % 2}
    header |= {"rules": ("official", "marker-on-top")[seed // 2 % 2], "edition": ("original", "revised")[seed // 3 % 2]}
    if seed % 5:
        header["market"] = [*circle, "domino"]
    plain, history = PlainGame(header), History(header_from_json(header))
    while True:
        assert core_account(history.state) == plain_account(plain)
        core = [decision_to_json(decision) for decision in legal_decisions(history.state)]
        assert sorted(map(move_key, core)) == sorted(map(move_key, plain.legal()))
        if history.state.finished:
            break
        decision = packer(rng, history.state, greed=(0, 0.5, 0.95)[seed % 3])
        history.apply(decision)
        plain.play(decision_to_json(decision))


def core_sequences(state: State, depth: int) -> int:
    legal = legal_decisions(state)
    if depth == 1:
        return legal.count()
    return sum(core_sequences(apply(state, decision).state, depth - 1) for decision in legal)


def plain_sequences(game: PlainGame, depth: int) -> int:
    """Count by playing every line on a copy of the game: slow, but independent of taking back."""
    legal = game.legal()
    if depth == 1:
        return len(legal)
    return sum(plain_sequences(game.after(move), depth - 1) for move in legal)


def position_id(position: dict[str, Any]) -> str:
    return str(position["name"])


def position_state(position: dict[str, Any]) -> State:
    header, *lines = map(json.loads, position["record"])
    setup: Setup = header_from_json(header)
    history = History(setup)
    for line in lines:
        history.apply(decision_from_json(line))
    return history.state


@pytest.mark.parametrize("position", POSITIONS, ids=position_id)
def test_the_core_counts_the_listed_sequences(position: dict[str, Any]) -> None:
    state = position_state(position)
    counted = [core_sequences(state, depth) for depth in range(1, len(position["sequences"]) + 1)]
    assert counted == position["sequences"]


@pytest.mark.parametrize("position", POSITIONS, ids=position_id)
def test_the_slow_enumeration_counts_the_same(position: dict[str, Any]) -> None:
    header, *moves = map(json.loads, position["record"])
    depths = [depth for depth, count in enumerate(position["sequences"], 1) if count <= 600 or depth == 1]
    game = PlainGame(header)
    for move in moves:
        game.play(move)
    counted = [plain_sequences(game, depth) for depth in depths]
    assert counted == [position["sequences"][depth - 1] for depth in depths]
