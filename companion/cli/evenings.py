"""Games one after the other at one table, as the command line plays them: the first, and what people wish for then."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console

from companion.bootstrap import Host, PlayedEvening, Sitting, VirtualTable, cut_off
from companion.bootstrap.arrangement import Circle
from companion.bootstrap.circledesk import CircleDesk
from companion.cli.deal import deal_lines, show_deal
from companion.cli.errors import EXIT_BAD_INPUT, EXIT_GAVE_UP, one_line
from companion.cli.mendable import USER_ERRORS
from companion.cli.output import put
from companion.cli.paging import stays
from companion.cli.scoresheet import score_sheet
from companion.cli.terminal import PlainView, TerminalView, View
from companion.cli.typed import typed_lines
from companion.dealing import dealt_market
from companion.errors import CompanionError
from companion.journal import Journal, seated_at
from companion.languages import ENGLISH, Language, counted, said
from companion.record import KVILT, PATCHWORK

if TYPE_CHECKING:
    from companion.bootstrap.kvilt import PlayedKvilt
    from companion.config import Config
    from companion.journal import GameSummary
    from companion.web.page import Page


_NO: Final = ("n", "н", "ن", "خ")
"""How "no" begins, in each language; an English "n" is understood everywhere."""


class UsageError(CompanionError):
    """Options that do not go together."""


@dataclass(frozen=True, slots=True)
class Evenings:
    """What all evenings of one call share, and the seed of this one's deal; None: chance deals.

    `game` is the one that is played unless somebody wishes for the other.
    """

    args: argparse.Namespace
    config: Config
    journal: Journal
    profiles: Path
    page: Page | None = None
    deal_seed: int | None = None
    virtual: VirtualTable | None = None
    host: Host | None = None
    language: Language = ENGLISH
    game: str = PATCHWORK.name


@dataclass(frozen=True, slots=True)
class Games:
    """How each game is played at a table."""

    patchwork: Callable[..., PlayedEvening]
    kvilt: Callable[[Evenings, Sitting], PlayedKvilt]


def play_evening(evenings: Evenings, name: str, games: Games) -> int:
    """Play one evening, with the table to itself, and print what came of it; the exit status that it deserves."""
    with seated_at(evenings.journal.path.parent, name):
        return _played(evenings, name, games)


def _played(evenings: Evenings, name: str, games: Games) -> int:
    """Play a game, and those that people wish for on the page after it."""
    game_id = _unfinished(evenings, name)
    if evenings.game == KVILT.name:
        first = Sitting(evenings.config, Circle.UNKNOWN, game_id, evenings.game)
        evening: PlayedEvening | PlayedKvilt = games.kvilt(evenings, first)
    else:
        config = _dealt(evenings) if evenings.args.deal and game_id is None else evenings.config
        evening = _game(evenings, games, config, None, game_id)
    while (wished := _wished(evenings)) is not None:
        evening = _wished_game(evenings, games, wished)
    if evenings.host is not None:
        evenings.host.close()
    if evenings.page is not None:
        evenings.page.end()
    if evening.error is None:
        return 0
    return EXIT_GAVE_UP if evening.gave_up else EXIT_BAD_INPUT


def _wished(evenings: Evenings) -> Sitting | None:
    """The game that somebody wishes for on the page; at a terminal there is time to do so until it is interrupted."""
    host, page = evenings.host, evenings.page
    if host is None or page is None:
        return None
    wished = host.next(evenings.journal)
    if wished is None and sys.stdin.isatty() and sys.stdout.isatty():
        put(stays(page).told(evenings.language) + "\n")
        with suppress(KeyboardInterrupt):
            wished = host.next(evenings.journal, None)
    return wished


def _wished_game(evenings: Evenings, games: Games, wished: Sitting) -> PlayedEvening | PlayedKvilt:
    """Play a game that was wished for; where it cannot be, the one before goes on."""
    try:
        return _sat(evenings, games, wished)
    except USER_ERRORS as error:
        before = None if evenings.host is None else evenings.host.failed(error, evenings.journal)
        if before is None:
            raise
    return _sat(evenings, games, before)


def _sat(evenings: Evenings, games: Games, sitting: Sitting) -> PlayedEvening | PlayedKvilt:
    if sitting.game == KVILT.name:
        return games.kvilt(evenings, sitting)
    return _game(evenings, games, sitting.config, sitting.circle, sitting.game_id)


def _game(
    evenings: Evenings,
    games: Games,
    config: Config,
    circle: Circle | None,
    game_id: int | None,
) -> PlayedEvening:
    """Play one game of Patchwork, and print what came of it."""
    page, host = evenings.page, evenings.host
    with _view(evenings) as shown:
        views = [view for view in (shown, page) if view is not None]
        for view in views:
            view.remember(() if game_id is None else evenings.journal.decisions(game_id))
        evening = games.patchwork(
            circle,
            config=config,
            book=evenings.journal,
            profiles=evenings.profiles,
            game_id=game_id,
            listeners=[*views, *(() if host is None else (host,))],
            mirrors=[view.strip for view in views],
            attached=None if page is None else page.attached,
            desk=_circle_desk(evenings),
        )
    print_played(evenings, evening, lambda printed: score_sheet(printed, evenings.language))
    return evening


def _circle_desk(evenings: Evenings) -> CircleDesk:
    """Where a circle that was seen is confirmed: on the page, and at the terminal where somebody sits there."""
    desk = CircleDesk() if evenings.page is None else evenings.page.circle
    lines = None if evenings.args.json else typed_lines()
    if lines is not None:
        desk.read(lines)
    return desk


def _dealt(evenings: Evenings) -> Config:
    """Deal the circle of a new game, and show how to lay it out."""
    market, config = dealt_market(evenings.deal_seed), evenings.config
    if sys.stdin.isatty() and sys.stdout.isatty() and not evenings.args.json:
        show_deal(market, Console(), language=evenings.language)
    elif evenings.args.json:
        sys.stderr.write(deal_lines(market, evenings.language))
    else:
        put(deal_lines(market, evenings.language))
    return replace(config, game=replace(config.game, market=market))


def _unfinished(evenings: Evenings, name: str) -> int | None:
    """The game at this table that was cut off, if it is to be gone on with."""
    game = None if evenings.args.new else cut_off(evenings.journal, name, evenings.game)
    if game is None:
        return None
    if evenings.args.record is not None and game.decisions:
        raise UsageError(
            said(
                "{command}: {option} takes an evening down from its start, and game {number} is under way: add {other} "
                "to begin anew, or leave out {option}",
                command="play",
                option="--record",
                number=game.game_id,
                other="--new",
            )
        )
    if sys.stdin.isatty() and not evenings.args.json:
        return game.game_id if goes_on(game, evenings.language) else None
    says = counted(
        "going on with game {game}, after {count} decision",
        "going on with game {game}, after {count} decisions",
        game.decisions,
        game=game.game_id,
    )
    sys.stderr.write(one_line(says.told(evenings.language)) + "\n")
    return game.game_id


def goes_on(game: GameSummary, language: Language) -> bool:
    """Ask somebody at the terminal; who closes it without an answer wants neither."""
    asks = counted(
        "Game {game} was cut off after {count} decision. Go on with it? [Y/n]",
        "Game {game} was cut off after {count} decisions. Go on with it? [Y/n]",
        game.decisions,
        game=game.game_id,
    )
    try:
        return not input(f"{asks.told(language)} ").strip().lower().startswith(_NO)
    except EOFError:
        raise KeyboardInterrupt from None


def _view(evenings: Evenings) -> AbstractContextManager[View | None]:
    """What people see meanwhile: nothing beside JSON, a live picture on a terminal, lines elsewhere."""
    args, page, language = evenings.args, evenings.page, evenings.language
    if args.json:
        return nullcontext()
    if sys.stdout.isatty() and not args.fast:
        return TerminalView(Console(), page="" if page is None else page.link, language=language)
    return PlainView(sys.stdout, language)


def print_played(
    evenings: Evenings, evening: PlayedEvening | PlayedKvilt, sheet: Callable[[dict[str, Any]], str]
) -> None:
    """Print what came of a game, unless it was left for another one before anything was decided in it."""
    host = evenings.host
    if host is not None and host.wanted and not evening.history.decisions:
        return
    printed = evening.to_json()
    if evening.error is not None:
        sys.stderr.write(one_line(evening.error, evenings.language) + "\n")
    put(json.dumps(printed, ensure_ascii=False) + "\n" if evenings.args.json else "\n" + sheet(printed))
