"""Speech by the program espeak-ng, which supports all languages of the companion in plain quality."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardware.speaking import ProgramVoice

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM: Final = "espeak-ng"


class EspeakVoice(ProgramVoice):
    """espeak-ng on the machine's sound card.

    Args:
        program: its command line.
    """

    def __init__(self, program: Sequence[str] = (PROGRAM,)) -> None:
        # By standard input, because a text that begins with a dash would be taken for an option.
        super().__init__(lambda language: [[*program, "-v", language, "--stdin"]])
