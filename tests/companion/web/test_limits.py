from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.web.access import RateLimit
from tests.companion.web.conftest import ManualClock


def test_a_burst_is_allowed_and_then_the_rate() -> None:
    clock = ManualClock()
    limit = RateLimit(3, 2.0, clock)
    assert [limit.allows("a") for _ in range(4)] == [True, True, True, False]
    clock.now_s += 0.5
    assert [limit.allows("a") for _ in range(2)] == [True, False]
    clock.now_s += 600
    assert [limit.allows("a") for _ in range(4)] == [True, True, True, False]


def test_addresses_do_not_share() -> None:
    limit = RateLimit(1, 1.0, ManualClock())
    assert limit.allows("a")
    assert limit.allows("b")
    assert not limit.allows("a")


def test_many_addresses_do_not_fill_the_memory() -> None:
    limit = RateLimit(1, 1.0, ManualClock())
    for number in range(5000):
        assert limit.allows(str(number))
    assert not limit.allows("4999")
    assert limit.allows("0")  # it was forgotten


@given(st.lists(st.floats(0, 3), max_size=60))
def test_in_the_long_run_no_more_pass_than_burst_and_rate(pauses: list[float]) -> None:
    clock = ManualClock()
    limit, passed, began_s = RateLimit(4, 1.5, clock), 0, clock.now_s
    for pause_s in pauses:
        clock.now_s += pause_s
        passed += limit.allows("a")
    assert passed <= 4 + 1.5 * (clock.now_s - began_s) + 1e-9
