"""Single purchases of patches that have a twin: the evidence of the label on the quilt, and of the circle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from calibration.locator import MatLocator
from calibration.mat import load_mat
from companion.games.patchwork.components import PATCHES, placements, twins_of
from companion.patchwork.circle.evidence import circle_of
from companion.patchwork.circle.seeing import see_market
from companion.patchwork.reading.twins import twin_likelihoods
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.scene.table import cells_of
from vision.table.plane import PlacedPicture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.simulated.conditions import Conditions

_NEAR_PX = 12.0
TWINS = tuple(patch for patch in PATCHES if twins_of(patch))


@dataclass(frozen=True, slots=True)
class TwinLead:
    """The lead of the right twin, in log-likelihood.

    Attributes:
        by_label: by the label on the patch on the quilt.
        by_circle: by the piece missing from the circle.
        distinguished: whether both twins were named correctly in the circle.
    """

    by_label: float
    by_circle: float
    distinguished: bool


def purchases(seed: int, conditions: Conditions) -> Iterator[TwinLead]:
    """Buy each patch that has a twin, on a simulated table, and yield the lead of the right one."""
    evening = SimulatedEvening(seed, conditions)
    table, locator, rng = evening.table, MatLocator(load_mat()), np.random.default_rng(seed)
    image = table.frame(0.0)
    boards = dict(locator.locate(image))
    # They are bought out of order, so the circle's beginning must not be used as evidence.
    seen = replace(see_market(image, list(boards.values())), begins="nowhere")
    places = {piece.name: piece.outline_px.mean(axis=0) for piece in table.circle_pieces()}
    right = {
        piece.patch
        for piece in seen.pieces
        if piece.patch is not None and np.hypot(*(piece.outline_px.mean(axis=0) - places[piece.patch])) < _NEAR_PX
    }
    for number, patch in enumerate(TWINS):
        circle = circle_of(seen, PlacedPicture(image, boards))
        seat, mask = 1 + number % 2, placements(patch)[int(rng.integers(len(placements(patch))))]
        piece = table.lay(seat, patch, cells_of(mask))
        now = table.frame(2.0 + number)
        scene = PlacedPicture(now, dict(locator.locate(now)))
        pair = (patch, *twins_of(patch))
        label = twin_likelihoods(now, scene.boards[seat], mask, pair)
        gone = np.zeros(2) if circle is None else circle.likelihoods(pair, scene)
        table.lift(seat, piece)
        yield TwinLead(float(label[0] - label[1]), float(gone[0] - gone[1]), right >= {*pair})
