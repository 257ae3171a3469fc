"""The setup and the state of a game, both immutable, and the bag from which pencils are drawn."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from companion.games.kvilt.decisions import PencilSource
from companion.games.kvilt.errors import GameOverError, SetupError, SetupReason
from companion.games.kvilt.sheet import Cell, Colour, Marks, Score, Sheet, score, winners
from companion.games.names import is_printable

CUSHION_HOLDS: Final = 3


class Variant(StrEnum):
    """The rulebook's variants; both may be played together.

    ALL_COUNTED: two rows of every player count negative at the end. KVILTOMANIA: four players, one set of pencils less.
    """

    ALL_COUNTED = "all-counted"
    KVILTOMANIA = "kviltomania"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings for open questions of the rulebook; `docs/kvilt.md` gives the reasons for the defaults.

    Attributes:
        take_just_filled: a player who has placed a pencil may take only the pincushion that it went to.
        background_must: with the bonus colour the background must be coloured too, not only may.
        bonus_pencils_background: pencils from a bonus give a background too if they have the bonus colour.
        swap_again: a pencil got by an exchange may be exchanged again.
        later_backgrounds: a finished two-part embroidery also gives the backgrounds of cells coloured later this round.
        take_both_first: both pencils of a five-part embroidery are taken before the first is used.
        empty_row_counts: an empty row counts as 0 for the smallest row.
        same_rows_for_all: in "all counted" the first player picks the same two rows for all players.
    """

    take_just_filled: bool = False
    background_must: bool = False
    bonus_pencils_background: bool = True
    swap_again: bool = False
    later_backgrounds: bool = False
    take_both_first: bool = True
    empty_row_counts: bool = True
    same_rows_for_all: bool = False


@dataclass(frozen=True, slots=True)
class Setup:
    """The choices made before a game begins.

    Attributes:
        sheet: the sheet that all players colour.
        players: two to four names, clockwise from seat 1.
        first_seat: the seat that has the first-player token.
        variants: the variants in use.
        settings: the settings for open questions of the rulebook.
        simultaneous: whether all players colour at once instead of in turn from the first player.

    Raises:
        SetupError: if any of these is invalid.
    """

    sheet: Sheet
    players: tuple[str, ...] = ("Seat 1", "Seat 2")
    first_seat: int = 1
    variants: frozenset[Variant] = frozenset()
    settings: Settings = Settings()
    simultaneous: bool = False

    def __post_init__(self) -> None:
        """Validate the players, the first seat and the variants."""
        _check_players(self.players)
        if type(self.first_seat) is not int or not 1 <= self.first_seat <= len(self.players):
            raise SetupError(SetupReason.FIRST_SEAT, len(self.players))
        if Variant.KVILTOMANIA in self.variants and len(self.players) != 4:
            raise SetupError(SetupReason.FOUR_PLAYERS, len(self.players))

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.players)

    @property
    def cushions(self) -> int:
        """The number of pincushions: one more than players."""
        return self.seats + 1

    @property
    def sets(self) -> int:
        """The number of pencils of each colour."""
        return self.seats - (Variant.KVILTOMANIA in self.variants)

    def seats_from(self, seat: int) -> tuple[int, ...]:
        """Return all seats clockwise, starting with the given one."""
        return tuple((seat - 1 + step) % self.seats + 1 for step in range(self.seats))


def _check_players(players: Sequence[object]) -> None:
    if not isinstance(players, tuple) or not 2 <= len(players) <= 4:
        raise SetupError(SetupReason.NUMBER_OF_NAMES)
    if not all(isinstance(name, str) and name.strip() for name in players):
        raise SetupError(SetupReason.EMPTY_NAME)
    if not all(is_printable(str(name)) for name in players):
        raise SetupError(SetupReason.UNPRINTABLE_NAME)


class Phase(StrEnum):
    """The phases of a round.

    SCRAPS: all players take a scrap token. PENCILS: pencils are drawn and pincushions taken. NEUTRAL: the pincushion
    that is left is filled. COLOURING. COUNTING: rows are picked that count negative. END: the game has ended.
    """

    SCRAPS = "scraps"
    PENCILS = "pencils"
    NEUTRAL = "neutral"
    COLOURING = "colouring"
    COUNTING = "counting"
    END = "end"


class TaskKind(StrEnum):
    """The kinds of tasks that a player must settle before using the seat's own pencils.

    EXTRA: use a pencil of a printed colour. NEUTRAL: use a pencil of the neutral pincushion. SWAP: exchange pencils.
    SPOOL: open a spool. STITCH: colour a part. FETCH: take a pencil for a finished embroidery. HELD: use the pencils
    that were taken. BACKGROUNDS: colour backgrounds of this round's cells.
    """

    EXTRA = "extra"
    NEUTRAL = "neutral"
    SWAP = "swap"
    SPOOL = "spool"
    STITCH = "stitch"
    FETCH = "fetch"
    HELD = "held"
    BACKGROUNDS = "backgrounds"


@dataclass(frozen=True, slots=True)
class OwnPencil:
    """An unused pencil of a seat's pincushion; `swapped` is true if it came from an exchange."""

    colour: Colour
    swapped: bool = False


@dataclass(frozen=True, slots=True)
class HeldPencil:
    """A pencil that must be returned to its source."""

    colour: Colour
    source: PencilSource


@dataclass(frozen=True, slots=True)
class Task:
    """A task to settle.

    Attributes:
        kind: the kind.
        colour: the extra pencil's, or that of the pencil which coloured the cell (spool, stitch); else None.
        left: pencils still to be taken (fetch).
        waiting: pencils taken and not yet used (fetch, held).
        used: pencils that are returned when the task is settled (held).
    """

    kind: TaskKind
    colour: Colour | None = None
    left: int = 0
    waiting: tuple[HeldPencil, ...] = ()
    used: tuple[HeldPencil, ...] = ()


