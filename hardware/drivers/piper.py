"""Speech by the program piper, which sounds natural and needs two files of a voice for every language.

Nothing is ever downloaded: a language without files is not spoken.
"""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.languages import ENGLISH, said
from companion.settings import folder, setting
from hardware.diagnosis import Finding, Machine, note, ok
from hardware.driver import VoiceDriver
from hardware.voices import ABOUT_VOICE, SILENT, ProgramVoice, not_installed

_LOG: Final = logging.getLogger(__name__)

PROGRAM: Final = "piper"
PLAYER: Final = "aplay"
_RATES_HZ: Final = range(8000, 96001)
# The folder for piper; the service has no access to home folders.
_PIPER: Final = "/opt/piper"
_INSTALL: Final = (
    f"sudo python3 -m venv {_PIPER} && sudo {_PIPER}/bin/pip install piper-tts && "
    f"sudo ln -s {_PIPER}/bin/piper /usr/local/bin/"
)
# piper's command for downloading voices; the companion itself downloads nothing.
_VOICES: Final = f"sudo {_PIPER}/bin/python3 -m piper.download_voices"


@dataclass(frozen=True, slots=True)
class PiperDriver(VoiceDriver):
    """Speech by piper."""

    driver = "piper"
    summary = said("more natural; needs voices")

    voices: Path | None = setting(
        None,
        folder,
        said(
            "The folder of piper’s voices: for each one a file such as {example}, and the {json} that belongs to it.",
            example="ru_RU-irina-medium.onnx",
            json=".onnx.json",
        ),
        '"~/voices"',
    )

    def check(self) -> None:
        """Check that there is a folder of voices."""
        if self.voices is None:
            raise ValueError(
                said(
                    "{key}: is missing; the driver {driver} needs the folder of its voices",
                    key="voices",
                    driver='"piper"',
                )
            )

    def is_installed(self, which: Callable[[str], str | None]) -> bool:
        """Return whether its programs are there."""
        return which(PROGRAM) is not None and which(PLAYER) is not None

    def open(self) -> "PiperVoice":
        """Return the voice."""
        return PiperVoice(self.voices or Path())

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the finding on whether piper can speak the news in the configured language."""
        path, language = self.voices or Path(), self.language or ENGLISH.code
        if machine.run([PROGRAM, "--help"]) is None:
            yield not_installed(PROGRAM, _INSTALL)
        elif machine.run([PLAYER, "--version"]) is None:
            yield not_installed(PLAYER, "sudo apt install alsa-utils")
        elif (model := model_for(path, language)) is None:
            title = said("{path}: no voice of {program} for {language}", path=str(path), program=PROGRAM,
                         language=language)  # fmt: skip
            yield note(ABOUT_VOICE, title, SILENT, f"{_VOICES} --data-dir {path}")
        else:
            says = said("{program} is installed, with the voice {voice}.", program=PROGRAM, voice=model.path.stem)
            yield ok(ABOUT_VOICE, says)


@dataclass(frozen=True, slots=True)
class PiperModel:
    """A voice of piper: its file, and its sample rate."""

    path: Path
    rate_hz: int


def model_for(folder: Path, language: str) -> PiperModel | None:
    """Return the voice of a language in a folder, the first valid one by name, or None if there is none.

    Args:
        folder: with the voices under their published names: "ru_RU-irina-medium.onnx" and the same with ".json"
            appended.
        language: language code, such as "ru".
    """
    # With a path that does not exist, some versions of the program try a download.
    found = sorted(folder.resolve().glob(f"{language}_*.onnx"))
    models = ((path, _rate_hz(path)) for path in found)
    return next((PiperModel(path, rate_hz) for path, rate_hz in models if rate_hz is not None), None)


class PiperVoice(ProgramVoice):
    """Speech by piper and a player of raw sound, on the machine's sound card.

    A language without a voice (`model_for`) is not spoken; this is logged once.
    """

    def __init__(self, folder: Path, program: Sequence[str] = (PROGRAM,), player: Sequence[str] = (PLAYER,)) -> None:
        super().__init__(self._commands)
        self._folder, self._program, self._player = folder, tuple(program), tuple(player)
        self._unspoken: set[str] = set()

    def _commands(self, language: str) -> list[list[str]]:
        model = model_for(self._folder, language)
        if model is None:
            self._warn_missing(language)
            return []
        sound = ["-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(model.rate_hz), "-"]
        return [[*self._program, "--model", str(model.path), "--output-raw"], [*self._player, *sound]]

    def _warn_missing(self, language: str) -> None:
        if language not in self._unspoken:
            self._unspoken.add(language)
            _LOG.warning("%s", said("{path}: no voice of {program} for {language}", path=str(self._folder),
                                    program=PROGRAM, language=language))  # fmt: skip


def _rate_hz(path: Path) -> int | None:
    """Return a voice's sample rate, or None if its description is missing or has no valid one."""
    try:
        described = json.loads(path.with_name(f"{path.name}.json").read_text(encoding="utf-8"))
        rate_hz = described["audio"]["sample_rate"]
    # The file is the user's, with any JSON in it; and at a guessed rate a voice sounds like another one.
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return None
    return rate_hz if isinstance(rate_hz, int) and rate_hz in _RATES_HZ else None
