"""Test the direction of imports and other rules of the program's structure."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "vision", "hardware", "calibration")
# It runs when the program is built, where Babel is.
BUILDS = ROOT / "companion" / "languages" / "compiling.py"
RULES = sorted(
    path for folder in ("games", "languages") for path in (ROOT / "companion" / folder).rglob("*.py") if path != BUILDS
)


def test_imports_go_one_way() -> None:
    command = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    ended = subprocess.run([sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("path", RULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_rules_and_the_languages_need_nothing_but_the_standard_library(path: Path) -> None:
    known = sys.stdlib_module_names
    own = "companion.games" if "games" in path.parts else "companion.languages"
    others = [name for name in _imported(path) if name.split(".")[0] not in known]
    assert [name for name in others if name != own and not name.startswith(f"{own}.")] == []


def test_the_check_of_the_rules_sees_every_kind_of_import(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("import numpy as np\nfrom vision import x\nfrom . import y\ndef f():\n    import cv2.aruco\n")
    assert list(_imported(path)) == ["numpy", "vision", "companion.games", "cv2.aruco"]


def test_nothing_but_the_rules_is_missing_from_the_check() -> None:
    assert ROOT / "companion" / "games" / "patchwork" / "rules.py" in RULES


OWN_ROOMS = ("companion/games", "companion/patchwork", "companion/kvilt", "companion/registry.py")


def test_nobody_outside_a_game_s_own_rooms_asks_which_game_it_is() -> None:
    assert list(_branches()) == []


def test_the_count_of_branches_sees_every_kind() -> None:
    asked = """
if game.name == KVILT.name: pass
if name in ("patchwork",): pass
if isinstance(state, kvilt.State): pass
match name:
    case "kvilt": pass
which = {"patchwork": 1, KVILT.name: 2}
"""
    assert len(list(_asking(ast.parse(asked)))) == 5
    assert list(_asking(ast.parse('Command("kvilt", KVILT)'))) == []


def _branches() -> Iterator[str]:
    for folder in PACKAGES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith(OWN_ROOMS):
                continue
            text = path.read_text(encoding="utf-8")
            # Most modules name no game, which is known sooner.
            if re.search("kvilt|patchwork", text, re.IGNORECASE):
                yield from (name for _ in _asking(ast.parse(text)))


def _asking(tree: ast.Module) -> Iterator[ast.expr | ast.pattern]:
    """Yield the comparisons, type checks, cases and tables by which code asks which game it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) or (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"
        ):
            if any(map(_names_a_game, ast.walk(node))):
                yield node
        elif isinstance(node, ast.Dict):
            if any(key is not None and any(map(_names_a_game, ast.walk(key))) for key in node.keys):
                yield node
        elif isinstance(node, ast.MatchValue) and any(map(_names_a_game, ast.walk(node))):
            yield node


def _names_a_game(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return node.value in ("patchwork", "kvilt")
    called = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return called in ("PATCHWORK", "KVILT", "kvilt", "patchwork") or called.startswith(("Kvilt", "Patchwork"))


def _imported(path: Path) -> Iterator[str]:
    """Yield the names of all modules that a file imports, anywhere in it; relative ones count as `companion.games`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "companion.games" if node.level else node.module or ""
