"""Test piper and aplay by fake programs that report their input."""

from __future__ import annotations

import json
import logging
import os
import sys
from typing import TYPE_CHECKING

import pytest

from hardware.drivers.piper import PiperModel, PiperVoice, model_for

if TYPE_CHECKING:
    from pathlib import Path

SPEAKS = "import sys; print(sys.argv[1:], sys.stdin.buffer.read().decode('utf-8'), sep='|')"
PLAYS = "import sys; open(sys.argv[1], 'w', encoding='utf-8').write(' '.join(sys.argv[2:]) + '|' + sys.stdin.read())"


def _voice(folder: Path, name: str, description: object) -> Path:
    path = folder / f"{name}.onnx"
    path.touch()
    path.with_name(f"{path.name}.json").write_text(json.dumps(description), encoding="utf-8")
    return path


@pytest.fixture
def output(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "heard")
    return tmp_path / "heard"


def _voice_of_stand_ins(folder: Path, output: Path) -> PiperVoice:
    return PiperVoice(folder, (sys.executable, "-c", SPEAKS), (sys.executable, "-c", PLAYS, str(output)))


def test_the_text_goes_through_piper_into_the_player_at_the_voices_rate(tmp_path: Path, output: Path) -> None:
    path = _voice(tmp_path, "ru_RU-irina-medium", {"audio": {"sample_rate": 16000}})
    voice = _voice_of_stand_ins(tmp_path, output)
    voice.say("--help Ход игрока Анна.", "ru")
    played, spoken, text = output.read_text(encoding="utf-8").split("|")
    voice.close()
    assert played == "-q -t raw -f S16_LE -c 1 -r 16000 -"
    assert spoken == str(["--model", str(path), "--output-raw"])
    assert text == "--help Ход игрока Анна.\n"


def test_a_language_without_a_voice_is_left_out_and_told_of_once(
    tmp_path: Path, output: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _voice(tmp_path, "en_US-amy-medium", {"audio": {"sample_rate": 22050}})
    voice = _voice_of_stand_ins(tmp_path, output)
    with caplog.at_level(logging.WARNING, "hardware.drivers.piper"):
        assert [voice._commands("fa"), voice._commands("fa")] == [[], []]
    voice.say("It is Anna’s turn.", "en")
    assert "It is Anna’s turn." in output.read_text(encoding="utf-8")
    voice.close()
    assert [record.getMessage() for record in caplog.records] == [f"{tmp_path}: no voice of piper for fa"]


@pytest.mark.parametrize(("program", "player"), [("no-such-piper", sys.executable), (sys.executable, "no-such-player")])
def test_a_machine_without_one_of_the_programs_names_it(tmp_path: Path, program: str, player: str) -> None:
    _voice(tmp_path, "en_US-amy-medium", {"audio": {"sample_rate": 22050}})
    voice = PiperVoice(tmp_path, (program,), (player,))
    with pytest.raises(FileNotFoundError) as caught:
        voice._utter("one", "en")
    voice.close()
    assert caught.value.filename == (program if player == sys.executable else player)


@pytest.mark.parametrize(
    "description",
    [
        {},
        [],
        {"audio": {}},
        {"audio": {"sample_rate": "22050"}},
        {"audio": {"sample_rate": -1}},
        {"audio": {"sample_rate": True}},
    ],
)
def test_a_voice_with_an_unsound_description_is_passed_over(tmp_path: Path, description: object) -> None:
    _voice(tmp_path, "fa_IR-amir-medium", description)
    assert model_for(tmp_path, "fa") is None
    sound = _voice(tmp_path, "fa_IR-gyro-medium", {"audio": {"sample_rate": 22050}})
    assert model_for(tmp_path, "fa") == PiperModel(sound, 22050)


def test_a_folder_that_is_not_there_has_no_voices(tmp_path: Path) -> None:
    (tmp_path / "en_GB-alan-low.onnx").touch()
    assert model_for(tmp_path, "en") is None
    assert model_for(tmp_path / "none", "en") is None
