"""Puts the simulated table together, with players who sit at it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from calibration.calibrated import straightened
from companion import events
from companion.bootstrap.arrangement import Circle, circle_in, note_table
from companion.bootstrap.assembling import (
    desk_of,
    foresight_of,
    head_writer,
    history_of,
    lights_of,
    onlookers,
    speaker_of,
)
from companion.bootstrap.attached import DeskCompany
from companion.bootstrap.circlekeeper import CircleKeeper
from companion.bootstrap.circleplay import CirclePlay
from companion.bootstrap.devices import open_voice
from companion.bootstrap.evening import PlayedEvening
from companion.bootstrap.finale import PICTURES, Finale
from companion.bootstrap.firstpicture import AtOnce, FirstPicture, learner
from companion.bootstrap.keeping import ProfileKeeper
from companion.bootstrap.locating import calibration_of, locator_by, lookouts, seating_of
from companion.bootstrap.notices import Notices
from companion.bootstrap.simulation import SimulationOptions, table_name
from companion.bootstrap.telling import clerk_of
from companion.languages import reason, said
from companion.merging import MergedControls
from companion.reader.reader import Reader
from companion.reader.watch import TableWatch
from companion.recording import head_text
from companion.table import Table
from companion.transcript import Transcript
from hardware.nothing import NoVoice
from hardware.ports import HardwareError
from hardware.recorded import RecordingCamera, RecordingWriter
from hardware.simulated import news
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from calibration.boards import Seating
    from calibration.stored import TableCalibration
    from companion.bootstrap.attached import Attached
    from companion.bootstrap.circledesk import CircleDesk
    from companion.bootstrap.virtual import VirtualTable
    from companion.config import Config
    from companion.games.patchwork import Decision, History, Setup
    from companion.journal import Book
    from hardware.ports import RGB, Camera
    from hardware.simulated.virtual import VirtualEvening


_FAST_FPS: Final = 5.0


def simulate(
    config: Config,
    options: SimulationOptions,
    book: Book,
    profiles: Path,
    game_id: int | None = None,
    listeners: Sequence[events.Listener] = (),
    mirrors: Sequence[Callable[[Sequence[RGB]], None]] = (),
    attached: Attached | None = None,
    *,
    virtual: VirtualTable | None = None,
    desk: CircleDesk | None = None,
) -> PlayedEvening:
    """Play a simulated evening to its end.

    Args:
        config: the configuration.
        options: which evening.
        book: the journal.
        profiles: the folder where tables' profiles are kept.
        game_id: the unfinished game to go on with, None for a new one.
        listeners: told of every event.
        mirrors: told of every frame of the strip.
        attached: takes part from outside, such as a page; None for nothing.
        virtual: the table that people move by hand; None where simulated players sit at it.
        desk: where a circle that was seen is confirmed; what is attached brings its own where None.

    Raises:
        ProfileLostError: the game's profile is lost, so that its quilts cannot be read any more; or it cannot be kept.
        RecordingError: the recording cannot be begun.
        JournalError: a decision cannot be written.
    """
    setup = _setup(config, book, game_id)
    evening = _seated(config, options, setup) if virtual is None else virtual.laid(config, options, setup)
    game = _begun(config, options, book, evening, game_id)
    voice = NoVoice() if options.fast else open_voice(config)
    heard: tuple[events.Listener, ...] = (*listeners, speaker_of(config, voice))
    company = DeskCompany(heard, mirrors, attached, desk_of(attached, desk))
    transcript = Transcript()
    background = _background(options)
    try:
        table = _table(config, book, profiles, game, company, transcript, background)
        return _played(table, transcript, evening, game.camera)
    finally:
        background.shutdown(wait=False, cancel_futures=True)
        voice.close()


def _background(options: SimulationOptions) -> Executor:
    """What takes longer than a frame must keep nobody waiting who looks on; a fast evening follows from its seed."""
    return AtOnce() if options.fast else ThreadPoolExecutor(1, "background")


@dataclass(frozen=True, slots=True)
class _Begun:
    """An evening whose game is in the journal.

    Attributes:
        number: the game's.
        history: the game.
        evening: the table and who sits at it.
        camera: as the companion sees through it; it records where a recording is written.
        writer: of that recording.
        calibration: of the table, None where nobody measured it.
        seating: how the boards are found, None where mats tell.
        sees_circle: whether the circle is to be seen.
    """

    number: int
    history: History
    evening: SimulatedEvening | VirtualEvening
    camera: Camera
    writer: RecordingWriter | None
    calibration: TableCalibration | None
    seating: Seating | None
    sees_circle: bool


def _setup(config: Config, book: Book, game_id: int | None) -> Setup:
    """The game as it really begins: what the companion was not told lies on the table all the same."""
    setup = config.game.setup() if game_id is None else book.setup(game_id)
    lies_there = config.game.market if game_id is None else circle_in(book.notes(game_id))
    return setup if setup.market is not None else replace(setup, market=lies_there)


def _begun(
    config: Config,
    options: SimulationOptions,
    book: Book,
    evening: SimulatedEvening | VirtualEvening,
    game_id: int | None,
) -> _Begun:
    """Open the recording and the game, in this order: a folder that is refused must not leave a game behind."""
    seating, calibration = seating_of(config.table), calibration_of(config.table)
    told = evening.setup if options.circle is Circle.DEALT else replace(evening.setup, market=None)
    head = head_text(told, seating=seating)
    writer = None if options.record is None else RecordingWriter(options.record, head)
    seen = straightened(evening.camera, calibration)
    camera: Camera = seen if writer is None else RecordingCamera(seen, writer)
    number = game_id or _new_game(book, told, config, options)
    sees_circle = options.circle is Circle.SEEN
    return _Begun(number, history_of(book, number), evening, camera, writer, calibration, seating, sees_circle)


def _table(
    config: Config,
    book: Book,
    profiles: Path,
    game: _Begun,
    company: DeskCompany[events.Event],
    transcript: Transcript,
    background: Executor,
) -> Table:
    """The turn loop, and all that listens to it or looks on."""
    evening, history, attached = game.evening, game.history, company.attached
    locator = locator_by(game.seating, game.calibration)
    watch = TableWatch(locator, config.reading.settle_frames)
    keeper = ProfileKeeper(watch, profiles / f"{game.number}.npz")
    _go_on(evening, keeper, history)
    lights, reader = lights_of(config.strip, evening.strip, company.mirrors), Reader(watch, config.reading.confidence)
    notices = Notices()
    notices.address(history, company.listeners)
    circle = CirclePlay(watch, reader, notices.say, company.desk.notice)
    rewrite = head_writer(game.writer, game.seating)
    learn = learner(book, game.number, history, rewrite) if game.sees_circle else None
    kept_circle = CircleKeeper(book, game.number, profiles / f"{game.number}.circle.jpg")
    asked = company.desk.begin(history, learn, notices.say, circle.follow, kept_circle)
    finale = Finale(watch, history, profiles.parent / PICTURES, game.number)
    return Table(
        camera=game.camera,
        controls=evening.controls if attached is None else MergedControls(evening.controls, attached.controls),
        watch=watch,
        reader=reader,
        book=book,
        game_id=game.number,
        history=history,
        prepare=keeper.keep,
        listeners=(transcript, lights, *company.listeners, company.desk, circle, _Hearsay(evening)),
        ticks=(
            lights.tick,
            *lookouts(watch, locator, history, company.listeners),
            FirstPicture(watch, history, notices.say, asked, background).tick,
            company.desk.tick,
            notices.deliver,
            *(() if attached is None else (finale.tick,)),
            *onlookers(attached, watch, history, game.camera),
        ),
        log_press=None if game.writer is None else game.writer.press,
        foresight=foresight_of(config.reading, watch, reader),
        clerk=clerk_of(attached, game.writer),
    )


def _new_game(book: Book, told: Setup, config: Config, options: SimulationOptions) -> int:
    number = book.new_game(told, table_name(options))
    note_table(book, number, config, told)
    return number


def _seated(config: Config, options: SimulationOptions, setup: Setup) -> SimulatedEvening:
    """The table with its players."""
    return SimulatedEvening(
        options.seed,
        TABLES[options.table],
        options.tempers,
        setup=setup,
        mats=options.mats,
        fps=_FAST_FPS if options.fast else config.simulation.fps,
        fast=options.fast,
        real_time=not options.fast,
        pixels=config.strip.pixels,
        hands_free=config.reading.hands_free,
    )


def _go_on(evening: SimulatedEvening | VirtualEvening, keeper: ProfileKeeper, history: History) -> None:
    """Lay the table as it lay when the game was cut off; a new game leaves it bare."""
    if not history.decisions:
        return
    evening.resume_from(history.decisions)
    quilts = {seat: history.state.seat(seat).quilt for seat in (1, 2)}
    if any(quilts.values()):
        keeper.restore(quilts)


def _played(
    table: Table, transcript: Transcript, evening: SimulatedEvening | VirtualEvening, camera: Camera
) -> PlayedEvening:
    error = None
    try:
        table.run()
    except HardwareError as fault:
        error = reason(fault)
    finally:
        camera.close()
        evening.controls.close()
        evening.strip.close()
    if evening.gave_up:
        error = _why(table.history)
    first, second = evening.table.quilts()
    return PlayedEvening(table.history, transcript, error, (tuple(first), tuple(second)), evening.gave_up)


def _why(history: History) -> str:
    """Why the simulated players went home."""
    name = history.setup.players[(history.state.turn or 1) - 1]
    return said("The simulated players give up: what {name} did was not taken, again and again.", name=name)


class _Hearsay:
    """Tells who sits at the simulated table what people at the table would read off the page and the lights."""

    def __init__(self, evening: SimulatedEvening | VirtualEvening) -> None:
        self._evening = evening
        self._asked: tuple[Decision, ...] | None = None

    def __call__(self, event: events.Event) -> None:
        if isinstance(event, events.DecisionTaken):
            self._evening.told(news.Accepted(event.decision))
        elif isinstance(event, events.DecisionUndone):
            self._evening.told(news.Undone())
        elif isinstance(event, events.Complained):
            self._evening.told(news.Complaint(event.complaint.reason.value, event.complaint.cells))
        elif isinstance(event, events.Asked) and event.choice == 0 and event.question.options != self._asked:
            self._asked = event.question.options
            self._evening.told(news.Question(event.question.options))
        elif isinstance(event, events.QuestionAnswered):
            self._asked = None
