"""A fake machine in a folder, in which tests plant what a check should find."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import pytest

from hardware.diagnosis import Finding, Level, Machine

if TYPE_CHECKING:
    from pathlib import Path

Plant = Callable[..., Machine]


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """A function that returns a machine with given files, and with commands, by first word, that print given texts."""

    def make(
        files: dict[str, str] | None = None, commands: dict[str, str] | None = None, closed: Iterable[str] = ()
    ) -> Machine:
        root = tmp_path / "machine"
        for name, text in (files or {}).items():
            path = root / name.lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        shut = {root / name.lstrip("/") for name in closed}

        def run(command: Sequence[str]) -> str | None:
            return next((text for name, text in (commands or {}).items() if " ".join(command).startswith(name)), None)

        return Machine(root, run, lambda path: path not in shut)

    return make


def levels(findings: Iterable[Finding]) -> list[str]:
    """Return each finding's level."""
    return [finding.level.value for finding in findings]


def faults(findings: Iterable[Finding]) -> list[str]:
    """Return the titles of the faults; assert that each explains itself and has a remedy."""
    wrong = [finding for finding in findings if finding.level is Level.FAULT]
    assert all(finding.means and finding.do for finding in wrong)
    return [finding.title for finding in wrong]
