"""The pictures of docs/reading.md and docs/tables.md.

    python -m bench.drawings.pictures docs/pictures
    python -m bench.drawings.pictures docs/pictures --only tables

`looks.jpg`: a quilt as the reader sees it, under an ordinary lamp and under a hard one. Each row is one look: the
registered view with what the reading covers, how far each window looks changed, and the cells' log-likelihood ratios
changed against as expected. `tables.jpg`: every simulated table in mid-game.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bench.costs.render import filled_table
from bench.reading.evenings import play_session
from bench.stresses import STRESSES
from companion.patchwork.watching.watch import lattice_of
from hardware.simulated.conditions import TABLES, Conditions
from vision.geometry import CELL_PX, VIEW_PX
from vision.quilt.changes import LIMIT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.patchwork.reading.observer import Observation, QuiltComparer
    from hardware.simulated.evening import SimulatedEvening

_ROWS: Final = {
    "an ordinary evening": Conditions(),
    "a hard shadow": STRESSES["hard-shadow"][2],
    "dim, with a noisy sensor": STRESSES["dim"][2],
}
# The number of the look that is shown, by which a quilt is half full.
_LOOK: Final = 19
_MARGIN_PX: Final = (VIEW_PX - 9 * CELL_PX) // 2
_PANEL_PX: Final = 320
_GAP_PX: Final = 10
_TITLE_PX: Final = 30
_PAPER: Final = (246, 248, 250)
_INK: Final = (60, 50, 45)
_COLUMNS: Final = 3
_TILE_PX: Final = (400, 225)
_TABLE_AT_S: Final = 5.0
_RED, _BLUE = (45, 60, 190), (170, 120, 60)


class _EnoughSeenError(Exception):
    """Raised to end the evening at the look that is shown."""


def main(argv: list[str] | None = None) -> None:
    """Draw and write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--only", choices=tuple(_DRAWN), help="this picture alone")
    args = parser.parse_args(argv)
    args.folder.mkdir(parents=True, exist_ok=True)
    for name in [args.only] if args.only else _DRAWN:
        picture = _DRAWN[name](args.seed)
        cv2.imwrite(str(args.folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 82])


def _looks(seed: int) -> NDArray[np.uint8]:
    return np.concatenate([_row(title, *_observation(conditions, seed)) for title, conditions in _ROWS.items()])


def _tables(seed: int) -> NDArray[np.uint8]:
    """Return a picture of all simulated tables with their names, three in a row."""
    tiles = [_table(name, conditions, seed + number) for number, (name, conditions) in enumerate(TABLES.items())]
    tiles += [np.full_like(tiles[0], _PAPER)] * (-len(tiles) % _COLUMNS)
    rows = [np.concatenate(tiles[start : start + _COLUMNS], axis=1) for start in range(0, len(tiles), _COLUMNS)]
    return np.concatenate(rows)


def _table(name: str, conditions: Conditions, seed: int) -> NDArray[np.uint8]:
    frame = filled_table(conditions, seed).frame(_TABLE_AT_S)
    small = np.asarray(cv2.resize(frame, _TILE_PX, interpolation=cv2.INTER_AREA), np.uint8)
    head = np.full((_TITLE_PX, _TILE_PX[0], 3), _PAPER, np.uint8)
    cv2.putText(head, name, (_GAP_PX, 21), cv2.FONT_HERSHEY_SIMPLEX, 0.55, _INK, 1, cv2.LINE_AA)
    return np.pad(np.concatenate([head, small]), ((0, 0), (0, _GAP_PX), (0, 0)), constant_values=255)


def _observation(conditions: Conditions, seed: int) -> tuple[Observation, NDArray[np.bool_]]:
    """Return a look at a quilt with new patches, and the mask of the new cells, shape (9, 9)."""
    caught: list[tuple[Observation, NDArray[np.bool_]]] = []

    def prepare(evening: SimulatedEvening, comparer: QuiltComparer) -> None:
        compare, seen = comparer.compare, 0

        def noting(seat: int, quilt: int) -> Observation:
            nonlocal seen
            observation = compare(seat, quilt)
            truth = np.array([[cell == "X" for cell in row] for row in evening.table.quilts()[seat - 1]])
            new = truth & ~lattice_of(quilt)[1:-1, 1:-1]
            seen += 1
            if seen >= _LOOK and new.sum() > 3:
                caught.append((observation, new))
                raise _EnoughSeenError
            return observation

        comparer.compare = noting  # type: ignore[method-assign]  # a tap on the real one

    with suppress(_EnoughSeenError):
        play_session(seed, conditions, prepare=prepare)
    return caught[0]


def _row(title: str, observation: Observation, new: NDArray[np.bool_]) -> NDArray[np.uint8]:
    view = observation.look.view.copy()
    _outline(view, new)
    # The windows cover the whole view, so that all three panels share one grid.
    panels = [view, _heat(observation.windows, 4.0), _heat(observation.ratios[0], LIMIT, ring=1)]
    gap = np.full((_PANEL_PX, _GAP_PX, 3), _PAPER, np.uint8)
    scaled = [np.asarray(cv2.resize(panel, (_PANEL_PX, _PANEL_PX), interpolation=cv2.INTER_AREA)) for panel in panels]
    strip = np.concatenate([gap, *(part for panel in scaled for part in (panel, gap))], axis=1)
    head = np.full((_TITLE_PX, strip.shape[1], 3), _PAPER, np.uint8)
    cv2.putText(head, title, (_GAP_PX, 21), cv2.FONT_HERSHEY_SIMPLEX, 0.6, _INK, 1, cv2.LINE_AA)
    return np.concatenate([head, strip])


def _outline(view: NDArray[np.uint8], cells: NDArray[np.bool_]) -> None:
    """Draw the outline of the new cells into the view."""
    mask = np.kron(cells, np.ones((CELL_PX, CELL_PX))).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(_MARGIN_PX, _MARGIN_PX))
    cv2.drawContours(view, contours, -1, (60, 255, 60), 3, cv2.LINE_AA)


def _heat(
    values: NDArray[np.float64] | NDArray[np.float32], reach: float, ring: float = _MARGIN_PX / CELL_PX
) -> NDArray[np.uint8]:
    """Return values over the view as colours: `_PAPER` for 0, red towards `reach`, blue below 0.

    `ring` is the number of cells around the grid.
    """
    share = np.clip(np.asarray(values, np.float64) / reach, -1, 1)[..., None]
    ends = np.where(share > 0, np.array(_RED, np.float64), np.array(_BLUE, np.float64))
    coloured = (np.array(_PAPER) * (1 - np.abs(share)) + ends * np.abs(share)).astype(np.uint8)
    side = round((9 + 2 * ring) * CELL_PX)
    at = (VIEW_PX - side) // 2
    picture = np.full((VIEW_PX, VIEW_PX, 3), _PAPER, np.uint8)
    picture[at : at + side, at : at + side] = cv2.resize(coloured, (side, side), interpolation=cv2.INTER_NEAREST)
    return picture


_DRAWN: Final = {"looks": _looks, "tables": _tables}

if __name__ == "__main__":
    main()
