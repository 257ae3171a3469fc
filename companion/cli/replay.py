"""`companion replay`: play game records and table recordings again."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from companion.cli.errors import EXIT_BAD_INPUT, one_line
from companion.cli.kviltsheet import kvilt_sheet
from companion.cli.mendable import USER_ERRORS
from companion.cli.options import config_of, config_option, language_of, language_option
from companion.cli.output import put
from companion.cli.scoresheet import score_sheet
from companion.languages import reason, said
from companion.record import RecordError, game_of, replay_record, write_record

if TYPE_CHECKING:
    from companion.cli.subparsers import Subparsers
    from companion.config import Config
    from companion.languages import Language, Sentence

_Game: TypeAlias = "tuple[dict[str, Any], Callable[[Path], None] | None]"
"""What is printed of a game, and what writes its record; None where it never began."""

_UNBEGUN: Final[dict[str, Any]] = {
    "game": "patchwork",
    "finished": False,
    "winner": None,
    "turn": None,
    "seats": [],
    "market": None,
    "moves": 0,
}
"""What is printed where not even a game's head can be read."""

_SHEETS: Final = {"patchwork": score_sheet, "kvilt": kvilt_sheet}
"""What people read of a game, by its name."""


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Announce the command, which `summary` tells of in the list of commands."""
    parser = subparsers.add_parser(
        "replay",
        parents=[config_option(), language_option()],
        help=summary,
        description=said(
            "Play game records (files) and table recordings (folders) again and print how each game stands."
        ),
    )
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help=said("a game record or a recording's folder")
    )
    parser.add_argument("--json", action="store_true", help=said("print one JSON object a game, each on one line"))
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help=said("write the decisions as a game record (one {word})", word="PATH")
    )
    parser.add_argument(
        "--explain",
        type=Path,
        metavar="FOLDER",
        help=said("draw what was seen at each look of a recording, one picture a look, into this folder"),
    )
    parser.add_argument(
        "--hands-free",
        action="store_true",
        help=said("play a recording without its presses of confirm: what lies still is announced and taken"),
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play each path again; the exit status is 2 if any of them was faulty."""
    if args.save is not None and len(args.paths) != 1:
        raise RecordError(said("{option} writes one game record: give one {word}", option="--save", word="PATH"))
    config = config_of(args)
    language = language_of(args, config)
    sound = [_replay(path, config, args, language) for path in args.paths]
    return 0 if all(sound) else EXIT_BAD_INPUT


def _replay(path: Path, config: Config, args: argparse.Namespace, language: Language) -> bool:
    """Play one path and print what came of it; whether it was sound."""
    try:
        if args.hands_free and path.is_file():
            says = said("{option} plays table recordings, and this is a game record", option="--hands-free")
            raise RecordError(says, path)
        printed, save = _recording(path, config, args) if path.is_dir() else _record(path)
    except USER_ERRORS as error:
        printed, save = {**_UNBEGUN, "error": reason(error)}, None
    if "error" in printed:
        sys.stderr.write(one_line(printed["error"], language) + "\n")
    put(json.dumps(printed, ensure_ascii=False) + "\n" if args.json else _SHEETS[printed["game"]](printed, language))
    if args.save is not None and save is not None:
        save(args.save)
    return "error" not in printed


def _recording(path: Path, config: Config, args: argparse.Namespace) -> _Game:
    from companion.bootstrap import replay_recording  # noqa: PLC0415  # All that sees; a record does without.
    from companion.cli.studies import StudyWriter  # noqa: PLC0415

    studied = None if args.explain is None else StudyWriter(args.explain).write
    evening = replay_recording(path, config, hands_free=args.hands_free, studied=studied)
    setup, decisions = evening.history.setup, evening.history.decisions
    return evening.to_json(), lambda target: write_record(target, setup, decisions)


def _record(path: Path) -> _Game:
    game = game_of(path)
    replayed = replay_record(path, game)
    state = replayed.state
    printed = {**_UNBEGUN, "game": game.name} if state is None else game.summary(state)
    if replayed.error is not None:
        printed["error"] = reason(replayed.error)
    if state is None:
        return printed, None
    return printed, lambda target: write_record(target, state.setup, replayed.decisions, game)
