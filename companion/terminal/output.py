"""Standard output for any text: names in any script, and file names that are not valid text."""

import json
import sys
from typing import Final

from companion.languages import harmless

_DRAWN: Final = str.maketrans({"█": "#", "·": ".", "─": "-"})


def put(text: str) -> None:
    """Write to standard output and flush; unsupported characters are simplified or escaped as in JSON.

    A lone surrogate, which no encoding supports, stands for a byte of a file name that is not text. Control characters
    of a terminal are replaced by U+FFFD, because the text may come from a file.
    """
    text = harmless(text)
    encoding = sys.stdout.encoding or "utf-8"
    # Not `errors="replace"`: a question mark would hide which character it was, and drawings would be all alike.
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
