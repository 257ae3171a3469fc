"""The play of one game at one table: the only composition, for all games and devices."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from companion.config import Config
from companion.languages import reason
from companion.play.at_table import AtTable, Attached, Company, truth_at
from companion.play.evening import Evening, EveningResult
from companion.play.game import Game
from companion.play.loop import TurnLoop
from companion.play.memory import clear_away
from companion.play.sitting import Sitting, replayed_history
from companion.play.speaker import Speaker, voice_language
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from companion.journal import Book


class Devices(Protocol):
    """The opening of a table's devices: real ones, or simulated ones with simulated people."""

    def open(self, sitting: Sitting, book: Book, stack: ExitStack) -> AtTable:
        """Open all devices for a game; if one fails, those opened before it are closed.

        Args:
            sitting: the game.
            book: the journal, in its state before the game.
            stack: closes the devices at the end of the evening.

        Raises:
            HardwareError: a device cannot be opened.
            CompanionError: there is no such table, or a recording cannot be written to the folder.
        """


def play(sitting: Sitting, devices: Devices, book: Book, folder: Path, company: Company) -> EveningResult:
    """Play a game until its frames end, and return its outcome.

    Args:
        sitting: the game.
        devices: the devices of the table.
        book: the journal.
        folder: the folder of the journal and of all files of its games.
        company: the outside participants.

    Raises:
        HardwareError: a device cannot be opened.
        JournalError: a decision cannot be written.
        CompanionError: the game cannot be begun or resumed at this table.
    """
    try:
        return _played(sitting, devices, book, folder, company)
    finally:
        clear_away()


def _played(sitting: Sitting, devices: Devices, book: Book, folder: Path, company: Company) -> EveningResult:
    game, config = sitting.game, sitting.config
    with ExitStack() as stack:
        at = devices.open(sitting, book, stack)
        # Begun after everything that may fail: a missing camera must not leave a game in the journal.
        number = sitting.game_id or game.begin(book, at.name, _setup(game, config, at), config, at.seed)
        history = replayed_history(game, book, number)
        attached_desk = _desk(company.attached, game)
        desk = company.desk or attached_desk
        if at.people is not None:
            # Before the first frame, which must show the table as the interrupted game left it.
            at.people.resume(history)
            at.people.settle(desk)
        speaker = Speaker(at.voice, voice_language(config, os.environ), game.spoken)
        if company.attached is not None and company.attached.voice is not None:
            company.attached.voice.set_speaker(speaker)
        evening = Evening(
            config=config,
            at=at,
            book=book,
            game_id=number,
            history=history,
            folder=folder,
            transcript=game.transcript(),
            company=replace(company, listeners=(*company.listeners, speaker)),
            whose_turn=game.whose_turn,
            desk=desk,
        )
        table = game.table(evening)
        return _outcome_of(game, evening, table, _run(table))


def _desk(attached: Attached | None, game: Game) -> Any:
    """Return the attached desk of this game, after all desks have stopped serving the game before."""
    desks = {} if attached is None else attached.desks
    for desk in desks.values():
        desk.leave()
    return desks.get(game.name)


def _setup(game: Game, config: Config, at: AtTable) -> Any:
    return game.setup(config) if at.setup is None else at.setup


def _run(table: TurnLoop[Any]) -> str | None:
    """Run the turn loop, and return the fault of a device, or None."""
    try:
        table.run()
    except HardwareError as error:
        return reason(error)
    return None


def _outcome_of(game: Game, evening: Evening, table: TurnLoop[Any], error: str | None) -> EveningResult:
    people, transcript = evening.at.people, evening.transcript
    gave_up = people is not None and people.gave_up
    if people is not None and gave_up:
        error = people.complaint(evening.history, transcript.complaints)
    return EveningResult(game.codec, evening.history, transcript, error, truth_at(evening.at, table), gave_up)
