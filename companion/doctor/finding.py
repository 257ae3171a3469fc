"""What a check comes to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad it is.

    OK: as it should be. NOTE: worth knowing, and the game can be played. FAULT: it cannot be, or not for long.
    """

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        level: how bad it is.
        subject: what it is about, a word or two, such as "camera".
        title: what was found, a sentence.
        means: what follows from it, for whoever plays; empty where nothing does.
        do: what to do about it, best a command; empty where nothing is to be done.
    """

    level: Level
    subject: str
    title: str
    means: str = ""
    do: str = ""

    def to_json(self) -> dict[str, str]:
        """What `companion doctor --json` prints of it."""
        return asdict(self) | {"level": self.level.value}


def ok(subject: str, title: str) -> Finding:
    """Something is as it should be."""
    return Finding(Level.OK, subject, title)


def note(subject: str, title: str, means: str = "", do: str = "") -> Finding:
    """Something is worth knowing."""
    return Finding(Level.NOTE, subject, title, means, do)


def fault(subject: str, title: str, means: str, do: str) -> Finding:
    """Something must be mended."""
    return Finding(Level.FAULT, subject, title, means, do)
