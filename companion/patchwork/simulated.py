"""The simulated table of Patchwork, with simulated players, or with users who move pieces by hand."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, TypeAlias, get_args

import numpy as np

from companion.calibrating.configured import locator_by
from companion.config import Config
from companion.games.patchwork.cells import cell_name, indices_of
from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.games.patchwork.decisions import Decision, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import Journal, MemoryJournal
from companion.languages import Sentence, said
from companion.lights import Lights
from companion.patchwork.arrangement import CircleSource, circle_in, circle_of, first_setup
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.proposal import Certainty, CircleAnswer, LiesBehind, PlaceIs, Proposal, RunsSo
from companion.patchwork.circle.seen import UnclearStretch
from companion.patchwork.codec import PATCHWORK, Event
from companion.patchwork.lights import LightShow
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.reading.reader import Reader
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.table import PatchworkTable
from companion.patchwork.watching.watch import TableWatch
from companion.play import events
from companion.play.game import SimulatedParts
from companion.play.loop import TableParts
from companion.play.session import Simulation, table_traits
from companion.play.speaker import voice_language
from companion.record import Games
from hardware.ports import Clock, LightStrip, Press
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import TABLES, normal
from hardware.simulated.devices import SimulatedControls
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.people import gestures
from hardware.simulated.scene.table import SimulatedTable, StillTable, cells_of
from hardware.simulated.virtual.evening import VirtualEvening
from hardware.simulated.virtual.moves import Move

ANSWER_S: Final = 2.0
"""Seconds that a player looks at a place before answering."""
# Distance from a patch, in widths of the piece, beyond which a piece is no patch of the circle.
_WIDTH: Final = 0.7


@dataclass(frozen=True, slots=True)
class TrueCircle:
    """The circle as it really lies: patch ids, clockwise, and by patch (x, y) of its middle in the picture."""

    market: Sequence[str]
    middles_px: Mapping[str, tuple[float, float]]


class CircleConfirmer:
    """A simulated player who answers a doubtful place every few seconds, until nothing is in doubt.

    The true circle is asked for once something is in doubt.
    """

    def __init__(self, desk: CircleDesk, circle: Callable[[], TrueCircle], answer_s: float = ANSWER_S) -> None:
        self._desk, self._circle, self._answer_s = desk, circle, answer_s
        self._known: TrueCircle | None = None
        self._answered: int | None = None
        self._next_s = float("-inf")

    def tick(self, now_s: float) -> None:
        """Answer the next doubt when it is due; a tick of the turn loop."""
        laid = self._desk.laid
        if laid is None or laid.known or laid.number == self._answered or laid.proposal.settled:
            self._next_s = now_s + self._answer_s
            return
        if now_s < self._next_s:
            return
        self._next_s, self._answered = now_s + self._answer_s, laid.number
        if self._known is None:
            self._known = self._circle()
        answer = next_answer(laid.proposal, self._known)
        if answer is not None:
            self._desk.submit(answer)


def next_answer(proposal: Proposal, circle: TrueCircle) -> CircleAnswer | None:
    """Return a player's next answer about a seen circle, or None if nothing is in doubt."""
    nearest = [_nearest(piece.outline_px, circle) for piece in proposal.seen.pieces]
    for stretch in proposal.unclear:
        way = _true_way(stretch, nearest, circle.market)
        if way is not None:
            return RunsSo(stretch.places[0], way)
    lying = _lying(nearest, circle)
    for place in proposal.places:
        if place.certainty is Certainty.DOUBTFUL:
            return PlaceIs(place.number, lying[place.number - 1])
    follows = dict(zip(circle.market, (circle.market[-1], *circle.market[:-1]), strict=True))
    for patch in circle.market:
        if patch in proposal.missing and follows[patch] not in proposal.missing:
            return _behind(patch, proposal, circle)
    return None


def _true_way(stretch: UnclearStretch, nearest: Sequence[str | None], market: Sequence[str]) -> int | None:
    """Return the number of the way in which a stretch really runs, or None if it is not among its ways.

    `nearest` has for each place the patch that lies there, or None for no patch.
    """
    count, first, last = len(nearest), stretch.places[0], stretch.places[-1]
    for number, way in enumerate(stretch.ways):
        line = [nearest[place - 1] for place in ((first - 2) % count + 1, *way, last % count + 1)]
        at = [market.index(patch) for patch in line if patch is not None]
        # Going along the circle from each patch to the next makes less than one full turn.
        if sum((there - here) % len(market) for here, there in pairwise(at)) < len(market):
            return number
    return None


def _lying(nearest: list[str | None], circle: TrueCircle) -> list[str | None]:
    """Return the patch in each place; if every patch was seen, in the true order."""
    count = len(circle.market)
    if len(nearest) != count or len(set(nearest)) != count or None in nearest:
        return nearest
    turned = [[*circle.market[first:], *circle.market[:first]] for first in range(count)]
    best = max(turned, key=lambda order: sum(one == other for one, other in zip(order, nearest, strict=True)))
    return list(best)


