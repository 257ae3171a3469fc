from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest

Run = Callable[..., tuple[int, str, str]]


def _size_mm(path: Path) -> tuple[int, float, float]:
    document = pypdfium2.PdfDocument(path)
    width, height = document[0].get_size()
    pages = len(document)
    document.close()
    return pages, round(width / 72 * 25.4, 1), round(height / 72 * 25.4, 1)


@pytest.mark.parametrize(("sheet", "pages"), [("mats", 2), ("charuco", 1), ("labels", 1)])
@pytest.mark.parametrize(("paper", "size_mm"), [("a4", (210.0, 297.0)), ("letter", (215.9, 279.4))])
def test_a_sheet_is_written(
    run: Run, tmp_path: Path, sheet: str, pages: int, paper: str, size_mm: tuple[float, float]
) -> None:
    path = tmp_path / "sheet.pdf"
    status, out, err = run("print", sheet, "--paper", paper, "--output", path)
    assert (status, err) == (0, "")
    assert out.startswith(f"{path}: print it on ")
    assert "100 %" in out
    assert _size_mm(path) == (pages, *size_mm)


def test_without_a_name_it_is_named_for_what_it_is(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("print", "mats")[0] == 0
    assert run("print", "labels", "--paper", "letter")[0] == 0
    assert sorted(path.name for path in tmp_path.glob("*.pdf")) == ["labels-letter.pdf", "mats-a4.pdf"]


def test_a_folder_that_is_not_there_is_told_in_one_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "none" / "mats.pdf"
    assert run("print", "mats", "--output", path) == (
        2,
        "",
        f"companion: --output {path}: cannot be written: No such file or directory\n",
    )


@pytest.mark.parametrize("arguments", [["posters"], ["mats", "--paper", "a3"], []])
def test_what_is_not_there_is_refused(run: Run, arguments: list[str]) -> None:
    status, out, err = run("print", *arguments)
    assert (status, out) == (2, "")
    assert "SHEET" in err or "a3" in err
