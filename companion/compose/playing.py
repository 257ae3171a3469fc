"""The play of one game at one table: the only composition, for all games and devices."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from companion.compose.devices import lasting_camera, lasting_strip, need_a_table, open_controls, open_voice
from companion.config import Config
from companion.journal import TABLE_NAME, Journal
from companion.languages import reason
from companion.lights import Lights
from companion.mqtt.friend import FriendPartner, take_over
from companion.play.devices import ButtonComplaints, Closing, FramePace, Notices, Outage, TurnLamps, clear_away
from companion.play.events import History
from companion.play.friend import NOTE, FriendLine, friend_of
from companion.play.game import AnyGame
from companion.play.host import Host, NextGame, replayed_history
from companion.play.inbox import TABLE_BUSY, Inbox
from companion.play.loop import TurnLoop
from companion.play.partner import HANDS_NOTE, WATCHED_NOTE, as_noted, partner_of, robot_of
from companion.play.session import (
    AtOnce,
    AtTable,
    DeviceFactory,
    DeviceTasks,
    GameResult,
    Participants,
    RemoteParticipant,
    Session,
    Simulation,
    truth_at,
)
from companion.play.speaker import Speaker, voice_language
from hardware.clock import SystemClock
from hardware.drivers.gpio import GpioControls
from hardware.ports import Clock, Controls, HardwareError
from hardware.recorded import RecordingCamera, RecordingWriter
from hardware.strips import DrivenStrip, ResilientStrip
from hardware.voices import SwitchedVoice


class SimulatedDevices:
    """The devices of a simulated table; see `companion.compose.playing.Devices`.

    Args:
        simulation: the parameters of the session.
        name: the table's name in the journal; None for the one derived from the parameters.

    Attributes:
        simulation: the parameters of the session.
    """

    def __init__(self, simulation: Simulation, name: str | None = None) -> None:
        self.simulation, self._name = simulation, name

    def open(self, next_game: NextGame, book: Journal, stack: ExitStack) -> AtTable:
        """See `Devices`."""
        game, config, simulation = next_game.game, next_game.config, self.simulation
        name = self._name or game.simulated_name(simulation, config)
        table = game.simulated(simulation, config, book, next_game.game_id)
        driven = DrivenStrip(table.strip, config.strip.max_ma, 1.0, table.clock)
        strip = stack.enter_context(closing(driven))
        controls = stack.enter_context(closing(table.controls))
        camera = stack.enter_context(closing(game.camera(config, table.camera)))
        writer = None
        if simulation.record is not None:
            writer = RecordingWriter(simulation.record, game.recorded.head(config, table.setup))
            camera = stack.enter_context(closing(RecordingCamera(camera, writer, table.truth)))
        # A fast session is determined by its seed: nothing may depend on how long something takes.
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
            tasks_for=lambda *_: DeviceTasks(ticks=(table.people.tick,), listeners=(table.people.on_event,)),
            voice=stack.enter_context(closing(SwitchedVoice({}) if simulation.fast else open_voice(config))),
            background=background,
            writer=writer,
            people=table.people,
            seed=simulation.seed,
            is_watched=simulation.by_hand is None,
        )


# How long a frame of a fast session waits for a friend's message.
_FRIEND_S: Final = 0.2


def device_factory(config: Config, *, by_service: bool = False) -> DeviceFactory:
    """Return the functions that open the configured devices.

    Args:
        config: the configuration.
        by_service: whether the caller is `serve`.

    Raises:
        CompanionError: none of them can see a table.
    """
    need_a_table(config, by_service=by_service)
    clock = SystemClock()
    return DeviceFactory(
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
        factory: the functions that open the devices; None for those of the game's configuration.
        record: the folder of the table recording to write; None for none.
    """

    def __init__(self, factory: DeviceFactory | None = None, record: Path | None = None) -> None:
        self._factory, self._record = factory, record

    def open(self, next_game: NextGame, book: Journal, stack: ExitStack) -> AtTable:
        """See `Devices`."""
        game, config = next_game.game, next_game.config
        factory, notices, meanwhile = self._factory or device_factory(config), Notices(), _Meanwhile()
        strip = stack.enter_context(closing(factory.strip(notices.say)))
        controls = stack.enter_context(closing(factory.controls()))
        camera = stack.enter_context(closing(game.camera(config, factory.camera(notices.say, meanwhile))))
        writer = None
        if self._record is not None:
            # A resumed game may have been set up otherwise than the configuration says now.
            setup = game.setup(config) if next_game.game_id is None else book.setup(next_game.game_id, game.codec)
            writer = RecordingWriter(self._record, game.recorded.head(config, setup))
            camera = stack.enter_context(closing(RecordingCamera(camera, writer)))
        voice = stack.enter_context(closing(factory.voice()))
        background = factory.background()
        # Nothing needs the results of work that is not finished at the end of a game, and a look may take seconds.
        stack.callback(background.shutdown, wait=False, cancel_futures=True)
        return AtTable(
            name=TABLE_NAME,
            clock=factory.clock,
            camera=camera,
            controls=controls,
            strip=strip,
            tasks_for=_RealTasks(factory.clock, controls, strip, notices, meanwhile),
            voice=voice,
            background=background,
            notices=notices,
            lit_by_strip=True,
            writer=writer,
            # A recording must contain every frame.
            pace=FramePace(factory.clock) if writer is None else None,
        )


