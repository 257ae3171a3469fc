from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from companion.upkeep.doctor.diagnosing import check_clock

if TYPE_CHECKING:
    from tests.companion.upkeep.doctor.conftest import Plant

EVENING = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
TIMEDATECTL = "timedatectl show"


def test_a_clock_that_the_network_sets(plant: Plant) -> None:
    assert check_clock(plant({}, {TIMEDATECTL: "yes\n"}), EVENING, is_pi=True).level.value == "ok"
    stamp = {"/run/systemd/timesync/synchronized": ""}
    assert check_clock(plant(stamp), EVENING, is_pi=True).level.value == "ok"


def test_a_pi_that_nobody_has_told_the_time(plant: Plant) -> None:
    found = check_clock(plant({}, {TIMEDATECTL: "no\n"}), EVENING, is_pi=True)
    assert found.level.value == "note"
    assert "nobody has set it" in found.title
    with_a_clock = plant({"/dev/rtc0": ""}, {TIMEDATECTL: "no\n"})
    assert "nobody has set it" not in check_clock(with_a_clock, EVENING, is_pi=True).title


def test_a_year_that_cannot_be(plant: Plant) -> None:
    found = check_clock(plant({}, {TIMEDATECTL: "yes\n"}), EVENING.replace(year=1970), is_pi=True)
    assert found.title.startswith("The clock says 1970-11-20")


def test_a_machine_that_does_not_say(plant: Plant) -> None:
    assert "not known" in check_clock(plant(), EVENING, is_pi=False).title
