"""Test that texts for people are sentences: no call that speaks to them is given a bare English text."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[3]
FOLDERS: Final = ("companion", "calibration", "hardware", "vision")
SPOKEN: Final = {
    "companion/upkeep/doctor": {"ok", "note", "fault"},
    "companion/upkeep/hardware_test": {"_found", "StepOutcome", "Prompt", "FailedStep", "_give_up", "_Task"},
    "companion/compose/workbench.py": {"StepOutcome", "FailedStep"},
}
"""The calls whose arguments are shown to people, by file or folder."""
_OF_THE_PROGRAM: Final = {
    "ValueError", "TypeError", "KeyError", "IndexError", "RuntimeError", "AssertionError", "BadZipFile",
    "ArgumentTypeError",  # the parser of the command line reports it: see `companion.cli.commands`
    "CatalogueError",
    "GameOverError",  # callers that ask for the seat to move know whether there is one
    "MessageError",  # an answer to a program that sends messages
    "NoNumbersError",  # `companion doctor` reports a build with faulty arithmetic in a sentence of its own
    "RefusedError",  # an answer to a program that requests something that does not exist
}  # fmt: skip
"""Internal errors of the program; code that shows one to people does so in a sentence."""
_COMMAND: Final = re.compile(r"(sudo|pip|companion|calibrate|timedatectl) .+|\[[a-z]+\] .+")
"""Texts that are typed and are the same in every language."""


def modules(place: str) -> Iterator[Path]:
    path = ROOT / place
    yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def english_in(node: ast.expr) -> str | None:
    """Return the English text of an argument; None if it is no text, or a single word, which is a name."""
    if isinstance(node, ast.JoinedStr):
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    else:
        return None
    return text if re.search(r"[A-Za-z]{2,}[ ,.:;].*[A-Za-z]{2}", text) and not _COMMAND.fullmatch(text) else None


def bare(path: Path, calls: set[str]) -> Iterator[str]:
    """Yield the places where a module speaks in a bare text."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and name_of(node) in calls:
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                if (text := english_in(argument)) is not None:
                    yield f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name}:{node.lineno}: {text}"


@pytest.mark.parametrize("place", SPOKEN)
def test_findings_are_sentences(place: str) -> None:
    assert [line for path in modules(place) for line in bare(path, SPOKEN[place])] == []


def raised(path: Path) -> Iterator[str]:
    """Yield the places where a module raises an error for people with a bare text.

    Text that is added to an outer error does not count.
    """
    text = path.read_text(encoding="utf-8")
    if set(re.findall(r"\braise\s+(?:\w+\s*\.\s*)*(\w*Error)\b", text)) <= _OF_THE_PROGRAM:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and name_of(node.exc).endswith("Error"):
            if name_of(node.exc) in _OF_THE_PROGRAM:
                continue
            texts = [english_in(argument) for argument in node.exc.args]
            yield from (f"{path}:{node.lineno}: {text}" for text in texts if text is not None)


@pytest.mark.parametrize("folder", FOLDERS)
def test_faults_that_people_read_are_raised_with_sentences(folder: str) -> None:
    assert [line for path in modules(folder) for line in raised(path)] == []


def test_the_check_sees_a_fault_with_a_bare_text(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text('def f(x):\n    raise SheetError(f"{x}: cannot be read")\n')
    assert len(list(raised(path))) == 1
    path.write_text('def f(x):\n    raise SheetError(said("{path}: cannot be read", path=x))\n')
    assert list(raised(path)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('ok("camera", "It works well.")', 1),
        ('ok("camera", f"{device} is there.")', 1),
        ('ok("camera", said("It works well."), do="It is well.")', 1),
        ('ok("camera", said("It works well."), do="sudo reboot now")', 0),
        ('other("It works well.")', 0),
    ],
)
def test_the_check_sees_a_bare_text(tmp_path: Path, text: str, found: int) -> None:
    path = tmp_path / "module.py"
    path.write_text(text)
    assert len(list(bare(path, {"ok"}))) == found
