from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.config import Config
from companion.configuration import parse_config
from companion.upkeep.install import place_of, service_config
from hardware.environment import board_of

if TYPE_CHECKING:
    from pathlib import Path


def test_a_pi_begins_with_its_own_devices_and_another_machine_with_a_webcam() -> None:
    pi = service_config(board_of("Raspberry Pi 5 Model B Rev 1.0"))
    assert (pi.camera.driver, pi.controls.driver, pi.strip.driver, pi.page.lan) == ("pi", "gpio", "neopixel", True)
    pc = service_config(None)
    assert (pc.camera.driver, pc.controls.driver, pc.strip.driver, pc.page.lan) == ("webcam", "none", "none", True)


@pytest.mark.parametrize(
    ("model", "size", "fps"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", (1536, 864), 10.0),
        ("Raspberry Pi Compute Module 4 Rev 1.0", (1536, 864), 10.0),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", (1536, 864), 8.0),
        ("Raspberry Pi Zero 2 W Rev 1.0", (1280, 720), 5.0),
    ],
)
def test_a_small_board_begins_with_pictures_that_it_keeps_up_with(
    model: str, size: tuple[int, int], fps: float
) -> None:
    camera = service_config(board_of(model)).camera
    assert (camera.driver, camera.size, camera.fps) == ("pi", size, fps)


def test_the_place_is_that_of_the_program_which_runs(tmp_path: Path) -> None:
    place = place_of(tmp_path, board_of("Raspberry Pi 4 Model B"))
    assert place.command.name == "companion"
    assert (place.sources[1] / "companion").is_dir()
    assert parse_config(place.config, "written").camera.driver == "pi"
    assert place.port == Config().page.port
