"""Test optical density: the light is removed, the pencil remains."""

from __future__ import annotations

import numpy as np
import pytest

from vision.sheet.paper import log_light, page_density
from vision.sheet.regions import Window

ROWS, COLUMNS = 480, 640
HERE, THERE = (slice(200, 280), slice(240, 320)), (slice(200, 280), slice(440, 520))
FULL = np.ones((80, 80), np.bool_)
WINDOWS = [Window(HERE, FULL), Window(THERE, FULL)]


def _page(light: np.ndarray, transmitted: np.ndarray, noise: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(1)
    levels = 255 * np.clip(light * transmitted, 0, 1) ** (1 / 2.2) + noise * rng.standard_normal((ROWS, COLUMNS, 3))
    return np.asarray(np.clip(np.round(levels), 0, 255), np.uint8)


def _light(shadow: float = 0.0) -> np.ndarray:
    """Return warm light that falls off to the right, with a soft shadow below."""
    x, y = np.meshgrid(np.linspace(0, 1, COLUMNS), np.linspace(0, 1, ROWS))
    fall = 0.85 - 0.35 * x - 0.1 * x * y
    shade = 1 - shadow * (0.5 + 0.5 * np.tanh((y - 0.5) * 8))
    return np.asarray((fall * shade)[..., None] * np.array([0.6, 0.85, 1.0]))


def _free() -> np.ndarray:
    free = np.ones((ROWS, COLUMNS), np.bool_)
    for box in (HERE, THERE):
        free[box] = False
    return free


@pytest.mark.parametrize("shadow", [0.0, 0.45])
def test_bare_paper_has_no_density(shadow: float) -> None:
    density = page_density(_page(_light(shadow), np.ones((ROWS, COLUMNS, 3)), 2.0), _free(), WINDOWS)
    assert abs(np.median(density)) < 0.02
    assert np.abs(density[HERE].mean(axis=(0, 1))).max() < 0.05


@pytest.mark.parametrize("shadow", [0.0, 0.45])
def test_pencil_has_its_own_density_in_any_light(shadow: float) -> None:
    transmitted = np.ones((ROWS, COLUMNS, 3))
    pencil = np.array([0.9, 0.6, 0.1])
    texture = np.random.default_rng(2).uniform(0.5, 1.5, (80, 80, 1))
    transmitted[HERE] = np.exp(-pencil * texture)
    density = page_density(_page(_light(shadow), transmitted), _free(), WINDOWS)
    assert density[HERE].mean(axis=(0, 1)) == pytest.approx(pencil, abs=0.08)
    assert np.abs(density[THERE].mean(axis=(0, 1))).max() < 0.05


def test_print_and_crumbs_on_free_paper_do_not_matter() -> None:
    transmitted = np.ones((ROWS, COLUMNS, 3))
    transmitted[::16] = 0.2
    transmitted[:, ::24] = 0.2
    transmitted[40:60, 40:60] = 0.1
    density = page_density(_page(_light(), transmitted), _free(), WINDOWS)
    between = density[8::16, 12::24]
    assert abs(np.median(between)) < 0.03


def test_log_light_is_linear_light() -> None:
    levels = np.array([[[0, 128, 255]]], np.uint8)
    assert np.exp(log_light(levels))[0, 0] == pytest.approx([0.002, 0.2179, 1.002], abs=1e-3)


def test_print_is_taken_off_with_the_blank_page() -> None:
    print_on_it = np.ones((ROWS, COLUMNS, 3))
    print_on_it[40:120, 100:180] = (0.75, 0.9, 0.95)
    coloured = print_on_it.copy()
    coloured[HERE] = np.exp(-np.array([0.9, 0.6, 0.1]))
    blank, now = _page(_light(), print_on_it), _page(_light(0.3), coloured)
    density = page_density(now, _free(), WINDOWS, blank)
    assert np.abs(density[45:115, 105:175]).max() < 0.06
    assert density[HERE].mean(axis=(0, 1)) == pytest.approx([0.9, 0.6, 0.1], abs=0.08)
