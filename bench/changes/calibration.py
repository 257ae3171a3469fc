"""Calibration of the evidence of changes: how often is it right, at each visibility of the cell that it comes from?

Boards of `bench.board_scenes` are read as in play, through their own cameras and through degraded ones. For each cell
without a patch, the stated ratio and its visibility are compared with whether a patch has been laid there. Printed are,
by visibility and stated ratio, the true log-likelihood ratios, and the worth of a ratio that fits them best: the tables
of `vision.quilt.changes`.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from bench.board_scenes import OBJECT, BoardEvening, board_evening
from bench.board_scenes.worse import random_worse_camera, through
from bench.changes.scenes import cells_of_patches
from vision.quilt.changes import LIMIT, changed, log_likelihood_ratio, visibility
from vision.quilt.look import RING, QuiltMemory, look_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_LOOKS: Final = 14
# Cameras of each evening: its own, and degraded ones.
_CAMERAS: Final = 3
# Pixels of an object in the view from which a look is left out.
_HIDDEN_PX: Final = 200
_NODES: Final = np.array([0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75])
_RATIOS: Final = (-12.1, -11.9, -9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0, 11.9, 12.1)
_ROUNDS: Final = 200


def calibrate(first: int, evenings: int) -> str:
    """Return the tables from so many random evenings."""
    rows = [row for seed in range(first, first + evenings) for row in _evening(seed)]
    ratios, seen, laid = (np.concatenate(column) for column in zip(*rows, strict=True))
    return "\n".join([_table(ratios, seen, laid), _fits(ratios, seen, laid)])


def _evening(seed: int) -> "Iterator[tuple[NDArray[np.float64], ...]]":
    """Yield for each look the ratios, visibilities and truths of the cells that were bare before it."""
    rng = np.random.default_rng([11, seed])
    evening = board_evening(rng, _LOOKS)
    for camera in range(_CAMERAS):
        yield from _looks(through(random_worse_camera(rng, evening.cell_px), evening, rng) if camera else evening)


def _looks(evening: BoardEvening) -> "Iterator[tuple[NDArray[np.float64], ...]]":
    empty = np.rint(np.mean(evening.empty[:2], axis=0)).astype(np.uint8)
    memory, before = QuiltMemory(empty), np.zeros((RING, RING), np.bool_)
    lay: dict[int, NDArray[np.bool_]] = {}
    for look in evening.looks:
        lies = cells_of_patches(look.covered)
        covered = np.pad(np.any([np.zeros((9, 9), np.bool_), *lies.values()], axis=0), 1)
        expected, current = memory.expected(before), look_at(look.view)
        shifted = log_likelihood_ratio(changed(expected, current))
        ratios, seen = shifted[0], visibility(expected, current, shifted.max(axis=0) < 0)
        still = all((lies[patch] == cells).all() for patch, cells in lay.items() if patch in lies)
        if still and np.count_nonzero(look.covered[16:-16, 16:-16] == OBJECT) <= _HIDDEN_PX:
            bare = np.pad(~before[1:-1, 1:-1], 1)
            yield ratios[bare], seen[bare], covered[bare].astype(np.float64)
        memory, before, lay = memory.lay(look.view, covered), covered, lies


def _table(ratios: "NDArray[np.float64]", seen: "NDArray[np.float64]", laid: "NDArray[np.float64]") -> str:
    base = np.log(laid.mean() / (1 - laid.mean()))
    lines = ["visible  " + "".join(f"{low:>14.1f}" for low in _RATIOS[:-1])]
    for low, high in pairwise((*_NODES, 1.01)):
        line = f"{low:7.2f}  "
        for least, most in pairwise(_RATIOS):
            here = (seen >= low) & (seen < high) & (ratios >= least) & (ratios < most)
            count, share = int(here.sum()), float(laid[here].sum())
            true = np.log((share + 0.5) / (count - share + 0.5)) - base
            line += f"{true:6.1f} ({count:5d})" if count else " " * 14
        lines.append(line)
    return "\n".join(lines)


def _fits(ratios: "NDArray[np.float64]", seen: "NDArray[np.float64]", laid: "NDArray[np.float64]") -> str:
    """Return the worth of ratios by visibility, linear between the nodes, by logistic regression."""
    base = float(np.log(laid.mean() / (1 - laid.mean())))
    lines = ["visibility  " + " ".join(f"{node:5.2f}" for node in _NODES)]
    seen_badly = seen <= _NODES[-1]
    for name, side in (("as expected", seen_badly & (ratios < 0)), ("changed", seen_badly & (ratios > 0))):
        at = np.clip(seen[side], _NODES[0], _NODES[-1])
        weights = np.stack([np.interp(at, _NODES, row) for row in np.eye(len(_NODES))], axis=1)
        power = 2 if name == "as expected" else 1
        terms = weights * (np.sign(ratios[side]) * LIMIT * np.abs(ratios[side] / LIMIT) ** power)[:, None]
        worth = np.full(len(_NODES), 0.3)
        for _ in range(_ROUNDS):
            chance = 1 / (1 + np.exp(-base - terms @ worth))
            # A weak prior, because there are hardly any errors where all is seen well.
            slope = terms.T @ (laid[side] - chance) - (worth - 0.5)
            bend = (terms * (chance * (1 - chance))[:, None]).T @ terms + np.eye(len(worth))
            worth = np.clip(worth + np.clip(np.linalg.solve(bend, slope), -0.05, 0.05), 0.0, 1.0)
        lines.append(f"{name:11} " + " ".join(f"{value:5.2f}" for value in worth))
    return "\n".join(lines)
