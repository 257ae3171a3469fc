"""Setups of Kvilt on the companion's own sheet."""

from __future__ import annotations

from typing import Any

from companion.games.kvilt.state import Setup
from companion.kvilt.sheets.files import own_sheet


def own_setup(players: tuple[str, ...] = ("Seat 1", "Seat 2"), first_seat: int = 1, **more: Any) -> Setup:
    """Return the setup of a game on the companion's own sheet."""
    return Setup(own_sheet(), players, first_seat, **more)
