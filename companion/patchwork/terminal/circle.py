"""The circle of patches at a terminal: a seen one confirmed by typed lines, and one to lay out."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import IO, Final

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from companion.config import Config
from companion.games.patchwork.components import PATCHES
from companion.languages import ENGLISH, Language, Sentence, any_of, counted, reason, render, said
from companion.patchwork.arrangement import DealStep, DealtPatch, deal_steps, dealt_market
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
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.terminal.pictures import DIM, patch_height, patch_picture
from companion.play.friend import friend_of
from companion.terminal.output import padded, put, words

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


# A circle to lay out.


_GAP: Final = 3
# A column holds the widest label, such as "10 buttons, time 6".
_COLUMN: Final = 22


def show_deal(
    market: Sequence[str], console: Console, wait: Callable[[str], object] | None = None, language: Language = ENGLISH
) -> None:
    """Show a circle step by step; the user presses Enter when the patches are laid.

    Args:
        market: patch ids, clockwise from the neutral token.
        console: the terminal.
        wait: shows its argument and returns when the user has pressed Enter; None to ask at the terminal.
        language: the user's.

    Raises:
        KeyboardInterrupt: the terminal was closed.
    """
    ask = wait or input
    for step in deal_steps(market):
        console.print(step_picture(step, console.width, language))
        asks = (
            said("Press Enter when they are in place.")
            if step.number < step.count
            else said("Press Enter to begin the game.")
        )
        try:
            ask(f"{asks.rendered(language)} ")
        except EOFError:
            raise KeyboardInterrupt from None


def deal_lines(market: Sequence[str], language: Language = ENGLISH) -> str:
    """Return the whole circle as plain lines, for a log or a pipe."""
    lines = []
    for step in deal_steps(market):
        lines.append(render(step.says, language))
        lines += [_line(dealt, language) for dealt in step.patches]
    return "\n".join(lines) + "\n"


def _line(dealt: DealtPatch, language: Language) -> str:
    name = padded(patch_name(dealt.patch), 18, language)
    return f"{language.number(dealt.place):>4}  {name}{words(_label(dealt), language)}"


def step_picture(step: DealStep, width: int, language: Language = ENGLISH) -> RenderableType:
    """Draw a step's patches in columns, each with its place and its label.

    Args:
        step: the step to draw.
        width: the terminal's width in characters.
        language: the user's.
    """
    number = language.number
    title = Text(f"{number(step.number)}/{number(step.count)}  ", style=DIM)
    title.append(words(step.says, language), style="bold")
    columns = max(1, min(6, (width + _GAP) // (_COLUMN + _GAP)))
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    for start in range(0, len(step.patches), columns):
        row = step.patches[start : start + columns]
        height = max(patch_height(dealt.patch) for dealt in row)
        grid.add_row(*(_dealt_picture(dealt, height, language) for dealt in row))
    return Group(title, Text(), grid)


def _dealt_picture(dealt: DealtPatch, height: int, language: Language) -> Text:
    """Draw a patch at the foot of `height` rows of cells, with its place and its label below."""
    picture = patch_picture(dealt.patch, height)
    picture.append(f"{language.number(dealt.place):>2}", style="bold")
    return picture.append(f"  {words(_label(dealt), language)}\n", style=DIM)


def _label(dealt: DealtPatch) -> Sentence:
    """Return the label as it is printed on the patch: cost and time."""
    return counted("{count} button, time {time}", "{count} buttons, time {time}", dealt.buttons, time=dealt.time)


def deal_if_asked(args: argparse.Namespace, config: Config, seed: int | None, language: Language) -> Config:
    """Deal the circle if the command line asks for it, and show how to lay it out; return the configuration with it.

    A circle that a friend's table has dealt is shown as it is. `seed` is that of the shuffling; None for system
    randomness.
    """
    if not args.deal:
        return config
    friend = friend_of(config)
    is_dealt = friend is not None and friend.code != ""
    market = (config.of(PatchworkSettings).market if is_dealt else None) or dealt_market(seed)
    if args.json:
        # Standard output is for the JSON alone.
        sys.stderr.write(deal_lines(market, language))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        show_deal(market, Console(), language=language)
    else:
        put(deal_lines(market, language))
    return config.with_game(replace(config.of(PatchworkSettings), market=market))
