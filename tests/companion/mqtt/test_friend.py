"""Test a game at two tables: whatever happens to messages and tables, both have the same game."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.games.patchwork.decisions import Advance, Decision
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import MemoryJournal
from companion.mqtt.friend import FriendPartner, owes_end, take_over
from companion.mqtt.messages import FriendMessage
from companion.patchwork.codec import PATCHWORK
from companion.play.friend import Friend, FriendStatus
from companion.play.inbox import CommandRefusedError, Inbox, Propose, TableAwayError, TakeBack
from companion.registry import codecs

CIRCLE = (*(patch for patch in PATCHES if patch != SMALLEST_PATCH), SMALLEST_PATCH)
SETUP = Setup(players=("Anna", "Boris"), market=CIRCLE)


@dataclass
class Line:
    """A connection whose messages a test delivers."""

    newest: bytes | None = None
    is_there: bool | None = True
    sent: list[bytes] = field(default_factory=list)
    is_last: bool = False

    def publish(self, message: bytes, *, is_last: bool) -> None:
        self.sent.append(message)
        self.is_last = is_last

    def wait(self, seconds: float) -> bool:
        del seconds
        return False


class Table:
    """A table of one seat, with the turn loop's part in a few lines."""

    def __init__(self, seat: int, setup: Setup = SETUP) -> None:
        self.seat, self.line = seat, Line()
        self.book = MemoryJournal(codecs())
        self.game_id = self.book.new_game(setup)
        self.said: list[str] = []
        self.about: list[object] = []
        self.start()

    def start(self) -> None:
        """Start the program, after a kill too: only journal and connection are left of what was."""
        self.history = History(self.book.setup(self.game_id, PATCHWORK))
        for decision in self.book.decisions(self.game_id, PATCHWORK):
            self.history.apply(decision)
        self.inbox, self.proposed = Inbox(), list[Decision]()
        friend = Friend(3 - self.seat, "KQ7XM4PD")
        self.partner = FriendPartner(
            friend, self.line, self.book, self.game_id, PATCHWORK, self.history, self.inbox, self.say
        )

    def say(self, says: str, about: object) -> None:
        self.said.append(says)
        self.about.append(about)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return self.history.decisions

    def take(self, decision: Decision) -> None:
        self.book.append(self.game_id, len(self.decisions) + 1, decision)
        self.history.apply(decision)
        self.proposed.clear()

    def decide(self, number: int) -> None:
        """Let the player here decide, if it is their turn."""
        if self.history.state.turn == self.seat:
            choice = legal_decisions(self.history.state)
            self.take(choice[number % len(choice)])

    def lay(self) -> None:
        """Carry out what the friend has decided."""
        if self.proposed:
            self.take(self.proposed[0])

    def tick(self, *, killed_after: int | None = None) -> None:
        """Let one frame pass; it may be killed after so many decisions were taken back."""
        self.partner.tick(0.0)
        for posted in self.inbox.take():
            if isinstance(posted.command, Propose):
                assert posted.command.made == len(self.decisions)
                self.proposed = [posted.command.decision]
            elif isinstance(posted.command, TakeBack):
                self.proposed.clear()
                for undone in range(len(self.decisions) - posted.command.made):
                    if undone == killed_after:
                        return self.start()
                    self.book.undo(self.game_id, len(self.decisions))
                    self.history.undo()
            posted.done()
        return None

    @property
    def taken_back(self) -> int | None:
        """How often the game was taken back, or None while that is under way."""
        memory = json.loads(self.book.notes(self.game_id).get("friend", "{}"))
        return None if memory.get("under_way") is not None else int(memory.get("taken_back", 0))


def deliver(sender: Table, receiver: Table, age: int = 0) -> None:
    """Deliver a message of the sender: the newest, or one that is so many messages old, for the second time perhaps."""
    if sender.line.sent:
        receiver.line.newest = sender.line.sent[max(0, len(sender.line.sent) - 1 - age)]


def settle(one: Table, other: Table, rounds: int = 4) -> None:
    """Let everything arrive, and everything be laid."""
    for _ in range(rounds):
        for table, friend in ((one, other), (other, one)):
            deliver(friend, table)
            table.tick()
            table.lay()
            table.tick()


def assert_equal_prefixes(one: Table, other: Table) -> None:
    if one.taken_back == other.taken_back is not None:
        shorter = min(len(one.decisions), len(other.decisions))
        assert one.decisions[:shorter] == other.decisions[:shorter]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["decide", "decide", "pass", "pass", "pass", "agree", "undo", "tick", "late", "lay", "kill", "kill in undo"]
        ),
        st.sampled_from([0, 1]),
        st.integers(0, 400),
    ),
    min_size=20,
    max_size=60,
)


