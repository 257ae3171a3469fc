from __future__ import annotations

import pytest

from companion.upkeep.doctor.system import check_power, throttled_bits
from tests.companion.upkeep.doctor.conftest import Plant, faults, levels

COOL = {"/sys/class/thermal/thermal_zone0/temp": "47200"}


def firmware(bits: int) -> dict[str, str]:
    return {"vcgencmd get_throttled": f"throttled=0x{bits:x}\n"}


@pytest.mark.parametrize(
    ("bits", "expected"),
    [
        (0x0, ["ok", "ok"]),
        (0x1, ["fault", "ok"]),
        (0x10000, ["fault", "ok"]),
        (0x50005, ["fault", "note"]),
        (0x20000, ["ok", "note"]),
        (0x8, ["ok", "note"]),
        (0x80000, ["ok", "note"]),
    ],
)
def test_the_firmwares_bits(plant: Plant, bits: int, expected: list[str]) -> None:
    assert levels(check_power(plant(COOL, firmware(bits)), is_pi=True)) == expected


def test_now_is_told_from_before(plant: Plant) -> None:
    assert faults(check_power(plant(COOL, firmware(0x50005)), is_pi=True)) == [
        "The power supply is too weak right now."
    ]
    assert "since the Pi was switched on" in faults(check_power(plant(COOL, firmware(0x50000)), is_pi=True))[0]


def test_the_kernels_alarm_stands_in_for_the_firmware(plant: Plant) -> None:
    place = "/sys/class/hwmon/hwmon2"
    other = "/sys/class/hwmon/hwmon0/name"
    machine = plant({f"{place}/name": "rpi_volt\n", f"{place}/in0_lcrit_alarm": "1\n", other: "cpu_thermal\n"})
    # A monitor that cannot be read.
    (machine.root / "sys/class/hwmon/hwmon1/name").mkdir(parents=True)
    assert throttled_bits(machine) == 0x10000
    (machine.root / place.lstrip("/") / "in0_lcrit_alarm").write_text("0\n")
    assert throttled_bits(machine) == 0


def test_heat_is_told_with_its_degrees(plant: Plant) -> None:
    hot = {"/sys/class/thermal/thermal_zone0/temp": "83400"}
    found = list(check_power(plant(hot, firmware(0)), is_pi=True))
    assert levels(found) == ["ok", "note"]
    assert "83 °C" in found[1].title


def test_a_firmware_that_says_nothing(plant: Plant) -> None:
    assert levels(check_power(plant(), is_pi=True)) == ["note"]
    assert levels(check_power(plant(), is_pi=False)) == []
