from __future__ import annotations

import pytest

from tests.companion.mqtt.standin import StandInBroker


@pytest.fixture
def broker() -> StandInBroker:
    return StandInBroker()
