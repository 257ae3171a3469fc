from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from hardware.diagnosis import Machine, may_use, run_command

if TYPE_CHECKING:
    from pathlib import Path


def test_files_are_read_below_the_root_and_without_their_nuls(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"Raspberry Pi 4 Model B\0")
    machine = Machine(tmp_path)
    assert machine.text("/model") == "Raspberry Pi 4 Model B"
    assert machine.text("/nothing") is None


def test_devices_are_named_as_on_the_machine(tmp_path: Path) -> None:
    for name in ("video1", "video0", "media0"):
        (tmp_path / "dev").mkdir(exist_ok=True)
        (tmp_path / "dev" / name).touch()
    assert Machine(tmp_path).devices("video*") == ["/dev/video0", "/dev/video1"]


def test_a_command_prints_fails_or_is_missing() -> None:
    assert run_command([sys.executable, "-c", "print(3)"]) == "3\n"
    assert run_command([sys.executable, "-c", "raise SystemExit(1)"]) is None
    assert run_command(["/nowhere/to/be/found"]) is None


def test_a_file_that_is_not_there_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    assert may_use(tmp_path / "there")
    assert not may_use(tmp_path / "nothing")
