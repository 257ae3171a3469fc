"""Writes packaging/LICENCES.md: the licence of each locked package, from the package's metadata.

    python packaging/licences.py

The metadata comes from pip for every package in packaging/locked/, whether it is installed here or not.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
PINNED: Final = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)
_HEAD: Final = """# Licences of what is installed beside the program

Written by `make licences` from the packages' own metadata; the versions are those of [locked/](locked). The program
itself is under the MIT licence ([LICENSE](../LICENSE)). Fonts have theirs beside them, for
[paper](../calibration/printing/fonts/LICENSES.txt) and [page](../companion/web/static/fonts/OFL.txt); where its
networks come from is told in [vision/PROVENANCE.md](../vision/PROVENANCE.md). picamera2, gpiozero and lgpio come from a
Raspberry Pi's distribution, which tells their licences in /usr/share/doc.

caissify-pairings is young and kept by one person; [docs/club.md](../docs/club.md) says why it may be trusted.

| package | version | licence |
|---|---|---|
"""


def locked() -> dict[str, set[str]]:
    """Return the versions of every locked package, by name."""
    found: dict[str, set[str]] = {}
    for path in sorted((HERE / "locked").glob("*.txt")):
        for name, version in PINNED.findall(path.read_text(encoding="utf-8")):
            found.setdefault(name.lower(), set()).add(version)
    return found


def metadata_of(name: str, version: str) -> dict[str, Any]:
    """Return a package's metadata from pip's installation report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        ask = [sys.executable, "-m", "pip", "install", "--quiet", "--quiet", "--dry-run", "--ignore-installed"]
        ask += ["--ignore-requires-python", "--no-deps", "--report", str(report), f"{name}=={version}"]
        subprocess.run(ask, check=True)  # noqa: S603  # our own lists
        told: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))["install"][0]["metadata"]
    return told


def expression(name: str, told: dict[str, Any]) -> str | None:
    """Return a package's licence expression (PEP 639), or None if it is unknown.

    Where pip's report omits it, it is taken from the package installed here.
    """
    try:
        found = told.get("license_expression") or metadata.metadata(name)["License-Expression"]
    except (metadata.PackageNotFoundError, KeyError):
        return None
    return None if found is None else str(found)


def licence(name: str, told: dict[str, Any]) -> str:
    """Return the licence that a package names: its expression, else classifiers, else the first line of its text."""
    if found := expression(name, told):
        return found
    named = [each.rpartition(" :: ")[2] for each in told.get("classifier", ()) if each.startswith("License :: ")]
    named = [each for each in named if each != "OSI Approved"]
    first = str(told.get("license", "")).strip().partition("\n")[0]
    return " and ".join(named) or first or "not named: see the package"


def main() -> None:
    """Write the list. Of several versions the oldest is looked up, which is that for the oldest Python."""
    rows = []
    for name, versions in sorted(locked().items()):
        told = licence(name, metadata_of(name, min(versions)))
        rows.append(f"| {name} | {', '.join(sorted(versions))} | {told} |\n")
        print(rows[-1], end="")
    (HERE / "LICENCES.md").write_text(_HEAD + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
