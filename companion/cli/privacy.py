"""`companion privacy`: the stored data about players, and its deletion."""

import argparse
import json
import sys
from collections.abc import Iterable
from typing import Final

from companion.cli.backup import places_of
from companion.cli.options import add_shared, terminal_language
from companion.errors import CompanionError
from companion.journal import JOURNAL_NAME, Journal
from companion.journal.restoration import complete_exchange
from companion.languages import Language, Sentence, counted, render, said
from companion.ownership import as_owner_of
from companion.registry import codecs
from companion.terminal.output import put
from companion.upkeep.privacy.keeping import (
    COPIES,
    KINDS,
    StoredFiles,
    being_played,
    count_games_with,
    delete,
    forget_name,
    stored_files,
)

_ALL = "all"


_SHARED: Final = ("--config", "--data", "--language")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, *_SHARED)
    parser.description = said(
        "List the data about players stored on this machine, how much it is, and for how long it is kept. "
        "Nothing leaves the machine by itself. If you run it as root, it lists the data of the installed "
        "service."
    )
    parser.add_argument("--json", action="store_true", help=said("print one JSON object per kind"))
    parser.set_defaults(run=run)
    actions = parser.add_subparsers(title=said("actions"), metavar="ACTION")
    deleting = actions.add_parser("delete", help=said("delete all files of the given kinds"))
    add_shared(deleting, *_SHARED)
    names = [*(kind.name for kind in KINDS), _ALL]
    deleting.add_argument("kinds", nargs="+", choices=names, metavar="KIND", help=", ".join(names))
    deleting.add_argument(
        "--yes", action="store_true", help=said("delete them; without this option they are only counted")
    )
    deleting.set_defaults(run=run_delete)
    forgetting = actions.add_parser("forget", help=said("remove a player’s name from all games; the games are kept"))
    add_shared(forgetting, *_SHARED)
    forgetting.add_argument("name", metavar="NAME", help=said("the name as it appears in the list of games"))
    forgetting.add_argument(
        "--yes", action="store_true", help=said("remove it; without this option the games are only counted")
    )
    forgetting.set_defaults(run=run_forget)


def run(args: argparse.Namespace) -> int:
    """List the stored data."""
    folder, language = places_of(args).data, terminal_language(args)
    with as_owner_of(folder):
        # What an interrupted command has left is not there any more when it is listed.
        complete_exchange(folder / JOURNAL_NAME)
    stored = stored_files(folder)
    if args.json:
        sys.stdout.writelines(json.dumps(_as_json(each), ensure_ascii=False) + "\n" for each in stored)
        return 0
    lines = [said("In {folder}, only on this machine:", folder=str(folder)), *map(_line, stored), *_links(stored)]
    lines.append(
        said("Recordings are made only with {option}, and are stored in the folder named there.", option="--record")
    )
    lines.append(said("{command} deletes the kinds that you name.", command="companion privacy delete KIND --yes"))
    put("".join(f"{render(line, language)}\n" for line in lines))
    return 0


def run_delete(args: argparse.Namespace) -> int:
    """Delete the named kinds of data, or print what would be deleted."""
    folder, language = places_of(args).data, terminal_language(args)
    names = set(args.kinds)
    if _ALL in names:
        # Files of no known kind are the owner's own, such as all others of a stick: they must be asked for by name.
        names |= {kind.name for kind in KINDS if kind.pattern is not None}
    if args.yes:
        gone = delete(folder, names)
        put(_deleted_lines(gone, language, said("deleted")))
        if any(each.kind.name == "keys" for each in gone):
            says = said("A page that is open keeps its key until the program is started again.")
            put(render(says, language) + "\n")
    else:
        found = tuple(each for each in stored_files(folder) if each.kind.name in names and each.paths)
        put(_deleted_lines(found, language, said("would be deleted; add {option} to delete", option="--yes")))
    return 0


def run_forget(args: argparse.Namespace) -> int:
    """Remove a player's name from all games, or print how many games contain it."""
    path, language = places_of(args).data / JOURNAL_NAME, terminal_language(args)
    with Journal(path, codecs(), read_only=not args.yes) as journal:
        if args.yes:
            found = forget_name(journal, args.name, being_played(journal))
        else:
            found = count_games_with(journal, args.name)
    if not found:
        raise CompanionError.said("no game has a player {name}", name=repr(args.name))
    games = counted("{count} game", "{count} games", found)
    if args.yes:
        put(render(said("{name} was removed from {games}.", name=args.name, games=games), language) + "\n")
        put(render(COPIES, language) + "\n")
    else:
        says = said(
            "{name} appears in {games}; add {option} to remove it.", name=args.name, games=games, option="--yes"
        )
        put(render(says, language) + "\n")
    return 0


def _deleted_lines(found: tuple[StoredFiles, ...], language: Language, done: Sentence) -> str:
    if not found:
        return render(said("There is nothing of that kind."), language) + "\n"
    lines = [said("{kind}: {amount}, {done}", kind=each.kind.name, amount=_amount(each), done=done) for each in found]
    return "".join(f"{render(line, language)}\n" for line in (*lines, *_links(found)))


def _links(found: Iterable[StoredFiles]) -> list[Sentence]:
    return [
        said("{path} is a link: what it leads to is neither counted nor deleted.", path=str(link))
        for each in found
        for link in each.links
    ]


def _line(stored: StoredFiles) -> Sentence:
    kind = stored.kind
    return said(
        "{kind}: {amount}: {tells}; kept: {until}.",
        kind=kind.name,
        amount=_amount(stored),
        tells=kind.tells,
        until=kind.until,
    )


def _amount(stored: StoredFiles) -> Sentence:
    files = counted("{count} file", "{count} files", len(stored.paths))
    return said("{files}, {size} MB", files=files, size=round(stored.size_bytes / 1e6, 1))


def _as_json(stored: StoredFiles) -> dict[str, object]:
    return {
        "kind": stored.kind.name,
        "files": len(stored.paths),
        "bytes": stored.size_bytes,
        "tells": str(stored.kind.tells),
        "until": str(stored.kind.until),
    }
