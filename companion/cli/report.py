"""`companion report`: what a bug report needs, in one file."""

import argparse
import sys
from datetime import datetime
from pathlib import Path

from companion.cli.backup import places_of
from companion.cli.doctor import findings_of, report
from companion.cli.options import add_shared, terminal_language
from companion.languages import Sentence, render, said
from companion.terminal.output import put
from companion.upkeep.report import Part, parts, usual_name, write_report
from hardware.diagnosis import Machine


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--data", "--language")
    parser.description = said(
        "Pack what a bug report needs into one file: the latest looks at the quilts, with all but the table "
        "blurred, what {command} finds, the configuration without passwords, and the versions. The contents are "
        "listed before the file is written, and nothing is sent. If you run it as root, it is about the installed "
        "service.",
        command="companion doctor",
    )
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help=said("the file to write; by default one in this folder, named after the date"),
    )
    parser.add_argument("--yes", action="store_true", help=said("write it without waiting for Enter"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the parts of a report, and write it once the user agrees."""
    language, places = terminal_language(args), places_of(args)
    target = args.file or Path(usual_name(datetime.now().astimezone()))
    contents = parts(places, report(findings_of(args)), Machine(), Path.home())
    lines = [said("The report contains:"), *map(_line, contents)]
    if not any(part.name == "looks/" for part in contents):
        lines.append(
            said(
                "There are no looks in it: a game of Patchwork under a camera keeps them, in {path}; a simulated table "
                "keeps none.",
                path=str(places.data),
            )
        )
    put("".join(f"{render(line, language)}\n" for line in lines))
    if not args.yes and not _is_agreed(said("Press Enter to write {path}, or Ctrl-C to stop.", path=str(target)), args):
        return 0
    write_report(target, contents)
    says = said(
        "{path}: written. Nothing was sent: look at its pictures, and attach it to a bug report yourself.",
        path=str(target),
    )
    put(render(says, language) + "\n")
    return 0


def _line(part: Part) -> Sentence:
    return said("{name}: {what} ({size} kB)", name=part.name, what=part.says, size=round(part.size / 1e3, 1))


def _is_agreed(asks: Sentence, args: argparse.Namespace) -> bool:
    language = terminal_language(args)
    if not sys.stdin.isatty():
        put(render(said("{option} writes it.", option="--yes"), language) + "\n")
        return False
    try:
        input(render(asks, language) + " ")
    except EOFError:
        return False
    return True
