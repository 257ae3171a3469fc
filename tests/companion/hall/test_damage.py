"""Test damage of the hall's database: found, set aside, and made up for, at the start and while the hall runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.durable import database_damage
from companion.hall import club, views
from companion.hall.club import ClubError
from companion.hall.collector import Collector
from companion.hall.damage import DamageWatch, repair
from companion.hall.database import Database, DatabaseError, Player, TableGame, Tournament
from companion.hall.live import Live
from companion.languages import Sentence
from companion.mqtt.messages import ResendMessage
from tests.companion.hall.standin import HALL, StandInTable

NOW = datetime(2026, 1, 2, 19, 0, 7, tzinfo=UTC)
PAGE = 4096
PATIENCE_S = 60.0


def _evening(database: Database, folder: Path) -> StandInTable:
    """Store a game and a tournament, and return the table."""
    table = StandInTable(folder)
    Collector(database, HALL, Live(), lambda *_: None).take(table.arrived(table.play(2)))
    with database.transaction() as session:
        cup = club.begin(session, "Cup", "swiss", 3, ["Anna", "Boris", "Cilla", "Dan"])
        club.pair(session, cup, [])
        club.set_result(session, cup, 1, 1, 1.0)
    return table


def _show_everything(session: Session, there: Sequence[Tournament]) -> None:
    """Show and correct what is there; whatever is lost, nothing may fail."""
    for cup in there:
        shown = views.tournament(session, cup)
        for game in views.pairing_rows(shown):
            club.set_result(session, cup, game["round"], game["board"], 0.5)
        # One that has lost its entries has no players to pair.
        with suppress(ClubError):
            club.pair(session, cup, [])
    views.players(session)
    club.announcements(session)


def test_every_zeroed_block_is_found_and_the_games_come_again_from_the_tables(made: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.sqlite3"
    whole.write_bytes(made.read_bytes())
    database = Database(f"sqlite:///{whole}")
    table = _evening(database, tmp_path)
    database.close()
    pages = whole.stat().st_size // 4096
    cups = 0
    for page in range(pages):
        path = tmp_path / f"{page}" / "hall.sqlite3"
        path.parent.mkdir()
        content = bytearray(whole.read_bytes())
        is_empty = not any(content[page * 4096 : (page + 1) * 4096])
        content[page * 4096 : (page + 1) * 4096] = bytes(4096)
        path.write_bytes(content)
        hurt = Database(f"sqlite:///{path}")
        says = repair(hurt, NOW)
        assert (says is None) == is_empty, page
        assert says is None or "was set aside as hall.sqlite3.damaged-20260102-190007" in str(says)
        hurt.upgrade()
        collector = Collector(hurt, HALL, Live(), lambda *_: None)
        collector.take([table.state()])
        collector.take(table.arrived(table.outbox.after(0, 10_000)))
        with hurt.transaction() as session:
            assert [game.finished_at is not None for game in session.scalars(select(TableGame))] == [True]
            there = list(session.scalars(select(Tournament)))
            cups += [each.name for each in there] == ["Cup"]
            _show_everything(session, there)
        hurt.close()
        assert database_damage(path) is None
    # Only those with the tournament's own pages lose it.
    assert cups > pages * 3 // 4


def test_a_sound_database_and_one_on_a_server_are_left_alone(database: Database) -> None:
    assert repair(database, NOW) is None
    assert repair(Database("postgresql://localhost:1/hall"), NOW) is None


def _zero(path: Path, page: int) -> None:
    with path.open("r+b") as file:
        file.seek(page * PAGE)
        file.write(bytes(PAGE))


def _root_page(path: Path, name: str) -> int:
    """Return the index of the first page of a table."""
    with closing(sqlite3.connect(path)) as connection:
        # All rows are in the file itself before a page of it is damaged.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    return int(root) - 1


def test_rows_on_both_sides_of_a_damaged_page_are_kept(database: Database) -> None:
    names = [f"Player {number:04}" for number in range(1200)]
    with database.transaction() as session:
        session.add_all(Player(name=name, key=name.casefold()) for name in names)
    path = database.file
    assert path is not None
    _root_page(path, "players")
    with closing(sqlite3.connect(path)) as connection:
        (middle,) = connection.execute(
            "SELECT pageno FROM dbstat WHERE name = 'players' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET 8"
        ).fetchone()
    _zero(path, middle - 1)
    assert repair(database, NOW) is not None
    with database.transaction() as session:
        found = list(session.scalars(select(Player.name).order_by(Player.id)))
    assert found[0] == names[0]
    assert found[-1] == names[-1]
    assert len(names) - 120 < len(found) < len(names)


def test_damage_that_sqlite_reports_in_a_running_hall_is_repaired_at_once(database: Database, tmp_path: Path) -> None:
    table = _evening(database, tmp_path)
    path, done, says = database.file, Event(), list[Sentence]()
    assert path is not None
    database.close()
    _zero(path, _root_page(path, "games"))

    def repaired(sentence: Sentence) -> None:
        says.append(sentence)
        done.set()

    watch = DamageWatch(database, repaired, every_s=1e6)
    watch.start()
    with pytest.raises(DatabaseError, match="malformed"), database.transaction() as session:
        list(session.scalars(select(TableGame)))
    assert done.wait(PATIENCE_S)
    watch.close()
    assert "was set aside as hall.sqlite3.damaged-" in str(says[0])
    with database.transaction() as session:
        assert list(session.scalars(select(TableGame))) == []
        assert [each.name for each in session.scalars(select(Tournament))] == ["Cup"]
    Collector(database, HALL, Live(), lambda *_: None).take(table.arrived(table.outbox.after(0, 10_000)))
    with database.transaction() as session:
        assert len(list(session.scalars(select(TableGame)))) == 1


def test_damage_that_nothing_has_read_is_found_by_the_next_check(database: Database) -> None:
    path, done = database.file, Event()
    assert path is not None
    database.close()
    _zero(path, _root_page(path, "deeds"))
    watch = DamageWatch(database, lambda _: done.set(), every_s=0.01)
    watch.start()
    assert done.wait(PATIENCE_S)
    watch.close()
    assert database_damage(path) is None


def test_a_running_collector_asks_the_tables_for_all_events_after_a_repair(database: Database, tmp_path: Path) -> None:
    asked, now_s = list[ResendMessage](), [0.0]
    table, path = StandInTable(tmp_path), database.file
    assert path is not None
    collector = Collector(database, HALL, Live(), lambda _, message: asked.append(message), clock=lambda: now_s[0])
    events = table.play(2)
    collector.take(table.arrived(events[:-1]))
    database.close()
    _zero(path, _root_page(path, "events"))
    assert repair(database, NOW) is not None
    # It would continue what is stored no more.
    collector.take(table.arrived(events[-1:]))
    now_s[0] += 10
    collector.take([])
    assert [message.after for message in asked] == [0]
    collector.take(table.arrived(table.outbox.after(0, 10_000)))
    with database.transaction() as session:
        assert [game.finished_at is not None for game in session.scalars(select(TableGame))] == [True]


def test_nobody_uses_the_file_while_it_is_replaced(database: Database) -> None:
    begun, ends, replaced = Event(), Event(), Event()

    def use() -> None:
        with database.transaction() as session:
            club.announce(session, "", "hello")
            begun.set()
            ends.wait(PATIENCE_S)
            assert not replaced.is_set()

    thread = Thread(target=use)
    thread.start()
    begun.wait(PATIENCE_S)

    def replace() -> None:
        with database.replacing():
            replaced.set()
            with pytest.raises(DatabaseError, match="is being repaired"), database.transaction():
                pass

    replacing = Thread(target=replace)
    replacing.start()
    ends.set()
    for each in (thread, replacing):
        each.join(PATIENCE_S)
    assert replaced.is_set()
    with database.transaction() as session:
        assert [each["text"] for each in club.announcements(session)] == ["hello"]


def test_a_repair_that_was_interrupted_is_done_by_the_next_start(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _evening(database, tmp_path)
    path = database.file
    assert path is not None
    database.close()
    _zero(path, _root_page(path, "games"))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            repair(database, NOW)
    assert repair(database, NOW) is not None
    with database.transaction() as session:
        assert [each.name for each in session.scalars(select(Tournament))] == ["Cup"]
