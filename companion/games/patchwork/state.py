"""The setup and the state of a game, both immutable."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from companion.games.names import is_printable
from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import (
    BONUS_POINTS,
    PATCHES,
    POINTS_LOST_PER_EMPTY_CELL,
    SMALLEST_PATCH,
    START_BUTTONS,
    TIME_TRACKS,
    Edition,
    TimeTrack,
)
from companion.games.patchwork.errors import GameOverError, SetupError, SetupReason

USUAL_BUTTONS: Final = (START_BUTTONS, START_BUTTONS)
"""The buttons with which the seats begin (rulebook, setup)."""
MOST_AT_START: Final = 30
"""The most buttons with which a seat can begin by a handicap."""


class RuleProfile(StrEnum):
    """The rulebook that settles equal scores.

    OFFICIAL is the publisher's: the player who reached the last space first wins. MARKER_ON_TOP is the hobby
    rulebook's: the player whose token lies on top wins, which is the one who arrived later.
    """

    OFFICIAL = "official"
    MARKER_ON_TOP = "marker-on-top"


@dataclass(frozen=True, slots=True)
class Setup:
    """The choices made before a game begins.

    Attributes:
        rules: the rule profile.
        edition: the printing of the time board.
        players: the names of seat 1 and seat 2.
        first_seat: the seat that begins, 1 or 2.
        market: the circle of all 33 patches clockwise from the neutral token, so that the 1x2 patch comes last;
            None if the circle is unknown.
        buttons: the buttons with which seat 1 and seat 2 begin, five each without a handicap.
        track: the time board of that edition, derived from it.

    Raises:
        SetupError: if any of these is invalid.
    """

    rules: RuleProfile = RuleProfile.OFFICIAL
    edition: Edition = Edition.ORIGINAL
    players: tuple[str, str] = ("Seat 1", "Seat 2")
    first_seat: int = 1
    market: tuple[str, ...] | None = None
    buttons: tuple[int, int] = USUAL_BUTTONS
    track: TimeTrack = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Validate the attributes, and derive the track from the edition."""
        if not isinstance(self.rules, RuleProfile):
            raise SetupError(SetupReason.RULES)
        if not isinstance(self.edition, Edition):
            raise SetupError(SetupReason.EDITION)
        _check_players(self.players)
        # True equals 1, and is no seat.
        if type(self.first_seat) is not int or self.first_seat not in (1, 2):
            raise SetupError(SetupReason.FIRST_SEAT)
        _check_buttons(self.buttons)
        if self.market is not None:
            _check_market(self.market)
        object.__setattr__(self, "track", TIME_TRACKS[self.edition])


def _check_players(players: Sequence[object]) -> None:
    if not isinstance(players, tuple) or len(players) != 2:
        raise SetupError(SetupReason.NOT_TWO_NAMES)
    if not all(isinstance(name, str) and name.strip() for name in players):
        raise SetupError(SetupReason.EMPTY_NAME)
    if not all(is_printable(str(name)) for name in players):
        raise SetupError(SetupReason.UNPRINTABLE_NAME)


def _check_buttons(buttons: Sequence[object]) -> None:
    if not isinstance(buttons, tuple) or len(buttons) != 2:
        raise SetupError(SetupReason.BUTTONS)
    if not all(type(each) is int and 0 <= each <= MOST_AT_START for each in buttons):
        raise SetupError(SetupReason.BUTTONS)


def _check_market(market: Sequence[object]) -> None:
    if not isinstance(market, tuple) or not all(isinstance(patch, str) for patch in market):
        raise SetupError(SetupReason.MARKET)
    unknown = [patch for patch in market if patch not in PATCHES]
    if unknown:
        raise SetupError(SetupReason.UNKNOWN_PATCH, unknown[0])
    twice = [patch for patch, times in Counter(market).items() if times > 1]
    if twice:
        raise SetupError(SetupReason.REPEATED_PATCH, twice[0])
    missing = [patch for patch in PATCHES if patch not in market]
    if missing:
        raise SetupError(SetupReason.MISSING_PATCHES, *missing)
    if market[-1] != SMALLEST_PATCH:
        raise SetupError(SetupReason.SMALLEST_NOT_LAST, market[-1])


@dataclass(frozen=True, slots=True)
class SeatState:
    """One player's side of the table.

    Attributes:
        buttons: buttons in hand.
        income: button icons on the quilt.
        time: the space where the time token stands.
        quilt: covered cells, as a bit mask.
        bonus: whether the seat has the 7x7 tile.
    """

    buttons: int
    income: int
    time: int
    quilt: int
    bonus: bool

    @property
    def empty(self) -> int:
        """The number of uncovered cells."""
        return SIDE * SIDE - self.quilt.bit_count()


def score(seat: SeatState) -> int:
    """Return the points: buttons, 7 for the tile, less 2 for every empty cell; may be negative (rulebook, end)."""
    return seat.buttons + (BONUS_POINTS if seat.bonus else 0) - POINTS_LOST_PER_EMPTY_CELL * seat.empty


@dataclass(frozen=True, slots=True)
class State:
    """The complete state of a game between two decisions.

    Attributes:
        setup: the setup that the game began with.
        seats: seat 1 and seat 2.
        unbought: unbought patches, clockwise from the neutral token (in file order if the circle is unknown).
        turn: the seat to move; None once the game has ended.
        leather_due: whether that seat must place a leather patch now.
        leather_left: marks whose leather patch is still available, ascending.
        first_home: the seat that reached the last space first, or None if neither has.
        decisions_made: decisions since the start.
    """

    setup: Setup
    seats: tuple[SeatState, SeatState]
    unbought: tuple[str, ...]
    turn: int | None
    leather_due: bool
    leather_left: tuple[int, ...]
    first_home: int | None
    decisions_made: int

    def seat(self, number: int) -> SeatState:
        """Return the state of seat 1 or 2.

        Raises:
            ValueError: for any other number.
        """
        if number not in (1, 2):
            raise ValueError(f"there is no seat {number}")
        return self.seats[number - 1]

    def name_of(self, seat: int) -> str:
        """Return the name of the player at a seat."""
        return self.setup.players[seat - 1]

    @property
    def mover(self) -> int:
        """The seat to move.

        Raises:
            GameOverError: if the game has ended; `turn` is None then.
        """
        if self.turn is None:
            raise GameOverError("nobody is to move: the game has ended")
        return self.turn

    @property
    def market(self) -> tuple[str, ...] | None:
        """The circle clockwise from the neutral token, or None if it is unknown."""
        return None if self.setup.market is None else self.unbought

    @property
    def box(self) -> frozenset[str]:
        """The unbought patches."""
        return frozenset(self.unbought)

    @property
    def finished(self) -> bool:
        """True once the game has ended."""
        return self.turn is None

    @property
    def winner(self) -> int | None:
        """The seat that won; None while the game runs. Equal scores are settled by the rule profile."""
        if self.turn is not None or self.first_home is None:
            return None
        lead = score(self.seats[0]) - score(self.seats[1])
        if lead:
            return 1 if lead > 0 else 2
        return self.first_home if self.setup.rules is RuleProfile.OFFICIAL else 3 - self.first_home
