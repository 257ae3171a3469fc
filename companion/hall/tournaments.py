"""Tournaments as pure values: ratings, games, pairings and standings (FIDE Handbook C.04, C.05 and C.07).

The player with white in chess begins the game here.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

# Ratings by Glicko-2 (Mark E. Glickman, "Example of the Glicko-2 system", 2013); step numbers are the paper's.

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


WIN, DRAW, LOSS = 1.0, 0.5, 0.0
BYE_POINTS: Final = WIN
"""The points of a player without an opponent in a round: as many as for a win (FIDE Handbook C.04.1)."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament.

    Attributes:
        number: the place on the list of entrants, from 1, the strongest first; unique.
        rating: not used for tie-breaks or pairing, which go by `number`.
        present: whether the player is paired in the next round.
    """

    number: int
    rating: float = 1500.0
    present: bool = True


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """A game of a round, or a bye.

    Attributes:
        first: the number of the player who begins.
        second: the number of the other player; None for a bye.
        score: the points of `first`, 0 to 1; None while the game is not decided. A bye always gives `BYE_POINTS`.
    """

    first: int
    second: int | None
    score: float | None = None

    @property
    def is_bye(self) -> bool:
        """True if the player has no opponent in this round."""
        return self.second is None

    def points(self, number: int) -> float:
        """Return a player's points in this game; 0 before it is decided."""
        if self.is_bye:
            return BYE_POINTS
        if self.score is None:
            return 0.0
        return self.score if number == self.first else 1.0 - self.score

    def opponent(self, number: int) -> int | None:
        """Return the number of the other player, or None for a bye."""
        return self.second if number == self.first else self.first


def games_of(number: int, rounds: Sequence[Sequence[TournamentGame]]) -> list[TournamentGame | None]:
    """Return a player's game of each round, or None for a round that the player missed."""
    return [next((game for game in games if number in (game.first, game.second)), None) for games in rounds]


def points_of(number: int, rounds: Iterable[Sequence[TournamentGame]]) -> float:
    """Return a player's total points over all rounds."""
    return sum(game.points(number) for games in rounds for game in games if number in (game.first, game.second))


