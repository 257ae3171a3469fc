"""`--show FILE`: the picture annotated with its reading."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.languages import any_of, said, system_says

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
        if path.exists() and photo.exists() and path.samefile(photo):
            raise CompanionError(said("{path}: is the photograph itself; choose another file", path=f"--show {path}"))
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
    try:
        path.write_bytes(content.tobytes())
    except OSError as error:
        raise _not_written(path, error) from error


def _not_written(path: Path, error: OSError) -> CompanionError:
    return CompanionError(said("{path}: cannot be written: {fault}", path=f"--show {path}", fault=system_says(error)))


def _no_kind(path: Path) -> CompanionError:
    return CompanionError(
        said(
            "{path}: is not a kind of picture that can be written; name it {names}",
            path=f"--show {path}",
            names=any_of([".png", ".jpg"]),
        )
    )
