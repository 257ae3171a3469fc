"""The simulated table of Kvilt, with simulated players, or with users who colour on the page."""

import os
from typing import Any, TypeAlias, get_args

from companion.config import Config
from companion.games.kvilt.facts import ColouringEnded
from companion.games.kvilt.rules import History
from companion.games.kvilt.state import Bag, Setup, State
from companion.journal import Journal
from companion.kvilt.assembling import sheet_layout
from companion.kvilt.choices import Choice, ChoiceTopic, Option, Take
from companion.kvilt.codec import KVILT, Event
from companion.kvilt.settings import KviltSettings
from companion.kvilt.table.offering import TableNotes
from companion.kvilt.table.turn_loop import KviltTable
from companion.languages import Sentence, said
from companion.play.events import Asked, Complained, DecisionTaken, LookStarted
from companion.play.game import SimulatedParts
from companion.play.session import Simulation
from companion.play.speaker import voice_language
from hardware.simulated.sheets import players
from hardware.simulated.sheets.conditions import SheetMove
from hardware.simulated.sheets.evening import SimulatedSheetEvening
from hardware.simulated.sheets.virtual import VirtualSheetEvening

AnyEvening: TypeAlias = SimulatedSheetEvening | VirtualSheetEvening


def simulated_table(simulation: Simulation, config: Config, book: Journal, game_id: int | None) -> SimulatedParts:
    """Return the table; see `companion.play.game.Game.simulated`.

    Raises:
        CannotResumeError: the configuration names another sheet than the game's.
    """
    if game_id is None:
        setup = config.of(KviltSettings).setup(voice_language(config, os.environ))
    else:
        setup = book.setup(game_id, KVILT)
    evening = _laid(simulation, config, setup)
    people = KviltPeople(evening, None if game_id is None else TableNotes(book, game_id))
    return SimulatedParts(evening.clock, evening.camera, evening.controls, evening.strip, people, setup)


def table_name(simulation: Simulation, config: Config) -> str:
    """Return the table's name in the journal, by which the same evening finds its unfinished game."""
    kvilt = config.of(KviltSettings)
    setup = kvilt.setup()
    tempers = simulation.tempers
    words = ["simulated kvilt", str(simulation.seed), f"{setup.seats} seats", *tempers, *sorted(setup.variants)]
    words += ["in", *kvilt.themes] if kvilt.themes else []
    return " ".join([*words, "real bag"] if kvilt.bag == "real" else words)


def _laid(simulation: Simulation, config: Config, setup: Setup) -> AnyEvening:
    layout, by_hand = sheet_layout(config.of(KviltSettings), setup), simulation.by_hand
    if by_hand is not None:
        return VirtualSheetEvening(
            simulation.seed,
            by_hand.take_over(get_args(SheetMove)),
            setup,
            layout,
            fps=simulation.fps,
            tempo=simulation.paced,
            pixels=config.strip.pixels,
            publish=by_hand.show,
            themes=config.of(KviltSettings).themes,
            partner=config.partner.seat,
        )
    return SimulatedSheetEvening(
        simulation.seed,
        setup,
        layout,
        simulation.tempers,
        bag=Bag(f"real {simulation.seed}") if config.of(KviltSettings).bag == "real" else None,
        fps=simulation.fps,
        fast=simulation.fast,
        tempo=simulation.paced,
        pixels=config.strip.pixels,
        themes=config.of(KviltSettings).themes,
        partner=config.partner.seat,
    )


class KviltPeople:
    """The players at the simulated table; see `companion.play.session.People`.

    Args:
        evening: the table.
        notes: of an interrupted game, which have what is on the sheets and does not count; None for a new game.
    """

    def __init__(self, evening: AnyEvening, notes: TableNotes | None = None) -> None:
        self._evening, self._notes = evening, notes

    @property
    def gave_up(self) -> bool:
        """True if simulated players gave up because no look at a sheet succeeded; always False for page users."""
        return isinstance(self._evening, SimulatedSheetEvening) and self._evening.gave_up

    def resume(self, history: History) -> None:
        """Lay the sheets according to the history of an interrupted game."""
        if history.decisions:
            self._evening.resume_from(history.state)
        uncounted = () if self._notes is None else self._notes.uncounted(history.state)
        for sheet, marks in zip(self._evening.sheets, uncounted, strict=False):
            sheet.colour(marks)

    def on_event(self, event: Event) -> None:
        """Pass on an event that players would notice on the page and the lights, including the end."""
        if isinstance(self._evening, VirtualSheetEvening):
            self._lay(self._evening, event)
            self._evening.ended(finished=event.state.finished)
        elif isinstance(event, Asked):
            # The question itself; that another of its options is displayed is no news to those who pressed.
            if event.choice == 0:
                self._evening.on_feedback(_asked(event.question, event.state))
        elif isinstance(event, Complained):
            self._evening.on_feedback(players.Complained(event.complaint.codes))
        elif isinstance(event, DecisionTaken) and event.state.finished:
            self._evening.on_feedback(players.Ended())

    def _lay(self, evening: VirtualSheetEvening, event: Event) -> None:
        """Lay the sheet that is looked at, without a move of the players."""
        if isinstance(event, LookStarted):
            evening.look_begins(event.state.mover)
        elif isinstance(event, Asked) and event.question.asks is ChoiceTopic.SHEET:
            evening.colouring_begins(event.state)
        elif isinstance(event, DecisionTaken) and any(isinstance(fact, ColouringEnded) for fact in event.facts):
            evening.turn_ends()

    def settle(self, desk: object) -> None:
        """See `People`; Kvilt has no doubts to settle at a desk."""

    def tick(self, now_s: float) -> None:
        """See `People`; the players act only on their sheets."""

    def complaint(self, history: History, complaints: list[dict[str, Any]]) -> Sentence:
        """Return why the simulated players gave up."""
        last = complaints[-1]
        return said(
            "The simulated players give up: {name}’s sheet was refused again and again. {says}",
            name=history.setup.players[last["seat"] - 1],
            says=last["says"],
        )

    def truth(self, table: KviltTable) -> dict[str, Any]:
        """Return by seat the true marks and those last read, and whether they are equal."""
        coloured = [dict(sorted(sheet.coloured.items())) for sheet in self._evening.sheets]
        read = [dict(sorted(table.marks.get(seat, {}).items())) for seat, _ in enumerate(coloured, 1)]
        return {"table": coloured, "read": read, "equal": coloured == read}


def _asked(choice: Choice, state: State) -> players.Asked:
    options = tuple(map(_offered, choice.options))
    return players.Asked(choice.asks.value, choice.seat, options, choice.regions, state)


def _offered(option: Option) -> players.Offered:
    decision = option.action.decision if isinstance(option.action, Take) else None
    return players.Offered(option.kind, option.colours, option.numbers, decision)
