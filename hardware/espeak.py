"""The voice of the program espeak-ng, which speaks every language of the companion's, plainly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardware.speaking import ProgramVoice

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM: Final = "espeak-ng"


class EspeakVoice(ProgramVoice):
    """espeak-ng on the machine's sound card.

    Args:
        program: how it is called.
    """

    def __init__(self, program: Sequence[str] = (PROGRAM,)) -> None:
        super().__init__(lambda language: [[*program, "-v", language, "--stdin"]])
