"""`companion serve`: game after game at the real table, for a service that runs unattended."""

import argparse
import os
import signal
import sys
import time
from dataclasses import dataclass, field
from typing import Final

from companion.calibrating.configured import calibration_path, with_own_calibration
from companion.cli.brokering import broker_of
from companion.cli.commands import Elsewhere, user_errors
from companion.cli.friend import friend_met
from companion.cli.options import add_shared, config_of, game_option, journal_path, language_of, terminal_language
from companion.cli.paging import page_of
from companion.compose.playing import RealTable, device_factory, play
from companion.config import Config
from companion.errors import CompanionError
from companion.journal import TABLE_NAME, GameFilter, Journal, table_lock
from companion.languages import ENGLISH, Language, halves, in_turn, reason, render, said
from companion.play.devices import share_arenas
from companion.play.events import Listener
from companion.play.friend import FriendStatus
from companion.play.game import CannotResumeError, Clearing
from companion.play.host import (
    Host,
    NextGame,
    ended_game,
    interrupted_game,
    leave,
    repair_game,
    seen_by,
    sheet_shown,
    unshown_sheet,
)
from companion.play.session import DeviceFactory, Participants
from companion.play.terminal import EventPrinter
from companion.registry import codecs, game_named, games
from companion.terminal.output import one_line, put
from companion.upkeep.service import DeviceRetry, Notifier, await_start, repeats_left_out, watched
from companion.web.page import PageServer
from hardware.ports import HardwareError
from hardware.reconnecting import full_stop