def step(tables: tuple[Table, Table], what: str, who: int, number: int) -> None:
    table, friend = tables[who], tables[1 - who]
    if what == "decide":
        table.decide(number)
    elif what == "tick":
        table.tick()
    elif what == "late":
        deliver(friend, table, number % 7)
    elif what == "lay":
        table.lay()
    elif what == "undo":
        table.partner.ask_undo()
    elif what == "kill":
        table.start()
    elif what == "kill in undo":
        table.tick(killed_after=number % 3)
    elif what == "pass":
        deliver(friend, table)
        table.tick()
        table.lay()
        table.tick()
    else:
        agree(*tables)


def agree(one: Table, other: Table) -> None:
    """Let both players want that the same is taken back, by the one's wish."""
    for table, friend in ((one, other), (other, one)):
        if not table.partner.wants_undo:
            table.partner.ask_undo()
        table.tick()
        deliver(table, friend)
        friend.partner.tick(0.0)


@settings(max_examples=70, deadline=None)
@given(STEPS)
@example([("decide", 0, 5), ("undo", 0, 0), ("tick", 0, 0), ("deliver", 1, 0), ("tick", 1, 0), ("undo", 1, 0)])
def test_whatever_is_lost_late_or_killed_both_tables_have_the_same_game(steps: list[tuple[str, int, int]]) -> None:
    tables = Table(1), Table(2)
    for what, who, number in steps:
        step(tables, what, who, number)
        assert_equal_prefixes(*tables)
    settle(*tables, rounds=40)
    one, other = tables
    assert one.decisions == other.decisions
    assert one.taken_back == other.taken_back
    assert not [says for table in tables for says in table.said if "differ" in says or "cannot read" in says]


def met() -> tuple[Table, Table]:
    tables = Table(1), Table(2)
    settle(*tables)
    return tables


def test_a_decision_is_proposed_at_the_other_table_and_only_there() -> None:
    anna, boris = met()
    anna.decide(5)
    anna.tick()
    deliver(anna, boris)
    boris.tick()
    assert boris.proposed == [anna.decisions[-1]]
    assert not anna.proposed
    boris.tick()
    assert boris.inbox.take() == ()


def test_a_table_that_is_busy_is_asked_again() -> None:
    anna, boris = met()
    anna.decide(5)
    anna.tick()
    deliver(anna, boris)
    boris.partner.tick(0.0)
    boris.inbox.take()[0].refuse(TableAwayError("busy"))
    boris.tick()
    assert boris.proposed == list(anna.decisions)


def test_undo_needs_both() -> None:
    anna, boris = met()
    anna.decide(5)
    settle(anna, boris)
    assert "asked to agree" in anna.partner.ask_undo()
    settle(anna, boris)
    assert len(anna.decisions) == len(boris.decisions) == 1
    asked = "Anna asks to take back 1 decision. Press undo if you agree, or just go on."
    assert asked in boris.said
    assert (anna.partner.status.wish, boris.partner.status.wish) == (0, 1)
    anna.partner.ask_undo()
    settle(anna, boris)
    assert (boris.said[-1], boris.partner.status.wish) == ("Anna: Withdrawn: nothing is taken back.", 0)
    anna.partner.ask_undo()
    settle(anna, boris)
    assert (boris.said[-1], boris.partner.status.wish) == (asked, 1)
    assert boris.partner.ask_undo() == "Boris agrees that it is taken back."
    settle(anna, boris)
    assert not [*anna.decisions, *boris.decisions]
    assert anna.taken_back == boris.taken_back == 1


def exchanged(decisions: int) -> tuple[Table, Table]:
    """Return two tables after so many decisions."""
    tables = met()
    while len(tables[0].decisions) < decisions:
        for table in tables:
            table.decide(5)
        settle(*tables)
    return tables


def assert_taken_back(anna: Table, boris: Table) -> None:
    settle(anna, boris)
    assert not [*anna.decisions, *boris.decisions]
    assert anna.taken_back == boris.taken_back == 1
    assert not [says for table in (anna, boris) for says in table.said if "differ" in says]


@pytest.mark.parametrize("killed", [0, 1])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_table_that_is_killed_in_a_take_back_ends_it_when_it_is_back(killed: int, after: int) -> None:
    tables = exchanged(2)
    first = next(table for table in tables if table.seat == tables[0].decisions[0].seat)
    first.partner.ask_undo()
    settle(*tables)
    tables[2 - first.seat].partner.ask_undo()
    for _ in range(4):
        for table, friend in (tables, tables[::-1]):
            deliver(friend, table)
            table.tick(killed_after=after if table is tables[killed] else None)
    assert_taken_back(*tables)


