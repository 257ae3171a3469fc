"""Speech by the program espeak-ng, which supports all languages of the companion in plain quality."""

from collections.abc import Sequence
from typing import Final

from hardware.speaking import ProgramVoice

PROGRAM: Final = "espeak-ng"


class EspeakVoice(ProgramVoice):
    """espeak-ng on the machine's sound card.

    Args:
        program: its command line.
    """

    def __init__(self, program: Sequence[str] = (PROGRAM,)) -> None:
        # By standard input, because a text that begins with a dash would be taken for an option.
        super().__init__(lambda language: [[*program, "-v", language, "--stdin"]])
