"""Accidental disturbances of a quilt, and their correction."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from companion.games.patchwork import SIDE
from hardware.simulated.drawing.pose import Pose
from hardware.simulated.drawing.sprites import CELL_MM
from hardware.simulated.people.gestures import Arm, Script
from hardware.simulated.scene.placing import Lying
from hardware.simulated.scene.table import SimulatedTable

# The number of pieces taken off a board at once.
_HANDFUL: Final = 4


def clear_boards(table: SimulatedTable, arms: Sequence[Arm]) -> Script:
    """Take all pieces off both boards, each player off their own, last laid first."""
    for seat, arm in enumerate(arms, start=1):
        while pieces := table.pieces(seat)[-_HANDFUL:]:
            yield from arm.touch(table.spot_mm(seat, pieces[-1]), partial(_lift, table, seat, pieces))


def _lift(table: SimulatedTable, seat: int, pieces: Sequence[Lying]) -> None:
    for piece in reversed(pieces):
        table.lift(seat, piece)


_TOO_FAR_MM: Final = CELL_MM / 3


@dataclass(frozen=True, slots=True)
class _Nudged:
    seat: int
    now: Lying
    before: Pose


class Mishaps:
    """Nudged patches and lost tokens that have not been corrected yet."""

    def __init__(self, table: SimulatedTable, rng: np.random.Generator) -> None:
        self._table, self._rng = table, rng
        self._nudged: list[_Nudged] = []
        self._dropped: list[tuple[int, Pose]] = []

    def nudge(self, seat: int) -> None:
        """Brush an earlier patch a few millimetres aside, if there is one."""
        pieces = self._table.pieces(seat)
        if len(pieces) < 2:
            return
        piece = pieces[int(self._rng.integers(len(pieces) - 1))]
        moved = self._table.brush(seat, piece, float(self._rng.uniform(1.5, 3.5)), self._rng)
        self._nudged.append(_Nudged(seat, moved, piece.pose))

    def drop_token(self, seat: int, covered: int) -> None:
        """Leave a button token on a cell that is not in the mask, if there is one."""
        free = [bit for bit in range(SIDE * SIDE) if not covered >> bit & 1]
        if not free:
            return
        row, column = divmod(free[int(self._rng.integers(len(free)))], SIDE)
        dx, dy = self._rng.uniform(-3, 3, 2)
        pose = Pose((column + 0.5 - SIDE / 2) * CELL_MM + float(dx), (row + 0.5 - SIDE / 2) * CELL_MM + float(dy))
        self._table.strays.append((seat, pose))
        self._dropped.append((seat, pose))

    def mend(self) -> list[tuple[float, float]]:
        """Correct everything, and return the places, (x, y) in table space, that a hand has to reach for."""
        spots = []
        for nudged in self._nudged:
            if nudged.now in self._table.pieces(nudged.seat):
                self._table.move(nudged.seat, nudged.now, nudged.before)
                spots.append(self._table.spot_mm(nudged.seat, nudged.now))
        spots += self._straighten()
        # A player who checks the board sees every token on it, whoever left it there.
        self._dropped = list(self._table.strays)
        spots += self._pick_up()
        self._nudged.clear()
        return spots

    def _straighten(self) -> list[tuple[float, float]]:
        """Push back pieces that have moved further off their cells than the rules of the table allow."""
        spots = []
        for seat in (1, 2):
            for piece in self._table.pieces(seat):
                straight = piece.straight().pose
                if np.hypot(straight.x_mm - piece.pose.x_mm, straight.y_mm - piece.pose.y_mm) > _TOO_FAR_MM:
                    spots.append(self._table.spot_mm(seat, piece))
                    self._table.move(seat, piece, straight)
        return spots

    def forget(self) -> None:
        """End the turn: tokens are picked up, nudged patches stay where they are."""
        self._pick_up()
        self._nudged.clear()

    def _pick_up(self) -> list[tuple[float, float]]:
        spots = []
        for seat, pose in self._dropped:
            if (seat, pose) in self._table.strays:
                self._table.strays.remove((seat, pose))
                placed = pose.on(self._table.board_pose(seat))
                spots.append((placed.x_mm, placed.y_mm))
        self._dropped.clear()
        return spots
