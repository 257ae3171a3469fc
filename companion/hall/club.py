"""The club's tournaments in the database: players, rounds and results, and announcements to tables.

Every function works within the caller's transaction.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from companion.errors import CompanionError
from companion.hall.database import Announcement, Deed, Pairing, Player, TableGame, Tournament, TournamentEntry
from companion.hall.tournaments import Entrant, Rating, TournamentGame, rated, round_robin, swiss_round

SWISS, ROUND_ROBIN = "swiss", "round-robin"
MOST_ENTRANTS: Final = 400
_SCORES: Final = (0.0, 0.5, 1.0)
Absent: TypeAlias = Literal["first", "second", "both"]
"""Who did not appear to a game."""


class ClubError(CompanionError):
    """Raised if a change is not possible with this tournament, or not in its present state."""


def note(session: Session, role: str, what: str) -> None:
    """Log a change and the role that made it."""
    session.add(Deed(at=datetime.now(UTC), role=role, what=what))


# Players and tournaments.


# Letters that keyboards differ in, as written by the one and by the other: Arabic and Persian yeh and kaf, Russian yo.
_SAME_LETTERS: Final = str.maketrans("\u064a\u0649\u0643\u0451", "\u06cc\u06cc\u06a9\u0435")


def player_key(name: str) -> str:
    """Return the text by which a name is compared: its letters, whatever the keyboard that they were typed with.

    Blanks, case, invisible characters such as the zero-width non-joiner, and the forms of Unicode are ignored.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    # "Cf" are format characters; U+0640 only lengthens a word.
    letters = "".join(each for each in folded if unicodedata.category(each) != "Cf" and each != "\u0640")
    # A letter may become several; the column has room for 64.
    return " ".join(letters.translate(_SAME_LETTERS).split())[:64]


def player_named(session: Session, name: str) -> Player:
    """Return the player of this name, by `player_key`, creating one if there is none."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    key = player_key(name)
    found = session.scalar(select(Player).where(Player.key == key))
    if found is None:
        found = Player(name=shown, key=key)
        session.add(found)
        session.flush()
    return found


def begin(session: Session, name: str, system: str, rounds: int, players: Sequence[str]) -> Tournament:
    """Create a tournament; players are numbered by rating, then in the order given.

    Raises:
        ClubError: there are too few or too many players, or one is listed twice.
    """
    found = [player_named(session, each) for each in players]
    if len(found) < 2 or len({each.id for each in found}) < len(found):
        raise ClubError.said("A tournament needs two or more players, each entered once.")
    if len(found) > MOST_ENTRANTS:
        raise ClubError.said("A tournament has at most {count} players.", count=MOST_ENTRANTS)
    # With an odd number one player has a bye in each round.
    most = len(found) + len(found) % 2 - 1
    if system == SWISS and rounds > most:
        raise ClubError.said("With {players} players there are at most {count} rounds.", players=len(found), count=most)
    rounds = most if system == ROUND_ROBIN else rounds
    tournament = Tournament(name=" ".join(name.split()), system=system, rounds=rounds, created_at=datetime.now(UTC))
    session.add(tournament)
    session.flush()
    # The sort is stable: players of equal rating, such as new ones, keep the order of the list.
    for number, player in enumerate(sorted(found, key=lambda each: -each.rating), 1):
        session.add(TournamentEntry(tournament_id=tournament.id, player_id=player.id, number=number))
    session.flush()
    return tournament


def remove(session: Session, tournament: Tournament) -> None:
    """Remove a tournament that was begun by mistake.

    Raises:
        ClubError: it has a result, or is closed.
    """
    _still_open(tournament)
    paired = pairings_of(session, tournament)
    if any(each.score is not None and each.absent is None for each in paired):
        raise ClubError.said("Only a tournament without any result can be removed.")
    for each in paired:
        withdraw_pairing(session, tournament, each)
        session.delete(each)
    for row in entries_of(session, tournament):
        session.delete(row)
    session.flush()
    session.delete(tournament)


def enter_late(session: Session, tournament: Tournament, name: str) -> TournamentEntry:
    """Enter a player after the start, at the end of the list.

    Raises:
        ClubError: the player is entered already, a round of a round-robin tournament is paired, or the tournament
            is closed.
    """
    _still_open(tournament)
    # The Berger table of a round depends on the number of players.
    if tournament.system == ROUND_ROBIN and pairings_of(session, tournament):
        raise ClubError.said("In a round-robin tournament nobody can enter after the first round is paired.")
    player, there = player_named(session, name), entries_of(session, tournament)
    if any(each.player_id == player.id for each in there):
        raise ClubError.said("{name} is already in this tournament.", name=player.name)
    entry = TournamentEntry(tournament_id=tournament.id, player_id=player.id, number=len(there) + 1)
    session.add(entry)
    if tournament.system == ROUND_ROBIN:
        tournament.rounds = len(there) + len(there) % 2
    session.flush()
    return entry


def set_present(session: Session, tournament: Tournament, number: int, *, present: bool) -> None:
    """Set whether a player is paired from the next round on.

    Raises:
        ClubError: there is no such player, or the tournament is closed.
    """
    _still_open(tournament)
    entry = next((each for each in entries_of(session, tournament) if each.number == number), None)
    if entry is None:
        raise ClubError.said("There is no player number {number}.", number=number)
    entry.present = present


def entries_of(session: Session, tournament: Tournament) -> list[TournamentEntry]:
    """Return a tournament's entries, ordered by number."""
    return list(
        session.scalars(
            select(TournamentEntry)
            .where(TournamentEntry.tournament_id == tournament.id)
            .order_by(TournamentEntry.number)
        )
    )


