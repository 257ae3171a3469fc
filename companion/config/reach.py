"""The keys that say from where a page is reached: that of a table, and that of a club's hall."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from companion.config import checks
from companion.config.setting import Setting
from companion.languages import said

LanKey: TypeAlias = Annotated[
    bool, Setting(checks.flag, said("Whether other machines on the network reach it; else this machine alone does."))
]
HostKey: TypeAlias = Annotated[
    str | None,
    Setting(
        checks.address, said("The address to listen at, with {key}; absent: every one.", key="lan"), '"192.168.1.20"'
    ),
]
