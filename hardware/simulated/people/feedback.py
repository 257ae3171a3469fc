"""The companion's news to the simulated players, as understood from its lights and page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from companion.games.patchwork import Decision


@dataclass(frozen=True, slots=True)
class Opened:
    """A game was opened: players may begin."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The companion accepted a decision."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Undone:
    """The companion undid the last decision."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """The companion rejects what it saw; `cells` are names such as "C4"."""

    reason: str
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """The companion is unsure between these options, and shows the first one."""

    options: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The question is closed."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """The companion has reported on the table: players check the pieces' places."""


News: TypeAlias = Opened | Accepted | Undone | Complaint | Question | Answered | Noticed
