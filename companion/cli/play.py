"""`companion play`: an evening at the table."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from companion.bootstrap import (
    TABLE_NAME,
    PlayedEvening,
    SimulationOptions,
    VirtualTable,
    need_a_table,
    play_table,
    simulate,
    table_name,
)
from companion.bootstrap.simulating import Circle
from companion.cli.deal import deal_lines, show_deal
from companion.cli.errors import EXIT_BAD_INPUT, one_line
from companion.cli.options import config_of, config_option, data_option, journal_path
from companion.cli.output import put
from companion.cli.paging import linger, page_of
from companion.cli.scoresheet import score_sheet
from companion.cli.terminal import PlainView, TerminalView, View
from companion.dealing import dealt_market
from companion.errors import CompanionError
from companion.journal import Journal, seated_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cli.commands import Subparsers
    from companion.config import Config
    from companion.web.page import Page

TEMPERS = ("tidy", "hasty", "forgetful")
BOARDS = ("mats", "found")


class UsageError(CompanionError):
    """Options that do not go together."""


@dataclass(frozen=True, slots=True)
class _Sitting:
    """What all evenings of one call share, and the seed of this one's deal; None: chance deals."""

    args: argparse.Namespace
    config: Config
    journal: Journal
    profiles: Path
    page: Page | None = None
    deal_seed: int | None = None
    virtual: VirtualTable | None = None


