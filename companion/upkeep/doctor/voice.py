"""The checks of the voice: that the speech programs and voices are installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import said
from companion.upkeep.doctor.finding import Finding, note, ok
from hardware import espeak, piper

if TYPE_CHECKING:
    from pathlib import Path

    from companion.upkeep.doctor.machine import Machine

_ABOUT: Final = said("voice")
_SILENT: Final = said("The companion does not speak; everything else works as usual.")
_PIPER: Final = "/opt/piper"
"""The folder for piper; the service has no access to home folders."""
_INSTALL: Final = (
    f"sudo python3 -m venv {_PIPER} && sudo {_PIPER}/bin/pip install piper-tts && "
    f"sudo ln -s {_PIPER}/bin/piper /usr/local/bin/"
)
_VOICES: Final = f"sudo {_PIPER}/bin/python3 -m piper.download_voices"
"""piper's command for downloading voices; the companion itself downloads nothing."""


def check_espeak(machine: Machine) -> Finding:
    """Return the finding on whether espeak-ng can speak the news."""
    if machine.run([espeak.PROGRAM, "--version"]) is None:
        return _missing(espeak.PROGRAM, f"sudo apt install {espeak.PROGRAM}")
    return ok(_ABOUT, said("{program} is installed.", program=espeak.PROGRAM))


def check_piper(machine: Machine, folder: Path, language: str) -> Finding:
    """Return the finding on whether piper can speak the news.

    Args:
        machine: the machine under examination.
        folder: the folder of piper's voices.
        language: the code of the spoken language.
    """
    if machine.run([piper.PROGRAM, "--help"]) is None:
        return _missing(piper.PROGRAM, _INSTALL)
    if machine.run([piper.PLAYER, "--version"]) is None:
        return _missing(piper.PLAYER, "sudo apt install alsa-utils")
    model = piper.model_for(folder, language)
    if model is None:
        found = said("{path}: no voice of {program} for {language}", path=str(folder), program=piper.PROGRAM,
                     language=language)  # fmt: skip
        return note(_ABOUT, found, _SILENT, f"{_VOICES} --data-dir {folder}")
    says = said("{program} is installed, with the voice {voice}.", program=piper.PROGRAM, voice=model.path.stem)
    return ok(_ABOUT, says)


def _missing(program: str, mend: str) -> Finding:
    return note(_ABOUT, said("{program} is not installed.", program=program), _SILENT, mend)
