"""Test an evening at the simulated table without presses of confirm, at its beginning and towards its end.

The ground truth is the simulated table's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from companion.config import Config
from companion.games.patchwork.cells import rows_of
from companion.games.patchwork.decisions import Advance
from companion.journal import MemoryJournal
from companion.patchwork.arrangement import CircleSource, with_circle_known
from companion.play import events
from companion.play.session import Simulation
from companion.registry import codecs
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.people import players
from hardware.simulated.people.conversation import LIKELY, Hesitant, Hesitation, drawn_hesitation
from tests.companion.sessions import simulate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.journal import Journal

GOES_ON_AFTER = 36
SIMULATION = Simulation(2, fast=True)


class BrokenOff(BaseException):
    """The evening is broken off."""


def test_every_decision_is_right_and_none_is_early(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, play_on: Callable[[Journal, int], None]
) -> None:
    evenings: list[SimulatedEvening] = []
    hesitated: list[Hesitation] = []

    def seated(*arguments: object, **options: object) -> SimulatedEvening:
        evenings.append(SimulatedEvening(*arguments, **options))  # type: ignore[arg-type]  # passed on unchanged
        return evenings[-1]

    def drawn(*arguments: object) -> Hesitant | None:
        hesitant = drawn_hesitation(*arguments)  # type: ignore[arg-type]  # passed on unchanged
        hesitated.extend([hesitant.how] if hesitant else [])
        return hesitant

    monkeypatch.setattr("companion.patchwork.simulated.SimulatedEvening", seated)
    monkeypatch.setattr(players, "drawn_hesitation", drawn)
    for way in Hesitation:
        monkeypatch.setitem(LIKELY, way, 0.45)
    wrong: list[events.DecisionTaken] = []
    looks: list[events.LookStarted] = []

    def compare(event: events.Event) -> None:
        looks.extend([event] if isinstance(event, events.LookStarted) else [])
        if isinstance(event, events.DecisionTaken) and not isinstance(event.decision, Advance):
            table = evenings[-1].table
            lies = tuple(rows_of(quilt.quilt) for quilt in event.state.seats)
            if table.hands or table.quilts() != lies:
                wrong.append(event)

    def break_off(event: events.Event) -> None:
        if isinstance(event, events.DecisionTaken):
            raise BrokenOff

    config, book = with_circle_known(Config(), CircleSource.DEALT), MemoryJournal(codecs())
    config = replace(config, reading=replace(config.reading, hands_free=True))
    with pytest.raises(BrokenOff):
        simulate(config, SIMULATION, book, tmp_path, None, [compare, break_off])
    play_on(book, GOES_ON_AFTER)
    evening = simulate(config, SIMULATION, book, tmp_path, 1, [compare])
    assert wrong == []
    assert evening.history.state.finished
    people = evenings[-1].players
    assert evening.history.decisions[GOES_ON_AFTER:] == people.decisions
    assert people.counts.misreadings == 0
    assert len(looks) == people.counts.unforeseen <= 2, "people hardly ever had to press"
    assert set(hesitated) == set(Hesitation), "and both kinds of hesitation were among it"
