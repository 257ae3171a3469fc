"""Patchwork at the table, as a value."""

import os
from pathlib import Path
from typing import Final

from calibration.stored import straightened
from companion.calibrating.configured import calibration_of, seating_of
from companion.config import Config
from companion.games.patchwork.decisions import Decision
from companion.games.patchwork.state import Setup, State
from companion.journal import Journal
from companion.languages import said
from companion.patchwork import words
from companion.patchwork.arrangement import PatchworkArrangement, first_setup, table_notes
from companion.patchwork.assembling import live_table
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.codec import PatchworkTranscript
from companion.patchwork.entry import PATCHWORK_ENTRY
from companion.patchwork.page.interface import PATCHWORK_PAGE
from companion.patchwork.page.photographs import PHOTOGRAPHS
from companion.patchwork.reading.study import StudyWriter
from companion.patchwork.recording import head_text
from companion.patchwork.replaying import replay_recording
from companion.patchwork.table import PatchworkTable
from companion.patchwork.terminal.circle import deal_if_asked
from companion.patchwork.terminal.pictures import picture_after
from companion.patchwork.terminal.score import score
from companion.patchwork.watching.clearing import BoardClearing, begins_by_clearing
from companion.patchwork.watching.profiles import KnownBoards
from companion.play.game import Game, Recordings, SimulatedParts, TerminalParts
from companion.play.session import GameResult, Session, Simulation
from companion.play.speaker import voice_language


def _clearing(config: Config) -> BoardClearing | None:
    """Return the observer of a table without buttons, at which empty boards begin the next game."""
    return BoardClearing(config.table) if begins_by_clearing(config) else None


def _table(session: Session) -> PatchworkTable:
    return live_table(session, KnownBoards.of(session.config.table))


def _simulated(simulation: Simulation, config: Config, journal: Journal, game_id: int | None) -> SimulatedParts:
    # It draws whole tables, which a real one does without.
    from companion.patchwork.simulated import simulated_table  # noqa: PLC0415

    return simulated_table(simulation, config, journal, game_id)


def _simulated_name(simulation: Simulation, config: Config) -> str:
    from companion.patchwork.simulated import table_name  # noqa: PLC0415

    return table_name(simulation, config)


def _replay(folder: Path, config: Config, explain: Path | None, hands_free: bool) -> GameResult:
    studied = None if explain is None else StudyWriter(explain).write
    return replay_recording(folder, config, hands_free=hands_free, studied=studied)


PATCHWORK: Final[Game[Setup, Decision, State]] = Game(
    entry=PATCHWORK_ENTRY,
    page=PATCHWORK_PAGE,
    terminal=TerminalParts(
        lines=words.sentences, picture=picture_after, before_game=deal_if_asked, desk=CircleDesk, score=score
    ),
    arrangement=PatchworkArrangement.of,
    setup=lambda config: first_setup(config, voice_language(config, os.environ)),
    table=_table,
    transcript=PatchworkTranscript,
    whose_turn=words.turn_sentence,
    spoken=words.spoken,
    simulated=_simulated,
    simulated_name=_simulated_name,
    begin_says=said("Place both empty boards under the camera, then press confirm: a new game begins."),
    first_notes=lambda setup, config, _: table_notes(config, setup),
    clearing=_clearing,
    # The pictures of a calibrated lens are straightened.
    camera=lambda config, camera: straightened(camera, calibration_of(config.table)),
    recordings=Recordings(
        head=lambda config, setup: head_text(setup, seating=seating_of(config.table)), replay=_replay
    ),
    photographs=PHOTOGRAPHS,
)
