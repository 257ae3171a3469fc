"""A look and its verdict, drawn as one picture, so that an owner's bug report shows the reader's input."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import CompanionError
from companion.games.patchwork.cells import names_of
from companion.games.patchwork.state import State
from companion.languages import ENGLISH, render, said, system_says
from companion.ownership import as_owner_of
from companion.patchwork.reading.explain import Explanation
from companion.patchwork.reading.observer import Observation
from companion.patchwork.reading.verdict import Reading, Verdict
from companion.patchwork.watching.watch import mask_of_lattice
from vision.geometry import CELL_PX, MARGIN_CELLS, SIDE, VIEW_PX, cell_window
from vision.quilt.changes import LIMIT
from vision.quilt.look import WINDOW_PX

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
    if isinstance(verdict, Reading):
        return f"takes {verdict.decision} ({verdict.confidence:.4f})"
    return render(verdict.says, ENGLISH)


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
                path.write_bytes(content.tobytes())
        except OSError as error:
            fault = system_says(error)
            raise CompanionError(said("{path}: cannot be written: {fault}", path=str(path), fault=fault)) from error
