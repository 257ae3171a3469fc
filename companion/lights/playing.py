"""A listener that keeps the strip showing the light show's current frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import TypeVar

    from hardware.ports import RGB, LightStrip

    EventT = TypeVar("EventT", default=Any)
    _EventT_contra = TypeVar("_EventT_contra", contravariant=True)
else:
    from typing import TypeVar

    EventT, _EventT_contra = TypeVar("EventT"), TypeVar("_EventT_contra", contravariant=True)


class Show(Protocol[_EventT_contra]):
    """A game's light show."""

    def event(self, event: _EventT_contra, now_s: float) -> None:
        """Handle an event."""

    def frame(self, now_s: float) -> Sequence[RGB]:
        """Return the pixels for this time, in seconds."""

    def refuse(self, now_s: float) -> None:
        """Blink over the current picture, as a sign that a press does not count."""

    @property
    def is_neutral(self) -> bool:
        """True while the show holds the steady light in which the camera looks."""

    def is_resting(self, now_s: float) -> bool:
        """Return whether only the state of the game is shown."""


class Lights(Generic[EventT]):
    """A listener for events, which a show converts to pixels, with a tick for every frame; `mirrors` get each, too."""

    def __init__(
        self, show: Show[EventT], strip: LightStrip, mirrors: Sequence[Callable[[Sequence[RGB]], None]] = ()
    ) -> None:
        self._show, self._strip, self._mirrors = show, strip, tuple(mirrors)
        self._now_s = 0.0
        self._shown: list[RGB] = []

    def __call__(self, event: EventT) -> None:
        """Pass on an event, at the time of the latest tick, and show its effect at once."""
        self._show.event(event, self._now_s)
        self.tick(self._now_s)

    def refuse(self) -> None:
        """Blink over the current picture, at the time of the latest tick, as a sign that a press does not count."""
        self._show.refuse(self._now_s)
        self.tick(self._now_s)

    @property
    def is_neutral(self) -> bool:
        """True while the show holds the steady light in which the camera looks."""
        return self._show.is_neutral

    def is_resting(self, now_s: float) -> bool:
        """Return whether only the state of the game is shown."""
        return self._show.is_resting(now_s)

    def tick(self, now_s: float) -> None:
        """Show the frame for this time, in seconds; an unchanged frame is not sent again."""
        self._now_s = now_s
        pixels = list(self._show.frame(now_s))
        if pixels != self._shown:
            self._shown = pixels
            self._strip.show(pixels)
            for mirror in self._mirrors:
                mirror(pixels)