@dataclass(frozen=True, slots=True)
class Cushion:
    """A pincushion: its pencils while it is in the middle; empty once taken, as the seat then has its pencils."""

    pencils: tuple[Colour, ...] = ()
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class SeatState:
    """One player's side of the table.

    Attributes:
        marks: the marks on the sheet.
        bonus: the bonus colour of this round, None until a scrap token is taken.
        cushion: the number, from 1, of the seat's pincushion, or None without one.
        hand: its unused pencils.
        spent: its used pencils.
        tasks: the tasks to settle now, the innermost last.
        round_cells: the cells coloured in this round, in order.
        all_backgrounds: whether every further cell of this round may get a background (only by a setting).
        done: whether the seat has ended its colouring of this round.
        negative: the rows picked to count negative; empty until then.
    """

    marks: Marks
    bonus: Colour | None = None
    cushion: int | None = None
    hand: tuple[OwnPencil, ...] = ()
    spent: tuple[Colour, ...] = ()
    tasks: tuple[Task, ...] = ()
    round_cells: tuple[Cell, ...] = ()
    all_backgrounds: bool = False
    done: bool = False
    negative: tuple[int, ...] = ()

    @property
    def task(self) -> Task | None:
        """The task to settle first, or None if the seat may use its own pencils."""
        return self.tasks[-1] if self.tasks else None

    @property
    def held(self) -> tuple[HeldPencil, ...]:
        """The pencils of the bag and of the neutral pincushion that the seat has taken and must return."""
        return tuple(pencil for task in self.tasks for pencil in (*task.waiting, *task.used))


@dataclass(frozen=True, slots=True)
class State:
    """The complete state of a game between two decisions.

    Attributes:
        setup: the setup that the game began with.
        round: from 1.
        phase: the phase of the round.
        turn: the seat to decide; None once the game has ended.
        first: the seat with the first-player token.
        first_taken: whether the first pincushion of the round has been taken, and the token with it.
        bag: the number of pencils of each of the sheet's colours in the bag.
        cushions: all pincushions; they are numbered from 1.
        placed: the pincushions that got a pencil in this turn.
        seats: from seat 1.
        decisions_made: decisions since the start.
    """

    setup: Setup
    round: int
    phase: Phase
    turn: int | None
    first: int
    first_taken: bool
    bag: tuple[int, ...]
    cushions: tuple[Cushion, ...]
    placed: tuple[int, ...]
    seats: tuple[SeatState, ...]
    decisions_made: int

    def seat(self, number: int) -> SeatState:
        """Return the state of a seat.

        Raises:
            ValueError: if there is no such seat.
        """
        if not 1 <= number <= len(self.seats):
            raise ValueError(f"there is no seat {number}")
        return self.seats[number - 1]

    @property
    def neutral_pencils(self) -> tuple[Colour, ...]:
        """The pencils on the neutral pincushion.

        Raises:
            ValueError: if it is not determined yet.
        """
        if self.neutral is None:
            raise ValueError("no pincushion is neutral yet")
        return self.cushions[self.neutral - 1].pencils

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
    def active(self) -> tuple[int, ...]:
        """The seats that may decide now, clockwise from the first player: several in simultaneous colouring."""
        if self.phase is Phase.COLOURING and self.setup.simultaneous:
            return tuple(seat for seat in self.setup.seats_from(self.first) if not self.seat(seat).done)
        return () if self.turn is None else (self.turn,)

    @property
    def neutral(self) -> int | None:
        """The number of the neutral pincushion, or None while more than one is in the middle."""
        middle = [number for number, cushion in enumerate(self.cushions, start=1) if cushion.owner is None]
        return middle[0] if len(middle) == 1 else None

    @property
    def free_tokens(self) -> tuple[Colour, ...]:
        """The scrap tokens in the middle."""
        taken = {seat.bonus for seat in self.seats}
        return tuple(colour for colour in self.setup.sheet.colours if colour not in taken)

    @property
    def pencils_in_bag(self) -> dict[Colour, int]:
        """The number of pencils of each colour in the bag."""
        return dict(zip(self.setup.sheet.colours, self.bag, strict=True))

    @property
    def finished(self) -> bool:
        """True once the game has ended."""
        return self.phase is Phase.END

    def score(self, number: int) -> Score:
        """Return the current score of a seat's sheet, with the rows picked to count negative."""
        seat, settings = self.seat(number), self.setup.settings
        counts = settings.empty_row_counts
        return score(self.setup.sheet, seat.marks, empty_row_counts=counts, negative=seat.negative)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, more than one if they share the victory; empty while the game runs."""
        return winners([self.score(seat) for seat in range(1, len(self.seats) + 1)]) if self.finished else ()


class Bag:
    """Draws for one game, equally likely over the pencils that are left.

    A draw follows from the seed and the number of decisions made: a resumed game draws what it would have drawn
    without the interruption, and undoing a decision does not change its draw.

    Args:
        seed: the seed of the whole game.
    """

    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def draw(self, state: State, count: int = 1) -> tuple[Colour, ...]:
        """Return the pencils drawn for the next decision, in order; fewer if the bag holds fewer."""
        # A text is seeded by its digest, so that the draw is the same in every process; its `hash` would differ.
        rng = random.Random(f"{self.seed}/{state.decisions_made}")
        left = [colour for colour, number in state.pencils_in_bag.items() for _ in range(number)]
        return tuple(rng.sample(left, min(count, len(left))))
