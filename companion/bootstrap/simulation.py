"""Which simulated evening it is, of either game, and the name of its table in the journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.bootstrap.arrangement import Circle
from hardware.simulated.tables import ORDINARY

if TYPE_CHECKING:
    from pathlib import Path

    from companion.games.kvilt import Setup


@dataclass(frozen=True, slots=True)
class SimulationOptions:
    """Which simulated evening it is.

    Attributes:
        seed: of the table, the circle and the players.
        tempers: of seat 1 and seat 2.
        fast: as fast as it can, with only the frames that matter; else at a pace to watch.
        record: the folder of the table recording to write, None for none.
        mats: whether mats lie under the boards; else the boards are found by themselves.
        circle: how the companion knows the circle.
        by_hand: nobody simulated sits there; people move by hand what lies on the table. Then tempers do not count.
        table: its name in `hardware.simulated.tables`.
    """

    seed: int
    tempers: tuple[str, str]
    fast: bool
    record: Path | None = None
    mats: bool = True
    circle: Circle = Circle.DEALT
    by_hand: bool = False
    table: str = ORDINARY


def table_name(options: SimulationOptions) -> str:
    """The name of this table in the journal; the same evening finds its unfinished game by it."""
    people = "virtual {seed}" if options.by_hand else "simulated {seed} {tempers[0]} {tempers[1]}"
    name = people.format(seed=options.seed, tempers=options.tempers)
    # People may have another circle in the next game: it stands in the game, not in the table's name.
    name = name if options.by_hand or options.circle is Circle.DEALT else f"{name} circle {options.circle}"
    # A calibration of one table says nothing of another one.
    name = name if options.table == ORDINARY else f"{name} {options.table}"
    return name if options.mats else f"{name} without mats"


@dataclass(frozen=True, slots=True)
class KviltSimulation:
    """Which simulated evening it is.

    Attributes:
        seed: of the sheets, the bag and the players.
        tempers: of the seats; the last one is that of all further seats.
        fast: as fast as it can, with only the frames that matter; else at a pace to watch.
        real_bag: whether pencils are drawn from a bag on the table, and told; else the companion draws.
        table: the name of the table that people play at by hand; empty where simulated players sit there.
    """

    seed: int
    tempers: tuple[str, ...] = ("tidy",)
    fast: bool = False
    real_bag: bool = False
    table: str = ""


def kvilt_table_name(options: KviltSimulation, setup: Setup) -> str:
    """The name of this table in the journal; the same evening finds its unfinished game by it."""
    if options.table:
        return options.table
    words = ["simulated kvilt", str(options.seed), f"{setup.seats} seats", *options.tempers, *sorted(setup.variants)]
    return " ".join([*words, "real bag"] if options.real_bag else words)
