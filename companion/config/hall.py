"""The configuration's section on a club's hall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from companion.config import checks
from companion.config.reach import HostKey, LanKey  # noqa: TC001  # Hints are resolved when a file is read.
from companion.config.setting import Setting
from companion.languages import said


def database(value: object) -> str:
    """Return the address of a database."""
    # SQLAlchemy knows more kinds, but only these two are tested and have their drivers installed.
    if isinstance(value, str) and value.startswith(("sqlite:///", "postgresql://")) and value.isprintable():
        return value
    example = '"postgresql:///hall", "sqlite:////var/lib/quilt-hall/hall.sqlite3"'
    raise checks.refuse(value, said("the address of a database, such as {example}", example=example))


@dataclass(frozen=True, slots=True)
class HallConfig:
    """The section on a club's hall, for `companion hall`; the hall follows the tables at the broker of `[mqtt]`."""

    database: Annotated[
        str | None,
        Setting(
            database,
            said("Where everything is collected; absent: an SQLite file in the data folder."),
            '"postgresql:///hall"',
        ),
    ] = None
    port: Annotated[
        int,
        Setting(
            checks.whole(0, 65535),
            said("The port of its page; if it is in use, one of the next ten. {any}: any.", any=0),
        ),
    ] = 8090
    lan: LanKey = False
    host: HostKey = None

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        checks.reach(self.host, lan=self.lan)
