"""The placement that a picture shows by itself, where the comparison with the expected look shows none.

A reflection, or light that changes from picture to picture, may wash out what has changed. The network that reads
photographs needs no earlier picture: it sees patches by their seams, buttons and labels.
"""

from typing import Final

import numpy as np

from companion.games.patchwork.state import State
from companion.patchwork.reading.explain import Explanation, ExplanationKind, explain
from companion.patchwork.reading.observer import Observation
from companion.patchwork.watching.watch import lattice_of, mask_of_lattice
from vision.geometry import rectify
from vision.networks import NoNumbersError
from vision.quilt.changes import LIMIT, SHIFTS
from vision.quilt.look import RING
from vision.quilt.network import BARE, look_at_quilt

# Avoids the logarithm of 0 for a cell that is certainly bare.
_LEAST: Final = 1e-9


def seen_alone(state: State, observation: Observation, least: float) -> list[Explanation]:
    """Return the legal placements of at least this probability that the picture by itself shows, the likeliest first.

    Return none unless the likeliest is legal and covers exactly the cells that look otherwise than the game has them.

    Args:
        state: the rules' state; what is read is the quilt of the seat to move.
        observation: its latest observation.
        least: probability of an explanation, 0..1.
    """
    seat, picture = state.mover, observation.picture
    try:
        bare = look_at_quilt(rectify(picture.image, picture.boards[seat]), ways=1).cells[..., BARE]
    except NoNumbersError:
        return []  # `companion doctor` tells of it.
    covered = np.log(np.maximum(-np.expm1(bare), _LEAST))
    changed = np.full((RING, RING), -LIMIT)
    changed[1:-1, 1:-1] = np.clip(covered - bare, -LIMIT, LIMIT)
    changed = np.where(lattice_of(state.seat(seat).quilt), -changed, changed)
    found = explain(np.broadcast_to(changed, (len(SHIFTS), RING, RING)), state, seat)
    if found[0].kind is not ExplanationKind.LEGAL or found[0].mask != mask_of_lattice(changed > 0):
        return []
    return [each for each in found if each.kind is ExplanationKind.LEGAL and each.probability >= least]