def add_parser(subparsers: Subparsers) -> None:
    """Announce the command."""
    parser = subparsers.add_parser(
        "play",
        parents=[config_option(), data_option()],
        help="keep the books of an evening",
        description="Keep the books of an evening at the table. An unfinished evening is gone on with.",
    )
    parser.add_argument("--simulate", action="store_true", help="play at a simulated table: on the page")
    parser.add_argument("--autoplay", action="store_true", help="let simulated players sit at the simulated table")
    parser.add_argument(
        "--temper",
        nargs="+",
        choices=TEMPERS,
        metavar="TEMPER",
        help=f"how they are: {', '.join(TEMPERS)}; one for both, or one a seat",
    )
    parser.add_argument("--seed", type=_seed, metavar="N", help="everything that chance decides follows from it")
    parser.add_argument("--games", type=_count, default=1, metavar="N", help="evenings, with seeds rising from --seed")
    parser.add_argument("--fast", action="store_true", help="as fast as it can, instead of at a pace to watch")
    parser.add_argument("--json", action="store_true", help="print one JSON object a game, each on one line")
    parser.add_argument("--hands-free", action="store_true", help="nobody presses confirm: what lies still is taken")
    parser.add_argument("--record", type=Path, metavar="FOLDER", help="write a table recording into a new folder")
    parser.add_argument("--deal", action="store_true", help="shuffle the circle of patches, and show how to lay it out")
    parser.add_argument(
        "--circle",
        choices=[circle.value for circle in Circle],
        help="how the companion knows the simulated table's circle: dealt (it is told), seen (it looks), unknown",
    )
    parser.add_argument("--boards", choices=BOARDS, help="found: no mats lie under the boards, they find themselves")
    parser.add_argument("--new", action="store_true", help="begin anew, even if an evening was cut off")
    parser.add_argument("--no-page", action="store_true", help="show no page in the browser")
    parser.add_argument("--port", type=_port, metavar="N", help="the page's port")
    parser.add_argument("--host", metavar="ADDRESS", help="where the page listens; opens it to that network")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the evenings; the exit status is 2 if one of them ended early."""
    if args.autoplay and not args.simulate:
        raise UsageError("play: simulated players sit at the simulated table only: add --simulate")
    if not args.simulate:
        _refuse_simulation(args)
    if args.record is not None and args.games != 1:
        raise UsageError("play: --record writes one evening: leave out --games")
    if args.deal and args.circle not in (None, Circle.DEALT):
        raise UsageError(f"play: what is dealt is known: leave out --deal, or --circle {args.circle}")
    config = _config(args)
    virtual = _virtual_table(args, config)
    if not args.simulate:
        need_a_table(config)
        # A service is ended by this signal: the devices must be let go, and the lights go out.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    path = journal_path(args, config)
    with Journal(path) as journal:
        if journal.set_aside is not None:
            says = f"{path}: was damaged and is kept as {journal.set_aside}; a new one is begun"
            sys.stderr.write(one_line(says) + "\n")
        with page_of(args, config, path, virtual) as page:
            sitting = _Sitting(args, config, journal, path.parent / "profiles", page, virtual=virtual)
            seed = config.simulation.seed if args.seed is None else args.seed
            if args.simulate:
                sound = [_sit_down(sitting, seed + number) for number in range(args.games)]
            else:
                sound = [_at_the_table(sitting)]
            linger(page)
    return 0 if all(sound) else EXIT_BAD_INPUT


def _refuse_simulation(args: argparse.Namespace) -> None:
    """Options of the simulated table mean nothing at a real one."""
    given = {
        "--seed": args.seed is not None and not args.deal,
        "--circle": args.circle is not None,
        "--temper": args.temper is not None,
        "--fast": args.fast,
        "--games": args.games != 1,
    }
    for option, is_given in given.items():
        if is_given:
            raise UsageError(f"play: {option} is for the simulated table: add --simulate")


def _virtual_table(args: argparse.Namespace, config: Config) -> VirtualTable | None:
    """The table that people play at on the page; None for simulated players, and for a real table."""
    if not args.simulate or args.autoplay:
        return None
    for option, is_given in {"--temper": args.temper is not None, **_hurries(args)}.items():
        if is_given:
            raise UsageError(f"play: {option} is for simulated players: add --autoplay")
    if args.no_page or not config.page.enabled:
        raise UsageError(
            "play: the simulated table is played at on the page: leave out --no-page "
            "(or enabled = false in the section [page]), or let simulated players sit there with --autoplay"
        )
    return VirtualTable()


def _hurries(args: argparse.Namespace) -> dict[str, bool]:
    """What is asked for only where nobody plays on the page."""
    return {"--fast": args.fast, "--games": args.games != 1, "--json": args.json}


def _config(args: argparse.Namespace) -> Config:
    """The effective configuration, hands-free if that is asked for."""
    config = config_of(args)
    if args.boards is not None:
        config = replace(config, table=replace(config.table, boards=args.boards))
    return replace(config, reading=replace(config.reading, hands_free=True)) if args.hands_free else config


def _sit_down(sitting: _Sitting, seed: int) -> bool:
    """Play one evening, with the table to itself; whether it came to its end."""
    args = sitting.args
    mats = sitting.config.table.boards == "mats"
    circle = Circle.DEALT if args.circle is None else Circle(args.circle)
    by_hand = sitting.virtual is not None
    options = SimulationOptions(seed, _tempers(args, sitting.config), args.fast, args.record, mats, circle, by_hand)
    sitting = replace(sitting, deal_seed=None if args.seed is None else seed)
    return _evening(sitting, table_name(options), partial(simulate, options=options, virtual=sitting.virtual))


def _at_the_table(sitting: _Sitting) -> bool:
    """Play one evening at the real table; whether it came to its end."""
    sitting = replace(sitting, deal_seed=sitting.args.seed)
    return _evening(sitting, TABLE_NAME, partial(play_table, record=sitting.args.record))


def _evening(sitting: _Sitting, name: str, play: Callable[..., PlayedEvening]) -> bool:
    """Play one evening, with the table to itself, and print what came of it; whether it came to its end."""
    with seated_at(sitting.journal.path.parent, name):
        return _played(sitting, name, play)


def _played(sitting: _Sitting, name: str, play: Callable[..., PlayedEvening]) -> bool:
    args = sitting.args
    game_id = _unfinished(sitting, name)
    config = _dealt(sitting) if args.deal and game_id is None else sitting.config
    with _view(args, sitting.page) as shown:
        views = [view for view in (shown, sitting.page) if view is not None]
        for view in views:
            view.remember(() if game_id is None else sitting.journal.decisions(game_id))
        mirrors = [view.strip for view in views]
        attached = None if sitting.page is None else sitting.page.attached
        evening = play(
            config=config,
            book=sitting.journal,
            profiles=sitting.profiles,
            game_id=game_id,
            listeners=views,
            mirrors=mirrors,
            attached=attached,
        )
    if sitting.page is not None:
        sitting.page.end()
    _print(evening, as_json=args.json)
    return evening.error is None


def _dealt(sitting: _Sitting) -> Config:
    """Deal the circle of a new game, and show how to lay it out."""
    market, config = dealt_market(sitting.deal_seed), sitting.config
    if sys.stdin.isatty() and sys.stdout.isatty() and not sitting.args.json:
        show_deal(market, Console())
    elif sitting.args.json:
        sys.stderr.write(deal_lines(market))
    else:
        put(deal_lines(market))
    return replace(config, game=replace(config.game, market=market))


def _unfinished(sitting: _Sitting, name: str) -> int | None:
    """The game at this table that was cut off, if it is to be gone on with."""
    cut_off = None if sitting.args.new else sitting.journal.unfinished(name)
    if cut_off is None:
        return None
    if sitting.args.record is not None and cut_off.decisions:
        raise UsageError(
            f"play: --record takes an evening down from its start, and game {cut_off.game_id} is under way: "
            "add --new to begin anew, or leave out --record"
        )
    made = f"{cut_off.decisions} decision{'' if cut_off.decisions == 1 else 's'}"
    if sys.stdin.isatty() and not sitting.args.json:
        return cut_off.game_id if _goes_on(f"Game {cut_off.game_id} was cut off after {made}.") else None
    sys.stderr.write(one_line(f"going on with game {cut_off.game_id}, after {made}") + "\n")
    return cut_off.game_id


def _goes_on(says: str) -> bool:
    """Ask somebody at the terminal; who closes it without an answer wants neither."""
    try:
        return not input(f"{says} Go on with it? [Y/n] ").strip().lower().startswith("n")
    except EOFError:
        raise KeyboardInterrupt from None


def _view(args: argparse.Namespace, page: Page | None) -> AbstractContextManager[View | None]:
    """What people see meanwhile: nothing beside JSON, a live picture on a terminal, lines elsewhere."""
    if args.json:
        return nullcontext()
    if sys.stdout.isatty() and not args.fast:
        return TerminalView(Console(), page="" if page is None else page.link)
    return PlainView(sys.stdout)


def _print(evening: PlayedEvening, *, as_json: bool) -> None:
    printed = evening.to_json()
    if evening.error is not None:
        sys.stderr.write(one_line(evening.error) + "\n")
    put(json.dumps(printed, ensure_ascii=False) + "\n" if as_json else "\n" + score_sheet(printed))


def _tempers(args: argparse.Namespace, config: Config) -> tuple[str, str]:
    if args.temper is None:
        return config.simulation.temper
    if len(args.temper) > 2:
        raise UsageError("play: --temper takes one temper for both, or one a seat")
    return args.temper[0], args.temper[-1]


def _seed(text: str) -> int:
    return _whole(text, 0)


def _count(text: str) -> int:
    return _whole(text, 1)


def _port(text: str) -> int:
    number = _whole(text, 0)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"must be a port up to 65535, is {text!r}")
    return number


def _whole(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"must be a whole number from {least}, is {text!r}")
    return number
