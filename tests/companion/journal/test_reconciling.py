"""Test the comparison of a game's tables with its log: what a power cut leaves is told apart from damage."""

from __future__ import annotations

from companion.journal.logs import Added, Amended, Begun, Change, LoggedGame, Noted, Replaced, StoredEntry
from companion.journal.reconciling import repair_of
from tests.cases import each

AT = "2026-01-02T19:00:07+00:00"
CHANGES: tuple[Change, ...] = (
    Begun("table", '{"market": null}', AT),
    Amended('{"market": ["a"]}'),
    Added(1, StoredEntry("decision", 1, "one", AT)),
    Amended('{"market": ["a", "b"]}'),
    Noted("presses", "each"),
    Replaced(2, StoredEntry("undo", 1, "", AT), StoredEntry("decision", 1, "another", AT)),
)


def _game(*changes: Change) -> LoggedGame:
    game = LoggedGame(lines=len(changes))
    for change in changes:
        game.take(change)
    return game


@each("count", range(len(CHANGES)))
def test_tables_that_lack_the_last_changes_are_behind_their_log(count: int) -> None:
    whole = _game(*CHANGES)
    repair = repair_of(1, whole, _game(*CHANGES[:count]))
    assert repair is not None
    assert repair.is_behind
    assert (repair.game.begun, repair.game.entries, repair.game.notes) == (whole.begun, whole.entries, whole.notes)


@each("setup", ['{"market": ["b"]}', ""])
def test_tables_with_a_setup_that_the_log_never_had_are_damaged(setup: str) -> None:
    repair = repair_of(1, _game(*CHANGES), _game(*CHANGES, Amended(setup)))
    assert repair is not None
    assert (repair.is_behind, repair.changes) == (False, 1)
    assert repair.game.begun == _game(*CHANGES).begun
