"""Puts a real table together, with the devices that the configuration names."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from calibration.calibrated import straightened
from companion.bootstrap.arrangement import note_table
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
from companion.bootstrap.devices import lasting_camera, lasting_strip, open_controls, open_voice
from companion.bootstrap.emptiness import EmptyCheck
from companion.bootstrap.evening import PlayedEvening
from companion.bootstrap.finale import PICTURES, Finale
from companion.bootstrap.firstlight import FirstLight
from companion.bootstrap.firstpicture import AtOnce, FirstPicture, learner
from companion.bootstrap.keeping import ProfileKeeper
from companion.bootstrap.locating import calibration_of, empty_of, locator_by, lookouts, seating_of
from companion.bootstrap.notices import Notices
from companion.bootstrap.outage import Outage
from companion.bootstrap.seats import SeatedControls, TurnLamps
from companion.bootstrap.telling import clerk_of
from companion.errors import CompanionError
from companion.languages import any_of, reason, said
from companion.merging import MergedControls
from companion.reader.reader import Reader
from companion.reader.watch import TableWatch
from companion.recording import head_text
from companion.table import Table
from companion.transcript import Transcript
from hardware.clock import SystemClock
from hardware.nothing import NoVoice
from hardware.pi.controls import GpioControls
from hardware.ports import HardwareError
from hardware.recorded import RecordingCamera, RecordingWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from calibration.profile import Profile
    from companion.bootstrap.attached import Attached
    from companion.bootstrap.circledesk import CircleDesk
    from companion.bootstrap.played import Played
    from companion.config import Config
    from companion.events import Event, Listener
    from companion.games.patchwork import History, Setup
    from companion.journal import Book
    from hardware.ports import RGB, Camera, Clock, Controls, Voice
    from hardware.resilient import ResilientStrip

TABLE_NAME: Final = "table"
"""The real table's name in the journal: there is one at each machine."""
LINGER_S: Final = 120.0
"""A finished game stays open for so long, for somebody may take its last decision back."""


class NoTableError(CompanionError):
    """The configuration names no real table."""


@dataclass(frozen=True, slots=True)
class Devices:
    """How the devices of a table are opened; tests bring their own.

    Attributes:
        clock: the frames' clock.
        camera: opens the camera; given who is told of its absence, and what is called during it.
        controls: opens the push-buttons.
        strip: opens the strip; given who is told of its absence.
        background: makes what does for one game that which takes longer than a frame.
        voice: opens what speaks.
    """

    clock: Clock
    camera: Callable[[Callable[[str], None], Callable[[], None]], Camera]
    controls: Callable[[], Controls]
    strip: Callable[[Callable[[str], None]], ResilientStrip]
    background: Callable[[], Executor] = AtOnce
    voice: Callable[[], Voice] = NoVoice


def need_a_table(config: Config) -> None:
    """Refuse a configuration whose camera sees no table.

    Raises:
        NoTableError: it is one.
    """
    if config.camera.driver == "simulated":
        raise NoTableError(
            said(
                "{command}: {key} is {value}, so there is no table to look at: set it to {names} in the configuration "
                "({config}), or add {options}",
                command="play",
                key="[camera] driver",
                value='"simulated"',
                names=any_of(['"pi"', '"webcam"', '"folder"']),
                config="companion config",
                options=any_of(["--simulate"]),
            )
        )


def devices_of(config: Config) -> Devices:
    """The devices that the configuration names.

    Raises:
        NoTableError: none of them could see a table.
    """
    need_a_table(config)
    clock, calibration = SystemClock(), calibration_of(config.table)
    return Devices(
        clock,
        lambda say, idle: straightened(lasting_camera(config, clock, say, idle), calibration),
        lambda: open_controls(config.controls, clock),
        lambda say: lasting_strip(config.strip, clock, say),
        partial(ThreadPoolExecutor, 1, "background"),
        partial(open_voice, config),
    )


