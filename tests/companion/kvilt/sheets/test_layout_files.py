"""Test the files that describe the layout of a page."""

from __future__ import annotations

from importlib.resources import files
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from companion.kvilt.sheets.files import SheetError, own_sheet
from companion.kvilt.sheets.layout import PageLayout, Polygon, area, corners, disc
from companion.kvilt.sheets.layout_files import load_layout

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OWN = files("companion.kvilt.sheets").joinpath("companion-a.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def layout() -> PageLayout:
    return load_layout()


def box(polygons: tuple[Polygon, ...]) -> tuple[float, float, float, float]:
    xs = [x for polygon in polygons for x, _ in polygon]
    ys = [y for polygon in polygons for _, y in polygon]
    return min(xs), min(ys), max(xs), max(ys)


def test_every_region_of_the_sheet_has_its_place_and_each_swatch(layout: PageLayout) -> None:
    names = list(layout.regions())
    assert names[:-6] == list(own_sheet().regions())
    assert names[-6:] == [f"swatch.{colour}" for colour in own_sheet().colours]
    assert len(names) == 108


def test_places_are_those_of_the_file(layout: PageLayout) -> None:
    regions = layout.regions()
    assert layout.size == (210.0, 148.0)
    assert box(regions["r2c3.background"].outlines) == (57.0, 47.0, 74.0, 63.0)
    assert box(regions["r2c3.picture"].outlines) == pytest.approx((65.5 - 5.4, 55 - 4.2, 65.5 + 5.4, 55 + 4.2))
    assert box(regions["p5"].outlines) == (76.5, 19.0, 90.5, 25.5)
    assert [box((part,)) for part in regions["spool3.body"].outlines] == [
        (58.0, 119.0, 68.0, 121.8),
        pytest.approx((58.0, 128.2, 68.0, 131.0)),
    ]
    assert box(regions["spool1.thread"].outlines) == pytest.approx((22.5, 122.4, 31.5, 127.6))
    assert box(regions["e5.3"].outlines) == pytest.approx((187.7, 22.7, 196.3, 31.3))
    assert box(regions["swatch.blue"].outlines) == (149.5, 130.5, 161.5, 140.5)
    assert [marker.id for marker in layout.fiducials.markers] == [16, 17, 18, 19]
    assert layout.fiducials.markers[2].at == (194.0, 132.0)
    assert (layout.ink, layout.outline, layout.largest_scale) == (0.4, 0.35, 1.4142)
    assert layout.reading["marked"] == 0.35
    assert layout.colours[3].code == {"ru": "си", "en": "bu", "fa": "آب"}
    assert layout.pictures == ("leaf", "fish", "house", "star", "cup")


def test_a_background_is_the_cell_without_picture_and_tags(layout: PageLayout) -> None:
    region = layout.regions()["r1c1.background"]
    left = area(region.outlines[0]) - sum(map(area, region.holes))
    assert area(region.outlines[0]) == 272
    assert 130 < left < 175


def test_no_two_regions_touch_and_none_lies_on_bare_paper_or_a_marker(layout: PageLayout) -> None:
    boxes = {
        name: box(region.outlines)
        for name, region in layout.regions().items()
        if not name.endswith((".picture", ".thread"))
    }
    side, quiet = layout.fiducials.side, layout.fiducials.quiet
    for number, rect in enumerate(layout.white):
        boxes[f"white {number}"] = box((corners(rect),))
    for marker in layout.fiducials.markers:
        x, y = marker.at
        boxes[f"marker {marker.id}"] = (x - quiet, y - quiet, x + side + quiet, y + side + quiet)
    for (one, a), (other, b) in combinations(boxes.items(), 2):
        if not (one.startswith("marker") or other.startswith("white")):
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (one, other)


def test_a_disc_is_as_large_as_a_disc() -> None:
    assert area(disc((10, 20), 4.3)) == pytest.approx(3.14159 * 4.3**2, rel=0.01)


@pytest.fixture
def changed(tmp_path: Path) -> Callable[[str, str], Path]:
    def change(old: str, new: str) -> Path:
        assert old in OWN
        path = tmp_path / "sheet.toml"
        path.write_text(OWN.replace(old, new, 1), encoding="utf-8")
        return path

    return change


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("width = 210.0", "width = 130.0", "lies over its edge"),
        ("width = 210.0", 'width = "wide"', "[page] width: 'wide' is not valid; it must be a number from 50 to 450"),
        ('ink = "grey40"', 'ink = "red"', '[page] ink: must be "grey0" (black) to "grey99"'),
        ('kind = "aruco"', 'kind = "qr"', "[fiducials] kind: 'qr' is not valid"),
        ("id = 17,", "id = 16,", "there must be 4 markers with different ids"),
        ("side = 10.0", "", "[fiducials] side is missing"),
        ('colour = "red",', 'colour = "pink",', "[swatches] at: there must be a box for each of red"),
        ('picture = "fish"', 'picture = "whale"', "[quilt.row 2] picture: there is no picture 'whale'"),
        ("region = [40.5, 19.0, 14.0, 6.5]", "region = [40.5, 19.0, 14.0]", "[patch 1] region: [40.5, 19.0, 14.0]"),
        ("region = [40.5, 19.0, 14.0, 6.5]", "region = [40.5, 19.0, 0, 6.5]", "larger than zero"),
        ("outline = [[0.0, -5.2], [5.0, -0.8],", "outline = [[0.0], [5.0, -0.8],", "[picture 3] outline:"),
        ('screen = "#d63031"', 'screen = "red"', "[colour 1] screen: 'red' is not valid"),
        ("x0 = 21.0", "", "[quilt] x0 is missing"),
        ("parts = [[168.0, 52.0]", "parts = [[168.0]", "[embroidery 2] parts:"),
        ("body = [[1.0, 0.5, 10.0, 2.8], [1.0, 9.7, 10.0, 2.8]]", "body = []", "spool1.body is smaller than 1 mm²"),
        ("region = [40.5, 19.0, 14.0, 6.5]", "region = [40.5, 19.0, 0.1, 6.5]", "p3 is smaller than 1 mm²"),
    ],
    ids=str,
)
def test_a_fault_is_reported_with_its_place(changed: Callable[[str, str], Path], old: str, new: str, says: str) -> None:
    path = changed(old, new)
    with pytest.raises(SheetError) as caught:
        load_layout(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert says in str(caught.value)


def test_an_owners_sheet_has_places_of_its_own(tmp_path: Path) -> None:
    """No markers, cells with their own rectangles and outlines, spools one by one."""
    cells = ", ".join(f"[{20 + 18 * column}, 30, 16, 15]" for column in range(7))
    outlines = ", ".join(f"[[{22 + 18 * c}, 32], [{34 + 18 * c}, 32], [{28 + 18 * c}, 42]]" for c in range(7))
    text = OWN.replace('picture = "leaf"', f"cell = [{cells}]\npicture_outline = [{outlines}]", 1)
    text = text.replace('kind = "aruco"', 'kind = "corners"\nblank = "blank.jpg"', 1)
    spools = "".join(
        f"[[spools.spool]]\nbody = [[{21 + 18 * n}, 119, 10, 3]]\nthread = [{21 + 18 * n}, 123, 10, 4]\n"
        for n in range(7)
    )
    text = text.replace("# Embroideries: every", f"{spools}# Embroideries: every", 1)
    path = tmp_path / "owner.toml"
    path.write_text(text, encoding="utf-8")
    layout = load_layout(path)
    assert (layout.fiducials.kind, layout.fiducials.blank, layout.fiducials.markers) == (
        "corners",
        str(tmp_path / "blank.jpg"),
        (),
    )
    assert layout.cells[1, 2].frame == (38.0, 30.0, 16.0, 15.0)
    assert layout.cells[1, 2].picture == ((40.0, 32.0), (52.0, 32.0), (46.0, 42.0))
    assert layout.cells[2, 1].frame == (21.0, 47.0, 17.0, 16.0)
    assert layout.spools[6].thread == (129.0, 123.0, 10.0, 4.0)
    assert layout.pictures[0] == ""


def test_an_owners_sheet_may_leave_out_what_only_print_shows(changed: Callable[[str, str], Path]) -> None:
    path = changed('source = "own" ', 'source = "owner" ')
    text = path.read_text(encoding="utf-8")
    for table, following in (("[paper]", "# Each player colours these"), ("[swatches]", "# Starting values")):
        text = text[: text.index(table)] + text[text.index(following) :]
    text = text.replace("tag_points = [3.8, 4.6, 4.2, 3.0]", "").replace("tag_bonus = [-8.1, -7.6, 4.3, 4.1]", "")
    path.write_text(text.replace('kind = "aruco"', 'kind = "corners"\nblank = "b.jpg"', 1), encoding="utf-8")
    layout = load_layout(path)
    assert (layout.white, layout.name_line, layout.swatches) == ((), None, {})
    regions = layout.regions()
    assert regions["r1c1.picture"].holes == ()
    assert regions["p5"].holes == ()
    path.write_text(text.replace('source = "owner" ', 'source = "own" '), encoding="utf-8")
    with pytest.raises(SheetError, match="paper is missing"):
        load_layout(path)
