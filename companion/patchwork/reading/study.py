"""A look and its verdict, drawn as one picture, so that an owner's bug report shows the reader's input."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.durable import write_whole
from companion.errors import CompanionError
from companion.games.patchwork.cells import names_of
from companion.games.patchwork.state import State
from companion.languages import said, system_says
from companion.ownership import as_owner_of
from companion.patchwork.reading.explain import Explanation
from companion.patchwork.reading.observer import Observation
from companion.patchwork.reading.verdict import Complaint, Question, Reading, Verdict
from companion.patchwork.watching.watch import mask_of_lattice
from vision.geometry import CELL_PX, GRID_CORNERS, MARGIN_CELLS, SIDE, VIEW_PX, cell_window
from vision.quilt.changes import LIMIT
from vision.quilt.look import WINDOW_PX
from vision.table.plane import PlacedPicture

_TITLE_PX: Final = 26
_LINE_PX: Final = 20
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_PAPER: Final = (250, 250, 250)
_INK: Final = (40, 30, 25)
# Opacity of the evidence's colour, at which the print below remains visible.
_TINT: Final = 0.45
# The limit of a window's ratio in `vision.quilt.changes`; windows that reach it have the full tint.
_WINDOW_LIMIT: Final = 4.0
_MOST_EXPLANATIONS: Final = 4
_LINE_CHARACTERS: Final = 190
# Sigma, in cells, of the smoothing of the light, which is estimated from unchanged windows.
_LIGHT_CELLS: Final = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """A look at the quilt of the seat to move, before the verdict; the likeliest explanation is first."""

    state: State
    observation: Observation
    explanations: Sequence[Explanation]
    verdict: Verdict


def draw_study(study: Study) -> NDArray[np.uint8]:
    """Draw the view, the expected look, the light between the two and the evidence by cell, side by side.

    Returns:
        Shape (height, 4 * VIEW_PX, 3), uint8, BGR. The text below is in English, for developers.
    """
    observation = study.observation
    panels = {
        "view": observation.look.view,
        "expected": observation.expected.view,
        "light": _light(observation),
        "evidence: red changed, blue as expected": _evidence(observation),
    }
    drawn = [np.vstack([_title(name), panel]) for name, panel in panels.items()]
    return np.vstack([np.hstack(drawn), _text(_lines(study), 4 * VIEW_PX)])


def _light(observation: Observation) -> NDArray[np.uint8]:
    """Return the ratio of the lights, smoothed over unchanged windows; grey is the light of the empty board."""
    certain = 1 / (1 + np.exp(np.clip(observation.windows, -_WINDOW_LIMIT, _WINDOW_LIMIT)))
    weights = cv2.resize(certain.astype(np.float32), (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_LINEAR)[:, :, None]
    sigma = _LIGHT_CELLS * CELL_PX
    ratio = cv2.GaussianBlur((observation.look.log - observation.expected.log) * weights, (0, 0), sigma)
    share = cv2.GaussianBlur(weights, (0, 0), sigma).reshape(VIEW_PX, VIEW_PX, 1)
    return np.asarray(np.clip(128 * np.exp(ratio / np.maximum(share, 1e-3)), 0, 255), np.uint8)


def _evidence(observation: Observation) -> NDArray[np.uint8]:
    """Return the view, each window tinted by its ratio, with the cells' ratios in figures."""
    strength = np.kron(np.clip(observation.windows / _WINDOW_LIMIT, -1, 1), np.ones((WINDOW_PX, WINDOW_PX)))
    colour = np.stack([np.clip(-strength, 0, 1), np.zeros_like(strength), np.clip(strength, 0, 1)], axis=-1) * 255
    tint = _TINT * np.abs(strength)[:, :, None]
    picture = np.asarray(observation.look.view * (1 - tint) + colour * tint, np.uint8)
    for row, column in np.ndindex(SIDE, SIDE):
        rows, columns = cell_window(row, column, 0)
        ratio = float(np.clip(observation.ratios[0, row + 1, column + 1], -LIMIT, LIMIT))
        if ratio > -LIMIT / 2:
            _write(picture, f"{ratio:.0f}", (columns.start + 3, rows.stop - 4), 0.4)
    margin = round(MARGIN_CELLS * CELL_PX)
    cv2.rectangle(picture, (margin, margin), (VIEW_PX - margin, VIEW_PX - margin), _PAPER, 1)
    return picture


