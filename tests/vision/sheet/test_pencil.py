"""Test identifying the pencil of a mark by its hue."""

from __future__ import annotations

import numpy as np
import pytest

from vision.sheet.pencil import (
    SURE_ODDS,
    Pencils,
    angles_deg,
    learn_pencils,
    log_light,
    page_density,
    reach_deg,
    screen_hue,
)
from vision.sheet.regions import RegionLook, Window

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


def _unit(*values: float) -> np.ndarray:
    return np.asarray(np.array(values) / np.linalg.norm(values))


def _look(hue: np.ndarray, strength: float = 100.0) -> RegionLook:
    return RegionLook(0.8, hue, strength)


RED, BLUE, YELLOW = _unit(0.7, 0.65, 0.1), _unit(0.2, 0.55, 0.8), _unit(0.98, 0.15, 0.05)
SAMPLES = {"red": _look(RED), "blue": _look(BLUE), "yellow": _look(YELLOW)}
GUESSES = {"red": RED, "blue": BLUE, "yellow": YELLOW}


def _between(one: np.ndarray, other: np.ndarray, share: float) -> np.ndarray:
    return _unit(*((1 - share) * one + share * other))


def test_a_mark_like_a_sample_is_that_pencil() -> None:
    pencils = learn_pencils(SAMPLES, GUESSES, [], 6.0)
    assert pencils.keys == ("red", "blue", "yellow")
    for place, hue in enumerate((RED, BLUE, YELLOW)):
        odds = pencils.likelihoods(_look(hue))
        assert odds.argmax() == place
        assert np.sort(odds)[-1] - np.sort(odds)[-2] > SURE_ODDS


def test_the_margin_is_where_it_is_settled() -> None:
    pencils = learn_pencils(SAMPLES, GUESSES, [], 6.0)
    for share in np.linspace(0, 1, 21):
        hue = _between(RED, BLUE, float(share))
        gap_deg = abs(np.subtract(*angles_deg(pencils.hues[:2], hue)))
        odds = pencils.likelihoods(_look(hue))
        assert abs(odds[0] - odds[1]) == pytest.approx(SURE_ODDS * gap_deg / 6.0, rel=1e-4)


def test_a_faint_mark_is_less_certain() -> None:
    pencils = learn_pencils(SAMPLES, GUESSES, [], 6.0)
    hue = _between(RED, BLUE, 0.35)
    firm, faint, none = (np.ptp(pencils.likelihoods(_look(hue, strength))[:2]) for strength in (2.0, 0.3, 0.0))
    assert firm > 1.3 * faint > 1.3 * none > 0


def test_a_hue_that_no_pencil_leaves_is_foreign() -> None:
    pencils = learn_pencils(SAMPLES, GUESSES, [], 6.0)
    assert pencils.likelihoods(_look(_unit(0.05, 0.1, 1.0))).argmax() == len(pencils.keys)


def test_a_pencil_that_is_guessed_at_is_not_all_that_is_foreign() -> None:
    """Its margin is wide, but a hue far from it and from every sample is none of them."""
    pencils = learn_pencils({**SAMPLES, "yellow": None}, GUESSES, [], 6.0)
    assert pencils.likelihoods(_look(_unit(0.05, 0.1, 1.0))).argmax() == len(pencils.keys)
    assert pencils.likelihoods(_look(_between(YELLOW, RED, 0.2))).argmax() == 2


def test_a_missing_sample_is_guessed_and_learned_from_marks() -> None:
    real = _between(BLUE, RED, 0.25)
    samples = {**SAMPLES, "blue": None}
    marks = [_look(real), _look(real), _look(real), _look(RED)]
    learned = learn_pencils(samples, GUESSES, marks, 6.0)
    assert angles_deg(learned.hues[1:2], real)[0] < angles_deg(np.array([BLUE]), real)[0]
    assert learned.hues[0] == pytest.approx(RED)
    assert learned.margin_deg[1] > learned.margin_deg[0]
    assert GUESSES["blue"] == pytest.approx(BLUE)


def test_pencils_that_look_alike_are_named() -> None:
    pencils = Pencils(("a", "b", "c"), np.array([RED, BLUE, _between(RED, YELLOW, 0.2)]), np.full(3, 6.0))
    one, other, gap_deg = pencils.nearest_pair()
    assert {one, other} == {"a", "c"}
    assert 0 < gap_deg < 12


def test_a_colour_on_a_display_is_a_guess_at_a_pencil() -> None:
    yellow = screen_hue("#f6d743")
    assert yellow[0] > 0.9
    assert np.linalg.norm(yellow) == pytest.approx(1)
    assert screen_hue("#2d5fb4").argmax() == 2


BROWN = _unit(0.62, 0.58, 0.52)
WITH_BROWN = ({**SAMPLES, "brown": _look(BROWN)}, {**GUESSES, "brown": BROWN})
GREY = _unit(1, 1, 1)
"""A shadow's density."""


def test_two_hues_in_a_regions_halves_leave_a_doubt() -> None:
    pencils = learn_pencils(SAMPLES, GUESSES, [], 6.0)
    sure, mixed = (pencils.likelihoods(RegionLook(0.8, RED, 2.0, spread_deg=spread)) for spread in (4.0, 15.0))
    assert sure.argmax() == mixed.argmax() == 0
    assert np.diff(np.sort(sure)[-2:])[0] > SURE_ODDS
    assert np.diff(np.sort(mixed)[-2:])[0] < SURE_ODDS


@pytest.mark.parametrize(
    ("hue", "grain", "is_shadow"),
    [
        pytest.param(GREY, 0.5, True, id="grey, with a sharp edge"),
        pytest.param(BROWN, 0.5, False, id="rough strokes of the brown pencil"),
        pytest.param(BROWN, 0.11, True, id="as brown, and as smooth as paper"),
        pytest.param(RED, 0.11, False, id="no shadow is red"),
    ],
)
def test_a_shadow_is_grey_or_smooth(hue: np.ndarray, grain: float, is_shadow: bool) -> None:
    pencils = learn_pencils(*WITH_BROWN, [], 6.0)
    assert pencils.may_be_shadow(RegionLook(0.8, hue, 1.0, grain), 0.1) is is_shadow


def test_a_grey_pencil_is_told_by_its_roughness_alone() -> None:
    pencils = learn_pencils({**SAMPLES, "grey": _look(GREY)}, {**GUESSES, "grey": GREY}, [], 6.0)
    assert not pencils.may_be_shadow(RegionLook(0.8, GREY, 1.0, 0.5), 0.1)
    assert pencils.may_be_shadow(RegionLook(0.8, GREY, 1.0, 0.1), 0.1)


def test_the_reach_of_hues_is_the_widest_angle() -> None:
    assert reach_deg(np.array([RED, BLUE, YELLOW])) == pytest.approx(float(angles_deg(BLUE[None], YELLOW)[0]), abs=1e-6)
    assert reach_deg(np.array([GREY, GREY])) == pytest.approx(0, abs=1e-4)
