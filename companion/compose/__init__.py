"""Composition: the devices by name, and the one function that assembles a table from a game and its devices."""

from companion.compose.playing import Devices, play
from companion.compose.real import TABLE_NAME, RealTable, openers_of
from companion.compose.simulated import SimulatedDevices

__all__ = [
    "TABLE_NAME",
    "Devices",
    "RealTable",
    "SimulatedDevices",
    "openers_of",
    "play",
]