def pairings_of(session: Session, tournament: Tournament) -> list[Pairing]:
    """Return a tournament's pairings, ordered by round and board."""
    query = select(Pairing).where(Pairing.tournament_id == tournament.id).order_by(Pairing.round, Pairing.board)
    return list(session.scalars(query))


def rounds_of(pairings: Sequence[Pairing]) -> list[list[TournamentGame]]:
    """Return pairings as games of the tournament's rules, one list per round."""
    last = max((each.round for each in pairings), default=0)
    return [[game_of(each) for each in pairings if each.round == number] for number in range(1, last + 1)]


def game_of(pairing: Pairing) -> TournamentGame:
    """Return a pairing as a game of the tournament's rules."""
    absent = {"first": (pairing.first,), "second": (pairing.second,), "both": (pairing.first, pairing.second)}
    who = absent.get(pairing.absent or "", ())
    return TournamentGame(pairing.first, pairing.second, pairing.score, tuple(each for each in who if each is not None))


def entrants_of(entries: Sequence[TournamentEntry]) -> list[Entrant]:
    """Return entries as entrants of the tournament's rules."""
    return [Entrant(each.number, present=each.present) for each in entries]


def players_of(session: Session, tournament: Tournament) -> dict[int, Player]:
    """Return a tournament's players by their numbers."""
    query = (
        select(TournamentEntry.number, Player)
        .join(Player, TournamentEntry.player_id == Player.id)
        .where(TournamentEntry.tournament_id == tournament.id)
    )
    return dict(session.execute(query).all())


# Rounds.


def pair(session: Session, tournament: Tournament, tables: Sequence[str]) -> list[Pairing]:
    """Pair the next round; the first boards are assigned the tables.

    Raises:
        ClubError: a game has no result yet, all rounds are paired, fewer than two players are present for a Swiss
            round, or the tournament is closed.
    """
    _still_open(tournament)
    paired = pairings_of(session, tournament)
    # The Dutch system pairs by the points of all rounds so far.
    if any(each.score is None and each.second is not None for each in paired):
        raise ClubError.said("First enter all results of the previous round.")
    rounds = rounds_of(paired)
    if len(rounds) >= tournament.rounds:
        raise ClubError.said("All rounds of this tournament are paired.")
    games = _next_games(session, tournament, rounds)
    made, free = [], iter(tables)
    after, now = session.scalar(select(func.max(TableGame.id))), datetime.now(UTC)
    for at, game in enumerate(games):
        pairing = Pairing(
            tournament_id=tournament.id,
            round=len(rounds) + 1,
            board=at + 1,
            # A game that nobody plays takes no table.
            table_name=None if game.is_decided else next(free, None),
            first=game.first,
            second=game.second,
            score=game.points(game.first) if game.absent else None,
            absent=_absent(game),
            after_game=after,
            paired_at=now.isoformat(timespec="milliseconds"),
        )
        session.add(pairing)
        made.append(pairing)
    session.flush()
    return made


