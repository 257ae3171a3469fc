"""The names of the pieces that were read; labels tell which of two patches of one shape and one income it is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.games.patchwork import PATCHES, SIDE, cell_name
from vision.labels import LABEL_CELL_PX, label_correlations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from companion.scoring.reading import QuiltReading, ReadPiece
    from vision.homography import Homography

LEATHER_NAME: Final = "leather"
"""What a leather patch is called where patches are listed by their ids."""
_MARGIN_CELLS: Final = 0.2
"""A patch may lie a little beside its cells."""


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A piece on a quilt.

    Attributes:
        patch: its id, or LEATHER_NAME.
        cells: their names, row by row.
        confidence: how likely just this piece lies just there, 0..1; twins are taken for one.
    """

    patch: str
    cells: tuple[str, ...]
    confidence: float


def name_pieces(
    image: NDArray[np.uint8], places: Mapping[int, Homography], readings: Mapping[int, QuiltReading]
) -> dict[int, tuple[SeenPiece, ...]]:
    """Name the pieces on each seat's quilt.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        places: by seat, the map from cell space to pixels of the photograph.
        readings: by seat, what was read.
    """
    listed = [(seat, piece) for seat, reading in readings.items() for piece in reading.pieces]
    names = [piece.patches[0] if piece.patches else LEATHER_NAME for _, piece in listed]
    for patches in {piece.patches for _, piece in listed if len(piece.patches) > 1}:
        alike = [index for index, (_, piece) in enumerate(listed) if piece.patches == patches]
        closeups = [_closeup(image, places[listed[index][0]], listed[index][1].cells) for index in alike]
        for index, name in zip(alike, name_twins(closeups, patches), strict=True):
            names[index] = name
    named = [(seat, _seen(piece, name)) for (seat, piece), name in zip(listed, names, strict=True)]
    return {seat: tuple(piece for owner, piece in named if owner == seat) for seat in readings}


def _seen(piece: ReadPiece, name: str) -> SeenPiece:
    return SeenPiece(name, tuple(cell_name(row * SIDE + column) for row, column in piece.cells), piece.confidence)


def name_twins(closeups: Sequence[NDArray[np.uint8]], patches: Sequence[str]) -> list[str]:
    """Name patches of equal shape by their labels, each name at most once, if there are enough of them.

    Args:
        closeups: a straight-on picture of each, LABEL_CELL_PX pixels a cell, (height, width, 3), uint8, BGR.
        patches: the ids to choose from. Two quilts that were read each by itself may show more than there are.
    """
    labels = [(PATCHES[patch].buttons, PATCHES[patch].time) for patch in patches]
    fits = np.array([label_correlations(closeup, labels) for closeup in closeups])
    rounds = -(-len(closeups) // len(patches))
    ways = sorted(set(permutations([*range(len(patches))] * rounds, len(closeups))))
    best = max(ways, key=lambda way: sum(fits[row, column] for row, column in enumerate(way)))
    return [patches[column] for column in best]


def _closeup(image: NDArray[np.uint8], place: Homography, cells: Sequence[tuple[int, int]]) -> NDArray[np.uint8]:
    """The bounding box of a patch straight on, LABEL_CELL_PX pixels a cell."""
    corners = np.array(cells)[:, ::-1]
    first, last = corners.min(axis=0) - _MARGIN_CELLS, corners.max(axis=0) + 1 + _MARGIN_CELLS
    to_cells = np.array([[1 / LABEL_CELL_PX, 0, first[0]], [0, 1 / LABEL_CELL_PX, first[1]], [0, 0, 1.0]])
    width, height = np.ceil((last - first) * LABEL_CELL_PX).astype(int).tolist()
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, place.matrix @ to_cells, (width, height), flags=flags), np.uint8)
