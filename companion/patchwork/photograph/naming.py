"""Naming of the pieces read; labels distinguish patches of equal shape and income."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.games.patchwork import SIDE, cell_name
from companion.patchwork.reading.twins import twin_likelihoods

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from companion.patchwork.photograph.reading import QuiltReading, ReadPiece
    from vision.geometry.homography import Homography

LEATHER_NAME: Final = "leather"
"""The name of a leather patch in lists of patches' ids."""


@dataclass(frozen=True, slots=True)
class QuiltPiece:
    """A piece on a quilt.

    Attributes:
        patch: the patch's id, or LEATHER_NAME.
        cells: the names of its cells, row by row.
        confidence: probability of this piece in this place, 0..1; twins count as one.
    """

    patch: str
    cells: tuple[str, ...]
    confidence: float


def name_pieces(
    image: NDArray[np.uint8], places: Mapping[int, Homography], readings: Mapping[int, QuiltReading]
) -> dict[int, tuple[QuiltPiece, ...]]:
    """Name the pieces on each seat's quilt.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        places: by seat, the map from cell space to pixels of the photograph.
        readings: by seat, the reading of its quilt.
    """
    listed = [(seat, piece) for seat, reading in readings.items() for piece in reading.pieces]
    names = [piece.patches[0] if piece.patches else LEATHER_NAME for _, piece in listed]
    for patches in {piece.patches for _, piece in listed if len(piece.patches) > 1}:
        alike = [index for index, (_, piece) in enumerate(listed) if piece.patches == patches]
        likelihoods = [
            twin_likelihoods(image, places[seat], _mask_of(piece), patches)
            for seat, piece in (listed[index] for index in alike)
        ]
        for index, name in zip(alike, name_twins(np.array(likelihoods), patches), strict=True):
            names[index] = name
    named = [(seat, _seen(piece, name)) for (seat, piece), name in zip(listed, names, strict=True)]
    return {seat: tuple(piece for owner, piece in named if owner == seat) for seat in readings}


def _seen(piece: ReadPiece, name: str) -> QuiltPiece:
    return QuiltPiece(name, tuple(cell_name(row * SIDE + column) for row, column in piece.cells), piece.confidence)


def _mask_of(piece: ReadPiece) -> int:
    return sum(1 << row * SIDE + column for row, column in piece.cells)


def name_twins(likelihoods: NDArray[np.float64], patches: Sequence[str]) -> list[str]:
    """Name pieces of equal shape, each name at most once if there are enough names.

    Args:
        likelihoods: log-likelihood of each patch for each piece, shape (pieces, patches).
        patches: the ids to choose from; two quilts that were read independently may have more pieces than ids.
    """
    pieces = len(likelihoods)
    rounds = -(-pieces // len(patches))
    ways = sorted(set(permutations([*range(len(patches))] * rounds, pieces)))
    best = max(ways, key=lambda way: float(likelihoods[range(pieces), way].sum()))
    return [patches[column] for column in best]
