"""Frames per second of the simulated table on one core, beside a floor: noise and JPEG alone at the same size.

Run by hand: `python -m bench.costs.render [--frames N]`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import count
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.games.patchwork.components import fits
from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing.pinhole import Sensor
from hardware.simulated.scene.lighting import LEAN_S
from hardware.simulated.scene.placing import Hand
from hardware.simulated.scene.table import SimulatedTable, cells_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.simulated.scene.placing import Lying

_SHADY: Final = Conditions(desk_lamp=0.85, people=1.0)


def filled_table(conditions: Conditions, seed: int = 1) -> SimulatedTable:
    """Return a table in mid-game, with about half of each quilt covered."""
    table, rng = SimulatedTable(seed, conditions), np.random.default_rng(seed)
    for seat in (1, 2):
        quilt = 0
        for patch in rng.permutation(sorted(table.circle))[:9]:
            free = fits(str(patch), quilt)
            if not free:
                continue
            mask = int(free[int(rng.integers(len(free)))])
            table.lay(seat, str(patch), cells_of(mask))
            quilt |= mask
    return table


def _milliseconds(work: Callable[[], object], times: int) -> list[float]:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    return taken


def _with_hand(table: SimulatedTable) -> Callable[[], object]:
    board, rng = table.board_pose(1), np.random.default_rng(2)
    piece: Lying = table.prepared(1, sorted(table.circle)[0], _somewhere(table))

    def work() -> object:
        dx, dy = rng.uniform(-70, 70, 2)
        table.hands = (Hand(1, board.x_mm + float(dx), board.y_mm + float(dy), piece),)
        return table.frame(0.0)

    return work


def _somewhere(table: SimulatedTable) -> tuple[tuple[int, int], ...]:
    return cells_of(fits(sorted(table.circle)[0], 0)[0])


def _with_change(table: SimulatedTable) -> Callable[[], object]:
    def work() -> object:
        piece = table.pieces(2)[0]
        table.lift(2, piece)
        table.put(2, piece)
        table.strays = [] if table.strays else [(2, piece.pose)]
        return table.frame(0.0)

    return work


def _with_shadow(table: SimulatedTable) -> Callable[[], object]:
    looks = count()
    return lambda: table.frame(LEAN_S * (next(looks) + 0.5))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=100)
    frames: int = parser.parse_args().frames
    cv2.setNumThreads(1)
    conditions = Conditions()
    table = filled_table(conditions)
    began = time.perf_counter()
    still = table.frame(0.0)
    first_ms = (time.perf_counter() - began) * 1000
    size = (conditions.width_px, conditions.height_px)
    sensor = Sensor(size, conditions.noise, conditions.jpeg_quality, np.random.default_rng(1))
    rows = {
        "floor: noise and JPEG alone": _milliseconds(lambda: sensor.expose(still), frames),
        "settled": _milliseconds(lambda: table.frame(0.0), frames),
        "a piece changed": _milliseconds(_with_change(table), frames),
        "a moving hand with a patch": _milliseconds(_with_hand(table), frames),
        "a shadow moved, by a desk lamp": _milliseconds(_with_shadow(filled_table(_SHADY)), frames),
    }
    floor = statistics.median(rows["floor: noise and JPEG alone"])
    print(f"{size[0]}x{size[1]}, one core, {frames} frames each; the first frame of an evening took {first_ms:.0f} ms")
    print(f"{'':32}{'median ms':>10}{'p95 ms':>9}{'frames/s':>10}{'x floor':>9}")
    for name, taken in rows.items():
        median, late = statistics.median(taken), sorted(taken)[int(0.95 * len(taken))]
        print(f"{name:32}{median:10.1f}{late:9.1f}{1000 / median:10.1f}{median / floor:9.2f}")


if __name__ == "__main__":
    main()
