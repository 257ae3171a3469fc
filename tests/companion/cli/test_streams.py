"""Test the program with closed streams, and with streams that cannot be written."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.registry import codecs

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("redirected", "status", "errors"),
    [
        (">&-", 0, ""),
        ("2>&-", 0, ""),
        ("<&-", 0, ""),
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


@pytest.mark.parametrize("line", ["advise --lines", "report"])
def test_a_closed_input_is_an_empty_one(tmp_path: Path, line: str) -> None:
    ended = [
        subprocess.run(
            ["sh", "-c", f"'{sys.executable}' -m companion {line} {redirected}"],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"HOME": str(tmp_path)},
        )
        for redirected in ("</dev/null", "<&-")
    ]
    assert (ended[1].returncode, ended[1].stderr) == (ended[0].returncode, ended[0].stderr)


@pytest.mark.parametrize("line", [("print", "labels", "--output"), ("photo",)])
def test_a_file_that_no_longer_fits_on_the_disk_is_not_written_in_part(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: tuple[str, ...]
) -> None:
    # Python would keep a part of what it compiles meanwhile.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "a.jpg"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for before in (b"", b"old"):
        if before:
            path.write_bytes(before)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
        try:
            status, _, err = run(*line, path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert status == 2
        assert err.endswith("a.jpg: cannot be written: File too large\n")
        assert [each.read_bytes() for each in tmp_path.glob("*a.jpg*")] == ([before] if before else [])


@pytest.mark.parametrize("options", [(), ("--json",), ("export", "1")])
def test_names_that_the_terminal_cannot_show_are_escaped(tmp_path: Path, options: tuple[str, ...]) -> None:
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        journal.new_game(Setup(players=("مریم", "Zoë")))
    ended = subprocess.run(
        [sys.executable, "-m", "companion", "games", "--data", str(tmp_path), *options],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.dumps("مریم")[1:-1] in ended.stdout
    if options:
        assert json.loads(ended.stdout.splitlines()[0])["players"] == ["مریم", "Zoë"]
