"""The light strip on the page: single frames while it changes, one loop of frames while it only pulses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.lights.steps import CYCLE_S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.play.page.json_type import Json
    from hardware.ports import RGB

EVERY_S: Final = 0.1
"""The least time between two frames sent to pages, which need fewer than the strip shows."""
SLOTS: Final = 8
"""The number of frames in a loop: enough for a smooth pulse if the page fades from one to the next."""
CALM_S: Final = 2 * CYCLE_S
"""The time without a change against earlier cycles after which the strip counts as looping."""
_NEAR: Final = 28
"""The tolerance of a frame against the loop, in levels of 255: frames do not come at the same points of every cycle."""


class StripFilm:
    """A filter of the strip's frames that returns only what pages do not know yet. Use it from one thread."""

    def __init__(self) -> None:
        self._seen: list[tuple[RGB, ...] | None] = [None] * SLOTS
        self._spans: list[list[tuple[int, int]]] = [[] for _ in range(SLOTS)]
        self._changed_s = float("inf")
        self._sent_s = float("-inf")
        self._sent: tuple[RGB, ...] = ()
        self._loops = False

    def restart(self) -> None:
        """Return to single frames, after an event at the table."""
        self._changed_s, self._loops = float("inf"), False
        self._spans = [[] for _ in range(SLOTS)]

    def take(self, pixels: Sequence[RGB], now_s: float) -> Json | None:
        """Return the message for the current frame, or None if pages need none.

        Args:
            pixels: the frame.
            now_s: the time on a monotonic clock, in seconds.
        """
        frame = tuple(pixels)
        slot = int(now_s % CYCLE_S / CYCLE_S * SLOTS) % SLOTS
        if not self._is_known(frame, slot) or self._changed_s > now_s:
            self._changed_s, self._loops = now_s, False
        self._seen[slot] = frame
        if self._loops or now_s - self._sent_s < EVERY_S:
            return None
        if now_s - self._changed_s >= CALM_S:
            self._loops = True
            return self._loop(frame)
        if frame == self._sent:
            return None
        self._sent, self._sent_s = frame, now_s
        return {"pixels": colours(frame)}

    def _is_known(self, frame: tuple[RGB, ...], slot: int) -> bool:
        """Return whether every pixel is about as bright as in earlier cycles, in this slot or a neighbouring one.

        Frames fall at different points of every cycle, so that levels are compared with their range over all cycles
        since the last event. This frame then widens the range.
        """
        levels = [level for pixel in frame for level in pixel]
        around = [self._spans[(slot + step) % SLOTS] for step in (-1, 0, 1)]
        known = [span for span in around if len(span) == len(levels)]
        fits = bool(known) and all(
            min(span[place][0] for span in known) - _NEAR <= level <= max(span[place][1] for span in known) + _NEAR
            for place, level in enumerate(levels)
        )
        span = self._spans[slot]
        old = span if len(span) == len(levels) else [(level, level) for level in levels]
        both = zip(old, levels, strict=True)
        self._spans[slot] = [(min(low, level), max(high, level)) for (low, high), level in both]
        return fits

    def _loop(self, frame: tuple[RGB, ...]) -> Json | None:
        seen = [one or frame for one in self._seen]
        if all(one == self._sent for one in seen):
            return None
        # A loop has been sent: whatever frame follows it is news.
        self._sent = ()
        return {"pixels": colours(frame), "loop": [colours(one) for one in seen], "loop_s": CYCLE_S}


def colours(pixels: Sequence[RGB]) -> list[str]:
    """Return the strip's pixels as CSS colours."""
    return [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in pixels]
