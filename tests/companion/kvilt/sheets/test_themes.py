from __future__ import annotations

import pytest

from companion.kvilt.sheets.layout import PageLayout
from companion.kvilt.sheets.layout_files import load_layout, swatch_card, theme_names

LAYOUT = load_layout()


@pytest.fixture(params=LAYOUT.others, ids=lambda layout: layout.theme)
def layout(request: pytest.FixtureRequest) -> PageLayout:
    themed: PageLayout = request.param
    return themed


def test_the_rulebooks_five_themes_are_there_beside_the_usual_pictures() -> None:
    assert theme_names() == ("transport", "animals", "plants", "jewels", "desserts")
    assert [each.theme for each in LAYOUT.themes] == ["", *theme_names()]
    with pytest.raises(KeyError):
        LAYOUT.in_theme("dinosaurs")


def test_no_marker_stands_on_two_sheets_or_on_the_card() -> None:
    fiducials = [*(each.fiducials for each in LAYOUT.themes), swatch_card().fiducials]
    numbers = [marker.id for each in fiducials for marker in each.markers]
    assert len(set(numbers)) == len(numbers) == 28
    assert max(numbers) < 50


def test_all_but_pictures_and_markers_is_the_same(layout: PageLayout) -> None:
    assert layout.sheet == LAYOUT.sheet
    assert list(layout.regions()) == list(LAYOUT.regions())
    same = [name for name in LAYOUT.regions() if not name.endswith((".picture", ".background"))]
    assert all(layout.regions()[name] == LAYOUT.regions()[name] for name in same)
    assert set(layout.title) == {"en", "ru", "fa"}


def test_a_picture_keeps_clear_of_its_cells_edge_and_of_the_points(layout: PageLayout) -> None:
    for cell, place in layout.cells.items():
        left, top, width, height = place.frame
        right, foot, _, _ = place.points
        for x, y in place.picture:
            assert left + 2 < x < left + width - 2, cell
            assert top + 1.9 < y < top + height - 1.9, cell
            assert x <= right or y <= foot, cell


def test_every_row_has_its_own_picture_with_fine_lines_inside_it(layout: PageLayout) -> None:
    assert len(set(layout.pictures)) == 5
    for name in layout.pictures:
        assert layout.details[name]
        assert all(abs(x) < 6 and abs(y) < 6 for line in layout.details[name] for x, y in line)
