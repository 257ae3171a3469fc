"""Null devices, for tables without push-buttons, lights or a voice."""

from collections.abc import Sequence

from hardware.ports import RGB, Press


class NoControls:
    """Push-buttons of a table without any, played hands-free or by the page."""

    def presses(self) -> Sequence[Press]:
        """Return no presses."""
        return ()

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class NoStrip:
    """The strip of a table without lights.

    Args:
        pixel_count: number of pixels for a view of them.
    """

    def __init__(self, pixel_count: int) -> None:
        if pixel_count < 1:
            raise ValueError(f"a strip needs at least one pixel, not {pixel_count}")
        self._count = pixel_count

    @property
    def pixel_count(self) -> int:
        """The number of pixels given."""
        return self._count

    def show(self, pixels: Sequence[RGB]) -> None:
        """Discard the pixels.

        Raises:
            ValueError: another number of pixels.
        """
        if len(pixels) != self._count:
            raise ValueError(f"the strip has {self._count} pixels, not {len(pixels)}")

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class NoVoice:
    """The voice of a silent table."""

    def say(self, text: str, language: str) -> None:
        """Discard the sentence."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
