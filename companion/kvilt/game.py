"""Kvilt's implementation of `Game`."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from companion.games.kvilt import Setup, State
from companion.kvilt.codec import KVILT as CODEC
from companion.kvilt.codec import KviltTranscript
from companion.kvilt.settings import KviltSettings
from companion.languages import Sentence, said
from companion.play.game import Game, SimulatedParts

if TYPE_CHECKING:
    from companion.config import Config
    from companion.journal import Journal
    from companion.kvilt.page.interface import KviltPage
    from companion.kvilt.settings import KviltArrangement
    from companion.kvilt.table.turn_loop import KviltTable
    from companion.kvilt.terminal.interface import KviltTerminal
    from companion.play.evening import Evening
    from companion.play.simulation import Simulation


class Kvilt(Game):
    """A game of two to four players, each of whom colours a printed sheet."""

    title = "Kvilt"
    codec = CODEC
    settings = KviltSettings

    def arrangement(self, config: Config) -> KviltArrangement:
        """See `Game`."""
        # Imported where it is used, here and below: lists and replays of games need neither cameras nor pages.
        from companion.kvilt.settings import KviltArrangement  # noqa: PLC0415

        return KviltArrangement.of(config)

    def setup(self, config: Config) -> Setup:
        """See `Game`."""
        return config.of(KviltSettings).setup()

    def first_notes(self, setup: Setup, config: Config, seed: int | None) -> dict[str, str]:
        """See `Game`: the bag from which pencils are drawn."""
        from companion.kvilt.table.offering import BAG_NOTE, RealBag, VirtualBag, bag_text  # noqa: PLC0415

        del setup
        is_real = config.of(KviltSettings).bag == "real"
        bag = RealBag() if is_real else VirtualBag(secrets.randbits(63) if seed is None else seed)
        return {BAG_NOTE: bag_text(bag)}

    @property
    def begin_says(self) -> Sentence:
        """See `Game`; a sentence of its own, because the game's name is declined in some languages."""
        return said("Press confirm: a new game of Kvilt begins.")

    def transcript(self) -> KviltTranscript:
        """See `Game`."""
        from companion.kvilt.codec import KviltTranscript  # noqa: PLC0415

        return KviltTranscript()

    def table(self, evening: Evening) -> KviltTable:
        """See `Game`."""
        from companion.kvilt.assembling import kvilt_table  # noqa: PLC0415

        return kvilt_table(evening)

    def whose_turn(self, state: State) -> str:
        """See `Game`."""
        from companion.kvilt.words import turn_sentence  # noqa: PLC0415

        return turn_sentence(state)

    def simulated(self, simulation: Simulation, config: Config, book: Journal, game_id: int | None) -> SimulatedParts:
        """See `Game`."""
        from companion.kvilt.simulated import simulated_table  # noqa: PLC0415

        return simulated_table(simulation, config, book, game_id)

    def simulated_name(self, simulation: Simulation, config: Config) -> str:
        """See `Game`."""
        from companion.kvilt.simulated import table_name  # noqa: PLC0415

        return table_name(simulation, config)

    @property
    def page(self) -> KviltPage:
        """See `Game`."""
        from companion.kvilt.page import KVILT_PAGE  # noqa: PLC0415

        return KVILT_PAGE

    @property
    def terminal(self) -> KviltTerminal:
        """See `Game`."""
        from companion.kvilt.terminal.interface import KviltTerminal  # noqa: PLC0415

        return KviltTerminal()


KVILT: Game = Kvilt()
