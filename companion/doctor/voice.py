"""The voice: whether the programs that speak are there, and what they need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.doctor.finding import Finding, note, ok
from companion.languages import said
from hardware import espeak, piper

if TYPE_CHECKING:
    from pathlib import Path

    from companion.doctor.machine import Machine

_ABOUT: Final = said("voice")
_SILENT: Final = said("The companion keeps silent; all else is as ever.")
_VOICES: Final = "python3 -m piper.download_voices"
"""piper's own command; the companion itself loads nothing."""


def check_espeak(machine: Machine) -> Finding:
    """Return the finding on whether espeak-ng can speak the news."""
    if machine.run([espeak.PROGRAM, "--version"]) is None:
        return _missing(espeak.PROGRAM, f"sudo apt install {espeak.PROGRAM}")
    return ok(_ABOUT, said("{program} is there.", program=espeak.PROGRAM))


def check_piper(machine: Machine, folder: Path, language: str) -> Finding:
    """Return the finding on whether piper can speak the news.

    Args:
        machine: the machine under examination.
        folder: of piper's voices.
        language: in which the news are spoken.
    """
    if machine.run([piper.PROGRAM, "--help"]) is None:
        return _missing(piper.PROGRAM, "pipx install piper-tts")
    if machine.run([piper.PLAYER, "--version"]) is None:
        return _missing(piper.PLAYER, "sudo apt install alsa-utils")
    model = piper.model_for(folder, language)
    if model is None:
        found = said("{path}: no voice of {program} for {language}", path=str(folder), program=piper.PROGRAM,
                     language=language)  # fmt: skip
        return note(_ABOUT, found, _SILENT, f"cd {folder} && {_VOICES}")
    says = said("{program} is there, with the voice {voice}.", program=piper.PROGRAM, voice=model.path.stem)
    return ok(_ABOUT, says)


def _missing(program: str, mend: str) -> Finding:
    return note(_ABOUT, said("There is no program {program}.", program=program), _SILENT, mend)
