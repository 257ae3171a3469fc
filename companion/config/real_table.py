"""The refusal of a configuration whose camera sees no table, by commands that need one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.errors import CompanionError
from companion.languages import any_of, said

if TYPE_CHECKING:
    from companion.config.settings import Config


class NoTableError(CompanionError):
    """The configuration names no real table."""


def no_table(command: str, *options: str) -> NoTableError:
    """Return the error of a command that needs a table, where the configuration's camera is the simulated one.

    Args:
        command: which one.
        options: those by which it does without a table.
    """
    values: dict[str, Any] = {
        "command": command,
        "key": "[camera] driver",
        "value": '"simulated"',
        "names": any_of(['"pi"', '"webcam"', '"folder"']),
        "config": "companion config",
    }
    if not options:
        return NoTableError(
            said(
                "{command}: {key} is {value}, so there is no table to look at: set it to {names} in the configuration "
                "({config})",
                **values,
            )
        )
    return NoTableError(
        said(
            "{command}: {key} is {value}, so there is no table to look at: set it to {names} in the configuration "
            "({config}), or add {options}",
            **values,
            options=any_of(options),
        )
    )


def need_a_table(config: Config, *, by_service: bool = False) -> None:
    """Refuse a configuration whose camera sees no table.

    Args:
        config: the configuration.
        by_service: whether `serve` asks, which plays at no simulated table.

    Raises:
        NoTableError: it is one.
    """
    if config.camera.driver == "simulated":
        if by_service:
            raise no_table("serve")
        raise no_table("play", "--simulate")
