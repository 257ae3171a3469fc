"""The end of a game at a real table."""

from __future__ import annotations

from companion.play.devices import LINGER_S, Closing
from companion.play.inbox import EndGame, Inbox


def test_a_finished_game_stays_open_for_a_while() -> None:
    history = type("Played", (), {"state": type("State", (), {"finished": True})()})()
    inbox = Inbox()
    closing = Closing(history, inbox)
    for now_s in (10.0, 10.0 + LINGER_S - 1):
        closing.tick(now_s)
    history.state.finished = False
    closing.tick(10.0 + LINGER_S)
    history.state.finished = True
    for now_s in (500.0, 500.0 + LINGER_S - 1):
        closing.tick(now_s)
    assert inbox.take() == ()
    closing.tick(500.0 + LINGER_S)
    assert [each.command for each in inbox.take()] == [EndGame()]
