"""`companion kvilt define` from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.__main__ import main
from companion.kvilt.defining.desk import draft_path
from companion.kvilt.defining.tables import sheet_text
from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout_files import load_layout
from companion.web.describing import DescribingPage
from tests.companion.boxedsheet import LAYOUT, SHEET, entered, photograph_blank


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photograph of the blank sheet."""
    return photograph_blank(tmp_path_factory.mktemp("boxed"))


@pytest.fixture(autouse=True)
def nobody_waits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Make the page's wait for a browser return at once."""
    monkeypatch.setattr(DescribingPage, "wait", lambda _: None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "C.UTF-8")


def test_it_says_where_the_page_is_and_what_will_be_written(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kvilt", "define", str(photo), "--name", "My box", "--port", "0"]) == 0
    said = capsys.readouterr().out
    assert "/?key=" in said
    assert "kvilt-My-box.toml is written when you save" in said


def test_an_impossible_request_is_one_line(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, says in (
        ([], "give a photograph of the blank sheet, or --out FILE.toml"),
        ([str(photo), "--out", "mine.json"], "must end in .toml"),
        ([str(photo), "--out", "gone/mine.toml"], "there is no folder gone"),
        (["--out", "mine.toml"], "start with a photograph of the blank sheet, PHOTO"),
        (["gone.jpg", "--out", "mine.toml"], "gone.jpg: cannot be read"),
    ):
        assert main(["kvilt", "define", *arguments]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert says in told.err
        assert told.err.count("\n") == 1


def test_a_sheet_is_written_without_the_page(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = entered(lambda cells: [None for _ in cells])
    for row in tables["quilt"]["row"]:
        del row["picture_outline"], row["columns"]
    regions = Path("regions.toml")
    regions.write_text(sheet_text(tables), encoding="utf-8")
    arguments = ["kvilt", "define", str(photo), "--out", "mine.toml", "--regions", str(regions)]
    assert main(arguments) == 0
    assert capsys.readouterr().out == "mine.toml is written.\n"
    assert load_sheet("mine.toml").rows == SHEET.rows
    cells = load_layout("mine.toml").cells
    assert cells[5, 7].frame == LAYOUT.cells[5, 7].frame
    assert len(cells[5, 7].picture) > 4
    regions.write_text(sheet_text({**tables, "patch": []}), encoding="utf-8")
    assert main(arguments) == 2
    assert "regions.toml: Draw a rectangle over each patch" in capsys.readouterr().err
    regions.write_text("[quilt", encoding="utf-8")
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("companion: --regions regions.toml: cannot be used")


def test_a_draft_that_is_none_is_told(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draft_path(Path("mine.toml")).write_text("[]", encoding="utf-8")
    assert main(["kvilt", "define", str(photo), "--out", "mine.toml"]) == 2
    assert "is not a draft of a sheet; move it away" in capsys.readouterr().err
