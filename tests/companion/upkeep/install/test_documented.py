"""Test that docs/build.md is true: pins, paths, commands and limits."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from companion.cli.commands import build_parser
from companion.config import Config
from companion.upkeep.install import CONFIG, STATE
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.neopixel import SPI_PIN, NeoPixelDriver

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
WIRING = (ROOT / "docs" / "pictures" / "wiring.svg").read_text(encoding="utf-8")
HEADER = {17: 11, 27: 13, 22: 15, 10: 19}
"""GPIO numbers and their pins (pinout.xyz)."""


def test_buttons_and_strip_are_drawn_and_told_where_the_defaults_have_them() -> None:
    controls, strip = GpioDriver(), NeoPixelDriver()
    assert strip.pin == SPI_PIN
    for gpio in (*controls.confirm_pins, *controls.advance_pins, *controls.undo_pins, strip.pin):
        assert f"| pin {HEADER[gpio]}, GPIO{gpio} |" in PAGE
        assert f">GPIO{gpio}<" in WIRING
        assert f">{HEADER[gpio]}</text>" in WIRING


def test_the_drawing_is_svg_with_a_title() -> None:
    root = ET.fromstring(WIRING)  # noqa: S314 - our own file
    assert root.find("{http://www.w3.org/2000/svg}title") is not None


def test_every_command_that_is_told_is_there() -> None:
    actions = build_parser()._subparsers._group_actions  # type: ignore[union-attr]
    known = set(actions[0].choices)  # type: ignore[arg-type]
    told = set(re.findall(r"(?<!The )companion ([a-z]+(?:-[a-z]+)?)(?=[ `])", PAGE))
    assert {"doctor", "hardware-test", "install", "calibrate", "print"} <= told <= known


def test_paths_and_limits_are_those_of_the_program() -> None:
    unit = (ROOT / "systemd" / "quilt-companion.service").read_text(encoding="utf-8")
    assert CONFIG in PAGE
    assert STATE in PAGE
    watchdog = re.search(r"WatchdogSec=(\d+)", unit)
    assert watchdog is not None
    assert f"after {watchdog[1]} seconds" in PAGE
    assert f"`[strip]` ({Config().strip.max_ma})" in PAGE
    assert f":{Config().page.port}/" in PAGE
    assert "/opt/quilt-companion" in (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("line", [line for line in PAGE.splitlines() if re.search(r"\| (about )?\d+° \|", line)])
def test_the_heights_follow_from_the_views(line: str) -> None:
    view, near, far, cells = re.findall(r"(\d+)°.*?(\d+) cm.*?(\d+) cm \| (.*?) px", line)[0]
    for width_cm, told_cm in ((80, near), (100, far)):
        assert width_cm / 2 / math.tan(math.radians(float(view) / 2)) == pytest.approx(float(told_cm), abs=1.0)
    assert cells == "38, 31"
