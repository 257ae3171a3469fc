"""The companion's lights and page, as the players at the simulated table understand them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from companion.games.patchwork import Decision


@dataclass(frozen=True, slots=True)
class Opened:
    """A game is on the table: people may begin."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The companion took a decision down."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Undone:
    """The companion took the last decision back."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """The companion does not take what it saw; `cells` are names such as "C4"."""

    reason: str
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """The companion is in doubt between these, and shows the first of them."""

    options: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The question is asked no more."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """The companion has said something of the table: people look whether all stands where it should."""


News: TypeAlias = Opened | Accepted | Undone | Complaint | Question | Answered | Noticed
