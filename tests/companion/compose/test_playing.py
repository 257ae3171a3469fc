"""Test what every composition of a table does, whatever its devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.compose.playing import RealTable, SimulatedDevices, play
from companion.config import Config
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import MemoryJournal
from companion.kvilt.game import KVILT
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.seen import CircleSighting, SeenMarket
from companion.patchwork.game import PATCHWORK
from companion.play.host import NextGame
from companion.play.inbox import Inbox
from companion.play.session import DeviceFactory, Participants, RemoteParticipant, Simulation
from companion.registry import codecs
from hardware.drivers.none import NoControls
from hardware.ports import Frame
from hardware.simulated.devices import SimulatedClock, SimulatedLightStrip
from hardware.strips import ResilientStrip

if TYPE_CHECKING:
    from pathlib import Path

    from companion.compose.playing import Devices
    from companion.play.events import Event


@pytest.fixture
def circle() -> CircleDesk:
    """A desk with a circle laid out, left by a game of Patchwork."""
    desk, history = CircleDesk(), History(Setup())
    desk.begin(history, history.know_market, lambda _: None)
    pieces = [CircleSighting(patch, np.zeros((4, 2)), (0.0, 0.0), ((patch, 1.0),), sure=False) for patch in PATCHES]
    desk.lay_out(SeenMarket(tuple(pieces), None, "domino"), np.zeros((6, 8, 3), np.uint8))
    assert desk.laid is not None
    return desk


class _Dark:
    """A camera that sees nothing."""

    def capture(self) -> Frame:
        return Frame(np.zeros((40, 60, 3), np.uint8), 0.0, "dark.jpg")

    def close(self) -> None: ...


def _real() -> RealTable:
    clock = SimulatedClock()
    return RealTable(
        DeviceFactory(
            clock,
            lambda *_: _Dark(),
            NoControls,
            lambda say: ResilientStrip(lambda: SimulatedLightStrip(60), 60, clock, say),
        )
    )


@pytest.mark.parametrize("devices", [SimulatedDevices(Simulation(8, fast=True)), _real()], ids=["simulated", "real"])
def test_a_circle_that_lay_out_before_is_put_away(circle: CircleDesk, devices: Devices, tmp_path: Path) -> None:
    def leave(event: Event) -> None:
        raise BrokenPipeError(event)

    attached = RemoteParticipant(Inbox(), lambda *_: None, desks={PATCHWORK.name: circle})
    company = Participants(listeners=(leave,), remote=attached)
    with pytest.raises(BrokenPipeError):
        play(NextGame(KVILT, Config()), devices, MemoryJournal(codecs()), tmp_path, company)
    assert circle.laid is None
