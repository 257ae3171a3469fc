"""Standings with the tie-breaks of the FIDE Handbook (C.07)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.hall.tournament.games import BYE_POINTS, DRAW, WIN, Entrant, TournamentGame, games_of, points_of


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
