"""Test objects and shadows on a simulated sheet: regions that they hide or discolour are asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.companion.kvilt.reading.conftest import MARKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.kvilt.reading.reader import SheetReader, SheetReading


def _silent(reading: SheetReading) -> list[str]:
    wrong = [name for name, colour in reading.seen.items() if colour != MARKS.get(name)]
    return [name for name in wrong if name not in reading.doubtful]


def _mask(
    photograph: NDArray[np.uint8], reading: SheetReading, polygon_mm: Sequence[tuple[float, float]], soft_mm: float
) -> NDArray[np.float32]:
    """Return a mask that is 1 inside a polygon on the page, shape (height, width, 1)."""
    points = np.round(reading.page.place(np.array(polygon_mm)) * 16).astype(np.int32)
    mask = np.zeros(photograph.shape[:2], np.float32)
    cv2.fillPoly(mask, [points], (1.0,), cv2.LINE_8, 4)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(soft_mm * reading.page.px_per_mm, 0.5)), np.float32)[..., None]


def _box(mask: NDArray[np.float32]) -> tuple[slice, slice]:
    """Return the rows and columns in which a mask is not 0."""
    x, y, width, height = cv2.boundingRect((mask > 0).astype(np.uint8))
    return slice(y, y + height), slice(x, x + width)


def _laid(
    photograph: NDArray[np.uint8],
    reading: SheetReading,
    polygon_mm: Sequence[tuple[float, float]],
    colour: tuple[int, int, int],
) -> NDArray[np.uint8]:
    """Return the photograph with an object of one colour on the page."""
    mask = _mask(photograph, reading, polygon_mm, 0.1)
    laid, box = photograph.copy(), _box(mask)
    laid[box] = np.round(photograph[box] * (1 - mask[box]) + np.array(colour) * mask[box])
    return laid


def _shaded(
    photograph: NDArray[np.uint8],
    reading: SheetReading,
    polygon_mm: Sequence[tuple[float, float]],
    left: tuple[float, float, float],
    soft_mm: float,
) -> NDArray[np.uint8]:
    """Return the photograph with a shadow on the page that leaves the share `left` of each channel's light."""
    mask = _mask(photograph, reading, polygon_mm, soft_mm)
    shaded, box = photograph.copy(), _box(mask)
    light = (photograph[box] / 255.0) ** 2.2 * (1 - mask[box] * (1 - np.array(left)))
    shaded[box] = np.round(255 * light ** (1 / 2.2))
    return shaded


@pytest.mark.parametrize("colour", [(45, 45, 190), (235, 238, 240)], ids=["red", "white"])
def test_an_object_across_the_sheet_hides_the_regions_below(
    reader: SheetReader, photograph: NDArray[np.uint8], reading: SheetReading, colour: tuple[int, int, int]
) -> None:
    """A pencil or a strip of paper, from the second row's first cell to the fourth row's fourth."""
    again = reader.read(_laid(photograph, reading, [(22, 52), (26, 46), (86, 88), (82, 94)], colour))
    assert _silent(again) == []
    assert {"r2c1.background", "r3c2.picture", "r4c3.background"} <= set(again.doubtful)
    assert len(again.doubtful) < 25
    assert again.remarks[-1].startswith("Something is on the sheet")
    assert set(again.hidden) <= set(again.doubtful)
    assert reading.remarks == ()


def test_a_hand_hides_all_that_is_under_it_and_a_sample_that_is_hidden_is_guessed_at(
    reader: SheetReader, photograph: NDArray[np.uint8], reading: SheetReading
) -> None:
    image = _laid(photograph, reading, [(160, 20), (206, 20), (206, 74), (160, 74)], (120, 150, 200))
    again = reader.read(_laid(image, reading, [(148, 117), (164, 117), (164, 131), (148, 131)], (200, 150, 60)))
    assert _silent(again) == []
    assert {"e5.1", "e5.2", "e5.3", "e5.4", "e5.5", "e3a.1", "e3a.2", "e3a.3", "e3b.1", "e3b.2", "e3b.3"} <= set(
        again.doubtful
    )
    assert len(again.doubtful) < 15
    assert "red" in again.notes[0]


def test_rules_do_not_make_a_hidden_region_certain(
    reader: SheetReader, photograph: NDArray[np.uint8], reading: SheetReading
) -> None:
    """The cell between two brown ones is brown by the rules; a brown object is on it."""
    assert reading.seen["r4c2.picture"] == "brown"
    again = reader.read(_laid(photograph, reading, [(40, 85), (54, 85), (54, 94), (40, 94)], (70, 95, 130)))
    assert "r4c2.picture" in again.doubtful
    assert again.hidden
    assert again.remarks == (), "a stain cannot be taken away"
    assert again.likely["r4c2.picture"] < 0.95


@pytest.mark.parametrize(
    ("left", "soft_mm"), [((0.45, 0.45, 0.45), 0.1), ((0.35, 0.4, 0.45), 1.0)], ids=["grey", "warm and soft"]
)
def test_a_hard_shadow_makes_no_other_colour_in_silence(
    reader: SheetReader,
    photograph: NDArray[np.uint8],
    reading: SheetReading,
    left: tuple[float, float, float],
    soft_mm: float,
) -> None:
    """A stripe of it over the blue fish and the yellow cups, another right through the brown stars."""
    stripes = [(18, 44), (60, 40), (60, 55), (30, 60), (55, 85), (80, 130), (60, 135)]
    again = reader.read(_shaded(photograph, reading, stripes, left, soft_mm))
    assert _silent(again) == []
    assert len(again.doubtful) < 30
