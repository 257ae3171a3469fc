"""The play of one game at one table: the only composition, for all games and devices."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from companion.compose.devices import lasting_camera, lasting_strip, need_a_table, open_controls, open_voice
from companion.config import Config
from companion.languages import reason
from companion.lights import Lights
from companion.play.at_table import AtOnce, AtTable, Attached, Attendance, Company, truth_at
from companion.play.devices import ButtonComplaints, Closing, FramePace, Notices, Outage, TurnLamps
from companion.play.evening import Evening, EveningResult
from companion.play.events import History
from companion.play.game import AnyGame
from companion.play.host import Host
from companion.play.inbox import TABLE_BUSY, Inbox
from companion.play.loop import TurnLoop
from companion.play.memory import clear_away
from companion.play.simulation import Simulation
from companion.play.sitting import Openers, Sitting, replayed_history
from companion.play.speaker import Speaker, voice_language
from hardware.clock import SystemClock
from hardware.drivers.gpio import GpioControls
from hardware.ports import Clock, Controls, HardwareError
from hardware.recorded import RecordingCamera, RecordingWriter
from hardware.strips import DrivenStrip, ResilientStrip
from hardware.voices import SwitchedVoice

if TYPE_CHECKING:
    from companion.journal import Journal


class SimulatedDevices:
    """The devices of a simulated table; see `companion.compose.playing.Devices`.

    Args:
        simulation: the parameters of the evening.
        name: the table's name in the journal; None for the one derived from the parameters.

    Attributes:
        simulation: the parameters of the evening.
    """

    def __init__(self, simulation: Simulation, name: str | None = None) -> None:
        self.simulation, self._name = simulation, name

    def open(self, sitting: Sitting, book: Journal, stack: ExitStack) -> AtTable:
        """See `Devices`."""
        game, config, simulation = sitting.game, sitting.config, self.simulation
        name = self._name or game.simulated_name(simulation, config)
        table = game.simulated(simulation, config, book, sitting.game_id)
        driven = DrivenStrip(table.strip, config.strip.max_ma, 1.0, table.clock)
        strip = stack.enter_context(closing(driven))
        controls = stack.enter_context(closing(table.controls))
        camera = stack.enter_context(closing(game.camera(config, table.camera)))
        writer = None
        if simulation.record is not None:
            writer = RecordingWriter(simulation.record, game.recorded.head(config, table.setup))
            camera = stack.enter_context(closing(RecordingCamera(camera, writer, table.truth)))
        # A fast evening is determined by its seed: nothing may depend on how long something takes.
        background = AtOnce() if simulation.fast else ThreadPoolExecutor(1, "background")
        # As at a real table, nothing needs the results of work that is not finished at the end of a game.
        stack.callback(background.shutdown, wait=False, cancel_futures=True)
        return AtTable(
            name=name,
            setup=table.setup,
            clock=table.clock,
            camera=camera,
            controls=controls,
            strip=strip,
            attend=lambda *_: Attendance(ticks=(table.people.tick,), listeners=(table.people.on_event,)),
            voice=stack.enter_context(closing(SwitchedVoice({}) if simulation.fast else open_voice(config))),
            background=background,
            writer=writer,
            people=table.people,
            seed=simulation.seed,
        )


TABLE_NAME: Final = "table"
"""The real table's name in the journal: each machine has one."""


def openers_of(config: Config, *, by_service: bool = False) -> Openers:
    """Return the functions that open the configured devices.

    Args:
        config: the configuration.
        by_service: whether the caller is `serve`.

    Raises:
        NoTableError: none of them can see a table.
    """
    need_a_table(config, by_service=by_service)
    clock = SystemClock()
    return Openers(
        clock,
        lambda say, idle: lasting_camera(config, clock, say, idle),
        lambda: open_controls(config, clock),
        lambda say: lasting_strip(config.strip, clock, say),
        partial(ThreadPoolExecutor, 1, "background"),
        partial(open_voice, config),
    )


class RealTable:
    """The devices of a real table; see `companion.compose.playing.Devices`.

    A camera or a strip that is lost is awaited, and reconnected automatically.

    Args:
        openers: the functions that open the devices; None for those of the game's configuration.
        record: the folder of the table recording to write; None for none.
    """

    def __init__(self, openers: Openers | None = None, record: Path | None = None) -> None:
        self._openers, self._record = openers, record

    def open(self, sitting: Sitting, book: Journal, stack: ExitStack) -> AtTable:
        """See `Devices`."""
        game, config = sitting.game, sitting.config
        openers, notices, meanwhile = self._openers or openers_of(config), Notices(), _Meanwhile()
        strip = stack.enter_context(closing(openers.strip(notices.say)))
        controls = stack.enter_context(closing(openers.controls()))
        camera = stack.enter_context(closing(game.camera(config, openers.camera(notices.say, meanwhile))))
        writer = None
        if self._record is not None:
            # A resumed game may have been set up otherwise than the configuration says now.
            setup = game.setup(config) if sitting.game_id is None else book.setup(sitting.game_id, game.codec)
            writer = RecordingWriter(self._record, game.recorded.head(config, setup))
            camera = stack.enter_context(closing(RecordingCamera(camera, writer)))
        voice = stack.enter_context(closing(openers.voice()))
        background = openers.background()
        # Nothing needs the results of work that is not finished at the end of a game, and a look may take seconds.
        stack.callback(background.shutdown, wait=False, cancel_futures=True)
        return AtTable(
            name=TABLE_NAME,
            clock=openers.clock,
            camera=camera,
            controls=controls,
            strip=strip,
            attend=_Attending(openers.clock, controls, strip, notices, meanwhile),
            voice=voice,
            background=background,
            notices=notices,
            lit_by_strip=True,
            writer=writer,
            # A recording must contain every frame.
            pace=FramePace(openers.clock) if writer is None else None,
        )


