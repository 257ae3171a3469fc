"""Swiss pairings by the FIDE Dutch System (Handbook C.04.3), computed by the library caissify-pairings.

The player with white in chess begins the game here.
"""

from collections.abc import Sequence
from typing import Any

from companion.hall.tournament.games import Entrant, TournamentGame, games_of, points_of


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
