"""The parameters of a simulated evening, and a table that remote users move by hand."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from companion.config import Config, SimulationConfig

# Frames per simulated second of an unwatched evening: enough for every rest to be seen.
_FAST_FPS: Final = 5.0
WATCHED_FPS: Final = 10.0
"""Frames per simulated second of a watched table: those of a real camera, by default."""


class MovedByHand(Protocol):
    """A table that remote users move by hand."""

    def take_over(self, kinds: tuple[type, ...]) -> Any:
        """Return the queue of moves of these kinds; moves of other kinds are refused from now on."""

    def show(self, tabletop: Any) -> None:
        """Publish the table's contents; called from the thread of the turn loop."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The parameters of a simulated evening.

    Attributes:
        seed: the seed of the table, the players and all other randomness.
        tempers: the tempers of the seats; the last one applies to all further seats.
        fast: whether to run as fast as possible, with only the frames that matter; otherwise at a watchable pace.
        record: the folder of the table recording to write; None for none.
        by_hand: the table that remote users move by hand; None if it has simulated players.
        watched_fps: the number of frames per simulated second while users watch.
    """

    seed: int
    tempers: tuple[str, ...] = ("tidy",)
    fast: bool = False
    record: Path | None = None
    by_hand: MovedByHand | None = None
    watched_fps: float = WATCHED_FPS

    @property
    def fps(self) -> float:
        """The number of frames per simulated second."""
        return _FAST_FPS if self.fast and self.by_hand is None else self.watched_fps

    @property
    def is_paced(self) -> bool:
        """True if frames come no faster than the wall clock."""
        return not self.fast


def by_hand_name(seed: int, config: Config) -> str:
    """Return the name in the journal of a table that remote users move by hand, the same for every game."""
    return f"virtual {seed}{table_traits(config)}"


def table_traits(config: Config) -> str:
    """Return the part of a table's name that describes its traits, because a calibration holds for one table only."""
    table = config.simulation.table
    traits = "" if table == SimulationConfig().table else f" {table}"
    return traits if config.table.boards == "mats" else f"{traits} without mats"
