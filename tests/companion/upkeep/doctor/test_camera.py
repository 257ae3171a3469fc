from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.config import CameraConfig
from companion.upkeep.doctor.camera import cameras_there, check_camera, holders
from tests.companion.upkeep.doctor.conftest import Plant, faults, levels

if TYPE_CHECKING:
    from pathlib import Path

    from hardware.diagnosis import Machine

PI = CameraConfig("pi")
LISTING = "Available cameras\n-----------------\n0 : imx708 [4608x2592 10-bit RGGB] (/base/soc/i2c0mux/imx708@1a)\n"
NODES = {"/dev/media0": "", "/dev/video0": ""}
LISTS = {"rpicam-hello --list-cameras": LISTING}


def held_by(machine: Machine, pid: int, name: str, device: str) -> None:
    process = machine.root / "proc" / str(pid)
    (process / "fd").mkdir(parents=True)
    (process / "comm").write_text(f"{name}\n")
    (process / "fd" / "5").symlink_to(machine.path(device))


def test_a_camera_that_is_there_and_free(plant: Plant) -> None:
    found = list(check_camera(PI, plant(NODES, LISTS), 1))
    assert levels(found) == ["ok", "ok"]
    assert "imx708" in found[1].title


def test_no_camera_is_told_with_the_ribbon_cable(plant: Plant) -> None:
    found = list(check_camera(PI, plant(), 1))
    assert faults(found) == ["There is no camera device."]
    assert "ribbon cable" in found[0].do


def test_a_camera_of_another_number_is_told(plant: Plant) -> None:
    (title,) = faults(check_camera(CameraConfig("pi", device="1"), plant(NODES, LISTS), 1))
    assert title == "Camera 1 was not found; libcamera lists 0 (imx708)."
    (title,) = faults(check_camera(PI, plant(NODES, {"libcamera-hello": "No cameras available!\n"}), 1))
    assert "lists none" in title


def test_without_a_lister_nothing_is_claimed(plant: Plant) -> None:
    assert levels(check_camera(PI, plant(NODES), 1)) == ["ok", "note"]


def test_who_holds_the_camera_is_named_but_not_this_program(plant: Plant) -> None:
    machine = plant(NODES, LISTS)
    held_by(machine, 812, "obs", "/dev/video0")
    held_by(machine, 90, "companion", "/dev/video0")
    held_by(machine, 77, "bash", "/etc/passwd")
    assert holders(machine, ["/dev/video0"], own_pid=90) == ["obs (process 812)"]
    assert faults(check_camera(PI, machine, 90)) == ["The camera is in use by obs (process 812)."]


def test_a_camera_of_somebody_else_is_told(plant: Plant) -> None:
    (title,) = faults(check_camera(PI, plant(NODES, LISTS, closed=["/dev/video0"]), 1))
    assert title == "This user is not allowed to read and write /dev/video0."


@pytest.mark.parametrize(("device", "node"), [("2", "/dev/video2"), ("/dev/video4", "/dev/video4")])
def test_a_webcam_is_looked_for_where_it_is_configured(plant: Plant, device: str, node: str) -> None:
    webcam = CameraConfig("webcam", device=device)
    assert faults(check_camera(webcam, plant(NODES), 1)) == [f"{node} does not exist; video devices: /dev/video0."]
    assert levels(check_camera(webcam, plant({node: ""}), 1)) == ["ok"]


def test_a_folder_must_be_there(plant: Plant, tmp_path: Path) -> None:
    assert levels(check_camera(CameraConfig("folder", path=tmp_path), plant(), 1)) == ["ok"]
    assert faults(check_camera(CameraConfig("folder", path=tmp_path / "none"), plant(), 1))
    assert list(check_camera(CameraConfig(), plant(), 1)) == []


def test_what_video_devices_there_are(plant: Plant) -> None:
    assert cameras_there(plant()).title == "There is no video device on this machine."
    assert "/dev/video0" in cameras_there(plant(NODES)).title
