"""Installation of the companion as a systemd service, and its removal."""

from companion.install.plan import Destination, InstallError, configuration, hall_installation, installation, removal
from companion.install.steps import InstallStep

__all__ = [
    "Destination",
    "InstallError",
    "InstallStep",
    "configuration",
    "hall_installation",
    "installation",
    "removal",
]
