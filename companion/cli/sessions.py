"""The games that one command plays at a table: the first, and those requested on the page after it."""

import argparse
import json
import os
import select
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from rich.console import Console

from companion.cli.commands import user_errors
from companion.cli.friend import friend_met, is_other_game, send_end
from companion.cli.paging import is_at_terminal, room_of, stays
from companion.compose.playing import Devices, play
from companion.config import Config
from companion.journal import GameSummary, Journal
from companion.languages import ENGLISH, Language, Sentence, counted, render, said
from companion.mqtt.line import BrokerLine
from companion.mqtt.table import TableOnBroker
from companion.play.friend import FriendStatus, friend_of
from companion.play.game import AnyGame, UsageError
from companion.play.host import Host, NextGame, ended_game, interrupted_game, repair_game, sheet_shown, unshown_sheet
from companion.play.session import Desk, GameResult, Participants
from companion.play.terminal import EventPrinter
from companion.registry import game_named
from companion.terminal.output import EXIT_BAD_INPUT, EXIT_GAVE_UP, one_line, put
from companion.web.page import PageServer

# In bytes; a terminal passes on whole lines, and none is longer.
_AT_ONCE: Final = 4096


class TypedLines:
    """A reader of the lines typed since its last call, which never blocks.

    Args:
        descriptor: of a terminal or a pipe; not of a file, which is always ready.

    Attributes:
        ended: whether the terminal was closed.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._begun = b""
        self.ended = False

    def __call__(self) -> Sequence[str]:
        """Return the complete lines, without line ends."""
        while not self.ended and select.select([self._descriptor], [], [], 0)[0]:
            read = os.read(self._descriptor, _AT_ONCE)
            self.ended = not read
            self._begun += read
        # Decoded line by line, as a character may arrive in two parts.
        *lines, self._begun = self._begun.split(b"\n")
        return tuple(line.decode("utf-8", "replace").removesuffix("\r") for line in lines)


def typed_lines() -> TypedLines | None:
    """Return a reader for the terminal that the program was started from, or None if there is none."""
    if os.name != "posix" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        return TypedLines(sys.stdin.fileno())
    except OSError:
        return None  # something that only plays a terminal


# The beginnings of "no", in each language; an English "n" is accepted in all.
_NO: Final = ("n", "н", "ن", "خ")
# How often the terminal is read while a request of the page is awaited.
_ANSWERED_EVERY_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class PlayContext:
    """The resources that all games of one session share.

    Attributes:
        args: the command line.
        game: the game to play unless another is requested.
        config: the configuration at the start of the first game.
        journal: the journal of all games.
        devices: the table's devices.
        name: the table's name in the journal.
        deal_seed: the seed of a dealt circle; None for a random one.
        page: the page; None if there is none.
        host: begins games requested on the page; None if there is only one game.
        language: the language of the terminal.
        broker: publishes events to a broker; None if there is none.
    """

    args: argparse.Namespace
    game: AnyGame
    config: Config
    journal: Journal
    devices: Devices
    name: str
    deal_seed: int | None = None
    page: PageServer | None = None
    host: Host | None = None
    language: Language = ENGLISH
    broker: TableOnBroker | None = None


def play_session(context: PlayContext) -> int:
    """Play the evening's games and return the exit status of the last one.

    The caller holds the table's lock: two programs at one table would write into the same game.
    """
    played = _play_all(context)
    if played is None or played.error is None:
        return 0
    return EXIT_GAVE_UP if played.gave_up else EXIT_BAD_INPUT


def _play_all(context: PlayContext) -> GameResult | None:
    """Play the first game, then each one requested on the page; return the last one's result, None without one."""
    send_end(context.config, context.journal, context.name)
    _show_sheet_due(context)
    played = _play_requested(context, _first_game(context))
    while (requested := _requested(context)) is not None:
        played = _play_requested(context, requested)
    if context.host is not None:
        context.host.close()
    if context.page is not None:
        context.page.end()
    return played


def _first_game(context: PlayContext) -> NextGame:
    """Return the game to begin with: the interrupted one, if it is to be resumed, or the one that the page requests."""
    args, config, game = context.args, context.config, context.game
    found = _unfinished(context)
    if isinstance(found, NextGame):
        return found
    friend = friend_of(config)
    # The circle of a game to join is that of the friend's table.
    if found is None and (friend is None or not friend.code):
        config = game.terminal.before_game(args, config, context.deal_seed, context.language)
    return NextGame(game, config, found)


