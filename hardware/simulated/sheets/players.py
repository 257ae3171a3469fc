"""Simulated players of Kvilt, who choose, colour, and answer questions like people with pencils."""

import random
from dataclasses import dataclass
from typing import TypeAlias

from companion.games.kvilt.decisions import Decision, Decline, Done, Fetch, PencilSource, PlacePencil, Swap
from companion.games.kvilt.explaining import is_draw
from companion.games.kvilt.rules import apply
from companion.games.kvilt.sheet import Colour
from companion.games.kvilt.state import Bag, State
from companion.games.kvilt.strategy.choice import choose


@dataclass(frozen=True, slots=True)
class Offered:
    """One option.

    Attributes:
        kind: its kind, in a word.
        colours: the pencils that it concerns.
        numbers: the pincushion or the rows that it concerns.
        decision: the resulting decision, if that is fixed.
    """

    kind: str
    colours: tuple[Colour, ...] = ()
    numbers: tuple[int, ...] = ()
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat has to choose; the first option is on display.

    Attributes:
        asks: subject, in a word.
        seat: the seat that chooses.
        options: the options.
        regions: regions of the seat's sheet that it concerns.
        state: the game.
    """

    asks: str
    seat: int
    options: tuple[Offered, ...]
    regions: tuple[str, ...]
    state: State


@dataclass(frozen=True, slots=True)
class Complained:
    """The companion rejects a sheet; `codes` are the reasons."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""


News: TypeAlias = Asked | Complained | Ended


class _AnyPencil(Bag):
    """A stand-in for a bag of unknown contents, which returns any possible pencil."""

    def __init__(self, drawn: tuple[Colour, ...] = ()) -> None:
        super().__init__("somebody else's")
        self._drawn = drawn

    def draw(self, state: State, count: int = 1) -> tuple[Colour, ...]:
        """Return the drawn pencils if they are known; otherwise any remaining ones."""
        return self._drawn[:count] if self._drawn else super().draw(state, count)


@dataclass(frozen=True, slots=True)
class Coloured:
    """The marks that a player has coloured.

    Attributes:
        marks: all coloured regions of the sheet, by name.
        wants_bag: whether the player needs the bag to continue.
    """

    marks: dict[str, Colour]
    wants_bag: bool


class SheetPlayer:
    """A player at the table.

    Args:
        seed: of this player's decisions.
        bag: the physical bag; None if the companion draws.
    """

    def __init__(self, seed: int | str, bag: Bag | None = None) -> None:
        self._rng = random.Random(seed)
        self._bag = bag

    def choose(self, asked: Asked, true: dict[str, Colour]) -> int | None:
        """Return the index of the chosen option; None for none of them.

        Args:
            asked: the question.
            true: the true marks on the player's sheet.
        """
        match asked.asks:
            case "doubt":
                return _likely_option(asked, true)
            case "drawn":
                return self._really_drawn(asked)
            case "share" | "place":
                return self._shared(asked)
            case "rows":
                return 0
            case _:
                decision = self._decision(asked.state, asked.seat, _AnyPencil())
                return _place_of(asked.options, decision)

    def colour(self, state: State, seat: int) -> Coloured:
        """Colour until nothing is left to do, or the companion's bag is needed."""
        bag = self._bag or _AnyPencil()
        while True:
            decision = self._decision(state, seat, bag)
            wants_bag = self._bag is None and is_draw(decision)
            if wants_bag or isinstance(decision, Done):
                return Coloured(state.seat(seat).marks.regions(state.setup.sheet), wants_bag)
            state = apply(state, decision).state

    def _decision(self, state: State, seat: int, bag: Bag) -> Decision:
        return choose(state, seat, bag, self._rng).decision

    def _shared(self, asked: Asked) -> int:
        """Return the index of an option to draw, or to take a pincushion; a drawn pencil goes where it fits best."""
        known = next((it.decision.drawn for it in asked.options if isinstance(it.decision, PlacePencil)), None)
        bag = _AnyPencil(() if known is None else (known,))
        decision = self._decision(asked.state, asked.seat, bag)
        found = _place_of(asked.options, decision)
        return self._rng.randrange(len(asked.options)) if found is None else found

    def _really_drawn(self, asked: Asked) -> int:
        """Return the index of the pencil from the physical bag; the companion may know of pencils drawn just before."""
        offered = [it.colours[0] for it in asked.options]
        drawn = (self._bag or _AnyPencil()).draw(asked.state, 3)
        return next((offered.index(colour) for colour in drawn if colour in offered), 0)


def _likely_option(asked: Asked, true: dict[str, Colour]) -> int | None:
    colour = true.get(asked.regions[0])
    wanted = () if colour is None else (colour,)
    return next((place for place, it in enumerate(asked.options) if it.colours == wanted), None)


def _place_of(options: tuple[Offered, ...], decision: Decision) -> int | None:
    """Return the index of a decision's option, or None if there is none."""
    return next((place for place, option in enumerate(options) if _is(option, decision)), None)


def _is(option: Offered, decision: Decision) -> bool:
    if isinstance(decision, PlacePencil) and option.kind == "draw":
        return True
    if isinstance(decision, Fetch):
        return option.kind == ("bag" if decision.source is PencilSource.BAG else "neutral") and (
            decision.source is PencilSource.BAG or option.colours == (decision.colour,)
        )
    if isinstance(decision, Swap):
        return option.kind == "swap" and option.colours == decision.given
    if isinstance(decision, Decline):
        return option.kind == "none"
    return option.decision == decision
