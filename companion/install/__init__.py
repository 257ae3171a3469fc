"""Installs the companion as a service of systemd, and takes it away again."""

from companion.install.plan import Destination, InstallError, configuration, installation, removal
from companion.install.steps import InstallStep

__all__ = ["Destination", "InstallError", "InstallStep", "configuration", "installation", "removal"]
