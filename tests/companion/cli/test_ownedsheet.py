"""Test a boxed sheet, from the photograph of the blank one to a round that is coloured at the table and read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from companion.configuration import load_config
from companion.games.kvilt.decisions import Done
from companion.journal import MemoryJournal
from companion.kvilt import simulated
from companion.kvilt.defining.tables import sheet_text
from companion.kvilt.game import KVILT
from companion.kvilt.settings import KviltSettings
from companion.play.events import Complained, DecisionTaken
from companion.play.host import replayed_history
from companion.play.session import Simulation
from companion.registry import codecs
from tests.companion.boxedsheet import entered, photograph_blank
from tests.companion.sessions import simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.play.events import Event
    from hardware.simulated.sheets.evening import SimulatedSheetEvening
    from tests.companion.cli.conftest import Run


class FirstRound:
    """A listener that ends the evening once both have coloured, like a power cut; `refused` holds rejected looks."""

    def __init__(self) -> None:
        self.coloured = 0
        self.refused: list[tuple[str, ...]] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, Complained):
            self.refused += [codes for codes in [event.complaint.codes] if codes != ("nothing",)]
        self.coloured += isinstance(event, DecisionTaken) and isinstance(event.decision, Done)
        if self.coloured == 2 or len(self.refused) > 2:
            raise BrokenPipeError


@pytest.fixture
def evenings(monkeypatch: pytest.MonkeyPatch) -> list[SimulatedSheetEvening]:
    """The simulated tables that are created, for access to what is really coloured."""
    laid: list[SimulatedSheetEvening] = []

    def lay_as(seated: Callable[..., SimulatedSheetEvening]) -> Callable[..., SimulatedSheetEvening]:
        def lay(*args: Any) -> SimulatedSheetEvening:
            laid.append(seated(*args))
            return laid[-1]

        return lay

    monkeypatch.setattr(simulated, "_laid", lay_as(cast("Any", simulated._laid)))
    return laid


def test_a_defined_sheet_is_played_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, evenings: list[SimulatedSheetEvening]
) -> None:
    monkeypatch.chdir(tmp_path)
    photo = photograph_blank(tmp_path)
    tables = entered(lambda cells: [None for _ in cells])
    for row in tables["quilt"]["row"]:
        del row["picture_outline"], row["columns"]
    Path("regions.toml").write_text(sheet_text(tables), encoding="utf-8")
    assert run("kvilt", "define", photo, "--out", "mine.toml", "--regions", "regions.toml")[0] == 0
    Path("companion.toml").write_text('[kvilt]\nsheet = "mine.toml"\n', encoding="utf-8")
    config, book, first = load_config(Path("companion.toml")), MemoryJournal(codecs()), FirstRound()
    setup, layout = config.of(KviltSettings).setup(), config.of(KviltSettings).layout()
    assert layout.fiducials.markers == ()
    with pytest.raises(BrokenPipeError):
        simulate(config, Simulation(3, fast=True), book, tmp_path, listeners=[first], game=KVILT)
    assert first.refused == []
    state = replayed_history(KVILT, book, 1).state
    read = [state.seat(seat).marks.regions(setup.sheet) for seat in (1, 2)]
    assert sum(map(len, read)) > 1
    assert read == [dict(sheet.coloured) for sheet in evenings[0].sheets]
