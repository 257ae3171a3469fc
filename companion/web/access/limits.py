"""Rate limits: one token bucket per address, refilled at a constant rate."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_ADDRESSES: Final = 1024
"""The number of addresses tracked; the one idle for longest is dropped first."""


class RateLimit:
    """A rate limit for each address: `burst` requests at once, `per_s` a second in the long run.

    Args:
        burst: the number of requests allowed at once.
        per_s: the number of requests per second in the long run.
        clock: monotonic, in seconds.
    """

    def __init__(self, burst: float, per_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._per_s, self._clock = burst, per_s, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Return whether one more request of an address is allowed; if so, count it."""
        now_s = self._clock()
        # Removed and added again below, so that the one idle for longest is first.
        left, at_s = self._buckets.pop(address, (self._burst, now_s))
        left = min(self._burst, left + (now_s - at_s) * self._per_s)
        allowed = left >= 1
        self._buckets[address] = (left - 1 if allowed else left, now_s)
        if len(self._buckets) > _ADDRESSES:
            self._buckets.popitem(last=False)
        return allowed
