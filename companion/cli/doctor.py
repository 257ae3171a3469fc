"""`companion doctor`: the faults of this machine, and how to fix them."""

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.cli.brokering import broker_fault
from companion.cli.options import add_shared, terminal_language
from companion.languages import ENGLISH, Language, Sentence, counted, render, said
from companion.registry import codecs, entries
from companion.terminal.output import padded, put, text_width, words, wrapped
from companion.upkeep.doctor.diagnosing import Installation, diagnose, simulated_says
from hardware.diagnosis import Finding, Level, Machine

EXIT_FAULTS: Final = 1
_MARKS: Final = {Level.OK: said("ok"), Level.NOTE: said("note"), Level.FAULT: said("FAULT")}
_WIDTH: Final = 100
# As wide as the longest subject in English.
_SUBJECT: Final = 13


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--data", "--language")
    parser.description = said(
        "Check everything that a table needs, and explain in plain words what is wrong and what to do. The "
        "exit status is 1 if something must be fixed."
    )
    parser.add_argument("--simulate", action="store_true", help=said("check only what the simulated table needs"))
    parser.add_argument("--json", action="store_true", help=said("print one JSON object"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Diagnose the machine, and print the findings."""
    findings = findings_of(args, simulate=args.simulate)
    if args.simulate:
        findings.append(simulated_says())
    faults = sum(finding.level is Level.FAULT for finding in findings)
    if args.json:
        fields = {"ok": not faults, "faults": faults, "findings": [finding.to_json() for finding in findings]}
        put(json.dumps(fields, ensure_ascii=False) + "\n")
    else:
        put(report(findings, terminal_language(args)))
    return EXIT_FAULTS if faults else 0


def findings_of(args: argparse.Namespace, *, simulate: bool = False) -> list[Finding]:
    """Return what is found on this machine, with the configuration and the data folder that a command names."""
    installation = Installation(
        Machine(),
        os.environ,
        codecs(),
        {entry.name for entry in entries() if entry.has_profiles},
        getattr(args, "config", None),
        getattr(args, "data", None),
        broker=broker_fault,
    )
    return list(diagnose(installation, simulate=simulate))


def report(findings: Sequence[Finding], language: Language = ENGLISH) -> str:
    """Return the findings as text; the worst are last, where they are seen."""
    marks = max(text_width(words(mark, language)) for mark in _MARKS.values())
    subjects = max((text_width(words(finding.subject, language)) for finding in findings), default=0)
    columns = _Columns(marks, max(_SUBJECT, subjects), language)
    ordered = [finding for level in Level for finding in findings if finding.level is level]
    lines = [line for finding in ordered for line in columns.lines(finding)]
    return "\n".join([*lines, "", render(_summary(findings), language), ""])


def _summary(findings: Sequence[Finding]) -> Sentence:
    faults, notes = (sum(finding.level is level for finding in findings) for level in (Level.FAULT, Level.NOTE))
    wrong = counted("{count} problem", "{count} problems", faults) if faults else said("No problems")
    more = counted("{count} note", "{count} notes", notes) if notes else said("no notes")
    return said("{faults}, {notes}.", faults=wrong, notes=more)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of the findings: a mark, the subject and the result, each of a fixed width."""

    mark: int
    subject: int
    language: Language

    def lines(self, finding: Finding) -> list[str]:
        """Return the lines of one finding."""
        head, *rest = self._wrapped(finding.title, "")
        first = padded(_MARKS[finding.level], self.mark, self.language)
        about = padded(finding.subject, self.subject, self.language)
        below = [*rest, *self._wrapped(finding.means, ""), *self._wrapped(finding.do, "-> ")]
        return [f"{first} {about} {head.lstrip()}", *below]

    def _wrapped(self, text: str, lead: str) -> list[str]:
        indent = " " * (self.mark + self.subject + 2)
        lines = wrapped(text, _WIDTH - len(indent + lead), self.language)
        return [f"{indent}{lead if number == 0 else ' ' * len(lead)}{line}" for number, line in enumerate(lines)]
