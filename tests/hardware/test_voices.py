from __future__ import annotations

import pytest

from hardware.voices import SwitchedVoice
from tests.vendors.recorded_voice import SimulatedVoice


def test_the_chosen_voice_speaks_until_another_is_chosen() -> None:
    plain, natural = SimulatedVoice(), SimulatedVoice()
    voice = SwitchedVoice({"plain": lambda: plain, "natural": lambda: natural}, "plain")
    voice.say("one", "en")
    voice.choose("natural")
    voice.say("two", "en")
    plain.say("late", "en")
    voice.choose(None)
    voice.say("three", "en")
    assert (plain.spoken, natural.spoken) == ([("one", "en")], [("two", "en")])
    assert (voice.names, voice.chosen) == (("plain", "natural"), None)


def test_a_voice_that_is_not_there_changes_nothing() -> None:
    plain = SimulatedVoice()
    voice = SwitchedVoice({"plain": lambda: plain}, "plain")
    with pytest.raises(KeyError):
        voice.choose("natural")
    voice.say("one", "en")
    assert (voice.chosen, plain.spoken) == ("plain", [("one", "en")])


def test_a_voice_chosen_after_the_end_is_closed() -> None:
    plain = SimulatedVoice()
    voice = SwitchedVoice({"plain": lambda: plain})
    voice.close()
    voice.choose("plain")
    voice.say("one", "en")
    assert plain.spoken == []
