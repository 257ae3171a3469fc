"""Installation of the companion as a systemd service, and its removal."""

from companion.upkeep.install.plan import (
    Destination,
    InstallError,
    InstallStep,
    configuration,
    hall_installation,
    installation,
    removal,
)

__all__ = [
    "Destination",
    "InstallError",
    "InstallStep",
    "configuration",
    "hall_installation",
    "installation",
    "removal",
]