def _absent(game: TournamentGame) -> Absent | None:
    if len(game.absent) > 1:
        return "both"
    return None if not game.absent else "first" if game.absent == (game.first,) else "second"


def _next_games(session: Session, tournament: Tournament, rounds: list[list[TournamentGame]]) -> list[TournamentGame]:
    entries = entries_of(session, tournament)
    if tournament.system == ROUND_ROBIN:
        # Who has withdrawn loses the games that are left by forfeit (C.05).
        gone = {each.number for each in entries if not each.present}
        return [
            game if game.is_bye else replace(game, absent=tuple(n for n in (game.first, game.second) if n in gone))
            for game in round_robin(len(entries))[len(rounds)]
        ]
    present = [each for each in entries if each.present]
    if len(present) < 2:
        raise ClubError.said("A tournament needs two or more players, each entered once.")
    return swiss_round(entrants_of(entries), rounds, tournament.rounds)


def unpair(session: Session, tournament: Tournament) -> None:
    """Delete the last round's pairings if none of its games has a result.

    Raises:
        ClubError: there is no round, a game has a result, or the tournament is closed.
    """
    _still_open(tournament)
    paired = pairings_of(session, tournament)
    last = [each for each in paired if each.round == paired[-1].round] if paired else []
    if not last or any(each.score is not None and each.absent is None for each in last):
        raise ClubError.said("Only a round without any result can be taken back.")
    for each in last:
        withdraw_pairing(session, tournament, each)
        session.delete(each)


def set_result(
    session: Session,
    tournament: Tournament,
    round_number: int,
    board: int,
    score: float | None,
    absent: Absent | None = None,
) -> None:
    """Enter or correct a result; None withdraws it.

    Args:
        session: a transaction.
        tournament: the tournament.
        round_number: the round's number, from 1.
        board: the board's number, from 1.
        score: the points of the first player: 0, 0.5 or 1.
        absent: who did not appear, so that the game is lost by forfeit; `score` is ignored then.

    Raises:
        ClubError: there is no such game, the tournament is closed, or a result is withdrawn after a later round
            was paired.
    """
    _still_open(tournament)
    found = _found(session, tournament, round_number, board)
    score = score if absent is None else 1.0 if absent == "second" else 0.0
    if found is None or found.second is None or score not in (None, *_SCORES):
        raise ClubError.said("There is no such game to enter a result for.")
    if score is None and is_later_paired(session, tournament, round_number):
        raise ClubError.said("A later round is already paired: you can correct the result, but not take it back.")
    # Not from a table any more: a decision undone there must not withdraw what a referee has entered.
    found.score, found.absent, found.game_id = score, absent, None
    if score is None:
        announce_again(session, tournament, found)
    else:
        withdraw_pairing(session, tournament, found)


def set_table(session: Session, tournament: Tournament, round_number: int, board: int, table: str | None) -> None:
    """Assign a game to a table, and move its announcement there; None to no table.

    Raises:
        ClubError: there is no such game, or the tournament is closed.
    """
    _still_open(tournament)
    found = _found(session, tournament, round_number, board)
    if found is None or found.second is None:
        raise ClubError.said("There is no such game to enter a result for.")
    withdraw_pairing(session, tournament, found)
    found.table_name = table
    if found.score is None:
        announce_pairings(session, tournament, [found])


def _found(session: Session, tournament: Tournament, round_number: int, board: int) -> Pairing | None:
    paired = pairings_of(session, tournament)
    return next((each for each in paired if (each.round, each.board) == (round_number, board)), None)


def is_later_paired(session: Session, tournament: Tournament, round_number: int) -> bool:
    """Return whether a round after this one is paired.

    It was paired by this round's results, and without any of them the next round could never be paired.
    """
    later = select(func.count()).where(Pairing.tournament_id == tournament.id, Pairing.round > round_number)
    return bool(session.scalar(later))


def _still_open(tournament: Tournament) -> None:
    if tournament.closed_at is not None:
        raise ClubError.said("This tournament is closed: open it again to change it.")


# Closing.


