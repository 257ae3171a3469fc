"""The beginning of a game at the table: boards that are not empty, and advice on the set-up.

The limits of the advice are measured on the simulated table (`bench/reading/first_look.py` prints how far ordinary
evenings stay below them).
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from calibration.mat import load_mat
from calibration.stored import Profile
from companion.calibrating.boards import covered_cells, is_empty
from companion.games.patchwork.cells import cell_name, mask_of
from companion.games.patchwork.rules import History
from companion.languages import Label, all_of, counted, said
from companion.lights import Lights
from companion.patchwork.watching.watch import TableWatch, lattice_of
from companion.play.events import Event, GameOpened, LookCalledOff, LookStarted, TableNoticed
from vision.board.quality import BoardView, TableLight, board_light, board_view, line_blur_px, table_light
from vision.fiducials import FiducialDetector
from vision.geometry import FailedFit, Homography, fit_homography, rectify
from vision.quilt.changes import changed, log_likelihood_ratio
from vision.quilt.look import changed_squares, is_alike, look_at, thumbnail

_LOG: Final = logging.getLogger(__name__)


class NeutralStart:
    """A wrapper of the light show that holds its neutral light until both boards have been seen.

    The empty boards' looks are compared with every later picture, and those are taken in the neutral light. A signal
    that must be shown meanwhile, such as a complaint, is shown, and no picture of it counts.
    """

    def __init__(self, lights: Lights, watch: TableWatch, history: History) -> None:
        self._lights, self._watch, self._history = lights, watch, history
        self._opened: GameOpened | None = None
        self._holds = False

    def __call__(self, event: Event) -> None:
        """Pass an event on to the show; the opening of a game is deferred until its boards have been seen."""
        if isinstance(event, GameOpened) and not self._watch.ready:
            self._opened = event
            self._hold()
            return
        if self._holds and isinstance(event, TableNoticed):
            # During a player's look the show leaves notices out; this look was not requested by a player.
            self._lights(LookCalledOff(event.state))
        self._holds = False
        self._lights(event)

    def tick(self, now_s: float) -> None:
        """Process the next frame, and show the strip's picture for it."""
        if self._watch.ready:
            self._begin()
        elif not self._lights.is_neutral:
            # No frame that a signal lights may become part of the empty references.
            self._watch.restart_rest()
            if self._lights.is_resting(now_s):
                self._hold()
        self._lights.tick(now_s)

    def _hold(self) -> None:
        self._holds = True
        self._lights(LookStarted(self._history.state))

    def _begin(self) -> None:
        """End the neutral light once both boards have been seen; show the deferred opening unless a signal is on."""
        opened, self._opened = self._opened, None
        if self._holds:
            self._holds = False
            self._lights(opened or LookCalledOff(self._history.state))


BOTH_SEEN: Final = said("Both quilt boards are seen.")
_MOST_NAMED: Final = 6


def occupied_cells(empty: NDArray[np.uint8], now: NDArray[np.uint8]) -> list[str]:
    """Return the names of a board's cells on which an object lies, by views of shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.

    A shadow's edge or a lamp's reflection that is new since the calibration changes cells, and a print may look like a
    patch; only cells that both methods report count.
    """
    ratios = log_likelihood_ratio(changed(look_at(empty), look_at(now)))[0][1:-1, 1:-1]
    if not (ratios > 0).any():
        return []  # Looking for patches takes longer.
    different = {cell_name(int(cell)) for cell in np.flatnonzero(ratios.reshape(-1) > 0)}
    return [name for name in covered_cells(now) if name in different]


class EmptyCheck:
    """A check, once both boards of a new game have come to rest, that they are as empty as when calibrated.

    If an object lies on a board, its calibrated look replaces the first pictures': a patch that a player laid early is
    then read like any other, and anything else leads to a complaint.
    """

    def __init__(
        self, watch: TableWatch, history: History, calibrated: Profile, say: Callable[[str], None], executor: Executor
    ) -> None:
        self._watch, self._history, self._calibrated = watch, history, calibrated
        self._say, self._executor = say, executor
        self._looking: Future[dict[int, list[str]]] | None = None
        self._done = bool(history.decisions)

    def tick(self, now_s: float) -> bool:
        """Process the next frame; return whether it was the last one needed."""
        del now_s
        # Too late: that decision was read against the boards as they were first seen.
        if self._done or self._history.decisions:
            self._done = True
        elif self._looking is None and self._watch.ready:
            self._looking = self._executor.submit(_look, self._calibrated.empty, self._watch.profile().empty)
        if not self._done and self._looking is not None and self._looking.done():
            self._done = True
            self._apply(self._looking)
        return self._done

    def _apply(self, looked: Future[dict[int, list[str]]]) -> None:
        try:
            found = looked.result()
        except Exception:
            # The game continues without the check.
            _LOG.exception("the empty boards could not be compared with the calibrated ones")
            return
        if not found:
            return
        seen = self._watch.profile()
        empty = {seat: (self._calibrated if seat in found else seen).empty[seat] for seat in SEATS}
        # No cell counts as covered, so that what lies there is read as new.
        self._watch.restore(Profile(empty, seen.places), dict.fromkeys(SEATS, 0))
        for seat, cells in found.items():
            self._say(_occupied_sentence(seat, cells))


