"""Install the companion as a service of systemd, and take it away again."""

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