def _nearest(outline_px: np.ndarray[tuple[int, ...], np.dtype[np.float64]], circle: TrueCircle) -> str | None:
    """Return the patch at a piece's outline, (n, 2), in the picture, or None for no patch."""
    low, high = outline_px.min(axis=0), outline_px.max(axis=0)
    names = list(circle.middles_px)
    off = np.hypot(*(np.array([circle.middles_px[name] for name in names]) - (low + high) / 2).T)
    nearest = int(off.argmin())
    return names[nearest] if off[nearest] <= _WIDTH * float((high - low).max()) else None


def _behind(patch: str, proposal: Proposal, circle: TrueCircle) -> CircleAnswer:
    """Return the answer that places an unseen patch; those before it have been placed by then."""
    at = circle.market.index(patch)
    before = [*circle.market[at:], *circle.market[:at]][::-1]
    places = {place.patch: place.number for place in proposal.places if place.patch is not None}
    return LiesBehind(next((places[each] for each in before if each in places), 1), patch)


AnyEvening: TypeAlias = SimulatedEvening | VirtualEvening


class PatchworkPeople:
    """The players at the simulated table, who take `answer_s` seconds for each doubt about the circle."""

    def __init__(self, evening: AnyEvening, answer_s: float = 0.0) -> None:
        self._evening, self._answer_s = evening, answer_s
        self._asked: tuple[Decision, ...] | None = None
        self._confirmer: CircleConfirmer | None = None

    @property
    def gave_up(self) -> bool:
        """True if the players gave up because the companion never accepted what they did."""
        return self._evening.gave_up

    def resume(self, history: History) -> None:
        """Lay the table according to the decisions of an interrupted game."""
        if history.decisions:
            self._evening.resume_from(history.decisions)

    def settle(self, desk: object) -> None:
        """Let simulated players settle the camera's doubts about the circle; users of the page answer themselves.

        The prints of the patches are also passed to the desk, for the page to draw.
        """
        if not isinstance(desk, CircleDesk):
            return
        desk.dress = self._evening.table.dress
        if not isinstance(self._evening, VirtualEvening):
            self._confirmer = CircleConfirmer(desk, self._circle, self._answer_s)

    def tick(self, now_s: float) -> None:
        """Let simulated players answer doubts about the circle; a tick of the turn loop."""
        if self._confirmer is not None:
            self._confirmer.tick(now_s)

    def _circle(self) -> TrueCircle:
        table = self._evening.table
        return TrueCircle(table.market, table.circle_middles_px())

    def on_event(self, event: Event) -> None:
        """Pass on an event that players at the table would notice on the page and the lights."""
        if isinstance(event, events.GameOpened):
            self._evening.on_feedback(gestures.Opened())
        elif isinstance(event, events.DecisionTaken):
            self._evening.on_feedback(gestures.Accepted(event.decision))
        elif isinstance(event, events.DecisionProposed):
            self._evening.on_feedback(gestures.Proposed(event.decision))
        elif isinstance(event, events.DecisionUndone):
            self._evening.on_feedback(gestures.Undone())
        elif isinstance(event, events.Complained):
            self._evening.on_feedback(gestures.Complaint(event.complaint.reason.value, event.complaint.cells))
        elif isinstance(event, events.Asked) and event.choice <= 0 and event.question.options != self._asked:
            self._asked = event.question.options
            self._evening.on_feedback(gestures.Question(event.question.options, event.question.none_first))
        elif isinstance(event, events.QuestionAnswered):
            self._asked = None
            self._evening.on_feedback(gestures.Answered())
        elif isinstance(event, events.TableNoticed):
            self._evening.on_feedback(gestures.Noticed())

    def complaint(self, history: History, complaints: list[dict[str, Any]]) -> Sentence:
        """Return why the simulated players gave up."""
        del complaints
        name = history.setup.players[history.state.mover - 1]
        return said("The simulated players give up: {name}’s move was refused again and again.", name=name)

    def frame_truth(self) -> dict[str, Any]:
        """Return what the latest frame shows besides the quilts.

        By seat, the space of each marker and the values of the tokens, and the seat whose board the 7x7 tile lies by.
        """
        books = self._evening.table.books
        tokens = [[coin.value for coin in purse] for purse in books.purses]
        return {"markers": list(books.times), "tokens": tokens, "tile": books.bonus}

    def truth(self, table: object) -> dict[str, Any]:
        """Return the true quilts of the simulated table: for each seat nine strings of X and . ."""
        del table
        return {"table": [list(rows) for rows in self._evening.table.quilts()]}