def test_an_agreement_that_was_sent_holds_after_a_kill_and_after_the_game_has_gone_on() -> None:
    for goes_on in (False, True):
        anna, boris = exchanged(1)
        anna.partner.ask_undo()
        settle(anna, boris)
        boris.partner.ask_undo()
        boris.tick()
        deliver(boris, anna)
        boris.start()
        if goes_on:
            boris.decide(2)
            boris.tick()
        for _ in range(3):
            anna.tick()
        assert_taken_back(anna, boris)


def test_a_wish_is_withdrawn_by_a_second_press_and_lapses_when_the_game_goes_on() -> None:
    anna, boris = met()
    anna.decide(5)
    settle(anna, boris)
    anna.partner.ask_undo()
    assert anna.partner.ask_undo() == "Withdrawn: nothing is taken back."
    anna.partner.ask_undo()
    boris.decide(3)
    settle(anna, boris)
    assert not anna.partner.wants_undo
    boris.partner.ask_undo()
    settle(anna, boris)
    assert len(anna.decisions) == 2


def test_the_friend_s_decisions_cannot_be_taken_back_here() -> None:
    anna, boris = met()
    assert anna.partner.ask_undo() == "There is nothing to take back."
    anna.decide(5)
    settle(anna, boris)
    assert boris.partner.ask_undo() == "There is nothing to take back."


def forged(anna: Table, **changed: Any) -> bytes:
    """Return Anna's newest message with other contents."""
    return msgspec.json.encode({**msgspec.json.decode(anna.line.sent[-1]), **changed})


ADVANCE = PATCHWORK.decision_to_json


@pytest.mark.parametrize(
    "decisions",
    [
        [ADVANCE(Advance(2))],
        [{"seat": 1, "move": "patch", "patch": CIRCLE[0], "cells": ["A1"]}],
        [{"seat": 1, "move": "patch", "patch": CIRCLE[9], "cells": ["A1", "A2"]}],
        [ADVANCE(Advance(1)), ADVANCE(Advance(1))],
    ],
)
def test_a_decision_against_rules_order_or_ownership_changes_nothing(decisions: list[object]) -> None:
    anna, boris = met()
    boris.line.newest = forged(anna, decisions=decisions)
    for _ in range(3):
        boris.tick()
        boris.lay()
    assert len(boris.decisions) <= 1
    assert any("differ at decision" in says for says in boris.said)


def test_nothing_is_taken_back_that_was_not_agreed() -> None:
    anna, boris = met()
    anna.decide(5)
    settle(anna, boris)
    boris.line.newest = forged(anna, decisions=[], taken_back=1)
    boris.tick()
    assert boris.decisions == anna.decisions
    assert any("differ" in says for says in boris.said)


@pytest.mark.parametrize(
    "changed", [{"taken_back": 1}, {"taken_back": 2**31 - 1}, {"decisions": [ADVANCE(Advance(1))] * 9}]
)
def test_after_a_message_that_another_client_forged_the_friend_s_own_counts_again(changed: dict[str, object]) -> None:
    anna, boris = met()
    anna.decide(5)
    settle(anna, boris)
    boris.line.newest = forged(anna, **changed)
    boris.tick()
    anna.partner.send("It was not me")
    settle(anna, boris)
    assert boris.said[-1] == "Anna: It was not me"
    boris.decide(1)
    settle(anna, boris)
    while anna.history.state.turn == 1:
        anna.decide(1)
    settle(anna, boris)
    assert len(boris.decisions) > 2
    assert boris.decisions == anna.decisions


@pytest.mark.parametrize("left", [1, 2**31 - 1])
def test_a_wish_to_take_back_less_than_one_decision_is_none(left: int) -> None:
    anna, boris = met()
    anna.decide(5)
    settle(anna, boris)
    before = list(boris.said)
    boris.line.newest = forged(anna, undo=left)
    boris.tick()
    assert boris.said == before
    assert boris.partner.status.wish == 0
    assert boris.partner.ask_undo() == "There is nothing to take back."


