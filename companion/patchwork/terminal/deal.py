"""A dealt circle at a terminal: large pictures of the patches, several at a time."""

from collections.abc import Callable, Sequence
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from companion.languages import ENGLISH, Language, Sentence, counted, render, said
from companion.patchwork.arrangement import DealStep, DealtPatch, deal_steps
from companion.patchwork.naming import patch_name
from companion.patchwork.terminal.pictures import PRINTS
from companion.terminal.styling import DIM
from companion.terminal.wording import padded, words

_GAP: Final = 3
_LARGE: Final = (2, 2)
# The numbers of weaves across and lines down that draw one cell.
_SMALL: Final = (1, 1)
_LARGEST_CELLS: Final = 5
_LABEL_WIDTH: Final = 14


def show_deal(
    market: Sequence[str],
    console: Console,
    wait: Callable[[str], object] | None = None,
    language: Language = ENGLISH,
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
        console.clear()
        # Two lines less, for the question below and the cursor.
        console.print(step_picture(step, console.width, console.height - 2, language))
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


def step_picture(step: DealStep, width: int, height: int, language: Language = ENGLISH) -> RenderableType:
    """Draw a step's patches as large as the terminal allows.

    Args:
        step: the step to draw.
        width: the terminal's width in characters.
        height: the terminal's height in lines.
        language: the user's.
    """
    number = language.number
    title = Text(f"{number(step.number)}/{number(step.count)}  ", style=DIM)
    title.append(words(step.says, language), style="bold")
    large = _table(step.patches, width, _LARGE, language)
    # With the title and the empty line below it.
    roomy = _lines(step.patches, width, _LARGE) + 2 <= height
    return Group(title, Text(), large if roomy else _table(step.patches, width, _SMALL, language))


def _wide(scale: tuple[int, int]) -> int:
    return max(_LARGEST_CELLS * 2 * scale[0], _LABEL_WIDTH)


def _columns(width: int, scale: tuple[int, int]) -> int:
    return max(1, min(6, (width + _GAP) // (_wide(scale) + _GAP)))


def _rows(patches: Sequence[DealtPatch], width: int, scale: tuple[int, int]) -> list[Sequence[DealtPatch]]:
    columns = _columns(width, scale)
    return [patches[start : start + columns] for start in range(0, len(patches), columns)]


def _lines(patches: Sequence[DealtPatch], width: int, scale: tuple[int, int]) -> int:
    return sum(max(_high(dealt) for dealt in row) * scale[1] + 2 for row in _rows(patches, width, scale))


def _table(patches: Sequence[DealtPatch], width: int, scale: tuple[int, int], language: Language) -> Table:
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    for row in _rows(patches, width, scale):
        high = max(_high(dealt) for dealt in row)
        grid.add_row(*(_picture(dealt, high, scale, language) for dealt in row))
    return grid


def _picture(dealt: DealtPatch, high: int, scale: tuple[int, int], language: Language) -> Text:
    """Draw a patch at the foot of `high` rows of cells, with its place and its label below."""
    cells, shown = set(dealt.cells), PRINTS[dealt.patch]
    across, down = scale
    columns = range(_LARGEST_CELLS)
    picture = Text()
    for row in range(_high(dealt) - high, _high(dealt)):
        line = Text()
        for column in columns:
            filled = (row, column) in cells
            line.append(shown.weave * across if filled else "  " * across, style=shown.style if filled else "")
        for _ in range(down):
            picture.append_text(line).append(" " * (_wide(scale) - len(line.plain)) + "\n")
    short = said("{buttons}, time {time}", buttons=dealt.buttons, time=dealt.time)
    label = words(_label(dealt) if scale == _LARGE else short, language)
    picture.append(f"{language.number(dealt.place):>2}", style="bold").append(f"  {label}", style=DIM).append("\n")
    return picture


def _label(dealt: DealtPatch) -> Sentence:
    """Return the label as it is printed on the patch: cost and time."""
    return counted("{count} button, time {time}", "{count} buttons, time {time}", dealt.buttons, time=dealt.time)


def _high(dealt: DealtPatch) -> int:
    return 1 + max(row for row, _ in dealt.cells)
