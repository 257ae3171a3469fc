"""Several voices to choose from, including silence."""

from collections.abc import Callable, Mapping
from threading import Lock

from hardware.nothing import NoVoice
from hardware.ports import Voice


class SwitchedVoice:
    """A voice that can be replaced by another one, or silenced, from any thread.

    Args:
        openers: by name, the function that opens each voice when it is chosen.
        chosen: name of the initial voice; None for silence.

    Raises:
        KeyError: no voice has that name.
    """

    def __init__(self, openers: Mapping[str, Callable[[], Voice]], chosen: str | None = None) -> None:
        self._openers = dict(openers)
        self._lock = Lock()
        self._voice: Voice = NoVoice()
        self._chosen: str | None = None
        self._closed = False
        self.choose(chosen)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the voices."""
        return tuple(self._openers)

    @property
    def chosen(self) -> str | None:
        """The name of the current voice, or None for silence."""
        return self._chosen

    def choose(self, name: str | None) -> None:
        """Change to another voice; the previous one stops at once.

        Args:
            name: of the voice; None for silence.

        Raises:
            KeyError: no voice has that name.
        """
        opened = NoVoice() if name is None else self._openers[name]()
        with self._lock:
            # The page's thread chooses while the loop's speaks.
            before, self._voice, self._chosen = self._voice, opened, name
            # The page may be answered after the end of the table: nothing would close that voice.
            if self._closed:
                opened.close()
        # Outside of the lock: closing waits for programs to end, and the loop's thread must not.
        before.close()

    def say(self, text: str, language: str) -> None:
        """See `Voice`."""
        with self._lock:
            self._voice.say(text, language)

    def close(self) -> None:
        """See `Voice`."""
        with self._lock:
            self._closed = True
        self._voice.close()
