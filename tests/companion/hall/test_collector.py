from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from companion.hall import club, collector, hall
from companion.hall.collector import PATIENCE_S, Collector, GameEndHooks, RefusedEvent, StoredEvent
from companion.hall.database import Database, DatabaseError, Event, Pairing, TableGame
from companion.hall.live import Live
from companion.mqtt.link import Arrived
from companion.mqtt.messages import Happened, ResendMessage, StateMessage, read_message
from tests.companion.hall.standin import HALL, StandInTable
from tests.companion.mqtt.standin import game_events


@dataclass
class Stage:
    database: Database
    asked: list[tuple[str, int]] = field(default_factory=list)
    now_s: float = 0.0
    now: datetime | None = None

    def __post_init__(self) -> None:
        self.live = Live()
        self.collector = self.anew()

    def anew(self) -> Collector:
        """Return a newly started collector."""

        def ask(table: str, request: ResendMessage) -> None:
            self.asked.append((table, request.after))

        settles = GameEndHooks(hall.ended, hall.reopened)
        return Collector(self.database, HALL, self.live, ask, settles, lambda: self.now_s, self._now)

    def _now(self) -> datetime:
        return self.now or datetime.now(UTC)

    @property
    def stored(self) -> list[int]:
        with self.database.transaction() as session:
            return list(session.scalars(select(Event.sequence).order_by(Event.table_name, Event.sequence)))

    @property
    def games(self) -> list[TableGame]:
        with self.database.transaction() as session:
            return list(session.scalars(select(TableGame).order_by(TableGame.id)))


@pytest.fixture
def stage(database: Database) -> Stage:
    return Stage(database)


@pytest.fixture
def table(tmp_path: Path) -> StandInTable:
    return StandInTable(tmp_path)


def test_a_game_is_stored_from_its_opening_to_its_result(stage: Stage, table: StandInTable) -> None:
    events = table.play(2)
    stage.collector.take(table.arrived(events))
    (game,) = stage.games
    last = game_events(2)[1][-1].state
    assert (game.players, game.winners) == (["Anna", "Boris"], [last.winner])
    assert game.finished_at is not None
    assert game.decisions == len(events) - 2
    assert stage.stored == list(range(1, len(events) + 1))


def test_every_event_counts_once_however_often_and_in_which_order_it_comes(stage: Stage, table: StandInTable) -> None:
    events = list(table.play(3))
    rng = random.Random(5)
    for _ in range(4):
        shuffled = table.arrived(events)
        rng.shuffle(shuffled)
        stage.collector.take(shuffled)
    # The missing messages arrive in order, as a table sends them again.
    stage.collector.take(table.arrived(events))
    stage.collector.take(table.arrived(events))
    assert stage.stored == list(range(1, len(events) + 1))
    assert len(stage.games) == 1


def test_a_gap_is_asked_for_and_nothing_behind_it_is_taken_before(stage: Stage, table: StandInTable) -> None:
    events = table.play(2, 6)
    stage.collector.take(table.arrived(events[:2]))
    stage.now_s = 1.0
    stage.collector.take(table.arrived(events[4:]))
    assert stage.stored == [1, 2]
    assert stage.asked == []
    stage.now_s = PATIENCE_S + 0.1
    stage.collector.take([])
    stage.collector.take([])
    assert stage.asked == [("table-3", 2)]
    stage.collector.take(table.arrived(events[2:]))
    assert stage.stored == list(range(1, len(events) + 1))


def test_events_that_wait_to_be_stored_are_not_requested_again(stage: Stage, table: StandInTable) -> None:
    events = table.play(2, 6)
    stage.collector.store(stage.collector.see([table.state(), *table.arrived(events[:1])]), more=True)
    stage.now_s = 60.0
    stage.collector.store(stage.collector.see(table.arrived(events[1:3])), more=True)
    assert stage.asked == []
    stage.now_s = 120.0
    stage.collector.store([])
    assert stage.asked == [("table-3", 3)]