class _Meanwhile:
    """A callback for the time while the camera is absent, set only once the camera is open."""

    def __init__(self) -> None:
        self.idle: Callable[[], None] = lambda: None

    def __call__(self) -> None:
        self.idle()


@dataclass(frozen=True, slots=True)
class _Attending:
    """The regular work on real devices while a game is played; see `companion.play.at_table.Attend`."""

    clock: Clock
    controls: Controls
    strip: ResilientStrip
    notices: Notices
    meanwhile: _Meanwhile

    def __call__(self, history: History, lights: Lights[Any], inbox: Inbox) -> Attendance:
        outage = Outage(self.clock, lights, self.controls, self.notices, history, self.strip.tick)
        self.meanwhile.idle = outage.idle
        # Only push-buttons on pins have lamps.
        lamps = (TurnLamps(self.controls),) if isinstance(self.controls, GpioControls) else ()
        return Attendance(
            first=(outage.tick,),
            ticks=(ButtonComplaints(self.controls, self.notices).tick,),
            last=(Closing(history, inbox).tick,),
            listeners=(*lamps, outage),
        )


class Devices(Protocol):
    """The opening of a table's devices: real ones, or simulated ones with simulated people."""

    def open(self, sitting: Sitting, book: Journal, stack: ExitStack) -> AtTable:
        """Open all devices for a game; if one fails, those opened before it are closed.

        Args:
            sitting: the game.
            book: the journal, in its state before the game.
            stack: closes the devices at the end of the evening.

        Raises:
            HardwareError: a device cannot be opened.
            CompanionError: there is no such table, or a recording cannot be written to the folder.
        """


def play(
    sitting: Sitting, devices: Devices, book: Journal, folder: Path, company: Company, host: Host | None = None
) -> EveningResult:
    """Play a game until its frames end, and return its outcome.

    Args:
        sitting: the game.
        devices: the devices of the table.
        book: the journal.
        folder: the folder of the journal and of all files of its games.
        company: the outside participants.
        host: begins other games at the table; None if there is only one game.

    Raises:
        HardwareError: a device cannot be opened.
        JournalError: a decision cannot be written.
        CompanionError: the game cannot be begun or resumed at this table.
    """
    try:
        return _played(sitting, devices, book, folder, company, host)
    finally:
        clear_away()


def _played(
    sitting: Sitting, devices: Devices, book: Journal, folder: Path, company: Company, host: Host | None
) -> EveningResult:
    game, config = sitting.game, sitting.config
    with ExitStack() as stack:
        at = devices.open(sitting, book, stack)
        # Begun after everything that may fail: a missing camera must not leave a game in the journal.
        number = sitting.game_id or _begin(game, at, book, config)
        history = replayed_history(game, book, number)
        attached_desk = _desk(company.attached, game)
        desk = company.desk or attached_desk
        if at.people is not None:
            # Before the first frame, which must show the table as the interrupted game left it.
            at.people.resume(history)
            at.people.settle(desk)
        evening = Evening(
            config=config,
            at=at,
            book=book,
            game_id=number,
            history=history,
            folder=folder,
            transcript=game.transcript(),
            company=_with_voice(company, game, config, at),
            whose_turn=game.whose_turn,
            inbox=Inbox() if company.attached is None else company.attached.inbox,
            desk=desk,
        )
        table = game.table(evening)
        return _outcome_of(game, evening, table, _run(table, game, evening, host))


def _desk(attached: Attached | None, game: AnyGame) -> Any:
    """Return the attached desk of this game, after all desks have stopped serving the game before."""
    desks = {} if attached is None else attached.desks
    for desk in desks.values():
        desk.leave()
    return desks.get(game.name)


def _begin(game: AnyGame, at: AtTable, book: Journal, config: Config) -> int:
    """Begin a game in the journal, and return its number."""
    setup = game.setup(config) if at.setup is None else at.setup
    return book.new_game(setup, at.name, game.first_notes(setup, config, at.seed))


def _with_voice(company: Company, game: AnyGame, config: Config, at: AtTable) -> Company:
    """Return the company with a speaker of the news, if the table has a voice."""
    speaker = Speaker(at.voice, voice_language(config, os.environ), game.spoken)
    if company.attached is not None and company.attached.voice is not None:
        company.attached.voice.set_speaker(speaker)
    return replace(company, listeners=(*company.listeners, speaker)) if at.voice.names else company


def _run(table: TurnLoop[Any, Any], game: AnyGame, evening: Evening, host: Host | None) -> str | None:
    """Run the turn loop, and return the fault of a device, or None."""
    inbox = evening.inbox
    try:
        if host is None:
            table.run()
        else:
            # Once it is announced: the sender of the page's request then finds the new game on the page.
            table.run(partial(host.opened, game, evening.game_id, evening.history, inbox))
    except HardwareError as error:
        return reason(error)
    finally:
        if host is not None:
            host.ended()
            # What was requested of this game must not reach the next one.
            inbox.refuse_all(TABLE_BUSY)
    return None


def _outcome_of(game: AnyGame, evening: Evening, table: TurnLoop[Any, Any], error: str | None) -> EveningResult:
    people, transcript = evening.at.people, evening.transcript
    gave_up = people is not None and people.gave_up
    if people is not None and gave_up:
        error = people.complaint(evening.history, transcript.complaints)
    return EveningResult(game.codec, evening.history, transcript, error, truth_at(evening.at, table), gave_up)
