"""Test simulated evenings of Kvilt: sheets are coloured, photographed and read; an interrupted game resumes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from companion.config import Config
from companion.games.kvilt.decisions import Done
from companion.games.kvilt.rules import History
from companion.games.kvilt.state import Variant
from companion.games.strategy import Level
from companion.journal import JOURNAL_NAME, Journal, MemoryJournal
from companion.kvilt.codec import KVILT, KviltTranscript
from companion.kvilt.game import KVILT as GAME
from companion.kvilt.settings import KviltSettings
from companion.kvilt.simulated import KviltPeople
from companion.play.events import Complained, DecisionTaken, TableNoticed
from companion.play.partner import Robot, with_robot
from companion.play.session import GameResult, Simulation
from companion.registry import codecs
from hardware.simulated.sheets.evening import SheetTemper
from hardware.simulated.sheets.sheet import SimulatedSheet
from tests.companion.journal.conftest import unfinished
from tests.companion.kvilt_setups import own_setup
from tests.companion.sessions import simulate

if TYPE_CHECKING:
    import numpy as np

    from companion.kvilt.codec import Event
    from companion.kvilt.table.turn_loop import KviltTable
    from hardware.simulated.sheets.conditions import SheetConditions
    from hardware.simulated.sheets.evening import SimulatedSheetEvening

SETUP = own_setup(("Anna", "Boris"))
FOLDER = Path("nowhere")
"""A folder that does not exist: Kvilt stores nothing beside the journal."""


def configured(**settings: Any) -> Config:
    """Return the default configuration with these settings of Kvilt."""
    return Config().with_game(KviltSettings(**settings))


class UntilDone:
    """A listener that ends the evening after a number of colourings or of decisions."""

    def __init__(self, colourings: int = 99, decisions: int = 9999) -> None:
        self.colourings, self.decisions = colourings, decisions
        self.codes: list[tuple[str, ...]] = []
        self.notices: list[str] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, Complained):
            self.codes.append(event.complaint.codes)
        if isinstance(event, TableNoticed):
            self.notices.append(event.says)
        if isinstance(event, DecisionTaken):
            self.decisions -= 1
            self.colourings -= isinstance(event.decision, Done)
        if not self.colourings or not self.decisions:
            raise BrokenPipeError  # The only error by which a listener may end an evening.


def evening(book: Journal, cut: UntilDone, game_id: int | None = None, *tempers: str, real: bool = False) -> None:
    config = configured(bag="real" if real else "virtual")
    with pytest.raises(BrokenPipeError):
        simulate(config, Simulation(8, tempers or ("tidy",), fast=True), book, FOLDER, game_id, [cut], game=GAME)


def test_an_evening_that_was_cut_off_anywhere_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resume from disk, as after a power cut: once between two decisions of a look, once between two turns.

    The marks are read through the camera, before and after. One player leaves a pencil on the sheet, the other presses
    before the sheet is there.
    """
    tempers = {
        "hasty": SheetTemper(("even",), too_early=1.0),
        "careless": SheetTemper(("even",), leaves_pencil=1.0),
    }
    monkeypatch.setattr("hardware.simulated.sheets.evening.TEMPERS", tempers)
    monkeypatch.setattr("companion.kvilt.table.turn_loop._PATIENCE_S", 2.0)
    made, codes = [], []
    for cut in (UntilDone(decisions=15), UntilDone(colourings=1)):
        with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
            found = unfinished(journal, game="kvilt")
            evening(journal, cut, None if found is None else found.game_id, *tempers)
            made.append(journal.decisions(1, KVILT))
            (listed,) = journal.games()
            assert listed.error is None
            assert journal.notes(1)["bag"] == "virtual 8"
        codes.append(cut.codes)
    assert codes == [[("covered",), ("unseen",)], [("unseen",)]]
    before, after = made
    assert len(after) > len(before)
    assert after[:9] == before[:9]
    assert sum(isinstance(it, Done) for it in after) == 2


