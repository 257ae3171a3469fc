"""`companion games`: list the games in the journal, export one as a game record, analyse it, or delete some."""

import argparse
import gc
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.cli.options import add_shared, config_of, journal_path, language_of, positive_number
from companion.config import Config
from companion.errors import CompanionError
from companion.journal import BY_HAND, TABLE_NAME, WATCHED, GameFilter, GameSummary, Journal, JournalError
from companion.languages import Language, Sentence, all_of, render, said
from companion.play import coach
from companion.play.coach import Remark
from companion.record import AnyCodec, RecordError, write_lines
from companion.registry import codecs, entry_named
from companion.terminal.output import put, words
from companion.upkeep.privacy.keeping import COPIES, being_played, delete_game

_SHARED: Final = ("--config", "--data", "--language")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, *_SHARED)
    parser.description = said("List the games in the journal.")
    parser.add_argument("--json", action="store_true", help=said("print one JSON object per game"))
    parser.add_argument("--limit", type=positive_number, metavar="N", help=said("list the last N games only"))
    parser.add_argument(
        "--before", type=positive_number, metavar="ID", help=said("list only the games started before this one")
    )
    parser.set_defaults(run=run)
    actions = parser.add_subparsers(title=said("actions"), metavar="ACTION")
    export = actions.add_parser("export", help=said("print a game as a game record"))
    add_shared(export, *_SHARED)
    export.add_argument("game_id", type=positive_number, metavar="ID", help=said("the game’s number in the list"))
    export.add_argument("--output", type=Path, metavar="FILE", help=said("write to a file instead of printing"))
    export.set_defaults(run=run_export)
    analyse = actions.add_parser(
        "analyse", help=said("say what was well played in a finished game, and where it turned")
    )
    add_shared(analyse, *_SHARED)
    analyse.add_argument("game_id", type=positive_number, metavar="ID", help=said("the game’s number in the list"))
    analyse.add_argument("--json", action="store_true", help=said("print one JSON object a decision, as it is found"))
    analyse.set_defaults(run=run_analyse)
    deleting = actions.add_parser(
        "delete", help=said("permanently delete games and their pictures; other games are kept")
    )
    add_shared(deleting, *_SHARED)
    deleting.add_argument(
        "ids", type=positive_number, nargs="+", metavar="ID", help=said("the games’ numbers in the list")
    )
    deleting.add_argument(
        "--yes", action="store_true", help=said("delete them; without this option they are only listed")
    )
    deleting.set_defaults(run=run_delete)


def run(args: argparse.Namespace) -> int:
    """List the games."""
    config = config_of(args)
    path, language = journal_path(args, config), language_of(args, config)
    if path.parent.exists() and not path.parent.is_dir():
        raise JournalError.said(
            "{path}: is not a folder; give the folder of the games with {option}",
            path=str(path.parent),
            option="--data",
        )
    with Journal(path, codecs(), read_only=True) as journal:
        # The newest last, directly above the prompt.
        games = journal.find(GameFilter(before=args.before, limit=args.limit))[::-1]
        # On the other stream, so that programs read only games.
        sys.stderr.writelines(render(finding, language) + "\n" for finding in journal.findings)
    if args.json:
        for game in games:
            sys.stdout.write(json.dumps(_as_json(game), ensure_ascii=False) + "\n")
    elif sys.stdout.isatty():
        _show_table(games, language)
    else:
        sys.stdout.writelines("  ".join(_columns(game, language)) + "\n" for game in games)
    if not games and not args.json:
        put(said("No games yet; {command} starts one.", command="`companion play`").rendered(language) + "\n")
    return 0


def run_export(args: argparse.Namespace) -> int:
    """Print one game as a game record, or write it to a file."""
    with Journal(journal_path(args, config_of(args)), codecs(), read_only=True) as journal:
        lines, fault = journal.record(args.game_id)
    if args.output is None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
    else:
        write_lines(args.output, lines)
    if fault is not None:
        raise JournalError.said("game {game} is not complete: {fault}", game=args.game_id, fault=fault)
    return 0


def run_analyse(args: argparse.Namespace) -> int:
    """Say what was well played in one game, and where it turned."""
    config = config_of(args)
    language = language_of(args, config)
    with Journal(journal_path(args, config), codecs(), read_only=True) as journal:
        game = journal.listed(args.game_id)
        if game.error is not None or not game.finished:
            raise CompanionError(said("game {game} has not been played to its end", game=args.game_id))
        entry = entry_named(game.game)
        judged_by, codec = coach.coach_of(entry), entry.codec
        setup, decisions = journal.setup(args.game_id, codec), journal.decisions(args.game_id, codec)
    # As for `companion advise`: a search makes no cycles.
    gc.disable()
    try:
        found = coach.remarks(judged_by, codec, setup, decisions)
        if args.json:
            _print_json(found, codec)
            return 0
        told = [*_with_progress(found, len(decisions), language)]
    finally:
        gc.enable()
    points = coach.turning_points(told)
    for point, says in coach.explained(points, judged_by, codec, setup, decisions):
        line = said("{number}: {text}", number=point.number, text=says)
        put(f"{language.isolated(render(line, language))}\n")
    for seat, name in enumerate(setup.players, start=1):
        loss = round(100 * coach.mean_loss(told, seat), 1)
        says = said("{name} lost {percent} % of winning chance a decision.", name=name, percent=loss)
        put(f"{language.isolated(render(says, language))}\n")
    return 0


