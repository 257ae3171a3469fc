"""Players' bookkeeping on the table: buttons, markers on the time board, and the neutral token, with their mistakes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.games.patchwork.state import State
from hardware.simulated.people.gestures import Arm, Pace, Script
from hardware.simulated.people.slips import Slip, Temper
from hardware.simulated.scene.placing import Books, Purse, settled
from hardware.simulated.scene.table import SimulatedTable


@dataclass(slots=True)
class Counts:
    """The players' observations of the companion.

    Attributes:
        misreadings: decisions accepted that differ from the true one.
        unnoticed: decisions accepted although something was wrong on the table.
        undeserved: complaints although nothing was wrong.
        deserved: complaints when something was wrong.
        misnamed: deserved complaints that named another mistake.
        questions: questions asked.
        unforeseen: presses of `confirm` at a hands-free table, without an announcement.
        markers_wrong: markers left on a wrong space.
        markers_mended: those corrected because the companion reported them.
        circle_wrong: cases of a forgotten neutral token or a circle pushed by an elbow.
        circle_mended: those corrected because the companion reported them.
        purses_wrong: cases of a player paying, or taking, one button too few.
    """

    misreadings: int = 0
    unnoticed: int = 0
    undeserved: int = 0
    deserved: int = 0
    misnamed: int = 0
    questions: int = 0
    unforeseen: int = 0
    markers_wrong: int = 0
    markers_mended: int = 0
    circle_wrong: int = 0
    circle_mended: int = 0
    purses_wrong: int = 0


class CircleHabits:
    """Mistakes with the circle.

    Args:
        table: the table.
        rng: source of mistakes.

    Attributes:
        is_token_wrong: whether the neutral token was left in its previous place.
        is_pushed: whether patches were pushed by an elbow.
    """

    def __init__(self, table: SimulatedTable, rng: np.random.Generator) -> None:
        self._table, self._rng = table, rng
        self.is_token_wrong = self.is_pushed = False

    @property
    def are_wrong(self) -> bool:
        """True if there is something to correct."""
        return self.is_token_wrong or self.is_pushed

    def err(self, before: str | None, slips: Mapping[Slip, float]) -> Slip | None:
        """Make a mistake after a move, with the given probabilities, and return it, or None.

        Args:
            before: the patch at which the neutral token stood before the move; it stands correctly now.
            slips: probability of each mistake.
        """
        for slip, likely in slips.items():
            if self._rng.random() < likely and self._done(slip, before):
                return slip
        return None

    def mend(self) -> None:
        """Restore the circle; the token is moved together with everything that shows the books."""
        self._table.straighten_circle()
        self.is_token_wrong = self.is_pushed = False

    def _done(self, slip: Slip, before: str | None) -> bool:
        if slip is Slip.ELBOW:
            self.is_pushed = self._table.push_circle(self._rng) or self.is_pushed
            return self.is_pushed
        if before is None or self._table.books.first in (None, before):
            return False
        self._table.books = replace(self._table.books, first=before)
        self.is_token_wrong = True
        return True


def drawn(slips: Mapping[Slip, float], rng: np.random.Generator) -> Slip | None:
    """Return the first mistake that happens, by the probability of each, or None."""
    return next((slip for slip, likely in slips.items() if rng.random() < likely), None)


def paid(table: SimulatedTable, state: State, surplus: tuple[int, int] = (0, 0)) -> tuple[Purse, Purse]:
    """Return both players' tokens after payments due by the game, plus a surplus for each."""
    purses = list(table.books.purses)
    for index, seat in enumerate(state.seats):
        due = max(0, seat.buttons + surplus[index])
        purses[index] = settled(purses[index], purses[1 - index], due, stacks=table.stacks[index])
    return purses[0], purses[1]


# The time board's centre.
_LAST_SPACE: Final = 53


