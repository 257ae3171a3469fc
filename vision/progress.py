"""How far something has come that takes seconds: told in shares, by whoever does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[float], None]
"""Told which share of a work is done, 0..1; it rises."""


def unheard(share: float) -> None:
    """Nobody wants to know."""
    del share


def stretch(progress: Progress, begin: float, end: float) -> Progress:
    """What a part of a work tells its own share to: it takes from `begin` to `end` of the whole."""
    return lambda share: progress(begin + (end - begin) * share)
