"""The table's key on disk, which stays valid when the program is restarted."""

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
LASTS_S: Final = 21 * 24 * 3600.0
"""The age at which a key is replaced by a new one; also the lifetime of the browsers' cookies."""
_KEY: Final = re.compile(r"[\w-]{20}")


def stored_key(folder: Path, now_s: float | None = None) -> str:
    """Return the table's key; a new one if there is none, it is too old, or users other than its owner may read it.

    Args:
        folder: the folder of the companion's data.
        now_s: seconds since 1970; None for the present time.
    """
    path, now_s = folder / KEY_NAME, time.time() if now_s is None else now_s
    return _stored(path, now_s) or _drawn(path, now_s)


def _stored(path: Path, now_s: float) -> str | None:
    with suppress(OSError, UnicodeDecodeError), path.open(encoding="ascii") as file:
        # Of the open file, not of the path, which another one may have replaced meanwhile.
        status = os.fstat(file.fileno())
        key = file.read(64)
        # A time in the future comes from a clock that was wrong; such a key would be valid for too long.
        is_young = 0 <= now_s - status.st_mtime < LASTS_S
        if is_young and not status.st_mode & 0o077 and _KEY.fullmatch(key):
            return key
    return None


def _drawn(path: Path, now_s: float) -> str:
    """Return a new key; if it cannot be saved, it is valid only until the program ends."""
    key = secrets.token_urlsafe(15)
    with suppress(OSError):
        path.unlink(missing_ok=True)
        # A new file, as another process may have the old one open; readable by its owner only.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(key)
        # The file's time is the key's age, on the caller's clock.
        os.utime(path, (now_s, now_s))
    return key
