"""`companion play`: a session at the table."""

import argparse
import signal
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from companion.calibrating.configured import calibration_path, with_own_calibration
from companion.cli.brokering import broker_of
from companion.cli.friend import with_friend_of
from companion.cli.options import (
    add_shared,
    config_of,
    game_option,
    journal_path,
    language_of,
    positive_number,
)
from companion.cli.paging import is_attended, linger, page_of, room_of
from companion.cli.sessions import PlayContext, play_session
from companion.compose.devices import need_a_table
from companion.compose.playing import RealTable, SimulatedDevices
from companion.config import TEMPERS, Config
from companion.games.strategy import LEVEL_CHOICES, level_named
from companion.journal import TABLE_NAME, Journal, table_lock
from companion.languages import Language, Sentence, said
from companion.play.devices import share_arenas
from companion.play.game import AnyEntry, AnyGame, UsageError
from companion.play.host import Host
from companion.play.partner import Robot, check_robot, named, with_robot
from companion.play.session import Simulation, by_hand_name
from companion.registry import codecs, entries, game_named, games
from companion.terminal.output import one_line
from hardware.clock import Tempo
from hardware.simulated.virtual.table import VirtualTable


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--data", "--language", "--table")
    game_option(parser, said("the game to play"))
    parser.description = said("Play a game at the table while the computer keeps score. An unfinished game is resumed.")
    _add_simulation(parser)
    _add_session(parser)
    parser.add_argument("--no-page", action="store_true", help=said("do not serve the page for browsers"))
    add_shared(parser, "--port", "--host")
    for entry in entries():
        entry.commands.add_play_options(parser)
    parser.set_defaults(run=run)


def _add_simulation(parser: argparse.ArgumentParser) -> None:
    """Add the options of the simulated table, its players and their pace."""
    parser.add_argument("--simulate", action="store_true", help=said("play at a simulated table, on the page"))
    parser.add_argument(
        "--autoplay", action="store_true", help=said("let simulated players play at the simulated table")
    )
    parser.add_argument(
        "--temper",
        nargs="+",
        choices=TEMPERS,
        metavar="TEMPER",
        help=said("how they play: {names}; one for both players, or one for each seat", names=", ".join(TEMPERS)),
    )
    add_shared(parser, "--seed")
    parser.add_argument(
        "--games",
        type=positive_number,
        default=1,
        metavar="N",
        help=said("how many games to play, with seeds counting up from {option}", option="--seed"),
    )
    parser.add_argument(
        "--fast", action="store_true", help=said("play as fast as possible, instead of at a pace to watch")
    )
    parser.add_argument("--json", action="store_true", help=said("print one JSON object per game, each on one line"))


def _add_session(parser: argparse.ArgumentParser) -> None:
    """Add the options for playing and recording the session."""
    parser.add_argument("--record", type=Path, metavar="FOLDER", help=said("write a table recording to a new folder"))
    parser.add_argument(
        "--partner",
        nargs=2,
        metavar=("SEAT", "WHO"),
        help=said(
            "who has a seat, instead of a person at the table: {example}, or {other} at another table",
            example="2 robot",
            other="2 friend",
        ),
    )
    parser.add_argument(
        "--code", metavar="CODE", help=said("the code that the friend’s table shows, to join the game there")
    )
    parser.add_argument(
        "--level",
        choices=[str(each) for each in LEVEL_CHOICES],
        metavar="LEVEL",
        help=said("how well the robot plays: {names}", names=", ".join(LEVEL_CHOICES)),
    )
    parser.add_argument("--new", action="store_true", help=said("start a new game, even if one was interrupted"))


def run(args: argparse.Namespace) -> int:
    """Play the sessions; the exit status is 2 if one of them ended early, 1 if simulated players gave one up."""
    game = game_named(args.game)
    _refuse_foreign(args, game.entry)
    _check_options(args)
    config = game.entry.commands.configured(args, config_of(args))
    language = language_of(args, config)
    config = _with_partner(args, game.entry, config, language)
    virtual = _virtual_table(args, game, config)
    if not args.simulate:
        need_a_table(config)
        share_arenas()
        # A service is ended by this signal: the devices must be released, and the lights switched off.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    path = journal_path(args, config)
    with Journal(path, codecs()) as journal:
        sys.stderr.writelines(one_line(finding, language) + "\n" for finding in journal.findings)
        seed = config.simulation.seed if args.seed is None else args.seed
        own_table = TABLE_NAME if virtual is None else by_hand_name(seed, config)
        kept = calibration_path(path.parent, own_table)
        if not args.simulate or virtual is not None:
            # Simulated players have a new table each time, which is not calibrated.
            config = with_own_calibration(config, kept)
        host = _host(args, config, own_table, kept, virtual)
        # Simulated players lock one table after the other.
        is_one_table = not args.simulate or virtual is not None
        tempo = None if is_one_table else Tempo()
        with (
            # First, because the broker would disconnect the companion that plays here already.
            table_lock(path.parent, own_table) if is_one_table else nullcontext(),
            page_of(args, config, path, virtual, host, tempo) as page,
            # Disconnected first, as it takes presses and pictures from the page.
            broker_of(args, config, path, page) as broker,
        ):
            table = RealTable(record=args.record)
            context = PlayContext(
                args, game, config, journal, table, TABLE_NAME, args.seed, page, host, language, broker
            )
            if args.simulate:
                statuses = [_simulated(context, seed + number, virtual, tempo) for number in range(args.games)]
            else:
                statuses = [play_session(context)]
            # With a host, the page has stayed open until the user ended the program.
            if host is None and (args.simulate or is_attended() or room_of(args) is not None):
                linger(page, language)
    # The worst: 2 for a session that ended early, 1 for one that was given up.
    return max(statuses)


