"""An owner's sheet from its photograph to a file that the program reads coloured sheets with."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import CompanionError
from companion.kvilt.defining.desk import DefiningDesk, draft_path, open_desk
from companion.kvilt.reading.reader import SheetReader
from companion.kvilt.sheets.files import SheetError, load_sheet
from companion.kvilt.sheets.layout_files import load_layout
from tests.companion.boxedsheet import LAYOUT, SHEET, boxed_sheet, entered

MARKS = {
    "r1c1.picture": "red", "r1c2.picture": "red", "r1c2.background": "red", "r4c1.picture": "brown", "p3": "green",
    "e5.1": "red", "e2a.2": "blue", "spool1.thread": "violet", "spool3.body": "green", "r2c1.picture": "blue",
}  # fmt: skip


@pytest.fixture
def desk(photo: Path, tmp_path: Path) -> DefiningDesk:
    return open_desk(tmp_path / "mine.toml", photo, "Мой «Квилт» 1")


def fill_in(desk: DefiningDesk) -> None:
    desk.put({**desk.view().tables, **entered(desk.pictures)})


def test_it_begins_with_the_papers_corners_and_a_list_of_what_is_missing(desk: DefiningDesk) -> None:
    view = desk.view()
    assert view.corners_px is not None
    assert cv2.contourArea(view.corners_px.astype(np.float32)) > 1_000_000
    assert view.tables["id"] == "owner-мой-квилт-1"
    assert view.px_per_mm is not None
    assert 6 < view.px_per_mm < 12
    assert [str(missing.step) for missing in view.missing] == ["quilt", "patches", "spools", "stitches", "pencils"]
    assert view.fault == ""
    with pytest.raises(CompanionError, match="grid"):
        desk.save()
    assert not desk.path.exists()


def test_an_entered_sheet_reads_a_coloured_one(desk: DefiningDesk) -> None:
    fill_in(desk)
    view = desk.save()
    assert (view.missing, view.fault, view.saved) == ((), "", True)
    assert not draft_path(desk.path).exists()
    sheet, layout = load_sheet(desk.path), load_layout(desk.path)
    assert (sheet.rows, sheet.patches, sheet.spools) == (SHEET.rows, SHEET.patches, SHEET.spools)
    assert Path(layout.fiducials.blank) == desk.path.with_name("mine-blank.jpg")
    coloured = boxed_sheet(7)
    coloured.colour(MARKS)
    reading = SheetReader(sheet, layout).read(coloured.photograph())
    wrong = [name for name, colour in reading.seen.items() if colour != MARKS.get(name)]
    assert [name for name in wrong if name not in reading.doubtful] == []
    assert len(reading.doubtful) <= 2


def test_pictures_are_found_where_they_are(desk: DefiningDesk) -> None:
    cells = [list(place.frame) for place in LAYOUT.cells.values()]
    for outline, place in zip(desk.pictures(cells), LAYOUT.cells.values(), strict=True):
        assert outline is not None
        found = cv2.contourArea(np.array(outline, np.float32))
        assert found == pytest.approx(cv2.contourArea(np.array(place.picture, np.float32)), rel=0.2)
        assert np.mean(outline, axis=0) == pytest.approx(np.mean(place.picture, axis=0), abs=1.5)
    # Bare paper, and an area outside all cells.
    assert desk.pictures([[3.0, 60.0, 15.0, 15.0], [200.0, 140.0, 1.0, 1.0]]) == [None, None]


def test_a_draft_is_gone_on_with(desk: DefiningDesk, photo: Path) -> None:
    moved = np.array([[300.0, 300.0], [1700.0, 280.0], [1720.0, 1200.0], [310.0, 1220.0]])
    desk.move(moved)
    fill_in(desk)
    again = open_desk(desk.path, None, None).view()
    assert again.corners_px == pytest.approx(moved)
    assert again.tables == desk.view().tables
    assert again.photo_px == (2016, 1512)
    # The same photograph keeps its corners; in another one they are found again.
    assert open_desk(desk.path, photo, None).view().corners_px == pytest.approx(moved)
    other = photo.with_name("other.jpg")
    other.write_bytes(photo.read_bytes())
    corners = open_desk(desk.path, other, None).view().corners_px
    assert corners is not None
    assert np.abs(corners - moved).max() > 20


def test_a_finished_file_is_gone_on_with(desk: DefiningDesk) -> None:
    fill_in(desk)
    before = desk.save()
    desk.path.write_text(desk.path.read_text(encoding="utf-8") + "\n[reading]\nmarked = 0.4\n", encoding="utf-8")
    again = open_desk(desk.path, None, None)
    view = again.view()
    assert (view.photo_px, view.missing, view.fault) == (None, (), "")
    assert view.tables["quilt"] == before.tables["quilt"]
    again.put({**view.tables, "page": {"width": 211.0, "height": 148.0}})
    assert not again.view().saved
    again.save()
    # A table that was added by hand is still there.
    assert load_layout(desk.path).reading == {"marked": 0.4}
    assert load_layout(desk.path).size == (211.0, 148.0)
    with pytest.raises(CompanionError, match="no photograph"):
        again.move(None)


def test_a_new_photograph_of_a_known_sheet_is_laid_by_its_print(desk: DefiningDesk, tmp_path: Path) -> None:
    fill_in(desk)
    desk.save()
    picture = np.ascontiguousarray(np.rot90(boxed_sheet(5, swatched=False).photograph(), 2))
    cv2.imwrite(str(tmp_path / "new.png"), picture)
    corners = open_desk(desk.path, tmp_path / "new.png", None).view().corners_px
    assert corners is not None
    # The sheet lies upside down in it: its top left corner is the lower right one.
    assert corners[0].sum() > corners[2].sum()


def test_faults_have_the_programs_messages(desk: DefiningDesk) -> None:
    fill_in(desk)
    tables = desk.view().tables
    tables["quilt"]["row"][2]["bonus"][1] = "neutrl"
    view = desk.put(tables)
    assert view.fault.startswith("mine.toml: [quilt.row 3] bonus: 'neutrl' is not valid; allowed: \"-\", neutral")
    with pytest.raises(CompanionError, match="neutrl"):
        desk.save()
    tables["quilt"]["row"][2]["bonus"][1] = "-"
    tables["patch"][0]["region"] = [205.0, 2.0, 14.0, 6.0]
    assert "p3 lies over its edge" in desk.put(tables).fault


def test_corners_must_go_round_and_a_turn_turns(desk: DefiningDesk) -> None:
    before = desk.view()
    assert before.corners_px is not None
    with pytest.raises(CompanionError, match="clockwise"):
        desk.move(before.corners_px[::-1])
    assert desk.view().corners_px == pytest.approx(before.corners_px)
    turned = desk.turn()
    assert turned.corners_px == pytest.approx(np.roll(before.corners_px, -1, axis=0))
    assert turned.flat_number == before.flat_number + 1
    assert desk.move(None).corners_px == pytest.approx(before.corners_px)


def test_tables_that_are_not_a_sheets_are_refused(desk: DefiningDesk) -> None:
    with pytest.raises(CompanionError, match="not the tables"):
        desk.put({"page": 3})
    # The page cannot change the values that make it an owner's sheet.
    view = desk.put({**desk.view().tables, "source": "own", "fiducials": {"kind": "aruco"}})
    assert (view.tables["source"], view.tables["fiducials"]["kind"]) == ("owner", "corners")


def test_a_missing_draft_or_photograph_is_explained(tmp_path: Path, photo: Path) -> None:
    with pytest.raises(CompanionError, match="start with a photograph of the blank sheet"):
        open_desk(tmp_path / "none.toml", None, None)
    draft_path(tmp_path / "bad.toml").write_text("{", encoding="utf-8")
    with pytest.raises(CompanionError, match="is not a draft"):
        open_desk(tmp_path / "bad.toml", photo, None)
    own = tmp_path / "own.toml"
    own.write_bytes(files("companion.kvilt.sheets").joinpath("companion-a.toml").read_bytes())
    with pytest.raises(SheetError, match="found by printed markers"):
        open_desk(own, photo, None)


def test_an_unwritable_folder_is_reported(photo: Path, tmp_path: Path) -> None:
    desk = open_desk(tmp_path / "gone" / "mine.toml", photo, None)
    with pytest.raises(CompanionError, match="cannot be written"):
        desk.put(desk.view().tables)


def test_the_pictures_are_jpegs(desk: DefiningDesk) -> None:
    for content, size in ((desk.flat_jpeg(), (1184, 1680)), (desk.photo_jpeg(), (1512, 2016))):
        image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        assert image.shape[:2] == size
