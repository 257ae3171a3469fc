"""The report of a hardware test, to attach to a bug report, and a summary of the wiring."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from companion.upkeep.hardwaretest.step import StepOutcome, Verdict

_MARKS: Final = {Verdict.OK: "ok     ", Verdict.POOR: "poor   ", Verdict.FAULT: "FAULT  ", Verdict.SKIPPED: "skipped"}


@dataclass(frozen=True, slots=True)
class Facts:
    """The data on a table in a report, beside the outcomes; none are personal, and no host names or addresses.

    Attributes:
        version: the companion's version.
        board: the Raspberry Pi's model, or a text that it is none.
        system: the machine's operating system and architecture, with Python's version.
        drivers: the tested driver of each device.
        wiring: the connection of each device.
    """

    version: str
    board: str
    system: str
    drivers: Mapping[str, str]
    wiring: Mapping[str, str]


def connections(facts: Facts, outcomes: Sequence[StepOutcome]) -> list[tuple[Verdict, str, str]]:
    """Return worst verdict, device and wiring of each connection; SKIPPED if there was no outcome."""
    # SKIPPED before OK: a connection that was only partly tested is not known to work.
    rank = [Verdict.FAULT, Verdict.POOR, Verdict.SKIPPED, Verdict.OK]
    found = []
    for device, where in facts.wiring.items():
        about = [outcome.verdict for outcome in outcomes if _is_about(outcome, device)]
        found.append((min(about, key=rank.index) if about else Verdict.SKIPPED, device, where))
    return found


def _wiring_lines(facts: Facts, outcomes: Sequence[StepOutcome]) -> list[str]:
    return [f"{_MARKS[verdict]} {device:<24} {where}" for verdict, device, where in connections(facts, outcomes)]


def _outcome_lines(outcome: StepOutcome) -> list[str]:
    lines = [f"{_MARKS[outcome.verdict]} {outcome.subject}: {outcome.says}"]
    return [*lines, f"        -> {outcome.do}"] if outcome.do else lines


def report_text(facts: Facts, outcomes: Sequence[StepOutcome], on: date) -> str:
    """Return the report's text, in English because it is attached to bug reports."""
    lines = [
        "Quilt Companion: report of a hardware test",
        "It holds nothing personal: no names, addresses or paths.",
        "",
        f"date      {on.isoformat()}",
        f"version   {facts.version}",
        f"board     {facts.board}",
        f"system    {facts.system}",
        *(f"{device:<9} driver {driver}" for device, driver in facts.drivers.items()),
        "",
        "Wiring",
        *_wiring_lines(facts, outcomes),
        "",
        "Outcomes",
    ]
    for outcome in outcomes:
        lines += _outcome_lines(outcome)
        if outcome.figures:
            lines.append("        " + ", ".join(f"{name} {value:.4g}" for name, value in outcome.figures.items()))
    return "\n".join([*lines, ""])


def _is_about(outcome: StepOutcome, device: str) -> bool:
    """Return whether an outcome concerns a device's connection; pixels belong to the strip, mats to the camera."""
    subject = "strip" if outcome.subject.startswith("pixel ") else outcome.subject
    return subject == device or (device == "camera" and subject == "mats")