def _occupied_sentence(seat: int, cells: Sequence[str]) -> str:
    """Return the sentence for a board that is not empty."""
    return said(
        "There is already something on seat {seat}’s board, at {cells}: take it off, unless it is the first patch.",
        seat=seat,
        cells=_some_of(cells),
    )


def _look(empty: Mapping[int, NDArray[np.uint8]], now: Mapping[int, NDArray[np.uint8]]) -> dict[int, list[str]]:
    """Return the cells on which an object lies, by seat, without empty boards."""
    return {seat: cells for seat in SEATS if (cells := occupied_cells(empty[seat], now[seat]))}


@dataclass(frozen=True, slots=True)
class BoardsStatus:
    """The subject of a notice on both boards: whether they are seen, empty, or why they are not."""

    are_seen: bool


class LeftoverCheck:
    """A check, at a table whose empty boards are not calibrated, that a new game begins with nothing on them.

    What lies there, such as the quilts of the last game, would be taken for part of the empty boards, and no look would
    be right after it is cleared. It is named, and the boards are seen anew once it is gone. A board that was seen empty
    meanwhile is known: what is laid on it before the other one is cleared is the first patch. A board that players have
    accepted with something on it, and clear before they lay its first patch, is learnt as it looks then.
    """

    def __init__(
        self, watch: TableWatch, history: History, say: Callable[[str, object], None], executor: Executor
    ) -> None:
        self._watch, self._history, self._say, self._executor = watch, history, say, executor
        self._looking: Future[dict[int, list[str]]] | None = None
        self._looks = Profile({}, {})
        # By seat: the thumbnails of the boards on which something lies, and the emptiest look of each board, with what
        # lies there.
        self._occupied: dict[int, NDArray[np.float32]] = {}
        self._emptiest: dict[int, tuple[list[str], NDArray[np.uint8]]] = {}
        self._said: dict[int, list[str]] = {}
        self._done = bool(history.decisions)
        # The seats whose board players have accepted with something on it, or None before.
        self._accepted: set[int] | None = None

    def tick(self, now_s: float) -> bool:
        """Process the next frame; return whether it was the last one needed."""
        del now_s
        if self._done:
            return True
        if self._accepted is not None:
            self._follow(self._accepted)
        elif self._history.decisions:
            # The players go on, as by a move that they enter by hand.
            self._watch.accept({seat: self._history.state.seat(seat).quilt for seat in SEATS})
            self._accept()
        elif self._watch.accepted:
            if self._watch.ready:
                self._accept()
                self._say(BOTH_SEEN, BoardsStatus(are_seen=True))
        elif self._occupied:
            if not self._is_untouched():
                self._occupied = {}
                self._watch.learn_anew()
        elif self._looking is None and self._watch.memories.complete:
            self._looks = self._watch.profile()
            self._looking = self._executor.submit(_leftovers, self._looks.empty)
        if self._accepted is None and self._looking is not None and self._looking.done():
            looked, self._looking = self._looking, None
            self._apply(looked)
        return self._done

    def _accept(self) -> None:
        self._accepted = {seat for seat, (cells, _) in self._emptiest.items() if cells}
        self._looking, self._occupied = None, {}

    def _follow(self, accepted: set[int]) -> None:
        """Learn accepted boards on which nothing is left, until their first patch is laid."""
        if self._looking is not None and self._looking.done():
            looked, self._looking = self._looking, None
            accepted -= {seat for seat in self._looks.empty if self._learn_cleared(seat, looked)}
        accepted -= {seat for seat in accepted if self._history.state.seat(seat).quilt}
        self._done = not accepted
        for seat in accepted if self._looking is None else ():
            if self._watch.readable(seat) and self._is_cleared(seat):
                self._occupied[seat] = self._watch.thumbnail(seat)
                self._looks = Profile({seat: self._watch.views[seat]}, {})
                self._looking = self._executor.submit(_leftovers, self._looks.empty)
                return

    def _is_cleared(self, seat: int) -> bool:
        """Return whether a board has changed since the last look, and only where, and beside where, something lay."""
        now, (cells, view) = self._watch.thumbnail(seat), self._emptiest[seat]
        if seat in self._occupied and is_alike(now, self._occupied[seat]):
            return False
        changed_now, left = changed_squares(now, thumbnail(view)), lattice_of(mask_of(cells))[1:-1, 1:-1]
        # By half a cell more, as people do not lay patches exactly on the grid.
        around = cv2.dilate(np.kron(left, np.ones((2, 2))), np.ones((3, 3))) > 0
        return bool(changed_now.any()) and not (changed_now & ~around).any()

    def _learn_cleared(self, seat: int, looked: Future[dict[int, list[str]]]) -> bool:
        """Learn a board that was looked at if nothing lies there and it is untouched since; return whether it was."""
        is_same = is_alike(self._watch.thumbnail(seat), self._occupied[seat]) if self._watch.settled(seat) else False
        if not is_same or looked.exception() is not None or looked.result():
            return False
        self._watch.learn(seat, self._looks.empty[seat])
        return True

    def _is_untouched(self) -> bool:
        return all(
            seat in self._watch.places and is_alike(self._watch.thumbnail(seat), seen)
            for seat, seen in self._occupied.items()
        )

    def _apply(self, looked: Future[dict[int, list[str]]]) -> None:
        try:
            found = looked.result()
        except Exception:
            # The game continues without the check.
            _LOG.exception("the boards could not be checked for what was left on them")
            self._done = True
            self._watch.trust()
            return
        for seat, view in self._looks.empty.items():
            if not self._is_added_to(seat, cells := found.get(seat, [])):
                self._emptiest[seat] = cells, view
        left = {seat: cells for seat, (cells, _) in self._emptiest.items() if cells}
        self._done = not left
        if found:
            self._withhold(left)
        else:
            self._watch.trust()
        if self._done and self._said:
            self._say(BOTH_SEEN, BoardsStatus(are_seen=True))
        self._said = left

    def _is_added_to(self, seat: int, cells: Sequence[str]) -> bool:
        """Return whether more lies on a board than in its emptiest look, and most of that still does."""
        before, _ = self._emptiest.get(seat, (None, None))
        return before is not None and len(before) < len(cells) and 2 * len({*before} & {*cells}) >= len(before)

    def _withhold(self, left: Mapping[int, list[str]]) -> None:
        """Withhold the boards because of what is left on them; if nothing is, take their emptiest looks for empty."""
        sentences = {seat: _leftover_sentence(seat, cells) for seat, cells in left.items()}
        self._occupied = {seat: self._watch.thumbnail(seat) for seat in left if seat in self._watch.places}
        looks = {seat: view for seat, (_, view) in self._emptiest.items()}
        self._watch.withhold(list(sentences.values()), Profile(looks, self._looks.places))
        if not left:
            self._watch.accept(dict.fromkeys(SEATS, 0))
        for seat, says in sentences.items():
            if self._said.get(seat) != left[seat]:
                self._say(says, BoardsStatus(are_seen=False))


