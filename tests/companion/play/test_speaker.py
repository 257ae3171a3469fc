from __future__ import annotations

import pytest

from companion.languages import LANGUAGES
from companion.play.events import NothingToUndo
from companion.play.speaker import Speaker, VoiceChoice
from hardware.voices import SwitchedVoice
from tests.vendors.recorded_voice import SimulatedVoice


def _speaker(*names: str, chosen: str | None = None) -> tuple[Speaker, dict[str, SimulatedVoice]]:
    voices = {name: SimulatedVoice() for name in names}
    openers = {name: (lambda name=name: voices[name]) for name in names}
    return Speaker(SwitchedVoice(openers, chosen), LANGUAGES["ru"], lambda event: (str(event),)), voices


def test_a_voice_is_heard_as_soon_as_it_is_chosen() -> None:
    speaker, voices = _speaker("plain", "natural", chosen="plain")
    choice = VoiceChoice()
    choice.set_speaker(speaker)
    assert (choice.names, choice.chosen) == (("plain", "natural"), "plain")
    choice.choose("natural")
    assert voices["natural"].spoken == [("Вот так я говорю.", "ru")]
    assert choice.chosen == "natural"


def test_the_choice_holds_for_the_next_game_which_begins_without_a_word() -> None:
    choice = VoiceChoice()
    for _ in range(2):
        speaker, voices = _speaker("plain", chosen="plain")
        choice.set_speaker(speaker)
        if choice.chosen is not None:
            choice.choose(None)
    assert (speaker.voice.chosen, voices["plain"].spoken) == (None, [])


def test_a_game_at_another_machine_goes_on_as_configured() -> None:
    choice = VoiceChoice()
    choice.set_speaker(_speaker("plain", "natural")[0])
    choice.choose("natural")
    choice.set_speaker(_speaker("plain", chosen="plain")[0])
    assert choice.chosen == "plain"


def test_before_the_first_game_there_is_nothing_to_choose() -> None:
    choice = VoiceChoice()
    assert (choice.names, choice.chosen) == ((), None)
    with pytest.raises(KeyError):
        choice.choose(None)


def test_a_silent_table_puts_nothing_into_words() -> None:
    told: list[str] = []

    def spoken(event: object) -> tuple[str, ...]:
        told.append(str(event))
        return (str(event),)

    speaker = Speaker(SwitchedVoice({"plain": SimulatedVoice}), LANGUAGES["en"], spoken)
    speaker(NothingToUndo(None))
    assert told == []
    speaker.voice.choose("plain")
    speaker(NothingToUndo("more"))
    assert len(told) == 1


def test_numbers_are_spoken_as_people_say_them() -> None:
    voice = SimulatedVoice()
    Speaker(SwitchedVoice({"plain": lambda: voice}, "plain"), LANGUAGES["ru"], lambda _: ("Анна берёт 2 пуговицы.",))(
        NothingToUndo(None)
    )
    assert voice.spoken == [("Анна берёт две пуговицы.", "ru")]