def close(session: Session, tournament: Tournament) -> None:
    """Close a tournament, and recompute all ratings with it.

    Raises:
        ClubError: a game has no result yet, or the tournament is closed.
    """
    _still_open(tournament)
    if any(each.score is None and each.second is not None for each in pairings_of(session, tournament)):
        raise ClubError.said("First enter all results of the previous round.")
    tournament.closed_at = datetime.now(UTC)
    # From all closed tournaments: an earlier one may have been reopened and corrected meanwhile.
    rate(session, [(each, pairings_of(session, each), players_of(session, each)) for each in _closed(session)])


def reopen(session: Session, tournament: Tournament) -> None:
    """Reopen a closed tournament, and recompute all ratings without it."""
    tournament.closed_at = None
    rate(session, [(each, pairings_of(session, each), players_of(session, each)) for each in _closed(session)])


def _closed(session: Session) -> list[Tournament]:
    """Return the closed tournaments, first closed first."""
    session.flush()
    closed = select(Tournament).where(Tournament.closed_at.is_not(None)).order_by(Tournament.closed_at)
    return list(session.scalars(closed))


# Announcements.


def announce(session: Session, table: str, text: str) -> None:
    """Set the announcement to a table or to all, replacing the former; an empty text withdraws it.

    Args:
        session: a transaction.
        table: the table's name, or "" for all tables.
        text: the announcement.
    """
    # Deleted first: the table is the key, and the new text may be empty.
    session.execute(delete(Announcement).where(Announcement.table_name == table))
    if text:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        session.add(Announcement(table_name=table, text=text, at=at))


def announce_pairings(session: Session, tournament: Tournament, pairings: Sequence[Pairing]) -> None:
    """Set an announcement at each paired table that names the two players of its game."""
    for pairing in pairings:
        if pairing.table_name is not None and pairing.second is not None:
            announce(session, pairing.table_name, _pairing_text(session, tournament, pairing))


def announce_again(session: Session, tournament: Tournament, pairing: Pairing) -> None:
    """Announce a pairing whose result was withdrawn, unless its table has another announcement by now."""
    if session.get(Announcement, pairing.table_name or "") is None:
        announce_pairings(session, tournament, [pairing])


def withdraw_pairing(session: Session, tournament: Tournament, pairing: Pairing) -> None:
    """Withdraw the announcement of a pairing from its table, unless another one has replaced it.

    A game that waits for the same table, as one that was moved to it, is announced there instead.
    """
    shown = session.get(Announcement, pairing.table_name or "")
    if not shown or pairing.second is None or shown.text != _pairing_text(session, tournament, pairing):
        return
    announce(session, shown.table_name, "")
    waiting = (each for each in pairings_of(session, tournament) if each.score is None and each.id != pairing.id)
    following = next((each for each in waiting if each.table_name == pairing.table_name), None)
    if following is not None:
        announce_pairings(session, tournament, [following])


def _pairing_text(session: Session, tournament: Tournament, pairing: Pairing) -> str:
    players = players_of(session, tournament)
    names = [players[number].name for number in (pairing.first, pairing.second) if number is not None]
    return f"{tournament.name} {pairing.round}/{tournament.rounds}: {' – '.join(names)}"


def announcements(session: Session) -> list[dict[str, Any]]:
    """Return the announcements in force, the one to all tables first."""
    query = select(Announcement).order_by(Announcement.table_name)
    return [{"table": each.table_name, "text": each.text, "at": each.at} for each in session.scalars(query)]


Period: TypeAlias = "tuple[Tournament, list[Pairing], dict[int, Player]]"
"""A closed tournament, its pairings, and its players by their numbers."""


def rate(session: Session, periods: Sequence[Period]) -> None:
    """Recompute the ratings of all players, tournament by tournament."""
    everyone = list(session.scalars(select(Player)))
    ratings = {player.id: Rating() for player in everyone}
    for _, pairings, players in periods:
        results: dict[int, list[tuple[Rating, float]]] = {player: [] for player in ratings}
        for pairing in pairings:
            if pairing.second is not None and pairing.score is not None and not pairing.absent:
                one, other = players[pairing.first].id, players[pairing.second].id
                # The ratings from before the period, whatever the order of its games.
                results[one].append((ratings[other], pairing.score))
                results[other].append((ratings[one], 1.0 - pairing.score))
        # Also without a game: a rating becomes less certain with each period.
        ratings = {player: rated(ratings[player], results[player]) for player in ratings}
    for player in everyone:
        now = ratings[player.id]
        player.rating, player.deviation, player.volatility = now.rating, now.deviation, now.volatility
