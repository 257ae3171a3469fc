"""Cut-outs of printed boards and patches, for scenes with one printing of the game.

A folder contains `board-*.png`, pictures of an empty board's grid, and `ID-*.png`, patches on transparency, oriented as
in `patches.toml`, with one cell of margin on each side; both with `STAMP_PX` pixels per cell. Owners can make one of
their own box; none comes with this program.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bench.quilts.laying import BOX, LEATHER

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from bench.pieces.textures import Field
    from bench.quilts.laying import Laid

STAMP_PX: Final = 40
_MARGIN: Final = 1.5
_BOARD_PX: Final = 12 * STAMP_PX


@dataclass(frozen=True, slots=True, eq=False)
class Stamps:
    """The cut-outs of a printing.

    Attributes:
        boards: pictures of the grid, shape (9 * STAMP_PX, 9 * STAMP_PX, 3), uint8.
        patches: pictures by index into `BOX`, or LEATHER, shape (height, width, 4), uint8.
    """

    boards: list[NDArray[np.uint8]]
    patches: dict[int, list[NDArray[np.uint8]]]

    def board(self, rng: np.random.Generator) -> Field:
        """Return a random board that fills the drawing, its border being a blurred continuation of the grid."""
        chosen = np.rot90(self.boards[int(rng.integers(len(self.boards)))], int(rng.integers(4)))
        grown = round(_MARGIN * STAMP_PX)
        wide = cv2.copyMakeBorder(np.ascontiguousarray(chosen), grown, grown, grown, grown, cv2.BORDER_REFLECT_101)
        border = np.median(chosen.reshape(-1, 3), axis=0).astype(np.float32)
        soft = cv2.GaussianBlur(wide, (0, 0), 6.0).astype(np.float32) * 0.3 + 0.7 * border
        soft[grown:-grown, grown:-grown] = chosen
        return np.asarray(soft, np.float32)

    def patch(self, rng: np.random.Generator, laid: Laid) -> NDArray[np.uint8] | None:
        """Return the cut-out of a patch in its orientation, or None if there is none."""
        known = self.patches.get(laid.patch)
        if not known:
            return None
        stamp = known[int(rng.integers(len(known)))]
        if laid.patch == LEATHER:
            return np.ascontiguousarray(np.rot90(stamp, int(rng.integers(4))))
        shape = np.array(BOX[laid.patch].cells)
        sought = _filled(laid.cells)
        for mirrored in (False, True):
            for turn in range(4):
                turned = np.rot90(_filled(shape), turn)
                if np.array_equal(turned[:, ::-1] if mirrored else turned, sought):
                    picture = np.rot90(stamp, turn)
                    return np.ascontiguousarray(picture[:, ::-1] if mirrored else picture)
        raise AssertionError(laid)


def _filled(cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    low = cells - cells.min(axis=0)
    mask = np.zeros(low.max(axis=0) + 1, np.bool_)
    mask[tuple(low.T)] = True
    return mask


def load_stamps(folder: Path) -> Stamps:
    """Read a folder of cut-outs."""
    numbers = {patch.id: number for number, patch in enumerate(BOX)} | {"leather": LEATHER}
    boards = [_read(path)[..., :3] for path in sorted(folder.glob("board-*.png"))]
    patches: dict[int, list[NDArray[np.uint8]]] = {}
    for path in sorted(folder.glob("*.png")):
        name = path.stem.rpartition("-")[0]
        if name in numbers:
            patches.setdefault(numbers[name], []).append(_read(path))
    return Stamps(boards, patches)


def _read(path: Path) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), np.uint8)
