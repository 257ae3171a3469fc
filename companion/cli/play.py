"""`companion play`: an evening at the table."""

from __future__ import annotations

import argparse
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.bootstrap import (
    TABLE_NAME,
    Host,
    PlayedEvening,
    SimulationOptions,
    VirtualTable,
    as_calibrated,
    calibration_path,
    need_a_table,
    play_table,
    simulate,
    table_name,
)
from companion.bootstrap.arrangement import Circle, circle_of
from companion.bootstrap.simulation import kvilt_table_name
from companion.cli import quantities
from companion.cli.errors import one_line
from companion.cli.evenings import Evenings, Games, UsageError, play_evening
from companion.cli.kviltplay import (
    add_kvilt_options,
    kvilt_config,
    kvilt_simulation,
    play_kvilt_game,
    refuse_other_game,
)
from companion.cli.options import (
    config_of,
    config_option,
    data_option,
    journal_path,
    language_of,
    language_option,
    simulated_table_option,
)
from companion.cli.paging import linger, page_of
from companion.journal import Journal
from companion.languages import said
from companion.record import KVILT

if TYPE_CHECKING:
    from companion.cli.subparsers import Subparsers
    from companion.config import Config
    from companion.languages import Language, Sentence

TEMPERS = ("tidy", "hasty", "forgetful")
BOARDS = ("mats", "found")


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Announce the command, which `summary` tells of in the list of commands."""
    parser = subparsers.add_parser(
        "play",
        parents=[config_option(), data_option(), language_option(), simulated_table_option()],
        help=summary,
        description=said("Keep the books of an evening at the table. An unfinished evening is gone on with."),
    )
    _add_simulation(parser)
    _add_evening(parser)
    _add_page(parser)
    add_kvilt_options(parser)
    parser.set_defaults(run=run)


def _add_simulation(parser: argparse.ArgumentParser) -> None:
    """What the simulated table and its players are like, and at which pace they play."""
    parser.add_argument("--simulate", action="store_true", help=said("play at a simulated table: on the page"))
    parser.add_argument(
        "--autoplay", action="store_true", help=said("let simulated players sit at the simulated table")
    )
    parser.add_argument(
        "--temper",
        nargs="+",
        choices=TEMPERS,
        metavar="TEMPER",
        help=said("how they are: {names}; one for both, or one a seat", names=", ".join(TEMPERS)),
    )
    parser.add_argument(
        "--seed", type=quantities.seed, metavar="N", help=said("everything that chance decides follows from it")
    )
    parser.add_argument(
        "--games",
        type=quantities.count,
        default=1,
        metavar="N",
        help=said("evenings, with seeds rising from {option}", option="--seed"),
    )
    parser.add_argument("--fast", action="store_true", help=said("as fast as it can, instead of at a pace to watch"))
    parser.add_argument("--json", action="store_true", help=said("print one JSON object a game, each on one line"))


def _add_evening(parser: argparse.ArgumentParser) -> None:
    """How the evening is played and kept."""
    parser.add_argument(
        "--hands-free", action="store_true", help=said("nobody presses confirm: what lies still is taken")
    )
    parser.add_argument("--record", type=Path, metavar="FOLDER", help=said("write a table recording into a new folder"))
    parser.add_argument(
        "--deal", action="store_true", help=said("shuffle the circle of patches, and show how to lay it out")
    )
    parser.add_argument(
        "--circle",
        choices=[circle.value for circle in Circle],
        help=said(
            "how the companion knows the simulated table's circle: {dealt} (it is told), {seen} (it looks), {unknown}",
            dealt=Circle.DEALT.value,
            seen=Circle.SEEN.value,
            unknown=Circle.UNKNOWN.value,
        ),
    )
    parser.add_argument(
        "--boards",
        choices=BOARDS,
        help=said("{found}: no mats lie under the boards, they find themselves", found="found"),
    )
    parser.add_argument("--new", action="store_true", help=said("begin anew, even if an evening was cut off"))


def _add_page(parser: argparse.ArgumentParser) -> None:
    """Where the page is, if there is one."""
    parser.add_argument("--no-page", action="store_true", help=said("show no page in the browser"))
    parser.add_argument("--port", type=quantities.port, metavar="N", help=said("the page's port"))
    parser.add_argument("--host", metavar="ADDRESS", help=said("where the page listens; opens it to that network"))


def run(args: argparse.Namespace) -> int:
    """Play the evenings; the exit status is 2 if one of them ended early, 1 if simulated players gave one up."""
    refuse_other_game(args)
    _check_options(args)
    config = _config(args)
    language = language_of(args, config)
    virtual = _virtual_table(args, config)
    if not args.simulate:
        need_a_table(config)
        # A service is ended by this signal: the devices must be let go, and the lights go out.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    path = journal_path(args, config)
    with Journal(path) as journal:
        _tell_set_aside(journal, language)
        seed = config.simulation.seed if args.seed is None else args.seed
        config = _as_calibrated(args, config, path.parent, seed, virtual)
        host = _host(args, config, path.parent, seed, virtual)
        with page_of(args, config, path, virtual, host) as page:
            profiles = path.parent / "profiles"
            evenings = Evenings(args, config, journal, profiles, page, None, virtual, host, language, args.game)
            if args.simulate:
                statuses = [_sit_down(evenings, seed + number) for number in range(args.games)]
            else:
                statuses = [_at_the_table(evenings)]
            if host is None:
                linger(page, language)
    return max(statuses)


def _check_options(args: argparse.Namespace) -> None:
    """Refuse options that do not go together, whichever game it is."""
    if args.autoplay and not args.simulate:
        raise UsageError(
            said(
                "{command}: simulated players sit at the simulated table only: add {option}",
                command="play",
                option="--simulate",
            )
        )
    if not args.simulate:
        _refuse_simulation(args)
    if args.record is not None and args.games != 1:
        raise UsageError(
            said(
                "{command}: {option} writes one evening: leave out {other}",
                command="play",
                option="--record",
                other="--games",
            )
        )
    if args.deal and args.circle not in (None, Circle.DEALT):
        raise UsageError(
            said(
                "{command}: what is dealt is known: leave out {option}, or {other}",
                command="play",
                option="--deal",
                other=f"--circle {args.circle}",
            )
        )


def _tell_set_aside(journal: Journal, language: Language) -> None:
    if journal.set_aside is not None:
        says = said(
            "{path}: was damaged and is kept as {kept}; a new one is begun",
            path=str(journal.path),
            kept=str(journal.set_aside),
        )
        sys.stderr.write(one_line(says.told(language)) + "\n")


def _refuse_simulation(args: argparse.Namespace) -> None:
    """Options of the simulated table mean nothing at a real one."""
    given = {
        "--seed": args.seed is not None and not args.deal,
        "--circle": args.circle is not None,
        "--temper": args.temper is not None,
        "--table": args.table is not None,
        "--fast": args.fast,
        "--games": args.games != 1,
    }
    for option, is_given in given.items():
        if is_given:
            raise UsageError(
                said(
                    "{command}: {option} is for the simulated table: add {other}",
                    command="play",
                    option=option,
                    other="--simulate",
                )
            )


def _virtual_table(args: argparse.Namespace, config: Config) -> VirtualTable | None:
    """The table that people play at on the page; None for simulated players, and for a real table."""
    if not args.simulate or args.autoplay:
        return None
    for option, is_given in {"--temper": args.temper is not None, **_hurries(args)}.items():
        if is_given:
            raise UsageError(
                said(
                    "{command}: {option} is for simulated players: add {other}",
                    command="play",
                    option=option,
                    other="--autoplay",
                )
            )
    if args.no_page or not config.page.enabled:
        raise UsageError(
            said(
                "{command}: the simulated table is played at on the page: leave out {option} (or {key} in the section "
                "{section}), or let simulated players sit there with {other}",
                command="play",
                option="--no-page",
                key="enabled = false",
                section="[page]",
                other="--autoplay",
            )
        )
    return VirtualTable()


def _hurries(args: argparse.Namespace) -> dict[str, bool]:
    """What is asked for only where nobody plays on the page."""
    return {"--fast": args.fast, "--games": args.games != 1, "--json": args.json}


def _config(args: argparse.Namespace) -> Config:
    """The effective configuration, hands-free if that is asked for."""
    config = kvilt_config(args, config_of(args))
    if args.boards is not None:
        config = replace(config, table=replace(config.table, boards=args.boards))
    return replace(config, reading=replace(config.reading, hands_free=True)) if args.hands_free else config


def _own_table(args: argparse.Namespace, config: Config, seed: int, virtual: VirtualTable | None) -> str:
    return TABLE_NAME if virtual is None else table_name(_options(args, config, seed, by_hand=True))


def _as_calibrated(
    args: argparse.Namespace, config: Config, folder: Path, seed: int, virtual: VirtualTable | None
) -> Config:
    """The configuration with what was calibrated on the page; simulated players sit at a new table each time."""
    if args.simulate and virtual is None:
        return config
    return as_calibrated(config, calibration_path(folder, _own_table(args, config, seed, virtual)))


def _host(
    args: argparse.Namespace, config: Config, folder: Path, seed: int, virtual: VirtualTable | None
) -> Host | None:
    """Begins games that people wish for on the page; None where that is nobody's to do, or one game is recorded."""
    if args.record is not None or (args.simulate and virtual is None):
        return None
    table = _own_table(args, config, seed, virtual)
    usual = Circle.DEALT if args.deal or virtual is not None else circle_of(config)
    circle = usual if args.circle is None else Circle(args.circle)
    kept = calibration_path(folder, table)
    return Host(config, table, circle, by_hand=virtual is not None, calibration=kept, game=args.game)


