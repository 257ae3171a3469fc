from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import pypdfium2
import pytest

from calibration.printing import game_pdf

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]
SETS: Final = cache(game_pdf)
"""Each set is drawn once: the commands here write the same ones repeatedly."""


@pytest.fixture(autouse=True)
def _drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cli.printing.game_pdf", SETS)


def _size_mm(path: Path) -> tuple[int, float, float]:
    document = pypdfium2.PdfDocument(path)
    width, height = document[0].get_size()
    pages = len(document)
    document.close()
    return pages, round(width / 72 * 25.4, 1), round(height / 72 * 25.4, 1)


@pytest.mark.parametrize(
    ("sheet", "pages"),
    [
        ("mats", (2, 2)),
        ("charuco", (1, 1)),
        ("labels", (1, 1)),
        ("holder", (1, 1)),
        ("game", (7, 8)),
        ("kvilt-leaflet", (1, 1)),
    ],
)
@pytest.mark.parametrize(("paper", "size_mm"), [("a4", (210.0, 297.0)), ("letter", (215.9, 279.4))])
def test_a_sheet_is_written(
    run: Run, tmp_path: Path, sheet: str, pages: tuple[int, int], paper: str, size_mm: tuple[float, float]
) -> None:
    path = tmp_path / "sheet.pdf"
    status, out, err = run("print", sheet, "--paper", paper, "--output", path)
    assert (status, err) == (0, "")
    assert out.startswith(f"{path}: print it on ")
    assert "100 %" in out
    assert _size_mm(path) == (pages[paper == "letter"], *size_mm)


def _words(path: Path) -> str:
    """Return the text of the first page."""
    document = pypdfium2.PdfDocument(path)
    words = str(document[0].get_textpage().get_text_bounded())
    document.close()
    return words


@pytest.mark.parametrize(
    ("sheet", "says"),
    [
        ("mats", "Здесь лежит планшет"),
        ("labels", "Наклейки"),
        ("holder", "Держатель для телефона"),
        ("charuco", "Калибровочный лист для объектива"),
    ],
)
def test_the_text_of_a_sheet_is_in_the_reader_s_language(run: Run, tmp_path: Path, sheet: str, says: str) -> None:
    path = tmp_path / "sheet.pdf"
    assert run("print", sheet, "--language", "ru", "--output", path)[0] == 0
    words = _words(path)
    assert says in words
    assert not {"Check", "The", "For", "glue"}.intersection(words.split())


@pytest.mark.parametrize(
    ("options", "mats"),
    [(("--cell", "25"), "25 --paper a3"), (("--paper", "letter"), "20 --paper letter")],
)
def test_a_set_names_the_command_that_prints_its_mats(
    run: Run, tmp_path: Path, options: tuple[str, ...], mats: str
) -> None:
    path = tmp_path / "set.pdf"
    assert run("print", "game", *options, "--output", path)[0] == 0
    (line,) = [line for line in _words(path).splitlines() if "print mats" in line]
    command = line.partition("companion ")[2].split()
    assert " ".join(command) == f"print mats --cell {mats}"
    assert run(*command, "--output", tmp_path / "mats.pdf")[0] == 0


