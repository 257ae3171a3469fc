"""Test that nothing is read into what a camera cannot see: under a smear on its lens, or anywhere."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.patchwork.cells import cell_index, mask_of
from companion.games.patchwork.decisions import TakePatch, cells_covered
from companion.patchwork.reading.verdict import Complaint, Question, Reading, Reason, Verdict
from tests.companion.patchwork.conftest import Scene

CELL_MM = 181 / 9
ZIG = ("D4", "E4", "E5", "F5")


def _cell_px(corners: NDArray[np.float32]) -> float:
    return float(np.hypot(*(corners[1] - corners[0]))) / 9


@dataclass
class Smeared:
    """A table as seen through a lens that is smeared over some cells of seat 1's quilt.

    Attributes:
        table: the table.
        cells: the smeared cells; every cell if there are none.
        share: the share of light that the smear scatters.
        blur_cells: its blur.
    """

    table: Any
    cells: tuple[str, ...]
    share: float
    blur_cells: float = 0.5
    _smear: NDArray[np.float32] | None = None

    def frame(self, t_s: float) -> NDArray[np.uint8]:
        """Return the table's picture through this lens, with noise."""
        image = self.table.frame(t_s).astype(np.float32)
        if self._smear is None:
            self._smear = self._smear_of(image.shape[:2])
        # Beyond the smear the lens is clean.
        rows, columns = (slice(at.min(), at.max() + 1) for at in np.nonzero(self._smear > 0.001))
        corners = np.asarray(self.table.grid_corners_px()[0], np.float32)
        soft = cv2.GaussianBlur(image[rows, columns], (0, 0), self.blur_cells * _cell_px(corners))
        veil = cv2.blur(image, (301, 301))[rows, columns]
        smear = self._smear[rows, columns, None]
        image[rows, columns] *= 1 - smear
        image[rows, columns] += smear * ((1 - self.share) * soft + self.share * veil)
        image += 1.5 * np.random.default_rng(round(t_s * 1000)).standard_normal(image.shape, np.float32)
        return np.asarray(np.clip(image, 0, 255), np.uint8)

    def _smear_of(self, size: tuple[int, ...]) -> NDArray[np.float32]:
        corners = np.asarray(self.table.grid_corners_px()[0], np.float32)
        to_image = cv2.getPerspectiveTransform(np.array([[0, 0], [9, 0], [9, 9], [0, 9]], np.float32), corners)
        cell_px = _cell_px(corners)
        shape = np.zeros(size, np.float32)
        if not self.cells:
            shape[:] = 1
        for name in self.cells:
            row, column = divmod(cell_index(name), 9)
            middle = cv2.perspectiveTransform(np.array([[[column + 0.5, row + 0.5]]], np.float32), to_image)[0, 0]
            cv2.circle(shape, (round(float(middle[0])), round(float(middle[1]))), round(1.5 * cell_px), 1.0, -1)
        # No smear has a sharp edge, because the camera does not focus on its lens.
        return np.asarray(cv2.GaussianBlur(shape, (0, 0), 0.7 * cell_px), np.float32)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.table, name)


def _scene(*cells: str, share: float) -> Scene:
    scene = Scene()
    scene.table = Smeared(scene.table, cells, share)  # type: ignore[assignment]  # It is a table in all but its lens.
    scene.show(6)
    return scene


def _is_wrong(verdict: Verdict, right: TakePatch) -> bool:
    """Return whether a verdict takes another decision, or says that nothing was laid."""
    if isinstance(verdict, Reading):
        return verdict.decision != right
    return isinstance(verdict, Complaint) and verdict.reason is Reason.NOTHING_PLACED


@pytest.mark.parametrize(("hidden", "share"), [("D4", 0.4), ("F5", 0.95)])
def test_a_cell_of_a_patch_under_a_smear_is_not_silently_held_to_be_bare(hidden: str, share: float) -> None:
    scene = _scene(hidden, share=share)
    scene.lay(1, "zig-b3", ZIG)
    verdict = scene.read()
    right = TakePatch(1, "zig-b3", mask_of(ZIG))
    if isinstance(verdict, Reading):
        assert cells_covered(verdict.decision) == right.cells
    elif isinstance(verdict, Question):
        assert right.cells in {cells_covered(option) for option in verdict.options}


def test_players_are_told_that_nothing_can_be_seen() -> None:
    scene = _scene(share=0.98)
    scene.lay(1, "tee", ("D4", "E4", "F4", "E5"))
    verdict = scene.read()
    assert not _is_wrong(verdict, TakePatch(1, "tee", mask_of(("D4", "E4", "F4", "E5"))))
    if isinstance(verdict, Complaint):
        assert "blurred" in verdict.says


def test_a_nudged_patch_is_seen_as_well_as_the_board_around_it() -> None:
    scene = Scene()
    scene.show(6)
    tee = scene.lay(1, "tee", ("D4", "E4", "F4", "E5"))
    verdict = scene.read()
    assert isinstance(verdict, Reading), verdict
    scene.take(verdict.decision)
    scene.table.move(1, tee, tee.pose.moved(0.0, 0.5 * CELL_MM))
    scene.read()
    observation = scene.observer.observed(1)
    assert observation is not None
    assert observation.visibility[4:7, 4:7].min() > 0.7
