import io
import random
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, new_game
from companion.games.patchwork.state import Setup, State
from companion.languages import ENGLISH, LANGUAGES, Language
from companion.patchwork.naming import patch_name
from companion.patchwork.terminal.pictures import (
    EMPTY,
    LEATHER,
    PRINTS,
    patch_height,
    patch_picture,
    quilt_picture,
    table_picture,
)

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")


def _shown(state: State, decisions: tuple[Decision, ...] = (), language: Language = ENGLISH, width: int = 80) -> str:
    """Return the picture of the table without colour."""
    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as captured:
        console.print(table_picture(state, decisions, language=language))
    return captured.get()


def _style_at(picture: Text, row: int, column: int) -> str:
    """Return the style of a character by its row and column in the picture."""
    offset = sum(len(line) + 1 for line in picture.plain.split("\n")[:row]) + column
    return next((str(span.style) for span in picture.spans if span.start <= offset < span.end), "")


def test_a_quilt_shows_each_cell_where_it_lies() -> None:
    picture = quilt_picture(mask_of(["A1", "I1", "A9"]), {0: PRINTS["bar3"], 8: PRINTS["domino"], 72: LEATHER})
    lines = picture.plain.split("\n")
    assert lines[0].split() == list("ABCDEFGHI")
    assert [line[0] for line in lines[1:]] == list("123456789")
    assert all(len(line) == 20 for line in lines[1:])
    assert _style_at(picture, 1, 2) == str(PRINTS["bar3"].style)
    assert _style_at(picture, 1, 18) == str(PRINTS["domino"].style)
    assert _style_at(picture, 9, 2) == str(LEATHER.style)
    assert picture.plain.count("·") == 81 - 3
    assert _style_at(picture, 1, 4) == str(EMPTY.style)


def test_a_lifted_patch_is_no_longer_drawn() -> None:
    assert quilt_picture(0, {0: PRINTS["bar3"]}).plain.count("·") == 81


def test_the_letter_of_a_column_stands_above_its_cells() -> None:
    lines = quilt_picture(mask_of(["C4"]), {29: LEATHER}).plain.split("\n")
    column = lines[0].index("C")
    assert lines[4][column : column + 2] == LEATHER.weave


def test_a_patch_is_drawn_in_its_shape() -> None:
    for patch in PATCHES:
        lines = patch_picture(patch, 4).plain.split("\n")[:-1]
        assert len(lines) == 4, patch
        drawn = patch_picture(patch, patch_height(patch))
        rows = drawn.plain.split("\n")[:-1]
        styled = sum(span.end - span.start for span in drawn.spans if str(span.style) == str(PRINTS[patch].style))
        assert len(rows) == patch_height(patch) == len({row for row, _ in PATCHES[patch].cells}), patch
        assert styled == 2 * PATCHES[patch].size, patch


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=list(LANGUAGES))
def test_every_picture_of_a_game_fits_80_columns(language: Language) -> None:
    history, rng = History(Setup(market=CIRCLE)), random.Random(4)
    while not history.state.finished:
        decision = legal_decisions(history.state).pick(rng)
        history.apply(decision)
        if isinstance(decision, TakePatch | PlaceLeather):
            lines = _shown(history.state, history.decisions, language).splitlines()
            assert max(map(cell_len, lines)) <= 80
            assert len(lines) <= 12


def test_a_laid_patch_shows_its_print_and_an_undone_one_does_not() -> None:
    history = History(Setup(market=CIRCLE))
    history.apply(TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"])))
    assert f"1 {PRINTS['bar3'].weave * 3}· ·" in _shown(history.state, history.decisions)
    history.undo()
    assert PRINTS["bar3"].weave not in _shown(history.state, history.decisions)


def test_leather_is_drawn_as_leather() -> None:
    history, rng = History(Setup()), random.Random(4)
    while not any(isinstance(decision, PlaceLeather) for decision in history.decisions):
        history.apply(legal_decisions(history.state).pick(rng))
    assert LEATHER.weave in _shown(history.state, history.decisions)


def test_the_mover_and_the_figures_of_both_players_stand_beside_the_quilts() -> None:
    start = new_game(Setup(players=("Anna", "Boris")))
    seats = (replace(start.seat(1), buttons=14, income=9, time=30), start.seat(2))
    lines = _shown(replace(start, seats=seats)).splitlines()
    assert "▶ ◎ Anna" in lines[0]
    assert "▶ ✸ Boris" not in lines[0]
    figures = [line[46:].split() for line in lines[1:6]]
    assert figures == [["Anna", "Boris"], ["buttons", "14", "5"], ["income", "9", "0"], ["time", "30", "0"],
                       ["7x7", "tile", "-", "-"]]  # fmt: skip


def test_the_offers_are_listed_with_their_figures_if_the_circle_is_known() -> None:
    text = _shown(new_game(Setup(market=CIRCLE)))
    for patch in CIRCLE[:3]:
        values = PATCHES[patch]
        row = f"{values.buttons} {values.time} {values.income}"
        assert any(patch_name(patch) in line and " ".join(line.split()).endswith(row) for line in text.splitlines())
    assert "On offer" not in _shown(new_game(Setup()))


def test_a_long_name_is_shortened() -> None:
    lines = _shown(new_game(Setup(players=("A" * 40, "B" * 40)))).splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" in lines[0]


def test_a_narrow_terminal_is_no_error() -> None:
    assert max(map(cell_len, _shown(new_game(Setup(market=CIRCLE)), width=20).splitlines())) <= 20
