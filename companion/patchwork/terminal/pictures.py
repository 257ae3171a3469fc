"""The parts of the live view: a quilt, the offers, the time track, the strip; each as rich text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from calibration.identity import SIGNS
from companion.config.palette import USUAL, terminal_colours
from companion.games.patchwork import PATCHES, SIDE, TIME_TRACKS, score
from companion.languages import ENGLISH, counted, said
from companion.patchwork.naming import patch_name
from companion.patchwork.terminal.prints import EMPTY, LEATHER, PRINTS, UNKNOWN, CellDrawing
from companion.patchwork.timeboard.marker_notices import NONE_WRONG
from companion.terminal.styling import DIM, styled
from companion.terminal.wording import padded, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.games.patchwork import SeatState, State
    from companion.languages import Language

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
