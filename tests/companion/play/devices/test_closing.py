"""The end of an evening at a real table."""

from __future__ import annotations

from companion.play.devices import LINGER_S, Closing


def test_a_finished_game_stays_open_for_a_while() -> None:
    history = type("Played", (), {"state": type("State", (), {"finished": True})()})()
    closed: list[float] = []
    now = [0.0]
    camera = type("Camera", (), {"close": lambda _: closed.append(now[0])})()
    closing = Closing(history, camera)
    for now[0] in (10.0, 10.0 + LINGER_S - 1):
        closing.tick(now[0])
    history.state.finished = False
    closing.tick(10.0 + LINGER_S)
    history.state.finished = True
    for now[0] in (500.0, 500.0 + LINGER_S - 1, 500.0 + LINGER_S):
        closing.tick(now[0])
    assert closed == [500.0 + LINGER_S]
