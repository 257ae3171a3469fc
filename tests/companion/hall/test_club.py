from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from companion.hall import club, views
from companion.hall.club import ClubError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from companion.hall.database import Database, Tournament

EIGHT = ["Anna", "Boris", "Cilla", "Dan", "Eva", "Finn", "Gala", "Hugo"]


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    with database.transaction() as opened:
        yield opened


def play_round(session: Session, tournament: Tournament) -> None:
    """Pair a round and let the player with the lower number win every game."""
    for each in club.pair(session, tournament, []):
        if each.second is not None:
            club.set_result(session, tournament, each.round, each.board, float(each.first < each.second))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\u0639\u0644\u06cc", "\u0639\u0644\u064a"),  # Persian and Arabic yeh
        ("\u06a9\u0627\u0648\u0647", "\u0643\u0627\u0648\u0647"),  # kaf
        ("\u0645\u06cc\u200c\u0646\u0627", "\u0645\u06cc\u0646\u0627"),  # with and without a zero-width non-joiner
        ("Zo\u00eb", "Zoe\u0308"),  # composed and decomposed
        ("Алёна", "алена"),
        ("Anna B", " anna\u00a0 b "),
        ("Jim", "\uff2a\uff49\uff4d"),  # full width
    ],
)
def test_one_person_is_one_player_however_the_name_is_typed(session: Session, one: str, other: str) -> None:
    assert club.player_named(session, one) is club.player_named(session, other)
    assert club.player_named(session, "Somebody else") is not club.player_named(session, one)


def test_a_swiss_tournament_from_its_beginning_to_the_ratings(session: Session) -> None:
    cup = club.begin(session, " Spring  cup ", club.SWISS, 3, EIGHT)
    for _ in range(3):
        play_round(session, cup)
    with pytest.raises(ClubError, match="All rounds"):
        club.pair(session, cup, [])
    shown = views.tournament(session, cup)
    assert shown["name"] == "Spring cup"
    assert [each["round"] for each in shown["paired"]] == [1, 2, 3]
    assert (shown["standings"][0]["name"], shown["standings"][0]["points"]) == ("Anna", 3.0)
    club.close(session, cup)
    rated = views.players(session)
    assert rated[0]["name"] == "Anna"
    assert rated[0]["rating"] > 1500 > rated[-1]["rating"]
    assert all(each["deviation"] < 350 for each in rated)
    club.reopen(session, cup)
    assert {each["rating"] for each in views.players(session)} == {1500}


def test_a_corrected_result_changes_the_ratings_of_the_period_alone(session: Session) -> None:
    cup = club.begin(session, "Cup", club.SWISS, 1, EIGHT[:2])
    play_round(session, cup)
    club.close(session, cup)
    first = {each["name"]: each["rating"] for each in views.players(session)}
    with pytest.raises(ClubError, match="closed"):
        club.set_result(session, cup, 1, 1, 0.0)
    club.reopen(session, cup)
    game = club.pairings_of(session, cup)[0]
    club.set_result(session, cup, 1, 1, 1.0 - (game.score or 0.0))
    club.close(session, cup)
    second = {each["name"]: each["rating"] for each in views.players(session)}
    assert (first["Anna"], first["Boris"]) == (second["Boris"], second["Anna"])


def test_everybody_meets_everybody(session: Session) -> None:
    cup = club.begin(session, "Cup", club.ROUND_ROBIN, 99, EIGHT[:5])
    assert cup.rounds == 5
    for _ in range(5):
        play_round(session, cup)
    shown = views.tournament(session, cup)
    # Each has rested once, for a point.
    assert [each["points"] for each in shown["standings"]] == [5, 4, 3, 2, 1]
    assert all(each["played"] == 4 for each in shown["standings"])


def test_no_round_is_paired_before_the_last_is_decided(session: Session) -> None:
    cup = club.begin(session, "Cup", club.SWISS, 3, EIGHT)
    club.pair(session, cup, [])
    with pytest.raises(ClubError, match="First enter all results"):
        club.pair(session, cup, [])
    with pytest.raises(ClubError, match="First enter all results"):
        club.close(session, cup)
    club.set_result(session, cup, 1, 2, 0.5)
    with pytest.raises(ClubError, match="without any result"):
        club.unpair(session, cup)
    club.set_result(session, cup, 1, 2, None)
    club.unpair(session, cup)
    assert club.pairings_of(session, cup) == []


