from __future__ import annotations

import json

import pytest

from companion.games.patchwork import Advance, Setup
from companion.journal import JournalError
from companion.journal.entries import (
    EntryKind,
    JournalEntry,
    decisions_in,
    is_finished,
    remaining_decisions,
    setup_in,
    setup_text,
    whole_entries,
)
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs


@pytest.mark.parametrize(
    "entries",
    [
        [JournalEntry(EntryKind.DECISION, 2, "a")],
        [JournalEntry(EntryKind.DECISION, 1, "a"), JournalEntry(EntryKind.DECISION, 1, "b")],
        [JournalEntry(EntryKind.DECISION, 1, "a"), JournalEntry(EntryKind.UNDO, 2, "")],
        [JournalEntry(EntryKind.UNDO, 1, "")],
    ],
)
def test_numbers_that_do_not_follow_one_another_are_told(entries: list[JournalEntry]) -> None:
    with pytest.raises(JournalError, match="is in the place of entry"):
        remaining_decisions(entries)


def _made(*sequences: int) -> list[JournalEntry]:
    return [JournalEntry(EntryKind.DECISION, sequence, "a") for sequence in sequences]


@pytest.mark.parametrize(
    ("entries", "whole", "count"),
    [
        (_made(1, 2, 3), 2, 2),
        (_made(1, 2), 2, 2),
        ([*_made(1, 2), JournalEntry(EntryKind.UNDO, 2, ""), *_made(2, 3)], 2, 4),
        (_made(1, 2, 7), 2, 2),
        ([*_made(1, 2), JournalEntry(EntryKind.UNDO, 9, "")], 1, 2),
        ([*_made(1, 2), JournalEntry(EntryKind.UNDO, 9, "")], 0, 0),
    ],
)
def test_the_entries_that_leave_the_first_decisions_are_counted(
    entries: list[JournalEntry], whole: int, count: int
) -> None:
    assert whole_entries(entries, whole) == count


@pytest.mark.parametrize("text", ["", "{", "[]", '{"seat": 3, "move": "advance"}'])
def test_an_unreadable_decision_is_named_by_its_number(text: str) -> None:
    with pytest.raises(JournalError, match="decision 2 cannot be read"):
        decisions_in(['{"seat": 1, "move": "advance"}', text], PATCHWORK)


def test_a_setup_is_stored_with_the_record_s_keys() -> None:
    assert json.loads(setup_text(Setup(players=("Anna", "Boris")), codecs())) == {
        "game": "patchwork",
        "rules": "official",
        "edition": "original",
        "players": ["Anna", "Boris"],
        "first_seat": 1,
        "market": None,
    }


HOUSE_RULES = setup_text(Setup(), codecs()).replace("official", "house")


@pytest.mark.parametrize("text", ["", "null", "{}", HOUSE_RULES, '{"rules": []}'])
def test_an_unreadable_setup_is_told(text: str) -> None:
    with pytest.raises(JournalError, match="setup cannot be read"):
        setup_in(text, PATCHWORK, codecs())


def test_a_game_without_decisions_is_not_finished() -> None:
    assert not is_finished(Setup(), [], PATCHWORK)


def test_a_decision_out_of_turn_is_told_by_its_number() -> None:
    with pytest.raises(JournalError, match="decision 1 does not follow"):
        is_finished(Setup(first_seat=2), [Advance(1)], PATCHWORK)
