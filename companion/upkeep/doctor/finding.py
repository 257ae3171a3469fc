"""The result of a check."""

from dataclasses import asdict, dataclass
from enum import StrEnum


class Level(StrEnum):
    """The severity of a finding.

    OK: no problem. NOTE: worth knowing, but games can be played. FAULT: games cannot be played, or not for long.
    """

    OK = "ok"
    NOTE = "note"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of a check.

    Attributes:
        level: the severity.
        subject: the part examined, a word or two, such as "camera".
        title: the finding, a sentence.
        means: the consequence for players; empty if there is none.
        do: the remedy, if possible a command; empty if none is needed.
    """

    level: Level
    subject: str
    title: str
    means: str = ""
    do: str = ""

    def to_json(self) -> dict[str, str]:
        """Return the finding in the form of `companion doctor --json`."""
        return asdict(self) | {"level": self.level.value}


def ok(subject: str, title: str) -> Finding:
    """Return a finding without a problem."""
    return Finding(Level.OK, subject, title)


def note(subject: str, title: str, means: str = "", do: str = "") -> Finding:
    """Return a finding that is worth knowing."""
    return Finding(Level.NOTE, subject, title, means, do)


def fault(subject: str, title: str, means: str, do: str) -> Finding:
    """Return the finding of a fault that must be repaired."""
    return Finding(Level.FAULT, subject, title, means, do)
