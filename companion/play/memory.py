"""Return of freed memory from the C library to the system: on the smallest boards it is scarce."""

from __future__ import annotations

import ctypes
import gc
from typing import Final

_M_ARENA_MAX: Final = -8
"""The option's number for mallopt(3), in glibc."""


def share_arenas() -> None:
    """Let all threads take their memory from one place: 10 MB less at a table with its page.

    To be called before there are threads. Does nothing where the C library knows no such thing.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_M_ARENA_MAX, 1)


def give_back_memory() -> None:
    """Return freed memory to the system, where the C library can: after a look 10 to 20 MB."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def clear_away() -> None:
    """Collect what a game has left behind, and return it to the system; for the time between games, as it takes 0.1 s.

    A table's parts know one another, so that its pictures stay until the collector comes by, which is after some games:
    a service grew by some 75 MB with each until then, and the C library kept what was freed.
    """
    gc.collect()
    give_back_memory()
