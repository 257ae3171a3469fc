"""Benchmark of counting the buttons in hand, on table recordings and on simulated tables.

    python -m bench.reading.tokens RECORDING.truth.json … [--every 10]
    python -m bench.reading.tokens RECORDING.truth.json … --in-play
    python -m bench.reading.tokens --simulated 100 --count 40
    python -m bench.reading.tokens --simulated 100 --count 3 --in-play --set candy --table desk-lamp

The truth's decisions tell how many buttons each player has. Of every so many frames at rest, and for both players:
how many counts are sure, of those how many are wrong, which must not be; how many are doubtful, and how many players
have no token that is seen. Players of table recordings pile tokens up, and some lie beyond the picture's edge.
`--in-play` looks once after each decision, as at the table, and learns from the books where each player's tokens lie:
*least* are counts of learnt hands under which more may lie, and *over* those that are more than the books say, which
must not be. `--simulated` takes tables whose players have paid and taken in tokens, changed them, and piled them up or
spread them; with `--in-play` after each of forty payments, some of which come late. `--set` names the tokens that lie
there, one of `token_sets.TOKEN_SETS`; `--unknown` keeps back what the known set is worth, so that it has to be learnt.
Below each row stands what was learnt of values: by value the looks, and after how many pictures first.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.locator import SEATS, MatLocator
from calibration.mat import load_mats
from companion.games.patchwork.decisions import decision_from_json
from companion.games.patchwork.rules import History
from companion.patchwork.ending.token_values import LearntHands
from companion.patchwork.photograph.hands import hands_of, see_heaps
from companion.patchwork.recording import read_head
from hardware.simulated.conditions import TABLES
from hardware.simulated.drawing.sprites import ORDINARY, TOKEN_SETS
from hardware.simulated.scene.placing import settled, worth
from hardware.simulated.scene.table import SimulatedTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from hardware.simulated.conditions import Conditions
    from vision.geometry import Homography

_KINDS: Final = ("hands", "sure", "wrong", "doubtful", "unseen", "least", "as booked", "over")
_MOST: Final = 60
_PAYMENTS: Final = 25
# The number of patches left in the circle.
_LEFT: Final = 4
_LOOKS: Final = 40
_LATE: Final = 0.1
_LOOK_S: Final = 30.0


def main() -> None:
    """Read the pictures and print a row for each recording."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("truths", nargs="*", type=Path, metavar="TRUTH")
    parser.add_argument("--every", type=int, default=10, help="so many frames at rest are one that is read")
    parser.add_argument("--in-play", action="store_true", help="look after each decision, and learn from the books")
    parser.add_argument("--simulated", type=int, metavar="SEED", help="simulated tables from this seed on")
    parser.add_argument("--count", type=int, default=40, help="of simulated tables")
    parser.add_argument("--set", default=ORDINARY, choices=(ORDINARY, *TOKEN_SETS), help="of tokens, simulated")
    parser.add_argument("--table", default="evening", choices=TABLES, help="which simulated table")
    parser.add_argument("--width", type=int, default=1536, help="of simulated pictures, in pixels; 16 by 9")
    parser.add_argument("--unknown", action="store_true", help="keep back what the known set is worth")
    args = parser.parse_args()
    print(f"{'':14}{''.join(f'{kind:>11}' for kind in _KINDS)}   s a picture")
    total = Counter[str]()
    for truth in args.truths:
        name, learnt = truth.name.removesuffix(".truth.json"), _learner(args)
        total += _row(name, _recorded(truth, None if args.in_play else args.every), learnt)
    if args.simulated is not None:
        conditions = TABLES[args.table].but(tokens=args.set, width_px=args.width, height_px=args.width * 9 // 16)
        seeds = range(args.simulated, args.simulated + args.count)
        if args.in_play:
            for seed in seeds:
                total += _row(f"{args.set} {seed}", _evening(seed, conditions), _learner(args))
        else:
            total += _row("simulated", (_simulated(seed, conditions) for seed in seeds))
    print(_line("all", total))


Scene = tuple["NDArray[np.uint8]", "Mapping[int, Homography]", "Mapping[int, int]", "Mapping[int, int]"]
"""A picture, the quilts' places in it, each seat's buttons by the books, and the value of its tokens."""


def _learner(args: argparse.Namespace) -> LearntHands | None:
    if not args.in_play:
        return None
    return LearntHands(known=()) if args.unknown else LearntHands()


def _row(name: str, scenes: Iterator[Scene], learnt: LearntHands | None = None) -> Counter[str]:
    total, pictures, spent_s = Counter[str](), 0, 0.0
    first: dict[tuple[int, float], int] = {}
    for image, places, booked, buttons in scenes:
        if len(places) < len(SEATS):
            continue
        began = time.process_time()
        heaps = see_heaps(image, places, None if learnt is None else learnt.kinds)
        hands = hands_of(heaps) if learnt is None else learnt.hands(heaps)
        if learnt is not None:
            learnt.learn(heaps, booked)
            for kind in learnt.learnt_kinds:
                first.setdefault((kind.value, round(kind.looks.radius_cells, 1)), pictures)
        spent_s, pictures = spent_s + time.process_time() - began, pictures + 1
        for seat in SEATS:
            hand = hands.get(seat)
            total["hands"] += 1
            total["unseen"] += hand is None
            total["doubtful"] += hand is not None and not hand.sure
            total["sure"] += hand is not None and hand.sure
            if hand is not None and hand.is_least:
                total["least"] += not hand.sure
                total["as booked"] += not hand.sure and hand.value == buttons[seat]
                total["over"] += hand.value > buttons[seat]
            if hand is not None and hand.sure and hand.value != buttons[seat]:
                total["wrong"] += 1
                print(f"    {name}: seat {seat} has {buttons[seat]}, read {hand.value}")
    print(f"{_line(name, total)}   {spent_s / max(pictures, 1):.1f}", flush=True)
    if learnt is not None:
        for kind in learnt.learnt_kinds:
            face = ", ".join(f"{part:.0f}" for part in kind.looks.face)
            print(f"    {kind.value:2}: radius {kind.looks.radius_cells:.2f} cells, colour {face}")
        print(f"    learnt first after: {first}", flush=True)
    return total


def _line(name: str, total: Counter[str]) -> str:
    return f"{name:14}{''.join(f'{total[kind]:11}' for kind in _KINDS)}"


def _recorded(truth: Path, every: int | None) -> Iterator[Scene]:
    """Yield every n-th frame at rest, or, if `every` is None, the first after each decision."""
    folder = truth.with_name(truth.name.removesuffix(".truth.json"))
    told, head = json.loads(truth.read_text()), read_head(folder)
    locator, history = head.locator(), History(head.setup)
    buttons = [_buttons(history)]
    for each in told["decisions"]:
        history.apply(decision_from_json(each))
        buttons.append(_buttons(history))
    settled = [each for each in told["frames"] if each["settled"]]
    first = {each["after"]: each for each in reversed(settled)}
    for frame in settled[::every] if every is not None else [first[after] for after in sorted(first)]:
        image = cv2.imread(str(folder / "frames" / frame["frame"]), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(folder / "frames" / frame["frame"])
        picture = np.asarray(image, np.uint8)
        booked = buttons[frame["after"]]
        yield picture, dict(sorted(locator.locate(picture).items())), booked, booked


def _buttons(history: History) -> dict[int, int]:
    return {seat: history.state.seat(seat).buttons for seat in SEATS}


def _evening(seed: int, conditions: Conditions) -> Iterator[Scene]:
    """Yield a table after each payment of an evening; some payments are made only after the picture."""
    rng, table, locator = np.random.default_rng(seed), SimulatedTable(seed, conditions), MatLocator(*load_mats())
    due = list(table.books.buttons)
    for number in range(_LOOKS):
        index, late = int(rng.integers(2)), rng.random() < _LATE
        due[index] = min(max(due[index] + int(rng.integers(-8, 11)), 0), _MOST)
        for each in () if late else (0, 1):
            purses = list(table.books.purses)
            purses[each] = settled(purses[each], purses[1 - each], due[each], stacks=table.stacks[each])
            table.books = replace(table.books, purses=(purses[0], purses[1]))
        table.books = replace(table.books, times=(number, number + 1), leather_out=())
        table.circle = set(table.market[min(number, len(table.market) - _LEFT) :])
        image = table.frame(_LOOK_S * number)
        booked, lie = (dict(zip(SEATS, each, strict=True)) for each in (due, table.books.buttons))
        yield image, dict(sorted(locator.locate(image).items())), booked, lie


def _simulated(seed: int, conditions: Conditions) -> Scene:
    """Return a table at a game's end, after a number of payments in tokens."""
    rng, table = np.random.default_rng(seed), SimulatedTable(seed, conditions)
    purses = list(table.books.purses)
    for _ in range(_PAYMENTS):
        index, change = int(rng.integers(2)), int(rng.integers(-8, 10))
        due = min(max(worth(purses[index]) + change, 0), _MOST)
        purses[index] = settled(purses[index], purses[1 - index], due, stacks=table.stacks[index])
    table.circle = set(table.market[:_LEFT])
    table.books = replace(table.books, purses=(purses[0], purses[1]), times=(53, 53), leather_out=(), first=None)
    places = dict(sorted(MatLocator(*load_mats()).locate(image := table.frame(0.0)).items()))
    lie = dict(zip(SEATS, table.books.buttons, strict=True))
    return image, places, lie, lie


if __name__ == "__main__":
    main()
