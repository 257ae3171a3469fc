"""Messages of the system and the standard library about files, as sentences that can be translated.

Rare messages are left as they are.
"""

import errno
import json
import re
from collections.abc import Callable, Mapping
from typing import Final

from companion.languages.sentence import Sentence, reason, said


def system_says(error: Exception) -> str:
    """Return the system's reason in an OSError, without the file's name."""
    if not isinstance(error, OSError):
        return _NULL_BYTE if "null byte" in str(error) else reason(error)
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
        return _NULL_BYTE if "null byte" in text else text
    fault = _known(placed["fault"], _TOML)
    if placed["line"] is None:
        return said("{fault} (at end of document)", fault=fault)
    line, column = int(placed["line"]), int(placed["column"])
    return said("{fault} (at line {line}, column {column})", fault=fault, line=line, column=column)


def json_says(error: Exception) -> str:
    """Return the fault that the JSON decoder found in a line of text, and its place."""
    if not isinstance(error, json.JSONDecodeError):
        return said("not to be decoded")
    return said("{fault}, column {column}", fault=_known(error.msg, _JSON), column=error.colno)


def _known(text: str, sentences: tuple[tuple[str, Callable[..., Sentence]], ...]) -> str:
    """Return a parser's message as a translatable sentence, or as it is if it is unknown."""
    for pattern, sentence in sentences:
        if found := re.fullmatch(pattern, text):
            return sentence(**found.groupdict())
    return text


_NULL_BYTE: Final = said("embedded null byte")

# In the wording of the GNU C library in English.
_SYSTEM: Final[Mapping[int, Sentence]] = {
    errno.ENOENT: said("No such file or directory"),
    errno.EACCES: said("Permission denied"),
    errno.EPERM: said("Operation not permitted"),
    errno.EISDIR: said("Is a directory"),
    errno.ENOTDIR: said("Not a directory"),
    errno.EEXIST: said("File exists"),
    errno.ENAMETOOLONG: said("File name too long"),
    errno.EFBIG: said("File too large"),
    errno.ENOSPC: said("No space left on device"),
    errno.EROFS: said("Read-only file system"),
    errno.EIO: said("Input/output error"),
    errno.EBUSY: said("Device or resource busy"),
    errno.EADDRINUSE: said("Address already in use"),
    errno.EADDRNOTAVAIL: said("Cannot assign requested address"),
    errno.ECONNREFUSED: said("Connection refused"),
    errno.ECONNRESET: said("Connection reset by peer"),
    errno.EHOSTUNREACH: said("No route to host"),
    errno.ENETUNREACH: said("Network is unreachable"),
    errno.ETIMEDOUT: said("Connection timed out"),
    # Of getaddrinfo(3), whose numbers are below zero.
    -2: said("Name or service not known"),
    -3: said("Temporary failure in name resolution"),
}

# The messages of tomllib in Python 3.11 to 3.13.
_TOML: Final[tuple[tuple[str, Callable[..., Sentence]], ...]] = (
    ("Invalid statement", lambda: said("Invalid statement")),
    (
        "Expected newline or end of document after a statement",
        lambda: said("Expected newline or end of document after a statement"),
    ),
    (
        "Expected '=' after a key in a key/value pair",
        lambda: said("Expected {sign} after a key in a key/value pair", sign="'='"),
    ),
    (
        r"Expected (?P<sign>'\]\]?') at the end of an? (?:table|array) declaration",
        lambda sign: said("Expected {sign} at the end of a declaration", sign=sign),
    ),
    ("Expected (?P<sign>.+)", lambda sign: said("Expected {sign}", sign=sign)),
    ("(?:Found invalid|Illegal) character (?P<sign>.+)", lambda sign: said("Illegal character {sign}", sign=sign)),
    (
        "(?:Cannot declare|Cannot redefine namespace|Cannot mutate immutable namespace) (?P<key>.+?)(?: twice)?",
        lambda key: said("{key} is declared twice", key=key),
    ),
    ("Duplicate inline table key (?P<key>.+)", lambda key: said("{key} is declared twice", key=key)),
    ("Cannot overwrite a value", lambda: said("Cannot overwrite a value")),
    ("Invalid initial character for a key part", lambda: said("Invalid initial character for a key part")),
    ("Unclosed array", lambda: said("Unclosed array")),
    ("Unclosed inline table", lambda: said("Unclosed inline table")),
    (r"Unescaped '\\' in a string", lambda: said("Unescaped {sign} in a string", sign=r"'\'")),
    (r"Unescaped '\\\\' in a string", lambda: said("Unescaped {sign} in a string", sign=r"'\'")),
    ("Invalid hex value", lambda: said("Invalid hex value")),
    ("Unterminated string", lambda: said("Unterminated string")),
    ("Invalid date or datetime", lambda: said("Invalid date or datetime")),
    ("Invalid value", lambda: said("Invalid value")),
)

_JSON: Final[tuple[tuple[str, Callable[..., Sentence]], ...]] = (
    ("Expecting value", lambda: said("Expecting value")),
    ("Expecting (?P<sign>'[,:]') delimiter", lambda sign: said("Expecting {sign} delimiter", sign=sign)),
    (
        "Expecting property name enclosed in double quotes",
        lambda: said("Expecting property name enclosed in double quotes"),
    ),
    ("Unterminated string starting at", lambda: said("Unterminated string")),
    ("Extra data", lambda: said("Extra data")),
    ("Invalid control character at", lambda: said("Invalid control character")),
    (r"Invalid \\u?\w*\s?escape(?:: .+)?", lambda: said("Invalid escape")),
    ("Illegal trailing comma before end of .+", lambda: said("Illegal trailing comma")),
)
