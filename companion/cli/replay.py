"""`companion replay`: the replay of game records and table recordings."""

import argparse
import json
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from companion.cli.commands import user_errors
from companion.cli.options import add_shared, config_of, language_of
from companion.config import Config
from companion.durable import read_text
from companion.languages import Language, reason, said
from companion.play.game import AnyGame
from companion.record import RecordError, game_of, replay_record, write_record
from companion.registry import codecs, entry_named, game_named
from companion.terminal.output import EXIT_BAD_INPUT, one_line, put

# The JSON to print for a game, and the function that writes its record, or None if the game never began.
_Game: TypeAlias = "tuple[dict[str, Any], Callable[[Path], None] | None]"

# The JSON for a game whose header cannot be read, so that even its kind is unknown.
_UNBEGUN: Final[dict[str, Any]] = {
    "game": None,
    "finished": False,
    "winner": None,
    "turn": None,
    "seats": [],
    "market": None,
    "moves": 0,
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--language")
    parser.description = said(
        "Replay game records (files) and table recordings (folders), and print the state of each game."
    )
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help=said("a game record or a recording’s folder")
    )
    parser.add_argument("--json", action="store_true", help=said("print one JSON object per game, each on one line"))
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help=said("write the decisions to a game record (one {word})", word="PATH")
    )
    parser.add_argument(
        "--explain",
        type=Path,
        metavar="FOLDER",
        help=said("draw what the camera saw at each look of a recording into this folder, one picture per look"),
    )
    parser.add_argument(
        "--hands-free",
        action="store_true",
        help=said("replay a recording without its presses of confirm: what lies still is announced and accepted"),
    )
    parser.add_argument(
        "--time-board",
        action="store_true",
        help=said("with hands-free, also skip presses of advance where the markers on the time board show the move"),
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay each path; the exit status is 2 if any of them was faulty."""
    if args.save is not None and len(args.paths) != 1:
        raise RecordError.said("{option} writes one game record: give one {word}", option="--save", word="PATH")
    config = config_of(args)
    if args.time_board:
        config = replace(config, table=replace(config.table, time_board="followed"))
    language = language_of(args, config)
    sound = [_replay(path, config, args, language) for path in args.paths]
    return 0 if all(sound) else EXIT_BAD_INPUT


def _replay(path: Path, config: Config, args: argparse.Namespace, language: Language) -> bool:
    """Replay one path, print the result, and return whether it was faultless."""
    try:
        if args.hands_free and path.is_file():
            says = said("{option} plays table recordings, and this is a game record", option="--hands-free")
            raise RecordError(says, path)
        printed, save = _recording(path, config, args) if path.is_dir() else _record(path)
    except user_errors() as error:
        # A fault in the frames leaves the kind of game known.
        name = _recorded_game(path).name if path.is_dir() else None
        printed, save = {**_UNBEGUN, "game": name, "error": reason(error)}, None
    if "error" in printed:
        sys.stderr.write(one_line(printed["error"], language) + "\n")
    put(_text_of(printed, language, as_json=args.json))
    # Also for a faulty record: the decisions before the fault are kept.
    if args.save is not None and save is not None:
        save(args.save)
    return "error" not in printed


def _text_of(printed: dict[str, Any], language: Language, *, as_json: bool) -> str:
    """Return the text to print for a game: its score sheet, or JSON if requested."""
    if as_json:
        return json.dumps(printed, ensure_ascii=False) + "\n"
    return "" if printed["game"] is None else entry_named(printed["game"]).commands.score_sheet(printed, language)


def _recorded_game(folder: Path) -> AnyGame:
    """Return the game named in a table recording's header, or the default for headers without a name."""
    from hardware.recorded.writer import HEADER_NAME  # noqa: PLC0415  # Game records need nothing that sees.

    try:
        head = tomllib.loads(read_text(folder / HEADER_NAME, "utf-8"))
    except (OSError, ValueError, RecursionError):
        head = {}  # The code that reads it reports what is wrong with it.
    return game_named(codecs().of_header(head).name)


def _recording(path: Path, config: Config, args: argparse.Namespace) -> _Game:
    game = _recorded_game(path)
    played = game.recorded.replay(path, config, args.explain, args.hands_free)
    setup, decisions = played.history.state.setup, played.history.decisions
    return played.to_json(), lambda target: write_record(target, setup, decisions, game.codec)


def _record(path: Path) -> _Game:
    codec = game_of(path, codecs())
    replayed = replay_record(path, codec)
    state = replayed.state
    printed = {**_UNBEGUN, "game": codec.name} if state is None else codec.summary(state)
    if replayed.error is not None:
        printed["error"] = reason(replayed.error)
    if state is None:
        return printed, None
    return printed, lambda target: write_record(target, state.setup, replayed.decisions, codec)
