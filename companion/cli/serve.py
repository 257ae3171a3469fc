"""`companion serve`: game after game at the real table, for a service that nobody looks after."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.bootstrap import (
    TABLE_NAME,
    Host,
    Sitting,
    as_calibrated,
    calibration_path,
    cut_off,
    need_a_table,
    play_table,
)
from companion.bootstrap.arrangement import circle_of
from companion.bootstrap.clearing import Clearing
from companion.bootstrap.host import leave
from companion.bootstrap.keeping import ProfileGoneError
from companion.bootstrap.kvilt import OtherSheetError, sheet_layout
from companion.bootstrap.kviltreal import play_kvilt, sheet_devices
from companion.bootstrap.real import devices_of
from companion.bootstrap.serving import Patience, await_start, watched
from companion.cli.errors import one_line
from companion.cli.kviltview import PlainKviltView
from companion.cli.options import config_of, config_option, data_option, journal_path, language_of, terminal_language
from companion.cli.output import put
from companion.cli.paging import page_of
from companion.cli.terminal import PlainView
from companion.errors import CompanionError
from companion.games.kvilt import KviltError
from companion.journal import Journal, Wanted, seated_at
from companion.kvilttable import LostBagError
from companion.languages import ENGLISH, Language, halves, in_turn, reason, said, tell
from companion.notify import Notifier
from companion.record import KVILT, PATCHWORK
from hardware.ports import HardwareError
from hardware.reopening import full_stop

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from companion.bootstrap.real import Devices
    from companion.cli.subparsers import Subparsers
    from companion.config import Config
    from companion.languages import Sentence
    from companion.web.page import Page

EXIT_CONFIGURATION: Final = 78
"""EX_CONFIG of sysexits.h: the service manager need not try again."""


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Announce the command, which `summary` tells of in the list of commands."""
    parser = subparsers.add_parser(
        "serve",
        parents=[config_option(), data_option()],
        help=summary,
        description=said(
            "Play game after game at the real table: each begins with a press of confirm. Devices that "
            "are missing are waited for. Tells systemd that it lives, where systemd has started it."
        ),
    )
    parser.add_argument(
        "--game",
        choices=(PATCHWORK.name, KVILT.name),
        default=PATCHWORK.name,
        help=said("which game the press begins, until the other one is begun on the page"),
    )
    # What `companion play` offers beside, of the page.
    parser.set_defaults(run=run, no_page=False, json=False, fast=False, games=1, port=None, host=None)


def run(args: argparse.Namespace) -> int:
    """Play until somebody ends it."""
    notifier = Notifier(os.environ, time.monotonic)
    try:
        config = config_of(args)
        path = journal_path(args, config)
        kept = calibration_path(path.parent, TABLE_NAME)
        config = as_calibrated(config, kept)
        need_a_table(config)
        devices = renewed(config, notifier)
    except CompanionError as error:
        sys.stderr.write(one_line(error, terminal_language(args)) + "\n")
        return EXIT_CONFIGURATION
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        host = Host(config, TABLE_NAME, circle_of(config), by_hand=False, calibration=kept, game=args.game)
        with (
            Journal(path) as journal,
            page_of(args, config, path, host=host) as page,
            seated_at(path.parent, TABLE_NAME),
        ):
            service = Service(config, devices, journal, page, notifier, host, language_of(args, config), renew=renewed)
            while service.evening():
                pass
    finally:
        notifier.stopping()
    return 0


def renewed(config: Config, notifier: Notifier, game: str = PATCHWORK.name) -> Devices:
    """The devices as the configuration has them now; a calibration on the page changes the lens.

    Raises:
        CompanionError: they cannot be used: there is no camera among them, or the calibration cannot be read.
    """
    return watched(sheet_devices(config) if game == KVILT.name else devices_of(config), notifier)


