from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hardware.ports import Clock


def test_time_passes_by_what_was_slept(clock: Clock) -> None:
    before = clock.now()
    clock.sleep(1.5)
    assert clock.now() >= before + 1.5


def test_time_never_runs_backwards(clock: Clock) -> None:
    times = []
    for seconds in (0.0, 0.1, 0.0, 2.0):
        clock.sleep(seconds)
        times.append(clock.now())
    assert times == sorted(times)


def test_a_negative_sleep_is_refused(clock: Clock) -> None:
    with pytest.raises(ValueError, match="-1"):
        clock.sleep(-1)
