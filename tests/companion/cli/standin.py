"""Plays evenings at simulated tables in no time, in place of the whole composition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.compose.playing import SimulatedDevices
from companion.journal import Journal
from companion.play.events import DecisionTaken
from companion.play.host import replayed_history
from companion.play.session import GameResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from companion.compose.playing import Devices
    from companion.config import Config
    from companion.games.patchwork.rules import History
    from companion.play.host import NextGame
    from companion.play.session import Participants, Simulation


@dataclass(frozen=True)
class Asked:
    """The arguments of one call of `StandIn`.

    Attributes:
        config: the configuration at the beginning of the game.
        simulation: the evening to simulate.
        game_id: the game to resume; None for a new one.
        setup: the game's setup, as the journal stores it.
        company: the evening's company.
    """

    config: Config
    simulation: Simulation
    game_id: int | None
    setup: Any
    company: Participants


class StandIn:
    """A fake `companion.compose.play` for simulated tables that records its calls.

    Args:
        decides: a function that returns an evening's decisions, given the game's history and the simulation.
        truth: what the result says really lies on the table.

    Attributes:
        asked: the calls, in order.
        error: the error that ends every evening early; None for none.
        gave_up: whether the evening ends because its players gave up.
    """

    def __init__(self, decides: Callable[[Any, Simulation], Iterable[Any]], truth: Mapping[str, Any]) -> None:
        self._decides, self._truth = decides, truth
        self.asked: list[Asked] = []
        self.error: str | None = None
        self.gave_up = False

    def __call__(
        self, sitting: NextGame, devices: Devices, book: Journal, folder: Path, company: Participants, _host: object
    ) -> GameResult:
        """See `companion.compose.play`."""
        assert isinstance(devices, SimulatedDevices)
        assert isinstance(book, Journal)
        assert folder == book.path.parent
        game, config, simulation = sitting.game, sitting.config, devices.simulation
        number = sitting.game_id
        if number is None:
            # The table's name is the one under which an unfinished game is searched for.
            by_hand = simulation.by_hand is not None
            name = f"virtual {simulation.seed}" if by_hand else game.simulated_name(simulation, config)
            setup = game.setup(config)
            number = book.new_game(setup, name, game.first_notes(setup, config, simulation.seed))
        history: History = replayed_history(game, book, number)
        self.asked.append(Asked(config, simulation, sitting.game_id, history.setup, company))
        for decision in self._decides(history, simulation):
            outcome = history.apply(decision)
            book.append(number, len(history.decisions), decision)
            for listener in company.listeners:
                listener(DecisionTaken(decision, outcome.facts, outcome.state))
        return GameResult(game.codec, history, game.transcript(), self.error, self._truth, self.gave_up)