def _print_json(found: Iterator[Remark], codec: AnyCodec) -> None:
    for remark in found:
        put(json.dumps(coach.to_json(remark, codec)) + "\n")


def _with_progress(found: Iterator[Remark], total: int, language: Language) -> Iterator[Remark]:
    """Yield remarks, and show on a terminal how many there are."""
    is_watched = sys.stderr.isatty()
    for remark in found:
        if is_watched:
            says = said("{number} of {last}", number=remark.number, last=total)
            sys.stderr.write(f"\r{language.isolated(render(says, language))} ")
            sys.stderr.flush()
        yield remark
    if is_watched:
        sys.stderr.write("\r\033[K")


def run_delete(args: argparse.Namespace) -> int:
    """Delete games, or list those that would be deleted."""
    config = config_of(args)
    path, language = journal_path(args, config), language_of(args, config)
    done = said("deleted") if args.yes else said("would be deleted; add {option} to delete", option="--yes")
    with Journal(path, codecs(), read_only=not args.yes) as journal:
        # A wrong number must be found before anything is deleted.
        games = [journal.listed(each) for each in dict.fromkeys(args.ids)]
        played = being_played(journal) if args.yes else ()
        for game in games:
            if args.yes:
                notes = journal.notes(game.game_id)
                delete_game(journal, game.game_id, played)
                _leave(notes, config, language)
            put(f"{'  '.join(_columns(game, language))}: {render(done, language)}\n")
    if args.yes:
        put(render(COPIES, language) + "\n")
    return 0


def _leave(notes: Mapping[str, str], config: Config, language: Language) -> None:
    """Remove the messages of a deleted game with a friend from the broker, or say that they are still there."""
    # The other actions do without a broker.
    from companion.cli.friend import remove_messages  # noqa: PLC0415
    from companion.play.friend import friend_in, messages_stay  # noqa: PLC0415

    friend = friend_in(notes)
    if friend is not None and not remove_messages(config, friend):
        put(render(messages_stay(friend), language) + "\n")


def _as_json(game: GameSummary) -> dict[str, object]:
    shown: dict[str, object] = {
        "id": game.game_id,
        "table": game.table,
        "started_at": game.started_at.isoformat(),
        "last_at": game.last_at.isoformat(),
        "game": game.game,
        "players": None if game.players is None else list(game.players),
        "decisions": game.decisions,
        "finished": game.finished,
        "scores": None if game.scores is None else list(game.scores),
        "winners": list(game.winners),
    }
    return shown if game.error is None else shown | {"error": game.error}


def _columns(game: GameSummary, language: Language) -> tuple[str, ...]:
    return (
        str(game.game_id),
        f"{game.started_at.astimezone():%Y-%m-%d %H:%M}",
        f"{game.last_at.astimezone():%Y-%m-%d %H:%M}",
        words(_title(game.game), language),
        "?" if game.players is None else words(all_of(game.players), language),
        language.number(game.decisions),
        words(_table(game.table), language),
        words(_standing(game, language), language),
    )


def _title(name: str) -> str:
    """Return a game's name for people; that of the journal, if its package is gone or broken, or "?" without one."""
    try:
        return entry_named(name).title
    except RecordError:
        return name or "?"


def _table(name: str) -> Sentence | str:
    """Return a table's name for people; the journal's also says how a simulated table was made."""
    if name.startswith(WATCHED):
        return said("simulated players")
    if name.startswith(BY_HAND):
        return said("table on the screen")
    return said("real table") if name == TABLE_NAME else name


def _standing(game: GameSummary, language: Language) -> Sentence:
    if game.error is not None:
        return said("cannot be replayed: {fault}", fault=game.error)
    if not game.finished:
        return said("unfinished")
    if game.players is None or game.scores is None or not game.winners:
        return said("finished")
    names = all_of([game.players[seat - 1] for seat in game.winners])
    scores = " : ".join(map(language.number, game.scores))
    if len(game.winners) == 1:
        return said("finished {scores}, {name} wins", scores=scores, name=names)
    return said("finished {scores}, {names} share the victory", scores=scores, names=names)


def _show_table(games: Sequence[GameSummary], language: Language) -> None:
    from rich.console import Console  # noqa: PLC0415  # Lines that go into a pipe or a file are not laid out.
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(title=words(said("Games"), language), title_justify="left")
    named = (said("Begun"), said("Last move"), said("Game"), said("Players"), said("Decisions"), said("Table"))
    for heading in ("ID", *named, ""):
        table.add_column(words(heading, language), justify="right" if heading in ("ID", "Decisions") else "left")
    for game in games:
        # Names are chosen by players: brackets in them are not markup.
        table.add_row(*(Text(column) for column in _columns(game, language)), style="" if game.finished else "bold")
    Console().print(table)
