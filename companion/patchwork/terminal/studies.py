"""A writer of the reader's looks and verdicts, one picture per look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2

from companion.errors import CompanionError
from companion.languages import said, system_says
from companion.patchwork.reading.study import draw_study

if TYPE_CHECKING:
    from pathlib import Path

    from companion.patchwork.reading.study import Study


class StudyWriter:
    """A writer of studies into a folder, numbered in the order of the looks.

    Args:
        folder: the folder, created if missing.

    Raises:
        CompanionError: the folder cannot be created.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._written = folder, 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            fault = system_says(error)
            raise CompanionError(said("{path}: cannot be written: {fault}", path=str(folder), fault=fault)) from error

    def write(self, study: Study) -> None:
        """Draw a look into a file of its own.

        Raises:
            CompanionError: the file cannot be written.
        """
        self._written += 1
        path = self._folder / f"{self._written:03d}-{study.observation.frame.rsplit('.', 1)[0]}.png"
        _, content = cv2.imencode(".png", draw_study(study))
        try:
            path.write_bytes(content.tobytes())
        except OSError as error:
            fault = system_says(error)
            raise CompanionError(said("{path}: cannot be written: {fault}", path=str(path), fault=fault)) from error
