"""Installs the companion as a service of systemd, and takes it away again."""

from companion.install.plan import InstallError, Place, configuration, installation, removal
from companion.install.steps import Step

__all__ = ["InstallError", "Place", "Step", "configuration", "installation", "removal"]