class _Meanwhile:
    """A callback for the time while the camera is absent, set only once the camera is open."""

    def __init__(self) -> None:
        self.idle: Callable[[], None] = lambda: None

    def __call__(self) -> None:
        self.idle()


@dataclass(frozen=True, slots=True)
class _RealTasks:
    """The regular work on real devices while a game is played; see `companion.play.session.Attend`."""

    clock: Clock
    controls: Controls
    strip: ResilientStrip
    notices: Notices
    meanwhile: _Meanwhile

    def __call__(self, history: History, lights: Lights[Any], inbox: Inbox) -> DeviceTasks:
        outage = Outage(self.clock, lights, self.controls, self.notices, history, self.strip.tick)
        self.meanwhile.idle = outage.idle
        # Only push-buttons on pins have lamps.
        lamps = (TurnLamps(self.controls),) if isinstance(self.controls, GpioControls) else ()
        return DeviceTasks(
            first=(outage.tick,),
            ticks=(ButtonComplaints(self.controls, self.notices).tick,),
            last=(Closing(history, inbox).tick,),
            listeners=(*lamps, outage),
        )


class Devices(Protocol):
    """The opening of a table's devices: real ones, or simulated ones with simulated people."""

    def open(self, next_game: NextGame, book: Journal, stack: ExitStack) -> AtTable:
        """Open all devices for a game; if one fails, those opened before it are closed.

        Args:
            next_game: the game.
            book: the journal, in its state before the game.
            stack: closes the devices at the end of the session.

        Raises:
            HardwareError: a device cannot be opened.
            CompanionError: there is no such table, or a recording cannot be written to the folder.
        """


def play(
    next_game: NextGame,
    devices: Devices,
    book: Journal,
    folder: Path,
    participants: Participants,
    host: Host | None = None,
) -> GameResult:
    """Play a game until its frames end, and return its outcome.

    Args:
        next_game: the game.
        devices: the devices of the table.
        book: the journal.
        folder: the folder of the journal and of all files of its games.
        participants: the outside participants.
        host: begins other games at the table; None if there is only one game.

    Raises:
        HardwareError: a device cannot be opened.
        JournalError: a decision cannot be written.
        CompanionError: the game cannot be begun or resumed at this table.
    """
    try:
        return _played(next_game, devices, book, folder, participants, host)
    finally:
        clear_away()


