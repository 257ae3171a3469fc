"""Fits the networks of `vision/bareness.npz` on pictures of the simulated table, and says how well they read others.

    python -m bench.fit_bareness --tables 400 --output bareness.npz

No two tables have the same box: grounds, lines, rims and prints are drawn anew for each, up to three quarters of the
patches in a colour close to their board's. Every tenth table is kept for the report. It takes about two seconds a
table. The networks in use were fitted in this way on 364 tables, some of them with the simulated box's usual prints,
some with mats, dashed lines and grounds of other weaves, which this program does not draw.
"""

from __future__ import annotations

import argparse
import colorsys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from companion.games.patchwork import SIDE, fits
from hardware.simulated import boards, fabrics, looks, sprites
from hardware.simulated.conditions import Conditions
from hardware.simulated.placing import LEATHER
from hardware.simulated.table import SimulatedTable, cells_of
from vision import bareness
from vision.boardlook import LINES, look_at_board
from vision.coveredgrid import fit_covered_grid
from vision.ground import learn_ground
from vision.groundcues import cell_cues, edge_cues
from vision.homography import through_corners
from vision.network import PARTS, Network
from vision.quiltfield import posterior
from vision.rectify import GRID_CORNERS, rectify

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.boardlook import BoardLook

Board = tuple["BoardLook", "NDArray[np.intp]"]
"""A look, and the number of the piece in each cell, -1 where there is none."""

_WEAVES = ("_plain", "_check", "_stripes", "_diagonal", "_dots", "_herringbone", "_floral", "_plaid", "_sprigs")
_HIDDEN = 24
_BATCH = 512


def _colour(rng: np.random.Generator, most_colour: float) -> NDArray[np.float64]:
    red, green, blue = colorsys.hsv_to_rgb(rng.uniform(), rng.uniform(0, most_colour), rng.uniform(0.25, 0.95))
    return np.array([blue, green, red]) * 255


def _whole(colour: NDArray[np.float64]) -> tuple[int, int, int]:
    blue, green, red = np.clip(np.rint(colour), 5, 250).astype(int).tolist()
    return blue, green, red


def _ground(rng: np.random.Generator) -> tuple[Any, ...]:
    cloth = _colour(rng, 0.6)
    dark = rng.uniform() < 0.65
    line = cloth * rng.uniform(0.45, 0.82) if dark else cloth + (255 - cloth) * rng.uniform(0.25, 0.6)
    second = cloth * rng.uniform(0.82, 1.05) + rng.normal(0, 6, 3)
    return _whole(cloth), _whole(second), _whole(line), str(rng.choice(["linen", "leaves"]))


def _print(rng: np.random.Generator, ground: tuple[Any, ...], alike: float) -> tuple[Any, ...]:
    base, second = _colour(rng, 1.0), _colour(rng, 1.0)
    if rng.uniform() < alike:
        base = np.array(ground[0], np.float64) + rng.normal(0, rng.choice([1.0, 2.5, 7.0]), 3)
        if rng.uniform() < 0.75:
            second = base * rng.uniform(0.9, 1.1) + rng.normal(0, 2, 3)
    weave = getattr(fabrics, str(rng.choice(_WEAVES)))
    return weave, _whole(base), _whole(second), float(rng.uniform(2, 10))


@contextmanager
def _box(rng: np.random.Generator, ground_seed: int) -> Iterator[None]:
    """A box with prints of its own, for as long as it is open."""
    grounds = tuple(_ground(rng) for _ in boards.GROUNDS)
    laid = np.random.default_rng(ground_seed).permutation(len(grounds))[:2]
    alike = rng.choice([0.15, 0.3, 0.6, 0.75])
    prints = tuple(_print(rng, grounds[int(rng.choice(laid))], alike) for _ in range(33))
    rim, fine_line, wide = rng.uniform(0.65, 1.3), boards._fine_line, rng.uniform(0.7, 1.8)
    kept = (fabrics.print_of, sprites.patch_sprite, boards.quilt_board_sprite, looks._large_sprite)

    def darken(picture: NDArray[np.uint8], border_px: float) -> None:
        inside = (slice(round(border_px), -round(border_px)),) * 2
        grid = picture[inside].copy()
        picture[:] = np.clip(picture * rim, 0, 255).astype(np.uint8)
        picture[inside] = grid

    def line(picture: Any, start: Any, end: Any, colour: Any, width_px: float) -> None:
        fine_line(picture, start, end, colour, width_px * wide)

    with ExitStack() as stack:
        stack.enter_context(patch.object(boards, "GROUNDS", grounds))
        stack.enter_context(patch.object(boards, "_darken_border", darken))
        stack.enter_context(patch.object(boards, "_fine_line", line))
        stack.enter_context(patch.object(fabrics, "_PRINTS", prints))
        for cached in kept:
            cached.cache_clear()
            stack.callback(cached.cache_clear)
        yield