def test_a_set_has_the_configuration_s_time_board_unless_another_is_asked_for(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("print", "game", "--output", "usual.pdf")[0] == 0
    assert run("print", "game", "--edition", "revised", "--output", "later.pdf")[0] == 0
    assert "first edition" in _words(tmp_path / "usual.pdf")
    assert "later printing" in _words(tmp_path / "later.pdf")
    usual, later = (pypdfium2.PdfDocument(tmp_path / name) for name in ("usual.pdf", "later.pdf"))
    drawn = [document[6].render(scale=1).to_numpy() for document in (usual, later)]
    assert (drawn[0] != drawn[1]).any()
    assert run("print", "mats", "--edition", "revised")[0] == 2


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


@pytest.mark.parametrize("arguments", [["posters"], ["mats", "--paper", "a2"], []])
def test_a_missing_file_is_refused(run: Run, arguments: list[str]) -> None:
    status, out, err = run("print", *arguments)
    assert (status, out) == (2, "")
    assert "SHEET" in err or "a3" in err


@pytest.mark.parametrize("sheet", ["kvilt-sheet", "kvilt-swatches"])
@pytest.mark.parametrize(("paper", "size_mm"), [("a5", (210.0, 148.0)), ("a4", (297.0, 210.0))])
def test_a_sheet_of_kvilt_is_written_landscape(
    run: Run, tmp_path: Path, sheet: str, paper: str, size_mm: tuple[float, float]
) -> None:
    path = tmp_path / "sheet.pdf"
    status, out, err = run("print", sheet, "--paper", paper, "--language", "ru", "--output", path)
    assert (status, err) == (0, "")
    assert "ruler" not in out
    assert _size_mm(path) == (1, *size_mm)


def test_only_kvilt_is_printed_on_a5(run: Run) -> None:
    says = "companion: --paper a5: mats must be printed on a4, letter or a3\n"
    assert run("print", "mats", "--paper", "a5") == (2, "", says)


def test_an_own_sheet_is_printed_and_a_faulty_one_is_told(run: Run, tmp_path: Path) -> None:
    own = files("companion.kvilt.sheets").joinpath("companion-a.toml").read_text(encoding="utf-8")
    path, target = tmp_path / "own.toml", tmp_path / "own.pdf"
    path.write_text(own.replace("points = [0, 1, 3, 6, 10, 15, 21]", "points = [0, 1, 3, 6, 10, 15, 99]"), "utf-8")
    assert run("print", "kvilt-sheet", "--sheet", path, "--output", target)[0] == 0
    assert target.stat().st_size > 10_000
    path.write_text(own.replace("pitch_y = 17.0", "pitch_y = 0"), encoding="utf-8")
    says = f"companion: {path}: [quilt] pitch_y: 0 is not valid; it must be a number from 2 to 100\n"
    assert run("print", "kvilt-sheet", "--sheet", path, "--output", target) == (2, "", says)


def test_a_published_sheet_is_not_printed(run: Run, tmp_path: Path) -> None:
    own = files("companion.kvilt.sheets").joinpath("companion-a.toml").read_text(encoding="utf-8")
    path = tmp_path / "owner.toml"
    path.write_text(own.replace('kind = "aruco"', 'kind = "corners"\nblank = "blank.jpg"'), encoding="utf-8")
    status, _, err = run("print", "kvilt-sheet", "--sheet", path, "--output", tmp_path / "own.pdf")
    assert (status, err.count("\n")) == (2, 1)
    assert "describes a published sheet" in err


def test_mats_follow_the_cells_onto_larger_paper(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mats.pdf"

    assert run("print", "mats", "--cell", "25", "--paper", "a3", "--output", path)[0] == 0

    assert _size_mm(path) == (2, 297.0, 420.0)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("mats", "--cell", "25"), "--cell 25: mats for such squares are larger than A4: print them with --paper a3"),
        (("game", "--cell", "26"), "--cell 26: must be 15 to 25 mm"),
        (("game", "--cell", "nan"), "--cell nan: must be 15 to 25 mm"),
        (("labels", "--cell", "20"), "--cell: works only with mats and game"),
        (("labels", "--paper", "a3"), "--paper a3: labels must be printed on a4 or letter"),
        (("labels", "--theme", "animals"), "--theme animals: only the companion’s own sheet of Kvilt comes in themes"),
    ],
)
def test_a_sheet_that_does_not_fit_its_paper_is_refused_in_one_line(
    run: Run, arguments: tuple[str, ...], fault: str
) -> None:
    assert run("print", *arguments) == (2, "", f"companion: {fault}\n")


def test_kvilts_sheets_come_in_themes_and_in_persian(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    status, _, err = run(
        "print", "kvilt-sheet", "--theme", "all", "--language", "fa", "--paper", "a5", "--output", path
    )
    assert (status, err) == (0, "")
    assert _size_mm(path) == (6, 210.0, 148.0)
    assert run("print", "kvilt-sheet", "--theme", "animals", "--output", path)[0] == 0
    assert _size_mm(path)[0] == 1
