"""The lines that the user types while the program is working."""

import os
import select
import sys
from collections.abc import Sequence
from typing import Final

# In bytes; a terminal passes on whole lines, and none is longer.
_AT_ONCE: Final = 4096


class TypedLines:
    """A reader of the lines typed since its last call, which never blocks.

    Args:
        descriptor: of a terminal or a pipe; not of a file, which is always ready.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._begun = b""
        self._ended = False

    def __call__(self) -> Sequence[str]:
        """Return the complete lines, without line ends."""
        while not self._ended and select.select([self._descriptor], [], [], 0)[0]:
            read = os.read(self._descriptor, _AT_ONCE)
            self._ended = not read
            self._begun += read
        # Decoded line by line, as a character may arrive in two parts.
        *lines, self._begun = self._begun.split(b"\n")
        return tuple(line.decode("utf-8", "replace").removesuffix("\r") for line in lines)


def typed_lines() -> TypedLines | None:
    """Return a reader for the terminal that the program was started from, or None if there is none."""
    if os.name != "posix" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        return TypedLines(sys.stdin.fileno())
    except OSError:
        return None  # something that only plays a terminal
