"""The check for commands that need a real table: that the configured camera is not simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.errors import CompanionError
from companion.languages import any_of, said

if TYPE_CHECKING:
    from companion.config.settings import Config


class NoTableError(CompanionError):
    """Raised if the configuration has no real table."""


def no_table(command: str, *options: str) -> NoTableError:
    """Return the error of a command that needs a table if the configured camera is simulated.

    Args:
        command: the command's name.
        options: options with which it needs no table.
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
                "{command}: {key} is {value}, so there is no real table to look at: set it to {names} in the "
                "configuration ({config})",
                **values,
            )
        )
    return NoTableError(
        said(
            "{command}: {key} is {value}, so there is no real table to look at: set it to {names} in the "
            "configuration ({config}), or add {options}",
            **values,
            options=any_of(options),
        )
    )


def need_a_table(config: Config, *, by_service: bool = False) -> None:
    """Check that the configured camera is not simulated.

    Args:
        config: the configuration.
        by_service: whether the command is `serve`, which cannot play at a simulated table.

    Raises:
        NoTableError: it is.
    """
    if config.camera.driver == "simulated":
        if by_service:
            raise no_table("serve")
        raise no_table("play", "--simulate")