@pytest.mark.parametrize("bag", ["virtual", "real"])
def test_the_robot_s_sheet_is_coloured_as_it_decides_also_after_a_power_cut(tmp_path: Path, bag: str) -> None:
    """Cut off in the middle of a round; the marks are read through the camera."""
    config = with_robot(configured(bag=bag), Robot(2, Level.CASUAL))
    for cut in (UntilDone(decisions=14), UntilDone(colourings=2)):
        with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
            found = unfinished(journal, game="kvilt")
            number = None if found is None else found.game_id
            with pytest.raises(BrokenPipeError):
                simulate(config, Simulation(8, fast=True), journal, FOLDER, number, [cut], game=GAME)
        # The second time without an option: a game goes on with its partner.
        config = configured(bag=bag)
        assert cut.codes == []
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        assert journal.notes(1)["partner"] == "2 casual"
        assert {each.seat for each in journal.decisions(1, KVILT) if isinstance(each, Done)} == {1, 2}


def test_forgetful_players_are_reminded_and_the_game_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both lay the other's sheet first, which is still white in the first round.

    With a real bag, whose pencils are told one by one.
    """
    forgetful = SheetTemper(("even",), wrong_sheet=1.0)
    monkeypatch.setattr("hardware.simulated.sheets.evening.TEMPERS", {"forgetful": forgetful})
    book, cut = MemoryJournal(codecs()), UntilDone(colourings=2)
    evening(book, cut, None, "forgetful", real=True)
    assert cut.codes == [("nothing",), ("owner",)]
    assert sum(isinstance(it, Done) for it in book.decisions(1, KVILT)) == 2
    assert book.notes(1)["bag"] == "real"


def test_players_whose_sheets_are_never_seen_go_home_and_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def photograph(
        sheet: SimulatedSheet, conditions: SheetConditions, ground: np.random.Generator, pencil: None
    ) -> object:
        del pencil
        return sheet.table(conditions, ground=ground)

    monkeypatch.setattr(SimulatedSheet, "photograph", photograph)
    monkeypatch.setattr("companion.kvilt.table.turn_loop._PATIENCE_S", 0.5)
    monkeypatch.setattr("hardware.simulated.sheets.evening._PATIENCE", 2)
    cut = UntilDone()
    book = MemoryJournal(codecs())
    played = simulate(Config(), Simulation(8, fast=True), book, FOLDER, listeners=[cut], game=GAME)
    assert played.gave_up
    name = SETUP.players[(played.history.state.turn or 0) - 1]
    assert (played.error or "").startswith(
        f"The simulated players give up: {name}’s sheet was refused again and again. "
    )
    assert cut.codes == [("unseen",)] * len(cut.codes)
    assert (played.error or "").endswith(played.transcript.complaints[-1]["says"])
    assert not played.history.state.finished


def test_tables_have_names_of_their_own() -> None:
    mania = [Variant.KVILTOMANIA]
    tables: list[dict[str, Any]] = [{}, {"players": tuple("ABC")}, {"players": tuple("ABCD"), "variants": mania}]
    usual = Simulation(1)
    evenings = [
        (usual, "virtual"), (replace(usual, seed=2), "virtual"), (replace(usual, tempers=("hasty",)), "virtual"),
        (usual, "real"),
    ]  # fmt: skip
    names = {
        GAME.simulated_name(simulation, configured(bag=bag, **table))
        for simulation, bag in evenings
        for table in tables
    }
    assert len(names) == 12
    assert GAME.simulated_name(usual, Config()) == "simulated kvilt 1 2 seats tidy"


def test_the_result_of_an_evening_compares_read_and_true_marks() -> None:
    history, coloured = History(SETUP), [{"p3": "red"}, {"p5": "blue"}]
    sheets = SimpleNamespace(sheets=[SimpleNamespace(coloured=marks) for marks in coloured])
    people = KviltPeople(cast("SimulatedSheetEvening", sheets))
    for read, equal in (({1: {"p3": "red"}, 2: {"p5": "blue"}}, True), ({1: {"p3": "red"}}, False)):
        truth = people.truth(cast("KviltTable", SimpleNamespace(marks=read)))
        assert truth["read"] == [read.get(1, {}), read.get(2, {})]
        printed = GameResult(KVILT, history, KviltTranscript(), "the cable is loose", truth).to_json()
        assert (printed["equal"], printed["table"], printed["error"]) == (equal, coloured, "the cable is loose")
    assert "table" not in GameResult(KVILT, history, KviltTranscript()).to_json()
