"""Several voices, of which people choose one, or silence."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from hardware.nothing import NoVoice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardware.ports import Voice


class SwitchedVoice:
    """A voice that may be exchanged for another one, or silenced, from any thread.

    Args:
        openers: by name, what opens each voice; it is opened when it is first chosen.
        chosen: the name of the one that speaks at first; None for silence.

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
        """The voices to choose from."""
        return tuple(self._openers)

    @property
    def chosen(self) -> str | None:
        """The name of the voice that speaks, or None while there is silence."""
        return self._chosen

    def choose(self, name: str | None) -> None:
        """Have another voice speak from now on; the one before falls silent at once.

        Args:
            name: of the voice; None for silence.

        Raises:
            KeyError: no voice has that name.
        """
        opened = NoVoice() if name is None else self._openers[name]()
        with self._lock:
            before, self._voice, self._chosen = self._voice, opened, name
            if self._closed:
                opened.close()
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