def _with_partner(args: argparse.Namespace, game: AnyEntry, config: Config, language: Language) -> Config:
    """Return the configuration with the partner of the command line.

    Raises:
        UsageError: there is no such partner.
    """
    if args.code is not None and (args.partner is None or args.partner[1] != "friend"):
        raise UsageError.said(
            "{command}: {option} is for {other}", command="play", option="--code", other="--partner 1 friend"
        )
    if args.partner is None:
        if args.level is not None:
            raise UsageError.said(
                "{command}: {option} is for {other}", command="play", option="--level", other="--partner"
            )
        return config
    seat, who = args.partner
    if not seat.isdigit() or who not in ("robot", "friend"):
        raise UsageError.said(
            "{command}: {option} is a seat and {example} or {other}",
            command="play",
            option="--partner",
            example="robot",
            other="friend",
        )
    if who == "friend":
        return with_friend_of(args, int(seat), game, config)
    level = config.partner.level if args.level is None else level_named(args.level)
    robot = Robot(int(seat), level, config.partner.handicap)
    check_robot(robot, game, config)
    room = room_of(args)
    reader = language if room is None or room.home.reader is None else room.home.reader
    return with_robot(config if game.settings is None else named(config, game.settings, robot, reader), robot)


def _simulated(context: PlayContext, seed: int, virtual: VirtualTable | None, tempo: Tempo | None) -> int:
    """Play one session at a simulated table and return its exit status."""
    args, game, config = context.args, context.game, context.config
    tempers = game.entry.commands.tempers(args.temper, config)
    simulation = Simulation(seed, tempers, args.fast, args.record, virtual, tempo=tempo or Tempo())
    name = game.simulated_name(simulation, config) if virtual is None else by_hand_name(seed, config)
    deal_seed = None if args.seed is None else seed
    with table_lock(context.journal.path.parent, name) if virtual is None else nullcontext():
        devices = SimulatedDevices(simulation, name)
        return play_session(replace(context, devices=devices, name=name, deal_seed=deal_seed))


def _refuse_foreign(args: argparse.Namespace, game: AnyEntry) -> None:
    """Refuse options that have no meaning in this game.

    Raises:
        UsageError: such an option is given.
    """
    own = game.commands.play_options
    for other in entries():
        for option, name in other.commands.play_options.items():
            if option not in own and getattr(args, name):
                raise UsageError(_foreign(option, other, game))


def _foreign(option: str, other: AnyEntry, game: AnyEntry) -> Sentence:
    """Return the sentence on why an option of another game is refused, and what to do."""
    if other.name == entries()[0].name:
        return said(
            "{command}: {option} is for {game}: leave out {other}",
            command="play",
            option=option,
            game=other.title,
            other=f"--game {game.name}",
        )
    return said(
        "{command}: {option} is for {game}: add {other}",
        command="play",
        option=option,
        game=other.title,
        other=f"--game {other.name}",
    )


def _check_options(args: argparse.Namespace) -> None:
    """Refuse options that cannot be combined in any game."""
    if args.autoplay and not args.simulate:
        raise UsageError.said(
            "{command}: simulated players play only at the simulated table: add {option}",
            command="play",
            option="--simulate",
        )
    if not args.simulate:
        _refuse_simulation(args)
    if args.record is not None and args.games != 1:
        raise UsageError.said(
            "{command}: {option} records a single game: leave out {other}",
            command="play",
            option="--record",
            other="--games",
        )


def _refuse_simulation(args: argparse.Namespace) -> None:
    """Refuse options of the simulated table at a real table."""
    given = {
        # The seed of a dealt circle is of use at a real table, too.
        "--seed": args.seed is not None and not args.deal,
        "--circle": args.circle is not None,
        "--temper": args.temper is not None,
        "--table": args.table is not None,
        "--fast": args.fast,
        "--games": args.games != 1,
    }
    for option, is_given in given.items():
        if is_given:
            raise UsageError.said(
                "{command}: {option} is for the simulated table: add {other}",
                command="play",
                option=option,
                other="--simulate",
            )


def _virtual_table(args: argparse.Namespace, game: AnyGame, config: Config) -> VirtualTable | None:
    """Return the virtual table played on the page; None for simulated players, and for a real table."""
    if not args.simulate or args.autoplay:
        return None
    # They exclude players on the page.
    given = {"--temper": args.temper is not None, "--fast": args.fast, "--games": args.games != 1, "--json": args.json}
    for option, is_given in given.items():
        if is_given:
            raise UsageError.said(
                "{command}: {option} is for simulated players: add {other}",
                command="play",
                option=option,
                other="--autoplay",
            )
    if game.page.virtual is None:
        raise UsageError.said(
            "{command}: you cannot play {game} by hand at the simulated table: add {option}",
            command="play",
            game=game.title,
            option="--autoplay",
        )
    if args.no_page or not config.page.enabled:
        raise UsageError.said(
            "{command}: you play at the simulated table on the page: leave out {option} (or {key} in the "
            "section {section}), or let simulated players play with {other}",
            command="play",
            option="--no-page",
            key="enabled = false",
            section="[page]",
            other="--autoplay",
        )
    return VirtualTable()


def _host(
    args: argparse.Namespace, config: Config, table: str, kept: Path, virtual: VirtualTable | None
) -> Host | None:
    """Return the host that begins games on request from the page, or None if there is none, or one game is recorded."""
    if args.record is not None or (args.simulate and virtual is None):
        return None
    return Host(config, table, game_named(args.game), games(), by_hand=virtual is not None, calibration=kept)
