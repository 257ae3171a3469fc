"""The table's key on disk: who had it before the program was cut off has it afterwards too."""

from __future__ import annotations

import os
import re
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

KEY_NAME: Final = "page.key"
EVENING_S: Final = 12 * 3600.0
"""A key that was drawn so long ago is another evening's."""
_KEY: Final = re.compile(r"[\w-]{20}")


def kept_key(folder: Path, now_s: float | None = None) -> str:
    """This evening's key; a new one where there is none, it is old, or others than its owner may read it.

    Args:
        folder: the companion's data.
        now_s: seconds since 1970; None for now.
    """
    path, now_s = folder / KEY_NAME, time.time() if now_s is None else now_s
    return _kept(path, now_s) or _drawn(path, now_s)


def _kept(path: Path, now_s: float) -> str | None:
    with suppress(OSError, UnicodeDecodeError), path.open(encoding="ascii") as file:
        told = os.fstat(file.fileno())
        key = file.read(64)
        is_young = 0 <= now_s - told.st_mtime < EVENING_S
        if is_young and not told.st_mode & 0o077 and _KEY.fullmatch(key):
            return key
    return None


def _drawn(path: Path, now_s: float) -> str:
    """A new key; where it cannot be kept, it is good for as long as the program runs."""
    key = secrets.token_urlsafe(15)
    with suppress(OSError):
        path.unlink(missing_ok=True)
        # Nobody else may ever have had it open: it is made anew, and readable by its owner alone.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(key)
        os.utime(path, (now_s, now_s))
    return key
