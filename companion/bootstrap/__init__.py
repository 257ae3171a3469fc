"""The composition root: puts the parts together. It alone knows which hardware there is."""

from companion.bootstrap.attached import Attached
from companion.bootstrap.evening import PlayedEvening
from companion.bootstrap.replaying import replay_recording
from companion.bootstrap.simulating import SimulationOptions, simulate, table_name

__all__ = ["Attached", "PlayedEvening", "SimulationOptions", "replay_recording", "simulate", "table_name"]
