"""Standard output that takes any text: names in any script, and file names that are no text at all."""

from __future__ import annotations

import json
import sys
from typing import Final

from companion.languages import harmless

_DRAWN: Final = str.maketrans({"█": "#", "·": ".", "─": "-"})


def put(text: str) -> None:
    """Write to standard output at once; what its encoding lacks is drawn more plainly, or written as JSON escapes it.

    A lone surrogate, which no encoding has, stands for a byte of a file's name that was no text. What a terminal would
    obey is written as U+FFFD: it comes out of a file.
    """
    text = harmless(text)
    encoding = sys.stdout.encoding or "utf-8"
    if not _fits(text, encoding):
        drawn = text.translate(_DRAWN)
        text = "".join(char if _fits(char, encoding) else json.dumps(char)[1:-1] for char in drawn)
    sys.stdout.write(text)
    sys.stdout.flush()


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
