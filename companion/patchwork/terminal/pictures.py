"""Patchwork drawn in a terminal, as rich text: patches, quilts, and both quilts with what is on offer."""

import colorsys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from calibration.identity import SIGNS
from companion.config import Config
from companion.config.palette import USUAL, terminal_colours
from companion.games.patchwork.cells import SIDE, indices_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch
from companion.games.patchwork.rules import affordable, offers
from companion.games.patchwork.state import State, score
from companion.languages import ENGLISH, Language, said
from companion.patchwork.codec import Event
from companion.patchwork.naming import patch_name
from companion.patchwork.settings import PatchworkSettings
from companion.play.events import DecisionTaken, DecisionUndone, GameOpened
from companion.terminal.output import words

# Distinguishable without colour, too, and from an empty cell.
_WEAVES = ("╱╱", "░░", "══", "▓▓", "╳╳", "▝▝", "╲╲", "┼┼", "▒▒", "──", "::")
# Saturation and value of the grounds, taken in turn.
_GROUNDS = ((0.50, 0.62), (0.72, 0.42), (0.42, 0.80))
# Distance between successive hues on the wheel; any number of them are as far apart as possible.
_GOLDEN_TURN = 0.381966


@dataclass(frozen=True, slots=True)
class CellDrawing:
    """The drawing of a cell: two characters in a style."""

    weave: str
    style: Style


def _print(index: int) -> CellDrawing:
    saturation, value = _GROUNDS[index % len(_GROUNDS)]
    hue = index * _GOLDEN_TURN % 1.0
    ground = _hex(hue, saturation, value)
    thread = _hex(hue, saturation * 0.5, value + 0.2) if value < 0.7 else _hex(hue, saturation + 0.15, value - 0.3)
    return CellDrawing(_WEAVES[index % len(_WEAVES)], Style(color=thread, bgcolor=ground))


def _hex(hue: float, saturation: float, value: float) -> str:
    channels = colorsys.hsv_to_rgb(hue, min(1.0, saturation), min(1.0, value))
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in channels)


PRINTS: Mapping[str, CellDrawing] = {patch: _print(index) for index, patch in enumerate(PATCHES)}
LEATHER = CellDrawing("▚▚", Style(color="#5b3716", bgcolor="#7a4a21"))
EMPTY = CellDrawing("· ", Style(color="#6c6c6c"))

# Readable on a dark ground and on a light one.
DIM = "#888888"
_LONGEST_NAME = 11


def table_picture(
    state: State, decisions: Sequence[Decision], colours: tuple[str, str] = USUAL, language: Language = ENGLISH
) -> RenderableType:
    """Draw both quilts side by side, with the players' figures and the offers beside them, in 80 columns.

    Args:
        state: the game.
        decisions: the decisions that led to it; those that laid patches are drawn with their prints.
        colours: the colours of seat 1 and seat 2, by name.
        language: the reader's.
    """
    styles = terminal_colours(colours)
    patches: tuple[dict[int, CellDrawing], ...] = ({}, {})
    for decision in decisions:
        if isinstance(decision, TakePatch | PlaceLeather):
            drawn = PRINTS[decision.patch] if isinstance(decision, TakePatch) else LEATHER
            patches[decision.seat - 1].update(dict.fromkeys(indices_of(decision.cells), drawn))
    picture = Table.grid(padding=(0, 3, 0, 0))
    titles = [_title(state, seat, styles[seat - 1]) for seat in (1, 2)]
    picture.add_row(*titles, "")
    beside = Table.grid()
    beside.add_row(_figures(state, styles, language))
    if state.setup.market is not None and offers(state):
        beside.add_row("")
        beside.add_row(_offers(state, language))
    quilts = [quilt_picture(seat.quilt, drawn, language) for seat, drawn in zip(state.seats, patches, strict=True)]
    picture.add_row(*quilts, beside)
    return picture


def _title(state: State, seat: int, style: str) -> Text:
    mover = "▶ " if state.turn == seat else "  "
    title = Text(f"{mover}{SIGNS[seat - 1]} {state.name_of(seat)}", style=f"bold {style}")
    title.truncate(2 + 2 * SIDE, overflow="ellipsis")
    return title


def _figures(state: State, styles: Sequence[str], language: Language) -> Table:
    number = language.number
    figures = Table.grid(padding=(0, 2, 0, 0))
    figures.add_column(no_wrap=True)
    for style in styles:
        figures.add_column(justify="right", max_width=_LONGEST_NAME, no_wrap=True, overflow="ellipsis", style=style)
    figures.add_row("", *state.setup.players)
    for label, values in (
        (said("buttons"), [number(seat.buttons) for seat in state.seats]),
        (said("income"), [number(seat.income) for seat in state.seats]),
        (said("time"), [number(seat.time) for seat in state.seats]),
        (said("7x7 tile"), [number(7) if seat.bonus else "-" for seat in state.seats]),
        (said("score"), [number(score(seat)) for seat in state.seats]),
    ):
        figures.add_row(Text(words(label, language), style=DIM), *values)
    return figures


def _offers(state: State, language: Language) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(max_width=16, no_wrap=True, overflow="ellipsis")
    for _ in range(3):
        table.add_column(justify="right", no_wrap=True)
    labels = (said("On offer"), said("cost"), said("time"), said("income"))
    table.add_row(*(Text(words(label, language), style=DIM) for label in labels))
    payable = affordable(state)
    for patch in offers(state):
        values = PATCHES[patch]
        figures = map(language.number, (values.buttons, values.time, values.income))
        table.add_row(words(patch_name(patch), language), *figures, style="" if patch in payable else DIM)
    return table


def quilt_picture(quilt: int, patches: Mapping[int, CellDrawing], language: Language = ENGLISH) -> Text:
    """Draw a quilt of 9x9 cells, two characters per cell, with the letters of its columns and the numbers of its rows.

    Args:
        quilt: the covered cells, as a bit mask.
        patches: the drawing of each covered cell, by the cell's bit number.
        language: the reader's.
    """
    picture = Text("  " + " ".join("ABCDEFGHI"), style=DIM)
    for row in range(SIDE):
        picture.append(f"\n{language.number(row + 1)} ", style=DIM)
        for cell in range(row * SIDE, (row + 1) * SIDE):
            shown = patches[cell] if quilt >> cell & 1 else EMPTY
            picture.append(shown.weave, style=shown.style)
    return picture


def patch_height(patch: str) -> int:
    """Return the number of rows of a patch in the orientation of the list."""
    return max(row for row, _ in PATCHES[patch].cells) + 1


def patch_picture(patch: str, height: int) -> Text:
    """Draw a patch in the orientation of the list, two characters per cell, at the foot of `height` rows."""
    cells = set(PATCHES[patch].cells)
    columns = range(max(column for _, column in cells) + 1)
    picture = Text("\n" * (height - patch_height(patch)))
    for row in range(patch_height(patch)):
        for column in columns:
            filled = (row, column) in cells
            picture.append(PRINTS[patch].weave if filled else "  ", style=PRINTS[patch].style if filled else "")
        picture.append("\n")
    return picture


def picture_after(
    event: Event, decisions: Sequence[Decision], config: Config, language: Language
) -> RenderableType | None:
    """Return both quilts after an event that has changed one of them, or None."""
    if isinstance(event, DecisionTaken | DecisionUndone):
        if not isinstance(event.decision, TakePatch | PlaceLeather):
            return None
    elif not (isinstance(event, GameOpened) and event.decisions):
        return None
    return table_picture(event.state, decisions, config.of(PatchworkSettings).colours or USUAL, language)
