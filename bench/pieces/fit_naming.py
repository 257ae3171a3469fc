"""Fit how sure a piece's shape is, from its cues (`companion.patchwork.circle.naming`), on simulated circles.

Run by hand: `python -m bench.pieces.fit_naming --circles 4`; it prints the bias, the weights and what they are worth.
The seeds are none of those that `bench.circle.market` lays.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

import numpy as np

from bench.circle.market import simulated
from companion.patchwork.circle.naming import PATCHES_OF, SHAPES, cues
from hardware.simulated.evening import SimulatedEvening
from vision.geometry import GRID_CORNERS, through_corners
from vision.pieces.maps import CELL_PX
from vision.pieces.prints import LOOK_PX
from vision.pieces.search import first_look, locate_pieces
from vision.pieces.sightings import Box
from vision.table.plane import view_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.simulated.conditions import Conditions

_SEEDS_FROM: Final = 5_000_000
_SAME_CELLS: Final = 0.8
_STEPS: Final = 60
# The regularization, which keeps weights small if there are few samples.
_CALM: Final = 0.3


def samples(seed: int, conditions: Conditions) -> tuple[list[NDArray[np.float64]], list[bool]]:
    """Return the cues of each piece of a circle seen as a whole, and whether its likeliest shape is right."""
    evening = SimulatedEvening(seed, conditions)
    image = evening.camera.capture().image
    boards = [through_corners(GRID_CORNERS, quad) for quad in evening.table.grid_corners_px()]
    view, fine = (view_table(image, boards, cell_px) for cell_px in (CELL_PX, LOOK_PX))
    true = {piece.name: view.to_image.inverse(piece.outline_px) for piece in evening.table.circle_pieces()}
    before = first_look(view, Box(SHAPES))
    pieces = [piece for piece in locate_pieces(before, view, fine, Box(SHAPES)).pieces if piece.whole]
    right = []
    for piece in pieces:
        patches = PATCHES_OF[piece.fits[0].shape]
        right.append(any(_same(piece.outline, true[patch]) for patch in patches if patch in true))
    return [cues(piece) for piece in pieces], right


def _same(outline: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Return whether the corners of two outlines coincide."""
    if len(outline) != len(other):
        return False
    apart = np.hypot(*np.moveaxis(outline[:, None] - other[None], -1, 0)).min(axis=1)
    return bool(apart.max() < _SAME_CELLS)


def logistic(x: NDArray[np.float64], y: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return bias and weights of a logistic regression by Newton's method, shape (1 + cues,)."""
    spread = x.std(axis=0) + 1e-9
    middle = x.mean(axis=0)
    rows = np.hstack([np.ones((len(x), 1)), (x - middle) / spread])
    weights, calm = np.zeros(rows.shape[1]), _CALM * np.diag([0.0, *np.ones(x.shape[1])])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (y - chance) - calm @ weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + calm + 1e-9 * np.eye(len(weights))
        weights = weights + np.linalg.solve(curve, slope)
    plain = weights[1:] / spread
    return np.concatenate([[weights[0] - plain @ middle], plain])


def main() -> None:
    """Print bias and weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--circles", type=int, default=4, help="under each condition")
    args = parser.parse_args()
    found, right = [], []
    for _, seed, conditions in simulated(args.circles):
        each, true = samples(_SEEDS_FROM + seed, conditions)
        found += each
        right += true
    x, y = np.array(found), np.array(right)
    weights = logistic(x, y)
    chance = 1 / (1 + np.exp(-(weights[0] + x @ weights[1:])))
    print(f"{len(y)} pieces, {(~y).sum()} wrong; bias {weights[0]:.3f}")
    print("weights", ", ".join(f"{weight:.3f}" for weight in weights[1:]))
    for least in (0.9, 0.95, 0.98, 0.99):
        sure = chance >= least
        print(f"sure from {least:.2f}: {sure.mean():.4f} of them, wrong {(sure & ~y).sum()}")


if __name__ == "__main__":
    main()
