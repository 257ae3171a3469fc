"""Photographs in files named by the user."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.bounded import read_bytes
from companion.errors import CompanionError
from companion.languages import any_of, said, system_says
from companion.pictures import LONGEST_PX, MOST_PX, TooLargeError, TooSmallError, decoded
from hardware.ports import EndOfFramesError, Frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The file descriptor of standard error.
_ERRORS: Final = 2
# The least width and height of a readable picture: two pixels for each cell of a quilt.
_LEAST_PX: Final = 18


class PhotographError(CompanionError):
    """Raised for a file that is not a readable picture."""


def load_photo(path: Path) -> NDArray[np.uint8]:
    """Return a picture from a file, shape (height, width, 3), uint8, BGR.

    Raises:
        PhotographError: the file is missing, or not a picture.
    """
    try:
        content = read_bytes(path)
    # A null byte in the file's name is a ValueError.
    except (OSError, ValueError) as error:
        says = said("{path}: cannot be read: {fault}", path=str(path), fault=system_says(error))
        raise PhotographError(says) from error
    try:
        with _hushed():
            image = decoded(content, _LEAST_PX)
    except TooSmallError as error:
        raise PhotographError(
            said(
                "{path}: is a picture of {width}x{height} pixels, which is too small to read; give a larger one",
                path=str(path),
                width=error.width,
                height=error.height,
            )
        ) from error
    except TooLargeError as error:
        raise PhotographError(
            said(
                "{path}: is a picture of more than {count} megapixels, or one side is longer than {longest}; give "
                "a smaller one",
                path=str(path),
                count=MOST_PX // 1_000_000,
                longest=LONGEST_PX,
            )
        ) from error
    if image is None:
        raise PhotographError(
            said(
                "{path}: is not a readable picture; give a photograph as {kinds}",
                path=str(path),
                kinds=any_of(["JPEG", "PNG"]),
            )
        )
    return image


class PhotographCamera:
    """A camera that returns photographs taken earlier.

    Args:
        paths: the photographs, in order.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths, self._taken = list(paths), 0

    def capture(self) -> Frame:
        """Return the next photograph.

        Raises:
            EndOfFramesError: there are no more.
            PhotographError: it cannot be read.
        """
        if self._taken >= len(self._paths):
            raise EndOfFramesError(said("there are no more photographs"))
        path = self._paths[self._taken]
        self._taken += 1
        return Frame(load_photo(path), float(self._taken), path.name)

    def close(self) -> None:
        """Discard the remaining photographs; may be called more than once."""
        self._paths.clear()


@contextmanager
def _hushed() -> Iterator[None]:
    """Suppress messages of libpng and libjpeg, which write past Python's streams to the terminal."""
    try:
        # The descriptor, not `sys.stderr`: C libraries know nothing of Python's streams.
        errors = os.dup(_ERRORS)
    except OSError:  # closed by the process that started the program
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _ERRORS)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(errors, _ERRORS)
        os.close(errors)
