"""Clearing of both quilt boards by the players after a game, a handful at a time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.simulated.people.gestures import Arm, Script
    from hardware.simulated.scene.placing import Lying
    from hardware.simulated.scene.table import SimulatedTable

_HANDFUL: Final = 4
"""The number of pieces taken off a board at once."""


def clear_boards(table: SimulatedTable, arms: Sequence[Arm]) -> Script:
    """Take all pieces off both boards, each player off their own, last laid first."""
    for seat, arm in enumerate(arms, start=1):
        while pieces := table.pieces(seat)[-_HANDFUL:]:
            yield from arm.touch(table.spot_mm(seat, pieces[-1]), partial(_lift, table, seat, pieces))


def _lift(table: SimulatedTable, seat: int, pieces: Sequence[Lying]) -> None:
    for piece in reversed(pieces):
        table.lift(seat, piece)
