"""`companion score`: the final score from photographs."""

import argparse
from pathlib import Path

from companion.cli.options import add_shared, config_of, game_option, language_of
from companion.errors import CompanionError
from companion.languages import said
from companion.play.game import AnyEntry
from companion.registry import entries, entry_named, game_named
from companion.terminal.photograph import check_show


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--language")
    game_option(parser, said("the game to score"))
    parser.description = said(
        "Read both quilts, or one, in a photograph and count the score. The boards are found by the corners in "
        "a file, by the markers of the mats, or on their own. With {option}, read coloured sheets of Kvilt, "
        "one in each photograph; they are found by their markers.",
        option="--game kvilt",
    )
    parser.add_argument(
        "images", nargs="+", type=Path, metavar="IMAGE", help=said("the photograph; for Kvilt, any number of them")
    )
    for entry in entries():
        entry.commands.add_score_options(parser)
    parser.add_argument("--show", type=Path, metavar="FILE", help=said("write the picture with the result drawn in"))
    parser.add_argument("--json", action="store_true", help=said("print one JSON object per photograph, on one line"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the photographs and print the score."""
    _refuse_foreign(args, entry_named(args.game))
    check_show(args.show, args.images[0])
    config = config_of(args)
    return game_named(args.game).terminal.score(args, config, language_of(args, config))


def _refuse_foreign(args: argparse.Namespace, game: AnyEntry) -> None:
    """Refuse options of other games, which would otherwise be ignored silently."""
    own = game.commands.score_options
    for other in entries():
        for option, name in other.commands.score_options.items():
            if option not in own and getattr(args, name) is not None:
                raise CompanionError.said(
                    "{option} cannot be used with {other}: leave it out", option=option, other=f"--game {game.name}"
                )
    if len(args.images) > 1 and args.show is not None:
        raise CompanionError.said(
            "{what} reads one photograph at a time, not {count}", what="--show", count=len(args.images)
        )
