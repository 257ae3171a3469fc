"""Messages of the system and the standard library about files, with their places as sentences that can be translated.

Most of the messages themselves stay in English, as a search engine knows them; the sentences around them say which file
and line is meant and what to do. The few that users meet every day are translated.
"""

import errno
import json
import re
from collections.abc import Mapping
from typing import Final

from companion.languages.sentence import Sentence, reason, said

# In the wording of the GNU C library in English.
_SYSTEM: Final[Mapping[int, Sentence]] = {
    errno.ENOENT: said("No such file or directory"),
    errno.EACCES: said("Permission denied"),
    errno.EISDIR: said("Is a directory"),
    errno.ENOSPC: said("No space left on device"),
    errno.EROFS: said("Read-only file system"),
    errno.EADDRINUSE: said("Address already in use"),
    errno.ECONNREFUSED: said("Connection refused"),
    errno.ETIMEDOUT: said("Connection timed out"),
    # Of getaddrinfo(3), whose numbers are below zero.
    -2: said("Name or service not known"),
}


def system_says(error: Exception) -> str:
    """Return the system's reason in an OSError, without the file's name."""
    if not isinstance(error, OSError):
        return reason(error)
    # A socket's own time-out has no number, unlike the system's.
    if isinstance(error, TimeoutError) and error.errno is None:
        return _SYSTEM[errno.ETIMEDOUT]
    return _SYSTEM.get(error.errno or 0, error.strerror or str(error) or type(error).__name__)


def toml_says(error: Exception) -> str:
    """Return the fault that tomllib found in a text, and its place."""
    if isinstance(error, RecursionError):
        return said("it is nested too deeply")
    if isinstance(error, UnicodeDecodeError):
        return said("byte {number} is not {encoding}", number=error.start + 1, encoding="UTF-8")
    text = str(error).partition("\n")[0]
    placed = re.fullmatch(r"(?P<fault>.+) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", text)
    if placed is None:
        return text
    if placed["line"] is None:
        return said("{fault} (at end of document)", fault=placed["fault"])
    line, column = int(placed["line"]), int(placed["column"])
    return said("{fault} (at line {line}, column {column})", fault=placed["fault"], line=line, column=column)


def json_says(error: Exception) -> str:
    """Return the fault that the JSON decoder found in a line of text, and its place."""
    if not isinstance(error, json.JSONDecodeError):
        return said("not to be decoded")
    return said("{fault}, column {column}", fault=error.msg, column=error.colno)
