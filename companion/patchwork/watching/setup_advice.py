"""Advice on the set-up: light, lenses and cameras' places with which quilts are read badly.

The limits are measured on the simulated table (`bench/reading/first_look.py` prints how far ordinary evenings stay
below them).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.mat import load_mat
from companion.languages import all_of, counted, said
from companion.patchwork.watching.opening import leftovers
from vision.board.quality import BoardView, board_light, board_view, line_blur_px, table_light
from vision.fiducials import FiducialDetector
from vision.geometry import FailedFit, Homography, fit_homography, rectify


class BoardFindingKind(StrEnum):
    """The subject of a finding, for programs."""

    DARK = "dark"
    BRIGHT = "bright"
    UNEVEN = "uneven"
    MIXED = "mixed"
    GLARE = "glare"
    BLURRED = "blurred"
    SMALL = "small"
    OUTSIDE = "outside"
    SLANTED = "slanted"
    BENT = "bent"


class Severity(StrEnum):
    """NOTE: the game can begin, but is read worse. BAD: quilts will be misread or asked about; correct it first."""

    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class BoardFinding:
    """One thing to improve, with a sentence on the fault and its remedy; without a seat it is about the whole table."""

    kind: BoardFindingKind
    severity: Severity
    says: str
    seat: int | None = None


DIM_WHITE: Final = 165.0
"""Grey level of the brightest objects; ordinary evenings have 190 to 235, 45 % of their light gives 136 to 162."""
DARK_WHITE: Final = 125.0
"""The same at a quarter of the light: 106 to 125."""
FALL: Final = 0.5
"""Relative fall of the light across the table; ordinarily below 0.35, a light that falls by 70 % has 0.57 to 0.79."""
STEEP_FALL: Final = 0.7
TINT: Final = 0.3
"""Change of the ratio of red to blue over one board; ordinary boards stay below 0.2."""
VEIL: Final = 12.0
"""Grey levels added by a lamp; ordinary boards stay below 8, one that reflects a lamp has 24 to 34."""
STRONG_VEIL: Final = 40.0
SOFT_CELLS: Final = 0.05
"""Sigma of the printed lines' blur over a cell's width; ordinarily 0.029, at four times the ordinary blur 0.061."""
BLURRED_CELLS: Final = 0.07
SMALL_CELL_PX: Final = 24.0
"""The cell width in the picture of a camera one metre above the table."""
LEAST_CELL_PX: Final = 18.0
SLANTED_DEG: Final = 32.0
"""Ordinary tables stay below 26 degrees; a camera tilted by 35 sees boards under 33 to 42."""
STEEP_DEG: Final = 50.0
BENT_CELLS: Final = 0.022
"""Median distance of markers from a common plane; ordinarily 0.012, a wide lens that distorts by a tenth has 0.033."""
TOO_DARK: Final = said("It is too dark: switch on a lamp.")
TOO_BRIGHT: Final = said(
    "It is too bright: white areas are overexposed. Dim the lamp, or set a shorter exposure ({key}).",
    key="[camera] exposure_us",
)
_CORNERS: Final = ("A1", "I1", "I9", "A9")
_TOLERANCE_PX: Final = 5.0


def first_look(image: NDArray[np.uint8], quilts: Mapping[int, Homography]) -> tuple[BoardFinding, ...]:
    """Return what to improve before the game begins, the worst first; empty if all is well.

    Args:
        image: a settled frame, with both boards empty or with what was left on them, shape (height, width, 3), uint8,
            BGR.
        quilts: for each seat whose board was found, the map from cell space to pixels of the frame.
    """
    views = {seat: board_view(quilt, (image.shape[1], image.shape[0])) for seat, quilt in quilts.items()}
    found = [*_table(image, quilts), *_sharpness(image, quilts, views)]
    occupied = leftovers({seat: rectify(image, quilt) for seat, quilt in quilts.items()})
    for seat, quilt in quilts.items():
        # What lies on a board changes its colours as lamps do.
        found += [*(() if seat in occupied else _board(image, seat, quilt)), *_view(seat, views[seat])]
    if not any(finding.kind is BoardFindingKind.BLURRED for finding in found):
        # The measured corners of a blurred marker vary, whatever the lens does.
        found += _lens(image, views)
    # False sorts before true: what is bad comes first.
    return tuple(sorted(found, key=lambda finding: finding.severity is Severity.NOTE))


def _table(image: NDArray[np.uint8], quilts: Mapping[int, Homography]) -> Iterator[BoardFinding]:
    light = table_light(image, quilts.values())
    if light.white < DIM_WHITE:
        dark = light.white < DARK_WHITE
        says = TOO_DARK if dark else said("It is rather dark: more light helps.")
        yield BoardFinding(BoardFindingKind.DARK, Severity.BAD if dark else Severity.NOTE, says)
    if light.is_overexposed:
        yield BoardFinding(BoardFindingKind.BRIGHT, Severity.NOTE, TOO_BRIGHT)
    if light.fall > FALL:
        severity = Severity.BAD if light.fall > STEEP_FALL else Severity.NOTE
        says = said(
            "One side of the table gets less than half the light of the other: move the lamp closer to the middle."
        )
        yield BoardFinding(BoardFindingKind.UNEVEN, severity, says)


def _board(image: NDArray[np.uint8], seat: int, quilt: Homography) -> Iterator[BoardFinding]:
    light = board_light(image, quilt)
    if light.veil > VEIL:
        severity = Severity.BAD if light.veil > STRONG_VEIL else Severity.NOTE
        says = said("A lamp is reflected in seat {seat}’s board: move the lamp or the board a little.", seat=seat)
        yield BoardFinding(BoardFindingKind.GLARE, severity, says, seat)
    elif light.tint > TINT:
        says = said(
            "Lights of different colours mix on seat {seat}’s board: switch one off, or draw a curtain.", seat=seat
        )
        yield BoardFinding(BoardFindingKind.MIXED, Severity.NOTE, says, seat)


def _view(seat: int, view: BoardView) -> Iterator[BoardFinding]:
    if view.outside:
        says = said(
            "Seat {seat}’s board is partly outside the picture, at {cells}: move the board or the camera.",
            seat=seat,
            cells=all_of([_CORNERS[index] for index in view.outside]),
        )
        yield BoardFinding(BoardFindingKind.OUTSIDE, Severity.BAD, says, seat)
    if view.cell_px < SMALL_CELL_PX:
        severity = Severity.BAD if view.cell_px < LEAST_CELL_PX else Severity.NOTE
        says = said(
            "Seat {seat}’s board is small in the picture, {px} px per square: bring the camera closer.",
            seat=seat,
            px=round(view.cell_px),
        )
        yield BoardFinding(BoardFindingKind.SMALL, severity, says, seat)
    if view.oblique_deg > SLANTED_DEG:
        severity = Severity.BAD if view.oblique_deg > STEEP_DEG else Severity.NOTE
        says = counted(
            "The camera sees seat {seat}’s board at an angle of {count} degree: point it down more steeply.",
            "The camera sees seat {seat}’s board at an angle of {count} degrees: point it down more steeply.",
            round(view.oblique_deg),
            seat=seat,
        )
        yield BoardFinding(BoardFindingKind.SLANTED, severity, says, seat)


def _sharpness(
    image: NDArray[np.uint8], quilts: Mapping[int, Homography], views: Mapping[int, BoardView]
) -> Iterator[BoardFinding]:
    blurs = [line_blur_px(image, quilt) / views[seat].cell_px for seat, quilt in quilts.items()]
    # Lines that are not seen at all, on a board of their own colour, are no evidence.
    blur = max((value for value in blurs if np.isfinite(value)), default=0.0)
    if blur > BLURRED_CELLS:
        yield BoardFinding(
            BoardFindingKind.BLURRED, Severity.BAD, said("The picture is blurred: focus the camera on the table.")
        )
    elif blur > SOFT_CELLS:
        says = said("The picture is a little soft: focus the camera on the table.")
        yield BoardFinding(BoardFindingKind.BLURRED, Severity.NOTE, says)


def _lens(image: NDArray[np.uint8], views: Mapping[int, BoardView]) -> Iterator[BoardFinding]:
    """Yield findings on the lens, whose distortion shows in the flat print of the mats."""
    mat, found = load_mat(), _detector().detect(image)
    worst = 0.0
    for seat, view in views.items():
        ids = mat.seats.get(seat, ())
        if not ids or not all(marker in found for marker in ids):
            continue
        printed = np.concatenate([mat.marker_corners_mm(index) for index in range(len(ids))])
        seen = np.concatenate([found[marker] for marker in ids])
        fit = fit_homography(printed, seen, _TOLERANCE_PX)
        # Markers that fit no plane are at least this far off it.
        off_px = _TOLERANCE_PX if isinstance(fit, FailedFit) else float(np.median(fit.residuals(printed, seen)))
        worst = max(worst, off_px / view.cell_px)
    if worst > BENT_CELLS:
        says = said(
            "The lens bends straight lines: calibrate it, or move the boards closer to the middle of the picture."
        )
        yield BoardFinding(BoardFindingKind.BENT, Severity.NOTE, says)


@cache
def _detector() -> FiducialDetector:
    return FiducialDetector(load_mat().dictionary)