def play_table(
    config: Config,
    record: Path | None,
    book: Book,
    profiles: Path,
    game_id: int | None = None,
    listeners: Sequence[Listener] = (),
    mirrors: Sequence[Callable[[Sequence[RGB]], None]] = (),
    attached: Attached | None = None,
    *,
    devices: Devices | None = None,
    desk: CircleDesk | None = None,
) -> PlayedEvening:
    """Keep the books of a game at the real table, until some time after its end.

    A camera or a strip that goes away is waited for, and comes back by itself.

    Args:
        config: the configuration.
        record: the folder of the table recording to write, None for none.
        book: the journal.
        profiles: the folder where tables' profiles are kept.
        game_id: the unfinished game to go on with, None for a new one.
        listeners: told of every event.
        mirrors: told of every frame of the strip.
        attached: takes part from outside, such as a page; None for nothing.
        devices: how the devices are opened; as the configuration says where None.
        desk: where a circle that was seen is confirmed; what is attached brings its own where None.

    Raises:
        NoTableError: the configuration names no real table.
        HardwareError: a device cannot be opened.
        ProfileLostError: the game's profile is lost or cannot be kept.
        JournalError: a decision cannot be written.
    """
    with ExitStack() as stack:
        setup = config.game.setup() if game_id is None else book.setup(game_id)
        head = head_text(setup, seating=seating_of(config.table))
        at_table = _opened(devices or devices_of(config), record, head, stack)
        # After all that could be refused: a camera that is missing must not leave a game behind.
        number = game_id or _new_game(book, setup, config)
        history, transcript = history_of(book, number), Transcript()
        company: DeskCompany[Event] = DeskCompany((transcript, *listeners), mirrors, attached, desk_of(attached, desk))
        error = _run(_table(config, at_table, book, number, history, profiles, company))
    return PlayedEvening(history, transcript, error)


def _new_game(book: Book, setup: Setup, config: Config) -> int:
    number = book.new_game(setup, TABLE_NAME)
    note_table(book, number, config, setup)
    return number


@dataclass(frozen=True, slots=True)
class _AtTable:
    """The devices, open."""

    clock: Clock
    camera: Camera
    controls: Controls
    strip: ResilientStrip
    notices: Notices
    meanwhile: _Meanwhile
    writer: RecordingWriter | None
    background: Executor
    voice: Voice


class _Meanwhile:
    """What is done while the camera is away; it is known only when the camera is open."""

    def __init__(self) -> None:
        self.idle: Callable[[], None] = lambda: None

    def __call__(self) -> None:
        self.idle()


def _opened(devices: Devices, record: Path | None, head: str, stack: ExitStack) -> _AtTable:
    """Open everything; what fails closes what was open before it."""
    notices, meanwhile = Notices(), _Meanwhile()
    strip = stack.enter_context(closing(devices.strip(notices.say)))
    controls = stack.enter_context(closing(devices.controls()))
    camera = stack.enter_context(closing(devices.camera(notices.say, meanwhile)))
    writer = None if record is None else RecordingWriter(record, head)
    if writer is not None:
        camera = stack.enter_context(closing(RecordingCamera(camera, writer)))
    voice = stack.enter_context(closing(devices.voice()))
    background = devices.background()
    stack.callback(background.shutdown, wait=False, cancel_futures=True)
    return _AtTable(devices.clock, camera, controls, strip, notices, meanwhile, writer, background, voice)


