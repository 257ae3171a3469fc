"""Movements of hands over the simulated table, and the companion's news that players react to."""

import math
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from companion.games.patchwork.decisions import Decision
from hardware.simulated.scene.placing import Cell, Hand, Lying
from hardware.simulated.scene.table import SimulatedTable


@dataclass(frozen=True, slots=True)
class Opened:
    """A game was opened: players may begin."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The companion accepted a decision."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Proposed:
    """The companion has announced a partner's decision, for a player to carry out."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Undone:
    """The companion undid the last decision."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """The companion rejects what it saw; `cells` are names such as "C4"."""

    reason: str
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """The companion is unsure between these options, and shows the first one, or none of them first."""

    options: tuple[Decision, ...]
    none_first: bool = False

    def steps_to(self, option: Decision) -> int:
        """Return how many presses of `advance` display an option."""
        return self.options.index(option) + self.none_first


@dataclass(frozen=True, slots=True)
class Answered:
    """The question is closed."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """The companion has reported on the table: players check the pieces' places."""


News: TypeAlias = Opened | Accepted | Proposed | Undone | Complaint | Question | Answered | Noticed


Spot: TypeAlias = tuple[float, float]
"""A place in table space, (x, y) in millimetres."""
LONGEST_MM = 930.0
"""The greatest distance from the shoulder at which the end of the sleeve stays out of the picture."""
HOME_MM = 260.0
"""Distance from the shoulder of a hand that is not over the table, out of every picture."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait for a number of simulated seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Listen:
    """A wait for news with a timeout in simulated seconds, after which None is sent."""

    timeout_s: float


_T = TypeVar("_T")
Returning: TypeAlias = Generator[Wait | Listen, News | None, _T]
"""A player's actions that return a value: they yield waits, and are sent the companion's news."""
Script: TypeAlias = Returning[None]


@dataclass(frozen=True, slots=True)
class Pace:
    """The durations of gestures.

    Attributes:
        frame_s: time between two frames.
        travel_frames: frames of a hand's movement in each direction; with 0 it is visible only at its destination.
        settle_frames: frames without a hand before a button is pressed.
        think_s: time before a player reaches out.
        opening_frames: frames before the first hand, with both boards empty.
        closing_frames: frames after the last decision.
    """

    frame_s: float
    travel_frames: int = 0
    settle_frames: int = 4
    think_s: float = 0.0
    opening_frames: int = 6
    closing_frames: int = 5

    @classmethod
    def fast(cls, fps: float) -> "Pace":
        """Return the fastest pace, with essential frames only."""
        return cls(1 / fps)

    @classmethod
    def natural(cls, fps: float) -> "Pace":
        """Return the pace of ordinary people: a hand moves for a second."""
        travel = max(2, round(0.8 * fps))
        return cls(1 / fps, travel, max(4, round(0.9 * fps)), 0.8, max(6, round(1.5 * fps)), max(5, round(2 * fps)))


class Arm:
    """One player's arm."""

    def __init__(self, table: SimulatedTable, seat: int, pace: Pace) -> None:
        self._table, self._seat, self._pace = table, seat, pace

    def lay(self, board: int, name: str, cells: Iterable[Cell], unsteady: float, linger: bool) -> Returning[Lying]:
        """Fetch a piece, lay it on the cells of a board and leave; with `linger` the hand is still seen at the end."""
        piece = self._table.prepared(board, name, cells, unsteady)
        yield from self.bring(board, piece, linger)
        return piece

    def bring(self, board: int, piece: Lying, linger: bool = False) -> Script:
        """Fetch a piece, put it down in its exact pose, and leave; with `linger` the hand is still seen at the end."""
        spot = self._table.spot_mm(board, piece)
        yield from self._fetch(piece.name, piece, spot)
        self._table.put(board, piece)
        self._table.press(board, piece)
        # Without frames of travel, the hand is shown once on its way back.
        if linger and not self._pace.travel_frames:
            self._table.hands = (self._hand(self._towards(spot, 0.3)),)
            return
        yield from self._leave(spot, linger)

    def shift(self, board: int, piece: Lying, to: int, moved: Lying) -> Script:
        """Move a piece from a board to an exact pose on that board or the other, and leave."""
        start, spot = self._table.spot_mm(board, piece), self._table.spot_mm(to, moved)
        yield from self._reach(start, None)
        self._table.lift(board, piece)
        # `lift` returns a patch to the circle, but this one stays in the hand.
        self._table.circle.discard(piece.name)
        yield from self._carry(start, spot, moved)
        self._table.put(to, moved)
        self._table.press(to, moved)
        yield from self._leave(spot, linger=False)

    def hover(self, board: int, name: str, cells: Iterable[Cell], hold_s: float) -> Script:
        """Fetch a piece, hold it still over the cells of a board, and return it."""
        piece = self._table.prepared(board, name, cells, 1.0)
        spot = self._table.spot_mm(board, piece)
        was_open = name in self._table.circle
        yield from self._fetch(name, piece, spot)
        yield Wait(hold_s)
        yield from self._leave(spot, linger=False)
        # Leather is never in the circle.
        if was_open:
            self._table.circle.add(name)

    def take(self, board: int, piece: Lying) -> Script:
        """Take a piece off a board."""
        spot = self._table.spot_mm(board, piece)
        yield from self._reach(spot, None)
        self._table.lift(board, piece)
        yield from self._leave(spot, linger=False)

    def touch(self, spot_mm: Spot, act: Callable[[], None] = lambda: None) -> Script:
        """Reach for a place in table space, perform an action there, and leave."""
        yield from self._reach(spot_mm, None)
        act()
        yield from self._leave(spot_mm, linger=False)

    def within_reach(self, spot_mm: Spot) -> bool:
        """Return whether the arm is so long that the end of its sleeve is never in the picture."""
        return math.dist(spot_mm, self._table.layout.shoulders_mm[self._seat - 1]) < LONGEST_MM

    def _fetch(self, name: str, piece: Lying, spot: Spot) -> Script:
        """Carry a piece over a spot; if the pace has time, the hand visibly takes it out of the circle."""
        start = self._table.circle_spot_mm(name)
        seen = self._pace.travel_frames and start is not None and self.within_reach(start)
        if seen and start is not None:
            yield from self._reach(start, None)
            self._table.circle.discard(name)
            yield from self._carry(start, spot, piece)
            return
        self._table.circle.discard(name)
        yield from self._reach(spot, piece)

    def _carry(self, start: Spot, spot: Spot, piece: Lying) -> Script:
        for step in range(1, self._pace.travel_frames):
            part = _eased(step / self._pace.travel_frames)
            on_way = (start[0] + (spot[0] - start[0]) * part, start[1] + (spot[1] - start[1]) * part)
            self._table.hands = (self._hand(on_way, piece),)
            yield Wait(self._pace.frame_s)
        self._table.hands = (self._hand(spot, piece),)
        yield Wait(self._pace.frame_s)

    def withdraw(self) -> None:
        """Remove the hand."""
        self._table.hands = ()

    def _reach(self, spot: Spot, piece: Lying | None) -> Script:
        for step in range(self._pace.travel_frames):
            self._table.hands = (self._hand(self._towards(spot, 1 - step / self._pace.travel_frames), piece),)
            yield Wait(self._pace.frame_s)
        self._table.hands = (self._hand(spot, piece),)
        yield Wait(self._pace.frame_s)

    def _leave(self, spot: Spot, linger: bool) -> Script:
        frames = self._pace.travel_frames // 2 if linger else self._pace.travel_frames
        for step in range(frames):
            self._table.hands = (self._hand(self._towards(spot, (step + 1) / (self._pace.travel_frames + 1))),)
            yield Wait(self._pace.frame_s)
        if not linger:
            self.withdraw()

    def _towards(self, spot: Spot, part: float) -> Spot:
        """Return a place on the way from a spot back to where the hand is not visible."""
        shoulder = self._table.layout.shoulders_mm[self._seat - 1]
        away = (spot[0] - shoulder[0], spot[1] - shoulder[1])
        bent = HOME_MM / max(HOME_MM, (away[0] ** 2 + away[1] ** 2) ** 0.5)
        home = (shoulder[0] + away[0] * bent, shoulder[1] + away[1] * bent)
        eased = _eased(part)
        return spot[0] + (home[0] - spot[0]) * eased, spot[1] + (home[1] - spot[1]) * eased

    def _hand(self, at_mm: Spot, carrying: Lying | None = None) -> Hand:
        return Hand(self._seat, at_mm[0], at_mm[1], carrying)


def _eased(part: float) -> float:
    """Return a smoothstep of 0..1: hands start and stop gently."""
    return part * part * (3 - 2 * part)