def test_a_collector_that_was_away_sees_by_the_state_that_it_missed_events(stage: Stage, table: StandInTable) -> None:
    events = table.play(2, 6)
    stage.collector.take(table.arrived(events[:3]))
    again = stage.anew()
    again.take([table.state()])
    assert stage.asked == [("table-3", 3)]
    again.take(table.arrived(events[3:]))
    stage.now_s = 60.0
    again.take([])
    assert stage.asked == [("table-3", 3)]


def test_events_that_the_table_no_longer_has_are_not_waited_for(stage: Stage, table: StandInTable) -> None:
    events = table.play(2, 6)
    pruned = msgspec.structs.replace(events[3], kind="pruned", game=None, decision=None)
    stage.collector.take([*table.arrived([pruned]), *table.arrived(events[4:])])
    assert stage.stored == [4, 5, 6, 7]


def test_a_table_whose_outbox_is_an_older_copy_is_told_how_far_it_had_come(stage: Stage, table: StandInTable) -> None:
    events = table.play(2, 3)
    older = table.state()
    more = table.play(2, 5, game=2)
    stage.collector.take(table.arrived([*events, *more]))
    stage.now_s = 10.0
    stage.collector.take([older])
    stage.collector.take([])
    assert stage.asked == [("table-3", len(events) + len(more))]


