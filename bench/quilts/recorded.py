"""Views of boards from table recordings with a truth file beside them (`NAME/`, `NAME.truth.json`)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from bench.quilts.laying import BOX, LEATHER, Laid
from bench.quilts.photographed import SPOTS, UNKNOWN, VIEW_CELL_PX, VIEW_MARGIN, VIEW_PX, Example, truths_of
from companion.games.patchwork.cells import SIDE, cell_index

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_NUMBERS: Final = {patch.id: number for number, patch in enumerate(BOX)}
# The step between frames used; at least two similar settled frames precede every press.
_EVERY: Final = 2


def recorded_boards(truth: Path) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.float64], list[Laid]]]:
    """Yield picture, corners and pieces of each board in settled frames without hands."""
    told = json.loads(truth.read_text())
    folder = truth.with_name(truth.name.removesuffix(".truth.json")) / "frames"
    still = [each for each in told["frames"] if each["settled"] and not any(each["hand"])]
    for frame in still[1::_EVERY]:
        image = cv2.imread(str(folder / frame["frame"]), cv2.IMREAD_COLOR)
        if image is None:
            continue
        for seat, (quilt, corners) in enumerate(zip(frame["quilts"], frame["corners"], strict=True), start=1):
            laid = _laid(told["decisions"][: frame["after"]], seat)
            covered = np.array([[cell == "X" for cell in row] for row in quilt])
            if corners and np.array_equal(truths_of(laid)[0] >= 0, covered):
                yield np.asarray(image, np.uint8), np.asarray(corners, np.float64), laid


def _laid(decisions: list[dict[str, Any]], seat: int) -> list[Laid]:
    """Return the pieces that a seat has laid by these decisions."""
    mine = [each for each in decisions if each["seat"] == seat and "cells" in each]
    return [
        Laid(
            _NUMBERS[each["patch"]] if each["move"] == "patch" else LEATHER,
            np.array([divmod(cell_index(name), SIDE) for name in each["cells"]]),
        )
        for each in mine
    ]


def recorded_examples(truth: Path, rng: np.random.Generator) -> list[Example]:
    """Return the boards as examples, each with a random error of its corners."""
    return [_example(*board, rng) for board in recorded_boards(truth)]


def _example(
    image: NDArray[np.uint8], corners: NDArray[np.float64], laid: list[Laid], rng: np.random.Generator
) -> Example:
    cell_px = float(np.hypot(*(np.roll(corners, 1, axis=0) - corners).T).mean()) / SIDE
    seen = corners + rng.normal(0, rng.choice([0.01, 0.03, 0.06]) * cell_px, (4, 2))
    first, last = VIEW_MARGIN * VIEW_CELL_PX - 0.5, (VIEW_MARGIN + SIDE) * VIEW_CELL_PX - 0.5
    square = np.array([[first, first], [last, first], [last, last], [first, last]], np.float32)
    warp = cv2.getPerspectiveTransform(seen.astype(np.float32), square)
    view = cv2.warpPerspective(image, warp, (VIEW_PX, VIEW_PX), borderMode=cv2.BORDER_REPLICATE)
    unknown = np.full((2, SPOTS, SPOTS), UNKNOWN, np.uint8)
    return Example(np.asarray(view, np.uint8), *truths_of(laid), unknown)
