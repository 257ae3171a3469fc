"""Plays evenings at simulated tables in no time, in place of the whole composition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.compose import SimulatedDevices
from companion.journal import Journal
from companion.play.evening import EveningResult
from companion.play.events import DecisionTaken
from companion.play.sitting import replayed_history

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from companion.compose import Devices
    from companion.config import Config
    from companion.games.patchwork import History
    from companion.journal import Book
    from companion.play.attached import Company
    from companion.play.simulation import Simulation
    from companion.play.sitting import Sitting


@dataclass(frozen=True)
class Asked:
    """An evening that was asked for.

    Attributes:
        config: as the game begins.
        simulation: which evening.
        game_id: the game that goes on; None for a new one.
        setup: how the game begins, as the journal has it.
        company: who takes part.
    """

    config: Config
    simulation: Simulation
    game_id: int | None
    setup: Any
    company: Company


class StandIn:
    """Stands in for `companion.compose.play` at simulated tables, and keeps what it was asked for.

    Args:
        decides: the decisions of an evening; given the game as the journal has it, and which evening it is.
        truth: what lies on the table then.

    Attributes:
        asked: the evenings, in their order.
        error: what ends every evening early; None for nothing.
        gave_up: whether that is because its players gave up.
    """

    def __init__(self, decides: Callable[[Any, Simulation], Iterable[Any]], truth: Mapping[str, Any]) -> None:
        self._decides, self._truth = decides, truth
        self.asked: list[Asked] = []
        self.error: str | None = None
        self.gave_up = False

    def __call__(self, sitting: Sitting, devices: Devices, book: Book, folder: Path, company: Company) -> EveningResult:
        """See `companion.compose.play`."""
        assert isinstance(devices, SimulatedDevices)
        assert isinstance(book, Journal)
        assert folder == book.path.parent
        game, config, simulation = sitting.game, sitting.config, devices.simulation
        number = sitting.game_id
        if number is None:
            # A table has the name under which its unfinished game is looked for.
            by_hand = simulation.by_hand is not None
            name = f"virtual {simulation.seed}" if by_hand else game.simulated_name(simulation, config)
            number = game.begin(book, name, game.setup(config), config, simulation.seed)
        history: History = replayed_history(game, book, number)
        self.asked.append(Asked(config, simulation, sitting.game_id, history.setup, company))
        for decision in self._decides(history, simulation):
            outcome = history.apply(decision)
            book.append(number, len(history.decisions), decision)
            for listener in company.listeners:
                listener(DecisionTaken(decision, outcome.facts, outcome.state))
        return EveningResult(game.codec, history, game.transcript(), self.error, self._truth, self.gave_up)