def simulated_table(simulation: Simulation, config: Config, book: Journal, game_id: int | None) -> SimulatedParts:
    """Return the table; see `companion.play.game.Game.simulated`."""
    evening = _laid(simulation, config, _setup(config, book, game_id))
    setup = evening.setup if circle_of(config) is CircleSource.DEALT else replace(evening.setup, market=None)
    people = PatchworkPeople(evening, 0.0 if simulation.fast else ANSWER_S)
    devices = evening.clock, evening.camera, evening.controls, evening.strip
    return SimulatedParts(*devices, people, setup, people.frame_truth)


def table_name(simulation: Simulation, config: Config) -> str:
    """Return the table's name in the journal, by which the same evening finds its unfinished game."""
    circle = circle_of(config)
    tempers = " ".join(simulation.tempers)
    name = f"simulated {simulation.seed} {tempers}"
    name = name if circle is CircleSource.DEALT else f"{name} circle {circle}"
    return name + table_traits(config)


def _setup(config: Config, book: Journal, game_id: int | None) -> Setup:
    """Return the setup with the circle on the table, even if it is unknown to the companion."""
    if game_id is None:
        setup = first_setup(config, voice_language(config, os.environ))
    else:
        setup = book.setup(game_id, PATCHWORK)
    lies_there = config.of(PatchworkSettings).market if game_id is None else circle_in(book.notes(game_id))
    return setup if setup.market is not None else replace(setup, market=lies_there)


def _laid(simulation: Simulation, config: Config, setup: Setup) -> AnyEvening:
    """Lay the table, with simulated players or for the moves of users."""
    mats, by_hand = config.table.boards == "mats", simulation.by_hand
    if by_hand is not None:
        return VirtualEvening(
            simulation.seed,
            by_hand.take_over(get_args(Move)),
            TABLES[config.simulation.table],
            setup=setup,
            mats=mats,
            fps=simulation.fps,
            tempo=simulation.paced,
            pixels=config.strip.pixels,
            publish=by_hand.show,
            partner=config.partner.seat,
            presses=not config.reading.hands_free,
        )
    return SimulatedEvening(
        simulation.seed,
        TABLES[config.simulation.table],
        (simulation.tempers[0], simulation.tempers[-1]),
        setup=setup,
        mats=mats,
        fps=simulation.fps,
        fast=simulation.fast,
        tempo=simulation.paced,
        pixels=config.strip.pixels,
        hands_free=config.reading.hands_free,
        markers=config.table.time_board == "followed",
        circle=circle_of(config) is CircleSource.SEEN,
        partner=config.partner.seat,
        stages_slip=simulation.stages_slip,
    )


_FPS = 10.0
# The circle ends with the smallest patch: the neutral token stands behind it (rules, "Setup").
_CIRCLE = (*(name for name in PATCHES if name != SMALLEST_PATCH), SMALLEST_PATCH)


class TurnRehearsal:
    """A game with simulated pictures on the table's real lights and push-buttons, for the hardware test's turn."""

    def __init__(self, config: Config, strip: LightStrip, clock: Clock) -> None:
        self._table = SimulatedTable(1, normal(), market=_CIRCLE)
        self._events: list[Event] = []
        self._controls = SimulatedControls(clock)
        self._watch = TableWatch(locator_by(None))
        lights: Lights[Any] = Lights(LightShow(strip.pixel_count, strip=config.strip), strip)
        book = MemoryJournal(Games((PATCHWORK,)))
        number = book.new_game(Setup(players=("Seat 1", "Seat 2"), market=_CIRCLE), "hardware test")
        self._history = History(book.setup(number, PATCHWORK))
        parts = TableParts(
            camera=SimulatedCamera(StillTable(self._table), clock, _FPS),
            controls=self._controls,
            book=book,
            game_id=number,
            history=self._history,
            listeners=(lights, self._events.append),
            ticks=(lights.tick,),
        )
        observer = QuiltObserver(QuiltComparer(self._watch))
        self._game = PatchworkTable(parts, self._watch, observer, Reader(observer))

    @property
    def ready(self) -> bool:
        """True once both boards have been seen."""
        return self._watch.ready

    def lay(self) -> str:
        """Place an affordable patch on the simulated board of the seat to move, and return a sentence on it."""
        decision = next(each for each in legal_decisions(self._history.state) if isinstance(each, TakePatch))
        self._table.lay(decision.seat, decision.patch, cells_of(decision.cells))
        first = cell_name(next(indices_of(decision.cells)))
        return said("Seat {seat} has laid a patch at {first} of its simulated board.", seat=decision.seat, first=first)

    def step(self, presses: Sequence[Press]) -> Sequence[Event]:
        """Take a picture, with the presses since the last one, and return the events announced."""
        for press in presses:
            # Of no seat: any press counts for the seat to move.
            self._controls.press(press.button)
        self._game.step()
        # Emptied in place, because its `append` is a listener.
        announced, self._events[:] = tuple(self._events), []
        return announced
