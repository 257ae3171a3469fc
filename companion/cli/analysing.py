"""`companion games analyse`: the turning points of a game in the journal."""

import argparse
import gc
import json
import sys
from collections.abc import Iterator

from companion.cli.options import config_of, journal_path, language_of
from companion.journal import Journal
from companion.languages import Language, render, said
from companion.play import coach
from companion.play.coach import Remark
from companion.record import AnyCodec
from companion.registry import codecs, entry_named
from companion.terminal.output import put


def run(args: argparse.Namespace) -> int:
    """Analyse one game."""
    config = config_of(args)
    language = language_of(args, config)
    with Journal(journal_path(args, config), codecs(), read_only=True) as journal:
        game = journal.listed(args.game_id)
        if game.error is not None or not game.finished:
            raise coach.NotAnalysedError(said("game {game} has not been played to its end", game=args.game_id))
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
