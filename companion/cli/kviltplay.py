"""`companion play --game kvilt`: an evening of Kvilt at the table."""

from __future__ import annotations

import argparse
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rich.console import Console

from companion.bootstrap.kvilt import sheet_layout
from companion.bootstrap.kviltreal import play_kvilt
from companion.bootstrap.kviltsimulating import simulate_kvilt
from companion.bootstrap.simulation import KviltSimulation
from companion.cli.evenings import UsageError, print_played
from companion.cli.kviltsheet import kvilt_sheet
from companion.cli.kviltview import KviltTerminalView, KviltView, PlainKviltView
from companion.games.kvilt import Variant
from companion.languages import said
from companion.record import KVILT, PATCHWORK

if TYPE_CHECKING:
    from companion.bootstrap import Sitting
    from companion.bootstrap.kvilt import PlayedKvilt
    from companion.cli.evenings import Evenings
    from companion.config import Config
    from companion.games.kvilt import Layout

_NAMES: Final = ("Anna", "Boris", "Vera", "Grigori")
"""Who sits at the seats that the configuration names nobody for."""
_KVILT_ONLY: Final = {"--seats": "seats", "--variant": "variant", "--real-bag": "real_bag"}
_PATCHWORK_ONLY: Final = {
    "--hands-free": "hands_free",
    "--record": "record",
    "--deal": "deal",
    "--circle": "circle",
    "--boards": "boards",
    "--table": "table",
}


def add_kvilt_options(parser: argparse.ArgumentParser) -> None:
    """Announce the options that choose the game, and those of Kvilt alone."""
    parser.add_argument(
        "--game", choices=(PATCHWORK.name, KVILT.name), default=PATCHWORK.name, help=said("which game is played")
    )
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), help=said("Kvilt: how many play"))
    parser.add_argument(
        "--variant",
        action="append",
        choices=[variant.value for variant in Variant],
        help=said("Kvilt: a variant of the rulebook; may be given more than once"),
    )
    parser.add_argument(
        "--real-bag", action="store_true", help=said("Kvilt: pencils are drawn from a real bag, and told")
    )


def refuse_other_game(args: argparse.Namespace) -> None:
    """Options of one game mean nothing at a table of the other.

    Raises:
        UsageError: one is given.
    """
    if args.game == KVILT.name:
        _refuse(args, _PATCHWORK_ONLY, PATCHWORK.name)
    else:
        _refuse(args, _KVILT_ONLY, KVILT.name)


def _refuse(args: argparse.Namespace, options: dict[str, str], game: str) -> None:
    for option, name in options.items():
        if getattr(args, name):
            other = f"--game {KVILT.name}"
            if game == PATCHWORK.name:
                says = said(
                    "{command}: {option} is for {game}: leave out {other}",
                    command="play",
                    option=option,
                    game="Patchwork",
                    other=other,
                )
            else:
                says = said(
                    "{command}: {option} is for {game}: add {other}",
                    command="play",
                    option=option,
                    game="Kvilt",
                    other=other,
                )
            raise UsageError(says)


def kvilt_config(args: argparse.Namespace, config: Config) -> Config:
    """The configuration as the command line has it, which has the last word.

    Raises:
        SetupError: no game can begin like this.
    """
    kvilt = config.kvilt
    if args.seats is not None:
        names = (*kvilt.players, *(name for name in _NAMES if name not in kvilt.players))[: args.seats]
        kvilt = replace(kvilt, players=names, first_seat=min(kvilt.first_seat, args.seats))
    if args.variant:
        kvilt = replace(kvilt, variants=tuple(args.variant))
    if args.real_bag:
        kvilt = replace(kvilt, bag="real")
    kvilt.setup()
    return replace(config, kvilt=kvilt)


def kvilt_simulation(args: argparse.Namespace, config: Config, seed: int, table: str = "") -> KviltSimulation:
    """Which simulated evening it is.

    Args:
        args: of the command line.
        config: the effective configuration.
        seed: of all that chance decides.
        table: the name of the virtual table; empty where simulated players sit there.

    Raises:
        UsageError: the tempers are not those of so many seats.
    """
    seats, tempers = len(config.kvilt.players), args.temper
    if tempers is not None and len(tempers) not in (1, seats):
        raise UsageError(
            said(
                "{command}: {option} takes one temper for all, or one for each of the {count} seats",
                command="play",
                option="--temper",
                count=seats,
            )
        )
    chosen = (config.simulation.temper[0],) if tempers is None else tuple(tempers)
    return KviltSimulation(seed, chosen, args.fast, config.kvilt.bag == "real", table)


def play_kvilt_game(evenings: Evenings, sitting: Sitting, options: KviltSimulation | None) -> PlayedKvilt:
    """Play one game of Kvilt, and print what came of it.

    Args:
        evenings: what all evenings of this call share.
        sitting: the game.
        options: which simulated evening it is; None at the real table.
    """
    book, page, host = evenings.journal, evenings.page, evenings.host
    kvilt = sitting.config.kvilt
    setup = kvilt.setup() if sitting.game_id is None else book.setup(sitting.game_id, KVILT)
    layout, real_bag = sheet_layout(kvilt, setup), kvilt.bag == "real"
    if page is not None:
        page.lay_sheet(setup.sheet, layout)
    with _view(evenings, layout) as shown:
        views = [view for view in (shown, page) if view is not None]
        listeners = [*views, *(() if host is None else (host,))]
        mirrors, attached = [view.strip for view in views], None if page is None else page.attached
        if options is not None:
            played = simulate_kvilt(
                sitting.config, replace(options, real_bag=real_bag), setup, layout, book, game_id=sitting.game_id,
                listeners=listeners, mirrors=mirrors, attached=attached, virtual=evenings.virtual,
            )  # fmt: skip
        else:
            played = play_kvilt(
                sitting.config, setup, layout, book, real_bag=real_bag, game_id=sitting.game_id,
                listeners=listeners, mirrors=mirrors, attached=attached,
            )  # fmt: skip
    print_played(evenings, played, lambda printed: kvilt_sheet(printed, evenings.language))
    return played


def _view(evenings: Evenings, layout: Layout) -> AbstractContextManager[KviltView | None]:
    """What people see meanwhile: nothing beside JSON, a live picture on a terminal, lines elsewhere."""
    args = evenings.args
    if args.json:
        return nullcontext()
    if sys.stdout.isatty() and not args.fast:
        link = "" if evenings.page is None else evenings.page.link
        return KviltTerminalView(Console(), layout, link, evenings.language)
    return PlainKviltView(sys.stdout, evenings.language)
