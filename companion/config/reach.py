"""The configuration keys for the network access to a page, shared by a table's page and a hall's."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from companion.config import checks
from companion.config.setting import Setting
from companion.languages import said

LanKey: TypeAlias = Annotated[
    bool, Setting(checks.flag, said("Whether other machines on the network can reach it, or only this machine."))
]
HostKey: TypeAlias = Annotated[
    str | None,
    Setting(
        checks.address,
        said("The address to listen at, with {key}; absent: all addresses.", key="lan"),
        '"192.168.1.20"',
    ),
]