def _played(
    next_game: NextGame, devices: Devices, book: Journal, folder: Path, participants: Participants, host: Host | None
) -> GameResult:
    if next_game.game_id is not None:
        # A game goes on with the partner that it began with.
        next_game = replace(next_game, config=as_noted(next_game.config, book.notes(next_game.game_id)))
    game, config = next_game.game, next_game.config
    with ExitStack() as stack:
        at = devices.open(next_game, book, stack)
        # Begun after everything that may fail: a missing camera must not leave a game in the journal.
        number = next_game.game_id or _begin(game, at, book, config)
        line = participants.friend
        if next_game.game_id is None and line is not None and line.newest is not None:
            take_over(line.newest, book, number, game.codec)
        history = replayed_history(game, book, number)
        attached_desk = _desk(participants.remote, game)
        desk = participants.desk or attached_desk
        if at.people is not None:
            # Before the first frame, which must show the table as the interrupted game left it.
            at.people.resume(history)
            at.people.settle(desk)
        inbox = Inbox() if participants.remote is None else participants.remote.inbox
        # A fast session is determined by its seed.
        seed = at.seed if isinstance(at.background, AtOnce) else None
        friend = _friend(line, config, game, at, book, number, history, inbox)
        found = partner_of(config, game.entry, history, book, number, inbox, at.notices.say, seed)
        if found is not None:
            stack.callback(found[1].close)
        session = Session(
            config=config,
            at=at,
            book=book,
            game_id=number,
            history=history,
            folder=folder,
            transcript=game.transcript(),
            participants=_with_voice(participants, game, config, at),
            whose_turn=game.whose_turn,
            inbox=inbox,
            desk=desk,
            partner=friend if found is None else found[0],
            friend=friend,
            is_again=next_game.is_again,
        )
        table = game.table(session)
        return _outcome_of(game, session, table, _run(table, game, session, host))


def _friend(
    line: FriendLine | None,
    config: Config,
    game: AnyGame,
    at: AtTable,
    book: Journal,
    number: int,
    history: History,
    inbox: Inbox,
) -> FriendPartner | None:
    """Return the friend at another table, or None if all players are here."""
    friend = friend_of(config)
    if friend is None or line is None:
        return None
    # A fast session would rush on while the friend thinks.
    waits_s = _FRIEND_S if isinstance(at.background, AtOnce) else 0.0
    is_laid = config.partner.lay_friends
    return FriendPartner(
        friend, line, book, number, game.codec, history, inbox, at.notices.say, is_laid=is_laid, waits_s=waits_s
    )


def _desk(remote: RemoteParticipant | None, game: AnyGame) -> Any:
    """Return the remote desk of this game, after all desks have stopped serving the game before."""
    desks = {} if remote is None else remote.desks
    for desk in desks.values():
        desk.leave()
    return desks.get(game.name)


def _begin(game: AnyGame, at: AtTable, book: Journal, config: Config) -> int:
    """Begin a game in the journal, and return its number."""
    setup = game.setup(config) if at.setup is None else at.setup
    notes, partner = game.first_notes(setup, config, at.seed), robot_of(config) or friend_of(config)
    if partner is not None:
        notes = {**notes, NOTE: str(partner), **({} if at.people is None else {HANDS_NOTE: "simulated"})}
    if at.is_watched:
        notes = {**notes, WATCHED_NOTE: "simulated"}
    return book.new_game(setup, at.name, notes)


def _with_voice(participants: Participants, game: AnyGame, config: Config, at: AtTable) -> Participants:
    """Return the participants with a speaker of the news, if the table has a voice."""
    speaker = Speaker(at.voice, voice_language(config, os.environ), game.spoken)
    if participants.remote is not None and participants.remote.voice is not None:
        participants.remote.voice.set_speaker(speaker)
    return replace(participants, listeners=(*participants.listeners, speaker)) if at.voice.names else participants


def _run(table: TurnLoop[Any, Any], game: AnyGame, session: Session, host: Host | None) -> str | None:
    """Run the turn loop, and return the fault of a device, or None."""
    inbox = session.inbox
    try:
        if host is None:
            table.run()
        else:
            # Once it is announced: the sender of the page's request then finds the new game on the page.
            table.run(partial(host.opened, game, session.game_id, session.history, inbox))
    except HardwareError as error:
        return reason(error)
    finally:
        if host is not None:
            host.ended()
            # What was requested of this game must not reach the next one.
            inbox.refuse_all(TABLE_BUSY)
    return None


def _outcome_of(game: AnyGame, session: Session, table: TurnLoop[Any, Any], error: str | None) -> GameResult:
    people, transcript = session.at.people, session.transcript
    gave_up = people is not None and people.gave_up
    if people is not None and gave_up:
        error = people.complaint(session.history, transcript.complaints)
    return GameResult(game.codec, session.history, transcript, error, truth_at(session.at, table), gave_up)
