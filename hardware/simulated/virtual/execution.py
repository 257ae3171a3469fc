"""Execution of the requested moves on the table, one after the other, by arms that the camera sees."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from companion.games.patchwork import SIDE
from companion.languages import said
from hardware.simulated.drawing.pose import Pose
from hardware.simulated.drawing.sprites import CELL_MM
from hardware.simulated.leather import LEATHER
from hardware.simulated.people.gestures import Arm, Listen, Pace, Script
from hardware.simulated.scene.placing import Lying, turned_to
from hardware.simulated.scene.table import SimulatedTable
from hardware.simulated.virtual.box import MoveRefusedError
from hardware.simulated.virtual.moves import Bump, Bumped, Circumstances, Forget, Lay, Lift, Move, Place, Shift, Turn
from hardware.simulated.virtual.tabletop import Piece, Token

MOST_TOKENS: Final = 12
"""The greatest number of button tokens on the boards."""


@dataclass(slots=True)
class _Handled:
    """A piece on a board or under way.

    Attributes:
        name: its name.
        place: its present or future place.
        lying: its exact pose; None on its way out of the circle.
        busy: whether a hand has it, or is about to.
    """

    name: str
    place: Place
    lying: Lying | None = None
    busy: bool = True


class Handiwork:
    """The hands at a remotely operated table.

    Args:
        table: the table.
        pace: durations of arms' movements.
        leather: number of leather patches.
    """

    def __init__(self, table: SimulatedTable, pace: Pace, leather: int) -> None:
        self._table, self._leather = table, leather
        self._arms = (Arm(table, 1, pace), Arm(table, 2, pace))
        self._pieces: dict[int, _Handled] = {}
        self._tokens: dict[int, tuple[int, Pose]] = {}
        self._scripts: deque[Script] = deque()
        self._until_s = float("-inf")
        self._numbered = 0
        self.circumstances = Circumstances.of(table.conditions)
        self._adopt()

    @property
    def leather_left(self) -> int:
        """The number of leather patches that are on no quilt."""
        return self._leather - sum(piece.name == LEATHER for piece in self._pieces.values())

    @property
    def fetched(self) -> frozenset[str]:
        """The patches that have left the circle, or are about to."""
        return frozenset(piece.name for piece in self._pieces.values())

    def pieces(self) -> tuple[Piece, ...]:
        """Return the pieces on the boards or on their way there."""
        return tuple(_seen(number, piece) for number, piece in self._pieces.items())

    def tokens(self) -> tuple[Token, ...]:
        """Return the button tokens on the boards."""
        return tuple(Token(number, seat, *_cells_of(pose)) for number, (seat, pose) in self._tokens.items())

    def begin(self, move: Move) -> None:
        """Queue a move after the earlier ones; changes of light and bumps take effect at once.

        Raises:
            MoveRefusedError: the move is impossible.
        """
        if isinstance(move, Circumstances):
            self.circumstances = move
            self._table.under(move.on(self._table.conditions))
        elif isinstance(move, Bump):
            self._bump(move)
        else:
            self._scripts.append(self._script(move))

    def step(self, now_s: float) -> None:
        """Advance the arms up to this time."""
        # Sums of frame times are inexact.
        while self._scripts and now_s >= self._until_s - 1e-6:
            try:
                waiting = next(self._scripts[0])
            except StopIteration:
                self._scripts.popleft()
                continue
            self._until_s = now_s + (waiting.timeout_s if isinstance(waiting, Listen) else waiting.seconds)

    def _script(self, move: Lay | Shift | Turn | Lift | Forget) -> Script:
        if isinstance(move, Lay):
            # Refused at once if impossible, but prepared when its turn comes: earlier moves change the board.
            return self._laying(self._taken_up(move))
        if isinstance(move, Forget):
            return self._forgetting(move)
        if isinstance(move, Lift) and move.piece in self._tokens:
            return self._picking_up(move.piece)
        piece = self._free(move.piece)
        if isinstance(move, Lift):
            piece.busy = True
            return self._lifting(move.piece)
        place = move.place if isinstance(move, Shift) else _turned(piece, move)
        came_from, piece.place, piece.busy = piece.place.seat, place, True
        return self._shifting(piece, came_from)

    def _taken_up(self, move: Lay) -> _Handled:
        if move.name == LEATHER and self.leather_left < 1:
            raise MoveRefusedError(said("All leather patches are already on the quilts."))
        if move.name != LEATHER and (move.name in self.fetched or move.name not in self._table.market):
            raise MoveRefusedError(said("That patch is no longer in the circle."))
        piece = _Handled(move.name, move.place)
        self._pieces[self._next()] = piece
        return piece

    def _free(self, number: int) -> _Handled:
        piece = self._pieces.get(number)
        if piece is None:
            raise MoveRefusedError(said("That is no longer there."))
        if piece.busy:
            raise MoveRefusedError(said("A hand already has it: wait a moment."))
        return piece

    def _laying(self, piece: _Handled) -> Script:
        seat, lying = piece.place.seat, self._prepared(piece)
        if self.circumstances.arms:
            yield from self._arms[seat - 1].bring(seat, lying)
        else:
            self._table.put(seat, lying)
        piece.lying, piece.busy = lying, False

    def _shifting(self, piece: _Handled, came_from: int) -> Script:
        before, to = _lain(piece), piece.place.seat
        # Its own present place does not obstruct it.
        self._table.lift(came_from, before)
        lying = self._prepared(piece)
        self._table.put(came_from, before)
        if self.circumstances.arms:
            yield from self._arms[to - 1].shift(came_from, before, to, lying)
        else:
            self._table.lift(came_from, before)
            self._table.put(to, lying)
        piece.lying, piece.busy = lying, False

    def _lifting(self, number: int) -> Script:
        piece = self._pieces[number]
        seat, lying = piece.place.seat, _lain(piece)
        if self.circumstances.arms:
            yield from self._arms[seat - 1].take(seat, lying)
        else:
            self._table.lift(seat, lying)
        del self._pieces[number]

    def _prepared(self, piece: _Handled) -> Lying:
        """Return its exact pose after the move."""
        name, place = piece.name, piece.place
        if not place.snapped:
            return self._laid_freely(name, place)
        cells = place.cells(name)
        laid = self._table.prepared(place.seat, name, cells)
        # A piece with symmetries is laid in the requested orientation.
        turn_deg = 90.0 * (place.quarters - turned_to(name, cells)[1])
        return Lying(name, place.flipped, laid.pose.moved(turn_deg=turn_deg), laid.layer)

    def _laid_freely(self, name: str, place: Place) -> Lying:
        pose = Pose(*_mm_of(place.x_cells, place.y_cells), 90.0 * place.quarters)
        lying = Lying(name, place.flipped, pose)
        covered = set(lying.cells())
        below = [other.layer for other in self._table.pieces(place.seat) if covered & set(other.cells())]
        return replace(lying, layer=1 + max(below, default=-1))

    # ------------------------------------------------------------------ tokens and bumps

    def _forgetting(self, move: Forget) -> Script:
        if len(self._tokens) >= MOST_TOKENS:
            raise MoveRefusedError(said("There are enough button tokens on the boards."))
        token = (move.seat, Pose(*_mm_of(move.x_cells, move.y_cells)))
        self._tokens[self._next()] = token
        return self._touching(token, lambda: self._table.strays.append(token))

    def _picking_up(self, number: int) -> Script:
        token = self._tokens.pop(number)
        return self._touching(token, lambda: self._table.strays.remove(token))

    def _touching(self, token: tuple[int, Pose], act: Callable[[], None]) -> Script:
        seat, pose = token
        if self.circumstances.arms:
            on_table = pose.on(self._table.board_pose(seat))
            yield from self._arms[seat - 1].touch((on_table.x_mm, on_table.y_mm), act)
        else:
            act()

    def _bump(self, move: Bump) -> None:
        if move.what is Bumped.CAMERA:
            self._table.knock_camera(move.by_mm)
        else:
            self._table.knock_board(1 if move.what is Bumped.BOARD_1 else 2, move.by_mm)

    # ------------------------------------------------------------------ numbers

    def _next(self) -> int:
        self._numbered += 1
        return self._numbered

    def _adopt(self) -> None:
        """Assign numbers to the pieces that are already on the boards."""
        for seat in (1, 2):
            for lying in self._table.pieces(seat):
                place = Place(seat, *_cells_of(lying.pose), _quarters(lying.pose), lying.flipped)
                self._pieces[self._next()] = _Handled(lying.name, place, lying, busy=False)


def _lain(piece: _Handled) -> Lying:
    if piece.lying is None:
        raise ValueError(f"{piece.name} does not lie on a board yet")
    return piece.lying


def _seen(number: int, piece: _Handled) -> Piece:
    place, lying = piece.place, piece.lying
    if lying is None or piece.busy:
        cells = place.cells(piece.name)
        at, angle_deg, flipped = (place.x_cells, place.y_cells), 90.0 * place.quarters, place.flipped
    else:
        cells, at, angle_deg, flipped = lying.cells(), _cells_of(lying.pose), lying.pose.angle_deg, lying.flipped
    return Piece(number, piece.name, place.seat, *at, angle_deg, flipped, tuple(sorted(cells)), piece.busy)


def _turned(piece: _Handled, move: Turn) -> Place:
    """Return the place of a piece rotated about its middle, and kept on the board."""
    lying = _lain(piece)
    quarters = _quarters(lying.pose)
    # Flipping a rotated piece reverses the direction of its rotation, as seen from above.
    quarters = (move.quarters + (-quarters if move.flip else quarters)) % 4
    x_cells, y_cells = _cells_of(lying.pose)
    place = Place(piece.place.seat, x_cells, y_cells, quarters, lying.flipped != move.flip)
    rows, columns = zip(*place.cells(piece.name), strict=True)
    return replace(place, x_cells=x_cells + _back_in(columns), y_cells=y_cells + _back_in(rows))


def _back_in(lines: tuple[int, ...]) -> int:
    """Return the number of cells by which a piece must be moved along an axis to be on the board."""
    return max(0, -min(lines)) - max(0, max(lines) - SIDE + 1)


def _quarters(pose: Pose) -> int:
    return round(pose.angle_deg / 90) % 4


def _cells_of(pose: Pose) -> tuple[float, float]:
    return pose.x_mm / CELL_MM + SIDE / 2, pose.y_mm / CELL_MM + SIDE / 2


def _mm_of(x_cells: float, y_cells: float) -> tuple[float, float]:
    return (x_cells - SIDE / 2) * CELL_MM, (y_cells - SIDE / 2) * CELL_MM