def test_results_that_cannot_be_are_refused(session: Session) -> None:
    cup = club.begin(session, "Cup", club.SWISS, 3, EIGHT[:3])
    club.pair(session, cup, [])
    for number, board, score in ((1, 2, 1.0), (1, 9, 1.0), (2, 1, 1.0), (1, 1, 0.7)):
        with pytest.raises(ClubError, match="no such game"):
            club.set_result(session, cup, number, board, score)
    club.set_result(session, cup, 1, 1, 1.0)
    club.pair(session, cup, [])
    with pytest.raises(ClubError, match="not take it back"):
        club.set_result(session, cup, 1, 1, None)
    club.set_result(session, cup, 1, 1, 0.0)


def test_a_late_player_is_last_on_the_list_and_an_absent_one_is_not_paired(session: Session) -> None:
    cup = club.begin(session, "Cup", club.SWISS, 3, EIGHT[:5])
    play_round(session, cup)
    club.enter_late(session, cup, "Late  Lena")
    club.set_present(session, cup, 1, present=False)
    with pytest.raises(ClubError, match="already"):
        club.enter_late(session, cup, "late lena")
    second = club.pair(session, cup, [])
    seated = {number for each in second for number in (each.first, each.second)}
    assert seated == {2, 3, 4, 5, 6, None}


@pytest.mark.parametrize("names", [["Anna"], ["Anna", "anna "]])
def test_a_tournament_needs_two(session: Session, names: list[str]) -> None:
    with pytest.raises(ClubError, match="two or more players"):
        club.begin(session, "Cup", club.SWISS, 3, names)


def test_the_boards_get_the_tables_that_are_there_and_each_is_told_who_comes(session: Session) -> None:
    cup = club.begin(session, "Cup", club.SWISS, 3, EIGHT[:6])
    made = club.pair(session, cup, ["table-1", "table-2"])
    club.announce_pairings(session, cup, made)
    assert [each.table_name for each in made] == ["table-1", "table-2", None]
    assert club.announcements(session)[0]["text"] == "Cup 1/3: Anna – Dan"
    club.announce(session, "table-1", "")
    assert [each["table"] for each in club.announcements(session)] == ["table-2"]


def test_csv_is_what_a_spreadsheet_reads_and_no_formula() -> None:
    rows: list[dict[str, Any]] = [{"a": "=1+1", "b": [1, 2]}, {"a": 'said "no", twice', "b": None}]
    assert views.csv_text(rows, ("a", "b")) == 'a,b\r\n\'=1+1,1; 2\r\n"said ""no"", twice",\r\n'


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (["=1+1", "Boris"], "'=1+1; Boris"),
        (["Anna", "-Boris"], "Anna; '-Boris"),
        ([-3, 5], "-3; 5"),
        (["Anna", "B;=1+1"], "Anna; B;'=1+1"),
        ("B; =1+1", "B; '=1+1"),
    ],
)
def test_a_player_s_name_in_csv_is_no_formula_either(value: object, cell: str) -> None:
    assert views.csv_text([{"players": value}], ("players",)) == f"players\r\n{cell}\r\n"


def test_games_of_who_left_a_round_robin_are_forfeited_and_unrated(session: Session) -> None:
    cup = club.begin(session, "Cup", club.ROUND_ROBIN, 1, EIGHT[:4])
    play_round(session, cup)
    club.set_present(session, cup, 4, present=False)
    for _ in range(2):
        made = club.pair(session, cup, ["table-1", "table-2"])
        forfeited = next(each for each in made if 4 in (each.first, each.second))
        assert (forfeited.absent, forfeited.table_name) == ("first" if forfeited.first == 4 else "second", None)
        other = next(each for each in made if each is not forfeited)
        assert other.table_name == "table-1"
        club.set_result(session, cup, other.round, other.board, 0.5)
    # Less than half of the games were played: none of them counts for the others.
    rows = {each["name"]: (each["points"], each["played"]) for each in views.standing_rows(session, cup)}
    assert rows["Dan"] == (0.0, 0)
    club.close(session, cup)
    assert len({each["deviation"] for each in views.players(session)}) > 1


def test_a_game_to_which_somebody_did_not_come_is_a_forfeit(session: Session) -> None:
    cup = club.begin(session, "Cup", club.SWISS, 1, EIGHT[:4])
    club.pair(session, cup, [])
    club.set_result(session, cup, 1, 1, None, "second")
    club.set_result(session, cup, 1, 2, None, "both")
    rows = views.standing_rows(session, cup)
    assert [(each["points"], each["played"], each["wins"]) for each in rows] == [
        (1, 0, 0),
        (0, 0, 0),
        (0, 0, 0),
        (0, 0, 0),
    ]
    club.close(session, cup)
    assert {each["rating"] for each in views.players(session)} == {1500}
    club.reopen(session, cup)
    club.set_result(session, cup, 1, 1, 0.0)
    assert [each.absent for each in club.pairings_of(session, cup)] == [None, "both"]


def test_more_rounds_than_there_are_opponents_are_refused(session: Session) -> None:
    with pytest.raises(ClubError, match="With 4 players there are at most 3 rounds"):
        club.begin(session, "Cup", club.SWISS, 9, EIGHT[:4])
    assert club.begin(session, "Cup", club.ROUND_ROBIN, 9, EIGHT[:4]).rounds == 3


def test_a_tournament_begun_by_mistake_is_removed(session: Session) -> None:
    cup = club.begin(session, "Cup", club.SWISS, 3, EIGHT)
    club.announce_pairings(session, cup, club.pair(session, cup, ["table-1"]))
    club.set_result(session, cup, 1, 1, 1.0)
    with pytest.raises(ClubError, match="without any result"):
        club.remove(session, cup)
    club.set_result(session, cup, 1, 1, None)
    club.remove(session, cup)
    assert views.tournaments(session) == []
    assert len(views.players(session)) == 8
    session.flush()
    # A link to the removed one must not show another.
    assert club.begin(session, "League", club.SWISS, 3, EIGHT).id != cup.id


def test_a_game_moves_to_another_table_with_its_announcement(session: Session) -> None:
    cup = club.begin(session, "Cup", club.SWISS, 1, EIGHT[:2])
    club.announce_pairings(session, cup, club.pair(session, cup, ["table-1"]))
    club.set_table(session, cup, 1, 1, "table-3")
    assert [each["table"] for each in club.announcements(session)] == ["table-3"]
    club.set_result(session, cup, 1, 1, 1.0)
    assert club.announcements(session) == []
    with pytest.raises(ClubError, match="no such game"):
        club.set_table(session, cup, 1, 2, "table-1")


def test_of_two_games_at_one_table_the_other_is_announced_when_the_first_has_a_result(session: Session) -> None:
    """As if a table broke while every other one was in use."""
    cup = club.begin(session, "Cup", club.SWISS, 1, EIGHT[:4])
    made = club.pair(session, cup, ["table-1", "table-2"])
    club.announce_pairings(session, cup, made)
    texts = {each["table"]: each["text"] for each in club.announcements(session)}
    club.set_table(session, cup, 1, 1, "table-2")
    assert [each["text"] for each in club.announcements(session)] == [texts["table-1"]]
    club.set_result(session, cup, 1, 1, 1.0)
    assert [each["text"] for each in club.announcements(session)] == [texts["table-2"]]
    club.set_result(session, cup, 1, 1, None)
    club.unpair(session, cup)
    assert club.announcements(session) == []


def test_another_announcement_at_a_pairing_s_table_stays(session: Session) -> None:
    cup = club.begin(session, "Cup", club.SWISS, 1, EIGHT[:2])
    club.announce_pairings(session, cup, club.pair(session, cup, ["table-1"]))
    club.announce(session, "table-1", "Tea is ready")
    for score in (1.0, None):
        club.set_result(session, cup, 1, 1, score)
        assert [each["text"] for each in club.announcements(session)] == ["Tea is ready"]


def test_a_pairing_is_announced_again_when_its_result_is_withdrawn(session: Session) -> None:
    cup = club.begin(session, "Cup", club.SWISS, 1, EIGHT[:2])
    club.announce_pairings(session, cup, club.pair(session, cup, ["table-1"]))
    before = [each["text"] for each in club.announcements(session)]
    for score in (1.0, None):
        club.set_result(session, cup, 1, 1, score)
    assert [each["text"] for each in club.announcements(session)] == before
