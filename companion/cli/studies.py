"""Writes what the reader saw at each look, one picture a look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2

from companion.errors import CompanionError
from companion.languages import said
from companion.reader.study import draw_study

if TYPE_CHECKING:
    from pathlib import Path

    from companion.reader.study import Study


class StudyWriter:
    """Writes studies into a folder, numbered in the order of the looks.

    Args:
        folder: made if it is missing.

    Raises:
        CompanionError: it cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._written = folder, 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CompanionError(
                said("{path}: no folder for pictures can be made there ({reason})", path=folder, reason=error.strerror)
            ) from error

    def write(self, study: Study) -> None:
        """Draw a look into a file of its own.

        Raises:
            CompanionError: it cannot be written.
        """
        self._written += 1
        path = self._folder / f"{self._written:03d}-{study.sight.frame.rsplit('.', 1)[0]}.png"
        if not cv2.imwrite(str(path), draw_study(study)):
            raise CompanionError(said("{path}: the picture cannot be written", path=path))
