"""Test that `companion serve` finishes a game at the simulated table and then begins another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion.cli.serve import Service
from companion.config import Config
from companion.games.patchwork.cells import rows_of
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.journal import JOURNAL_NAME, TABLE_NAME, Journal
from companion.patchwork.game import PATCHWORK
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.simulated import PatchworkPeople
from companion.play import devices, events
from companion.play.host import Host
from companion.play.session import DeviceFactory
from companion.registry import codecs, games
from companion.upkeep.service import Notifier
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.webcam import WebcamDriver
from hardware.ports import Button, Press
from hardware.simulated.conditions import normal
from hardware.simulated.devices import SimulatedClock, SimulatedLightStrip
from hardware.simulated.evening import SimulatedEvening
from hardware.strips import ResilientStrip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from companion.games.patchwork.decisions import Decision
    from hardware.ports import Camera, Controls, Frame

SEED = 4
LEFT = 1
"""The number of decisions of the first game that are still to be made at the table."""


class Stop(BaseException):
    """The table is switched off."""


class Street:
    """A sequence of tables, each with its own players."""

    def __init__(self) -> None:
        self.sit_down()
        self.opened: list[tuple[int | None, int]] = []
        self.taken = 0
        self.stops_after = 1

    def sit_down(self) -> None:
        """Begin at a new table with new players."""
        self.evening = SimulatedEvening(SEED, normal().but(width_px=1152, height_px=648))
        self._people = PatchworkPeople(self.evening)

    def capture(self) -> Frame:
        return self.evening.camera.capture()

    def close(self) -> None:
        """Leave the table's camera open."""

    def openers(self) -> DeviceFactory:
        clock = _Clock(self)
        camera: Callable[..., Camera] = lambda *_: self  # noqa: E731
        controls: Callable[[], Controls] = lambda: _Buttons(self)  # noqa: E731
        return DeviceFactory(clock, camera, controls, lambda say: ResilientStrip(_strip, 60, clock, say))

    def on_event(self, event: Any) -> None:
        self._people.on_event(event)
        if isinstance(event, events.GameOpened):
            self.opened.append((event.game_id, len(event.decisions)))
        if isinstance(event, events.DecisionTaken):
            self.taken += 1
            if self.taken == self.stops_after:
                raise Stop


def _strip() -> SimulatedLightStrip:
    return SimulatedLightStrip(60)


class _Buttons:
    """The current table's buttons; they are closed and opened again."""

    def __init__(self, street: Street) -> None:
        self._street = street

    def presses(self) -> Sequence[Press]:
        return self._street.evening.controls.presses()

    def close(self) -> None:
        """Leave the table's buttons open."""


class _Clock:
    """The current table's clock; while no frame has been taken, a sleep later than 3 s presses confirm."""

    def __init__(self, street: Street) -> None:
        self._street = street

    def now(self) -> float:
        return self._street.evening.clock.now()

    def sleep(self, seconds: float) -> None:
        self._street.evening.clock.sleep(seconds)
        if self._street.evening.camera.taken == 0 and self.now() > 3.0:
            self._street.evening.controls.press(Button.CONFIRM)


def _whole_game(history: History) -> list[Decision]:
    """Play at random to the end; return all decisions."""
    rng = np.random.default_rng(SEED)
    while not history.state.finished:
        legal = list(legal_decisions(history.state))
        history.apply(legal[int(rng.integers(len(legal)))])
    return list(history.decisions)


@pytest.fixture
def street() -> Street:
    return Street()


@pytest.fixture
def service(tmp_path: Path, street: Street) -> Iterator[Service]:
    config = replace(Config(), camera=WebcamDriver(), controls=GpioDriver())
    config = config.with_game(replace(config.of(PatchworkSettings), market=street.evening.setup.market))
    host = Host(config, TABLE_NAME, PATCHWORK, games(), by_hand=False)
    notifier = Notifier({}, SimulatedClock().now)
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        yield Service(config, street.openers(), journal, None, notifier, host, listeners=(street.on_event,))


def test_after_a_finished_game_the_next_begins_with_a_press(
    service: Service, street: Street, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "LINGER_S", 1.0)
    journal = service.journal
    with pytest.raises(Stop):
        service.play_next()
    assert street.opened == [(1, 0)]
    history = History(journal.setup(1, PATCHWORK.codec))
    history.apply(journal.decisions(1, PATCHWORK.codec)[0])
    decisions = _whole_game(history)[:-LEFT]
    for number, decision in enumerate(decisions[1:], start=2):
        journal.append(1, number, decision)

    # After a power cut the game resumes close to its end.
    street.sit_down()
    street.stops_after = 0
    street.evening.resume_from(decisions)
    assert service.play_next()
    assert street.opened[1:] == [(1, len(decisions))]
    assert {game.game_id: game.finished for game in journal.games()} == {1: True}

    # The table is cleared for a game of other players.
    street.sit_down()
    street.taken, street.stops_after = 0, 1
    with pytest.raises(Stop):
        service.play_next()
    assert street.evening.clock.now() > 3.0, "nobody's frames were looked at before somebody pressed"
    assert street.opened[2:] == [(2, 0)]
    (decision,) = journal.decisions(2, PATCHWORK.codec)
    begun = History(journal.setup(2, PATCHWORK.codec))
    begun.apply(decision)
    assert street.evening.table.quilts() == tuple(rows_of(seat.quilt) for seat in begun.state.seats)
