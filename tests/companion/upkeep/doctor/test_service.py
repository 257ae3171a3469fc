from __future__ import annotations

import pytest

from companion.upkeep.doctor.diagnosing import check_service
from companion.upkeep.install import UNIT
from tests.companion.upkeep.doctor.conftest import Plant, levels

INSTALLED = {f"/etc/systemd/system/{UNIT}": ""}


@pytest.mark.parametrize(
    ("shown", "level"),
    [
        ("ActiveState=active\nNRestarts=0\nUnitFileState=enabled\n", "ok"),
        ("ActiveState=active\nNRestarts=4\nUnitFileState=enabled\n", "note"),
        ("ActiveState=failed\nNRestarts=4\nUnitFileState=enabled\n", "fault"),
        ("ActiveState=inactive\nNRestarts=0\nUnitFileState=enabled\n", "note"),
        ("ActiveState=inactive\nNRestarts=0\nUnitFileState=disabled\n", "note"),
    ],
)
def test_the_state_that_systemd_reports_is_a_finding(plant: Plant, shown: str, level: str) -> None:
    assert levels(check_service(plant(INSTALLED, {"systemctl show": shown}))) == [level]


def test_the_service_of_a_package_is_found(plant: Plant) -> None:
    packaged = {f"/usr/lib/systemd/system/{UNIT}": ""}
    assert levels(check_service(plant(packaged, {"systemctl show": "ActiveState=failed"}))) == ["fault"]


def test_a_service_that_is_not_installed_is_no_finding(plant: Plant) -> None:
    assert list(check_service(plant({}, {"systemctl show": "ActiveState=inactive"}))) == []
    assert levels(check_service(plant(INSTALLED))) == ["note"]
