"""Test the network's output for one rectified view of a quilt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pytest

from vision.geometry import SIDE, VIEW_PX
from vision.quilt.network import (
    BARE,
    BLOCKS,
    CHANNELS,
    HEADS,
    INSIDE,
    LINE,
    WIDTH,
    QuiltLook,
    ask_tokens,
    look_at_quilt,
    normalised,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.vision.conftest import Scenes

PATCHES: Final = ([(0, 0), (0, 1), (1, 0), (1, 1)], [(4, 4), (4, 5), (5, 4), (6, 4)], [(8, 6), (8, 7), (8, 8)])


def _covered(*patches: list[tuple[int, int]]) -> NDArray[np.bool_]:
    covered = np.zeros((SIDE, SIDE), np.bool_)
    for patch in patches:
        covered[tuple(np.transpose(patch))] = True
    return covered


def _chance(look: QuiltLook) -> NDArray[np.float64]:
    return np.asarray(1 - np.exp(look.cells[..., BARE]))


@pytest.mark.parametrize(("line", "light"), [(0.72, {}), (1.3, {"gain": 0.6}), (0.72, {"slope": 0.5})])
def test_patches_on_a_board_never_seen_empty(scenes: type[Scenes], line: float, light: dict[str, float]) -> None:
    view = scenes.board(line=line)
    for seed, cells in enumerate(PATCHES, start=1):
        view = scenes.lay(view, cells, seed)
    look = look_at_quilt(scenes.noisy(scenes.lit(view, **light), seed=1))
    np.testing.assert_array_equal(_chance(look) > 0.5, _covered(*PATCHES))
    assert look.beside[0, 1].argmax() == INSIDE, "the line between A1 and B1"
    assert look.below[7, 2].argmax() == LINE, "the line between C7 and C8"


def test_an_empty_board_is_empty(scenes: type[Scenes]) -> None:
    look = look_at_quilt(scenes.noisy(scenes.board(), seed=2))
    assert _chance(look).max() < 0.5
    assert look.buttons.max() < 0.5
    assert look.labels.max() < 0.5


@pytest.fixture(scope="module")
def patched(scenes: type[Scenes]) -> tuple[NDArray[np.uint8], QuiltLook]:
    """A board with a patch, and its look."""
    view = scenes.lay(scenes.board(), PATCHES[1])
    return view, look_at_quilt(view)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_board_that_is_turned_or_mirrored_looks_the_same(
    patched: tuple[NDArray[np.uint8], QuiltLook], mirrored: bool
) -> None:
    view, look = patched
    turned = look_at_quilt(np.ascontiguousarray(view[:, ::-1] if mirrored else np.rot90(view)))

    def same(layer: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(layer[:, ::-1] if mirrored else np.rot90(layer))

    np.testing.assert_allclose(turned.cells, same(look.cells), atol=1e-3)
    np.testing.assert_allclose(turned.beside, same(look.beside if mirrored else look.below), atol=1e-3)
    np.testing.assert_allclose(turned.labels, same(look.labels), atol=1e-3)


def test_all_are_probabilities(patched: tuple[NDArray[np.uint8], QuiltLook]) -> None:
    _, look = patched
    for shares in (look.cells, look.beside, look.below):
        np.testing.assert_allclose(np.exp(shares).sum(axis=-1), 1.0)
    assert look.buttons.shape == look.labels.shape == (44, 44)


def test_twice_the_light_looks_almost_alike() -> None:
    view = np.random.default_rng(1).integers(40, 120, (VIEW_PX, VIEW_PX, 3)).astype(np.uint8)
    one, other = normalised(view), normalised(np.asarray(2 * view, np.uint8))
    assert one.shape == (3, VIEW_PX, VIEW_PX)
    assert np.abs(one - other).max() < 0.2


def _random_weights(rng: np.random.Generator) -> dict[str, NDArray[np.float32]]:
    sizes = {"cell": (WIDTH, 16 * CHANNELS), "beside": (WIDTH, 16 * CHANNELS), "below": (WIDTH, 16 * CHANNELS)}
    sizes |= {"cells": (3, WIDTH), "edges": (4, WIDTH)}
    for block in range(BLOCKS):
        name = f"blocks.{block}."
        sizes |= {f"{name}asked": (3 * WIDTH, WIDTH), f"{name}joined": (WIDTH, WIDTH)}
        sizes |= {f"{name}wide": (2 * WIDTH, WIDTH), f"{name}narrow": (WIDTH, 2 * WIDTH)}
    weights = {f"{name}.weight": 0.1 * rng.standard_normal(size) for name, size in sizes.items()}
    weights |= {f"{name}.bias": 0.1 * rng.standard_normal(size[0]) for name, size in sizes.items()}
    norms = ["norm", *(f"blocks.{block}.norm{number}" for block in range(BLOCKS) for number in (1, 2))]
    weights |= {f"{name}.weight": np.ones(WIDTH) for name in norms} | {
        f"{name}.bias": np.zeros(WIDTH) for name in norms
    }
    weights |= {name: rng.standard_normal((19, WIDTH)) for name in ("down", "across")}
    return {name: np.asarray(value, np.float32) for name, value in weights.items()}


def test_every_cell_hears_of_every_other_one() -> None:
    """Thereby the background is learned: the content of one corner changes the reading of the opposite one."""
    rng = np.random.default_rng(2)
    assert WIDTH % HEADS == 0
    weights = _random_weights(rng)
    features = rng.standard_normal((CHANNELS, 44, 44)).astype(np.float32)
    cells, edges = ask_tokens(features, weights)
    assert cells.shape == (81, 3)
    assert edges.shape == (180, 4)
    features[:, 4:8, 4:8] += 3.0
    changed, _ = ask_tokens(features, weights)
    assert np.abs(changed[80] - cells[80]).max() > 1e-4
