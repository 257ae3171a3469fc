"""Entry of results into tournaments when games at the tables end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import case, or_, select

from companion.hall import club
from companion.hall.models import Pairing, TableGame, Tournament
from companion.hall.tournament.standings import result_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from companion.hall.models import Player


def ended(session: Session, game: TableGame) -> None:
    """Enter the result of a game into the pairing that has one from it, or else the newest open one of its players."""
    # Tournaments are for two players per table.
    if len(game.players) != 2 or len(game.scores) != 2:
        return
    for pairing, first, second in _open_pairings(session, game):
        if _names(game) == {first.key, second.key}:
            # The seats at the table need not follow the pairing's order.
            at = [" ".join(str(name).split()).casefold() for name in game.players].index(first.key)
            pairing.score = _score(game, at)
            pairing.game_id = game.id
            pairing.table_name = game.table_name
            return


def reopened(session: Session, game: TableGame) -> None:
    """Withdraw the result of a game that was undone after its end, unless something was derived from it.

    A closed tournament has been counted in the ratings, and a later round has been paired. The result stands until the
    game ends again, or a referee corrects it.
    """
    for pairing in session.scalars(select(Pairing).where(Pairing.game_id == game.id)):
        tournament = session.get_one(Tournament, pairing.tournament_id)
        if tournament.closed_at is None and not club.is_later_paired(session, tournament, pairing.round):
            pairing.score, pairing.game_id = None, None


def _names(game: TableGame) -> set[str]:
    return {" ".join(str(name).split()).casefold() for name in game.players}


def _score(game: TableGame, at: int) -> float:
    """Return the points of the player at index `at`, by the winners, which include tie-breaks, or else by scores."""
    if len(game.winners) == 1:
        return 1.0 if game.winners[0] == at + 1 else 0.0
    return result_of(float(game.scores[at]), float(game.scores[1 - at])) if not game.winners else 0.5


def _open_pairings(session: Session, game: TableGame) -> list[tuple[Pairing, Player, Player]]:
    """Return the pairings of all open tournaments that have a result from this game, then those without, newest first.

    Each comes with its players.
    """
    is_its_own = Pairing.game_id == game.id
    query = (
        select(Pairing, Tournament)
        .join(Tournament, Pairing.tournament_id == Tournament.id)
        .where(Tournament.closed_at.is_(None), or_(Pairing.score.is_(None), is_its_own), Pairing.second.is_not(None))
        .order_by(case((is_its_own, 0), else_=1), Pairing.id.desc())
    )
    found = []
    for pairing, tournament in session.execute(query):
        players = club.players_of(session, tournament)
        if pairing.second is not None:
            found.append((pairing, players[pairing.first], players[pairing.second]))
    return found
