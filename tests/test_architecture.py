"""The direction of imports, held by the suite."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RULES = sorted(path for folder in ("games", "languages") for path in (ROOT / "companion" / folder).rglob("*.py"))


def test_imports_go_one_way() -> None:
    command = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    ended = subprocess.run([sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("path", RULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_rules_need_nothing_but_the_standard_library(path: Path) -> None:
    known = sys.stdlib_module_names
    foreign = [name for name in _imported(path) if name.split(".")[0] not in known and not _is_rules(name)]
    assert foreign == []


def test_the_check_of_the_rules_sees_every_kind_of_import(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("import numpy as np\nfrom vision import x\nfrom . import y\ndef f():\n    import cv2.aruco\n")
    assert list(_imported(path)) == ["numpy", "vision", "companion.games", "cv2.aruco"]


def test_nothing_but_the_rules_is_missing_from_the_check() -> None:
    assert ROOT / "companion" / "games" / "patchwork" / "rules.py" in RULES


def _is_rules(name: str) -> bool:
    return any(name == own or name.startswith(f"{own}.") for own in ("companion.games", "companion.languages"))


def _imported(path: Path) -> Iterator[str]:
    """The names of all modules that a file imports, wherever in it; what is relative counts as its own package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "companion.games" if node.level else node.module or ""
