"""Kvilt on the command line and on the terminal."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion.games.kvilt import Decision, Done, Variant
from companion.kvilt.settings import KviltSettings
from companion.languages import Language, Sentence, reason, said
from companion.play.events import DecisionTaken, DecisionUndone, GameOpened
from companion.play.terminal import GameTerminal, UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from companion.config import Config
    from companion.kvilt.codec import Event

# The players' names for seats without one in the configuration.
_NAMES: Final = ("Anna", "Boris", "Vera", "Grigori")


class KviltTerminal(GameTerminal):
    """See `GameTerminal`."""

    play_options: ClassVar = {"--seats": "seats", "--variant": "variant", "--real-bag": "real_bag"}
    score_options: ClassVar = {"--sheet": "sheet"}

    def add_play_options(self, parser: argparse.ArgumentParser) -> None:
        """See `GameTerminal`."""
        parser.add_argument("--seats", type=int, choices=(2, 3, 4), help=said("Kvilt: number of players"))
        parser.add_argument(
            "--variant",
            action="append",
            choices=[variant.value for variant in Variant],
            help=said("Kvilt: a variant of the rulebook; may be given more than once"),
        )
        parser.add_argument(
            "--real-bag", action="store_true", help=said("Kvilt: draw pencils from a real bag and tell the companion")
        )

    def configured(self, args: argparse.Namespace, config: Config) -> Config:
        """See `GameTerminal`.

        Raises:
            UsageError: no game can begin with these options.
        """
        kvilt = config.of(KviltSettings)
        if args.seats is not None:
            names = (*kvilt.players, *(name for name in _NAMES if name not in kvilt.players))[: args.seats]
            kvilt = replace(kvilt, players=names, first_seat=min(kvilt.first_seat, args.seats))
        if args.variant:
            kvilt = replace(kvilt, variants=tuple(args.variant))
        if args.real_bag:
            kvilt = replace(kvilt, bag="real")
        try:
            kvilt.check()
        except ValueError as error:
            raise UsageError(reason(error)) from error
        return config.with_game(kvilt)

    def tempers(self, given: Sequence[str] | None, config: Config) -> tuple[str, ...]:
        """See `GameTerminal`: one temper for all players, or one per seat."""
        seats = len(config.of(KviltSettings).players)
        if given is not None and len(given) not in (1, seats):
            raise UsageError(
                said(
                    "{command}: {option} takes one temper for all, or one for each of the {count} seats",
                    command="play",
                    option="--temper",
                    count=seats,
                )
            )
        return (config.simulation.temper[0],) if given is None else tuple(given)

    def lines(self, event: Event) -> tuple[Sentence | str, ...]:
        """See `GameTerminal`."""
        from companion.kvilt.words import sentences  # noqa: PLC0415

        return sentences(event)

    def picture(
        self, event: Event, decisions: Sequence[Decision], config: Config, language: Language
    ) -> RenderableType | None:
        """See `GameTerminal`: every sheet, whenever a player has finished colouring."""
        del decisions
        if isinstance(event, DecisionTaken | DecisionUndone):
            if not isinstance(event.decision, Done):
                return None
        elif not (isinstance(event, GameOpened) and event.decisions):
            return None
        from companion.kvilt.assembling import sheet_layout  # noqa: PLC0415
        from companion.kvilt.terminal.pictures import sheets_picture  # noqa: PLC0415

        return sheets_picture(event.state, sheet_layout(config.of(KviltSettings), event.state.setup), language)

    def score_sheet(self, printed: dict[str, Any], language: Language) -> str:
        """See `GameTerminal`."""
        from companion.kvilt.terminal.score_sheet import kvilt_sheet  # noqa: PLC0415

        return kvilt_sheet(printed, language)

    def add_score_options(self, parser: argparse.ArgumentParser) -> None:
        """See `GameTerminal`."""
        parser.add_argument(
            "--sheet", type=Path, metavar="FILE", help=said("Kvilt: the sheet’s TOML file, for one of your own")
        )

    def score(self, args: argparse.Namespace, language: Language) -> int:
        """See `GameTerminal`."""
        from companion.kvilt.terminal.score import score  # noqa: PLC0415

        return score(args, language)
