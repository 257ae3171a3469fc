"""`companion play --game kvilt`: an evening of Kvilt at the table."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rich.console import Console

from companion.bootstrap.kviltreal import play_kvilt
from companion.bootstrap.kviltsimulating import KviltSimulation, kvilt_table_name, simulate_kvilt
from companion.bootstrap.real import TABLE_NAME, need_a_table
from companion.cli.errors import EXIT_BAD_INPUT, one_line
from companion.cli.evenings import UsageError, goes_on
from companion.cli.kviltsheet import kvilt_sheet
from companion.cli.kviltview import KviltTerminalView, KviltView, PlainKviltView
from companion.cli.options import config_of, journal_path, language_of
from companion.cli.output import put
from companion.cli.paging import linger, page_of
from companion.games.kvilt import Variant
from companion.journal import Journal, seated_at
from companion.languages import counted

if TYPE_CHECKING:
    from companion.bootstrap.kvilt import PlayedKvilt
    from companion.config import Config
    from companion.games.kvilt import Layout, Setup
    from companion.languages import Language
    from companion.web.page import Page

_NAMES: Final = ("Anna", "Boris", "Vera", "Grigori")
"""Who sits at the seats that the configuration names nobody for."""
_KVILT_ONLY: Final = {"--seats": "seats", "--variant": "variant", "--real-bag": "real_bag"}
_PATCHWORK_ONLY: Final = {
    "--hands-free": "hands_free",
    "--record": "record",
    "--deal": "deal",
    "--circle": "circle",
    "--boards": "boards",
}


@dataclass(frozen=True, slots=True)
class _Evening:
    """What all evenings of one call share."""

    args: argparse.Namespace
    config: Config
    setup: Setup
    layout: Layout
    journal: Journal
    page: Page | None
    language: Language


def add_kvilt_options(parser: argparse.ArgumentParser) -> None:
    """Announce the options that choose the game, and those of Kvilt alone."""
    parser.add_argument("--game", choices=("patchwork", "kvilt"), default="patchwork", help="which game is played")
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), help="Kvilt: how many play")
    parser.add_argument(
        "--variant",
        action="append",
        choices=[variant.value for variant in Variant],
        help="Kvilt: a variant of the rulebook; may be given more than once",
    )
    parser.add_argument("--real-bag", action="store_true", help="Kvilt: pencils are drawn from a real bag, and told")


def refuse_kvilt_options(args: argparse.Namespace) -> None:
    """Options of Kvilt mean nothing at a table of Patchwork.

    Raises:
        UsageError: one is given.
    """
    _refuse(args, _KVILT_ONLY, "is for Kvilt: add --game kvilt")


def run_kvilt(args: argparse.Namespace) -> int:
    """Play the evenings; the exit status is 2 if one of them ended early."""
    _refuse(args, _PATCHWORK_ONLY, "is for Patchwork: leave out --game kvilt")
    _check_simulation(args)
    config = config_of(args)
    setup, path = _setup(args, config), journal_path(args, config)
    if not args.simulate:
        need_a_table(config)
        # A service is ended by this signal: the devices must be let go, and the lights go out.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with Journal(path) as journal:
        if journal.set_aside is not None:
            says = f"{path}: was damaged and is kept as {journal.set_aside}; a new one is begun"
            sys.stderr.write(one_line(says) + "\n")
        with page_of(args, config, path) as page:
            layout, language = config.kvilt.layout(), language_of(args, config)
            if page is not None:
                page.lay_sheet(setup.sheet, layout)
            evening = _Evening(args, config, setup, layout, journal, page, language)
            seed = config.simulation.seed if args.seed is None else args.seed
            sound = [_sit_down(evening, seed + number) for number in range(args.games)]
            linger(page, language)
    return 0 if all(sound) else EXIT_BAD_INPUT


def _refuse(args: argparse.Namespace, options: dict[str, str], says: str) -> None:
    for option, name in options.items():
        if getattr(args, name):
            raise UsageError(f"play: {option} {says}")


def _check_simulation(args: argparse.Namespace) -> None:
    if args.simulate != args.autoplay:
        if args.simulate:
            raise UsageError("play: nobody can colour on the page: add --autoplay, and simulated players do")
        raise UsageError("play: simulated players sit at the simulated table only: add --simulate")
    if not args.simulate:
        given = {"--seed": args.seed is not None, "--temper": args.temper is not None, "--fast": args.fast,
                 "--games": args.games != 1}  # fmt: skip
        for option, is_given in given.items():
            if is_given:
                raise UsageError(f"play: {option} is for the simulated table: add --simulate --autoplay")


def _setup(args: argparse.Namespace, config: Config) -> Setup:
    """How the game begins; the command line has the last word.

    Raises:
        SetupError: no game can begin like this.
    """
    kvilt = config.kvilt
    if args.seats is not None:
        names = (*kvilt.players, *(name for name in _NAMES if name not in kvilt.players))[: args.seats]
        kvilt = replace(kvilt, players=names, first_seat=min(kvilt.first_seat, args.seats))
    if args.variant:
        kvilt = replace(kvilt, variants=tuple(args.variant))
    return kvilt.setup()


def _sit_down(evening: _Evening, seed: int) -> bool:
    """Play one evening, with the table to itself, and print what came of it; whether it came to its end."""
    args = evening.args
    bag_is_real = args.real_bag or evening.config.kvilt.bag == "real"
    options = KviltSimulation(seed, _tempers(evening), args.fast, bag_is_real)
    name = kvilt_table_name(options, evening.setup) if args.simulate else TABLE_NAME
    with seated_at(evening.journal.path.parent, name):
        game_id = _unfinished(evening, name)
        with _view(evening) as shown:
            played = _play(evening, options, game_id, shown)
    if evening.page is not None:
        evening.page.end()
    _print(played, evening.language, as_json=args.json)
    return played.error is None


def _tempers(evening: _Evening) -> tuple[str, ...]:
    args, seats = evening.args, evening.setup.seats
    if args.temper is None:
        return (evening.config.simulation.temper[0],)
    if len(args.temper) not in (1, seats):
        raise UsageError(f"play: --temper takes one temper for all, or one for each of the {seats} seats")
    return tuple(args.temper)


def _play(evening: _Evening, options: KviltSimulation, game_id: int | None, shown: KviltView | None) -> PlayedKvilt:
    page = evening.page
    listeners = [view for view in (shown, page) if view is not None]
    mirrors = [view.strip for view in listeners]
    attached = None if page is None else page.attached
    if evening.args.simulate:
        return simulate_kvilt(
            evening.config, options, evening.setup, evening.layout, evening.journal,
            game_id=game_id, listeners=listeners, mirrors=mirrors, attached=attached,
        )  # fmt: skip
    return play_kvilt(
        evening.config, evening.setup, evening.layout, evening.journal,
        real_bag=options.real_bag, game_id=game_id, listeners=listeners, mirrors=mirrors, attached=attached,
    )  # fmt: skip


def _unfinished(evening: _Evening, name: str) -> int | None:
    """The game at this table that was cut off, if it is to be gone on with."""
    game = None if evening.args.new else evening.journal.unfinished(name, "kvilt")
    if game is None:
        return None
    if sys.stdin.isatty() and not evening.args.json:
        return game.game_id if goes_on(game, evening.language) else None
    says = counted(
        "going on with game {game}, after {count} decision",
        "going on with game {game}, after {count} decisions",
        game.decisions,
        game=game.game_id,
    )
    sys.stderr.write(one_line(says.told(evening.language)) + "\n")
    return game.game_id


def _view(evening: _Evening) -> AbstractContextManager[KviltView | None]:
    """What people see meanwhile: nothing beside JSON, a live picture on a terminal, lines elsewhere."""
    if evening.args.json:
        return nullcontext()
    if sys.stdout.isatty() and not evening.args.fast:
        link = "" if evening.page is None else evening.page.link
        return KviltTerminalView(Console(), evening.layout, link, evening.language)
    return PlainKviltView(sys.stdout, evening.language)


def _print(played: PlayedKvilt, language: Language, *, as_json: bool) -> None:
    del language
    printed = played.to_json()
    if played.error is not None:
        sys.stderr.write(one_line(played.error) + "\n")
    put(json.dumps(printed, ensure_ascii=False) + "\n" if as_json else "\n" + kvilt_sheet(printed))
