from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.upkeep.doctor.pins import check_core_clock, settings_of
from hardware.diagnosis import Level

if TYPE_CHECKING:
    from tests.companion.upkeep.doctor.conftest import Plant

FILE = "/boot/firmware/config.txt"


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("core_freq=250\n", True),
        ("[pi4]\ncore_freq=500\n[pi3]\ncore_freq = 250  # for the strip\n", True),
        ("[all]\ndtparam=spi=on\ncore_freq=250\n", True),
        ("#core_freq=250\n", False),
        ("[pi4]\ncore_freq=250\n", False),
        ("core_freq=250\n[all]\ncore_freq=400\n", False),
        ("", False),
    ],
)
def test_the_clock_of_a_strip_is_held_or_not(text: str, held: bool, plant: Plant) -> None:
    found = check_core_clock(plant({FILE: text}), "core_freq", 250, ("pi3", "pi3+"))
    assert found.level is (Level.OK if held else Level.FAULT)
    if not held:
        assert found.do == f"printf '[all]\\ncore_freq=250\\n' | sudo tee -a {FILE}, then restart the Pi"


def test_the_remedy_holds_whatever_section_stands_last() -> None:
    text = "[pi4]\narm_boost=1\n" + "[all]\ncore_freq=250\n"
    assert settings_of(text, ("pi3",)) == {"core_freq": "250"}


def test_the_file_of_older_systems_is_read_where_there_is_no_other(plant: Plant) -> None:
    found = check_core_clock(plant({"/boot/config.txt": "core_freq_min=500\n"}), "core_freq_min", 500, ("pi4",))
    assert found.level is Level.OK


def test_a_system_without_the_file_is_told_what_to_set(plant: Plant) -> None:
    found = check_core_clock(plant(), "core_freq", 250, ("pi3",))
    assert found.level is Level.NOTE
    assert "core_freq=250" in found.do