def _lines(study: Study) -> list[str]:
    seat, observation = study.state.turn, study.observation
    lines = [f"{observation.frame}, seat {seat}: {_verdict(study.verdict)}"]
    for each in study.explanations[:_MOST_EXPLANATIONS]:
        names = " or ".join(each.patches) or "nothing"
        lines.append(f"{each.probability:8.4f}  {each.kind.name.lower()}: {names} {' '.join(names_of(each.mask))}")
    crept = names_of(mask_of_lattice(observation.crept))
    lines.append(f"board moved by {observation.shift_px:.1f} px of the view; crept: {' '.join(crept) or 'none'}")
    return lines


def _verdict(verdict: Verdict) -> str:
    # Not the sentence, which names players: these pictures are attached to bug reports.
    match verdict:
        case Reading():
            return f"takes {verdict.decision} ({verdict.confidence:.4f})"
        case Question():
            return f"asks {verdict.asks}, {len(verdict.options)} options: {' '.join(verdict.cells)}"
        case Complaint():
            return f"complains, {verdict.reason}: {' '.join(verdict.cells)}"


def _title(name: str) -> NDArray[np.uint8]:
    return _text([name], VIEW_PX)


def _text(lines: Sequence[str], width_px: int) -> NDArray[np.uint8]:
    paper = np.full((_TITLE_PX + _LINE_PX * (len(lines) - 1), width_px, 3), _PAPER, np.uint8)
    for number, line in enumerate(lines):
        # OpenCV's fonts draw ASCII alone; names in other scripts stand in the game record.
        plain = line.encode("ascii", "replace").decode()[:_LINE_CHARACTERS]
        cv2.putText(paper, plain, (6, 18 + number * _LINE_PX), _FONT, 0.45, _INK, 1, cv2.LINE_AA)
    return paper


def _write(picture: NDArray[np.uint8], text: str, at: tuple[int, int], size: float) -> None:
    cv2.putText(picture, text, at, _FONT, size, _INK, 3, cv2.LINE_AA)
    cv2.putText(picture, text, at, _FONT, size, _PAPER, 1, cv2.LINE_AA)


