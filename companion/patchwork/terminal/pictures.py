"""The parts of the live view: a quilt, the offers, the time track, the strip; each as rich text."""

import colorsys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from calibration.identity import SIGNS
from companion.config.palette import USUAL, terminal_colours
from companion.games.patchwork import PATCHES, SIDE, TIME_TRACKS, SeatState, State, score
from companion.languages import ENGLISH, Language, counted, said
from companion.patchwork.naming import patch_name
from companion.patchwork.timeboard import NONE_WRONG
from companion.terminal.styling import DIM, styled
from companion.terminal.wording import padded, words

_WEAVES = ("╱╱", "░░", "══", "··", "╳╳", "  ", "╲╲", "┼┼", "▒▒", "──", "::")
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
UNKNOWN = CellDrawing("▒▒", Style(color="#8a8a8a", bgcolor="#5f5f5f"))
"""A covered cell of a resumed game whose patch is unknown."""
EMPTY = CellDrawing("· ", Style(color="#6c6c6c"))


SEAT_STYLES = terminal_colours(USUAL)
LEATHER_NAME = "leather"
_TILE = "bold #d7d75f"
_OUTLINED = {"▼": "▽", "▲": "△"}


def quilt_picture(quilt: int, patches: Mapping[int, str], language: Language = ENGLISH) -> Text:
    """Draw a quilt of 9x9 cells, two characters per cell, with the letters of its columns and the numbers of its rows.

    Args:
        quilt: the covered cells, as a bit mask.
        patches: the patch in each cell, by the cell's bit number, if known.
        language: the reader's.
    """
    picture = Text("  " + " ".join("ABCDEFGHI"), style=DIM)
    for row in range(SIDE):
        picture.append(f"\n{language.number(row + 1)} ", style=DIM)
        for cell in range(row * SIDE, (row + 1) * SIDE):
            shown = _cell_print(patches.get(cell)) if quilt >> cell & 1 else EMPTY
            picture.append(shown.weave, style=shown.style)
    return picture


def _cell_print(patch: str | None) -> CellDrawing:
    if patch is None:
        return UNKNOWN
    return LEATHER if patch == LEATHER_NAME else PRINTS[patch]


def seat_lines(seat: SeatState, language: Language = ENGLISH) -> Text:
    """Return three lines of figures for display below a quilt."""
    empty = counted("{count} empty", "{count} empty", seat.empty)
    tile = styled(said("7x7 tile"), language, _TILE) if seat.bonus else styled(said("no tile"), language, DIM)
    lines = Text.assemble(
        _buttons(seat, language),
        "  ",
        styled(said("+{income} income", income=seat.income), language, DIM, "bold"),
        "\n",
        styled(empty, language, DIM, "bold"),
        "    ",
        tile,
        "\n",
        styled(said("score {score}", score=score(seat)), language, DIM, "bold"),
    )
    lines.justify = "center"
    return lines


def _buttons(seat: SeatState, language: Language) -> Text:
    return styled(counted("{count} button", "{count} buttons", seat.buttons), language, DIM, "bold")


def seat_line(seat: SeatState, language: Language = ENGLISH) -> Text:
    """Return the most important figures in one line, for a small terminal."""
    line = Text.assemble(
        _buttons(seat, language), "  ", styled(said("+{income}", income=seat.income), language, values="bold")
    )
    if seat.bonus:
        line.append("  ").append(words(said("7x7"), language), style=_TILE)
    line.justify = "center"
    return line


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


def offer_picture(patch: str, height: int, *, affordable: bool, language: Language = ENGLISH) -> Text:
    """Draw a patch on offer at the foot of `height` rows, with its cost, time and income below."""
    values = PATCHES[patch]
    picture = patch_picture(patch, height)
    picture.append(f"{words(patch_name(patch), language)}\n", style="bold" if affordable else DIM)
    figures = (values.buttons, "#5fafff"), (values.time, "#d7af87"), (values.income, "#87d787")
    for word, (figure, style) in zip((said("cost"), said("time"), said("income")), figures, strict=True):
        picture.append(padded(word, 7, language), style=DIM)
        picture.append(language.number(figure), style=f"bold {style}" if affordable and figure else DIM)
        picture.append("\n")
    picture.append("" if affordable else words(said("too dear"), language), style="italic " + DIM)
    return picture


def track_picture(state: State, styles: Sequence[str] = SEAT_STYLES, wrong: Mapping[int, int] = NONE_WRONG) -> Text:
    """Draw the time track, one character per space: seat 1's token above it, seat 2's below it, the marks on it.

    Args:
        state: the game.
        styles: the colours of seat 1 and seat 2.
        wrong: as for `wrong_after`; an outlined token shows the space of a misplaced marker.
    """
    picture = _token_line(state, 1, "▼", styles, wrong)
    picture.append("\n")
    track = TIME_TRACKS[state.setup.edition]
    for space in range(track.last_space + 1):
        picture.append_text(_space(space, track.income, track.leather, state.leather_left))
    picture.append("\n")
    picture.append_text(_token_line(state, 2, "▲", styles, wrong))
    return picture


def _token_line(state: State, seat: int, token: str, styles: Sequence[str], wrong: Mapping[int, int]) -> Text:
    # On one space the token that arrived later lies on top, and moves next.
    shown = {state.seat(seat).time: (token, styles[seat - 1] + (" bold" if state.turn == seat else ""))}
    if seat in wrong:
        shown[wrong[seat]] = _OUTLINED[token], styles[seat - 1]
    line = Text()
    for space in range(TIME_TRACKS[state.setup.edition].last_space + 1):
        line.append(*shown.get(space, (" ",)))
    return line


def _space(space: int, income: Sequence[int], leather: Sequence[int], leather_left: Sequence[int]) -> Text:
    if space in income:
        return Text("●", style="#d7d7af")
    if space in leather_left:
        return Text("■", style="#c0703a")
    return Text("□" if space in leather else "─", style="#585858")


def track_legend(state: State, language: Language = ENGLISH, styles: Sequence[str] = SEAT_STYLES) -> Text:
    """Return the three lines beside the track."""
    legend = Text()
    for line, seat in enumerate((1, 0, 2)):
        if seat:
            legend.append("▼ " if seat == 1 else "▲ ", style=styles[seat - 1])
            legend.append(f"{language.number(state.seat(seat).time):>2} ", style="bold")
            legend.append(f"{SIGNS[seat - 1]} {state.setup.players[seat - 1]}", style=styles[seat - 1])
        else:
            income, leather = words(said("income"), language), words(said("leather"), language)
            legend.append("●", style="#d7d7af")
            legend.append(f" {income}  ", style=DIM)
            legend.append("■", style="#c0703a")
            legend.append(f" {leather}", style=DIM)
        legend.append("" if line == 2 else "\n")
    return legend