@pytest.mark.parametrize("changed", [{"heard": 2**31 - 1}, {"word": {"number": 2**31 - 1, "text": "🙂"}}])
def test_numbers_that_nobody_counted_silence_neither_table(changed: dict[str, object]) -> None:
    anna, boris = met()
    boris.line.newest = forged(anna, **changed)
    boris.tick()
    for table, text in ((boris, "Well played"), (anna, "Your turn")):
        table.partner.send(text)
        settle(anna, boris)
        assert {text} == {says.partition(": ")[2] for says in (anna.said[-1], boris.said[-1])}
    anna.decide(5)
    settle(anna, boris)
    assert anna.decisions == boris.decisions != ()


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b'{"code": 1}', b"\xff", b"{}" * 40000])
def test_an_unreadable_message_changes_nothing(payload: bytes) -> None:
    anna, boris = met()
    anna.decide(5)
    settle(anna, boris)
    boris.line.newest = payload
    boris.tick()
    assert boris.decisions == anna.decisions
    boris.decide(1)
    settle(anna, boris)
    assert boris.decisions == anna.decisions


def test_another_game_under_the_same_code_is_told_once() -> None:
    anna, boris = met()
    other = Table(1, Setup(players=("Anna", "Boris"), market=(CIRCLE[1], CIRCLE[0], *CIRCLE[2:])))
    other.tick()
    for _ in range(2):
        deliver(other, boris)
        boris.tick()
        deliver(anna, boris)
        boris.tick()
    assert boris.said.count("Anna’s table plays another game with this code.") == 1


def test_a_word_is_announced_once_at_both_tables() -> None:
    anna, boris = met()
    anna.partner.send("Well played 👍")
    settle(anna, boris)
    boris.start()
    settle(anna, boris)
    assert anna.said.count("Anna: Well played 👍") == boris.said.count("Anna: Well played 👍") == 1
    assert boris.partner.status == FriendStatus(1, "KQ7XM4PD", True, "Well played 👍")
    anna.start()
    anna.partner.send("🙂")
    settle(anna, boris)
    assert boris.said[-1] == "Anna: 🙂"


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "x" * 201, "\x1b[2J"])
def test_words_that_are_none_are_refused_here_and_not_shown_there(text: str) -> None:
    anna, boris = met()
    with pytest.raises(CommandRefusedError, match="1 to 200"):
        anna.partner.send(text)
    before = list(boris.said)
    boris.line.newest = forged(anna, word={"number": 1, "text": text})
    boris.tick()
    assert [says for says in boris.said if says not in before] in (
        [],
        ["Anna’s table sends what this one cannot read."],
    )


def test_the_friend_s_absence_is_told() -> None:
    anna, _ = met()
    for is_there in (False, None, None, True):
        anna.line.is_there = is_there
        anna.tick()
    assert anna.said == [
        "Boris’s table is there.",
        "Boris’s table is away; the game goes on once it is back.",
        "Boris’s table is there.",
    ]


def test_a_table_that_joins_late_or_has_lost_its_journal_takes_the_game_over() -> None:
    anna, boris = met()
    for number in range(4):
        anna.decide(number)
        settle(anna, boris)
        boris.decide(number)
        settle(anna, boris)
    anna.partner.ask_undo()
    boris.partner.ask_undo()
    settle(anna, boris)
    anna.partner.send("hello")
    settle(anna, boris)
    again = Table(2)
    take_over(anna.line.sent[-1], again.book, again.game_id, PATCHWORK)
    again.start()
    settle(anna, again)
    assert again.decisions == anna.decisions
    assert again.taken_back == anna.taken_back == 1
    assert "Anna: hello" not in again.said
    for table in (anna, again):
        table.decide(3)
        settle(anna, again)
    assert again.decisions == anna.decisions


def test_the_messages_of_a_finished_game_are_the_last() -> None:
    anna, boris = met()
    while not anna.history.state.finished:
        for table in (anna, boris):
            table.decide(0)
            settle(anna, boris)
    assert anna.decisions == boris.decisions
    assert anna.line.is_last
    assert boris.line.is_last
    longest = max(len(sent) for sent in anna.line.sent)
    assert longest < 12_000
    assert msgspec.json.decode(anna.line.sent[-1], type=FriendMessage).name == "Anna"


def test_the_end_is_owed_until_the_other_table_has_it() -> None:
    anna, boris = met()
    while not (anna.history.state.finished or boris.history.state.finished):
        settle(anna, boris)
        for table in (anna, boris):
            table.decide(0)
    last = anna if anna.history.state.finished else boris
    notes = {"partner": f"{3 - last.seat} friend KQ7XM4PD"}
    last.tick()
    assert owes_end({**last.book.notes(last.game_id), **notes})
    settle(anna, boris)
    assert not owes_end({**last.book.notes(last.game_id), **notes})
    assert not owes_end(last.book.notes(last.game_id))
