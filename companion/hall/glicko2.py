"""Ratings by Glicko-2 (Mark E. Glickman, "Example of the Glicko-2 system", 2013); step numbers are the paper's."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

TAU: Final = 0.5
"""The constraint on changes of the volatility; the paper recommends 0.3 to 1.2, and uses this value."""
# Of ratings to the paper's internal scale, 400 / ln 10.
_SCALE: Final = 173.7178
# The paper's convergence tolerance.
_CLOSE: Final = 0.000001


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating.

    Attributes:
        rating: the estimated strength.
        deviation: its uncertainty: the strength is within two deviations of the rating with 95 % confidence.
        volatility: the expected fluctuation of the strength itself.
    """

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


def rated(player: Rating, results: Sequence[tuple[Rating, float]]) -> Rating:
    """Return a player's rating after a rating period.

    Args:
        player: the rating before the period.
        results: each opponent's rating before the period, and the player's points, 0 to 1; empty if no game was played.
    """
    mu, phi = (player.rating - 1500.0) / _SCALE, player.deviation / _SCALE  # step 2
    if not results:
        # A player who stays away becomes no more uncertain than a new one.
        return Rating(player.rating, min(_SCALE * math.hypot(phi, player.volatility), 350.0), player.volatility)
    met = [((other.rating - 1500.0) / _SCALE, _g(other.deviation / _SCALE), points) for other, points in results]
    expected = [(g, _expected(mu, other, g), points) for other, g, points in met]
    variance = 1.0 / sum(g * g * e * (1.0 - e) for g, e, _ in expected)  # step 3
    gained = sum(g * (points - e) for g, e, points in expected)
    volatility = _volatility(variance * gained, phi, variance, player.volatility)  # steps 4 and 5
    before = math.hypot(phi, volatility)  # step 6
    after = 1.0 / math.sqrt(1.0 / before**2 + 1.0 / variance)  # step 7
    return Rating(_SCALE * (mu + after**2 * gained) + 1500.0, _SCALE * after, volatility)  # step 8


def _g(phi: float) -> float:
    return 1.0 / math.sqrt(1.0 + 3.0 * phi**2 / math.pi**2)


def _expected(mu: float, other: float, g: float) -> float:
    return 1.0 / (1.0 + math.exp(-g * (mu - other)))


def _volatility(delta: float, phi: float, variance: float, sigma: float) -> float:
    """Return the new volatility: the root of the paper's f, found by the Illinois algorithm."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        grown = math.exp(x)
        spread = phi**2 + variance + grown
        return grown * (delta**2 - spread) / (2.0 * spread**2) - (x - a) / TAU**2

    low, high = a, _bracket(f, a, delta**2 - phi**2 - variance)
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _CLOSE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(low / 2.0)


def _bracket(f: Callable[[float], float], a: float, surplus: float) -> float:
    if surplus > 0:
        return math.log(surplus)
    steps = 1
    while f(a - steps * TAU) < 0:
        steps += 1
    return a - steps * TAU
