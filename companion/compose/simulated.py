"""The simulated table: simulated devices, with simulated players or remote users who move the material by hand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from companion.compose.devices import open_voice
from companion.play.at_table import AtOnce, AtTable, Attendance
from companion.play.simulation import Simulation
from companion.play.sitting import Sitting
from hardware.recorded import RecordingCamera, RecordingWriter
from hardware.strips import DrivenStrip
from hardware.voices import SwitchedVoice

if TYPE_CHECKING:
    from companion.journal import Book


class SimulatedDevices:
    """The devices of a simulated table; see `companion.compose.playing.Devices`.

    Args:
        simulation: the parameters of the evening.
        name: the table's name in the journal; None for the one derived from the parameters.

    Attributes:
        simulation: the parameters of the evening.
    """

    def __init__(self, simulation: Simulation, name: str | None = None) -> None:
        self.simulation, self._name = simulation, name

    def open(self, sitting: Sitting, book: Book, stack: ExitStack) -> AtTable:
        """See `Devices`."""
        game, config, simulation = sitting.game, sitting.config, self.simulation
        name = self._name or game.simulated_name(simulation, config)
        table = game.simulated(simulation, config, book, sitting.game_id)
        driven = DrivenStrip(table.strip, config.strip.max_ma, 1.0, table.clock)
        strip = stack.enter_context(closing(driven))
        controls = stack.enter_context(closing(table.controls))
        camera = stack.enter_context(closing(game.camera(config, table.camera)))
        writer = None
        if simulation.record is not None:
            writer = RecordingWriter(simulation.record, game.recording_head(config, table.setup))
            camera = stack.enter_context(closing(RecordingCamera(camera, writer, table.truth)))
        # A fast evening is determined by its seed: nothing may depend on how long something takes.
        background = AtOnce() if simulation.fast else ThreadPoolExecutor(1, "background")
        # As at a real table, nothing needs the results of work that is not finished at the end of a game.
        stack.callback(background.shutdown, wait=False, cancel_futures=True)
        return AtTable(
            name=name,
            setup=table.setup,
            clock=table.clock,
            camera=camera,
            controls=controls,
            strip=strip,
            attend=lambda *_: Attendance(controls, ticks=(table.people.tick,), listeners=(table.people.on_event,)),
            voice=stack.enter_context(closing(SwitchedVoice({}) if simulation.fast else open_voice(config))),
            background=background,
            writer=writer,
            people=table.people,
            seed=simulation.seed,
        )
