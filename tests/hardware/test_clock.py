from __future__ import annotations

import time

from hardware.clock import SystemClock


def test_it_is_the_clock_of_cameras_and_pins() -> None:
    before = time.monotonic()
    assert before <= SystemClock().now() <= time.monotonic()
