"""Benchmark of seeing by whose board the 7x7 tile lies, on simulated tables as they are at a game's end.

    python -m bench.reading.tiles [--seed 900] [--count 24]

Some patches are left in the circle, and half the time the square one, too, which looks most like the tile. For each
table with the tile by a player's board: whether that is told. For each where it lies by the time board: whether it is
told to be anybody's, which must not be.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace

import numpy as np

from calibration.locator import MatLocator
from calibration.mat import load_mats
from companion.patchwork.photograph.bonus_tile import owner_of
from hardware.simulated.conditions import normal
from hardware.simulated.scene.table import SimulatedTable
from vision.tokens.tiles import find_tiles

_LEFT = 5
"""So many patches are left in the circle, besides the square one."""


def main() -> None:
    """Look at the tables and print a row for each place of the tile."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--count", type=int, default=24)
    args = parser.parse_args()
    counts: dict[str, Counter[str]] = {"by a board": Counter(), "by the time board": Counter()}
    for seed in range(args.seed, args.seed + args.count):
        for is_sewn in (True, False):
            owner = (None, 1, 2)[seed % 3]
            told = _told(seed, owner, is_sewn=is_sewn)
            result = "not told" if told is None else "right" if told == owner else "wrong"
            counts["by the time board" if owner is None else "by a board"][result] += 1
    for place, results in counts.items():
        print(f"{place:20}{dict(results)}")


def _told(seed: int, owner: int | None, *, is_sewn: bool) -> int | None:
    rng, table = np.random.default_rng(seed), SimulatedTable(seed, normal())
    others = [name for name in table.market if name != "square"]
    table.circle = {others[index] for index in rng.permutation(len(others))[:_LEFT]}
    table.circle |= set() if is_sewn else {"square"}
    table.books = replace(table.books, times=(53, 53), leather_out=(), first=None, bonus=owner)
    image = table.frame(0.0)
    places = dict(sorted(MatLocator(*load_mats()).locate(image).items()))
    if len(places) < 2:
        return None
    return owner_of(find_tiles(image, list(places.values())), list(places), is_square_sewn=is_sewn)


if __name__ == "__main__":
    main()
