from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.upkeep.doctor.system import check_disk
from tests.companion.upkeep.doctor.conftest import Plant, faults, levels

if TYPE_CHECKING:
    from pathlib import Path

GB = 2**30


def mounts(options: str = "rw,noatime", kind: str = "ext4") -> dict[str, str]:
    return {"/proc/mounts": f"/dev/mmcblk0p2 / {kind} {options} 0 0\ntmpfs /run/odd tmpfs rw 0 0\n"}


def test_a_sound_disk(plant: Plant, tmp_path: Path) -> None:
    assert levels(check_disk(tmp_path / "not" / "there" / "yet", plant(mounts()), 20 * GB)) == ["ok"]


@pytest.mark.parametrize(("free", "level"), [(5 * 2**20, "fault"), (200 * 2**20, "note"), (GB, "ok")])
def test_room(plant: Plant, tmp_path: Path, free: int, level: str) -> None:
    assert levels(check_disk(tmp_path, plant(mounts()), free)) == [level]


def test_a_disk_that_has_gone_read_only(plant: Plant, tmp_path: Path) -> None:
    (title,) = faults(check_disk(tmp_path, plant(mounts("ro,noatime")), GB))
    assert title == f"The disk of {tmp_path} is read-only."


def test_the_file_system_that_lies_on_top_counts(plant: Plant, tmp_path: Path) -> None:
    text = mounts("ro")["/proc/mounts"] + f"/dev/sda1 {tmp_path} ext4 rw 0 0\n"
    assert levels(check_disk(tmp_path / "games", plant({"/proc/mounts": text}), GB)) == ["ok"]


def test_a_file_system_in_memory_is_noted(plant: Plant, tmp_path: Path) -> None:
    assert levels(check_disk(tmp_path, plant(mounts(kind="overlay")), GB)) == ["note", "ok"]


def test_errors_of_the_file_system_and_a_worn_card_are_told(plant: Plant, tmp_path: Path) -> None:
    planted = {
        "/sys/fs/ext4/mmcblk0p2/errors_count": "3\n",
        "/sys/block/mmcblk0/device/life_time": "0x02 0x0a\n",
    }
    assert faults(check_disk(tmp_path, plant(mounts() | planted), GB)) == [
        "The file system of /dev/mmcblk0p2 has recorded 3 errors.",
        "The card mmcblk0 is worn out.",
    ]
    sound = {"/sys/fs/ext4/mmcblk0p2/errors_count": "0\n", "/sys/block/mmcblk0/device/life_time": "0x01 0x02\n"}
    assert levels(check_disk(tmp_path, plant(mounts() | sound), GB)) == ["ok"]


def test_a_folder_that_may_not_be_written_to(plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.upkeep.doctor.system.os.access", lambda *_: False)
    assert faults(check_disk(tmp_path, plant(mounts()), GB)) == [f"This user cannot write to {tmp_path}."]
