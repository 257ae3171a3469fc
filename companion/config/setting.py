"""The annotation of the configuration's keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.config import checks


@dataclass(frozen=True, slots=True)
class Setting:
    """The check and comment of a key, as the annotation of its field.

    Attributes:
        check: converts a decoded TOML value into the setting.
        comment: the comment above the key, one line without the hash.
        example: a TOML value for a key that may be absent, printed commented out.
    """

    check: checks.Check[Any]
    comment: str
    example: str = ""
