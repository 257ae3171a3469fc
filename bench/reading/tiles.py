"""Benchmark of the 7x7 tile's detection beside a player's board, at the end of simulated games and in recordings.

    python -m bench.reading.tiles [--seed 900] [--count 24] [--width 1152]
    python -m bench.reading.tiles RECORDING.truth.json … [--every 10]

Some patches are left in the circle, and half the time the square one, too, which looks most like the tile. For each
table with the tile beside a player's board it prints whether the owner is found; for each with the tile beside the time
board, whether an owner is wrongly reported. Smaller pictures (`--width`) show the pixels per cell that this needs. In
recordings every n-th frame at rest is read, before and after a player has won the tile.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from calibration.locator import SEATS, MatLocator
from calibration.mat import load_mats
from companion.games.patchwork.decisions import decision_from_json
from companion.games.patchwork.rules import History
from companion.patchwork.ending.checks import holder
from companion.patchwork.photograph.hands import LIKE_IT, owner_in
from companion.patchwork.recording import read_head
from hardware.simulated.conditions import normal
from hardware.simulated.scene.table import SimulatedTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.simulated.conditions import Conditions
    from vision.geometry import Homography

# The number of patches left in the circle, besides the square one.
_LEFT = 5


def main() -> None:
    """Look at the tables and print a row for each place of the tile."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("truths", nargs="*", type=Path, metavar="TRUTH")
    parser.add_argument("--every", type=int, default=10, help="so many frames at rest are one that is looked at")
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--width", type=int, default=1536, help="of a picture, in pixels; 16 by 9")
    args = parser.parse_args()
    if args.truths:
        for truth in args.truths:
            _print_recorded(truth, args.every)
        return
    counts: dict[str, Counter[str]] = {"by a board": Counter(), "by the time board": Counter()}
    conditions, sizes_px = normal().but(width_px=args.width, height_px=args.width * 9 // 16), list[float]()
    for seed in range(args.seed, args.seed + args.count):
        for is_sewn in (True, False):
            owner = (None, 1, 2)[seed % 3]
            image, places = _table(seed, owner, conditions, is_sewn=is_sewn)
            if len(places) < len(SEATS):
                continue
            sizes_px += [float(np.hypot(*(place([5, 4.5]) - place([4, 4.5])))) for place in places.values()]
            told = owner_in(image, places, is_square_sewn=is_sewn)
            result = "not told" if told is None else "right" if told == owner else "wrong"
            counts["by the time board" if owner is None else "by a board"][result] += 1
    print(f"{np.mean(sizes_px):.1f} pixels a cell")
    for where, results in counts.items():
        print(f"{where:20}{dict(results)}")


def _print_recorded(truth: Path, every: int) -> None:
    name = truth.name.removesuffix(".truth.json")
    told, head = json.loads(truth.read_text()), read_head(truth.with_name(name))
    locator, history = head.locator(), History(head.setup)
    states = [history.state]
    for each in told["decisions"]:
        history.apply(decision_from_json(each))
        states.append(history.state)
    counts = {"nobody's": Counter[str](), "somebody's": Counter[str]()}
    for frame in [each for each in told["frames"] if each["settled"]][::-every]:
        image = np.asarray(cv2.imread(str(truth.with_name(name) / "frames" / frame["frame"])), np.uint8)
        places, state = dict(sorted(locator.locate(image).items())), states[frame["after"]]
        if len(places) == len(state.seats):
            seat, owner = owner_in(image, places, is_square_sewn=LIKE_IT not in state.box), holder(state)
            result = "not told" if seat is None else "right" if seat == owner else "wrong"
            counts["nobody's" if owner is None else "somebody's"][result] += 1
    for whose, results in counts.items():
        print(f"{name:12}{whose:12}{dict(results)}", flush=True)


def _table(
    seed: int, owner: int | None, conditions: Conditions, *, is_sewn: bool
) -> tuple[NDArray[np.uint8], dict[int, Homography]]:
    """Return a picture of a table at a game's end, and the quilts' places in it by seat."""
    rng, table = np.random.default_rng(seed), SimulatedTable(seed, conditions)
    others = [name for name in table.market if name != "square"]
    table.circle = {others[index] for index in rng.permutation(len(others))[:_LEFT]}
    table.circle |= set() if is_sewn else {"square"}
    table.books = replace(table.books, times=(53, 53), leather_out=(), first=None, bonus=owner)
    image = table.frame(0.0)
    return image, dict(sorted(MatLocator(*load_mats()).locate(image).items()))


if __name__ == "__main__":
    main()
