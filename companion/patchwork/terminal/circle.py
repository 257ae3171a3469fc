"""Confirmation of a seen circle of patches, by lines that the user types at a terminal."""

import sys
from collections.abc import Callable, Sequence
from typing import IO, Final

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from companion.games.patchwork.components import PATCHES
from companion.languages import ENGLISH, Language, Sentence, any_of, counted, reason, render, said
from companion.patchwork.circle.proposal import (
    AN_ANSWER,
    ONE_BEHIND,
    WAY_LETTERS,
    AnswerError,
    CirclePlace,
    Proposal,
    parse_answer,
)
from companion.patchwork.circle.seen import UnclearStretch
from companion.patchwork.naming import patch_name
from companion.patchwork.terminal.pictures import patch_height, patch_picture
from companion.terminal.output import words

HELP: Final = said(
    'Say "{is_patch}" for what lies in place {place}, "{is_right}" if it is as shown, "{is_none}" if it is no patch, '
    '"{behind}" for a patch that lies behind it, "{way}" if the patches from there on follow one another in way b; '
    '"{all_right}" if all is right. An empty line ends.',
    is_patch=AN_ANSWER,
    place=7,
    is_right="7 ok",
    is_none="7 none",
    behind=ONE_BEHIND,
    way="7 b",
    all_right="ok",
)
_MOST_SHOWN: Final = 4


def confirm(proposal: Proposal, ask: Callable[[str], str], out: IO[str], language: Language = ENGLISH) -> Proposal:
    """Let the user confirm or correct the seen circle, until it is settled or they end the confirmation.

    Args:
        proposal: the circle as it was seen.
        ask: shows a prompt and returns the typed line; raises EOFError after the last.
        out: where the places are written.
        language: the user's.
    """
    _put(out, render(HELP, language))
    while not proposal.settled:
        _show(proposal, out, language)
        try:
            line = ask("> ")
        except EOFError:
            break
        if not line.strip():
            break
        try:
            proposal = proposal.after(parse_answer(line))
        except AnswerError as error:
            _put(out, render(reason(error), language))
    return proposal


def prompt(says: str) -> str:
    """Ask on standard error, because standard output may be read by a program; raise EOFError at the end of input."""
    sys.stderr.write(says)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def place_line(place: CirclePlace, language: Language = ENGLISH) -> str:
    """Return a line with a place and its candidates."""
    likely = [patch for patch in place.candidates if patch != place.patch][: _MOST_SHOWN - 1]
    named = [] if place.patch is None else [place.patch]
    priced = [_priced(patch) for patch in (*named, *likely)]
    says = any_of(priced) if priced else said("what lies there?")
    return f"{place.number:>3}  {words(says, language)}"


def way_lines(stretch: UnclearStretch, proposal: Proposal, language: Language = ENGLISH) -> list[str]:
    """Return a line for each possible order of a stretch's patches, clockwise."""
    places = proposal.places
    names = [[words(patch_name(places[number - 1].patch or "?"), language) for number in way] for way in stretch.ways]
    ways = zip(WAY_LETTERS, names, strict=False)
    return [f"{stretch.places[0]:>3} {letter}  {words(in_line(way), language)}" for letter, way in ways]


def in_line(names: Sequence[str]) -> Sentence:
    """Return the phrase for patches that follow one another clockwise."""
    return said("{patches}, clockwise", patches=" → ".join(names))


def _is_named(place: CirclePlace, proposal: Proposal) -> bool:
    return place.patch is not None and proposal.seen.pieces[place.number - 1].sure


def _show(proposal: Proposal, out: IO[str], language: Language) -> None:
    unclear = {place for stretch in proposal.unclear for place in stretch.places}
    for stretch in proposal.unclear:
        for line in way_lines(stretch, proposal, language):
            _put(out, line)
    # Named patches of an unclear stretch are settled by its order alone.
    places = [place for place in proposal.doubtful if place.number not in unclear or not _is_named(place, proposal)]
    if out.isatty() and places:
        Console(file=out).print(_picture(places[0], language))
    for place in places:
        _put(out, place_line(place, language))
    if proposal.missing:
        _put(out, render(proposal.wanting(), language))


def _picture(place: CirclePlace, language: Language) -> RenderableType:
    """Return a drawing of a place's candidates."""
    named: Sequence[str] = () if place.patch is None else (place.patch,)
    shown = list(dict.fromkeys((*named, *place.candidates)))[:_MOST_SHOWN]
    grid = Table.grid(padding=(0, 3, 0, 0))
    tall = max((patch_height(patch) for patch in shown), default=0)
    grid.add_row(*(Text.assemble(patch_picture(patch, tall), words(_priced(patch), language)) for patch in shown))
    return grid


def _priced(patch: str) -> Sentence:
    values = PATCHES[patch]
    return counted(
        "{patch} ({count} button, {time} time)",
        "{patch} ({count} buttons, {time} time)",
        values.buttons,
        patch=patch_name(patch),
        time=values.time,
    )


def _put(out: IO[str], text: str) -> None:
    out.write(text + "\n")
    out.flush()