def test_a_table_with_a_new_outbox_numbers_anew(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    for folder in ("a", "b"):
        table = StandInTable(tmp_path / folder)
        stage.collector.take(table.arrived(table.play(2, 3)))
    assert stage.stored == [1, 1, 2, 2, 3, 3, 4, 4]
    assert len(stage.games) == 2


def _renamed(table: StandInTable, name: str) -> StandInTable:
    """Return a table with a copy of another one's outbox, under another name."""
    paths = (table.folder / f"{each}.sqlite3" for each in (table.name, name))
    old, new = map(sqlite3.connect, paths)
    with closing(old), closing(new):
        old.backup(new)
    return StandInTable(table.folder, name)


def test_a_table_that_is_renamed_brings_its_games_along(stage: Stage, table: StandInTable) -> None:
    events = [*table.play(2), *table.undo(2), *table.finish(2), *table.play(3, 4, game=2)]
    stage.collector.take(table.arrived(events))
    renamed = _renamed(table, "table-9")
    stage.collector = stage.anew()
    for event in renamed.outbox.after(0, 10_000):
        stage.collector.take(renamed.arrived([event]))
    stage.collector.take(renamed.arrived(renamed.play(4, game=3)))
    ended = [(game.table_name, game.number) for game in stage.games if game.finished_at is not None]
    assert ended == [("table-9", 1), ("table-9", 3)]
    (first, *_) = stage.games
    assert (first.players, first.decisions) == (["Anna", "Boris"], len(game_events(2)[1]))


def test_two_machines_with_copies_of_one_disk_keep_their_games_apart(stage: Stage, table: StandInTable) -> None:
    stage.collector.take(table.arrived(table.play(2)))
    copy = _renamed(table, "table-9")
    table.now += timedelta(minutes=1)
    stage.collector.take(table.arrived(table.play(3, game=2)))
    stage.collector.take(copy.arrived(copy.outbox.after(0, 10_000)))
    copy.now = table.now + timedelta(minutes=1)
    stage.collector.take(copy.arrived(copy.play(4, game=2)))
    ended = [(game.table_name, game.number) for game in stage.games if game.finished_at is not None]
    assert sorted(ended) == [("table-3", 2), ("table-9", 1), ("table-9", 2)]


def test_an_end_that_is_taken_back_is_no_result(stage: Stage, table: StandInTable) -> None:
    stage.collector.take(table.arrived(table.play(2)))
    stage.collector.take(table.arrived(table.undo(2)))
    (game,) = stage.games
    assert game.finished_at is None


def test_events_that_the_database_refused_are_requested_when_it_is_back(
    stage: Stage, table: StandInTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    events = table.play(2, 6)
    stage.collector.take(table.arrived(events[:2]))

    def away(_: Database) -> Any:
        raise DatabaseError("away")

    with monkeypatch.context() as gone:
        gone.setattr(Database, "transaction", away)
        for event in events[2:]:
            stage.collector.take(table.arrived([event]))
        # The page goes on without the database.
        stage.collector.take([table.state()])
        assert stage.live.tables()[0]["state"]["decisions"] == 6
    stage.now_s = 5.0
    stage.collector.take([])
    assert stage.asked == [("table-3", 2)]
    stage.collector.take(table.arrived(events[2:]))
    assert stage.stored == list(range(1, len(events) + 1))
    assert caplog.text.count("nothing is stored until the database is there") == 1


def test_nothing_is_set_aside_because_the_disk_is_full(
    stage: Stage, table: StandInTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    events, write = table.play(2), Collector._write

    def full(itself: Collector, events: Sequence[StoredEvent]) -> None:
        if isinstance(events[0], RefusedEvent):
            return write(itself, events)  # For the shorter note there is room again.
        raise DatabaseError("full") from OperationalError("", {}, Exception("full"))

    stage.collector.take(table.arrived(events[:2]))
    with monkeypatch.context() as filled:
        filled.setattr(Collector, "_write", full)
        for number, event in enumerate(events[2:]):
            stage.now_s = float(number)
            stage.collector.take(table.arrived([event]))
    assert stage.stored == [1, 2]
    stage.now_s += PATIENCE_S + 1.0
    stage.collector.take([])
    assert stage.asked[-1] == ("table-3", 2)
    stage.collector.take(table.arrived(events[2:]))
    with stage.database.transaction() as session:
        assert session.scalars(select(Event).where(Event.kind == "refused")).all() == []
    assert stage.games[0].finished_at is not None
    for says in ("nothing is stored until the database is there", "the database is there again"):
        assert caplog.text.count(says) == 1


def test_a_message_that_cannot_be_read_harms_no_other(stage: Stage, table: StandInTable) -> None:
    events = table.play(2, 2)
    foreign = [
        Arrived(table.topics.events, b"{"),
        Arrived(table.topics.state, b'{"table": 3}'),
        Arrived(table.topics.events, msgspec.json.encode(msgspec.structs.replace(events[0], table="table-4"))),
        Arrived("club/v1/tables/" + "x" * 99 + "/availability", b"online"),
        Arrived("elsewhere", b""),
    ]
    stage.collector.take([*foreign, *table.arrived(events)])
    assert stage.stored == [1, 2, 3]
    assert stage.live.tables() == []


def test_a_score_of_400_digits_is_set_aside_and_its_table_goes_on(stage: Stage, table: StandInTable) -> None:
    events = table.play(2)
    bad = Arrived(
        table.topics.events, table.arrived(events)[3].payload.replace(b'"scores":[', b'"scores":[' + b"9" * 400 + b",")
    )
    stage.collector.take([*table.arrived(events[:3]), bad, *table.arrived(events[4:])])
    assert stage.stored == list(range(1, len(events) + 1))
    assert stage.games[0].finished_at is not None
    with stage.database.transaction() as session:
        aside = session.scalars(select(Event).where(Event.kind == "refused")).one()
    assert (aside.sequence, json.loads(aside.body)["fault"]) == (4, "Expected `int` <= 2147483647 - at `$.scores[0]`")


def test_an_event_that_the_database_refuses_is_set_aside_and_delays_no_other_table(
    stage: Stage, table: StandInTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(game: TableGame) -> None:
        if game.players[0] == "Zoe":
            raise OverflowError("too large")

    monkeypatch.setattr(hall, "ended", lambda _, game: refuse(game))
    stage.collector = stage.anew()
    table.players = ("Zoe", "Boris")
    other = StandInTable(tmp_path, "table-4")
    bad, good = table.play(2), other.play(2)
    stage.collector.take([*table.arrived(bad), *other.arrived(good), *table.arrived(table.play(2, 1, game=2))])
    ended = {(game.table_name, game.number): game.finished_at is not None for game in stage.games}
    assert ended == {("table-3", 1): False, ("table-3", 2): False, ("table-4", 1): True}
    with stage.database.transaction() as session:
        aside = session.scalars(select(Event).where(Event.kind == "refused")).one()
    assert (aside.table_name, aside.sequence) == ("table-3", len(bad))
    assert json.loads(aside.body)["fault"] == "OverflowError: too large"


def test_a_long_time_or_name_is_set_aside(stage: Stage, table: StandInTable) -> None:
    events = [msgspec.structs.replace(table.play(2, 1)[0], at="2026" * 100), *table.outbox.after(1, 10)]
    stage.collector.take(table.arrived(events))
    assert stage.stored == [1, 2]


def test_a_table_that_names_ever_new_sources_is_asked_for_one_at_a_time(stage: Stage, table: StandInTable) -> None:
    state = read_message(table.state().payload, StateMessage)
    for number in range(300):
        named = msgspec.structs.replace(state, source=f"s{number}", sequence=9)
        stage.collector.take([Arrived(table.topics.state, msgspec.json.encode(named))])
    stage.now_s = 2 * PATIENCE_S
    stage.collector.take([])
    assert len(stage.asked) == 2


def test_sources_of_a_table_are_limited_and_those_of_another_are_not(
    stage: Stage, table: StandInTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collector, "_MOST_SOURCES", 3)
    event, other = table.play(2, 1)[0], StandInTable(tmp_path, "table-4")
    flood = [msgspec.structs.replace(event, source=f"s{number}") for number in range(10)]
    stage.collector.take(table.arrived(flood[:5]))
    stage.collector.take([*table.arrived(flood[5:]), *other.arrived(other.play(2, 1))])
    assert stage.stored == [1, 1, 1, 1, 2]
    stage.collector.take(table.arrived([msgspec.structs.replace(event, source="s1", sequence=2)]))
    assert sorted(stage.stored) == [1, 1, 1, 1, 2, 2]


@pytest.mark.parametrize("name", ["x#", "Table 3", "x" * 41, "t\0"])
def test_messages_below_an_invalid_name_are_ignored(stage: Stage, name: str) -> None:
    stage.collector.take([Arrived(f"club/v1/tables/{name}/availability", b"online")])
    assert stage.live.tables() == []


def test_a_table_s_availability_is_shown_at_once(stage: Stage, table: StandInTable) -> None:
    stage.collector.take([Arrived(table.topics.availability, b"online"), table.state()])
    assert stage.live.online() == ["table-3"]
    stage.collector.take([Arrived(table.topics.availability, b"offline")])
    assert stage.live.online() == []
    assert stage.live.tables()[0]["state"]["phase"] == "waiting"


def test_a_table_whose_retained_messages_are_cleared_is_shown_no_more(stage: Stage, table: StandInTable) -> None:
    stage.collector.take([Arrived(table.topics.availability, b"offline"), table.state()])
    stage.collector.take([Arrived(table.topics.state, b""), Arrived(table.topics.availability, b"")])
    assert stage.live.tables() == []
    stage.collector.take([Arrived(table.topics.availability, b"online")])
    assert stage.live.online() == ["table-3"]


def test_a_notice_is_stored_and_makes_no_game(stage: Stage, table: StandInTable) -> None:
    table.outbox.add([Happened("now", "notice", says=("The lights are back.",))], 1)
    stage.collector.take(table.arrived(table.outbox.after(0, 10)))
    assert (stage.stored, stage.games) == ([1], [])


def test_a_game_of_two_who_are_paired_is_their_result_until_it_is_taken_back(stage: Stage, table: StandInTable) -> None:
    with stage.database.transaction() as session:
        tournament = club.begin(session, "Cup", "swiss", 3, ["boris", "Cilla", "Dan", "ANNA"])
        club.pair(session, tournament, ["table-1"])
        # 1 and 3 are paired, and 4 and 2.
    table.players = ("Anna", "Cilla")
    events = table.play(2)
    stage.collector.take(table.arrived(events))
    winner = game_events(2, table.players)[1][-1].state.winner
    with stage.database.transaction() as session:
        decided = session.scalars(select(Pairing).where(Pairing.score.is_not(None))).one()
        assert (decided.first, decided.second, decided.table_name) == (4, 2, "table-3")
        assert decided.score == (1.0 if winner == 1 else 0.0)
    stage.collector.take(table.arrived(table.undo(2)))
    with stage.database.transaction() as session:
        assert session.scalar(select(func.count()).where(Pairing.score.is_not(None))) == 0


def test_a_game_that_was_begun_before_the_pairing_is_not_its_result(stage: Stage, table: StandInTable) -> None:
    events = table.play(2)
    stage.collector.take(table.arrived(events[:-1]))
    with stage.database.transaction() as session:
        tournament = club.begin(session, "Cup", "swiss", 1, list(table.players))
        (pairing,) = club.pair(session, tournament, ["table-1"])
        club.announce_pairings(session, tournament, [pairing])
    stage.collector.take(table.arrived(events[-1:]))
    with stage.database.transaction() as session:
        assert session.scalars(select(Pairing)).one().score is None
    table.now += timedelta(minutes=1)
    stage.collector.take(table.arrived(table.play(2, game=2)))
    with stage.database.transaction() as session:
        assert session.scalars(select(Pairing)).one().score is not None
        # It has been followed.
        assert club.announcements(session) == []
    stage.collector.take(table.arrived(table.undo(2, game=2)))
    with stage.database.transaction() as session:
        assert [each["table"] for each in club.announcements(session)] == ["table-3"]


@pytest.mark.parametrize("wrong", [timedelta(), timedelta(hours=-2), timedelta(hours=2)])
@pytest.mark.parametrize(("minutes", "counts"), [(-5, False), (5, True)])
@pytest.mark.parametrize("on_its_way", [timedelta(), timedelta(seconds=20)])
def test_a_game_of_which_the_hall_hears_late_counts_by_its_beginning_whatever_the_clock_of_its_table(
    stage: Stage, table: StandInTable, wrong: timedelta, minutes: int, counts: bool, on_its_way: timedelta
) -> None:
    """The hall hears of it after the pairing in either case, and after what the table has said before."""
    with stage.database.transaction() as session:
        tournament = club.begin(session, "Cup", "swiss", 1, list(table.players))
        (pairing,) = club.pair(session, tournament, ["table-3"])
        assert pairing.paired_at is not None
        paired = datetime.fromisoformat(pairing.paired_at)
    stage.now = paired - timedelta(hours=1)
    table.now = stage.now + wrong
    stage.collector.take([table.state()])
    table.now = paired + timedelta(minutes=minutes) + wrong
    sent = paired + timedelta(minutes=10)
    stage.now = sent + on_its_way
    late = [replace(each, sent=(sent + wrong).isoformat()) for each in table.play(2)]
    stage.collector.take(table.arrived(late))
    with stage.database.transaction() as session:
        assert (session.scalars(select(Pairing)).one().score is not None) == counts
        began = datetime.fromisoformat(session.scalars(select(TableGame)).one().started_at)
    assert began == paired + timedelta(minutes=minutes), "as the page shows it"


def test_two_machines_with_one_name_have_each_a_clock_of_its_own(
    stage: Stage, table: StandInTable, tmp_path: Path
) -> None:
    """As of a table whose machine was replaced."""
    (tmp_path / "new").mkdir()
    other = StandInTable(tmp_path / "new")
    now = stage.now = datetime(2026, 1, 2, 19, tzinfo=UTC)
    table.now, other.now = now + timedelta(hours=1), now
    for each in (table, other, table, other):
        stage.collector.take([each.state()])
    stage.collector.take([*other.arrived(other.play(2)), *table.arrived(table.play(2))])
    assert [datetime.fromisoformat(game.started_at) for game in stage.games] == [now] * 2


def test_a_result_by_which_a_round_was_paired_is_corrected_and_not_withdrawn(stage: Stage, table: StandInTable) -> None:
    stage.collector.take(table.arrived(table.play(2)))
    with stage.database.transaction() as session:
        (game,) = session.scalars(select(TableGame))
        tournament = club.begin(session, "Cup", "swiss", 3, ["Anna", "Boris", "Cilla", "Dan"])
        first, other = club.pair(session, tournament, [])
        club.set_result(session, tournament, 1, other.board, 1.0)
        first.score, first.game_id = 0.0, game.id
        numbers = {each.key: number for number, each in club.players_of(session, tournament).items()}
        first.first, first.second = numbers["anna"], numbers["boris"]
        other.first, other.second = numbers["cilla"], numbers["dan"]
        club.pair(session, tournament, [])
        hall.reopened(session, game)
        assert first.score == 0.0
        game.winners = [1]
        hall.ended(session, game)
        assert first.score == 1.0
