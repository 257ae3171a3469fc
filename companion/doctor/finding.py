"""The result of a check."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


class Level(StrEnum):
    """The severity of a finding.

    OK: as it should be. NOTE: worth knowing, and the game can be played. FAULT: it cannot be, or not for long.
    """

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of a check.

    Attributes:
        level: how bad it is.
        subject: what it is about, a word or two, such as "camera".
        title: what was found, a sentence.
        means: what follows from it, for anyone who plays; empty where nothing does.
        do: what to do about it, best a command; empty where nothing is to be done.
    """

    level: Level
    subject: str
    title: str
    means: str = ""
    do: str = ""

    def to_json(self) -> dict[str, str]:
        """Return the finding as `companion doctor --json` prints it."""
        return asdict(self) | {"level": self.level.value}


def ok(subject: str, title: str) -> Finding:
    """Return the finding that something is as it should be."""
    return Finding(Level.OK, subject, title)


def note(subject: str, title: str, means: str = "", do: str = "") -> Finding:
    """Return a finding that is worth knowing."""
    return Finding(Level.NOTE, subject, title, means, do)


def fault(subject: str, title: str, means: str, do: str) -> Finding:
    """Return the finding of a fault that must be mended."""
    return Finding(Level.FAULT, subject, title, means, do)
