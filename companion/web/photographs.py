"""Photographs that people send from the page to be read, one at a time; they are kept until they are forgotten."""

import secrets
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import IO, Any, Final

import numpy as np

from companion.calibrating.configured import ONE_PLACE, is_convex, is_one_place
from companion.config import Config
from companion.errors import CompanionError
from companion.journal.scored import ScoredGame
from companion.languages import Language, reason, render, said
from companion.play.page import Body, Json
from companion.play.photographs import AnyKind, NotFoundError, Quads
from companion.web.photographing import SHOWN, Reading
from companion.web.requests import MissingError

MOST_SHEETS: Final = 6
"""The number of games whose photographs are kept at once; with one more, the oldest is forgotten."""
IDLE_S: Final = 1800.0
"""The time without a request after which photographs are forgotten."""
# Fewer than are kept, so that none of them is forgotten unread.
_MOST_WAITING: Final = 4
_WAITS: Final = said("Waiting for another picture to be read")


@dataclass(slots=True)
class Photograph:
    """One photograph, and how far it has been read.

    Attributes:
        file: its content, in a file without a name, of which nothing is left once it is closed.
        stage: the sentence on what is being done.
        shown: the picture for people, as JPEG, or None until it has been opened.
        size: its width and height in pixels, to which all places refer.
        reading: the reading, or None until it is there.
        fault: the sentence on why there is none; empty while there is no fault.
        can_show: whether people may show where the boards are, although they were not found.
        active: the process that reads it, or None.
    """

    file: IO[bytes]
    stage: str = _WAITS
    shown: bytes | None = None
    size: tuple[int, int] | None = None
    reading: Any = None
    fault: str = ""
    can_show: bool = False
    active: Reading | None = None

    @property
    def is_done(self) -> bool:
        """True if it was read, or cannot be."""
        return self.reading is not None or bool(self.fault)

    def close(self) -> None:
        """Forget it; may be called more than once."""
        if self.active is not None:
            self.active.stop()
        self.file.close()


@dataclass(slots=True)
class SentSheet:
    """The photographs of one game.

    Attributes:
        key: its name in addresses, which nobody can guess.
        kind: what is read from them.
        entered: what people entered.
        photographs: in the order in which they were sent.
        used_at_s: the time of the last request.
        kept: the game as it was stored, or None.
    """

    key: str
    kind: AnyKind
    entered: Body
    photographs: list[Photograph] = field(default_factory=list)
    used_at_s: float = 0.0
    kept: ScoredGame | None = None

    @property
    def readings(self) -> list[Any]:
        """The readings, if all photographs have been read; otherwise empty."""
        found = [each.reading for each in self.photographs]
        return [] if any(reading is None for reading in found) else found

    @property
    def is_whole(self) -> bool:
        """True if no other photograph belongs to the game."""
        is_read_whole = bool(self.readings) and self.kind.is_whole(self.readings)
        return len(self.photographs) >= self.kind.most or is_read_whole


