"""Simulated evenings of Kvilt: sheets are coloured, photographed and read; what is cut off goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.bootstrap.attached import Attached
from companion.bootstrap.kvilt import KviltTranscript, PlayedKvilt, kvilt_history
from companion.bootstrap.kviltsimulating import simulate_kvilt
from companion.bootstrap.simulation import KviltSimulation, kvilt_table_name
from companion.config import Config
from companion.events import Complained, DecisionTaken, TableNoticed
from companion.games.kvilt import Done, Setup, Variant, load_layout
from companion.inbox import Inbox
from companion.journal import JOURNAL_NAME, Book, Journal, MemoryJournal
from companion.record import KVILT
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.controls import SimulatedControls
from hardware.simulated.sheet import SimulatedSheet
from hardware.simulated.sheettempers import SheetTemper

if TYPE_CHECKING:
    import numpy as np

    from companion.bootstrap.circledesk import CircleDesk
    from companion.kvilt.news import Event
    from hardware.simulated.sheetconditions import SheetConditions

SETUP = Setup(("Anna", "Boris"))


class UntilDone:
    """Cuts the power after so many colourings, or after so many decisions."""

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
            raise BrokenPipeError  # The one thing that a listener may end an evening with.


def evening(
    book: Book, cut: UntilDone, game_id: int | None = None, temper: str = "tidy", *, real: bool = False
) -> None:
    options = KviltSimulation(8, (temper,), True, real)
    with pytest.raises(BrokenPipeError):
        simulate_kvilt(Config(), options, SETUP, load_layout(), book, game_id=game_id, listeners=[cut])


def test_a_circle_that_lay_out_before_is_put_away(circle: CircleDesk) -> None:
    company = Attached(SimulatedControls(SimulatedClock()), Inbox(), lambda *_: None, circle=circle)
    with pytest.raises(BrokenPipeError):
        simulate_kvilt(
            Config(), KviltSimulation(8), SETUP, load_layout(), MemoryJournal(),
            listeners=[UntilDone(decisions=1)], attached=company,
        )  # fmt: skip
    assert circle.laid is None


def test_what_is_coloured_is_read_through_the_camera() -> None:
    book, cut = MemoryJournal(), UntilDone(colourings=2)
    evening(book, cut)
    decisions = book.decisions(1, KVILT)
    assert sum(isinstance(it, Done) for it in decisions) == 2
    assert cut.codes == []
    assert book.notes(1)["bag"] == "virtual 8"


def test_an_evening_that_was_cut_off_anywhere_goes_on(tmp_path: Path) -> None:
    """On disk, as after a power cut: once between two decisions of a look, once between two turns."""
    made = []
    for cut in (UntilDone(decisions=15), UntilDone(colourings=1)):
        with Journal(tmp_path / JOURNAL_NAME) as journal:
            found = journal.unfinished(game="kvilt")
            evening(journal, cut, None if found is None else found.game_id)
            made.append(journal.decisions(1, KVILT))
            (listed,) = journal.games()
            assert listed.error is None
        assert cut.codes == []
    before, after = made
    assert len(after) > len(before)
    assert after[:9] == before[:9]


def test_a_real_bag_is_told_pencil_by_pencil() -> None:
    book, cut = MemoryJournal(), UntilDone(colourings=1)
    evening(book, cut, real=True)
    assert cut.codes == []
    assert book.notes(1)["bag"] == "real"


def test_people_who_forget_things_are_told_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both lay the other's sheet first; in the first round that one is still white."""
    forgetful = SheetTemper(("even",), wrong_sheet=1.0)
    monkeypatch.setattr("hardware.simulated.sheetevening.TEMPERS", {"forgetful": forgetful})
    book, cut = MemoryJournal(), UntilDone(colourings=2)
    evening(book, cut, temper="forgetful")
    assert cut.codes == [("nothing",), ("owner",)]
    assert sum(isinstance(it, Done) for it in book.decisions(1, KVILT)) == 2


def test_what_lies_on_a_sheet_is_taken_away_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    forgetful = SheetTemper(("even",), leaves_pencil=1.0)
    monkeypatch.setattr("hardware.simulated.sheetevening.TEMPERS", {"forgetful": forgetful})
    book, cut = MemoryJournal(), UntilDone(colourings=2)
    evening(book, cut, temper="forgetful")
    assert cut.codes == [("covered",)] * 2
    assert sum(isinstance(it, Done) for it in book.decisions(1, KVILT)) == 2


def test_who_presses_too_early_is_told_that_no_sheet_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    hasty = SheetTemper(("even",), too_early=1.0, unearned=1.0)
    monkeypatch.setattr("hardware.simulated.sheetevening.TEMPERS", {"hasty": hasty})
    cut = UntilDone(colourings=1)
    evening(MemoryJournal(), cut, temper="hasty")
    assert cut.codes[0] == ("unseen",)
    assert set(cut.codes[1:]) <= {("E_BACKGROUND",)}


def test_players_whose_sheets_are_never_seen_go_home_and_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def photograph(
        sheet: SimulatedSheet, conditions: SheetConditions, ground: np.random.Generator, pencil: None
    ) -> object:
        del pencil
        return sheet.table(conditions, ground=ground)

    monkeypatch.setattr(SimulatedSheet, "photograph", photograph)
    monkeypatch.setattr("companion.kvilttable.table._PATIENCE_S", 0.5)
    monkeypatch.setattr("hardware.simulated.sheetevening._PATIENCE", 2)
    cut = UntilDone()
    played = simulate_kvilt(Config(), KviltSimulation(8), SETUP, load_layout(), MemoryJournal(), listeners=[cut])
    assert played.gave_up
    name = SETUP.players[(played.history.state.turn or 0) - 1]
    assert (played.error or "").startswith(
        f"The simulated players give up: {name}'s sheet was refused again and again. "
    )
    assert cut.codes == [("unseen",)] * len(cut.codes)
    assert (played.error or "").endswith(played.transcript.complaints[-1]["says"])
    assert not played.history.state.finished


def test_tables_have_names_of_their_own() -> None:
    setups = (SETUP, Setup(tuple("ABC")), Setup(tuple("ABCD"), variants=frozenset([Variant.KVILTOMANIA])))
    usual = KviltSimulation(1)
    options = (usual, replace(usual, seed=2), replace(usual, tempers=("hasty",)), replace(usual, real_bag=True))
    names = {kvilt_table_name(option, setup) for option in options for setup in setups}
    assert len(names) == 12


def test_what_came_of_an_evening_says_whether_the_sheets_were_read_right() -> None:
    book = MemoryJournal()
    history = kvilt_history(book, book.new_game(SETUP))
    coloured = ({"p3": "red"}, {"p5": "blue"})
    for read, equal in (({1: {"p3": "red"}, 2: {"p5": "blue"}}, True), ({1: {"p3": "red"}}, False)):
        printed = PlayedKvilt(history, KviltTranscript(), "the cable is loose", read, coloured).to_json()
        assert (printed["equal"], printed["table"], printed["error"]) == (equal, list(coloured), "the cable is loose")
    assert "table" not in PlayedKvilt(history, KviltTranscript()).to_json()