def misplaced(slip: Slip, seat: int, before: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    """Return the markers' spaces after a mistake of a seat that has moved.

    Args:
        slip: the mistake.
        seat: seat that has moved.
        before: the markers' spaces before the move.
        right: their correct spaces after it.
    """
    # A marker that was too far before has moved back.
    steps = max(0, right[seat - 1] - before[seat - 1])
    spaces = list(right)
    if slip is Slip.MARKER_LEFT:
        spaces[seat - 1] = before[seat - 1]
    elif slip is Slip.MARKER_TOO_FAR:
        spaces[seat - 1] = min(_LAST_SPACE, right[seat - 1] + (1 if steps else 0))
    else:
        spaces[seat - 1] = before[seat - 1]
        spaces[2 - seat] = min(_LAST_SPACE, before[2 - seat] + steps)
    return spaces[0], spaces[1]


class Bookkeeping:
    """The buttons, markers and neutral token of both players.

    Args:
        table: the table.
        tempers: of seat 1 and seat 2.
        arms: of seat 1 and seat 2.
        pace: durations of actions.
        counts: the players' observations of the companion, to which their mistakes are added.
        rng: of their mistakes.
        markers: whether the markers are read, so that a forgetful player may leave one on a wrong space.
        circle: whether the circle is read, so that a forgetful player may forget the neutral token, or push patches.

    Attributes:
        circle: their mistakes with the circle, or None if it is not read.
        are_markers_read: whether the companion reads the markers.
    """

    def __init__(
        self,
        table: SimulatedTable,
        tempers: tuple[Temper, Temper],
        arms: tuple[Arm, Arm],
        pace: Pace,
        counts: Counts,
        rng: np.random.Generator,
        *,
        markers: bool,
        circle: bool,
    ) -> None:
        self._table, self._tempers, self._arms, self._pace, self._counts = table, tempers, arms, pace, counts
        self._rng = rng
        self.circle = CircleHabits(table, rng) if circle else None
        self.are_markers_read, self._are_markers_wrong = markers, False
        # Buttons that each player has too many, or too few, by wrong payments.
        self._surplus = (0, 0)

    def show(self, state: State) -> None:
        """Pay, and move the tokens, to match the state of the game."""
        self._are_markers_wrong = False
        if self.circle is not None:
            self.circle.is_token_wrong = False
        self._table.books = Books(
            purses=paid(self._table, state, self._surplus),
            times=(state.seat(1).time, state.seat(2).time),
            leather_out=tuple(state.leather_left),
            first=state.unbought[0] if state.unbought and state.setup.market is not None else None,
            bonus=next((seat for seat in (1, 2) if state.seat(seat).bonus), None),
        )

    def count_again(self, state: State) -> None:
        """Count all buttons again, and pay the differences."""
        self._surplus = (0, 0)
        self.show(state)

    def on_notice(self, state: State) -> None:
        """Correct what the companion has noticed, if it is wrong."""
        if self._are_markers_wrong:
            self._counts.markers_mended += 1
            self.show(state)
        if self.circle is not None and self.circle.are_wrong:
            self._counts.circle_mended += 1
            self.circle.mend()
            self.show(state)

    def pay(self, seat: int, state: State) -> Script:
        """Move the tokens and pay after a decision of a seat; with a hand if the pace has time."""
        before, first = self._table.books.times, self._table.books.first
        temper = self._tempers[seat - 1]
        # Without markers the companion never asks for the players' buttons, which corrects wrong payments.
        if self.are_markers_read:
            self._pay_wrongly(seat, drawn(temper.purse_slips, self._rng))
        yield from self._at_time_board(seat, lambda: self.show(state))
        self.show(state)
        if self.are_markers_read:
            self._misplace_markers(seat, before, drawn(temper.marker_slips, self._rng))
        if self.circle is not None and self.circle.err(first, temper.circle_slips) is not None:
            self._counts.circle_wrong += 1

    def _pay_wrongly(self, seat: int, slip: Slip | None) -> None:
        if slip is not None:
            surplus = list(self._surplus)
            surplus[seat - 1] += 1 if slip is Slip.PAID_TOO_FEW else -1
            self._surplus = (surplus[0], surplus[1])
            self._counts.purses_wrong += 1

    def _misplace_markers(self, seat: int, before: tuple[int, int], slip: Slip | None) -> None:
        right = self._table.books.times
        wrong = right if slip is None else misplaced(slip, seat, before, right)
        if wrong != right:
            self._table.books = replace(self._table.books, times=wrong)
            self._are_markers_wrong = True
            self._counts.markers_wrong += 1

    def move_markers(self, seat: int, ahead: State) -> Script:
        """Move the markers, and nothing else, to a later state; with a hand if the pace has time."""
        times = (ahead.seat(1).time, ahead.seat(2).time)

        def move() -> None:
            self._table.books = replace(self._table.books, times=times)

        yield from self._at_time_board(seat, move)

    def _at_time_board(self, seat: int, act: Callable[[], None]) -> Script:
        """Perform an action at the time board; with a hand if the pace has time."""
        arm, board = self._arms[seat - 1], self._table.layout.time_board
        spot = (board.x_mm, board.y_mm + 40)
        if self._pace.travel_frames and arm.within_reach(spot):
            yield from arm.touch(spot, act)
        else:
            act()
