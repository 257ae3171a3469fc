"""The speech output of a game's news at the table, and the users' choice of its voice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Final

from companion.config import Config
from companion.languages import LANGUAGES, Language, Sentence, language_of_environment, render, said
from companion.languages.aloud import aloud
from hardware.voices import SwitchedVoice

if TYPE_CHECKING:
    from companion.play.events import Event

_SAMPLE: Final = said("This is how I speak.")


def voice_language(config: Config, environ: Mapping[str, str]) -> Language:
    """Return the language chosen for the voice, or else the terminal's."""
    code = config.voice.language or config.terminal.language
    return language_of_environment(environ) if code is None else LANGUAGES[code]


class Speaker:
    """A listener for events that speaks the news.

    Args:
        voice: the speech output.
        language: the language of the sentences.
        spoken: returns the sentences to speak for an event.
    """

    def __init__(
        self, voice: SwitchedVoice, language: Language, spoken: Callable[[Event], tuple[Sentence | str, ...]]
    ) -> None:
        self.voice, self._language, self._spoken = voice, language, spoken

    def __call__(self, event: Event) -> None:
        """Speak the news of an event, if any; without a voice the sentences are not even composed."""
        if self.voice.chosen is None:
            return
        if sentences := [render(each, self._language) for each in self._spoken(event)]:
            self._say(" ".join(sentences))

    def choose(self, name: str | None) -> None:
        """Switch to another voice and speak a sample with it, or to silence with None.

        Raises:
            KeyError: there is no voice of that name.
        """
        self.voice.choose(name)
        self._say(render(_SAMPLE, self._language))

    def _say(self, text: str) -> None:
        self.voice.say(aloud(text, self._language), self._language.code)


@dataclass(frozen=True, slots=True)
class _Selection:
    voice: str | None


class VoiceChoice:
    """The remote choice of a voice; it holds for all games of a session. Methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._speaker: Speaker | None = None
        # Wrapped, as the choice of silence is not the same as no choice.
        self._selection: _Selection | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The voices to choose from; empty before the first game."""
        return () if self._speaker is None else self._speaker.voice.names

    @property
    def chosen(self) -> str | None:
        """The current voice, or None for silence."""
        return None if self._speaker is None else self._speaker.voice.chosen

    def set_speaker(self, speaker: Speaker) -> None:
        """Set the speaker of the next game; it continues with the chosen voice."""
        with self._lock:
            self._speaker = speaker
            # A game with other voices than the chosen one begins with the voice of its configuration.
            if self._selection is not None and self._selection.voice in (None, *speaker.voice.names):
                speaker.voice.choose(self._selection.voice)

    def choose(self, name: str | None) -> None:
        """Switch to another voice, or to silence with None.

        Raises:
            KeyError: there is no voice of that name, or no game yet.
        """
        with self._lock:
            if self._speaker is None:
                raise KeyError(name)
            self._speaker.choose(name)
            self._selection = _Selection(name)
