"""`companion doctor`: what is wrong on this machine, and what to do about it."""

from __future__ import annotations

import json
import os
import textwrap
from typing import TYPE_CHECKING, Final

from companion.bootstrap.diagnosing import Patient, diagnose, simulated_says
from companion.cli.options import config_option, data_option
from companion.cli.output import put
from companion.doctor import Finding, Level, Machine

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from companion.cli.subparsers import Subparsers

EXIT_FAULTS: Final = 1
_MARKS: Final = {Level.OK: "ok   ", Level.NOTE: "note ", Level.FAULT: "FAULT"}
_WIDTH: Final = 100


def add_parser(subparsers: Subparsers) -> None:
    """Announce the command."""
    parser = subparsers.add_parser(
        "doctor",
        parents=[config_option(), data_option()],
        help="find what is wrong on this machine",
        description="Look at everything that a table needs, and say in plain words what is wrong and what to do. "
        "The exit status is 1 where something must be mended.",
    )
    parser.add_argument("--simulate", action="store_true", help="only what the simulated table needs")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look, and say what was found."""
    patient = Patient(Machine(), os.environ, getattr(args, "config", None), getattr(args, "data", None))
    findings = list(diagnose(patient, simulate=args.simulate))
    if args.simulate:
        findings.append(simulated_says())
    faults = sum(finding.level is Level.FAULT for finding in findings)
    if args.json:
        told = {"ok": not faults, "faults": faults, "findings": [finding.to_json() for finding in findings]}
        put(json.dumps(told, ensure_ascii=False) + "\n")
    else:
        put(report(findings))
    return EXIT_FAULTS if faults else 0


def report(findings: Sequence[Finding]) -> str:
    """The findings for people to read, the worst ones last, where they are seen."""
    order = (Level.OK, Level.NOTE, Level.FAULT)
    lines = [line for level in order for finding in findings if finding.level is level for line in _lines(finding)]
    faults, notes = (sum(finding.level is level for finding in findings) for level in (Level.FAULT, Level.NOTE))
    ends = f"{faults or 'Nothing'} {'thing is' if faults == 1 else 'things are' if faults else 'is'} wrong"
    return "\n".join([*lines, "", f"{ends}, {notes or 'nothing'} worth knowing.", ""])


def _lines(finding: Finding) -> list[str]:
    head, *rest = _wrapped(finding.title, "")
    head = f"{_MARKS[finding.level]} {finding.subject:<13} {head.lstrip()}"
    return [head, *rest, *_wrapped(finding.means, ""), *_wrapped(finding.do, "-> ")]


def _wrapped(text: str, lead: str) -> list[str]:
    indent = " " * 20
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent + lead,
        subsequent_indent=indent + " " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )
