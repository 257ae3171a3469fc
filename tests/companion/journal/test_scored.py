"""Games scored from photographs, on disk."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.journal.errors import UnknownGameError
from companion.journal.scored import SCORED_NAME, ScoredGames

AT = datetime(2026, 2, 3, 19, 30, tzinfo=UTC)


def _kept(folder: Path, *players: str, pictures: tuple[bytes, ...] = ()) -> int:
    return ScoredGames(folder).keep("patchwork", AT, players, (17, -4), {"seats": []}, pictures).number


def test_games_are_listed_the_newest_first_and_numbers_are_not_given_twice(tmp_path: Path) -> None:
    assert ScoredGames(tmp_path).all() == []
    assert [_kept(tmp_path, "Anna", "Boris"), _kept(tmp_path, "Anna", "")] == [1, 2]
    games = ScoredGames(tmp_path).all()
    assert [(game.number, game.players, game.scores) for game in games] == [
        (2, ("Anna", ""), (17, -4)),
        (1, ("Anna", "Boris"), (17, -4)),
    ]
    assert games[0].scored_at == "2026-02-03T19:30:00+00:00"


def test_a_deleted_game_leaves_no_picture(tmp_path: Path) -> None:
    number = _kept(tmp_path, "Anna", "Boris", pictures=(b"one", b"two"))
    assert [path.read_bytes() for path in ScoredGames(tmp_path).pictures(number)] == [b"one", b"two"]
    ScoredGames(tmp_path).delete(number)
    assert list((tmp_path / SCORED_NAME).iterdir()) == []
    with pytest.raises(UnknownGameError):
        ScoredGames(tmp_path).delete(number)


def test_a_name_is_removed_from_all_games(tmp_path: Path) -> None:
    _kept(tmp_path, "Anna", "Boris")
    _kept(tmp_path, "Boris", "Clara")
    assert ScoredGames(tmp_path).forget("Boris") == 2
    assert [game.players for game in ScoredGames(tmp_path).all()] == [("", "Clara"), ("Anna", "")]
    assert ScoredGames(tmp_path).forget("Boris") == 0


def test_a_damaged_file_hides_no_other_game(tmp_path: Path) -> None:
    for name in ("Anna", "Boris"):
        _kept(tmp_path, name, "")
    (tmp_path / SCORED_NAME / "1.json").write_text("{")
    assert [game.players for game in ScoredGames(tmp_path).all()] == [("Boris", "")]
