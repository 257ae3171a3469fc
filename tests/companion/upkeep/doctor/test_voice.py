from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.upkeep.doctor.pins import check_espeak, check_piper
from hardware.diagnosis import Machine

if TYPE_CHECKING:
    from pathlib import Path


def test_a_machine_that_can_speak(tmp_path: Path) -> None:
    found = check_espeak(Machine(tmp_path, " ".join))
    assert (found.level, found.title) == ("ok", "espeak-ng is installed.")


def test_a_machine_without_the_program_is_silent_and_told_how_to_mend_it(tmp_path: Path) -> None:
    found = check_espeak(Machine(tmp_path, lambda _: None))
    assert (found.level, found.title) == ("note", "espeak-ng is not installed.")
    assert found.do == "sudo apt install espeak-ng"


def test_a_machine_with_piper_and_a_voice(tmp_path: Path) -> None:
    (tmp_path / "fa_IR-amir-medium.onnx").touch()
    (tmp_path / "fa_IR-amir-medium.onnx.json").write_text('{"audio": {"sample_rate": 22050}}', encoding="utf-8")
    found = check_piper(Machine(tmp_path, " ".join), tmp_path, "fa")
    assert (found.level, found.title) == ("ok", "piper is installed, with the voice fa_IR-amir-medium.")


@pytest.mark.parametrize(
    ("missing", "says", "do"),
    [
        (
            "piper",
            "piper is not installed.",
            "sudo python3 -m venv /opt/piper && sudo /opt/piper/bin/pip install piper-tts && "
            "sudo ln -s /opt/piper/bin/piper /usr/local/bin/",
        ),
        ("aplay", "aplay is not installed.", "sudo apt install alsa-utils"),
        (
            "",
            "{folder}: no voice of piper for ru",
            "sudo /opt/piper/bin/python3 -m piper.download_voices --data-dir {folder}",
        ),
    ],
)
def test_what_piper_lacks_is_named(tmp_path: Path, missing: str, says: str, do: str) -> None:
    machine = Machine(tmp_path, lambda command: None if command[0] == missing else "")
    found = check_piper(machine, tmp_path, "ru")
    assert (found.level, found.title, found.do) == ("note", says.format(folder=tmp_path), do.format(folder=tmp_path))
