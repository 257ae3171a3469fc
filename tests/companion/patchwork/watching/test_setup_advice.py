from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bench.stresses import STRESSES
from companion.patchwork.watching.setup_advice import BoardFinding, BoardFindingKind, Severity, first_look
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from vision.geometry import GRID_CORNERS, Homography, through_corners

Image = NDArray[np.uint8]


def _seen(conditions: Conditions, seed: int, mats: bool = True) -> tuple[Image, dict[int, Homography]]:
    table = SimulatedTable(seed, conditions, mats=mats)
    corners = zip((1, 2), table.grid_corners_px(), strict=True)
    return table.frame(0.0), {seat: through_corners(GRID_CORNERS, places) for seat, places in corners}


def _kinds(found: tuple[BoardFinding, ...]) -> set[BoardFindingKind]:
    return {finding.kind for finding in found}


@pytest.fixture(scope="module")
def ordinary() -> tuple[Image, dict[int, Homography]]:
    return _seen(Conditions(), 0)


def test_an_ordinary_table_leaves_nothing_to_be_desired(ordinary: tuple[Image, dict[int, Homography]]) -> None:
    assert first_look(*ordinary) == ()
    assert first_look(*_seen(Conditions(), 3, mats=False)) == ()


@pytest.mark.parametrize(
    ("stress", "seed", "kind"),
    [
        ("gradient", 0, BoardFindingKind.UNEVEN),
        ("exposure", 0, BoardFindingKind.BRIGHT),
        ("dim", 1, BoardFindingKind.DARK),
        ("defocus", 1, BoardFindingKind.BLURRED),
        ("height", 1, BoardFindingKind.SMALL),
        ("tilt", 1, BoardFindingKind.SLANTED),
        ("wide-lens", 0, BoardFindingKind.BENT),
    ],
)
def test_the_harshest_step_of_each_stress_is_found(stress: str, seed: int, kind: BoardFindingKind) -> None:
    found = first_look(*_seen(STRESSES[stress][-1], seed, mats=seed == 0))
    assert kind in _kinds(found)
    for finding in found:
        assert finding.says.endswith(".")
        assert finding.says.count(":") == 1, "what is seen, and what to do"
        assert finding.seat is None or f"eat {finding.seat}’s board" in finding.says


def test_a_patch_left_on_a_board_is_not_taken_for_a_reflected_lamp() -> None:
    table = SimulatedTable(0, Conditions(), mats=False)
    for cells in ([(0, 0), (0, 1), (0, 2), (1, 1)], [(3, 3), (3, 4), (3, 5), (4, 4)]):
        table.lay(1, "tee", cells)
    corners = zip((1, 2), table.grid_corners_px(), strict=True)
    found = first_look(table.frame(0.0), {seat: through_corners(GRID_CORNERS, places) for seat, places in corners})
    assert BoardFindingKind.GLARE not in _kinds(found)


def test_a_lamp_that_mirrors_in_a_board_is_found_at_its_seat(ordinary: tuple[Image, dict[int, Homography]]) -> None:
    image, quilts = ordinary
    x, y = quilts[2](np.array([4.0, 5.0]))
    rows, columns = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    blob = 70 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 40.0**2))
    mirrored = np.clip(image + blob[..., None], 0, 255).astype(np.uint8)
    found = first_look(mirrored, quilts)
    assert [(finding.kind, finding.seat) for finding in found] == [(BoardFindingKind.GLARE, 2)]
    assert "seat 2’s board" in found[0].says


def test_lights_of_two_colours_are_found(ordinary: tuple[Image, dict[int, Homography]]) -> None:
    image, quilts = ordinary
    across = np.linspace(-1, 1, image.shape[1])
    tint = np.stack((0.75 - 0.35 * across, np.full_like(across, 0.8), 0.75 + 0.35 * across), axis=1)
    mixed = np.clip(((image / 255.0) ** 2.2 * tint) ** (1 / 2.2) * 255, 0, 255).astype(np.uint8)
    assert {(finding.kind, finding.seat) for finding in first_look(mixed, quilts)} >= {
        (BoardFindingKind.MIXED, 1),
        (BoardFindingKind.MIXED, 2),
    }


def test_a_board_that_hangs_out_of_the_picture_is_named_with_its_corners(
    ordinary: tuple[Image, dict[int, Homography]],
) -> None:
    image, quilts = ordinary
    left = round(float(quilts[1](GRID_CORNERS)[:, 0].mean()))
    cut = np.ascontiguousarray(image[:, left:])
    moved = {
        seat: Homography(np.array([[1.0, 0, -left], [0, 1, 0], [0, 0, 1]]) @ quilt.matrix)
        for seat, quilt in quilts.items()
    }
    found = [finding for finding in first_look(cut, moved) if finding.kind is BoardFindingKind.OUTSIDE]
    assert [(finding.seat, finding.severity) for finding in found] == [(1, Severity.BAD)]
    assert "at A1 and A9:" in found[0].says


def test_the_worst_finding_comes_first(ordinary: tuple[Image, dict[int, Homography]]) -> None:
    image, quilts = ordinary
    poor = cv2.GaussianBlur((image * 0.4).astype(np.uint8), (0, 0), 3.0)
    found = first_look(np.asarray(poor, np.uint8), quilts)
    assert {BoardFindingKind.DARK, BoardFindingKind.BLURRED} <= _kinds(found)
    severities = [finding.severity for finding in found]
    assert severities == sorted(severities, key=lambda severity: severity is Severity.NOTE)
    assert BoardFindingKind.BENT not in _kinds(found), "a blurred marker says nothing about the lens"


def test_with_no_board_found_the_table_is_looked_at_alone(ordinary: tuple[Image, dict[int, Homography]]) -> None:
    assert first_look(ordinary[0], {}) == ()
    assert _kinds(first_look(np.full((432, 768, 3), 30, np.uint8), {})) == {BoardFindingKind.DARK}
