"""A look at the circle at each rest of the table, to follow displaced pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.play.events import DecisionTaken, DecisionUndone
from vision.stillness import Stillness

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.patchwork.circle.in_play.watching import CircleWatch
    from companion.patchwork.events import Event
    from companion.patchwork.watching.watch import TableWatch
    from vision.table.placed import PlacedPicture

_EVERY_S: Final = 0.5
"""Seconds between glances at the table: a frame like the previous glance is at rest. A glance takes a millisecond."""


class CircleRest:
    """A tick that looks once at each rest, in steps: at every piece, then for each missing one, one per frame.

    Args:
        watch: the watch over the table.
        circle: returns the circle that is watched, or None if there is none.
    """

    def __init__(self, watch: TableWatch, circle: Callable[[], CircleWatch | None]) -> None:
        self._watch, self._circle = watch, circle
        self._stillness = Stillness(most_skipped=None)
        self._glance_at_s = float("-inf")
        self._moved: dict[int, float] = {}
        self._is_under_way = self._is_seen = False

    @property
    def is_seen(self) -> bool:
        """True while the table is at rest and all of the circle was looked at."""
        return self._is_seen

    @property
    def moved(self) -> Mapping[int, float]:
        """By number of the place, from 0, the distance in cells by which its piece has moved since the last rest."""
        return self._moved if self._is_seen else {}

    def __call__(self, event: Event) -> None:
        """Handle an event: after a decision other pieces should be there, so the look is repeated."""
        if isinstance(event, DecisionTaken | DecisionUndone):
            self._is_seen = self._is_under_way = False

    def tick(self, now_s: float) -> None:
        """Process the next frame, which the watch has seen."""
        circle, picture = self._circle(), self._watch.picture
        if circle is None or picture is None or not self._watch.at_rest:
            self._is_seen = self._is_under_way = False
            return
        # A look that is under way takes a step with every frame.
        if now_s - self._glance_at_s < _EVERY_S and not self._is_under_way:
            return
        self._glance_at_s = now_s
        if not self._stillness.holds(picture.image):
            self._is_seen = self._is_under_way = False
        elif not self._is_seen:
            self._step(circle, picture)

    def _step(self, circle: CircleWatch, scene: PlacedPicture) -> None:
        if not self._is_under_way:
            circle.restart()
            self._moved = {}
        step = circle.follow(scene)
        self._moved.update(step.moved)
        self._is_seen, self._is_under_way = step.is_done, not step.is_done
