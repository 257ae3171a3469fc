from __future__ import annotations

import grp
import os
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import pytest

from companion.upkeep.doctor.system import DEVICES, Membership, check_groups, this_membership
from tests.companion.upkeep.doctor.conftest import Plant, levels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hardware.diagnosis import Finding, Machine

KNOWN: Final = frozenset({"audio", "gpio", "input", "video", "users"})


def found(machine: Machine, needed: Iterable[str], mine: Iterable[str] = ("users",), *, coming: Iterable[str] = (),
          service: Iterable[str] | None = None, is_root: bool = False) -> list[Finding]:  # fmt: skip
    of_service = None if service is None else frozenset(service)
    membership = Membership(frozenset(mine), frozenset(coming), of_service, KNOWN, is_root)
    return list(check_groups(set(needed), membership, machine))


def test_a_user_in_every_needed_group_lacks_nothing(plant: Plant) -> None:
    (said,) = found(plant(), ["video", "gpio"], ["gpio", "video", "users"])
    assert (said.level.value, said.title) == ("ok", "In gpio, video.")


def test_each_missing_group_is_named_and_made_where_the_machine_lacks_it(plant: Plant) -> None:
    (said,) = found(plant(), ["video", "gpio", "spi"], ["video"])
    assert (said.level.value, said.title) == ("fault", "This user is not in gpio, spi.")
    assert said.do == "sudo groupadd --system spi && sudo usermod -aG gpio,spi $USER, then log in again"


def test_a_user_added_to_a_group_since_the_login_reads_to_log_in_again(plant: Plant) -> None:
    (said,) = found(plant(), ["video"], coming=["users", "video"])
    assert said.level.value == "fault"
    assert said.do == "Log in again: the next login is in video."


def test_a_voice_that_cannot_be_heard_stops_no_game(plant: Plant) -> None:
    device, silent = found(plant(), ["input", "audio"])
    assert (device.level.value, device.title) == ("fault", "This user is not in input.")
    assert (silent.level.value, silent.title) == ("note", "This user is not in audio.")
    assert "usermod -aG audio $USER" in silent.do


def test_root_needs_no_group_and_the_services_user_still_does(plant: Plant) -> None:
    assert levels(found(plant(), ["video"], is_root=True)) == ["ok"]
    _, service = found(plant(), ["video", "gpio"], is_root=True, service=["quilt-companion", "video"])
    assert (service.level.value, service.title) == ("fault", "The service’s user, quilt-companion, is not in gpio.")
    assert service.do == "sudo usermod -aG gpio quilt-companion && sudo systemctl restart quilt-companion.service"
    assert levels(found(plant(), ["audio"], is_root=True, service=[])) == ["ok", "note"]
    assert levels(found(plant(), ["audio"], is_root=True, service=["audio"])) == ["ok"]


def test_devices_that_a_desktop_has_given_to_this_user_need_no_group(plant: Plant) -> None:
    cameras = {"/dev/video0": "", "/dev/media0": ""}
    (said,) = found(plant(cameras), ["video"])
    assert (said.level.value, said.title) == ("ok", "This user may use the devices of video.")
    assert levels(found(plant(cameras, closed=["/dev/media0"]), ["video"])) == ["fault"]


def test_the_groups_of_this_process() -> None:
    membership = this_membership()
    assert grp.getgrgid(os.getegid()).gr_name in membership.mine
    assert membership.is_root == (os.geteuid() == 0)
    assert membership.mine <= membership.known


@pytest.mark.parametrize("group", sorted(DEVICES))
def test_each_group_is_one_that_the_installation_gives_to_its_user(group: str) -> None:
    assert f"m quilt-companion {group}\n" in (files("companion.upkeep") / "units" / "sysusers.conf").read_text()
