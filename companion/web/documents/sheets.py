"""Sheets to print, as PDF downloads: a Raspberry Pi rarely has a printer."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from companion.errors import CompanionError
from companion.languages import said

if TYPE_CHECKING:
    from companion.languages import Sentence

PAPER_NAMES: Final = {"a4": "A4", "a5": "A5", "letter": "US Letter", "a3": "A3"}
"""The display name of each paper size of `companion print`."""
_A4_OR_LETTER: Final = ("a4", "letter")
_SECONDS: Final = 60.0
"""The time-out for writing a sheet; a Raspberry Pi Zero 2 takes some 3 s for the mats, and 10 s for a whole set."""


@dataclass(frozen=True, slots=True)
class PrintSheet:
    """A sheet for the printer.

    Attributes:
        name: its name for `companion print`.
        says: its description, in a few words.
        papers: the paper sizes on which it is offered.
    """

    name: str
    says: Sentence
    papers: tuple[str, ...] = _A4_OR_LETTER


SHEETS: Final = (
    PrintSheet("mats", said("the mats that the quilt boards lie on, one page per seat")),
    PrintSheet(
        "game", said("a complete print-and-play set: patches, boards, time board, tokens"), (*_A4_OR_LETTER, "a3")
    ),
    PrintSheet("charuco", said("the chart for calibrating a lens")),
    PrintSheet("labels", said("labels for the push-buttons and the seats")),
    PrintSheet(
        "leaflet", said("a leaflet for the box: the rules in two minutes, which buttons to press, what the lights mean")
    ),
    PrintSheet("kvilt-sheet", said("the sheet that each player of Kvilt colours"), ("a4", "a5", "letter")),
    PrintSheet("kvilt-leaflet", said("a leaflet for Kvilt: its rules in two minutes, and which buttons to press")),
    PrintSheet("kvilt-swatches", said("a card for trying out pencils"), ("a4", "a5", "letter")),
)


class PrintSheetError(CompanionError):
    """A sheet cannot be written."""


class SheetPrinter:
    """A writer of sheets as PDF, one at a time, each in a separate process, so that a game is not held up."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def sheet(self, name: str, paper: str, language: str) -> bytes:
        """Return a sheet as a PDF.

        Args:
            name: the sheet's name.
            paper: the paper size.
            language: the code of the sheet's language.

        Raises:
            KeyError: there is no such sheet on this paper size.
            PrintSheetError: it cannot be written.
        """
        if not any(sheet.name == name and paper in sheet.papers for sheet in SHEETS):
            raise KeyError(name, paper)
        async with self._turn:
            return await asyncio.to_thread(_written, name, paper, language)


@lru_cache(maxsize=8)
def _written(name: str, paper: str, language: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.pdf"
        # Through the running Python: the program's command may not be in the PATH, or be another version's.
        command = [sys.executable, "-m", "companion", "print", name, "--paper", paper, "--language", language]
        try:
            subprocess.run(  # noqa: S603 - the program's own command, and names that are known
                [*command, "--output", str(path)], check=True, capture_output=True, timeout=_SECONDS
            )
            return path.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise PrintSheetError(said("The sheet {name} could not be written.", name=name)) from error
