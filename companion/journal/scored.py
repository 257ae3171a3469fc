"""Games that were scored from photographs: one file each, with the players and the points, without any decisions."""

import os
import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.durable import read_bytes, sync_folder, write_whole
from companion.journal.errors import StorageError, UnknownGameError
from companion.languages import system_says
from companion.ownership import as_owner_of

SCORED_NAME: Final = "scored"
"""The folder in the data folder."""
_NAME: Final = re.compile(r"([1-9][0-9]{0,8})\.json")
_LARGEST_BYTES: Final = 1 << 20


class ScoredGame(msgspec.Struct, frozen=True, kw_only=True):
    """A scored game.

    Attributes:
        number: its number among the scored games, from 1.
        game: the game's name in records.
        scored_at: the time, in ISO 8601.
        players: the names, by seat; an empty one was not said.
        scores: the points, by seat.
        sheet: what the page needs to show it again.
        format: the version of the file.
    """

    number: int
    game: str
    scored_at: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    sheet: dict[str, Any] = {}
    format: int = 1


class ScoredGames:
    """The scored games of a data folder. Every call reads the folder, so that any thread or process may use it.

    Args:
        folder: the data folder.
    """

    def __init__(self, folder: Path) -> None:
        self._data, self._folder = folder, folder / SCORED_NAME

    def all(self) -> Sequence[ScoredGame]:
        """Return the games, the newest first; a file that cannot be read is left out."""
        found = (self._read(number) for number in sorted(self._numbers(), reverse=True))
        return [game for game in found if game is not None]

    def keep(
        self,
        game: str,
        scored_at: datetime,
        players: tuple[str, ...],
        scores: tuple[int, ...],
        sheet: dict[str, Any],
        pictures: Sequence[bytes] = (),
    ) -> ScoredGame:
        """Store a game, with its pictures as JPEG if its owner keeps them, and return it.

        Raises:
            StorageError: it cannot be stored.
        """
        try:
            with as_owner_of(self._data):
                self._folder.mkdir(parents=True, exist_ok=True)
                number = max(self._numbers(), default=0) + 1
                for place, picture in enumerate(pictures, start=1):
                    write_whole(self._picture(number, place), picture)
                kept = ScoredGame(number=number, game=game, scored_at=scored_at.isoformat(timespec="seconds"),
                                  players=players, scores=scores, sheet=sheet)  # fmt: skip
                self._write(kept)
        except OSError as error:
            raise StorageError.said("nothing was stored: {fault}", fault=system_says(error)) from error
        return kept

    def still_has(self, game: ScoredGame) -> bool:
        """Return whether a game has not been deleted, whatever was corrected in it; numbers are used again."""
        there = self._read(game.number)
        return there is not None and there.scored_at == game.scored_at

    def pictures(self, number: int) -> Sequence[Path]:
        """Return the files of a game's pictures."""
        return sorted(self._folder.glob(f"{number}-*.jpg"))

    def delete(self, number: int) -> None:
        """Delete a game permanently, with its pictures.

        Raises:
            UnknownGameError: it does not exist.
            StorageError: a file cannot be deleted; the game still exists then.
        """
        if number not in self._numbers():
            raise UnknownGameError(number)
        try:
            # The game goes last: the deletion can be repeated while it is listed.
            for path in (*self.pictures(number), self._path(number)):
                path.unlink(missing_ok=True)
            sync_folder(self._folder)
        except OSError as error:
            raise StorageError.said(
                "{path}: cannot be deleted: {fault}", path=str(self._path(number)), fault=system_says(error)
            ) from error

    def with_player(self, name: str) -> Sequence[ScoredGame]:
        """Return the games in which a player of this name took part."""
        return [game for game in self.all() if name in game.players]

    def forget(self, name: str) -> int:
        """Remove a player's name from all games; return the number of games changed.

        Raises:
            StorageError: a game cannot be written.
        """
        found = self.with_player(name)
        try:
            for game in found:
                players = tuple("" if player == name else player for player in game.players)
                with as_owner_of(self._data):
                    self._write(msgspec.structs.replace(game, players=players))
        except OSError as error:
            raise StorageError.said("nothing was stored: {fault}", fault=system_says(error)) from error
        return len(found)

    def _numbers(self) -> set[int]:
        names = os.listdir(self._folder) if self._folder.is_dir() else []  # noqa: PTH208
        return {int(match[1]) for name in names if (match := _NAME.fullmatch(name))}

    def _read(self, number: int) -> ScoredGame | None:
        try:
            return msgspec.json.decode(read_bytes(self._path(number), _LARGEST_BYTES), type=ScoredGame)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None

    def _write(self, game: ScoredGame) -> None:
        write_whole(self._path(game.number), msgspec.json.encode(game))

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.json"

    def _picture(self, number: int, place: int) -> Path:
        return self._folder / f"{number}-{place}.jpg"
