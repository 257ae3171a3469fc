"""Random styles of printing and cutting of a box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bench.pieces.textures import Field, random_colour


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """The style of printing and cutting of one box."""

    lamp: tuple[float, float]
    shadow: float
    edge: float
    edge_px: float
    stitch: float
    slack: float
    turn: float
    creep: float
    alike: float
    button: Field
    button_cells: float
    apart: float
    label: tuple[float, float]
    label_cut: float
    label_tilt: float
    label_shadow: bool
    leather: Field
    leather_stitched: bool


def random_style(rng: np.random.Generator) -> Style:
    """Return a random style."""
    real = rng.random() < 0.5
    return Style(
        lamp=(float(rng.normal(0, 2.0)), float(rng.normal(0, 2.0))),
        shadow=rng.uniform(0.05, 0.6),
        edge=rng.choice([-0.45, -0.3, -0.15, 0.0, 0.2], p=[0.2, 0.25, 0.3, 0.15, 0.1]),
        edge_px=rng.uniform(0.8, 3.0),
        stitch=rng.choice([0.0, 0.5, 1.0], p=[0.4, 0.2, 0.4]),
        slack=rng.choice([0.015, 0.03, 0.06]),
        turn=rng.choice([0.3, 1.0, 1.8]),
        creep=rng.normal(0, 0.012),
        alike=rng.choice([0.1, 0.35, 0.7]),
        button=np.array([rng.uniform(130, 240), rng.uniform(80, 185), rng.uniform(10, 120)], np.float32),
        button_cells=rng.uniform(0.45, 0.62) if not real else rng.uniform(0.58, 0.8),
        apart=rng.uniform(0.66, 0.95),
        label=(rng.uniform(1.1, 1.5), rng.uniform(0.4, 0.62)),
        label_cut=rng.choice([0.0, 0.5, 0.8]),
        label_tilt=rng.choice([2.0, 8.0, 16.0]),
        label_shadow=bool(rng.random() < 0.4),
        leather=_leather(rng),
        leather_stitched=bool(rng.random() < 0.5),
    )


def _leather(rng: np.random.Generator) -> Field:
    if rng.random() < 0.2:
        return random_colour(rng)
    dark = rng.uniform(20, 130)
    return np.array([dark * rng.uniform(0.3, 1.0), dark * rng.uniform(0.45, 1.0), dark], np.float32)
