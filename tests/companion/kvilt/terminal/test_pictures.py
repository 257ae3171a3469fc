"""Test the sheets of Kvilt as a terminal draws them."""

import io
import random

import pytest
from rich.cells import cell_len
from rich.console import Console

from companion.config import Config
from companion.games.kvilt.decisions import Done
from companion.games.kvilt.rules import History
from companion.games.kvilt.state import State
from companion.kvilt.game import KVILT
from companion.kvilt.sheets.layout_files import load_layout
from companion.kvilt.terminal.pictures import sheets_picture
from companion.languages import ENGLISH, LANGUAGES, Language
from companion.play.events import DecisionTaken, GameOpened
from companion.play.terminal import EventPrinter
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

NAMES = ("Anna", "Boris", "Vera", "Gleb")


def _played(seats: int) -> History:
    """Return a game after its fifth round."""
    game = play_game(own_setup(NAMES[:seats]), random.Random(3))
    history = History(game.setup)
    for decision in game.decisions:
        if history.state.round == 6:
            break
        history.apply(decision)
    return history


def _shown(state: State, language: Language = ENGLISH) -> str:
    console = Console(width=80, file=io.StringIO(), color_system=None)
    with console.capture() as captured:
        console.print(sheets_picture(state, load_layout(), language))
    return captured.get()


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("language", LANGUAGES.values(), ids=list(LANGUAGES))
def test_the_sheets_of_all_players_fit_80_columns(seats: int, language: Language) -> None:
    state = _played(seats).state
    shown = _shown(state, language)
    assert max(map(cell_len, shown.splitlines())) <= 80
    for seat, name in enumerate(NAMES[:seats], start=1):
        assert name in shown
        assert language.number(state.score(seat).total) in shown


def test_coloured_cells_are_blocks() -> None:
    state = _played(2).state
    cells = sum(row.cells for seat in state.seats for row in seat.marks.rows)
    shown = _shown(state)
    assert cells > 0
    assert shown.count("██") + shown.count("▒▒") == cells


def test_the_sheets_are_drawn_after_each_colouring_and_when_a_game_is_resumed() -> None:
    game = play_game(own_setup(NAMES[:2]), random.Random(3))
    history, console = History(game.setup), Console(width=80, file=io.StringIO(), color_system=None)
    printer = EventPrinter(KVILT.terminal, Config(), ENGLISH, console)
    printer(GameOpened(4, history.state))
    ends = 0
    for decision in game.decisions[:60]:
        outcome = history.apply(decision)
        printer(DecisionTaken(decision, outcome.facts, outcome.state))
        ends += isinstance(decision, Done)
    printer(GameOpened(4, history.state, history.decisions))
    assert isinstance(console.file, io.StringIO)
    assert ends > 0
    assert console.file.getvalue().count(" points") == 2 * (ends + 1)
