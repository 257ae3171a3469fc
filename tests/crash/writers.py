"""Initial files of a data folder for commands that are killed while writing, and checks of the files afterwards."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from calibration.stored import CalibrationError, load_calibration
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.arrangement import dealt_market
from companion.patchwork.codec import PATCHWORK
from companion.record import replay_record
from companion.registry import codecs
from companion.upkeep.backup.manifest import Places
from companion.upkeep.backup.writing import back_up
from tests.companion.journal.earlier import DECISIONS, NOTES
from tests.crash.announced import LostError, opened

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from tests.crash.program import Run

_PICTURE: Final = "pictures/1-end.jpg"
_OLD: Final = "what was there before\n"


@dataclass(frozen=True, slots=True)
class ThreeGames:
    """A journal with three games.

    Args:
        texts: the decisions of each game.
    """

    texts: tuple[tuple[str, ...], ...]

    @classmethod
    def played(cls, rng: random.Random, decisions: int = 12) -> ThreeGames:
        """Return one with random games."""
        return cls(tuple(_played(rng, game, decisions) for game in (1, 2, 3)))

    def lay(self, data: Path) -> None:
        """Write the journal."""
        with Journal(data / JOURNAL_NAME, codecs()) as book:
            for number, texts in enumerate(self.texts, start=1):
                _lay_game(book, number, texts)

    def check(self, data: Path, run: Run) -> None:
        """Check that games and players not deleted are unchanged.

        Raises:
            LostError: data are missing, or a deleted game is left in part.
        """
        opened(data / JOURNAL_NAME)
        with Journal(data / JOURNAL_NAME, codecs()) as book:
            if book.findings:
                raise LostError(f"called damaged: {book.findings}")
            there = {game.game_id: game for game in book.check()}
            stored = {number: _texts(book, number) for number in there}
        if set(there) not in ({1, 2, 3}, {1, 3}):
            raise LostError(f"these games are left: {sorted(there)}")
        if any(stored[number] != self.texts[number - 1] for number in there):
            raise LostError("a game is another one")
        if not {game.players for game in there.values()} <= {("Anna", "Boris"), ("Seat 1", "Boris")}:
            raise LostError(f"{[game.players for game in there.values()]}")
        if not run.was_killed and run.status:
            raise LostError(run.says)


@dataclass(frozen=True, slots=True)
class Restoration:
    """A data folder with games, and a backup of others that replaces them.

    Args:
        old: the games that are there.
        new: the games in the backup.
        backup: the backup's file; written by `save`.
    """

    old: ThreeGames
    new: ThreeGames
    backup: Path

    @property
    def line(self) -> tuple[str, ...]:
        """The command line."""
        return ("restore", str(self.backup), "--replace", "--without-config")

    def save(self, folder: Path) -> None:
        """Write the backup, of games in an empty folder."""
        _lay_picture(folder, self.new)
        back_up(Places(folder, None), self.backup, datetime.now(UTC))

    def lay(self, data: Path) -> None:
        """Write the games that are there."""
        _lay_picture(data, self.old)

    def check(self, data: Path, run: Run) -> None:
        """Check that the old games or the new ones are there with their pictures, and the old ones in any case.

        Raises:
            LostError: games are missing or mixed, or an interrupted restoration has left something.
        """
        with Journal(data / JOURNAL_NAME, codecs()) as book:
            says, there = list(map(str, book.findings)), [_texts(book, game.game_id) for game in book.check()]
        is_new = there == list(self.new.texts)
        if says or not (is_new or there == list(self.old.texts)):
            raise LostError(f"neither the old games nor the new ones: {says} {list(map(len, there))}")
        if (data / _PICTURE).read_text() != str(hash((self.new if is_new else self.old).texts)):
            raise LostError("the pictures of other games")
        if is_new:
            (aside,) = data.glob("before-restore-*/")
            with Journal(aside / JOURNAL_NAME, codecs(), read_only=True) as book:
                if [_texts(book, game.game_id) for game in book.games()] != list(self.old.texts):
                    raise LostError("the old games are gone")
        if remains := [path.name for path in data.iterdir() if path.name.startswith(".rest")]:
            raise LostError(f"left behind: {remains}")
        if not run.was_killed and (run.status or not is_new):
            raise LostError(run.says)


def _lay_picture(data: Path, games: ThreeGames) -> None:
    games.lay(data)
    (data / _PICTURE).parent.mkdir()
    (data / _PICTURE).write_text(str(hash(games.texts)))


def check_taken_over(data: Path, run: Run) -> None:
    """Check that all games of a journal in the former format are there.

    Raises:
        LostError: data are missing.
    """
    del run
    for _ in range(2):
        with Journal(data / JOURNAL_NAME, codecs()) as book:
            games = {game.game_id: game.decisions for game in book.check() if game.error is None}
            notes = {number: book.notes(number) for number in DECISIONS if number in games}
            says = [str(each) for each in book.findings if "of an earlier version" not in str(each)]
        if says or not games.items() >= DECISIONS.items() or notes != NOTES:
            raise LostError(f"the games of the former format are gone: {says} {games} {notes}")


def _texts(book: Journal, game_id: int) -> tuple[str, ...]:
    lines, _ = book.record(game_id)
    return tuple(lines[1:])


def lay_old(path: Path) -> None:
    """Write an old file, which is to be replaced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_OLD, encoding="utf-8")


def check_calibration(path: Path, run: Run) -> None:
    """Check that a calibration is the old file or the complete new one.

    Raises:
        LostError: it is neither.
    """
    if _is_old(path, run):
        return
    try:
        load_calibration(path)
    except CalibrationError as error:
        raise LostError(f"half a calibration: {error}") from error


def check_record(path: Path, run: Run, texts: tuple[str, ...]) -> None:
    """Check that an exported game is the old file or the complete new one.

    Raises:
        LostError: it is neither.
    """
    if _is_old(path, run):
        return
    replayed = replay_record(path, PATCHWORK)
    found = tuple(json.dumps(PATCHWORK.decision_to_json(each)) for each in replayed.decisions)
    if replayed.error is not None or found != texts:
        raise LostError(f"half a record: {replayed.error}")


def lay_game(data: Path, texts: tuple[str, ...]) -> None:
    """Write a journal in the current format with one game."""
    with Journal(data / JOURNAL_NAME, codecs()) as book:
        _lay_game(book, 1, texts)


def _lay_game(book: Journal, seed: int, texts: tuple[str, ...]) -> None:
    game_id = book.new_game(_setup(seed), "table")
    for sequence, text in enumerate(texts, start=1):
        book.append(game_id, sequence, PATCHWORK.decision_from_json(json.loads(text)))


def _is_old(path: Path, run: Run) -> bool:
    """Return whether a file is unchanged.

    Raises:
        LostError: it is, although the command was not killed.
    """
    is_old = path.read_bytes() == _OLD.encode()
    if is_old and not run.was_killed:
        raise LostError(f"{path.name} was not written: {run.says}")
    return is_old


def _setup(seed: int) -> Setup:
    return Setup(players=("Anna", "Boris"), market=dealt_market(seed))


def _played(rng: random.Random, seed: int, decisions: int) -> tuple[str, ...]:
    history = History(_setup(seed))
    for _ in range(decisions):
        history.apply(legal_decisions(history.state).pick(rng))
    return tuple(json.dumps(PATCHWORK.decision_to_json(decision)) for decision in history.decisions)
