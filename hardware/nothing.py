"""Devices that are not there, for tables that do without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.ports import RGB, Press


class NoControls:
    """Push-buttons of a table that has none and is played hands-free, or by the page."""

    def presses(self) -> Sequence[Press]:
        """Return no presses."""
        return ()

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class NoStrip:
    """The strip of a table without lights.

    Args:
        pixel_count: as many pixels as a view of them shall show.
    """

    def __init__(self, pixel_count: int) -> None:
        if pixel_count < 1:
            raise ValueError(f"a strip needs at least one pixel, not {pixel_count}")
        self._count = pixel_count

    @property
    def pixel_count(self) -> int:
        """Number of pixels that a strip here would have."""
        return self._count

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show them nowhere.

        Raises:
            ValueError: another number of pixels.
        """
        if len(pixels) != self._count:
            raise ValueError(f"the strip has {self._count} pixels, not {len(pixels)}")

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class NoVoice:
    """The voice of a table that is silent."""

    def say(self, text: str, language: str) -> None:
        """Discard the sentence."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
