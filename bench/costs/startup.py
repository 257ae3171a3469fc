"""Seconds of processor time from the start of a command to its end, beside those of Python alone.

    .venv/bin/python bench/costs/startup.py [--rounds N] [--package PATH]

The rounds of all commands are interleaved; the fastest of each counts. --package names another copy of the program.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

RECORD = (
    '{"format": 1, "game": "patchwork", "rules": "official", "players": ["Anna", "Boris"], "first_seat": 1}\n'
    '{"seat": 1, "move": "advance"}\n'
)
PYTHON = ("-c", "pass")


def seconds_of(arguments: tuple[str, ...], package: Path) -> float:
    """Return the user and system time of Python with these arguments."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *arguments]
    environment = {"PYTHONPATH": str(package), "PATH": "", "LANG": "C.UTF-8"}
    subprocess.run(command, capture_output=True, check=True, env=environment, cwd=package)  # noqa: S603
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a line for each command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--package", type=Path, default=Path(__file__).parents[2])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "game.jsonl"
        record.write_text(RECORD)
        lines = ("--version", "--help", "config", f"games --data {folder}", f"replay {record}", "score --help")
        acts = {"python -c pass": PYTHON, **{line.split()[0]: ("-m", "companion", *line.split()) for line in lines}}
        found = {name: [seconds_of(act, args.package)] for name, act in acts.items()}
        for _ in range(args.rounds):
            for name, act in acts.items():
                found[name].append(seconds_of(act, args.package))
    least = min(found["python -c pass"])
    for name, seconds in found.items():
        print(f"{name:16}{min(seconds):8.3f} s  {min(seconds) / least:5.1f} x")


if __name__ == "__main__":
    main()