def _show_sheet_due(context: PlayContext) -> None:
    """Print the score sheet of the last finished game if the program ended before printing it."""
    book, language = context.journal, context.language
    found = unshown_sheet(book, context.name)
    if found is None:
        return
    game = game_named(found.game)
    ended = ended_game(game, book, found.game_id)
    says = said("game {game} was finished, but its score sheet had not been shown yet", game=found.game_id)
    sys.stderr.write(one_line(says, language) + "\n")
    if not context.args.json:
        put(game.entry.commands.score_sheet(ended.to_json(), language) + "\n")
    # Only now: if the program is killed while printing, the next start prints the sheet again.
    sheet_shown(book, context.name)


def _requested(context: PlayContext) -> NextGame | None:
    """Return the next game requested on the page, or None.

    At a terminal and at a simulated table this waits until the program is interrupted; elsewhere it does not wait,
    because a script may be waiting for the program.
    """
    host, page = context.host, context.page
    if host is None or page is None:
        return None
    requested = host.next(context.journal)
    waits = context.args.simulate or is_at_terminal() or room_of(context.args) is not None
    if requested is None and waits:
        put(stays(page).rendered(context.language) + "\n")
        with suppress(KeyboardInterrupt):
            requested = host.next(context.journal, None)
    return requested


def _play_requested(context: PlayContext, requested: NextGame) -> GameResult | None:
    """Play a requested game; if it cannot be played, resume the previous one."""
    try:
        return _game(context, requested)
    except user_errors() as error:
        before = None if context.host is None else context.host.report_failure(error, context.journal)
        if before is None:
            raise
    return _game(context, before)


def _game(context: PlayContext, next_game: NextGame) -> GameResult | None:
    """Play one game, a friend's once both tables have it; return None if the players did not wait for the friend."""
    args, host, config = context.args, context.host, context.config

    def tell(says: str, friend: FriendStatus | None) -> None:
        if args.json:
            sys.stderr.write(one_line(says, context.language) + "\n")
        else:
            put(render(says, context.language) + "\n")
        if context.page is not None:
            context.page.await_game(says, friend=friend)
        if host is not None and friend is not None:
            host.accepted()

    is_over = (lambda: False) if host is None else (lambda: host.wants_no_wait)
    with friend_met(next_game, config, context.journal, tell, is_over) as (met, line):
        if met is None:
            return None
        return _played(context, _laid_out(context, met), line)


def _laid_out(context: PlayContext, met: NextGame) -> NextGame:
    """Show the circle of a friend's game that was joined on the command line."""
    first, friend = friend_of(context.config), friend_of(met.config)
    if met.game_id is not None or first is None or friend is None or first.code != friend.code:
        return met
    shown = met.game.terminal.before_game(context.args, met.config, context.deal_seed, context.language)
    return replace(met, config=shown)


def _played(context: PlayContext, next_game: NextGame, line: BrokerLine | None) -> GameResult:
    """Play one game, and print its outcome."""
    book, page, host = context.journal, context.page, context.host
    audience = [each for each in (_printer(context, next_game), page, context.broker) if each is not None]
    participants = Participants(
        listeners=tuple(audience),
        mirrors=[] if page is None else [page.strip],
        remote=None if page is None else page.remote,
        desk=_desk(context, next_game.game),
        friend=line,
    )
    try:
        played = play(next_game, context.devices, book, book.path.parent, participants, host)
    except KeyboardInterrupt:
        _print_kept(context)
        raise
    _print_played(context, next_game.game, played)
    # After printing: a sheet that was not printed is due at the next start.
    sheet_shown(book, context.name)
    return played


def _desk(context: PlayContext, game: AnyGame) -> Desk | None:
    """Return the desk that settles doubts of the camera: on the page, and by typed lines at a terminal."""
    own = game.terminal.desk()
    if own is None:
        return None
    desk: Desk = own if context.page is None else context.page.remote.desks.get(game.name, own)
    lines = None if context.args.json or _is_watched(context.args) else typed_lines()
    if lines is not None:
        desk.read(lines)
    return desk


def _is_watched(args: argparse.Namespace) -> bool:
    """Return whether simulated players play; they answer questions themselves."""
    return bool(getattr(args, "autoplay", False))


