"""The players' ratings, computed from the closed tournaments alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sqlalchemy import select

from companion.hall.models import Player
from companion.hall.tournament.glicko2 import Rating, rated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from companion.hall.models import Pairing, Tournament

Period: TypeAlias = "tuple[Tournament, list[Pairing], dict[int, Player]]"
"""A closed tournament, its pairings, and its players by their numbers."""


def rate(session: Session, periods: Sequence[Period]) -> None:
    """Recompute the ratings of all players, tournament by tournament."""
    everyone = list(session.scalars(select(Player)))
    ratings = {player.id: Rating() for player in everyone}
    for _, pairings, players in periods:
        results: dict[int, list[tuple[Rating, float]]] = {player: [] for player in ratings}
        for pairing in pairings:
            if pairing.second is not None and pairing.score is not None:
                one, other = players[pairing.first].id, players[pairing.second].id
                # The ratings from before the period, whatever the order of its games.
                results[one].append((ratings[other], pairing.score))
                results[other].append((ratings[one], 1.0 - pairing.score))
        # Also without a game: a rating becomes less certain with each period.
        ratings = {player: rated(ratings[player], results[player]) for player in ratings}
    for player in everyone:
        now = ratings[player.id]
        player.rating, player.deviation, player.volatility = now.rating, now.deviation, now.volatility