def round_robin(players: int) -> list[list[TournamentGame]]:
    """Return all rounds for a number of players, at least 2; with an odd number the table's last place is a bye.

    In the table of 2n places the last place is fixed, the others rotate by n - 1 places a round, and the last place
    begins in every other round.
    """
    places = players + players % 2
    last, ring = places, places - 1
    rounds = []
    for number in range(places - 1):
        start = number * (places // 2) % ring
        rotated = [(start + step) % ring + 1 for step in range(ring)]
        head = (last, rotated[0]) if number % 2 else (rotated[0], last)
        pairs = [head, *((rotated[step], rotated[-step]) for step in range(1, places // 2))]
        rounds.append([_game(first, second, players) for first, second in pairs])
    # Byes last, so that the first boards, which are assigned to tables, are games.
    return [sorted(games, key=lambda game: game.is_bye) for games in rounds]


def _game(first: int, second: int, players: int) -> TournamentGame:
    if max(first, second) <= players:
        return TournamentGame(first, second)
    return TournamentGame(min(first, second), None)


def swiss_round(
    entrants: Sequence[Entrant], rounds: Sequence[Sequence[TournamentGame]], of: int
) -> list[TournamentGame]:
    """Return the pairings of the next round, leaders first, a bye last.

    Args:
        entrants: all players ever paired; absent ones are not paired.
        rounds: the games played so far, all decided.
        of: the number of rounds of the tournament.
    """
    from caissify_pairings import generate_pairings  # noqa: PLC0415  # It takes a moment, and not every evening pairs.

    paired = generate_pairings(
        system="dutch",
        players=[_described(entrant, rounds) for entrant in entrants if entrant.present],
        previous_pairings=_previous_pairs(rounds),
        round_number=len(rounds) + 1,
        total_rounds=of,
    )
    games = [
        TournamentGame(each["white_id"], each["black_id"]) for each in sorted(paired, key=lambda each: each["table"])
    ]
    return sorted(games, key=lambda game: game.is_bye)


def _previous_pairs(rounds: Sequence[Sequence[TournamentGame]]) -> set[tuple[int, int]]:
    return {(game.first, game.second) for games in rounds for game in games if game.second is not None}


def _described(entrant: Entrant, rounds: Sequence[Sequence[TournamentGame]]) -> dict[str, Any]:
    """Return a player in the library's form, including the history that the library does not keep."""
    number, played = entrant.number, games_of(entrant.number, rounds)
    colours = ["none" if game is None or game.is_bye else _colour(number, game) for game in played]
    floats = [_float(number, game, rounds[:at]) for at, game in enumerate(played)]
    return {
        "id": number,
        "name": str(number),
        "score": points_of(number, rounds),
        # Entrants are numbered by strength already.
        "rating": 0,
        "starting_number": number,
        "pairing_number": number,
        "color_hist": [colour for colour in colours if colour != "none"],
        "float_history": floats,
        "bye_count": sum(game is not None and game.is_bye for game in played),
    }


def _colour(number: int, game: TournamentGame) -> str:
    return "white" if game.first == number else "black"


def _float(number: int, game: TournamentGame | None, before: Sequence[Sequence[TournamentGame]]) -> str:
    """Return whether a player was paired up or down; points without playing count as paired down."""
    if game is None:
        return "none"
    other = game.opponent(number)
    if other is None:
        return "down"
    own, theirs = points_of(number, before), points_of(other, before)
    return "none" if own == theirs else "down" if own > theirs else "up"


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """A player's rank, points and tie-breaks.

    Attributes:
        place: the rank, from 1; players equal in points and all tie-breaks share a rank.
        number: the player's number.
        points: the points of all rounds.
        played: the number of decided games, without byes.
        wins: the number of games won, without byes.
        buchholz: the sum of all opponents' points.
        buchholz_cut: the same without the lowest.
        sonneborn_berger: the points of all beaten opponents, and half the points of drawn ones.
    """

    place: int
    number: int
    points: float
    played: int
    wins: int
    buchholz: float
    buchholz_cut: float
    sonneborn_berger: float


def standings(
    entrants: Sequence[Entrant], rounds: Sequence[Sequence[TournamentGame]], *, swiss: bool
) -> list[PlayerStanding]:
    """Return the standings of all entrants, leaders first.

    Ties in points are broken by direct encounters if all tied players have met, then in a Swiss tournament by
    Buchholz cut 1, Buchholz and Sonneborn-Berger, in a round-robin tournament by Sonneborn-Berger, then by wins.
    """
    points = {each.number: points_of(each.number, rounds) for each in entrants}
    found = [_standing(each.number, rounds, points) for each in entrants]
    keyed = sorted(((_key(each, found, rounds, swiss=swiss), each) for each in found), key=lambda pair: pair[0])
    placed: list[PlayerStanding] = []
    for at, (key, each) in enumerate(keyed):
        # Without the player's number, which only makes the order of equals constant.
        shared = at > 0 and keyed[at - 1][0][:-1] == key[:-1]
        place = placed[-1].place if shared else at + 1
        placed.append(replace(each, place=place))
    return placed


def _standing(number: int, rounds: Sequence[Sequence[TournamentGame]], points: dict[int, float]) -> PlayerStanding:
    games = [game for game in games_of(number, rounds) if game is not None]
    decided = [game for game in games if game.score is not None and not game.is_bye]
    # Sorted for Buchholz cut 1, which leaves out the lowest.
    against = sorted(_strength(number, game, points) for game in games if game.is_bye or game.score is not None)
    berger = sum(game.points(number) * _strength(number, game, points) for game in decided)
    berger += sum(BYE_POINTS * _strength(number, game, points) for game in games if game.is_bye)
    return PlayerStanding(
        place=0,
        number=number,
        points=points[number],
        played=len(decided),
        wins=sum(game.points(number) == WIN for game in decided),
        buchholz=sum(against),
        buchholz_cut=sum(against[1:]),
        sonneborn_berger=berger,
    )


def _strength(number: int, game: TournamentGame, points: dict[int, float]) -> float:
    """Return the opponent's points; the opponent in a bye is a dummy with the player's own final points (C.07)."""
    other = game.opponent(number)
    return points[number] if other is None else points[other]


def _key(
    standing: PlayerStanding,
    everyone: Sequence[PlayerStanding],
    rounds: Sequence[Sequence[TournamentGame]],
    *,
    swiss: bool,
) -> tuple[float, ...]:
    """Return the sort key of a player, lowest for the best; the last item is the player's number."""
    direct = _direct(standing, everyone, rounds)
    buchholz = (-standing.buchholz_cut, -standing.buchholz) if swiss else ()
    return (-standing.points, -direct, *buchholz, -standing.sonneborn_berger, -standing.wins, standing.number)


def _direct(
    standing: PlayerStanding, everyone: Sequence[PlayerStanding], rounds: Sequence[Sequence[TournamentGame]]
) -> float:
    """Return the player's points against players with equal points, or 0 if not all of these have met."""
    tied = {each.number for each in everyone if each.points == standing.points}
    met = [
        game
        for games in rounds
        for game in games
        if game.score is not None and game.first in tied and game.second in tied
    ]
    pairs = {frozenset((game.first, game.second)) for game in met}
    # Players who have met only some of the others would be compared by different opponents.
    if len(pairs) < len(tied) * (len(tied) - 1) // 2:
        return 0.0
    return sum(game.points(standing.number) for game in met if standing.number in (game.first, game.second))


def result_of(first: float, second: float) -> float:
    """Return the tournament points of a player who scored `first` in a game against `second`."""
    return DRAW if first == second else WIN if first > second else 0.0
