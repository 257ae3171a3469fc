"""Tournaments as pure values: ratings, games, pairings and standings (FIDE Handbook C.04, C.05 and C.07).

The player with white in chess begins the game here. C.07 is that of 2023, for which FIDE has published worked examples
("Exercises in Tie-Breaking", 2024); from March 2026 on it also caps the points of dummy opponents.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
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
        present: whether the player is paired in the next round, or in a round-robin tournament has not withdrawn.
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
        score: the points of `first`, 0 to 1; None while the game is not decided. A bye gives `BYE_POINTS`, or a draw's
            points if the player has asked for it.
        absent: who did not appear, by number; the other player wins by forfeit, and if both are absent, neither does.
    """

    first: int
    second: int | None
    score: float | None = None
    absent: tuple[int, ...] = ()

    @property
    def is_bye(self) -> bool:
        """True if the player has no opponent in this round."""
        return self.second is None

    @property
    def is_decided(self) -> bool:
        """True if no result is awaited."""
        return self.is_bye or self.score is not None or bool(self.absent)

    @property
    def is_played(self) -> bool:
        """True if both players appeared, and the result is known."""
        return self.score is not None and not self.is_bye and not self.absent

    def points(self, number: int) -> float:
        """Return a player's points in this game; 0 before it is decided."""
        if self.is_bye:
            return BYE_POINTS if self.score is None else self.score
        if self.absent:
            return LOSS if number in self.absent else WIN
        if self.score is None:
            return LOSS
        return self.score if number == self.first else WIN - self.score

    def is_voluntary(self, number: int) -> bool:
        """Return whether a player chose not to play: a bye that was asked for, or a forfeit loss (C.07, 16.1.2)."""
        return number in self.absent or (self.is_bye and self.score is not None)

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
        _begun_by_rank(TournamentGame(each["white_id"], each["black_id"]), rounds)
        for each in sorted(paired, key=lambda each: each["table"])
    ]
    return sorted(games, key=lambda game: game.is_bye)


def _begun_by_rank(game: TournamentGame, rounds: Sequence[Sequence[TournamentGame]]) -> TournamentGame:
    """Return a pairing in the order that the higher-ranked player prefers, if both players prefer the same.

    The rank is by points, then by number (C.04.3, 1.8 and 5.2.4); the library goes by number alone.
    """
    if game.second is None:
        return game
    one, other = (_colours(number, rounds) for number in (game.first, game.second))
    shared = min(len(one), len(other))
    surplus, surplus_other = (2 * each.count("white") - len(each) for each in (one, other))
    if not shared or one[-shared:] != other[-shared:] or surplus != surplus_other:
        return game
    higher, lower = sorted((game.first, game.second), key=lambda number: (-points_of(number, rounds), number))
    is_due = surplus < 0 or (surplus == 0 and one[-1] == "black")
    return TournamentGame(higher, lower) if is_due else TournamentGame(lower, higher)


def _colours(number: int, rounds: Sequence[Sequence[TournamentGame]]) -> list[str]:
    played = (game for game in games_of(number, rounds) if game is not None and game.is_played)
    return ["white" if game.first == number else "black" for game in played]


def _previous_pairs(rounds: Sequence[Sequence[TournamentGame]]) -> set[tuple[int, int]]:
    # Players whose game was forfeited have not met (C.04.1).
    return {
        (game.first, game.second) for games in rounds for game in games if game.second is not None and not game.absent
    }


def _described(entrant: Entrant, rounds: Sequence[Sequence[TournamentGame]]) -> dict[str, Any]:
    """Return a player in the library's form, including the history that the library does not keep."""
    number, played = entrant.number, games_of(entrant.number, rounds)
    floats = [_float(number, game, rounds[:at]) for at, game in enumerate(played)]
    return {
        "id": number,
        "name": str(number),
        "score": points_of(number, rounds),
        # Entrants are numbered by strength already.
        "rating": 0,
        "starting_number": number,
        "pairing_number": number,
        "color_hist": _colours(number, rounds),
        "float_history": floats,
        # A point without playing counts, too: who has had one gets no bye (C.04.1).
        "bye_count": sum(game is not None and not game.is_played and game.points(number) == WIN for game in played),
    }