def _conditions(rng: np.random.Generator, seed: int) -> Conditions:
    draw = rng.uniform
    return Conditions(
        camera_height_mm=draw(640, 850), tilt_deg=draw(0, 28), defocus_px=draw(0.4, 1.2), gradient=draw(0.1, 0.5),
        window_shadow=draw(0, 0.4), glare=draw(0, 0.25), exposure=draw(0.6, 1.3), noise=draw(1, 5),
        colour_temperature_k=draw(3600, 7000), jpeg_quality=int(draw(70, 96)), offset_mm=draw(0.4, 1.6),
        rotation_deg=draw(0.3, 1.2), creep_mm=draw(0, 4), ground_seed=seed,
    )  # fmt: skip


def _contact(mask: int, quilt: int) -> float:
    """How snugly a placement lies, so that quilts come out as people lay them."""
    beside = [(row + down, column + right) for row, column in cells_of(mask) for down, right in _STEPS]
    closed = [not (0 <= r < SIDE and 0 <= c < SIDE) or bool(quilt >> (r * SIDE + c) & 1) for r, c in beside]
    return sum(closed) / (1 + 0.1 * mask.bit_count())


_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def _fill(table: SimulatedTable, seat: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Lay some pieces on a board; returns the number of the piece in each cell."""
    units, quilt, number = np.full((SIDE, SIDE), -1, np.intp), 0, 0
    wanted = int(rng.choice([0, 3, 6, 8, 9, 10, 11, 12, 14, 16]))
    for name in rng.permutation(sorted(table.circle)).tolist():
        free = list(fits(name, quilt)) if number < wanted else []
        if free:
            mask = max(free, key=lambda each: _contact(each, quilt) + rng.normal(0, 0.3))
            table.lay(seat, name, cells_of(mask))
            units[tuple(np.transpose(cells_of(mask)))] = number
            quilt, number = quilt | mask, number + 1
    bare = np.argwhere(units < 0)
    for row, column in rng.permutation(bare)[: int(rng.integers(0, 4))].tolist():
        table.lay(seat, LEATHER, [(row, column)])
        units[row, column], number = number, number + 1
    return units


def boards_of(seed: int) -> list[Board]:
    """Both boards of one table, registered as a photograph's are."""
    rng = np.random.default_rng(seed)
    with _box(rng, seed):
        table = SimulatedTable(seed, _conditions(rng, seed), mats=False)
        units = [_fill(table, seat, rng) for seat in (1, 2)]
        image = table.frame(0.0)
    found = []
    for corners, cells in zip(table.grid_corners_px(), units, strict=True):
        guess = through_corners(GRID_CORNERS, corners + rng.normal(0, 1.5, (4, 2)))
        found.append((look_at_board(rectify(image, fit_covered_grid(image, guess)[0])), cells))
    return found


def _edge_kinds(units: NDArray[np.intp]) -> NDArray[np.intp]:
    """The kind of each inner edge, shape (2, SIDE - 1, SIDE)."""
    kinds = []
    for cells in (units.T, units):
        one, other = cells[:-1], cells[1:]
        apart = np.where(one == other, bareness.INSIDE, bareness.SEAM)
        beside = np.where((one < 0) & (other < 0), bareness.LINE, bareness.RIM)
        kinds.append(np.where((one < 0) | (other < 0), beside, apart))
    return np.array(kinds, np.intp)


def _outermost(units: NDArray[np.intp]) -> NDArray[np.intp]:
    """Whether the cells at the outermost lines are covered, shape (2, 2, SIDE)."""
    covered = (units >= 0).astype(np.intp)
    return np.array([[covered[:, 0], covered[:, -1]], [covered[0], covered[-1]]])


def _fitted(cues: NDArray[np.float64], classes: NDArray[np.intp], epochs: int = 14) -> Network:
    """A network fitted by Adam's method on the cross-entropy."""
    rng = np.random.default_rng(0)
    count = int(classes.max()) + 1
    middle, spread = cues.mean(axis=0), cues.std(axis=0) + 1e-3
    steady = np.clip((cues - middle) / spread, -5, 5)
    width = steady.shape[1]
    parts = [rng.normal(0, width**-0.5, (width, _HIDDEN)), np.zeros(_HIDDEN)]
    parts += [rng.normal(0, _HIDDEN**-0.5, (_HIDDEN, count)), np.zeros(count)]
    first, second = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    orders = [rng.permutation(len(steady)) for _ in range(epochs)]
    batches = [batch for order in orders for batch in np.array_split(order, len(order) // _BATCH + 1)]
    for step, chosen in enumerate(batches, start=1):
        noisy = steady[chosen] + rng.normal(0, 0.1, (len(chosen), width))
        rate = 1.5e-3 * (1 + np.cos(np.pi * step / (len(batches) + 1)))
        for index, slope in enumerate(_slopes(parts, noisy, classes[chosen])):
            first[index] = 0.9 * first[index] + 0.1 * slope
            second[index] = 0.999 * second[index] + 0.001 * slope**2
            size = np.sqrt(second[index] / (1 - 0.999**step)) + 1e-8
            parts[index] = parts[index] - rate * first[index] / (1 - 0.9**step) / size
    shares = np.bincount(classes, minlength=count) / len(classes)
    return Network(middle, spread, parts[0], parts[1], parts[2], parts[3], np.log(shares))


def _slopes(
    parts: list[NDArray[np.float64]], cues: NDArray[np.float64], classes: NDArray[np.intp]
) -> list[NDArray[np.float64]]:
    hidden = np.tanh(cues @ parts[0] + parts[1])
    sums = hidden @ parts[2] + parts[3]
    shares = np.exp(sums - sums.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    shares[np.arange(len(classes)), classes] -= 1
    shares /= len(classes)
    back = (shares @ parts[2].T) * (1 - hidden**2)
    return [cues.T @ back + 1e-4 * parts[0], back.sum(axis=0), hidden.T @ shares + 1e-4 * parts[2], shares.sum(axis=0)]


def _round(given: list[Board], bare: list[NDArray[np.float64]]) -> bareness.Networks:
    """The networks of one round, fitted to what each board's cells and edges look like given how bare they seem."""
    grounds = [learn_ground(look, cells) for (look, _), cells in zip(given, bare, strict=True)]
    cells = np.array([cell_cues(look, ground) for (look, _), ground in zip(given, grounds, strict=True)])
    edges = np.array([edge_cues(look, ground) for (look, _), ground in zip(given, grounds, strict=True)])
    assert edges.shape[2] == LINES
    units = [each for _, each in given]
    return bareness.Networks(
        cell=_fitted(cells.reshape(-1, cells.shape[-1]), np.ravel([each >= 0 for each in units]).astype(np.intp)),
        edge=_fitted(edges[:, :, 1:-1].reshape(-1, edges.shape[-1]), np.ravel([_edge_kinds(each) for each in units])),
        border=_fitted(edges[:, :, [0, -1]].reshape(-1, edges.shape[-1]), np.ravel([_outermost(e) for e in units])),
    )


def fit(given: list[Board]) -> dict[str, bareness.Networks]:
    """All rounds' networks: for an unknown ground, for one guessed or told, for one that was found."""
    fitted = {"unknown": _round(given, [np.zeros((SIDE, SIDE))] * len(given))}
    bare = _bare(given, [np.zeros((SIDE, SIDE))] * len(given), fitted["unknown"])
    true = [(units < 0).astype(np.float64) for _, units in given]
    fitted["guessed"] = _round(given * 2, bare + true)
    for _ in range(2):
        bare = _bare(given, bare, fitted["guessed"])
    return fitted | {"known": _round(given, bare)}


def _bare(given: list[Board], bare: list[NDArray[np.float64]], weigh: bareness.Networks) -> list[NDArray[np.float64]]:
    found = []
    for (look, _), cells in zip(given, bare, strict=True):
        evidence = bareness.evidence_of(look, cells, weigh)
        found.append(1.0 - posterior(bareness.field_of(evidence, bareness.WHILE_LEARNING)).covered)
    return found


def main() -> None:
    """Draw, fit, report, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--seed", type=int, default=500)
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    drawn = [(number, board) for number in range(args.tables) for board in boards_of(args.seed + number)]
    given, kept = ([board for number, board in drawn if (number % 10 == 0) == held] for held in (False, True))
    fitted = fit(given)
    right = [(bareness.read_look(look, fitted).covered > 0.5) == (units >= 0) for look, units in kept]
    print(f"{np.mean(right):.2%} of the cells of {len(kept)} other boards are read right")
    arrays = {
        f"{name}.{kind}.{part}": getattr(getattr(round_, kind), part).astype(np.float32)
        for name, round_ in fitted.items()
        for kind in ("cell", "edge", "border")
        for part in PARTS
    }
    np.savez_compressed(args.output, **arrays)


if __name__ == "__main__":
    main()
