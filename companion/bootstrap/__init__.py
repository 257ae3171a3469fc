"""The composition root: puts the parts together. It alone knows which hardware there is."""

from companion.bootstrap.attached import Attached
from companion.bootstrap.evening import PlayedEvening
from companion.bootstrap.host import Host, Sitting, as_calibrated, calibration_path, cut_off
from companion.bootstrap.real import TABLE_NAME, need_a_table, play_table
from companion.bootstrap.replaying import replay_recording
from companion.bootstrap.simulating import simulate
from companion.bootstrap.simulation import SimulationOptions, table_name
from companion.bootstrap.virtual import VirtualTable

__all__ = [
    "TABLE_NAME",
    "Attached",
    "Host",
    "PlayedEvening",
    "SimulationOptions",
    "Sitting",
    "VirtualTable",
    "as_calibrated",
    "calibration_path",
    "cut_off",
    "need_a_table",
    "play_table",
    "replay_recording",
    "simulate",
    "table_name",
]