class StudyWriter:
    """A writer of studies into a folder, numbered in the order of the looks.

    Args:
        folder: the folder, created if missing.

    Raises:
        CompanionError: the folder cannot be created.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._written = folder, 0
        try:
            with as_owner_of(folder):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            fault = system_says(error)
            raise CompanionError(said("{path}: cannot be written: {fault}", path=str(folder), fault=fault)) from error

    def write(self, study: Study) -> None:
        """Draw a look into a file of its own.

        Raises:
            CompanionError: the file cannot be written.
        """
        self._written += 1
        path = self._folder / f"{self._written:03d}-{study.observation.frame.rsplit('.', 1)[0]}.png"
        _, content = cv2.imencode(".png", draw_study(study))
        try:
            with as_owner_of(self._folder):
                write_whole(path, content.tobytes())
        except OSError as error:
            fault = system_says(error)
            raise CompanionError(said("{path}: cannot be written: {fault}", path=str(path), fault=fault)) from error


LOOKS: Final = "looks"
"""The folder, beside the journal, of the latest looks."""
# Distance around the boards that stays sharp, in cells: their rims, mats, and patches that are being laid.
_AROUND_CELLS: Final = 1.5
# Edge of the blocks into which the rest is averaged, as a share of the longer side: no face fills more than a few.
_BLOCK: Final = 1 / 24
_LONGER_PX: Final = 1280
_QUALITY: Final = (cv2.IMWRITE_JPEG_QUALITY, 85)


# Seconds between two looks that are drawn: drawing one costs as much as the look, and hands-free play looks often.
_PAUSE_S: Final = 2.0


class LatestLooks:
    """The latest looks, kept in a folder for a bug report: the study of each, and the table around it.

    A look is drawn when the next frame is handled, so that its verdict does not wait; of looks in quick succession, the
    first and the last are. Pictures that cannot be written are left out: the game goes on.

    Args:
        folder: the folder.
        most: the number of looks to keep; 0 to write none.
        soon: adds a tick to those of the next frames, until it returns True.
    """

    def __init__(self, folder: Path, most: int, soon: Callable[[Callable[[float], bool]], None]) -> None:
        self._folder, self._most, self._soon = folder, most, soon
        self._latest: Study | None = None
        self._drawn_s = -np.inf

    def note(self, study: Study) -> None:
        """Keep a look from the next frame on, in place of one that was not drawn yet."""
        if self._most and self._latest is None:
            self._soon(self.tick)
        self._latest = study

    def tick(self, now_s: float) -> bool:
        """Write the look that was noted, and delete the oldest; return whether that is done."""
        study = self._latest
        if study is None or abs(now_s - self._drawn_s) < _PAUSE_S:
            return study is None
        self._latest, self._drawn_s = None, now_s
        # The journal beside it is open, and so the program acts as the folder's owner.
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            stored = numbered_looks(self._folder)
            number = max(stored, default=0) + 1
            for name, picture in (("look", draw_study(study)), ("table", draw_table(study.observation.picture))):
                _, content = cv2.imencode(".jpg", picture, _QUALITY)
                (self._folder / f"{number:06d}-{name}.jpg").write_bytes(content.tobytes())
            for old in sorted(stored)[: len(stored) + 1 - self._most]:
                for path in stored[old]:
                    path.unlink(missing_ok=True)
        return True


def numbered_looks(folder: Path) -> dict[int, list[Path]]:
    """Return the pictures of looks in a folder by the look's number; empty if there is no such folder.

    Raises:
        OSError: the folder cannot be read.
    """
    found: dict[int, list[Path]] = {}
    for path in sorted(folder.glob("*-*.jpg")) if folder.is_dir() else ():
        if (number := path.name.partition("-")[0]).isdecimal():
            found.setdefault(int(number), []).append(path)
    return found


def draw_table(picture: PlacedPicture) -> NDArray[np.uint8]:
    """Draw a frame with everything but the boards, and what lies between and around them, averaged over large blocks.

    Returns:
        Shape (height, width, 3), uint8, BGR; its longer side has `_LONGER_PX` pixels at most.
    """
    height, width = picture.image.shape[:2]
    scale = min(1.0, _LONGER_PX / max(height, width))
    size = (round(width * scale), round(height * scale))
    drawn = cv2.resize(picture.image, size, interpolation=cv2.INTER_AREA)
    block = max(1, round(max(size) * _BLOCK))
    coarse = cv2.resize(drawn, (-(-size[0] // block), -(-size[1] // block)), interpolation=cv2.INTER_AREA)
    hidden = cv2.resize(coarse, size, interpolation=cv2.INTER_NEAREST)
    middle = SIDE / 2
    around = (np.asarray(GRID_CORNERS) - middle) * (1 + 2 * _AROUND_CELLS / SIDE) + middle
    shown = np.zeros(drawn.shape[:2], np.uint8)
    if picture.boards:
        corners = np.vstack([board(around) for board in picture.boards.values()]) * scale
        cv2.fillConvexPoly(shown, cv2.convexHull(np.round(corners).astype(np.int32)), 1)
    return np.asarray(np.where(shown[..., None] > 0, drawn, hidden), np.uint8)
