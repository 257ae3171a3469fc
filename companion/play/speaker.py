"""The speaker of a game's news at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import tell

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.languages import Language, Sentence
    from companion.play.events import Event
    from hardware.ports import Voice


class Speaker:
    """A listener for events that speaks the news.

    Args:
        voice: speaks.
        language: in which.
        spoken: returns what is said aloud of an event.
    """

    def __init__(self, voice: Voice, language: Language, spoken: Callable[[Event], tuple[Sentence | str, ...]]) -> None:
        self._voice, self._language, self._spoken = voice, language, spoken

    def __call__(self, event: Event) -> None:
        """Speak the news of an event, if any."""
        told = [tell(each, self._language) for each in self._spoken(event)]
        if told:
            self._voice.say(" ".join(told), self._language.code)
