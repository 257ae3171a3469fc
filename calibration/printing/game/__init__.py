"""A printable set: patches, boards and tokens of the program's own, at a choice of cell sizes."""

from functools import partial
from typing import Final

from calibration.printing.game.boards import board_mm, draw_quilt_board, draw_time_board, time_board_mm
from calibration.printing.game.guide import WORDS, draw_guide
from calibration.printing.game.pages import CutOut, draw_board, lay_out
from calibration.printing.game.patches import draw_patch
from calibration.printing.game.tokens import BUTTONS, draw_bonus, draw_leather, draw_markers, draw_token, token_cells
from calibration.printing.page import PdfSheet, Point
from companion.games.patchwork import PATCHES, Edition, Patch

GAME_LANGUAGES: Final = tuple(WORDS)
CELL_MM: Final = (15.0, 25.0)
"""The smallest and the largest cell: smaller ones are hard to cut by hand, larger boards fit no table."""
_LEATHER: Final = 5


def game_pdf(paper_mm: tuple[float, float], cell_mm: float, language: str, edition: Edition, mats: str) -> bytes:
    """Return the whole set as a PDF.

    Args:
        paper_mm: (width, height) of the paper.
        cell_mm: edge of a quilt's cell, within `CELL_MM`.
        language: one of `GAME_LANGUAGES`, of the page of instructions.
        edition: printing of the time board, which determines its leather patches.
        mats: the command that prints the mats for it.

    Raises:
        ValueError: the cells are too small or too large.
    """
    if not CELL_MM[0] <= cell_mm <= CELL_MM[1]:
        raise ValueError(f"cells of {cell_mm:g} mm")
    sheet = PdfSheet(paper_mm, "A quilting game to print and play")
    draw_guide(sheet, cell_mm, language, edition, mats)
    lay_out(sheet, [*(_patch(patch, cell_mm) for patch in PATCHES.values()), *_tokens(cell_mm)])
    for seat in (1, 2):
        draw_board(sheet, board_mm(cell_mm), partial(draw_quilt_board, seat=seat, cell_mm=cell_mm))
    draw_board(sheet, time_board_mm(cell_mm), partial(draw_time_board, edition=edition, cell_mm=cell_mm))
    return sheet.pdf()


def _patch(patch: Patch, cell_mm: float) -> CutOut:
    size = tuple((1 + max(along)) * cell_mm for along in zip(*patch.cells, strict=True))
    return CutOut((size[1], size[0]), partial(draw_patch, patch=patch, cell_mm=cell_mm))


def _tokens(cell_mm: float) -> list[CutOut]:
    one = (cell_mm, cell_mm)
    pieces = [
        CutOut((3 * cell_mm, 2 * cell_mm), partial(draw_bonus, cell_mm=cell_mm)),
        CutOut((3 * cell_mm, cell_mm), partial(draw_markers, cell_mm=cell_mm)),
        *(CutOut(one, partial(draw_leather, cell_mm=cell_mm)) for _ in range(_LEATHER)),
    ]
    for value, count in BUTTONS.items():
        side = token_cells(value) * cell_mm
        pieces.extend(CutOut((side, side), partial(_draw_token, value=value, cell_mm=cell_mm)) for _ in range(count))
    return pieces


def _draw_token(sheet: PdfSheet, corner: Point, value: int, cell_mm: float) -> None:
    radius = token_cells(value) * cell_mm / 2
    draw_token(sheet, value, (corner[0] + radius, corner[1] + radius), cell_mm)