def _unfinished(context: PlayContext) -> NextGame | int | None:
    """Return the number of the interrupted game to resume, None to start a new one, or what the page requests."""
    game = None if context.args.new else interrupted_game(context.journal, context.name, context.game.name)
    if game is None or is_other_game(context.args, context.journal, game.game_id):
        return None
    if context.args.record is not None and game.decisions:
        raise UsageError.said(
            "{command}: {option} records a game from its start, and game {number} is in progress: add {other} "
            "to start a new game, or leave out {option}",
            command="play",
            option="--record",
            number=game.game_id,
            other="--new",
        )
    asks = sys.stdin.isatty() and not context.args.json and room_of(context.args) is None
    if asks:
        resumes = _asked_to_resume(context, game)
        if isinstance(resumes, NextGame):
            return resumes
        if not resumes:
            return None
    damage = repair_game(context.journal, game)
    if damage is not None:
        sys.stderr.write(one_line(damage, context.language) + "\n")
    elif game.decisions and not asks:
        # A game without a decision has only begun, to its players as well.
        _announce_resume(game, context.language)
    return game.game_id


def _announce_resume(game: GameSummary, language: Language) -> None:
    says = counted(
        "resuming game {game} after {count} decision",
        "resuming game {game} after {count} decisions",
        game.decisions,
        game=game.game_id,
    )
    sys.stderr.write(one_line(says.rendered(language)) + "\n")


def _asked_to_resume(context: PlayContext, game: GameSummary) -> NextGame | bool:
    """Ask at the terminal and on the page whether to resume a game; either answers.

    Returns:
        Whether to resume it, as answered at the terminal, or the game that was requested on the page.

    Raises:
        KeyboardInterrupt: the terminal was closed without an answer.
    """
    page, host, lines = context.page, context.host, typed_lines()
    asks = f"{_asks_to_resume(game).rendered(context.language)} "
    if page is None or host is None or lines is None:
        try:
            return _means_yes(input(asks))
        except EOFError:
            # A closed terminal is no "yes": the game stays as it is.
            raise KeyboardInterrupt from None
    put(asks)
    page.await_game("", game)
    while True:
        for line in lines():
            return _means_yes(line)
        if lines.ended:
            raise KeyboardInterrupt
        if (requested := host.next(context.journal, _ANSWERED_EVERY_S)) is not None:
            put("\n")
            damage = repair_game(context.journal, game) if requested.game_id == game.game_id else None
            if damage is not None:
                sys.stderr.write(one_line(damage, context.language) + "\n")
            return requested


def _means_yes(answer: str) -> bool:
    return not answer.strip().lower().startswith(_NO)


def _asks_to_resume(game: GameSummary) -> Sentence:
    if game.error is None:
        return counted(
            "Game {game} was interrupted after {count} decision. Resume it? [Y/n]",
            "Game {game} was interrupted after {count} decisions. Resume it? [Y/n]",
            game.decisions,
            game=game.game_id,
        )
    return counted(
        "Game {game} is damaged after decision {count}. Resume it from there? [Y/n]",
        "Game {game} is damaged after decision {count}. Resume it from there? [Y/n]",
        game.whole,
        game=game.game_id,
    )


def _printer(context: PlayContext, next_game: NextGame) -> EventPrinter | None:
    """Return the listener that prints a game's events; None with `--json`, whose output is for programs."""
    args = context.args
    if args.json:
        return None
    # Pictures of a game that is played as fast as possible would rush by.
    console = Console() if sys.stdout.isatty() and not args.fast else None
    answering = console is not None and not _is_watched(args)
    return EventPrinter(next_game.game.terminal, next_game.config, context.language, console, answering=answering)


def _print_kept(context: PlayContext) -> None:
    """Print what is kept of the game that Ctrl-C has ended, and how to go on with it."""
    game = interrupted_game(context.journal, context.name, None)
    if game is None or not game.decisions or context.args.json:
        return
    kept = counted(
        "Game {game} is kept after {count} decision. The same command goes on with it, or begins a new game.",
        "Game {game} is kept after {count} decisions. The same command goes on with it, or begins a new game.",
        game.decisions,
        game=game.game_id,
    )
    put(f"\n{kept.rendered(context.language)}\n")


def _print_played(context: PlayContext, game: AnyGame, played: GameResult) -> None:
    """Print the outcome of a game, unless another one replaced it before its first decision."""
    host = context.host
    # Its result would be that of a game in which nothing happened.
    if host is not None and host.has_request and not played.history.decisions:
        return
    printed = played.to_json()
    if played.error is not None:
        sys.stderr.write(one_line(played.error, context.language) + "\n")
    if context.args.json:
        put(json.dumps(printed, ensure_ascii=False) + "\n")
    else:
        put("\n" + game.entry.commands.score_sheet(printed, context.language))
