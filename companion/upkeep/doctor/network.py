"""The check of the machine's host name, by which phones find the page, and of the service that publishes it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from companion.languages import said
from companion.upkeep.doctor.finding import Finding, fault, note, ok

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.config import PageConfig
    from companion.upkeep.doctor.machine import Machine

_LABEL: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.IGNORECASE)
_AVAHI: Final = "/run/avahi-daemon/socket"
_ABOUT: Final = said("network")


def check_network(machine: Machine, page: PageConfig, host_name: str) -> Iterator[Finding]:
    """Yield the findings on whether other machines can find the page."""
    if not page.enabled:
        yield note(_ABOUT, said("The page is switched off."), do="[page] enabled = true")
        return
    if not page.lan:
        says = said("Phones and other machines cannot reach it.")
        yield note(
            _ABOUT,
            said("The page is available only on this machine."),
            says,
            said("{key} opens it to the network", key="[page] lan = true"),
        )
        return
    name = host_name.partition(".")[0]
    if not _LABEL.fullmatch(name) or name == "localhost":
        says = said("No network can find it by this name.")
        do = "sudo hostnamectl set-hostname quilt"
        yield fault(
            _ABOUT,
            said("This machine is called {name}, which is not a valid name on a network.", name=repr(host_name)),
            says,
            do,
        )
        return
    address = f"http://{name}.local:{page.port}/"
    if machine.path(_AVAHI).exists():
        yield ok(_ABOUT, said("The page will be at {address}", address=address))
    else:
        says = said("{address} cannot be found; the machine’s IP address can.", address=address)
        do = "sudo apt install avahi-daemon && sudo systemctl enable --now avahi-daemon"
        yield note(_ABOUT, said("Nothing announces this machine’s name on the network."), says, do)
