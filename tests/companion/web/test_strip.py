"""Test the messages to pages about the strip: every change, and one loop for a pulse."""

from __future__ import annotations

from typing import Any, Final

from companion.lights import CYCLE_S, pulse
from companion.web.account import CALM_S, SLOTS, StripFilm

FRAME_S: Final = 0.09
"""It does not divide a cycle, so that frames fall at different points of each."""


def messages_of(film: StripFilm, begin_s: float, end_s: float, *, lit: int = 1) -> list[Any]:
    """Return the messages about a strip of which one pixel pulses."""
    news = []
    now_s = begin_s
    while now_s < end_s:
        level = round(255 * pulse(1, now_s))
        news.append(film.take([(level, 0, 0) if place == lit else (0, 0, 0) for place in range(4)], now_s))
        now_s += FRAME_S
    return [one for one in news if one is not None]


def test_a_pulse_is_told_once_as_a_loop_and_then_nothing_more() -> None:
    film = StripFilm()

    first = messages_of(film, 0.0, 2 * CALM_S)
    assert [sorted(one) for one in first].count(["loop", "loop_s", "pixels"]) == 1
    assert len(first[-1]["loop"]) == SLOTS
    assert first[-1]["loop_s"] == CYCLE_S
    assert messages_of(film, 2 * CALM_S, 60.0) == []


def test_a_change_of_the_strip_is_sent_at_once_and_frame_by_frame() -> None:
    film = StripFilm()
    messages_of(film, 0.0, 2 * CALM_S)

    after = messages_of(film, 2 * CALM_S, 2 * CALM_S + 1.0, lit=2)

    assert len(after) > 1
    assert all("loop" not in one for one in after)


def test_an_event_begins_anew_even_where_the_pulse_goes_on() -> None:
    film = StripFilm()
    messages_of(film, 0.0, 2 * CALM_S)

    film.restart()

    assert messages_of(film, 2 * CALM_S, 2 * CALM_S + 1.0) != []


def test_a_steady_strip_is_told_once() -> None:
    film = StripFilm()

    assert [film.take([(9, 9, 9)], number / 10) is not None for number in range(200)].count(True) == 1