def _leftovers(boards: Mapping[int, NDArray[np.uint8]]) -> dict[int, list[str]]:
    """Return the covered cells of boards that should be empty, by seat, without empty boards."""
    return {seat: cells for seat, view in boards.items() if not is_empty(view) and (cells := covered_cells(view))}


def _leftover_sentence(seat: int, cells: Sequence[str]) -> str:
    """Return the sentence for a board on which something lies when the game begins."""
    return said(
        "There is something on seat {seat}’s board, at {cells}. Take it off: the game begins with empty boards.",
        seat=seat,
        cells=_some_of(cells),
    )


def _some_of(cells: Sequence[str]) -> str:
    """Return the names of cells, or of the first ones and the number of the others."""
    more = len(cells) - _MOST_NAMED
    return all_of([*map(Label, cells[:_MOST_NAMED]), *([said("{count} more", count=more)] if more > 0 else [])])


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
FULL_WHITE: Final = 252.0
FULL_SHARE: Final = 0.01
"""The share of overexposed pixels; with 1.7 times the ordinary light paper has 4 %, ordinarily there are none."""
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
    occupied = _leftovers({seat: rectify(image, quilt) for seat, quilt in quilts.items()})
    for seat, quilt in quilts.items():
        # What lies on a board changes its colours as lamps do.
        found += [*(() if seat in occupied else _board(image, seat, quilt)), *_view(seat, views[seat])]
    if not any(finding.kind is BoardFindingKind.BLURRED for finding in found):
        # The measured corners of a blurred marker vary, whatever the lens does.
        found += _lens(image, views)
    # False sorts before true: what is bad comes first.
    return tuple(sorted(found, key=lambda finding: finding.severity is Severity.NOTE))


def is_overexposed(light: TableLight) -> bool:
    """Return whether white areas of a table are overexposed."""
    return light.full > FULL_SHARE or light.white >= FULL_WHITE


def _table(image: NDArray[np.uint8], quilts: Mapping[int, Homography]) -> Iterator[BoardFinding]:
    light = table_light(image, quilts.values())
    if light.white < DIM_WHITE:
        dark = light.white < DARK_WHITE
        says = TOO_DARK if dark else said("It is rather dark: more light helps.")
        yield BoardFinding(BoardFindingKind.DARK, Severity.BAD if dark else Severity.NOTE, says)
    if is_overexposed(light):
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
