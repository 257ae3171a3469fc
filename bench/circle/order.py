"""Benchmark of the order of the circle: right, wrong and in doubt, or wrong and sure, which must not be.

    python -m bench.circle.order [--circles N]     # without rendering: where simulated people lay the pieces
    python -m bench.circle.order --rendered N      # the same read off rendered pictures

Circles are laid on the three tables of the simulated people and along random lines of their habits: rounded ones, wavy
ones, ones with a bay. Places are as exact as the reader's, a twentieth of a cell. The baseline goes by the pieces'
directions as seen from the time board. `ways` counts wrong circles of which every unclear stretch offers the true way.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.patchwork.circle.order import order_circle
from companion.patchwork.circle.seeing import see_market_in_photo
from hardware.simulated.conditions import normal
from hardware.simulated.drawing.footprint import outline_mm
from hardware.simulated.drawing.sprites import CELL_MM, shape_of
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.scene.circle import lay_circle
from hardware.simulated.scene.layout import Arrangement, arranged
from vision.pieces.maps import MAP_PX, PieceMaps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from companion.patchwork.circle.seen import UnclearStretch
    from hardware.simulated.scene.layout import Layout

_NOISE_CELLS: Final = 0.05
_TABLE_CELLS: Final = 76
_ODDS: Final = 4.0
_MOST_COMBINED: Final = 5000
_LINES: Final = ("round", "wavy", "bay")
_COUNTED: Final = ("circles", "right", "in doubt", "sure", "ways", "baseline")


@dataclass(frozen=True, slots=True, eq=False)
class LaidCircle:
    """A circle as laid by simulated players, in cells of table space.

    Attributes:
        middles: the centres of the pieces in their true order, shape (33, 2).
        token: the (x, y) of the neutral token.
        track: the (x, y) of the time board's centre.
    """

    middles: NDArray[np.float64]
    token: NDArray[np.float64]
    track: NDArray[np.float64]


def laid(name: str, seed: int) -> LaidCircle | None:
    """Return a circle on one of the tables or lines, or None if it does not fit."""
    rng = np.random.default_rng([seed, *name.encode()])
    conditions = replace(normal(), touching=0.3 * float(rng.integers(2)))
    layout = _along_line(name, rng) if name in _LINES else _at_table(Arrangement(name), rng)
    market = [str(patch) for patch in rng.permutation([patch for patch in PATCHES if patch != SMALLEST_PATCH])]
    market.append(SMALLEST_PATCH)
    try:
        circle = lay_circle(layout, market, conditions, rng)
    except ValueError:
        return None
    outlines = [circle.places[patch].place(outline_mm(shape_of(patch, flipped=False))) for patch in market]
    middles = np.array([cv2.minAreaRect(outline.astype(np.float32))[0] for outline in outlines]) / CELL_MM
    shift = np.full(2, _TABLE_CELLS / 2)
    return LaidCircle(
        middles + rng.normal(0, _NOISE_CELLS, middles.shape) + shift,
        np.array([circle.token.x_mm, circle.token.y_mm]) / CELL_MM + shift,
        np.array([layout.time_board.x_mm, layout.time_board.y_mm]) / CELL_MM + shift,
    )


def _at_table(arrangement: Arrangement, rng: np.random.Generator) -> Layout:
    return arranged(arrangement, normal(), rng, mats=arrangement is not Arrangement.OPPOSITE)


def _along_line(name: str, rng: np.random.Generator) -> Layout:
    """Return a table with the time board in the middle of a random line, and the quilts far outside."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    waves = np.sum([rng.normal() * np.cos(k * angles + rng.uniform(0, 2 * np.pi)) / k for k in range(2, 7)], axis=0)
    radius = 1 + {"round": 0.03, "wavy": 0.12, "bay": 0.03}[name] * waves
    if name == "bay":
        off = np.angle(np.exp(1j * (angles - rng.uniform(0, 2 * np.pi))))
        radius *= 1 + rng.uniform(0.35, 0.6) * rng.choice((1, -1)) * np.exp(-((off / rng.uniform(0.3, 0.5)) ** 2))
    line = radius[:, None] * np.stack([rng.uniform(1.0, 1.6) * np.cos(angles), np.sin(angles)], axis=1)
    table = arranged(Arrangement.BETWEEN, normal(), rng, mats=False)
    off_mm = 2000.0
    return replace(
        table,
        mats=(table.mats[0].moved(-off_mm), table.mats[1].moved(off_mm)),
        buttons=(table.buttons[0].moved(-off_mm), table.buttons[1].moved(off_mm)),
        time_board=table.time_board.moved(0, 36),
        ring_mm=tuple((float(x), float(y)) for x, y in 215 * line),
        ring_growth_mm=tuple((float(x), float(y)) for x, y in 120 * line),
        brinks_mm=(),
    )


