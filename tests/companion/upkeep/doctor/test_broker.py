from __future__ import annotations

from companion.config.broker import Broker
from companion.upkeep.doctor.diagnosing import check_broker
from hardware.diagnosis import Level

BROKER = Broker("hall.local", 8883, tls=True)


def test_a_broker_that_lets_this_machine_in() -> None:
    found = check_broker(BROKER, None)
    assert (found.level, found.title) == (Level.OK, "mqtts://hall.local:8883 accepts this machine.")


def test_one_that_does_not_is_no_reason_not_to_play() -> None:
    found = check_broker(BROKER, "the broker cannot be used: its certificate has expired; a new one is needed")
    assert (found.level, found.do) == (Level.NOTE, "a new one is needed")
    assert found.title == "the broker cannot be used: its certificate has expired."
    assert "reports are stored, and sent as soon as possible" in found.means
