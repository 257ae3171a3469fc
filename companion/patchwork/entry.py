"""Patchwork's entry in the list of games, with its part of the command line."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from companion.config import MOST_HANDICAP, Config
from companion.games.patchwork.decisions import Decision
from companion.games.patchwork.state import Setup, State
from companion.languages import said
from companion.patchwork.arrangement import CircleSource, circle_of, with_circle_known
from companion.patchwork.codec import PATCHWORK as CODEC
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.terminal.score_sheet import score_sheet
from companion.play.game import Adviser, GameCommands, GameEntry, UsageError

BOARDS: Final = ("mats", "found")
_PLAY_OPTIONS: Final = {
    "--hands-free": "hands_free",
    "--time-board": "time_board",
    "--record": "record",
    "--deal": "deal",
    "--circle": "circle",
    "--boards": "boards",
    "--table": "table",
    "--handicap": "handicap",
}
_SCORE_OPTIONS: Final = {"--corners": "corners", "--buttons": "buttons", "--bonus": "bonus"}


def add_play_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion play` that only Patchwork has."""
    parser.add_argument(
        "--hands-free", action="store_true", help=said("play without pressing confirm: whatever lies still is taken")
    )
    parser.add_argument(
        "--time-board",
        action="store_true",
        help=said("follow the markers on the time board: gives hints, and hands-free advances need no press"),
    )
    parser.add_argument(
        "--deal", action="store_true", help=said("shuffle the circle of patches, and show how to lay it out")
    )
    parser.add_argument(
        "--circle",
        choices=[circle.value for circle in CircleSource],
        help=said(
            "how the companion knows the simulated table’s circle: {dealt} (it is told), {seen} (it looks), {unknown}",
            dealt=CircleSource.DEALT.value,
            seen=CircleSource.SEEN.value,
            unknown=CircleSource.UNKNOWN.value,
        ),
    )
    parser.add_argument(
        "--boards",
        choices=BOARDS,
        help=said("{found}: there are no mats under the boards, they are found without", found="found"),
    )
    parser.add_argument(
        "--handicap",
        type=_handicap,
        metavar="N",
        help=said("how many more buttons than the robot the other player begins with; below 0, the robot has more"),
    )


def _handicap(text: str) -> int:
    try:
        buttons = int(text)
    except ValueError:
        buttons = MOST_HANDICAP + 1
    if abs(buttons) > MOST_HANDICAP:
        raise argparse.ArgumentTypeError(
            f"must be a whole number from -{MOST_HANDICAP} to {MOST_HANDICAP}, not {text!r}"
        )
    return buttons


def configured(args: argparse.Namespace, config: Config) -> Config:
    """Return the configuration with the options of `companion play` applied.

    Raises:
        UsageError: they cannot be combined.
    """
    _check(args)
    if args.boards is not None:
        config = replace(config, table=replace(config.table, boards=args.boards))
    if args.time_board:
        config = replace(config, table=replace(config.table, time_board="followed"))
    if args.hands_free:
        config = replace(config, reading=replace(config.reading, hands_free=True))
    if args.simulate or args.deal:
        config = with_circle_known(config, CircleSource.DEALT if args.circle is None else CircleSource(args.circle))
    if args.handicap is not None:
        config = replace(config, partner=replace(config.partner, handicap=args.handicap))
    if args.partner is not None and args.partner[1] == "friend":
        # Both tables lay the same circle.
        args.deal = True
        config = with_circle_known(config, CircleSource.DEALT)
    if circle_of(config) is CircleSource.UNKNOWN and (args.partner is not None or config.partner.seat is not None):
        # The robot must know the circle.
        args.deal = True
        config = with_circle_known(config, CircleSource.DEALT)
    return config


def tempers(given: Sequence[str] | None, config: Config) -> tuple[str, ...]:
    """Return the tempers of the simulated players: one temper for both, or one a seat.

    Raises:
        UsageError: more than two are given.
    """
    if given is None:
        return config.simulation.temper
    if len(given) > 2:
        raise UsageError.said(
            "{command}: {option} takes one temper for both, or one per seat", command="play", option="--temper"
        )
    return given[0], given[-1]


def add_score_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion score` that only Patchwork has."""
    parser.add_argument(
        "--corners", type=Path, metavar="FILE", help=said("a TOML file with the outer corners of both grids, or of one")
    )
    parser.add_argument(
        "--buttons", metavar="N,N", help=said("buttons in hand: seat {first}’s, seat {last}’s", first=1, last=2)
    )
    parser.add_argument(
        "--bonus",
        metavar="SEAT",
        help=said("who has the 7x7 tile: {first} or {last}; {none} if nobody has it", first=1, last=2, none=0),
    )


def _check(args: argparse.Namespace) -> None:
    """Check that the options can be combined.

    Raises:
        UsageError: some cannot.
    """
    if args.handicap is not None and (args.partner is None or args.partner[1] != "robot"):
        raise UsageError.said(
            "{command}: {option} is for {other}", command="play", option="--handicap", other="--partner 2 robot"
        )
    if args.deal and args.circle not in (None, CircleSource.DEALT):
        raise UsageError.said(
            "{command}: a dealt circle is known already: leave out {option}, or {other}",
            command="play",
            option="--deal",
            other=f"--circle {args.circle}",
        )


def _adviser() -> Adviser[State, Decision]:
    from companion.patchwork.advice import ADVISER  # noqa: PLC0415  # Few commands need advice.

    return ADVISER


PATCHWORK_ENTRY: Final[GameEntry[Setup, Decision, State]] = GameEntry(
    title="Patchwork",
    codec=CODEC,
    settings=PatchworkSettings,
    has_profiles=True,
    adviser=_adviser,
    at_two_tables=True,
    commands=GameCommands(
        score_sheet=score_sheet,
        play_options=_PLAY_OPTIONS,
        add_play_options=add_play_options,
        configured=configured,
        tempers=tempers,
        score_options=_SCORE_OPTIONS,
        add_score_options=add_score_options,
    ),
)