def _table(
    config: Config, at: _AtTable, book: Book, number: int, history: History, profiles: Path, company: DeskCompany[Event]
) -> Table:
    locator = locator_by(seating_of(config.table), calibration_of(config.table))
    watch = TableWatch(locator, config.reading.settle_frames)
    empty = empty_of(config.table)
    keeper = _keeper(watch, profiles / f"{number}.npz", history, empty)
    reader, lights = Reader(watch, config.reading.confidence), lights_of(config.strip, at.strip, company.mirrors)
    seated = SeatedControls(at.controls, history, at.notices.say)
    attached = company.attached
    controls = seated if attached is None else MergedControls(seated, attached.controls)
    rewrite = head_writer(at.writer, seating_of(config.table))
    learn = learner(book, number, history, rewrite) if config.game.circle == "seen" else None
    desk = company.desk
    circle = CirclePlay(watch, reader, at.notices.say, desk.notice)
    kept_circle = CircleKeeper(book, number, profiles / f"{number}.circle.jpg")
    asked = desk.begin(history, learn, at.notices.say, circle.follow, kept_circle)
    outage = Outage(at.clock, lights, controls, at.notices, history, at.strip.tick)
    at.meanwhile.idle = outage.idle
    first = FirstLight(lights, watch, history)
    listeners: tuple[Listener, ...] = (first, *company.listeners, *_lamps(at.controls))
    at.notices.address(history, listeners)
    return Table(
        camera=at.camera,
        controls=controls,
        watch=watch,
        reader=reader,
        book=book,
        game_id=number,
        history=history,
        prepare=keeper.keep,
        listeners=(*listeners, desk, circle, outage, speaker_of(config, at.voice)),
        ticks=(
            outage.tick,
            first.tick,
            lights.tick,
            ButtonComplaints(at.controls, at.notices).tick,
            *_empty_checks(watch, history, empty, at),
            FirstPicture(watch, history, at.notices.say, asked, at.background).tick,
            desk.tick,
            at.notices.deliver,
            *lookouts(watch, locator, history, listeners),
            Finale(watch, history, profiles.parent / PICTURES, number).tick,
            *onlookers(attached, watch, history, at.camera),
            Closing(history, at.camera).tick,
        ),
        log_press=None if at.writer is None else at.writer.press,
        foresight=foresight_of(config.reading, watch, reader),
        clerk=clerk_of(attached, at.writer),
    )


def _keeper(watch: TableWatch, path: Path, history: History, empty: Profile | None) -> ProfileKeeper:
    """Keeps the game's profile; boards that are not empty any more are known by it."""
    keeper = ProfileKeeper(watch, path)
    quilts = {seat: history.state.seat(seat).quilt for seat in (1, 2)}
    if any(quilts.values()):
        keeper.restore(quilts, empty)
    return keeper


def _empty_checks(
    watch: TableWatch, history: History, empty: Profile | None, at: _AtTable
) -> tuple[Callable[[float], None], ...]:
    return () if empty is None else (EmptyCheck(watch, history, empty, at.notices.say, at.background).tick,)


def _lamps(controls: Controls) -> tuple[Listener, ...]:
    return (TurnLamps(controls),) if isinstance(controls, GpioControls) else ()


def _run(table: Table) -> str | None:
    """Play; what went wrong with a device, in a line."""
    try:
        table.run()
    except HardwareError as error:
        return reason(error)
    return None


class ButtonComplaints:
    """Has told what the push-buttons notice of themselves, such as one that is stuck."""

    def __init__(self, controls: Controls, notices: Notices) -> None:
        self._take: Callable[[], Sequence[str]] = getattr(controls, "notices", tuple)
        self._notices = notices

    def tick(self, now_s: float) -> None:
        """Pass on what there is."""
        del now_s
        for sentence in self._take():
            self._notices.say(sentence)


class Closing:
    """Ends the evening some time after the game, unless its last decision is taken back."""

    def __init__(self, history: Played, camera: Camera) -> None:
        self._history, self._camera = history, camera
        self._since_s: float | None = None

    def tick(self, now_s: float) -> None:
        """Close the camera when it is time; the turn loop ends with its frames."""
        if not self._history.state.finished:
            self._since_s = None
        elif self._since_s is None:
            self._since_s = now_s
        elif now_s - self._since_s >= LINGER_S:
            self._camera.close()
