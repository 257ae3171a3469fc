"""Test the program with closed streams, and with streams that cannot be written."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("redirected", "status", "errors"),
    [
        (">&-", 0, ""),
        ("2>&-", 0, ""),
        (">/dev/full", 2, "companion: stdout: cannot be written: No space left on device\n"),
    ],
)
def test_output_that_goes_nowhere_is_no_fault_of_the_program(
    tmp_path: Path, redirected: str, status: int, errors: str
) -> None:
    line = f"'{sys.executable}' -m companion games --data '{tmp_path}' {redirected}"
    ended = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)  # noqa: S607
    assert (ended.returncode, ended.stderr) == (status, errors)


def test_the_status_alone_tells_of_a_fault_that_cannot_be_printed(tmp_path: Path) -> None:
    line = f"'{sys.executable}' -m companion replay '{tmp_path}/none.jsonl' 2>/dev/full"
    assert subprocess.run(["sh", "-c", line], check=False).returncode == 2  # noqa: S607
