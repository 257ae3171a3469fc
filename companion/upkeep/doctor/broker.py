"""The check that the configured MQTT broker accepts this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import halves, said
from companion.upkeep.doctor.finding import Finding, note, ok

if TYPE_CHECKING:
    from companion.config.mqtt import Broker

_ABOUT: Final = said("broker")


def check_broker(broker: Broker, trouble: str | None) -> Finding:
    """Return the finding on a broker, at most a note, as games do not depend on it.

    Args:
        broker: the broker.
        trouble: the reason why it cannot be used, or None if it can.
    """
    if trouble is None:
        return ok(_ABOUT, said("{broker} accepts this machine.", broker=str(broker)))
    what, do = halves(trouble)
    says = said("This table’s reports are stored, and sent as soon as possible.")
    return note(_ABOUT, said("{fault}.", fault=what), says, do)
