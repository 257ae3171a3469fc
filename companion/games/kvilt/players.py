"""Simulated players, who know the rules, look one use of a pencil ahead, and make random mistakes."""

import random
from collections.abc import Iterator
from typing import Final

from companion.games.kvilt import decisions as d
from companion.games.kvilt.bag import Bag
from companion.games.kvilt.decisions import Decision, Use
from companion.games.kvilt.history import History
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.scoring import lowest_rows
from companion.games.kvilt.setup import CUSHION_HOLDS, Setup
from companion.games.kvilt.sheet.sheet import BonusKind, Cell, Colour
from companion.games.kvilt.state import Cushion, Phase, SeatState, State, TaskKind
from companion.games.kvilt.turns.uses import has_open_thread, open_patches, open_rows

CARELESSNESS: Final = 0.04
_BONUS_WORTH: Final = {
    BonusKind.PENCIL: 4.0,
    BonusKind.NEUTRAL: 4.5,
    BonusKind.SWAP: 0.5,
    BonusKind.SPOOL: 2.5,
    BonusKind.BUTTON: 3.0,
    BonusKind.STITCH: 3.0,
}
# The worth of a cell for each cell that its row lags behind: the smallest row counts once more for every button.
_LAG: Final = 2.0
_NEW_THREAD_COLOUR: Final = 1.5
_GOOD_CUSHION: Final = 18.0
_GOOD_PENCIL: Final = 5.0


class SimulatedPlayer:
    """A player of Kvilt who makes sensible choices.

    Args:
        rng: the source of all randomness.
        carelessness: the probability, from 0 to 1, of taking any legal decision instead of a good one, or leaving
            pencils unused.
    """

    def __init__(self, rng: random.Random, carelessness: float = CARELESSNESS) -> None:
        self._rng = rng
        self._carelessness = carelessness

    def choose(self, state: State, seat: int, bag: Bag) -> Decision:
        """Return the decision of a seat that may decide now, with the pencils that it draws from the bag.

        Raises:
            ValueError: if the seat may not decide.
        """
        if seat not in state.active:
            raise ValueError(f"seat {seat} may not decide now")
        if state.phase is Phase.SCRAPS:
            return d.TakeToken(seat, self._liked_token(state, seat))
        if state.phase is Phase.PENCILS:
            return self._share(state, seat, bag)
        if state.phase is Phase.NEUTRAL:
            held = len(state.neutral_pencils)
            return d.FillNeutral(seat, bag.draw(state, CUSHION_HOLDS - held))
        if state.phase is Phase.COUNTING:
            return d.Negate(seat, lowest_rows(state.score(seat).rows))
        return self._colour(state, seat, bag)

    def _is_careless(self) -> bool:
        return self._rng.random() < self._carelessness

    def _liked_token(self, state: State, seat: int) -> Colour:
        """Return the colour of which a pencil is worth most; now and then any colour."""
        tokens = state.free_tokens
        if self._is_careless():
            return self._rng.choice(tokens)
        # The random number breaks ties, so that not every game is played in the order of the colours.
        return max(tokens, key=lambda colour: (best_use_worth(state, seat, colour), self._rng.random()))

    def _share(self, state: State, seat: int, bag: Bag) -> Decision:
        middle = [(n, cushion) for n, cushion in enumerate(state.cushions, start=1) if cushion.owner is None]
        free = [number for number, cushion in middle if len(cushion.pencils) < CUSHION_HOLDS]
        takeable = [it.cushion for it in legal_decisions(state) if isinstance(it, d.TakeCushion)]
        worth = {number: self._cushion_worth(state, seat, cushion) for number, cushion in middle}
        best = max(takeable, key=worth.__getitem__, default=None)
        if best is not None and (not free or worth[best] >= _GOOD_CUSHION or self._is_careless()):
            return d.TakeCushion(seat, best)
        (drawn,) = bag.draw(state)
        liked = best_use_worth(state, seat, drawn) >= _GOOD_PENCIL
        fitting = max(free, key=lambda number: (worth[number] if liked else -worth[number], self._rng.random()))
        return d.PlacePencil(seat, drawn, fitting)

    def _cushion_worth(self, state: State, seat: int, cushion: Cushion) -> float:
        return sum(best_use_worth(state, seat, colour) for colour in cushion.pencils)

    def _colour(self, state: State, seat: int, bag: Bag) -> Decision:
        task = state.seat(seat).task
        kind = None if task is None else task.kind
        if kind is TaskKind.FETCH:
            return self._fetch(state, seat, bag)
        if kind is TaskKind.SWAP:
            return self._swap(state, seat, bag)
        if kind is TaskKind.STITCH:
            return self._stitch(state, seat)
        if kind is TaskKind.BACKGROUNDS:
            # The first one listed colours all of the backgrounds.
            return next(it for it in legal_decisions(state) if it.seat == seat)
        return self._use(state, seat) or (d.Done(seat) if kind is None else d.Decline(seat))

    def _use(self, state: State, seat: int) -> Use | None:
        """Return the use that seems worth most, now and then any, or None to leave the own pencils unused."""
        uses: list[Use] = [it for it in legal_decisions(state) if it.seat == seat and isinstance(it, d.Use)]
        if not uses or (state.seat(seat).task is None and self._is_careless()):
            return None
        if self._is_careless():
            return self._rng.choice(uses)
        return max(uses, key=lambda use: (use_worth(state, use), self._rng.random()))

    def _fetch(self, state: State, seat: int, bag: Bag) -> Decision:
        """Return a good pencil of the neutral pincushion, else a blind one, else any; decline if there is none."""
        neutral = state.neutral_pencils
        best = max(neutral, key=lambda colour: best_use_worth(state, seat, colour), default=None)
        if best is not None and (best_use_worth(state, seat, best) >= _GOOD_PENCIL or not any(state.bag)):
            return d.Fetch(seat, d.PencilSource.NEUTRAL, best)
        drawn = bag.draw(state)
        return d.Fetch(seat, d.PencilSource.BAG, drawn[0]) if drawn else d.Decline(seat)

    def _swap(self, state: State, seat: int, bag: Bag) -> Decision:
        """Exchange pencils of little use; in simultaneous colouring only on this seat's turn to exchange."""
        offers = [it for it in legal_decisions(state) if isinstance(it, d.Swap) and it.seat == seat]
        poor = {colour for offer in offers for colour in offer.given if self._is_poor(state, seat, colour)}
        given = max((offer.given for offer in offers if set(offer.given) <= poor), key=len, default=())
        return d.Swap(seat, given, bag.draw(state, len(given))) if given else d.Decline(seat)

    def _is_poor(self, state: State, seat: int, colour: Colour) -> bool:
        return best_use_worth(state, seat, colour) < _GOOD_PENCIL

    def _stitch(self, state: State, seat: int) -> Decision:
        """Return a part of the figure with the fewest missing parts; now and then any part."""
        stitches = [it for it in legal_decisions(state) if isinstance(it, d.Stitch) and it.seat == seat]
        if self._is_careless():
            return self._rng.choice(stitches)
        return min(stitches, key=lambda it: (_lacking(state, it), self._rng.random()))


