"""Test every kind of file that the program reads, damaged in many ways, each given by a seed."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.mat import MatError, load_mat
from calibration.stored import CalibrationError, Profile, ProfileError, load_calibration, load_profile, save_profile
from companion.config import Config
from companion.configuration import config_text
from companion.games.kvilt import legal as kvilt_legal
from companion.games.kvilt import rules as kvilt_rules
from companion.games.patchwork import legal as patchwork_legal
from companion.games.patchwork import rules as patchwork_rules
from companion.games.patchwork import state as patchwork_state
from companion.kvilt import sheets
from companion.kvilt.codec import KVILT
from companion.patchwork.codec import PATCHWORK
from companion.record import record_lines
from hardware.ports import EndOfFramesError
from hardware.recorded import RecordingError
from hardware.recorded.tape import EVENTS_NAME, Tape
from tests.companion.kvilt_setups import own_setup
from tests.hostile.answering import LONGEST_LINE, answer, tried
from tests.hostile.spoiling import spoiled_bytes, spoiled_lines, spoiled_toml
from vision.geometry import VIEW_PX, Homography

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SEEDS = st.integers(0, 2**32)
_SHEET = Path(sheets.__file__).parent / "companion-a.toml"
_PACKAGES = _SHEET.parents[3]
_EVENTS = b"""{"t": 0.2, "frame": "a.jpg"}
{"t": 0.4, "button": "undo"}
{"t": 0.5, "told": {"seat": 1}, "looks": true}
"""
_CALIBRATION = b"""format = 1
taken = 2026-11-23T13:31:25+00:00
size = [1536, 864]
corners = [[[120, 305], [412, 302], [394, 602], [87, 602]], [[1147, 299], [1439, 313], [1461, 610], [1152, 597]]]

[[board]]
seat = 1
mat = "a4"
place = [[20.2, -0.2, 12.9], [0.2, 20.2, 55.2], [0.0, 0.0, 1.0]]
residual_px = 0.3
residual_mm = 0.2
cell_px = 32.0
blur_px = 1.0
paper = 200.0

[[board]]
seat = 2
mat = "a4"
place = [[20.2, -0.2, 12.9], [0.2, 20.2, 55.2], [0.0, 0.0, 1.0]]
residual_px = 0.3
residual_mm = 0.2
cell_px = 32.0
blur_px = 1.0
paper = 200.0

[lens]
focal = [1100.0, 1100.0]
centre = [768.0, 432.0]
distortion = [0.1, 0.0, 0.0, 0.0, 0.0]
residual_px = 0.2
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@cache
def _record(game: str) -> bytes:
    """Return a record of thirty random decisions."""
    rng = random.Random(5)
    if game == "kvilt":
        coloured = kvilt_rules.History(own_setup(("Anna", "Boris"), 1))
        for _ in range(30):
            coloured.apply(kvilt_legal.legal_decisions(coloured.state).pick(rng))
        return _lines(record_lines(coloured.setup, coloured.decisions, KVILT))
    quilted = patchwork_rules.History(patchwork_state.Setup(players=("Anna", "Boris")))
    for _ in range(30):
        quilted.apply(patchwork_legal.legal_decisions(quilted.state).pick(rng))
    return _lines(record_lines(quilted.setup, quilted.decisions, PATCHWORK))


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(line.rstrip("\n") + "\n" for line in lines).encode()


def _fault(load: Callable[[Path], object], path: Path, error: type[Exception]) -> str:
    """Return the message about a file; empty if it is still valid."""
    try:
        load(path)
    except error as fault:
        return str(fault)
    return ""


def _spoiled(path: Path, content: bytes, spoil: Callable[[random.Random, bytes], bytes], seed: int) -> Path:
    path.write_bytes(spoil(random.Random(seed), content))
    return path


@pytest.mark.parametrize("game", ["patchwork", "kvilt"])
@tried(40)
@given(seed=SEEDS)
def test_a_spoiled_record(folder: Path, game: str, seed: int) -> None:
    path = _spoiled(folder / "record.jsonl", _record(game), spoiled_lines, seed)
    language = ("en", "ru", "fa")[seed % 3]
    answer("replay", "--language", language, path).must_be_plain()


@tried(40)
@given(seed=SEEDS)
def test_a_spoiled_configuration(folder: Path, seed: int) -> None:
    path = _spoiled(folder / "config.toml", config_text(Config()).encode(), spoiled_toml, seed)
    answer("config", "--config", path).must_be_plain()


