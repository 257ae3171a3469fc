"""A player's strategy without a search: it looks one use of a pencil ahead, and makes random mistakes."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from companion.games.kvilt import decisions as d
from companion.games.kvilt.colouring import has_open_thread, open_patches, open_rows
from companion.games.kvilt.decisions import Decision, Use
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.sheet import BonusKind, Cell, Colour, lowest_rows
from companion.games.kvilt.state import CUSHION_HOLDS, Bag, Cushion, Phase, SeatState, State, TaskKind
from companion.games.strategy import ScoredDecision

CARELESSNESS: Final = 0.04
"""The usual probability of a careless decision."""
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

_Choice: TypeAlias = ScoredDecision[Decision]


def choose(
    state: State, seat: int, bag: Bag, rng: random.Random, *, carelessness: float = CARELESSNESS
) -> ScoredDecision[Decision]:
    """Return the decision of a seat that seems best, with the pencils that it draws from the bag.

    Args:
        state: the game.
        seat: one that may decide now.
        bag: the source of pencils.
        rng: the source of all other randomness.
        carelessness: the probability, from 0 to 1, of taking any legal decision instead of a good one, or leaving
            pencils unused.

    Raises:
        ValueError: if the seat may not decide.
    """
    if seat not in state.active:
        raise ValueError(f"seat {seat} may not decide now")
    return _Chooser(state, seat, bag, rng, carelessness).choose()


@dataclass(frozen=True, slots=True)
class _Chooser:
    """The choice of one seat in one state; the attributes are the arguments of `choose`."""

    state: State
    seat: int
    bag: Bag
    rng: random.Random
    carelessness: float

    def choose(self) -> _Choice:
        state, seat = self.state, self.seat
        if state.phase is Phase.SCRAPS:
            return self._token()
        if state.phase is Phase.PENCILS:
            return self._share()
        if state.phase is Phase.NEUTRAL:
            held = len(state.neutral_pencils)
            return ScoredDecision(d.FillNeutral(seat, self.bag.draw(state, CUSHION_HOLDS - held)), 0.0)
        if state.phase is Phase.COUNTING:
            points = state.score(seat).rows
            rows = lowest_rows(points)
            return ScoredDecision(d.Negate(seat, rows), -2.0 * sum(points[row - 1] for row in rows))
        return self._colour()

    def _is_careless(self) -> bool:
        return self.rng.random() < self.carelessness

    def _worth(self, colour: Colour) -> float:
        return best_use_worth(self.state, self.seat, colour)

    def _token(self) -> _Choice:
        """Return the token in the colour of which a pencil is worth most; now and then any."""
        worth = {colour: self._worth(colour) for colour in self.state.free_tokens}
        if self._is_careless():
            token = self.rng.choice(tuple(worth))
        else:
            # The random number breaks ties, so that not every game is played in the order of the colours.
            token = max(worth, key=lambda colour: (worth[colour], self.rng.random()))
        return ScoredDecision(d.TakeToken(self.seat, token), worth[token])

    def _share(self) -> _Choice:
        state, seat = self.state, self.seat
        middle = [(n, cushion) for n, cushion in enumerate(state.cushions, start=1) if cushion.owner is None]
        free = [number for number, cushion in middle if len(cushion.pencils) < CUSHION_HOLDS]
        takeable = [it.cushion for it in legal_decisions(state) if isinstance(it, d.TakeCushion)]
        worth = {number: cushion_worth(state, seat, cushion) for number, cushion in middle}
        best = max(takeable, key=worth.__getitem__, default=None)
        if best is not None and (not free or worth[best] >= _GOOD_CUSHION or self._is_careless()):
            return ScoredDecision(d.TakeCushion(seat, best), worth[best])
        (drawn,) = self.bag.draw(state)
        return ScoredDecision(d.PlacePencil(seat, drawn, cushion_for(state, seat, drawn, self.rng)), self._worth(drawn))

    def _colour(self) -> _Choice:
        task = self.state.seat(self.seat).task
        kind = None if task is None else task.kind
        if kind is TaskKind.FETCH:
            return self._fetch()
        if kind is TaskKind.SWAP:
            return self._swap()
        if kind is TaskKind.STITCH:
            return self._stitch()
        if kind is TaskKind.BACKGROUNDS:
            # The first one listed colours all of the backgrounds.
            listed = next(it for it in self._legal() if isinstance(it, d.ColourBackgrounds))
            return ScoredDecision(listed, float(len(listed.cells)))
        return self._use() or ScoredDecision(d.Done(self.seat) if kind is None else d.Decline(self.seat), 0.0)

    def _legal(self) -> Iterator[Decision]:
        return (it for it in legal_decisions(self.state) if it.seat == self.seat)

    def _use(self) -> _Choice | None:
        """Return the use that seems worth most, now and then any, or None to leave the own pencils unused."""
        uses: list[Use] = [it for it in legal_decisions(self.state) if it.seat == self.seat and isinstance(it, d.Use)]
        if not uses or (self.state.seat(self.seat).task is None and self._is_careless()):
            return None
        if self._is_careless():
            use = self.rng.choice(uses)
            return ScoredDecision(use, use_worth(self.state, use))
        scored = [(use_worth(self.state, use), self.rng.random(), use) for use in uses]
        score, _, use = max(scored, key=lambda each: each[:2])
        return ScoredDecision(use, score)

    def _fetch(self) -> _Choice:
        """Return a good pencil of the neutral pincushion, else a blind one, else any; decline if there is none."""
        state, seat = self.state, self.seat
        worth = {colour: self._worth(colour) for colour in state.neutral_pencils}
        best = max(worth, key=worth.__getitem__, default=None)
        if best is not None and (worth[best] >= _GOOD_PENCIL or not any(state.bag)):
            return ScoredDecision(d.Fetch(seat, d.PencilSource.NEUTRAL, best), worth[best])
        drawn = self.bag.draw(state)
        if not drawn:
            return ScoredDecision(d.Decline(seat), 0.0)
        return ScoredDecision(d.Fetch(seat, d.PencilSource.BAG, drawn[0]), self._worth(drawn[0]))

    def _swap(self) -> _Choice:
        """Exchange pencils of little use; in simultaneous colouring only on this seat's turn to exchange."""
        offers = [it.given for it in self._legal() if isinstance(it, d.Swap)]
        poor = {colour for given in offers for colour in given if self._worth(colour) < _GOOD_PENCIL}
        given = max((given for given in offers if set(given) <= poor), key=len, default=())
        if not given:
            return ScoredDecision(d.Decline(self.seat), 0.0)
        score = sum(_GOOD_PENCIL - self._worth(colour) for colour in given)
        return ScoredDecision(d.Swap(self.seat, given, self.bag.draw(self.state, len(given))), score)

    def _stitch(self) -> _Choice:
        """Return a part of the figure with the fewest missing parts; now and then any part."""
        stitches = [it for it in self._legal() if isinstance(it, d.Stitch)]
        if self._is_careless():
            stitch = self.rng.choice(stitches)
        else:
            stitch = min(stitches, key=lambda it: (_lacking(self.state, it), self.rng.random()))
        return ScoredDecision(stitch, _BONUS_WORTH[BonusKind.STITCH])


def cushion_worth(state: State, seat: int, cushion: Cushion) -> float:
    """Return the worth of a pincushion's pencils for a seat, each by its best use."""
    return sum(best_use_worth(state, seat, colour) for colour in cushion.pencils)


def cushion_for(state: State, seat: int, drawn: Colour, rng: random.Random) -> int:
    """Return the pincushion for a pencil that a seat has drawn: with the best pencils for a good one, else the worst.

    Args:
        state: the game, in which a pincushion in the middle has a free place.
        seat: the seat that has drawn.
        drawn: the pencil.
        rng: breaks ties.
    """
    middle = [(number, cushion) for number, cushion in enumerate(state.cushions, start=1) if cushion.owner is None]
    sign = 1 if best_use_worth(state, seat, drawn) >= _GOOD_PENCIL else -1
    worth = {
        number: (sign * cushion_worth(state, seat, cushion), rng.random())
        for number, cushion in middle
        if len(cushion.pencils) < CUSHION_HOLDS
    }
    return max(worth, key=worth.__getitem__)


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
    cells = [marked.cells for marked in side.marks.rows]
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
