"""The annotation of a key of the configuration's file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.config import checks


@dataclass(frozen=True, slots=True)
class Setting:
    """A key's check and explanation; it annotates the field that holds the key's value.

    Attributes:
        check: turns a decoded TOML value into the setting.
        comment: one line, without the hash.
        example: TOML for a key that may be absent, printed commented out.
    """

    check: checks.Check[Any]
    comment: str
    example: str = ""
