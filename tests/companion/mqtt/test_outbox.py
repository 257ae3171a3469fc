from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.mqtt.messages import Happened
from companion.mqtt.outbox import Outbox, OutboxError


def notice(says: str) -> Happened:
    return Happened("2026-03-01T12:00:00+00:00", "notice", says=(says,))


def test_events_are_numbered_from_one_and_come_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "outbox.sqlite3"
    with Outbox(path, "table-3") as outbox:
        source = outbox.source
        outbox.add([notice("a"), notice("b")], 1)
        outbox.add([notice("c")], 1)
    with Outbox(path, "table-3") as outbox:
        assert outbox.source == source
        assert (outbox.after(0, 1)[0].sequence, outbox.last) == (1, 3)
        found = outbox.after(1, 10)
        assert [(each.sequence, each.says) for each in found] == [(2, ("b",)), (3, ("c",))]
        assert {(each.table, each.source) for each in found} == {("table-3", source)}
        assert [each.sequence for each in outbox.after(0, 2)] == [1, 2]


def test_a_damaged_event_is_left_out_and_those_around_it_are_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "o"
    with Outbox(path, "t") as outbox:
        outbox.add([notice("a"), notice("b"), notice("c")], 1)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE events SET body = '{{' WHERE sequence = 2")
        assert [(each.sequence, each.kind) for each in outbox.after(0, 9)] == [
            (1, "notice"),
            (2, "pruned"),
            (3, "notice"),
        ]
    assert "event 2 is damaged" in caplog.text


def test_a_bit_that_flips_in_an_event_s_text_is_not_sent_as_the_truth(tmp_path: Path) -> None:
    path = tmp_path / "o"
    with Outbox(path, "t") as outbox:
        outbox.add([notice("Anna"), notice("Boris")], 1)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE events SET body = CAST(replace(body, 'Boris', 'Coris') AS BLOB)")
        assert [each.kind for each in outbox.after(0, 9)] == ["notice", "pruned"]


def test_events_of_a_companion_without_checksums_are_sent(tmp_path: Path) -> None:
    path = tmp_path / "o"
    with Outbox(path, "t") as outbox:
        outbox.add([notice("Anna")], 1)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE events DROP COLUMN checksum")
    with Outbox(path, "t") as outbox:
        outbox.check_whole()
        outbox.add([notice("Boris")], 1)
        assert [(each.sequence, each.kind) for each in outbox.after(0, 9)] == [(1, "notice"), (2, "notice")]
        # An older one writes no checksum.
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("INSERT INTO events (body) SELECT body FROM events WHERE sequence = 1")
        assert [each.kind for each in outbox.after(2, 9)] == ["notice"]


@pytest.mark.parametrize(
    "query",
    [
        "ALTER TABLE told RENAME decision TO decisioN_",
        "UPDATE facts SET value = 'x'",
        "UPDATE facts SET value = '7' WHERE key = 'delivered'",
    ],
)
def test_a_file_that_is_not_as_it_was_written_is_damaged(tmp_path: Path, query: str) -> None:
    path = tmp_path / "o"
    with Outbox(path, "t") as outbox:
        outbox.check_whole()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(query)
    with Outbox(path, "t") as outbox, pytest.raises(OutboxError) as raised:
        outbox.check_whole()
    assert raised.value.is_damage


def test_an_index_that_does_not_fit_its_table_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "o"
    with Outbox(path, "t"), closing(sqlite3.connect(path)) as connection, connection:
        # A number whose two bytes are found in the file.
        connection.execute("INSERT INTO told VALUES (?, 1, '{}')", (int.from_bytes(b"ZZ"),))
        query = "SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'told' AND type = 'index'"
        (page,) = connection.execute(query).fetchone()
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content, start = path.read_bytes(), (page - 1) * 4096
    assert content[start : start + 4096].count(b"ZZ") == 1
    path.write_bytes(content[:start] + content[start:].replace(b"ZZ", b"ZY", 1))
    with Outbox(path, "t") as outbox, pytest.raises(OutboxError) as raised:
        outbox.check_whole()
    assert raised.value.is_damage


def test_two_outboxes_are_two_sources(tmp_path: Path) -> None:
    with Outbox(tmp_path / "a", "t") as one, Outbox(tmp_path / "b", "t") as other:
        assert one.source != other.source


def test_the_number_of_delivered_events_never_decreases(tmp_path: Path) -> None:
    with Outbox(tmp_path / "o", "t") as outbox:
        assert outbox.delivered == 0
        outbox.deliver(5)
        outbox.deliver(3)
        assert outbox.delivered == 5


def test_the_decisions_in_force_are_stored_with_the_events_about_them(tmp_path: Path) -> None:
    path = tmp_path / "o"
    with Outbox(path, "t") as outbox:
        outbox.add([notice("a")], 1, ["one", "two", "three"])
        outbox.add([notice("b")], 2, ["other"])
        outbox.add([notice("c")], 1, ["one", "zwei"])
        outbox.add([notice("d")], 1, None)
    with Outbox(path, "t") as outbox:
        assert outbox.announced(1) == ("one", "zwei")
        assert outbox.announced(2) == ("other",)
        assert outbox.announced(3) == ()


def test_the_oldest_events_go_and_no_number_is_given_twice(tmp_path: Path) -> None:
    with Outbox(tmp_path / "o", "t", most=600) as outbox:
        for _ in range(10):
            outbox.add([notice("x")] * 100, 1)
        assert (outbox.after(0, 1)[0].sequence, outbox.last) == (401, 1000)
        pruned = outbox.pruned("now", 400)
        assert (pruned.kind, pruned.sequence) == ("pruned", 400)
        outbox.add([notice("y")], 1)
        assert outbox.last == 1001


def test_an_older_copy_that_was_put_back_goes_on_behind_what_was_received(tmp_path: Path) -> None:
    with Outbox(tmp_path / "o", "t") as outbox:
        outbox.resume_after(150)
        outbox.add([notice("a")], 1)
        outbox.resume_after(20)
        outbox.add([notice("b")], 1)
        assert [each.sequence for each in outbox.after(0, 10)] == [151, 152]


def test_a_number_far_behind_all_that_was_sent_begins_a_new_source(tmp_path: Path) -> None:
    with Outbox(tmp_path / "o", "t") as outbox:
        first = outbox.source
        outbox.add([notice("a"), notice("b")], 1, ["{}"])
        outbox.deliver(1)
        outbox.resume_after(2**31 - 1)
        outbox.add([notice("c")], 1)
        assert outbox.source != first
        assert [(each.sequence, each.says) for each in outbox.after(0, 10)] == [(1, ("b",)), (2, ("c",))]
        assert outbox.announced(1) == ("{}",)


def test_a_file_that_is_no_outbox_is_said_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "o"
    path.write_bytes(b"not a database, surely not, and long enough to look like one" * 20)
    with pytest.raises(OutboxError, match=r"o: cannot be used: ") as caught:
        Outbox(path, "t")
    # The error's traceback holds the outbox: the file is closed nevertheless.
    assert caught.value.__traceback__ is not None
    assert path not in [each.readlink() for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]
