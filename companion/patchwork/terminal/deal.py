"""A dealt circle at a terminal: pictures of the patches, twelve at a time."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from companion.config import Config
from companion.languages import ENGLISH, Language, Sentence, counted, render, said
from companion.patchwork.arrangement import DealStep, DealtPatch, deal_steps, dealt_market
from companion.patchwork.naming import patch_name
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.terminal.pictures import DIM, patch_height, patch_picture
from companion.play.partner import friend_of
from companion.terminal.output import padded, put, words

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
        grid.add_row(*(_picture(dealt, height, language) for dealt in row))
    return Group(title, Text(), grid)


def _picture(dealt: DealtPatch, height: int, language: Language) -> Text:
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
