"""The kinds of findings of a first picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class BoardFindingKind(StrEnum):
    """The subject of a finding, for programs."""

    DARK = "dark"
    BRIGHT = "bright"
    UNEVEN = "uneven"
    MIXED = "mixed"
    GLARE = "glare"
    BLURRED = "blurred"
    SMALL = "small"
    OUTSIDE = "outside"
    SLANTED = "slanted"
    BENT = "bent"


class Severity(StrEnum):
    """NOTE: the game can begin, but is read worse. BAD: quilts will be misread or asked about; correct it first."""

    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class BoardFinding:
    """One thing to improve.

    Attributes:
        kind: the subject.
        severity: the severity.
        says: a sentence on the fault and its remedy.
        seat: the board's seat, or None for the whole table.
    """

    kind: BoardFindingKind
    severity: Severity
    says: str
    seat: int | None = None
