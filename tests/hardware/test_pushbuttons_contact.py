from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.pushbuttons import LEAST_S, STUCK_S, Contact, Contacted, ContactEvent

DEBOUNCE_S, HOLD_S = 0.05, 1.0
PRESSED, HELD, RELEASED = Contacted.PRESSED, Contacted.HELD, Contacted.RELEASED


def contact(*, closed: bool = False) -> Contact:
    return Contact(DEBOUNCE_S, HOLD_S, closed=closed)


def kinds(events: tuple[ContactEvent, ...]) -> list[Contacted]:
    return [item.what for item in events]


def test_a_press_is_reported_once_while_the_button_is_still_down() -> None:
    button = contact()
    button.edge(True, 1.0)
    assert button.events(1.0) == ()
    assert button.events(1.0 + 2 * LEAST_S) == (ContactEvent(PRESSED, 1.0),)
    assert button.events(1.5) == ()
    button.edge(False, 1.6)
    assert button.events(1.64) == ()
    assert button.events(1.66) == (ContactEvent(RELEASED, 1.6),)


def test_a_press_between_two_looks_is_not_missed() -> None:
    button = contact()
    button.edge(True, 1.0)
    button.edge(False, 1.04)
    assert kinds(button.events(3.0)) == [PRESSED, RELEASED]


def test_a_pulse_on_the_wire_is_no_press() -> None:
    button = contact()
    for start_s in (1.0, 1.2, 1.4):
        button.edge(True, start_s)
        button.edge(False, start_s + LEAST_S / 2)
    assert button.events(9.0) == ()


def test_a_long_press_is_reported_once_when_it_becomes_long() -> None:
    button = contact()
    button.edge(True, 1.0)
    assert kinds(button.events(1.9)) == [PRESSED]
    assert button.events(2.5) == (ContactEvent(HELD, 2.0),)
    assert button.events(3.0) == ()


def test_a_bounce_on_opening_does_not_make_a_press_long() -> None:
    button = contact()
    button.edge(True, 1.0)
    button.edge(False, 1.99)
    assert kinds(button.events(2.03)) == [PRESSED]
    assert kinds(button.events(2.1)) == [RELEASED]


def test_a_stuck_button_is_reported_once_and_so_is_its_release() -> None:
    button = contact()
    button.edge(True, 1.0)
    assert kinds(button.events(1.0 + STUCK_S)) == [PRESSED, HELD, Contacted.STUCK]
    assert button.stuck
    assert button.events(500.0) == ()
    button.edge(False, 501.0)
    assert kinds(button.events(502.0)) == [RELEASED, Contacted.FREED]
    assert not button.stuck


def test_a_contact_that_is_closed_from_the_beginning_was_not_pressed() -> None:
    button = contact(closed=True)
    assert button.events(2.0) == ()
    assert kinds(button.events(STUCK_S + 1)) == [Contacted.STUCK]
    button.edge(False, 40.0)
    button.edge(True, 41.0)
    assert kinds(button.events(41.5)) == [RELEASED, Contacted.FREED, PRESSED]


def test_an_edge_that_arrives_late_does_not_turn_time_back() -> None:
    button = contact()
    assert button.events(2.0) == ()
    button.edge(True, 1.9)
    assert button.events(2.1) == (ContactEvent(PRESSED, 2.0),)


@pytest.mark.parametrize("repeats", [1, 3])
def test_without_debounce_every_closing_counts(repeats: int) -> None:
    button = Contact(0.0, HOLD_S)
    for number in range(repeats):
        button.edge(True, number)
        button.edge(False, number + 0.001)
    assert kinds(button.events(9.0)).count(PRESSED) == repeats


@st.composite
def trains(draw: st.DrawFn) -> list[tuple[float, float, list[float]]]:
    """Presses: the pause before each, its duration, and the lengths of the bounces at both ends, in seconds."""
    return draw(
        st.lists(
            st.tuples(
                st.floats(0.2, 3.0),
                st.floats(0.06, 0.9),
                st.lists(st.floats(0.0001, 0.004), max_size=6),
            ),
            max_size=6,
        )
    )


@given(trains(), st.floats(0.01, 0.5))
def test_any_number_of_presses_however_they_bounce_and_however_seldom_one_looks(
    presses: list[tuple[float, float, list[float]]], every_s: float
) -> None:
    edges: list[tuple[bool, float]] = []
    now_s = 0.0
    for wait_s, down_s, bounces in presses:
        now_s += wait_s
        for closed, length_s in ((True, down_s), (False, 0.0)):
            for bounce_s in bounces:
                edges += [(closed, now_s), (not closed, now_s + bounce_s / 2)]
                now_s += bounce_s
            edges.append((closed, now_s))
            now_s += length_s
    button, told, looked_s = contact(), list[ContactEvent](), 0.0
    for closed, t_s in edges:
        while looked_s + every_s < t_s:
            looked_s += every_s
            told += button.events(looked_s)
        button.edge(closed, t_s)
    told += button.events(now_s + 1.0)
    assert [item.what for item in told] == [PRESSED, RELEASED] * len(presses)
    assert [item.t_s for item in told] == sorted(item.t_s for item in told)
