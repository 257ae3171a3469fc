"""A voice that remembers what it was told to say."""

from __future__ import annotations


class SimulatedVoice:
    """A voice without a sound that records its texts.

    Attributes:
        spoken: what was said, each with its language.
    """

    def __init__(self) -> None:
        self.spoken: list[tuple[str, str]] = []
        self._closed = False

    def say(self, text: str, language: str) -> None:
        """Remember a text."""
        if not self._closed:
            self.spoken.append((text, language))

    def close(self) -> None:
        """Say nothing more."""
        self._closed = True