class PhotographDesk:
    """The photographs that people sent. Thread-safe.

    Args:
        kinds: what may be read, by name.
        config: the table's configuration.
        folder: the folder for the files without a name; None for the system's.
        clock: monotonic, in seconds.

    Attributes:
        kinds: as given.
        keeping: held while a game is stored, so that a second press on the same button stores no second one.
    """

    def __init__(
        self,
        kinds: Mapping[str, AnyKind],
        config: Config,
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.kinds, self._config, self._clock = kinds, config, clock
        self._folder = folder if folder is not None and folder.is_dir() else None
        self.keeping, self._lock = Lock(), Lock()
        self._sheets: dict[str, SentSheet] = {}
        # One process at a time: the memory of two is more than a small machine has.
        self._readers = ThreadPoolExecutor(1, "photographs")

    def file(self) -> IO[bytes]:
        """Return a file without a name for a photograph that is being sent."""
        return tempfile.TemporaryFile(dir=self._folder)

    def add(self, kind: str, file: IO[bytes], key: str | None = None) -> str:
        """Begin to read a photograph, and return the key of its game.

        Args:
            kind: the name of what is read.
            file: its content.
            key: the game to which it belongs; None for another one.

        Raises:
            MissingError: there is no such game.
            CompanionError: it has its photographs already, or too many others are waiting.
        """
        with self._lock:
            self._sweep()
            sheet = self._new(kind) if key is None else self._found(key)
            waiting = sum(not each.is_done for other in self._sheets.values() for each in other.photographs)
            is_full = len(sheet.photographs) >= sheet.kind.most or (
                sheet.readings and sheet.kind.is_whole(sheet.readings)
            )
            if waiting >= _MOST_WAITING or is_full:
                raise CompanionError.said("Too many pictures at once: wait until the others have been read.")
            self._sheets[sheet.key] = sheet
            photograph = Photograph(file)
            sheet.photographs.append(photograph)
        self._readers.submit(self._read, sheet, photograph, None)
        return sheet.key

    def read_again(self, key: str, number: int, corners: Quads) -> None:
        """Read a photograph again, with the boards where people showed them.

        Raises:
            MissingError: there is no such photograph.
        """
        with self._lock:
            sheet = self._found(key)
            if number >= len(sheet.photographs) or not sheet.photographs[number].is_done:
                raise _forgotten()
            photograph = sheet.photographs[number]
            if photograph.reading is not None:
                # Corrections were made to another reading.
                sheet.entered = sheet.kind.entered()
            photograph.reading, photograph.fault, photograph.stage = None, "", _WAITS
        self._readers.submit(self._read, sheet, photograph, corners)

    def leave_out(self, key: str, number: int) -> None:
        """Forget one photograph of a game that could not be read.

        Raises:
            MissingError: there is no such photograph.
        """
        with self._lock:
            sheet = self._found(key)
            if number >= len(sheet.photographs) or not sheet.photographs[number].fault:
                raise _forgotten()
            sheet.photographs.pop(number).close()

    def enter(self, key: str, entered: Callable[[AnyKind], Body]) -> None:
        """Store what people entered.

        Raises:
            MissingError: there is no such game.
        """
        with self._lock:
            sheet = self._found(key)
            sheet.entered = entered(sheet.kind)

    def sheet(self, key: str) -> SentSheet:
        """Return the photographs of a game.

        Raises:
            MissingError: there is no such game.
        """
        with self._lock:
            return self._found(key)

    def view(self, key: str, language: Language) -> Json:
        """Return a game's photographs, how far they have been read, and the score sheet, for the page.

        Raises:
            MissingError: there is no such game.
        """
        sheet = self.sheet(key)
        kind, readings = sheet.kind, sheet.readings
        return {
            "id": sheet.key,
            "kind": kind.name,
            "boards": kind.boards,
            "photos": [_photo_json(each, language) for each in sheet.photographs],
            "more": bool(readings) and not sheet.is_whole,
            "sheet": kind.sheet(readings, sheet.entered, language) if readings else None,
            "result": bool(readings) and kind.result(readings, sheet.entered) is not None,
            "kept": None if sheet.kept is None else sheet.kept.number,
        }

    def forget(self, key: str) -> None:
        """Forget a game's photographs and what was read from them."""
        with self._lock:
            sheet = self._sheets.pop(key, None)
        if sheet is not None:
            _close(sheet.photographs)

    def close(self) -> None:
        """Forget everything; may be called more than once."""
        with self._lock:
            keys = list(self._sheets)
        for key in keys:
            self.forget(key)
        self._readers.shutdown(wait=False, cancel_futures=True)

    def _new(self, kind: str) -> SentSheet:
        if len(self._sheets) >= MOST_SHEETS:
            oldest = min(self._sheets.values(), key=lambda sheet: sheet.used_at_s)
            _close(self._sheets.pop(oldest.key).photographs)
        found = self.kinds[kind]
        return SentSheet(secrets.token_urlsafe(12), found, found.entered(), used_at_s=self._clock())

    def _found(self, key: str) -> SentSheet:
        sheet = self._sheets.get(key)
        if sheet is None:
            raise _forgotten()
        sheet.used_at_s = self._clock()
        return sheet

    def _sweep(self) -> None:
        """Forget the games without a request for long."""
        for sheet in list(self._sheets.values()):
            if self._clock() - sheet.used_at_s > IDLE_S:
                _close(self._sheets.pop(sheet.key).photographs)

    def _read(self, sheet: SentSheet, photograph: Photograph, corners: Quads | None) -> None:
        def told(what: str, value: Any) -> None:
            with self._lock:
                if what == SHOWN:
                    photograph.shown, photograph.size = value
                else:
                    photograph.stage = value

        # A closed file was forgotten meanwhile.
        with suppress(ValueError):
            try:
                photograph.active = Reading(sheet.kind.name, photograph.file, corners, self._config)
                photograph.reading = photograph.active.follow(told)
            except CompanionError as error:
                photograph.can_show = isinstance(error, NotFoundError) and sheet.kind.boards > 0
                photograph.fault = reason(error)


def _photo_json(photograph: Photograph, language: Language) -> Json:
    return {
        "size": photograph.size if photograph.shown is not None else None,
        "stage": render(photograph.stage, language),
        "done": photograph.is_done,
        "fault": render(photograph.fault, language),
        "can_show": photograph.can_show,
    }


def _close(photographs: Sequence[Photograph]) -> None:
    for photograph in photographs:
        photograph.close()


def _forgotten() -> MissingError:
    return MissingError.said("These pictures have been forgotten: send them again.")


def quads(corners: Sequence[Sequence[tuple[float, float]]]) -> Quads:
    """Return the corners of grids as arrays.

    Raises:
        CompanionError: they go around no board or sheet, or around one twice.
    """
    shown = [np.array(quad, np.float64) for quad in corners]
    if not all(map(is_convex, shown)):
        raise CompanionError.said("The corners must go around the board or sheet, not across it.")
    if len(shown) > 1 and is_one_place(*shown):
        raise CompanionError(ONE_PLACE)
    return shown
