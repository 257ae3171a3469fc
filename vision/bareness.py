"""Which cells of a quilt are covered, from one picture, without ever having seen the board empty.

First by what holds for any board; then, with the ground learned from the cells that are likely bare, again and again
until hardly anything changes: each round knows the ground better than the one before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.boardlook import look_at_board
from vision.ground import learn_ground
from vision.groundcues import cell_cues, edge_cues
from vision.network import Network
from vision.quiltfield import Field, posterior
from vision.rectify import SIDE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from vision.boardlook import BoardLook

WEIGHTS_FILE: Final = Path(__file__).with_name("bareness.npz")
LINE, RIM, SEAM, INSIDE = range(4)
"""What an edge is: a line between bare cells, a piece beside a bare cell, between two pieces, inside a piece."""

_ROUNDS: Final = ("unknown", "guessed", "guessed", "known", "known", "known")
"""Networks for a ground that is not known, one learned from a first guess, and one learned better."""
_LIMIT: Final = 7.0
"""No single cell or edge counts for more, as a logarithm."""


@dataclass(frozen=True, slots=True)
class Trust:
    """By how much the logarithms are made smaller: cells, edges and the border see the same print.

    Attributes:
        cell: of cells by themselves.
        edge: of edges between two cells.
        border: of the grid's outermost edges.
    """

    cell: float
    edge: float
    border: float


WHILE_LEARNING: Final = Trust(0.4, 0.3, 0.3)
"""Colour first: a wrong idea of the ground is hard to get rid of again."""
_AT_LAST: Final = Trust(0.1, 0.5, 0.2)
"""Lines first: a patch may have the very colour of the ground, but never its lines."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Log-likelihoods but for a sum common to the classes, limited.

    Attributes:
        cells: [row, column, bare or covered], shape (SIDE, SIDE, 2), float64.
        edges: of the inner edges as a `BoardLook` has its profiles, [axis, line - 1, along, kind of edge], shape
            (2, SIDE - 1, SIDE, 4).
        border: of the outermost lines, [axis, first or last line, along, bare or covered], shape (2, 2, SIDE, 2).
    """

    cells: NDArray[np.float64]
    edges: NDArray[np.float64]
    border: NDArray[np.float64]

    def cells_with_border(self, trust: Trust) -> NDArray[np.float64]:
        """Cells' evidence with that of the grid's outermost edges added, shape (SIDE, SIDE, 2)."""
        cells, border = trust.cell * self.cells, trust.border * self.border
        cells[:, 0] += border[0, 0]
        cells[:, -1] += border[0, 1]
        cells[0] += border[1, 0]
        cells[-1] += border[1, 1]
        return cells


@dataclass(frozen=True, slots=True, eq=False)
class Bareness:
    """What one picture of a quilt says, cell by cell.

    Attributes:
        covered: how likely each cell is covered, shape (SIDE, SIDE), float64, 0..1.
        evidence: what that rests on.
    """

    covered: NDArray[np.float64]
    evidence: Evidence


def read_bareness(view: NDArray[np.uint8]) -> Bareness:
    """Read a rectified view, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR."""
    return read_look(look_at_board(view), networks())


def read_look(look: BoardLook, rounds: Mapping[str, Networks]) -> Bareness:
    """Read a look at a board by the networks of each round."""
    evidence = evidence_of(look, np.zeros((SIDE, SIDE)), rounds[_ROUNDS[0]])
    for name in _ROUNDS[1:]:
        covered = posterior(field_of(evidence, WHILE_LEARNING)).covered
        evidence = evidence_of(look, 1.0 - covered, rounds[name])
    return Bareness(posterior(field_of(evidence, _AT_LAST)).covered, evidence)


@dataclass(frozen=True, slots=True, eq=False)
class Networks:
    """What weighs the cues in one round.

    Attributes:
        cell: classes bare, covered.
        edge: classes LINE, RIM, SEAM, INSIDE.
        border: of the grid's outermost edges; classes bare, covered.
    """

    cell: Network
    edge: Network
    border: Network


def evidence_of(look: BoardLook, bare: NDArray[np.float64], weigh: Networks) -> Evidence:
    """What cells and edges say, given how likely each cell is bare, shape (SIDE, SIDE)."""
    ground = learn_ground(look, bare)
    edges = edge_cues(look, ground)
    return Evidence(
        cells=_limited(weigh.cell, cell_cues(look, ground)),
        edges=_limited(weigh.edge, edges[:, 1:-1]),
        border=_limited(weigh.border, edges[:, [0, -1]]),
    )


def _limited(network: Network, cues: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.clip(network.log_likelihoods(cues), -_LIMIT, _LIMIT)


def field_of(evidence: Evidence, trust: Trust) -> Field:
    """The field of cells that know of their neighbours."""
    edges = trust.edge * evidence.edges
    return Field(evidence.cells_with_border(trust), _pairs(edges[0].transpose(1, 0, 2)), _pairs(edges[1]))


def _pairs(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """[..., first cell's state, second cell's state] from the four kinds of an edge."""
    one = edges[..., RIM]
    two = np.maximum(edges[..., SEAM], edges[..., INSIDE])
    return np.stack([np.stack([edges[..., LINE], one], axis=-1), np.stack([one, two], axis=-1)], axis=-2)


@cache
def networks() -> Mapping[str, Networks]:
    """The networks by the name of their round, read from their file once; `bench/fit_bareness.py` fits them."""
    with np.load(WEIGHTS_FILE, allow_pickle=False) as file:
        arrays = dict(file)
    return {
        name: Networks(*(Network.of(arrays, f"{name}.{part}") for part in ("cell", "edge", "border")))
        for name in set(_ROUNDS)
    }