def _lacking(state: State, stitch: d.Stitch) -> int:
    figure, _ = state.setup.sheet.find_part(stitch.part) or (0, 0)
    return state.seat(stitch.seat).marks.parts[figure].count(None)


def use_worth(state: State, use: Use) -> float:
    """Return the estimated worth of a use of a pencil in points, with bonuses at a rough estimate."""
    side = state.seat(use.seat)
    if isinstance(use, d.ColourPatch):
        patch = state.setup.sheet.patches[state.setup.sheet.index_of_patch(use.patch)]
        return 9.0 - patch.column if patch.column < 4 else 3.0 - patch.column / 2
    if isinstance(use, d.ColourThread):
        return _thread_worth(state, side, use.colour)
    cell = (use.row, side.marks.rows[use.row - 1].cells + 1)
    return _cell_worth(state, side, cell, use.colour)


def _thread_worth(state: State, side: SeatState, colour: Colour) -> float:
    points = (0, *state.setup.sheet.spools.points)
    done = len(side.marks.threads)
    return points[done + 1] - points[done] + (0.0 if colour in side.marks.threads else _NEW_THREAD_COLOUR)


def _cell_worth(state: State, side: SeatState, cell: Cell, colour: Colour) -> float:
    sheet = state.setup.sheet
    points = (0, *sheet.rows[cell[0] - 1].points)
    bonuses = sum(_BONUS_WORTH[bonus.kind] for bonus in sheet.bonuses_at(cell))
    gain = points[cell[1]] - points[cell[1] - 1] + (colour == side.bonus)
    cells = [mine.cells for mine in side.marks.rows]
    lag = sum(cells) / len(cells) - cells[cell[0] - 1]
    return gain + bonuses + _LAG * lag


def best_use_worth(state: State, seat: int, colour: Colour) -> float:
    """Return the worth of the best use of a pencil of this colour for a seat now; 0 if there is none."""
    return max((use_worth(state, use) for use in _uses(state, seat, colour)), default=0.0)


def _uses(state: State, seat: int, colour: Colour) -> Iterator[Use]:
    sheet, marks = state.setup.sheet, state.seat(seat).marks
    yield from (d.ColourCell(seat, colour, row) for row in open_rows(sheet, marks, colour))
    yield from (d.ColourPatch(seat, colour, patch) for patch in open_patches(sheet, marks))
    if has_open_thread(sheet, marks):
        yield d.ColourThread(seat, colour)


def play_game(setup: Setup, rng: random.Random, carelessness: float = CARELESSNESS) -> History:
    """Play a whole game of simulated players with a virtual bag; simultaneous colouring is in random order."""
    history, bag = History(setup), Bag(rng.getrandbits(64))
    player = SimulatedPlayer(rng, carelessness)
    while not history.state.finished:
        seat = rng.choice(history.state.active)
        history.apply(player.choose(history.state, seat, bag))
    return history
