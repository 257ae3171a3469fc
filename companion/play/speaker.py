"""The speech output of a game's news at the table, and the users' choice of its voice."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from companion.config import Config
from companion.languages import LANGUAGES, Language, Sentence, language_of_environment, render, said
from hardware.voices import SwitchedVoice

if TYPE_CHECKING:
    from companion.play.events import Event


_NEXT_CELL: Final = re.compile(r"(?<=\b[A-I][1-9۱-۹])(?= [A-I][1-9۱-۹]\b)")
_TIMES: Final = re.compile(r"(?<=\d) ?[×x] ?(?=\d)")
_MINUS: Final = re.compile(r"\u2212(?=\d)")
_TIMES_WORD: Final[Mapping[str, str]] = MappingProxyType({"en": "by", "ru": "на", "fa": "در"})
_MINUS_WORD: Final[Mapping[str, str]] = MappingProxyType({"en": "minus", "ru": "минус", "fa": "منفی"})
_RUSSIAN_CELL: Final = re.compile(r"\b([A-I])([1-9])\b")
# As chess players name them; a voice would read them in English.
_RUSSIAN_LETTERS: Final = dict(zip("ABCDEFGHI", ("а", "бэ", "цэ", "дэ", "е", "эф", "же", "аш", "и"), strict=True))
_RUSSIAN_COUNT: Final = re.compile(r"(?<![\d.,:])(\d*)([127])(?![\d.,:]?\d)(?:[ \u00a0]([а-яё]+))?")
_FEMININE: Final = re.compile(
    "(?:пуговиц|клетк|нитк|катушк|строчк|ячейк|игольниц|вышивк|нашивк|фишк|кнопк|секунд|минут|парти|отметк|пометк|ошибк|част)"
    "[ауыияюь]"
)
_NEUTER: Final = re.compile("(?:очк|мест|одеял)[оа]|делени[ея]")
# One and two of each gender, by the ending of what is counted; other numbers are not inflected by voices either.
_ONE: Final = (("у", "одну"), ("ю", "одну"), ("ы", "одной"), ("и", "одной"), ("", "одна"))
_GENITIVES: Final = ("ов", "ев", "ей", "иц", "ток", "шек", "чек", "еек", "ий")


def aloud(text: str, language: Language) -> str:
    """Return a text as a voice is given it.

    Russian numbers agree with what is counted ("две пуговицы", which voices read as "два пуговицы"), and cells have the
    names of their letters.
    """
    text = _NEXT_CELL.sub("،" if language.leftward else ",", text)
    text = _TIMES.sub(f" {_TIMES_WORD[language.code]} ", text)
    text = _MINUS.sub(f"{_MINUS_WORD[language.code]} ", text)
    if language.code != "ru":
        return text
    text = _RUSSIAN_CELL.sub(lambda cell: f"{_RUSSIAN_LETTERS[cell[1]]} {cell[2]}", text)
    return _RUSSIAN_COUNT.sub(_counted, text)


def _counted(count: re.Match[str]) -> str:
    tens, last, noun = count.groups()
    word = _number(last, noun or "")
    if tens.endswith("1") or not word:
        return count[0]
    return " ".join(filter(None, (tens and f"{tens}0", word, noun)))


def _number(last: str, noun: str) -> str:
    """Return 1, 2 or 7 in the gender and case of a noun; "" if the digit is read as well as any word."""
    feminine = _FEMININE.fullmatch(noun)
    if last == "7":
        return "семь"
    if last == "2":
        return "двух" if noun.endswith(_GENITIVES) else "двумя" if noun.endswith("ами") else "две" if feminine else ""
    if noun.endswith("ом"):
        return "одним"
    if feminine:
        return next(word for ending, word in _ONE if noun.endswith(ending))
    if noun.endswith(("а", "я")):
        return "одного"
    return "одно" if _NEUTER.fullmatch(noun) else "один"


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
