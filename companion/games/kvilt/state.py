"""A game's state between two decisions: immutable values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.games.kvilt.errors import GameOverError
from companion.games.kvilt.scoring import Score, score, winners

if TYPE_CHECKING:
    from companion.games.kvilt.decisions import PencilSource
    from companion.games.kvilt.marks import Marks
    from companion.games.kvilt.setup import Setup
    from companion.games.kvilt.sheet.sheet import Cell, Colour


class Phase(StrEnum):
    """The phases of a round.

    SCRAPS: everybody takes a scrap token. PENCILS: pencils are drawn and pincushions taken. NEUTRAL: the pincushion
    that nobody took is filled. COLOURING. COUNTING: rows are picked that count negative. END: nothing is left to do.
    """

    SCRAPS = "scraps"
    PENCILS = "pencils"
    NEUTRAL = "neutral"
    COLOURING = "colouring"
    COUNTING = "counting"
    END = "end"


class TaskKind(StrEnum):
    """The kinds of tasks that a player has to settle before using the seat's own pencils.

    EXTRA: use a pencil of a printed colour. NEUTRAL: use one of the neutral pincushion. SWAP: exchange. SPOOL: open
    one. STITCH: colour a part. FETCH: take a pencil for a finished embroidery. HELD: use the pencils that were taken.
    BACKGROUNDS: colour those of this round's cells.
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
    """An unused pencil of a seat's pincushion; `swapped`: it came by an exchange."""

    colour: Colour
    swapped: bool = False


@dataclass(frozen=True, slots=True)
class HeldPencil:
    """A pencil that goes back where it came from."""

    colour: Colour
    source: PencilSource


@dataclass(frozen=True, slots=True)
class Task:
    """Something to settle, the innermost first.

    Attributes:
        kind: what it is.
        colour: the extra pencil's, or that of the pencil which coloured the cell (spool, stitch); else None.
        left: pencils still to be taken (fetch).
        waiting: pencils taken and not yet used (fetch, held).
        used: pencils that go back once all is settled (held).
    """

    kind: TaskKind
    colour: Colour | None = None
    left: int = 0
    waiting: tuple[HeldPencil, ...] = ()
    used: tuple[HeldPencil, ...] = ()


@dataclass(frozen=True, slots=True)
class Cushion:
    """A pincushion: its pencils while it stands in the middle; taken, it is empty and the seat has its pencils."""

    pencils: tuple[Colour, ...] = ()
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class SeatState:
    """One player's side of the table.

    Attributes:
        marks: what is coloured on the sheet.
        bonus: the bonus colour of this round, None until a scrap token is taken.
        cushion: the number, from 1, of the seat's pincushion, or None without one.
        hand: its unused pencils.
        spent: its used pencils.
        tasks: what is to be settled now, the innermost last.
        round_cells: the cells coloured in this round, in order.
        all_backgrounds: whether every further cell of this round may be full (only by a setting).
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
        """The task to settle first, or None if the seat's own pencils are next."""
        return self.tasks[-1] if self.tasks else None

    @property
    def held(self) -> tuple[HeldPencil, ...]:
        """Pencils of the bag and of the neutral pincushion that are in use or wait for it."""
        return tuple(pencil for task in self.tasks for pencil in (*task.waiting, *task.used))


@dataclass(frozen=True, slots=True)
class State:
    """Everything that is true between two decisions.

    Attributes:
        setup: how the game began.
        round: from 1.
        phase: of the round.
        turn: the seat to decide, None once the game has ended.
        first: the seat with the first-player token.
        first_taken: whether the first pincushion of the round has been taken, and the token with it.
        bag: how many pencils of each of the sheet's colours are in the bag.
        cushions: all pincushions; their numbers count from 1.
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
        """Return the side of a seat.

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
            ValueError: it is not chosen yet.
        """
        if self.neutral is None:
            raise ValueError("no pincushion is neutral yet")
        return self.cushions[self.neutral - 1].pencils

    @property
    def mover(self) -> int:
        """The seat to move.

        Raises:
            GameOverError: the game has ended; ask `turn` if that may be.
        """
        if self.turn is None:
            raise GameOverError("nobody is to move: the game has ended")
        return self.turn

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that may decide now, clockwise from the first player: several at simultaneous colouring."""
        if self.phase is Phase.COLOURING and self.setup.simultaneous:
            return tuple(seat for seat in self.setup.seats_from(self.first) if not self.seat(seat).done)
        return () if self.turn is None else (self.turn,)

    @property
    def neutral(self) -> int | None:
        """The number of the neutral pincushion, or None while more than one stands in the middle."""
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
        """Return what a seat's sheet is worth as it stands, with the rows picked to count negative."""
        seat, settings = self.seat(number), self.setup.settings
        counts = settings.empty_row_counts
        return score(self.setup.sheet, seat.marks, empty_row_counts=counts, negative=seat.negative)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, several where they share; empty while the game runs."""
        return winners([self.score(seat) for seat in range(1, len(self.seats) + 1)]) if self.finished else ()
