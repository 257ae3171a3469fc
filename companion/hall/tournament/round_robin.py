"""Round-robin pairings by the Berger tables (FIDE Handbook C.05, annex 1)."""

from companion.hall.tournament.games import TournamentGame


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
