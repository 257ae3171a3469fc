"""Patchwork on the command line and on the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from companion.config import Config
from companion.config.palette import USUAL
from companion.games.patchwork import Decision, PlaceLeather, TakePatch
from companion.languages import Language, Sentence, said
from companion.patchwork.arrangement import CircleSource, with_circle_known
from companion.patchwork.settings import PatchworkSettings
from companion.play.events import DecisionTaken, DecisionUndone, GameOpened
from companion.play.terminal import GameTerminal, UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from companion.patchwork.circle.desk import CircleDesk
    from companion.patchwork.events import Event

BOARDS = ("mats", "found")


class PatchworkTerminal(GameTerminal):
    """See `GameTerminal`."""

    play_options: ClassVar = {
        "--hands-free": "hands_free",
        "--time-board": "time_board",
        "--record": "record",
        "--deal": "deal",
        "--circle": "circle",
        "--boards": "boards",
        "--table": "table",
    }
    score_options: ClassVar = {"--corners": "corners", "--buttons": "buttons", "--bonus": "bonus"}

    def add_play_options(self, parser: argparse.ArgumentParser) -> None:
        """See `GameTerminal`."""
        parser.add_argument(
            "--hands-free",
            action="store_true",
            help=said("play without pressing confirm: whatever lies still is taken"),
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
                "how the companion knows the simulated table’s circle: {dealt} (it is told), {seen} (it looks), "
                "{unknown}",
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

    def configured(self, args: argparse.Namespace, config: Config) -> Config:
        """See `GameTerminal`."""
        _check(args)
        if args.boards is not None:
            config = replace(config, table=replace(config.table, boards=args.boards))
        if args.time_board:
            config = replace(config, table=replace(config.table, time_board="followed"))
        if args.hands_free:
            config = replace(config, reading=replace(config.reading, hands_free=True))
        if args.simulate or args.deal:
            config = with_circle_known(config, CircleSource.DEALT if args.circle is None else CircleSource(args.circle))
        return config

    def tempers(self, given: Sequence[str] | None, config: Config) -> tuple[str, ...]:
        """See `GameTerminal`: one temper for both players, or one a seat."""
        if given is None:
            return config.simulation.temper
        if len(given) > 2:
            raise UsageError(
                said(
                    "{command}: {option} takes one temper for both, or one per seat", command="play", option="--temper"
                )
            )
        return given[0], given[-1]

    def before_game(self, args: argparse.Namespace, config: Config, seed: int | None, language: Language) -> Config:
        """See `GameTerminal`: deal the circle, if requested, and show how to lay it out."""
        if not args.deal:
            return config
        from rich.console import Console  # noqa: PLC0415

        from companion.patchwork.arrangement import dealt_market  # noqa: PLC0415
        from companion.patchwork.terminal.deal import deal_lines, show_deal  # noqa: PLC0415
        from companion.terminal.output import put  # noqa: PLC0415

        market = dealt_market(seed)
        if args.json:
            # Standard output is for the JSON alone.
            sys.stderr.write(deal_lines(market, language))
        elif sys.stdin.isatty() and sys.stdout.isatty():
            show_deal(market, Console(), language=language)
        else:
            put(deal_lines(market, language))
        return config.with_game(replace(config.of(PatchworkSettings), market=market))

    def picture(
        self, event: Event, decisions: Sequence[Decision], config: Config, language: Language
    ) -> RenderableType | None:
        """See `GameTerminal`: both quilts, whenever one of them has changed."""
        if isinstance(event, DecisionTaken | DecisionUndone):
            if not isinstance(event.decision, TakePatch | PlaceLeather):
                return None
        elif not (isinstance(event, GameOpened) and event.decisions):
            return None
        from companion.patchwork.terminal.pictures import table_picture  # noqa: PLC0415

        return table_picture(event.state, decisions, config.of(PatchworkSettings).colours or USUAL, language)

    def lines(self, event: Event) -> tuple[Sentence | str, ...]:
        """See `GameTerminal`."""
        from companion.patchwork.words import sentences  # noqa: PLC0415

        return sentences(event)

    def score_sheet(self, printed: dict[str, Any], language: Language) -> str:
        """See `GameTerminal`."""
        from companion.patchwork.terminal.score_sheet import score_sheet  # noqa: PLC0415

        return score_sheet(printed, language)

    def desk(self) -> CircleDesk:
        """See `GameTerminal`: the seen circle is confirmed by typed lines, if a user sits at the terminal."""
        from companion.patchwork.circle.desk import CircleDesk  # noqa: PLC0415

        return CircleDesk()

    def add_score_options(self, parser: argparse.ArgumentParser) -> None:
        """See `GameTerminal`."""
        parser.add_argument(
            "--corners",
            type=Path,
            metavar="FILE",
            help=said("a TOML file with the outer corners of both grids, or of one"),
        )
        parser.add_argument(
            "--buttons", metavar="N,N", help=said("buttons in hand: seat {first}’s, seat {last}’s", first=1, last=2)
        )
        parser.add_argument(
            "--bonus",
            metavar="SEAT",
            help=said("who has the 7x7 tile: {first} or {last}; {none} if nobody has it", first=1, last=2, none=0),
        )

    def score(self, args: argparse.Namespace, language: Language) -> int:
        """See `GameTerminal`."""
        from companion.patchwork.terminal.score import score  # noqa: PLC0415

        return score(args, language)


def _check(args: argparse.Namespace) -> None:
    """Check that the options can be combined.

    Raises:
        UsageError: some cannot.
    """
    if args.deal and args.circle not in (None, CircleSource.DEALT):
        raise UsageError(
            said(
                "{command}: a dealt circle is known already: leave out {option}, or {other}",
                command="play",
                option="--deal",
                other=f"--circle {args.circle}",
            )
        )
