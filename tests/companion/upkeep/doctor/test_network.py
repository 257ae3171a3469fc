from __future__ import annotations

import pytest

from companion.config import Config, PageConfig
from companion.upkeep.doctor.diagnosing import check_network
from tests.companion.upkeep.doctor.conftest import Plant, faults, levels

OPEN = PageConfig(lan=True, port=8081)
AVAHI = {"/run/avahi-daemon/socket": ""}


def test_a_page_that_is_found_by_its_name(plant: Plant) -> None:
    (found,) = check_network(plant(AVAHI), OPEN, "quilt")
    assert found.title == "The page will be at http://quilt.local:8081/"


def test_a_machine_that_announces_no_name_is_noted(plant: Plant) -> None:
    (found,) = check_network(plant(), OPEN, "quilt.home.example")
    assert found.level.value == "note"
    assert found.means.startswith("http://quilt.local:8081/")


@pytest.mark.parametrize("name", ["localhost", "", "my_pi", "-pi"])
def test_a_name_that_is_none(plant: Plant, name: str) -> None:
    assert faults(check_network(plant(AVAHI), OPEN, name))


def test_a_page_for_this_machine_alone_and_none(plant: Plant) -> None:
    assert levels(check_network(plant(AVAHI), Config().page, "quilt")) == ["note"]
    assert levels(check_network(plant(AVAHI), PageConfig(enabled=False), "quilt")) == ["note"]
