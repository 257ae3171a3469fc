"""The observation of a quilt: one frame of it, compared with its expected look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.quilt.look import Look
    from vision.table.placed import PlacedPicture


class UnreadableQuiltError(LookupError):
    """A quilt cannot be read: it is out of view or not at rest, or a board was never seen empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """The observation of a quilt in one frame, compared with its memory.

    Attributes:
        ratios: log-likelihood ratio changed / as expected for each shift of the piece laid and each cell of the
            lattice, shape (len(SHIFTS), RING, RING).
        core: the ratios of the cells' middles alone, shape (RING, RING).
        windows: the ratio of each window, from which the others are derived, shape (WINDOWS, WINDOWS).
        crept: cells whose print was found again a little beside its place, shape (RING, RING), bool.
        expected: the look it was compared with.
        look: the registered look.
        shift_px: how far the board has moved since the last look, in view pixels.
        frame: the frame's name.
        picture: the frame's image with the boards' places.
        is_shaken: whether it depends on a belief whose decision was undone.
    """

    ratios: NDArray[np.float64]
    core: NDArray[np.float64]
    windows: NDArray[np.float64]
    crept: NDArray[np.bool_]
    expected: Look
    look: Look
    shift_px: float
    frame: str
    picture: PlacedPicture
    is_shaken: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Understood:
    """An observation of a quilt that a decision explains.

    Attributes:
        observation: the observation.
        quilt: the covered cells now, as the rules' bit mask.
        believed: the cells that players have confirmed, as a bit mask; the cells next to them are confirmed, too.
    """

    observation: Observation
    quilt: int
    believed: int = 0
