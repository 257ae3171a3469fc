"""Installation of the companion as a systemd service, and its removal."""

from companion.upkeep.install.plan import (
    Destination,
    InstallError,
    configuration,
    hall_installation,
    installation,
    removal,
)
from companion.upkeep.install.steps import InstallStep

__all__ = [
    "Destination",
    "InstallError",
    "InstallStep",
    "configuration",
    "hall_installation",
    "installation",
    "removal",
]
