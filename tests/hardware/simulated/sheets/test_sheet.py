"""Test the simulated sheet: the places of pencil marks and the look of its pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout import Fiducials
from companion.kvilt.sheets.layout_files import load_layout
from hardware.simulated.sheets.conditions import LIGHTS, STYLES, SheetConditions, StrokeStyle
from hardware.simulated.sheets.sheet import SimulatedSheet, sheet_light
from hardware.simulated.sheets.strokes import PAGE_PX_PER_MM, Hand, pencil_box, pictured_page, printed_page

if TYPE_CHECKING:
    from pathlib import Path

LAYOUT = load_layout()
SMALL = SheetConditions(width_px=640, height_px=480)


def _coloured(style: StrokeStyle, region: str = "e5.1", colour: str = "red", seed: int = 3) -> np.ndarray:
    """Return the light reflected by a white page with a coloured region."""
    rng = np.random.default_rng(seed)
    page = np.ones((1184, 1680, 3), np.float32)
    Hand(style, pencil_box(rng), rng).colour(page, LAYOUT.regions()[region], colour)
    return page


def _reach_mm(page: np.ndarray) -> float:
    """Return the greatest distance of pencil from the middle of e5.1."""
    x, y = LAYOUT.parts["e5.1"]
    rows, columns = np.nonzero(page.min(axis=2) < 0.9)
    return float(np.hypot((columns + 0.5) / PAGE_PX_PER_MM - x, (rows + 0.5) / PAGE_PX_PER_MM - y).max())


def test_print_stands_where_the_layout_says() -> None:
    page = printed_page(load_sheet(), LAYOUT)
    assert page.shape == (1184, 1680)
    x, y, width, _ = LAYOUT.cells[1, 1].frame
    row, column = round(y * PAGE_PX_PER_MM), round((x + width / 2) * PAGE_PX_PER_MM)
    assert page[row - 2 : row + 3, column].min() < 0.3
    for x, y, width, height in LAYOUT.white:
        left, top, right, bottom = (round(value * PAGE_PX_PER_MM) for value in (x, y, x + width, y + height))
        assert np.mean(page[top:bottom, left:right]) > 0.99


def test_pencil_stays_about_inside() -> None:
    tidy = StrokeStyle(stray_mm=0.0, wobble_mm=0.0, specks=0.0)
    assert _reach_mm(_coloured(tidy)) == pytest.approx(LAYOUT.radius, abs=0.25)
    wild = StrokeStyle(stray_mm=0.0, bias_mm=1.5, wobble_mm=0.0, specks=0.0)
    assert _reach_mm(_coloured(wild)) == pytest.approx(LAYOUT.radius + 1.5, abs=0.3)


def test_pressure_and_gaps_change_how_much_is_covered() -> None:
    def light(style: StrokeStyle) -> float:
        return float(_coloured(style).sum())

    assert light(STYLES["firm"]) < light(STYLES["even"]) < light(STYLES["faint"])
    assert light(StrokeStyle(gaps=0.3)) > light(StrokeStyle(gaps=0.0))
    assert light(StrokeStyle(spacing_mm=1.2, crossed=0.0)) > light(StrokeStyle(spacing_mm=0.4, crossed=0.0))


def test_a_red_pencil_swallows_blue_and_green() -> None:
    blue, green, red = _coloured(STYLES["firm"]).sum(axis=(0, 1))
    assert red > max(blue, green)


def test_a_background_leaves_its_picture_white() -> None:
    page = _coloured(StrokeStyle(stray_mm=0.0, wobble_mm=0.0, specks=0.0), "r1c1.background")
    x, y, width, height = LAYOUT.cells[1, 1].frame
    row, column = round((y + height / 2) * PAGE_PX_PER_MM), round((x + width / 2) * PAGE_PX_PER_MM)
    assert page[row - 8 : row + 8, column - 8 : column + 8].min() > 0.97


def test_the_same_seed_gives_the_same_picture() -> None:
    first, again, other = (SimulatedSheet(seed).photograph(SMALL) for seed in (5, 5, 6))
    assert first.shape == (480, 640, 3)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_coloured_region_keeps_its_strokes() -> None:
    sheet = SimulatedSheet(1)
    sheet.colour({"e5.1": "red"})
    before = sheet._page.copy()
    sheet.colour({"e5.1": "blue"})
    assert np.array_equal(sheet._page, before)
    assert sheet.coloured == {"e5.1": "red"}
    with pytest.raises(KeyError):
        sheet.colour({"e9.1": "red"})


def test_conditions_show_in_the_picture() -> None:
    def mean(conditions: SheetConditions) -> np.ndarray:
        middle = SimulatedSheet(2).photograph(conditions)[200:280, 250:390]
        return np.asarray(middle.mean(axis=(0, 1)))

    normal, dim, warm = mean(SMALL), mean(SMALL.but(exposure=0.2)), mean(SMALL.but(colour_temperature_k=2700.0))
    assert (dim < 0.8 * normal).all()
    assert warm[2] - warm[0] > normal[2] - normal[0] + 10
    with pytest.raises(TypeError):
        SMALL.but(weather=1)


def test_a_shadow_falls_on_a_part_of_the_page() -> None:
    to_page = np.array([[0.35, 0, 0], [0, 0.35, 0], [0, 0, 1.0]])
    hard = SMALL.but(gradient=0.0, shadow=0.5, softness_mm=2.0, exposure=1.0)
    light = sheet_light(hard, to_page, LAYOUT.size, np.random.default_rng(1))
    assert light.shape == (480, 640, 3)
    assert light[..., 1].min() / light[..., 1].max() == pytest.approx(0.5, abs=0.01)
    # The room's light, which fills the shadow, is cooler than the lamp's.
    darkest = np.unravel_index(int(light[..., 1].argmin()), light.shape[:2])
    lit = np.unravel_index(int(light[..., 1].argmax()), light.shape[:2])
    assert light[darkest][0] / light[lit][0] > light[darkest][2] / light[lit][2]


def test_every_named_light_and_style_can_be_had() -> None:
    assert {"normal", "harsh"} <= LIGHTS.keys()
    assert {"even", "hatched", "faint", "careless"} <= STYLES.keys()


def test_rubbing_out_removes_one_region_and_no_other() -> None:
    sheet, bare = SimulatedSheet(4), SimulatedSheet(4)
    sheet.colour({"spool1.thread": "red", "r2c2.picture": "blue"})
    bare.colour({"spool1.thread": "red"})
    still = (SMALL, np.random.default_rng(1))
    coloured = sheet.photograph(SMALL, np.random.default_rng(1))
    sheet.rub_out("r2c2.picture")
    sheet.rub_out("r2c2.picture")
    rubbed = sheet.photograph(SMALL, np.random.default_rng(1)).astype(int)
    assert sheet.coloured == {"spool1.thread": "red"}
    assert np.abs(rubbed - bare.photograph(*still)).max() <= 2
    assert np.abs(rubbed - coloured).max() > 60


def test_a_sheet_that_is_not_taken_up_lies_where_it_lay_on_the_same_table() -> None:
    sheet, other = SimulatedSheet(4), SimulatedSheet(5)

    def picture(of: SimulatedSheet, lying: int) -> np.ndarray:
        return of.photograph(SMALL, np.random.default_rng(lying), np.random.default_rng(9))

    first = picture(sheet, 1)
    assert np.array_equal(picture(sheet, 1), first)
    assert not np.array_equal(picture(sheet, 2), first)
    corner = (slice(0, 20), slice(0, 20))
    bare = sheet.table(SMALL, np.random.default_rng(1), np.random.default_rng(9))
    assert np.abs(bare[corner].astype(int) - picture(other, 1)[corner]).mean() < 12


def test_another_hand_leaves_other_strokes() -> None:
    sheet = SimulatedSheet(4)
    sheet.hold(STYLES["faint"])
    sheet.colour({"r1c1.background": "blue"})
    firm = SimulatedSheet(4)
    firm.hold(STYLES["firm"])
    firm.colour({"r1c1.background": "blue"})
    faint_light, firm_light = (
        float(one.photograph(SMALL, np.random.default_rng(1), np.random.default_rng(9)).mean()) for one in (sheet, firm)
    )
    assert firm_light < faint_light


def test_an_owners_sheet_looks_like_the_picture_of_the_blank_one(tmp_path: Path) -> None:
    """Print that its file does not describe comes from the picture."""
    layout = load_layout()
    rows, columns = (round(side * PAGE_PX_PER_MM) for side in layout.size[::-1])
    picture = np.full((rows, columns, 3), 230, np.uint8)
    picture[100:140, 200:300] = (40, 40, 220)
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), picture)
    page = pictured_page(blank, layout.size)
    assert page is not None
    assert page[50, 50] == pytest.approx([1, 1, 1], abs=0.01)
    assert page[120, 250] == pytest.approx([0.02, 0.02, 0.9], abs=0.04)
    assert pictured_page(tmp_path / "gone.png", layout.size) is None
    owned = replace(layout, fiducials=Fiducials("corners", blank=str(blank)))
    light = SheetConditions(width_px=800, height_px=600, turn_deg=0, tilt_deg=0, exposure=1.0)
    seen = SimulatedSheet(1, None, load_sheet(), owned, swatched=False).photograph(light).astype(int)
    assert ((seen[..., 2] - seen[..., 0]) > 90).mean() > 0.001
    gone = replace(layout, fiducials=Fiducials("corners", blank="gone.png"))
    printed = SimulatedSheet(1, None, load_sheet(), gone, swatched=False).photograph(light).astype(int)
    assert ((printed[..., 2] - printed[..., 0]) > 90).mean() < 0.0005


def test_a_pencil_lies_on_the_page_and_leaves_the_rest_as_it_is() -> None:
    straight = SheetConditions(640, 480, tilt_deg=0, turn_deg=0, noise=0)
    bare, covered = (
        SimulatedSheet(4).photograph(straight, np.random.default_rng(2), np.random.default_rng(3), pencil)
        for pencil in (None, np.random.default_rng(5))
    )
    changed = np.abs(bare.astype(int) - covered).max(axis=2) > 6
    px_per_mm = 640 * straight.fill / LAYOUT.size[0]
    thin_mm, long_mm = np.sqrt(12 * np.linalg.eigvalsh(np.cov(np.argwhere(changed).T))) / px_per_mm
    assert 100 < long_mm < 180, "most of it"
    assert 7 < thin_mm < 15, "and its shadow's edge"