@dataclass(slots=True)
class Service:
    """Games one after the other.

    Attributes:
        config: the configuration.
        devices: the table's, which feed the watchdog.
        journal: where games are kept.
        page: the page, None where there is none.
        notifier: is told how the service is.
        host: lets people begin a game on the page; None where they cannot.
        language: of the log.
        patience: waits for devices that are missing.
        renew: gives the devices of a configuration whose calibration is another; None where they stay.
    """

    config: Config
    devices: Devices
    journal: Journal
    page: Page | None
    notifier: Notifier
    host: Host | None = None
    language: Language = ENGLISH
    patience: Patience | None = None
    renew: Callable[[Config, Notifier, str], Devices] | None = None
    _wish: Sitting | None = field(default=None, init=False)
    _fault: str = field(default="", init=False)

    def evening(self) -> bool:
        """Play the game that was cut off, or one that somebody begins; whether there can be another."""
        patience = self.patience = self.patience or Patience(self.devices.clock, self._say_fault, self.notifier)
        sitting: Sitting | None = None
        try:
            sitting = self._next()
            error = self._play(sitting)
        except (ProfileGoneError, OtherSheetError, LostBagError) as fault:
            self._give_up(fault, sitting)
            return True
        except HardwareError as fault:
            error = reason(fault)
            if self.host is not None:
                self.host.failed(fault, self.journal)
        except (CompanionError, KviltError) as fault:
            if self.host is None or sitting is None or sitting is not self._wish:
                raise
            # Somebody's wish that cannot be fulfilled is no fault of the service.
            self.host.failed(fault, self.journal)
            self._say(full_stop(fault))
            return True
        if error is None:
            patience.forget()
            self._fault = ""
        else:
            patience.after(error)
        # Pictures of a folder come to their end, and no others follow.
        return self.config.camera.driver != "folder" or (self.host is not None and self.host.wanted)

    def _give_up(self, fault: CompanionError, sitting: Sitting | None) -> None:
        """Leave a game that nobody can go on with: it must not be tried for ever."""
        if self.host is not None:
            self.host.failed(fault, self.journal)
        if sitting is not None and sitting.game_id is not None:
            leave(self.journal, sitting.game_id)
            what, _ = halves(reason(fault))
            left = said("Game {game} cannot be gone on with, and is left.", game=sitting.game_id)
            self._say(in_turn([full_stop(CompanionError(what)), left]))

    def _say(self, sentence: str) -> None:
        """Tell the log, and the page, where people read what keeps a game from beginning, too."""
        put(tell(sentence, self.language) + "\n")
        if self.page is not None:
            self.page.await_game(in_turn([self._fault, sentence]) if self._fault else sentence)

    def _say_fault(self, sentence: str) -> None:
        self._fault = ""
        self._say(sentence)
        self._fault = sentence

    def _next(self) -> Sitting:
        """The game that somebody wishes for, or that was cut off, or that begins with a press."""
        wished = self._wished()
        if wished is not None:
            return wished
        config = self._config()
        game = cut_off(self.journal, TABLE_NAME, None)
        if game is None and self._is_awaited():
            buttons = None if self.page is None else self.page.attached.controls
            clearing, devices = Clearing(config.table) if self._is_by_itself() else None, self._devices(config)
            await_start(devices, config.strip, buttons, self._say, self.notifier, self.host, clearing)
            wished = self._wished()
        # It may have been calibrated meanwhile.
        if wished is not None:
            return wished
        circle = circle_of(self.config)
        if game is None:
            return Sitting(self._config(), circle, game=self._usual())
        return Sitting(self._config(), circle, game.game_id, game.game)

    def _usual(self) -> str:
        """The game that a press begins: the one that was last on the table."""
        return PATCHWORK.name if self.host is None else self.host.game

    def _wished(self) -> Sitting | None:
        self._wish = None if self.host is None else self.host.next(self.journal)
        return self._wish

    def _config(self) -> Config:
        return self.config if self.host is None else self.host.config

    def _devices(self, config: Config, game: str = PATCHWORK.name) -> Devices:
        """The table's devices; the lens may have been calibrated since they were put together."""
        if self.renew is not None:
            self.devices = self.renew(config, self.notifier, game)
        return self.devices

    def _is_awaited(self) -> bool:
        """Whether a game waits to be begun; without push-buttons the page's first one begins by itself."""
        has_page = self.page is not None and bool(self.journal.find(Wanted(limit=1)))
        return self.config.controls.driver != "none" or has_page or self._is_by_itself()

    def _is_by_itself(self) -> bool:
        """Whether empty boards begin a game: at a table without buttons nobody could say so."""
        plays_alone = self.config.reading.hands_free and self.config.controls.driver == "none"
        plays_alone = plays_alone and self._usual() == PATCHWORK.name
        return plays_alone and self.config.camera.driver != "folder"

    def _play(self, sitting: Sitting) -> str | None:
        return self._play_kvilt(sitting) if sitting.game == KVILT.name else self._play_patchwork(sitting)

    def _play_kvilt(self, sitting: Sitting) -> str | None:
        config, game_id = sitting.config, sitting.game_id
        kvilt = config.kvilt
        setup = kvilt.setup() if game_id is None else self.journal.setup(game_id, KVILT)
        layout = sheet_layout(kvilt, setup)
        if self.page is not None:
            self.page.lay_sheet(setup.sheet, layout)
        views = [PlainKviltView(sys.stdout, self.language), *(() if self.page is None else (self.page,))]
        evening = play_kvilt(
            config,
            setup,
            layout,
            self.journal,
            real_bag=kvilt.bag == "real",
            game_id=game_id,
            listeners=[*views, *(() if self.host is None else (self.host,))],
            mirrors=[view.strip for view in views],
            attached=None if self.page is None else self.page.attached,
            devices=self._devices(config, KVILT.name),
        )
        return evening.error

    def _play_patchwork(self, sitting: Sitting) -> str | None:
        game_id = sitting.game_id
        views = [PlainView(sys.stdout, self.language), *(() if self.page is None else (self.page,))]
        for view in views:
            view.remember(() if game_id is None else self.journal.decisions(game_id))
        evening = play_table(
            sitting.config,
            None,
            self.journal,
            self.journal.path.parent / "profiles",
            game_id,
            [*views, *(() if self.host is None else (self.host,))],
            [view.strip for view in views],
            None if self.page is None else self.page.attached,
            devices=self._devices(sitting.config),
        )
        return evening.error
