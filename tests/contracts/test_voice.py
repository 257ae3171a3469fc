from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hardware.drivers.espeak import EspeakVoice
from hardware.drivers.piper import PiperVoice
from hardware.voices import SwitchedVoice
from tests.vendors.recorded_voice import SimulatedVoice

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.ports import Voice

VOICES: dict[str, Callable[[], Voice]] = {
    "espeak-ng": lambda: EspeakVoice(("cat",)),
    "espeak-ng that is missing": lambda: EspeakVoice(("no-such-program-here",)),
    "piper without voices": lambda: PiperVoice(Path(__file__).parent, ("cat",), ("cat",)),
    "one of several": lambda: SwitchedVoice({"espeak-ng": lambda: EspeakVoice(("cat",))}, "espeak-ng"),
    "silence": lambda: SwitchedVoice({}),
    "simulated": SimulatedVoice,
}


@pytest.fixture(params=VOICES)
def voice(request: pytest.FixtureRequest) -> Voice:
    return VOICES[request.param]()


def test_it_speaks_and_is_closed_twice_and_is_silent_then(voice: Voice) -> None:
    for text in ("It is Anna’s turn.", "", "Ход игрока Борис."):
        voice.say(text, "en")
    voice.close()
    voice.close()
    voice.say("too late", "fa")


def test_the_twin_tells_what_was_said_until_it_was_closed() -> None:
    voice = SimulatedVoice()
    voice.say("one", "en")
    voice.close()
    voice.say("two", "ru")
    assert voice.spoken == [("one", "en")]
