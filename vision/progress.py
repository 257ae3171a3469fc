"""Progress of work that takes seconds, reported in shares by the function that does it."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[float], None]
"""A callback that receives the share of the work done, 0..1, in rising order."""


def ignore_progress(share: float) -> None:
    """Ignore the progress."""
    del share


def stretch(progress: Progress, begin: float, end: float) -> Progress:
    """Return a callback for a part of the work, which maps the part's own share to `begin`..`end` of the whole."""
    return lambda share: progress(begin + (end - begin) * share)
