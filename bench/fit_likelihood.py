"""Fits the weights of `vision/likelihood.py` on frames of the simulated table, and says how well they tell cells apart.

    python -m bench.fit_likelihood --evenings 40
    python -m bench.fit_likelihood --evenings 40 --recording evening evening.truth.json

Every evening is drawn under its own light, camera and people; each look at a quilt gives 81 labelled cells with
sixteen windows each. Each look is taken twice, the second time with all that was laid faded towards the ground beneath
it, for some real patches are as good as invisible on their board and the simulated ones are not. A logistic regression
is fitted on two thirds of the evenings and reported on the last third, beside the weights in use.

Table recordings whose truth is known can be given too: JSON with `frames`, each with `frame`, `settled` and `quilts`,
nine strings of X and . for each seat. The weights are then the mean of those fitted on the evenings and on the
recordings.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.evenings import play_evening
from calibration.locator import SEATS
from companion.reader.lattice import lattice_of
from companion.reader.watch import TableWatch
from companion.recording import read_head
from hardware.ports import EndOfFramesError
from hardware.recorded import RecordedCamera, Tape
from hardware.simulated.conditions import Conditions
from vision import likelihood
from vision.evidence import PER_CELL, own_windows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from companion.reader.watch import Sight
    from hardware.simulated.evening import SimulatedEvening
    from vision.evidence import Cues

_RIDGE = 1e-3
_FADING = (0.1, 0.5)
"""How strongly a faded patch still differs from its ground, from and to."""


def main(argv: list[str] | None = None) -> None:
    """Play, fit, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--evenings", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--recording", nargs=2, action="append", type=Path, metavar=("FOLDER", "TRUTH"), default=[])
    args = parser.parse_args(argv)
    samples = [_sample(args.seed + number) for number in range(args.evenings)]
    fitted_on = samples[: max(1, 2 * len(samples) // 3)]
    weights = _fit(*_windows(fitted_on))
    if args.recording:
        weights = (weights + _fit(*_windows([_recorded(folder, truth) for folder, truth in args.recording]))) / 2
    for name, weight in zip(likelihood.FEATURES, weights, strict=True):
        print(f"{weight:8.2f}  {name}")
    print(", ".join(f"{weight:.2f}" for weight in weights))
    held_out = samples[len(fitted_on) :] or samples
    for title, candidate in (("in use", likelihood.WEIGHTS), ("fitted now", weights)):
        print(f"{title:12}", _report(held_out, candidate))


def drawn_conditions(rng: np.random.Generator) -> Conditions:
    """Conditions of one evening: an ordinary one with about a third of its strengths replaced, mild to harsh."""
    draws: dict[str, Callable[[], float | int]] = {
        "gradient": lambda: float(rng.uniform(0.1, 0.7)),
        "window_shadow": lambda: float(rng.uniform(0.0, 0.5)),
        "hard_shadow": lambda: float(rng.uniform(0.15, 0.55)),
        "glare": lambda: float(rng.uniform(0.1, 0.6)),
        "drift": lambda: float(rng.uniform(0.02, 0.2)),
        "exposure": lambda: float(np.exp(rng.uniform(-1.2, 0.3))),
        "colour_temperature_k": lambda: float(rng.uniform(3000, 7500)),
        "noise": lambda: float(rng.uniform(1, 7)),
        "jpeg_quality": lambda: int(rng.integers(45, 96)),
        "defocus_px": lambda: float(rng.uniform(0.3, 1.8)),
        "tilt_deg": lambda: float(rng.uniform(0, 33)),
        "camera_height_mm": lambda: float(rng.uniform(640, 850)),
        "distortion": lambda: float(rng.uniform(-0.12, 0.05)),
        # Windows are labelled by their cell: patches must lie well enough for that.
        "offset_mm": lambda: float(rng.uniform(0.3, 1.3)),
        "rotation_deg": lambda: float(rng.uniform(0.2, 0.8)),
        "creep_mm": lambda: float(rng.uniform(0, 3)),
        "nudge_board_mm": lambda: float(rng.uniform(1, 4)),
        "nudge_mat_mm": lambda: float(rng.uniform(1, 8)),
    }
    return Conditions().but(**{name: draw() for name, draw in draws.items() if rng.random() < 0.3})


Sample = tuple["NDArray[np.float64]", "NDArray[np.bool_]"]
"""Features of the windows (looks, 36, 36, features) and whether each cell had changed (looks, 9, 9)."""


def _sample(seed: int) -> Sample:
    """One evening's looks."""
    rng = np.random.default_rng(seed)
    looks: list[NDArray[np.float64]] = []
    changed: list[NDArray[np.bool_]] = []

    def prepare(evening: SimulatedEvening, watch: TableWatch) -> None:
        look = watch.look

        def noting(seat: int, quilt: int) -> Sight:
            sight = look(seat, quilt)
            truth = np.array([[cell == "X" for cell in row] for row in evening.table.quilts()[seat - 1]])
            differs = truth != lattice_of(quilt)[1:-1, 1:-1]
            for cues in (sight.cues, _faded(sight.cues, differs, float(rng.uniform(*_FADING)))):
                looks.append(own_windows(likelihood.features(cues)))
                changed.append(differs)
            return sight

        watch.look = noting  # type: ignore[method-assign]  # a tap on the real one

    temper = str(rng.choice(["tidy", "hasty", "forgetful"]))
    judged = play_evening(seed, drawn_conditions(rng), temper, prepare=prepare)
    print(f"evening {seed}: {temper}, {judged.decisions} decisions, {len(looks)} looks", file=sys.stderr, flush=True)
    return np.stack(looks), np.stack(changed)


def _recorded(folder: Path, truth: Path) -> Sample:
    """The looks of a table recording's settled frames, each compared with the one before."""
    frames = {frame["frame"]: frame for frame in json.loads(truth.read_text(encoding="utf-8"))["frames"]}
    watch, tape = TableWatch(read_head(folder).locator()), RecordedCamera(Tape(folder))
    quilts = dict.fromkeys(SEATS, 0)
    looks, changed = [], []
    with suppress(EndOfFramesError):
        while True:
            frame = tape.capture()
            watch.see(frame)
            known = frames[frame.name]
            for seat in (seat for seat in SEATS if known["settled"] and watch.ready and watch.settled(seat)):
                cells = "".join(known["quilts"][seat - 1])
                quilt = sum(1 << index for index, cell in enumerate(cells) if cell == "X")
                sight = watch.look(seat, quilts[seat])
                looks.append(own_windows(likelihood.features(sight.cues)))
                changed.append(lattice_of(quilt ^ quilts[seat])[1:-1, 1:-1])
                watch.remember(seat, sight, quilt, quilt & ~quilts[seat])
                quilts[seat] = quilt
    return np.stack(looks), np.stack(changed)


def _faded(cues: Cues, changed: NDArray[np.bool_], strength: float) -> Cues:
    """The cues as if what changed, shape (9, 9), differed from what it covers by only a part of its strength."""
    where = np.pad(np.kron(changed, np.ones((PER_CELL, PER_CELL), np.bool_)), (len(cues.colour) - 9 * PER_CELL) // 2)
    noise = float(np.quantile(own_windows(cues.leftover), 1 / 6))
    unrest = float(np.quantile(own_windows(cues.discord), 1 / 6))

    def mixed(cue: NDArray[np.float32], rest: NDArray[np.float32] | float) -> NDArray[np.float32]:
        faded = np.sqrt((strength * cue) ** 2 + (1 - strength**2) * np.square(rest))
        return np.where(where, faded, cue).astype(np.float32)

    return replace(
        cues,
        discord=mixed(cues.discord, unrest),
        leftover=mixed(cues.leftover, noise),
        colour=mixed(cues.colour, 0.0),
        brightness=mixed(np.abs(cues.brightness), 0.0),
        new_texture=mixed(cues.new_texture, cues.texture),
    )


def _windows(samples: list[Sample]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Features and labels of single windows, shapes (n, features) and (n,)."""
    features = [looks.reshape(-1, looks.shape[-1]) for looks, _ in samples]
    tile = np.ones((1, PER_CELL, PER_CELL), np.bool_)
    labels = [np.kron(changed, tile).reshape(-1) for _, changed in samples]
    return np.concatenate(features), np.concatenate(labels)


def _fit(features: NDArray[np.float64], labels: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Logistic regression by Newton's method, both classes weighing the same; the first feature is the constant."""
    middle, scale = features.mean(axis=0), features.std(axis=0)
    middle[0], scale[0] = 0.0, 1.0
    scaled = (features - middle) / scale
    importance = np.where(labels, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    weights = np.zeros(features.shape[1])
    for _ in range(30):
        said = 1 / (1 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        slope = scaled.T @ ((said - labels) * importance) / len(labels) + _RIDGE * weights
        bend = (scaled * (said * (1 - said) * importance)[:, None]).T @ scaled / len(labels)
        weights = weights - np.linalg.solve(bend + _RIDGE * np.eye(len(weights)), slope)
    plain = weights / scale
    plain[0] -= float((weights * middle / scale)[1:].sum())
    return np.asarray(plain)


def _cells(windows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The cells' ratios from those of a quilt's windows, shape (36, 36) to (9, 9)."""
    return likelihood.cell_ratios(windows.reshape(9, PER_CELL, 9, PER_CELL).transpose(1, 3, 0, 2))


def _report(samples: list[Sample], weights: NDArray[np.float64]) -> str:
    ratios = np.array([_cells(look @ weights) for looks, _ in samples for look in looks]).reshape(-1)
    changed = np.concatenate([labels.reshape(-1) for _, labels in samples])
    wrong = int(((ratios > 0) != changed).sum())
    low, high = np.percentile(ratios[changed], 1), np.percentile(ratios[~changed], 99.9)
    return (
        f"{wrong} of {len(ratios)} cells on the wrong side of 0; "
        f"1 % of the changed below {low:.1f}, 0.1 % of the others above {high:.1f}"
    )


if __name__ == "__main__":
    main()