def ordered(circle: LaidCircle, rng: np.random.Generator) -> tuple[list[int], tuple[UnclearStretch, ...]]:
    """Return the true numbers of the pieces in the order read, and its unclear stretches."""
    shuffled = rng.permutation(len(circle.middles))
    last = int(np.flatnonzero(shuffled == len(shuffled) - 1)[0])
    seen = order_circle(_maps(circle), circle.middles[shuffled], last, full=True)
    return [int(shuffled[number]) for number in seen.order], seen.unclear


def _maps(circle: LaidCircle) -> PieceMaps:
    none = np.full((_TABLE_CELLS * MAP_PX, _TABLE_CELLS * MAP_PX), -_ODDS, np.float32)
    token, track = none.copy(), none.copy()
    x, y = (circle.token * MAP_PX).round().astype(int).tolist()
    cv2.circle(token, (x, y), MAP_PX // 3, (_ODDS,), -1)
    left, top = ((circle.track - 4.5) * MAP_PX).round().astype(int).tolist()
    track[top : top + 9 * MAP_PX, left : left + 9 * MAP_PX] = _ODDS
    return PieceMaps(none, none, none, token, track)


def judged(order: Sequence[int], unclear: Sequence[UnclearStretch]) -> Counter[str]:
    """Return the counts of one circle; `order` has the pieces' true numbers in the order read."""
    true = list(range(len(order)))
    places = {place for stretch in unclear for place in stretch.places}
    count = Counter({"circles": 1, "asked": len(unclear), "places": len(places)})
    if list(order) == true:
        count["right"] = 1
        return count
    turns = ([*true[first:], *true[:first]] for first in true)
    best = max(turns, key=lambda turn: sum(one == other for one, other in zip(turn, order, strict=True)))
    wrong = {place for place, (one, other) in enumerate(zip(best, order, strict=True), start=1) if one != other}
    count["in doubt" if wrong <= places else "sure"] = 1
    count["ways"] = any(_follows(way) for way in _ways(order, unclear))
    return count


def _ways(order: Sequence[int], unclear: Sequence[UnclearStretch]) -> Iterator[list[int]]:
    """Yield the order with every combination of ways through its unclear stretches."""
    if np.prod([len(stretch.ways) for stretch in unclear]) > _MOST_COMBINED:
        return
    for chosen in product(*(stretch.ways for stretch in unclear)):
        way = list(order)
        for stretch, numbers in zip(unclear, chosen, strict=True):
            for place, number in zip(stretch.places, numbers, strict=True):
                way[place - 1] = order[number - 1]
        yield way


def _follows(way: Sequence[int]) -> bool:
    return all((other - one) % len(way) == 1 for one, other in zip(way, [*way[1:], way[0]], strict=True))


def _baseline(circle: LaidCircle) -> bool:
    off = circle.middles - circle.track
    return _follows([int(number) for number in np.argsort(np.arctan2(off[:, 1], off[:, 0]))])


def _rendered(seed: int) -> Counter[str]:
    evening = SimulatedEvening(seed, circle=True)
    seen = see_market_in_photo(evening.camera.capture().image)
    market = list(evening.setup.market or ())
    names = [piece.patch for piece in seen.pieces]
    if sorted(names, key=str) != sorted(market):
        return Counter({"incomplete": 1})
    return judged([market.index(str(name)) for name in names], seen.unclear)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--circles", type=int, default=60, help="of each table and line")
    parser.add_argument("--rendered", type=int, default=0, help="pictures to read instead")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    print(f"{'circle':10}" + "".join(f"{name:>10}" for name in _COUNTED) + f"{'asked':>8}{'places':>8}{'ms':>6}")
    seeds = range(args.seed, args.seed + (args.rendered or args.circles))
    if args.rendered:
        total = Counter[str]()
        for seed in seeds:
            total += _rendered(seed)
            _print_row("rendered", total, 0.0)
        print(f"not all named: {total['incomplete']}")
        return
    total, spent = Counter[str](), 0.0
    for name in (*(each.value for each in Arrangement), *_LINES):
        row, row_s = _row(name, seeds)
        _print_row(name, row, row_s)
        total, spent = total + row, spent + row_s
    _print_row("all", total, spent)


def _row(name: str, seeds: range) -> tuple[Counter[str], float]:
    """Return the counts of the circles of one kind, and the CPU time of ordering them."""
    row, spent_s = Counter[str](), 0.0
    for seed in seeds:
        circle = laid(name, seed)
        if circle is None:
            continue
        began = time.process_time()
        order, unclear = ordered(circle, np.random.default_rng(seed))
        spent_s += time.process_time() - began
        row += judged(order, unclear)
        row["baseline"] += _baseline(circle)
    return row, spent_s


def _print_row(name: str, row: Counter[str], spent_s: float) -> None:
    count = max(1, row["circles"])
    counted = "".join(f"{row[each]:>10}" for each in _COUNTED)
    print(f"{name:10}{counted}{row['asked'] / count:8.2f}{row['places'] / count:8.2f}{1e3 * spent_s / count:6.0f}")


if __name__ == "__main__":
    main()
