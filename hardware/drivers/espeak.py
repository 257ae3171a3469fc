"""Speech by the program espeak-ng, which supports all languages of the companion in plain quality."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from companion.languages import said
from hardware.diagnosis import Finding, Machine, ok
from hardware.driver import VoiceDriver
from hardware.voices import ABOUT_VOICE, ProgramVoice, not_installed

PROGRAM: Final = "espeak-ng"


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
