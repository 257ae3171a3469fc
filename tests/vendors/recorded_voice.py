"""A voice that records its texts."""


class SimulatedVoice:
    """A silent voice that records its texts.

    Attributes:
        spoken: the texts, each with its language.
    """

    def __init__(self) -> None:
        self.spoken: list[tuple[str, str]] = []
        self._closed = False

    def say(self, text: str, language: str) -> None:
        """Record a text."""
        if not self._closed:
            self.spoken.append((text, language))

    def close(self) -> None:
        """Ignore further texts."""
        self._closed = True
