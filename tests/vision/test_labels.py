from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from hardware.simulated import stitches
from hardware.simulated.sprites import CELL_MM
from vision.labels import LABEL_CELL_PX, label_correlations, label_lean, sharpness

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

PAPER, INK, BLUE = (208, 226, 232), (38, 42, 55), (185, 125, 45)
PAIRS = [((2, 2), (7, 6)), ((4, 2), (7, 4)), ((1, 2), (5, 5)), ((10, 4), (3, 3)), ((0, 3), (10, 5))]


def _patch(scenes: type[Scenes], label: tuple[int, int], seed: int = 0) -> NDArray[np.uint8]:
    """A straight-on close-up of a patch, two cells by two, with its label on the lower left, as a printer might."""
    view = scenes.lay(scenes.board(seed), [(4, 4), (4, 5), (5, 4), (5, 5)], print_seed=seed)
    resized = cv2.resize(view[168:248, 168:248], None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    closeup = np.asarray(resized, np.uint8)
    left, top, cell = 22, 88, LABEL_CELL_PX
    cv2.rectangle(closeup, (left, top), (left + round(1.16 * cell), top + round(0.42 * cell)), PAPER, -1)
    middle = top + round(0.21 * cell)
    cv2.circle(closeup, (left + round(0.2 * cell), middle), round(0.125 * cell), BLUE, -1, cv2.LINE_AA)
    cost, time = label
    _number(closeup, str(cost), left + 0.44 * cell, middle)
    _number(closeup, str(time), left + 0.97 * cell, middle)
    x, wide, high = left + 0.7 * cell, 0.07 * cell, 0.12 * cell
    for end in (-1, 1):
        glass = np.array([[x - wide, middle + end * high], [x + wide, middle + end * high], [x, middle]])
        cv2.fillPoly(closeup, [np.rint(glass).astype(np.int32)], INK, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(closeup, (0, 0), 0.9), np.uint8)


def _number(image: NDArray[np.uint8], text: str, x: float, middle: int) -> None:
    font, thickness = cv2.FONT_HERSHEY_SIMPLEX, 2  # none of the fonts that the reader draws
    size = 0.6 if len(text) == 1 else 0.45
    (width, height), _ = cv2.getTextSize(text, font, size, thickness)
    cv2.putText(image, text, (round(x - width / 2), middle + height // 2), font, size, INK, thickness, cv2.LINE_AA)


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("pair", PAIRS)
def test_the_label_that_is_printed_fits_better_in_every_turn_and_mirrored(
    scenes: type[Scenes], pair: tuple[tuple[int, int], tuple[int, int]], quarters: int, mirrored: bool
) -> None:
    printed = pair[quarters % 2]
    turned = np.rot90(_patch(scenes, printed, seed=quarters), quarters)
    closeup = np.ascontiguousarray(turned[:, ::-1] if mirrored else turned)
    fits = label_correlations(closeup, pair)
    assert fits.shape == (2,)
    assert int(fits.argmax()) == quarters % 2
    assert fits.max() - fits.min() > 0.01
    assert fits.max() > 0.5


@pytest.mark.parametrize("tilt_deg", [-10, 7])
def test_a_patch_laid_a_little_askew_is_read(scenes: type[Scenes], tilt_deg: float) -> None:
    closeup = _patch(scenes, (7, 6))
    about = cv2.getRotationMatrix2D((80.0, 80.0), tilt_deg, 1.0)
    askew = cv2.warpAffine(closeup, about, (160, 160), borderMode=cv2.BORDER_REPLICATE)
    fits = label_correlations(np.asarray(askew, np.uint8), [(2, 2), (7, 6)])
    assert fits[1] > fits[0] + 0.01


def test_the_order_of_the_candidates_does_not_matter(scenes: type[Scenes]) -> None:
    closeup = _patch(scenes, (4, 2))
    fits = label_correlations(closeup, [(4, 2), (7, 4), (1, 2)])
    turned_round = label_correlations(closeup, [(1, 2), (7, 4), (4, 2)])
    np.testing.assert_array_equal(fits, turned_round[::-1])


def test_dim_light_leaves_the_label_readable(scenes: type[Scenes]) -> None:
    closeup = scenes.noisy(scenes.lit(_patch(scenes, (7, 6)), 0.45, slope=0.4), 3, deviation=3)
    fits = label_correlations(closeup, [(2, 2), (7, 6)])
    assert fits[1] > fits[0] + 0.01


def test_a_patch_without_a_label_fits_all_of_them_badly(scenes: type[Scenes]) -> None:
    view = scenes.lay(scenes.board(), [(4, 4), (4, 5), (5, 4), (5, 5)])
    closeup = np.asarray(cv2.resize(view[168:248, 168:248], None, fx=2, fy=2), np.uint8)
    fits = label_correlations(closeup, [(2, 2), (7, 6)])
    labelled = label_correlations(_patch(scenes, (7, 6), seed=1), [(2, 2), (7, 6)])
    assert fits.max() < labelled.max() - 0.1


def test_a_closeup_too_small_for_a_label_says_so(scenes: type[Scenes]) -> None:
    tiny = scenes.board()[:20, :20]
    assert label_correlations(tiny, [(2, 2), (7, 6)]).tolist() == [-1.0, -1.0]


def test_correlations_are_correlations(scenes: type[Scenes]) -> None:
    fits = label_correlations(_patch(scenes, (5, 5)), [(cost, time) for cost, time in pairwise(range(11))])
    assert (np.abs(fits) <= 1.0).all()


def test_what_looks_like_no_label_is_not_looked_at_closely(scenes: type[Scenes]) -> None:
    labels = [(2, 2), (7, 6)]
    labelled, cloth = _patch(scenes, (7, 6)), scenes.lay(scenes.board(), [(4, 4), (4, 5), (5, 4), (5, 5)])
    np.testing.assert_array_equal(label_correlations(labelled, labels, 0.5), label_correlations(labelled, labels))
    assert label_correlations(np.ascontiguousarray(cloth[168:248, 168:248]), labels, 0.5).max() < 0.5


def test_two_digits_are_read_however_wide_they_are_set(scenes: type[Scenes]) -> None:
    """Some printings set them closer, others make the label longer."""
    labels = [(cost, 4) for cost in (1, 5, 7, 10)]
    sprite, _ = stitches.label(10, 4, LABEL_CELL_PX / CELL_MM)
    longer = _patch(scenes, (1, 4))
    longer[88 : 88 + sprite.shape[0], 22 : 22 + sprite.shape[1]] = sprite
    for closeup in (_patch(scenes, (10, 4)), longer):
        assert int(label_correlations(closeup, labels).argmax()) == 3


def test_what_is_out_of_focus_is_less_sharp(scenes: type[Scenes]) -> None:
    closeup = _patch(scenes, (4, 2))
    blurred = [np.asarray(cv2.GaussianBlur(closeup, (0, 0), sigma), np.uint8) for sigma in (1.0, 2.0, 4.0, 8.0)]
    sharp = [sharpness(each) for each in (closeup, *blurred)]
    assert all(finer > coarser for finer, coarser in pairwise(sharp))
    assert sharpness(np.full_like(closeup, 90)) == 0.0


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("pair", [((1, 3), (3, 1)), ((2, 2), (7, 6))])
def test_blurred_labels_lean_towards_what_is_printed(
    scenes: type[Scenes], pair: tuple[tuple[int, int], tuple[int, int]], quarters: int, mirrored: bool
) -> None:
    leans = []
    for printed in pair:
        blurred = cv2.GaussianBlur(_patch(scenes, printed, seed=quarters), (0, 0), 3.5)
        turned = np.rot90(blurred, quarters)
        leans.append(label_lean(np.ascontiguousarray(turned[:, ::-1] if mirrored else turned), *pair))
    assert leans[0] > leans[1] + 4


def test_labels_lean_the_other_way_the_other_way_round(scenes: type[Scenes]) -> None:
    closeup = _patch(scenes, (1, 3))
    assert label_lean(closeup, (1, 3), (3, 1)) == pytest.approx(-label_lean(closeup, (3, 1), (1, 3)), abs=1e-3)
    assert label_lean(np.full((12, 12, 3), 90, np.uint8), (1, 3), (3, 1)) == 0
    assert label_lean(np.full((120, 120, 3), 90, np.uint8), (1, 3), (3, 1)) == 0