EXIT_CONFIGURATION: Final = 78
"""EX_CONFIG of sysexits.h: the service manager need not retry."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--data")
    game_option(parser, said("the game that a press starts, until the other one is started on the page"))
    parser.description = said(
        "Play one game after another at the real table: a press of confirm starts each. Waits for devices that "
        "are missing. If systemd started it, it tells systemd that it is alive."
    )
    parser.add_argument(
        "--simulate",
        action=Elsewhere,
        says=said(
            "{serve} plays at the real table; for the simulated one use {play}",
            serve="companion serve",
            play="companion play --simulate",
        ),
    )
    # The further options of `companion play` that the page needs.
    parser.set_defaults(run=run, no_page=False, json=False, fast=False, games=1, port=None, host=None)


def run(args: argparse.Namespace) -> int:
    """Play games until the program is ended."""
    notifier = Notifier(os.environ, time.monotonic)
    # Before any thread is started.
    share_arenas()
    try:
        config = config_of(args)
        path = journal_path(args, config)
        kept = calibration_path(path.parent, TABLE_NAME)
        config = with_own_calibration(config, kept)
        factory = watched(device_factory(config, by_service=True), notifier)
    except CompanionError as error:
        sys.stderr.write(one_line(error, terminal_language(args)) + "\n")
        return EXIT_CONFIGURATION
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        host = Host(config, TABLE_NAME, game_named(args.game), games(), by_hand=False, calibration=kept)
        with (
            repeats_left_out(),
            Journal(path, codecs()) as journal,
            # Before the page and the broker, which would disconnect the companion that plays here already.
            table_lock(path.parent, TABLE_NAME),
            page_of(args, config, path, host=host) as page,
            broker_of(args, config, path, page) as broker,
        ):
            listeners = () if broker is None else (broker,)
            service = Service(config, factory, journal, page, notifier, host, language_of(args, config), listeners)
            service.report_damage()
            service.show_unshown_sheet()
            while service.play_next():
                pass
    finally:
        notifier.stopping()
    return 0


@dataclass(slots=True)
class Service:
    """The games of a service, one after the other.

    Attributes:
        config: the configuration.
        factory: the functions that open the table's devices; they feed the watchdog.
        journal: the journal.
        page: the page, or None if there is none.
        notifier: the connection to systemd that receives the service's state.
        host: begins games, also those requested on the page.
        language: the language of the log.
        listeners: further listeners for events, such as a broker.
        retry: the waiting for missing devices.
    """

    config: Config
    factory: DeviceFactory
    journal: Journal
    page: PageServer | None
    notifier: Notifier
    host: Host
    language: Language = ENGLISH
    listeners: tuple[Listener, ...] = ()
    retry: DeviceRetry | None = None
    _request: NextGame | None = field(default=None, init=False)
    _fault: str = field(default="", init=False)

    def report_damage(self) -> None:
        """Report to the log and the page the damages found when the journal was opened."""
        if self.journal.findings:
            self._say(in_turn([full_stop(CompanionError(each)) for each in self.journal.findings]))

    def show_unshown_sheet(self) -> None:
        """Show the score sheet of the last finished game, if the service ended before it was closed."""
        found = unshown_sheet(self.journal, TABLE_NAME)
        if found is None:
            return
        game = game_named(found.game)
        ended = ended_game(game, self.journal, found.game_id)
        says = said("game {game} was finished, but its score sheet had not been shown yet", game=found.game_id)
        self._say_fault(in_turn([full_stop(CompanionError(says)), game.whose_turn(ended.history.state)]))
        put(game.entry.commands.score_sheet(ended.to_json(), self.language) + "\n")
        sheet_shown(self.journal, TABLE_NAME)

    def play_next(self) -> bool:
        """Play the interrupted game, or a new one, and return whether there can be another."""
        retry = self.retry = self.retry or DeviceRetry(self.factory.clock, self._say_fault, self.notifier)
        next_game: NextGame | None = None
        try:
            next_game = self._next()
            error = self._play(next_game)
        except CannotResumeError as fault:
            self._give_up(fault, next_game)
            return True
        except HardwareError as fault:
            error = reason(fault)
            self.host.report_failure(fault, self.journal)
        except user_errors() as fault:
            if next_game is None or next_game is not self._request:
                raise
            # A player's request that cannot be fulfilled is not a fault of the service.
            self.host.report_failure(fault, self.journal)
            self._say(full_stop(fault))
            return True
        if error is None:
            retry.succeeded()
            self._fault = ""
        else:
            retry.after(error)
        # Pictures of a folder end, and no others follow.
        return self.config.camera.driver != "folder" or self.host.has_request

    def _give_up(self, fault: CompanionError, next_game: NextGame | None) -> None:
        """Abandon a game that cannot be resumed, so that it is not retried for ever."""
        self.host.report_failure(fault, self.journal)
        if next_game is not None and next_game.game_id is not None:
            leave(self.journal, next_game.game_id)
            what, _ = halves(reason(fault))
            left = said("Game {game} cannot be resumed and is set aside.", game=next_game.game_id)
            remedy = fault.remedy if isinstance(fault, CannotResumeError) else None
            self._say(in_turn([full_stop(CompanionError(what)), left, *(() if remedy is None else (remedy,))]))

    def _say(self, sentence: str) -> None:
        """Report a sentence to the log, and to the page, which also shows what keeps a game from beginning."""
        put(render(sentence, self.language) + "\n")
        if self.page is not None:
            self.page.await_game(in_turn([self._fault, sentence]) if self._fault else sentence)

    def _tell_of_friend(self, sentence: str, friend: FriendStatus | None) -> None:
        """Report a sentence to those who wait for a friend at another table."""
        put(render(sentence, self.language) + "\n")
        if friend is not None:
            self.host.accepted()
        if self.page is not None:
            self.page.await_game(sentence, friend=friend)

    def _is_over(self) -> bool:
        """Return whether a friend is not waited for any longer; called while one is."""
        self.notifier.alive()
        return self.host.wants_no_wait

    def _say_fault(self, sentence: str) -> None:
        self._fault = ""
        # The former fault would otherwise be shown before the new one, and from now on this one before every sentence.
        self._say(sentence)
        self._fault = sentence

    def _next(self) -> NextGame:
        """Return the game that a player requested, or that was interrupted, or that begins with a press."""
        requested = self._take_request()
        if requested is not None:
            return requested
        config = self.host.config
        game = interrupted_game(self.journal, TABLE_NAME, None)
        if game is not None:
            damage = repair_game(self.journal, game)
            if damage is not None:
                self._say(full_stop(CompanionError(damage)))
            return NextGame(game_named(game.game), config, game.game_id)
        if self._must_wait(config):
            self._await_start(config)
            requested = self._take_request()
        # The table may have been calibrated meanwhile.
        return requested or NextGame(self.host.game, self.host.config)

    def _take_request(self) -> NextGame | None:
        self._request = self.host.next(self.journal)
        return self._request

    def _await_start(self, config: Config) -> None:
        """Wait until a game is to begin."""
        game = self.host.game
        inbox = None if self.page is None else self.page.remote.inbox
        factory, clearing = seen_by(game, config, self.factory), self._clearing(config)
        await_start(factory, config.strip, inbox, self._say, self.notifier, game.begin_says, self.host, clearing)

    def _must_wait(self, config: Config) -> bool:
        """Return whether a player must begin the game; without push-buttons the page's first one begins by itself."""
        has_page = self.page is not None and bool(self.journal.find(GameFilter(limit=1)))
        return config.controls.driver != "none" or has_page or self._clearing(config) is not None

    def _clearing(self, config: Config) -> Clearing | None:
        """Return the observer of a cleared table; None for pictures of a folder, as their table cannot be cleared."""
        return None if config.camera.driver == "folder" else self.host.game.clearing(config)

    def _play(self, next_game: NextGame) -> str | None:
        """Play a game and return the fault of a device, or None."""
        game, page, journal = next_game.game, self.page, self.journal
        with friend_met(next_game, self.config, journal, self._tell_of_friend, self._is_over) as (met, line):
            if met is None:
                return None
            printer = EventPrinter(game.terminal, met.config, self.language)
            participants = Participants(
                listeners=(printer, *(() if page is None else (page,)), *self.listeners),
                mirrors=[] if page is None else [page.strip],
                remote=None if page is None else page.remote,
                friend=line,
            )
            table = RealTable(self.factory)
            played = play(met, table, journal, journal.path.parent, participants, self.host)
        # It was shown on the page and by the lights while the table stayed open.
        sheet_shown(journal, TABLE_NAME)
        return played.error