def _options(args: argparse.Namespace, config: Config, seed: int, *, by_hand: bool) -> SimulationOptions:
    mats = config.table.boards == "mats"
    circle = Circle.DEALT if args.circle is None else Circle(args.circle)
    table = config.simulation.table
    return SimulationOptions(seed, _tempers(args, config), args.fast, args.record, mats, circle, by_hand, table)


def _sit_down(evenings: Evenings, seed: int) -> int:
    """Play one evening, with the table to itself; the exit status that it deserves."""
    args, config, by_hand = evenings.args, evenings.config, evenings.virtual is not None
    options = _options(args, config, seed, by_hand=by_hand)
    sheets = kvilt_simulation(args, config, seed, table_name(options) if by_hand else "")
    evenings = replace(evenings, deal_seed=None if args.seed is None else seed)

    def play(circle: Circle | None, **how: Any) -> PlayedEvening:
        return simulate(options=replace(options, circle=circle or options.circle), virtual=evenings.virtual, **how)

    is_kvilt = evenings.game == KVILT.name
    name = kvilt_table_name(sheets, config.kvilt.setup()) if is_kvilt else table_name(options)
    return play_evening(evenings, name, Games(play, lambda these, sitting: play_kvilt_game(these, sitting, sheets)))


def _at_the_table(evenings: Evenings) -> int:
    """Play one evening at the real table; the exit status that it deserves."""
    evenings = replace(evenings, deal_seed=evenings.args.seed)

    def play(circle: Circle | None, **how: Any) -> PlayedEvening:
        del circle  # The configuration says it.
        return play_table(record=evenings.args.record, **how)

    return play_evening(evenings, TABLE_NAME, Games(play, lambda these, sitting: play_kvilt_game(these, sitting, None)))


def _tempers(args: argparse.Namespace, config: Config) -> tuple[str, str]:
    if args.temper is None or args.game == KVILT.name:
        return config.simulation.temper
    if len(args.temper) > 2:
        raise UsageError(
            said("{command}: {option} takes one temper for both, or one a seat", command="play", option="--temper")
        )
    return args.temper[0], args.temper[-1]
