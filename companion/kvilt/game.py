"""Kvilt at the table, as a value."""

import os
import secrets
from typing import Final

from companion.config import Config
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.state import Setup, State
from companion.journal import Journal
from companion.kvilt import words
from companion.kvilt.assembling import kvilt_table
from companion.kvilt.codec import KviltTranscript
from companion.kvilt.entry import KVILT_ENTRY
from companion.kvilt.page.interface import KVILT_PAGE
from companion.kvilt.page.photographs import PHOTOGRAPHS
from companion.kvilt.settings import KviltArrangement, KviltSettings
from companion.kvilt.table.offering import BAG_NOTE, RealBag, VirtualBag, bag_text
from companion.kvilt.terminal.pictures import picture_after
from companion.kvilt.terminal.score import score
from companion.languages import said
from companion.play.game import Game, SimulatedParts, TerminalParts
from companion.play.session import Simulation
from companion.play.speaker import voice_language


def _first_notes(setup: Setup, config: Config, seed: int | None) -> dict[str, str]:
    """Return the note of the bag from which pencils are drawn."""
    del setup
    is_real = config.of(KviltSettings).bag == "real"
    bag = RealBag() if is_real else VirtualBag(secrets.randbits(63) if seed is None else seed)
    return {BAG_NOTE: bag_text(bag)}


def _simulated(simulation: Simulation, config: Config, journal: Journal, game_id: int | None) -> SimulatedParts:
    # It draws whole tables, which a real one does without.
    from companion.kvilt.simulated import simulated_table  # noqa: PLC0415

    return simulated_table(simulation, config, journal, game_id)


def _simulated_name(simulation: Simulation, config: Config) -> str:
    from companion.kvilt.simulated import table_name  # noqa: PLC0415

    return table_name(simulation, config)


KVILT: Final[Game[Setup, Decision, State]] = Game(
    entry=KVILT_ENTRY,
    page=KVILT_PAGE,
    terminal=TerminalParts(lines=words.sentences, picture=picture_after, score=score),
    arrangement=KviltArrangement.of,
    setup=lambda config: config.of(KviltSettings).setup(voice_language(config, os.environ)),
    table=kvilt_table,
    transcript=KviltTranscript,
    whose_turn=words.turn_sentence,
    simulated=_simulated,
    simulated_name=_simulated_name,
    # A sentence of its own, because the game's name is declined in some languages.
    begin_says=said("Press confirm: a new game of Kvilt begins."),
    spoken=words.spoken,
    first_notes=_first_notes,
    photographs=PHOTOGRAPHS,
)
