"""A mutable copy of a state: a decision is applied to it, then frozen, or discarded if the decision is illegal."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion.games.kvilt.decisions import PencilSource
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError, IllegalReason
from companion.games.kvilt.facts import Fact
from companion.games.kvilt.sheet import Colour
from companion.games.kvilt.state import Cushion, HeldPencil, Phase, SeatState, State, Task


class Draft:
    """The parts of a state, each replaceable, and the facts so far."""

    def __init__(self, state: State) -> None:
        self.before = state
        self.setup, self.sheet = state.setup, state.setup.sheet
        self.round, self.phase, self.turn = state.round, state.phase, state.turn
        self.first, self.first_taken = state.first, state.first_taken
        self.bag, self.cushions = list(state.bag), list(state.cushions)
        self.placed, self.seats = state.placed, list(state.seats)
        self.facts: list[Fact] = []

    def freeze(self) -> State:
        """Return the draft as the state after one more decision."""
        return State(
            self.setup,
            self.round,
            self.phase,
            self.turn,
            self.first,
            self.first_taken,
            tuple(self.bag),
            tuple(self.cushions),
            self.placed,
            tuple(self.seats),
            self.before.decisions_made + 1,
        )

    def seat(self, number: int) -> SeatState:
        """Return the current state of a seat."""
        return self.seats[number - 1]

    def change(self, number: int, **changes: Any) -> None:
        """Replace some attributes of a seat's state."""
        self.seats[number - 1] = replace(self.seats[number - 1], **changes)

    def push(self, number: int, *tasks: Task) -> None:
        """Add tasks to a seat; the first one is to be settled first."""
        self.change(number, tasks=(*self.seat(number).tasks, *reversed(tasks)))

    def pop(self, number: int, *instead: Task) -> Task:
        """Remove the innermost task of a seat, put others in its place, and return it."""
        *rest, task = self.seat(number).tasks
        self.change(number, tasks=(*rest, *instead))
        return task

    def next_seat(self, after: int, waiting: Iterable[int]) -> int | None:
        """Return the first waiting seat clockwise after the given one, or None if none waits."""
        # The seat itself is last: it is next only if no other one waits.
        order = self.setup.seats_from(after % self.setup.seats + 1)
        return next((seat for seat in order if seat in set(waiting)), None)

    def draw(self, drawn: Iterable[Colour]) -> None:
        """Take pencils out of the bag.

        Raises:
            IllegalDecisionError: E_BAG, if the bag does not hold them.
        """
        for colour in drawn:
            if colour not in self.sheet.colours or not self.bag[self.sheet.colours.index(colour)]:
                raise IllegalDecisionError(FaultCode.BAG, IllegalReason.NOT_IN_BAG, colour=colour)
            self.bag[self.sheet.colours.index(colour)] -= 1

    def put_into_bag(self, pencils: Iterable[Colour]) -> None:
        """Put pencils into the bag."""
        for colour in pencils:
            self.bag[self.sheet.colours.index(colour)] += 1

    @property
    def neutral(self) -> int:
        """The index, from 0, of the neutral pincushion."""
        # Requested only once every seat has its pincushion, so the first one in the middle is the only one.
        return next(index for index, cushion in enumerate(self.cushions) if cushion.owner is None)

    @property
    def neutral_pencils(self) -> tuple[Colour, ...]:
        """The pencils currently on the neutral pincushion."""
        return self.cushions[self.neutral].pencils

    def take_from_neutral(self, colour: Colour) -> None:
        """Take a pencil from the neutral pincushion.

        Raises:
            IllegalDecisionError: E_NO_PENCIL, if it is not there.
        """
        pencils = list(self.neutral_pencils)
        if colour not in pencils:
            raise IllegalDecisionError(FaultCode.NO_PENCIL, IllegalReason.NOT_NEUTRAL, colour=colour)
        pencils.remove(colour)
        self.cushions[self.neutral] = Cushion(tuple(pencils))

    def put_back(self, pencil: HeldPencil) -> None:
        """Return a pencil to its source."""
        if pencil.source is PencilSource.BAG:
            self.put_into_bag([pencil.colour])
        else:
            self.cushions[self.neutral] = Cushion((*self.neutral_pencils, pencil.colour))

    def held_by_others(self, number: int, source: PencilSource) -> tuple[Colour, ...]:
        """Return the pencils of a source that other seats hold; they will be returned, but cannot be taken now."""
        others = (seat for index, seat in enumerate(self.seats, start=1) if index != number)
        return tuple(pencil.colour for seat in others for pencil in seat.held if pencil.source is source)

    def full_bag(self) -> list[int]:
        """Return the number of pencils of each colour in the full bag."""
        return [self.setup.sets] * len(self.sheet.colours)

    def require_phase(self, phase: Phase, seat: int) -> None:
        """Check that the phase is the given one, and that the seat may decide now.

        Raises:
            IllegalDecisionError: E_TURN, if not.
        """
        if self.phase is Phase.END:
            raise IllegalDecisionError(FaultCode.TURN, IllegalReason.FINISHED)
        if self.phase is not phase:
            raise IllegalDecisionError(FaultCode.TURN, IllegalReason.OTHER_PHASE, kind=phase, phase=self.phase)
        active = self.before.active
        if seat not in active:
            raise IllegalDecisionError(FaultCode.TURN, IllegalReason.WRONG_TURN, seats=active)
