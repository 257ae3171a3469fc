"""Speech by the program espeak-ng, which supports all languages of the companion in plain quality."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from companion.languages import said
from hardware.diagnosis import Finding, Machine, ok
from hardware.driver import VoiceDriver
from hardware.voices import ABOUT_VOICE, ProgramVoice, not_installed

PROGRAM: Final = "espeak-ng"
# Words that it reads with a wrong stress or vowel, by language: its phonemes, or a spelling that it reads better.
_READ_AS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "ru": {
            "бонусный": "[[b'onusnyj]]",
            "бонусного": "[[b'onusnVvV]]",
            "дорогой": "[[dVrVg'oj]]",
            "закрепите": "[[zak@-r;ip;'it;i]]",
            "обменивают": "[[Vbm;'en;ivVjut]]",
            "осмотрите": "[[VsmVt@-r;'it;i]]",
            "откалибруйте": "[[VtkVl;ib@-r'ujt;i]]",
            "отключите": "[[Vtkl;u\"tS;'it;i]]",
            "очком": "[[VtS;k'om]]",
            "переложите": "[[p;ir;ilVZ'yt;i]]",
            "положите": "[[pVlVZ'yt;i]]",
            "посмотрите": "[[pVsmVt@-r;'it;i]]",
            "потом": "[[pVt'om]]",
            "стола": "[[stVl'A]]",
            "столе": "[[stVl;'e]]",
            "столу": "[[stVl'u]]",
            "темно": "[[t;imn'o]]",
            "уже": "[[uZ'E]]",
        },
        "fa": {"تکه": "تکّه", "تکهٔ": "تکّهٔ", "توکن": "تُکِن", "توکنِ": "تُکِنِ", "لحاف": "لِحاف", "لحافِ": "لِحافِ"},
    }
)
_WORD: Final = re.compile(r"[\w\u0650\u0654]+")


@dataclass(frozen=True, slots=True)
class EspeakDriver(VoiceDriver):
    """Speech by espeak-ng."""

    driver = "espeak-ng"
    summary = said("plain, in every language")

    def is_installed(self, which: Callable[[str], str | None]) -> bool:
        """Return whether the program is there."""
        return which(PROGRAM) is not None

    def open(self) -> "EspeakVoice":
        """Return the voice."""
        return EspeakVoice()

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the finding on whether espeak-ng can speak the news."""
        if machine.run([PROGRAM, "--version"]) is None:
            yield not_installed(PROGRAM, f"sudo apt install {PROGRAM}")
        else:
            yield ok(ABOUT_VOICE, said("{program} is installed.", program=PROGRAM))


class EspeakVoice(ProgramVoice):
    """espeak-ng, or another program with its options, on the machine's sound card."""

    def __init__(self, program: Sequence[str] = (PROGRAM,)) -> None:
        # By standard input, because a text that begins with a dash would be taken for an option.
        super().__init__(lambda language: [[*program, "-v", language, "--stdin"]])

    def say(self, text: str, language: str) -> None:
        """Speak a text in the background."""
        known = _READ_AS.get(language, {})
        # What players write is never taken for phonemes.
        plain = text.replace("[[", "[")
        super().say(_WORD.sub(lambda word: known.get(word[0].lower(), word[0]), plain), language)
