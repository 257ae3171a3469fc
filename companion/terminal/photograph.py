"""Pictures in files named by the user: photographs to read, and readings drawn over them."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.durable import read_bytes, write_named
from companion.errors import CompanionError
from companion.languages import any_of, unreadable, unwritable
from companion.ownership import as_owner_of
from companion.pictures import LONGEST_PX, MOST_PX, TooLargeError, TooSmallError, decoded
from hardware.ports import EndOfFramesError, Frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def check_show(path: Path | None, photo: Path) -> None:
    """Check the path for the picture before the photograph is read, because reading takes a while.

    Args:
        path: the path for the picture, or None if none is requested.
        photo: the photograph.

    Raises:
        CompanionError: it is the photograph itself, not a supported kind of picture, or not in a folder.
    """
    if path is None:
        return
    try:
        if path.samefile(photo):
            raise CompanionError.said("{path}: is the photograph itself; choose another file", path=f"--show {path}")
    except FileNotFoundError:
        pass  # The picture is new, as it should be, or its folder is missing, which is checked below.
    except OSError as error:
        raise _not_written(path, error) from error
    import cv2  # noqa: PLC0415 - `score --help` needs none of it

    if not cv2.haveImageWriter(f"picture{path.suffix or '.png'}"):
        raise _no_kind(path)
    if not path.parent.is_dir():
        raise _not_written(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))


def save_shown(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write the picture, shape (height, width, 3), uint8, BGR.

    Raises:
        CompanionError: it cannot be written.
    """
    import cv2  # noqa: PLC0415

    done, content = cv2.imencode(path.suffix or ".png", picture)
    if not done:
        raise _no_kind(path)
    write_picture(path, content.tobytes(), f"--show {path}")


def write_picture(path: Path, content: bytes, name: str) -> None:
    """Write a picture's file; `name` names it in errors.

    Raises:
        CompanionError: it cannot be written.
    """
    try:
        with as_owner_of(path.parent):
            write_named(path, content)
    except OSError as error:
        raise CompanionError(unwritable(name, error)) from error


def _not_written(path: Path, error: OSError) -> CompanionError:
    return CompanionError(unwritable(f"--show {path}", error))


def _no_kind(path: Path) -> CompanionError:
    return CompanionError.said(
        "{path}: is not a kind of picture that can be written; name it {names}",
        path=f"--show {path}",
        names=any_of([".png", ".jpg"]),
    )


# The file descriptor of standard error.
_ERRORS: Final = 2
# The least width and height of a readable picture: two pixels for each cell of a quilt.
_LEAST_PX: Final = 18


def load_photo(path: Path) -> NDArray[np.uint8]:
    """Return a picture from a file, shape (height, width, 3), uint8, BGR.

    Raises:
        CompanionError: the file is missing, or not a picture.
    """
    try:
        content = read_bytes(path)
    # A null byte in the file's name is a ValueError.
    except (OSError, ValueError) as error:
        raise CompanionError(unreadable(path, error)) from error
    try:
        with _hushed():
            image = decoded(content, _LEAST_PX)
    except TooSmallError as error:
        raise CompanionError.said(
            "{path}: is a picture of {width}x{height} pixels, which is too small to read; give a larger one",
            path=str(path),
            width=error.width,
            height=error.height,
        ) from error
    except TooLargeError as error:
        raise CompanionError.said(
            "{path}: is a picture of more than {count} megapixels, or one side is longer than {longest}; give "
            "a smaller one",
            path=str(path),
            count=MOST_PX // 1_000_000,
            longest=LONGEST_PX,
        ) from error
    if image is None:
        raise CompanionError.said(
            "{path}: is not a readable picture; give a photograph as {kinds}",
            path=str(path),
            kinds=any_of(["JPEG", "PNG"]),
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
            CompanionError: it cannot be read.
        """
        if self._taken >= len(self._paths):
            raise EndOfFramesError.said("there are no more photographs")
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
