"""Puts a simulated table of Kvilt together, with players who colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from companion.bootstrap.attached import Company
from companion.bootstrap.kvilt import (
    KviltTranscript,
    PlayedKvilt,
    clear_circle,
    kvilt_history,
    kvilt_lights,
    sheet_onlookers,
)
from companion.bootstrap.simulation import KviltSimulation, kvilt_table_name
from companion.events import Asked, Complained, DecisionTaken
from companion.games.kvilt import Bag
from companion.kvilt.choices import Take
from companion.kvilttable import (
    BAG_NOTE,
    KviltTable,
    RealBag,
    SheetClerk,
    SheetWatch,
    VirtualBag,
    bag_in,
    bag_text,
)
from companion.languages import reason, said
from companion.merging import MergedControls
from companion.record import KVILT
from companion.sheetreading import SheetReader
from hardware.ports import HardwareError
from hardware.simulated import sheetnews as news
from hardware.simulated.sheetevening import SimulatedSheetEvening
from hardware.simulated.sheetvirtual import VirtualSheetEvening

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.bootstrap.attached import Attached
    from companion.bootstrap.virtual import VirtualTable
    from companion.config import Config
    from companion.games.kvilt import History, Layout, Setup, State
    from companion.journal import Book
    from companion.kvilt.choices import Choice, Option
    from companion.kvilt.news import Event, Listener
    from hardware.ports import RGB

_FAST_FPS: Final = 5.0

Evening: TypeAlias = SimulatedSheetEvening | VirtualSheetEvening


def simulate_kvilt(
    config: Config,
    options: KviltSimulation,
    setup: Setup,
    layout: Layout,
    book: Book,
    *,
    game_id: int | None = None,
    listeners: Sequence[Listener] = (),
    mirrors: Sequence[Callable[[Sequence[RGB]], None]] = (),
    attached: Attached | None = None,
    virtual: VirtualTable | None = None,
) -> PlayedKvilt:
    """Play a simulated evening to its end.

    Args:
        config: the configuration.
        options: which evening.
        setup: the game, where it is a new one.
        layout: of its sheet.
        book: the journal.
        game_id: the unfinished game to go on with, None for a new one.
        listeners: told of every event.
        mirrors: told of every frame of the strip.
        attached: takes part from outside, such as a page; None for nothing.
        virtual: the table at which people colour by hand; None where simulated players sit at it.

    Raises:
        JournalError: a decision cannot be written.
    """
    setup = setup if game_id is None else book.setup(game_id, KVILT)
    number = _begun(book, setup, options) if game_id is None else game_id
    history = kvilt_history(book, number)
    evening: Evening = (
        _seated(config, options, setup, layout) if virtual is None
        else virtual.laid_sheets(config, options, setup, layout)
    )  # fmt: skip
    if history.decisions:
        evening.resume_from(history.state)
    clear_circle(attached)
    transcript = KviltTranscript()
    company: Company[Event] = Company((transcript, *listeners, _hearsay(evening)), mirrors, attached)
    return _played(_table(config, layout, book, number, history, evening, company), transcript, evening)


def _table(
    config: Config,
    layout: Layout,
    book: Book,
    number: int,
    history: History,
    evening: Evening,
    company: Company[Event],
) -> KviltTable:
    """The turn loop, and all that listens to it or looks on."""
    attached, setup = company.attached, history.setup
    watch = SheetWatch(layout, config.reading.settle_frames)
    lights = kvilt_lights(config.strip, evening.strip, setup.seats, company.mirrors)
    return KviltTable(
        camera=evening.camera,
        controls=evening.controls if attached is None else MergedControls(evening.controls, attached.controls),
        watch=watch,
        reader=SheetReader(setup.sheet, layout),
        bag=bag_in(book.notes(number)),
        book=book,
        game_id=number,
        history=history,
        listeners=(lights, *company.listeners),
        ticks=(lights.tick, *sheet_onlookers(attached, watch, history, evening.camera)),
        clerk=None if attached is None else SheetClerk(attached.inbox),
    )


def _begun(book: Book, setup: Setup, options: KviltSimulation) -> int:
    number = book.new_game(setup, kvilt_table_name(options, setup))
    book.note(number, BAG_NOTE, bag_text(RealBag() if options.real_bag else VirtualBag(options.seed)))
    return number


def _seated(config: Config, options: KviltSimulation, setup: Setup, layout: Layout) -> SimulatedSheetEvening:
    return SimulatedSheetEvening(
        options.seed,
        setup,
        layout,
        options.tempers,
        bag=Bag(f"real {options.seed}") if options.real_bag else None,
        fps=_FAST_FPS if options.fast else config.simulation.fps,
        fast=options.fast,
        real_time=not options.fast,
        pixels=config.strip.pixels,
    )


def _played(table: KviltTable, transcript: KviltTranscript, evening: Evening) -> PlayedKvilt:
    error = None
    try:
        table.run()
    except HardwareError as fault:
        error = reason(fault)
    finally:
        evening.camera.close()
        evening.controls.close()
        evening.strip.close()
    coloured = tuple(dict(sheet.coloured) for sheet in evening.sheets)
    gave_up = isinstance(evening, SimulatedSheetEvening) and evening.gave_up
    if gave_up:
        error = _why(table.history, transcript)
    return PlayedKvilt(table.history, transcript, error, table.marks, coloured, gave_up)


def _why(history: History, transcript: KviltTranscript) -> str:
    """Why the simulated players went home."""
    last = transcript.complaints[-1]
    return said(
        "The simulated players give up: {name}'s sheet was refused again and again. {says}",
        name=history.setup.players[last["seat"] - 1],
        says=last["says"],
    )


def _hearsay(evening: Evening) -> Listener:
    """Tells those at the table what they would hear there; people read it off the page, and go home some time."""
    if isinstance(evening, SimulatedSheetEvening):
        return _Hearsay(evening)
    return lambda event: evening.ended(finished=event.state.finished)


class _Hearsay:
    """Tells who sits at the simulated table what people at the table would read off the page and the lights."""

    def __init__(self, evening: SimulatedSheetEvening) -> None:
        self._evening = evening

    def __call__(self, event: Event) -> None:
        if isinstance(event, Asked):
            if event.choice == 0:
                self._ask(event.question, event.state)
        elif isinstance(event, Complained):
            self._evening.told(news.Complained(event.complaint.codes))
        elif isinstance(event, DecisionTaken) and event.state.finished:
            self._evening.told(news.Ended())

    def _ask(self, choice: Choice, state: State) -> None:
        options = tuple(map(_offered, choice.options))
        self._evening.told(news.Asked(choice.asks.value, choice.seat, options, choice.regions, state))


def _offered(option: Option) -> news.Offered:
    decision = option.action.decision if isinstance(option.action, Take) else None
    return news.Offered(option.kind, option.colours, option.numbers, decision)