@tried(40)
@given(seed=SEEDS)
def test_a_spoiled_sheet_of_kvilt(folder: Path, seed: int) -> None:
    path = _spoiled(folder / "sheet.toml", _SHEET.read_bytes(), spoiled_toml, seed)
    answer("score", "--game", "kvilt", "--sheet", path, folder / "no.jpg").must_be_plain()


@tried(20)
@given(seed=SEEDS)
def test_a_spoiled_file_of_corners(folder: Path, seed: int) -> None:
    picture = folder / "small.png"
    picture.write_bytes(b"no picture")
    content = b"corners = [[[12, 30], [41, 30], [39, 60], [8, 60]], [[114, 29], [143, 31], [146, 61], [115, 59]]]\n"
    path = _spoiled(folder / "corners.toml", content, spoiled_toml, seed)
    answer("score", "--corners", path, picture).must_be_plain()


@tried(60)
@given(seed=SEEDS)
def test_a_spoiled_calibration_and_mat(folder: Path, seed: int) -> None:
    for content, load, error in (
        (_CALIBRATION, load_calibration, CalibrationError),
        ((_PACKAGES / "calibration" / "mat.toml").read_bytes(), load_mat, MatError),
    ):
        path = _spoiled(folder / "measured.toml", content, spoiled_toml, seed)
        assert len(_fault(load, path, error)) < LONGEST_LINE


@cache
def _profile(folder: Path) -> bytes:
    view = np.zeros((VIEW_PX, VIEW_PX, 3), np.uint8)
    place = Homography(np.eye(3))
    save_profile(Profile({1: view, 2: view}, {1: place, 2: place}), folder / "whole.npz")
    return (folder / "whole.npz").read_bytes()


@tried(25)
@given(seed=SEEDS)
def test_a_spoiled_profile(folder: Path, seed: int) -> None:
    path = _spoiled(folder / "spoiled.npz", _profile(folder), spoiled_bytes, seed)
    said = _fault(load_profile, path, ProfileError)
    assert not said or said.startswith(f"{path}: ")


@tried(100)
@given(seed=SEEDS)
def test_spoiled_events_of_a_recording(folder: Path, seed: int) -> None:
    recording = folder / "recording"
    (recording / "frames").mkdir(parents=True, exist_ok=True)
    _spoiled(recording / EVENTS_NAME, _EVENTS, spoiled_lines, seed)
    with pytest.raises((RecordingError, EndOfFramesError)) as raised:
        _play(Tape(recording))
    assert len(str(raised.value)) < LONGEST_LINE


def _play(tape: Tape) -> None:
    while True:
        tape.presses()
        tape.instructions()
        tape.frame()


@tried(20)
@given(seed=SEEDS)
def test_a_spoiled_head_of_a_recording(folder: Path, seed: int) -> None:
    recording = folder / "headed"
    (recording / "frames").mkdir(parents=True, exist_ok=True)
    (recording / EVENTS_NAME).write_bytes(_EVENTS)
    content = b'players = ["Anna", "Boris"]\nboard = "original"\nrules = "official"\n[calibration]\nboards = true\n'
    _spoiled(recording / "recording.toml", content, spoiled_toml, seed)
    answer("replay", recording).must_be_plain()


@pytest.mark.parametrize(
    "line",
    [
        ("replay", "/dev/zero"),
        ("score", "/dev/zero"),
        ("market", "/dev/zero"),
        ("config", "--config", "/dev/zero"),
        ("score", "--game", "kvilt", "--sheet", "/dev/zero", "a.jpg"),
        ("score", "--corners", "/dev/zero", "/dev/null"),
        ("kvilt", "define", "--regions", "/dev/zero", "/dev/null"),
    ],
    ids=" ".join,
)
def test_a_file_without_end(line: tuple[str, ...]) -> None:
    found = answer(*line)
    found.must_be_plain()
    assert found.status == 2


def test_a_file_s_text_is_no_template(folder: Path) -> None:
    path = folder / "braces.jsonl"
    header, _ = _record("kvilt").split(b"\n", 1)
    path.write_bytes(header + b'\n{"seat": 1, "move": "token", "colour": "}{0}{name"}\n')
    found = answer("replay", path)
    found.must_be_plain()
    assert "}{0}{name" in found.errors


def test_a_file_s_text_cannot_control_the_terminal(folder: Path) -> None:
    path = folder / "orders.toml"
    path.write_text(_SHEET.read_text().replace('name = "star"', 'name = "\\u001b[2J\\u0000"'))
    found = answer("score", "--game", "kvilt", "--sheet", path, folder / "no.jpg")
    found.must_be_plain()
    assert found.status == 2