def _float(number: int, game: TournamentGame | None, before: Sequence[Sequence[TournamentGame]]) -> str:
    """Return whether a player was paired up or down; points without playing count as paired down."""
    if game is None:
        return "none"
    other = game.opponent(number)
    if other is None or game.absent:
        return "down" if game.points(number) else "none"
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
    begun = _begun(rounds)
    counted = begun if swiss else _without_withdrawn(entrants, begun)
    tables = _Table(counted, {each.number: points_of(each.number, counted) for each in entrants}, swiss)
    found = [tables.standing(each.number) for each in entrants]
    keyed = sorted(((_key(each, found, counted, swiss=swiss), each) for each in found), key=lambda pair: pair[0])
    placed: list[PlayerStanding] = []
    for at, (key, each) in enumerate(keyed):
        # Without the player's number, which only makes the order of equals constant.
        shared = at > 0 and keyed[at - 1][0][:-1] == key[:-1]
        place = placed[-1].place if shared else at + 1
        placed.append(replace(each, place=place))
    return placed


def _begun(rounds: Sequence[Sequence[TournamentGame]]) -> Sequence[Sequence[TournamentGame]]:
    """Return the rounds without a last one of which no game is decided, as its byes would lead the standings."""
    is_open = bool(rounds) and not any(game.is_decided and not game.is_bye for game in rounds[-1])
    has_games = bool(rounds) and any(not game.is_bye for game in rounds[-1])
    return rounds[:-1] if is_open and has_games else rounds


def _without_withdrawn(
    entrants: Sequence[Entrant], rounds: Sequence[Sequence[TournamentGame]]
) -> list[list[TournamentGame]]:
    """Return the rounds without the games of players who left before half of theirs were played (C.05)."""
    gone = {
        each.number
        for each in entrants
        if not each.present
        and 2 * sum(game is not None and game.is_played for game in games_of(each.number, rounds)) < len(entrants) - 1
    }
    return [[game for game in games if game.first not in gone and game.second not in gone] for games in rounds]


@dataclass(frozen=True, slots=True)
class _Table:
    """The rounds of a tournament, and all players' points.

    Attributes:
        rounds: the games that count.
        points: each player's points by number.
        swiss: whether rounds without a game count as games against a dummy.
    """

    rounds: Sequence[Sequence[TournamentGame]]
    points: Mapping[int, float]
    swiss: bool

    def standing(self, number: int) -> PlayerStanding:
        """Return a player's standing, without the place."""
        games = games_of(number, self.rounds)
        played = [game for game in games if game is not None and game.is_played]
        known = [each for game in games if (each := self._contribution(number, game)) is not None]
        against = [strength for strength, _, _ in known]
        return PlayerStanding(
            place=0,
            number=number,
            points=self.points[number],
            played=len(played),
            wins=sum(game.points(number) == WIN for game in played),
            buchholz=sum(against),
            buchholz_cut=sum(against) - _least(known),
            sonneborn_berger=sum(strength * points for strength, points, _ in known),
        )

    def _contribution(self, number: int, game: TournamentGame | None) -> tuple[float, float, bool] | None:
        """Return what a round counts for: the opponent's points, the player's, and whether it was voluntarily unplayed.

        An opponent in a round without a game is a dummy with the player's own points (C.07, 16.4); in a round-robin
        tournament a forfeit is a game like others (15.2). None is returned for a game that is not decided.
        """
        other = None if game is None else game.opponent(number)
        if game is None or other is None or (self.swiss and game.absent):
            missed = (0.0, True) if game is None else (game.points(number), game.is_voluntary(number))
            return (self.points[number], *missed) if self.swiss else None
        return (self._for_opponents(other), game.points(number), False) if game.is_decided else None

    def _for_opponents(self, number: int) -> float:
        """Return a player's points as they count for opponents: rounds after the player left are draws (16.3.2)."""
        points = self.points[number]
        if not self.swiss:
            return points
        for game in reversed(games_of(number, self.rounds)):
            if game is not None and not game.is_voluntary(number):
                break
            # A forfeit loss ends nothing, and counts as it was awarded.
            if game is None or game.is_bye:
                points += DRAW - (0.0 if game is None else game.points(number))
        return points


def _least(known: Sequence[tuple[float, float, bool]]) -> float:
    """Return what the cut leaves out: the lowest contribution, or the lowest of rounds voluntarily unplayed (16.5)."""
    voluntary = [strength for strength, _, is_voluntary in known if is_voluntary]
    return min(voluntary or [strength for strength, _, _ in known], default=0.0)


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
    met = [game for games in rounds for game in games if game.is_played and game.first in tied and game.second in tied]
    pairs = {frozenset((game.first, game.second)) for game in met}
    # Players who have met only some of the others would be compared by different opponents.
    if len(pairs) < len(tied) * (len(tied) - 1) // 2:
        return 0.0
    return sum(game.points(standing.number) for game in met if standing.number in (game.first, game.second))


def result_of(first: float, second: float) -> float:
    """Return the tournament points of a player who scored `first` in a game against `second`."""
    return DRAW if first == second else WIN if first > second else 0.0
