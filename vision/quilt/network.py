"""The network that reads a quilt: the kind of each cell and each edge, and the places of printed buttons and labels.

Convolutions, run by OpenCV, describe every place of the view; then the cells and edges, one token each, attend to one
another: whether a cell is bare follows from the look of the other cells, not from a colour known beforehand. The
network was trained by `bench.quilts.fit`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CELL_PX, MARGIN_CELLS, SIDE
from vision.networks import finite, load_network

TRUNK_FILE: Final = Path(__file__).with_name("trunk.onnx")
WEIGHTS_FILE: Final = Path(__file__).with_name("tokens.npz")

CHANNELS: Final = 48
"""Feature channels of the convolutions."""
WIDTH: Final = 64
"""Length of a token."""
HEADS: Final = 4
"""Attention heads in each block."""
BLOCKS: Final = 3
"""Attention blocks."""

SPOT_PX: Final = 8
"""Pixels of the view per place of the maps."""
SPOT_MARGIN: Final = CELL_PX // SPOT_PX
"""Places of the maps around the grid: one cell."""

WAYS: Final = 8
"""Orientations averaged, all eight: with them 14 cells of 114 boards were wrong before tilings were compared, with one
25.
"""
# The change of a cell's probability of being bare in paler colours from which those count as well.
_OTHERWISE: Final = 0.5

BARE, PATCH, LEATHER = range(3)
"""Kinds of cells, in the order of the network's output."""
LINE, RIM, SEAM, INSIDE = range(4)
"""Kinds of edges: a line between bare cells, a piece beside a bare cell, between two pieces, inside a piece."""

# Grey levels added before logarithms are taken, so that noise in the dark counts little.
_DARK: Final = 8.0
# Log units per unit of the network's input, as in training.
_SPREAD: Final = 0.5
# Added to a token's variance to avoid division by 0.
_TINY: Final = 1e-5

_Floats: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class QuiltLook:
    """The network's output for a quilt.

    Attributes:
        cells: logarithms of the probabilities of BARE, PATCH and LEATHER, shape (SIDE, SIDE, 3), float64.
        beside: of LINE, RIM, SEAM and INSIDE for the lines between columns, including the grid's outermost,
            [row, line], shape (SIDE, SIDE + 1, 4).
        below: the same for the lines between rows, [line, column], shape (SIDE + 1, SIDE, 4).
        buttons: probability that a printed button's middle lies at a place, 0..1, shape (44, 44), `SPOT_PX` pixels of
            the view each, with one cell around the grid.
        labels: the same for labels.
    """

    cells: NDArray[np.float64]
    beside: NDArray[np.float64]
    below: NDArray[np.float64]
    buttons: NDArray[np.float64]
    labels: NDArray[np.float64]


def normalised(view: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the network's input for a view, shape (3, side, side): logarithms less each channel's median."""
    return np.stack([_normalised(np.ascontiguousarray(view[..., channel])) for channel in range(3)])


def _normalised(channel: NDArray[np.uint8]) -> _Floats:
    """Return a channel's logarithms less their median, by a table of the grey levels, in a fifth of the time."""
    logs = np.log(np.arange(256, dtype=np.float32) + np.float32(_DARK))
    ends = np.cumsum(np.bincount(channel.reshape(-1), minlength=256))
    low, high = np.searchsorted(ends, [(channel.size - 1) // 2, channel.size // 2], side="right")
    median = (logs[low] + logs[high]) / np.float32(2)
    return np.asarray(cv2.LUT(channel, (logs - median) / np.float32(_SPREAD)), np.float32)


def paler(view: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a view, BGR, with half of its saturation."""
    grey = cv2.cvtColor(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(view, 0.5, grey, 0.5, 0), np.uint8)


def look_at_quilt(view: NDArray[np.uint8], ways: int = WAYS) -> QuiltLook:
    """Run the network on a rectified view.

    Args:
        view: shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
        ways: number of the eight rotations and reflections to average over. Uncertain outputs differ between
            them. If all are asked, and a cell looks otherwise in paler colours, they are averaged with as many paler
            ones: a camera that exaggerates colours clips those of a print, and makes the stains of a board look like
            one. So it was with 2 of 42 photographed boards, and with 24 of 40 after such a change of colours.

    Raises:
        NoNumbersError: this build of OpenCV yields values that are not finite on this processor.
    """
    cut = round((MARGIN_CELLS - 1) * CELL_PX)
    board = view[cut:-cut, cut:-cut]
    looks = _looks(board, ways)
    if ways == WAYS:
        pale = paler(board)
        if np.abs(_bare(_mean(looks)) - _bare(_mean(_looks(pale, 1)))).max() > _OTHERWISE:
            looks = [*looks, *_looks(pale, ways)]
    return _mean(looks)


def _looks(board: NDArray[np.uint8], ways: int) -> list[QuiltLook]:
    """Return the output for each rotation and reflection of a board with one cell around it."""
    shown, trunk = normalised(board), load_network(__package__, TRUNK_FILE.name)
    turns = [(quarters, mirrored) for mirrored in (False, True) for quarters in range(4)][:ways]
    return [_turned_back(_look(trunk, shown, *turn), *turn) for turn in turns]


def _bare(look: QuiltLook) -> NDArray[np.float64]:
    return np.asarray(np.exp(look.cells[..., BARE]))


def _look(trunk: cv2.dnn.Net, shown: _Floats, quarters: int, mirrored: bool) -> QuiltLook:
    turned = np.rot90(shown, quarters, axes=(1, 2))
    blob = np.ascontiguousarray((turned[:, :, ::-1] if mirrored else turned)[None])
    trunk.setInput(blob, "view")
    seen = finite(np.asarray(trunk.forward(), np.float32))[0]
    cells, edges = (finite(logits) for logits in ask_tokens(seen[:CHANNELS], _weights()))
    lines = SIDE * (SIDE + 1)
    spots = 1 / (1 + np.exp(-seen[CHANNELS:].astype(np.float64)))
    return QuiltLook(
        cells=_log_shares(cells).reshape(SIDE, SIDE, 3),
        beside=_log_shares(edges[:lines]).reshape(SIDE, SIDE + 1, 4),
        below=_log_shares(edges[lines:]).reshape(SIDE + 1, SIDE, 4),
        buttons=spots[0],
        labels=spots[1],
    )


def _turned_back(look: QuiltLook, quarters: int, mirrored: bool) -> QuiltLook:
    """Return the output for a rotated, then reflected view, transformed back to the view itself."""

    def back(layer: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.rot90(layer[:, ::-1] if mirrored else layer, -quarters))

    lines = [back(look.beside), back(look.below)]
    beside, below = lines[::-1] if quarters % 2 else lines
    return QuiltLook(back(look.cells), beside, below, back(look.buttons), back(look.labels))


def _mean(looks: Sequence[QuiltLook]) -> QuiltLook:
    """Return the mean of probabilities; for kinds, the mean of their logarithms."""
    cells, beside, below = (
        _log_shares(np.mean([getattr(look, name) for look in looks], axis=0)) for name in ("cells", "beside", "below")
    )
    buttons, labels = (np.mean([getattr(look, name) for look in looks], axis=0) for name in ("buttons", "labels"))
    return QuiltLook(cells, beside, below, buttons, labels)


def ask_tokens(features: _Floats, weights: Mapping[str, _Floats]) -> tuple[_Floats, _Floats]:
    """Return the logits of cells (81, 3) and of edges (180, 4), from the convolutions' output, (CHANNELS, 44, 44)."""
    named = (("cell", 4, 4, 9, 9), ("beside", 4, 2, 9, 10), ("below", 2, 4, 10, 9))
    parts = [
        _linear(_windows(features, top, left, rows, columns), weights, name)
        + _places(weights, (top // 2 - 1, left // 2 - 1), rows, columns)
        for name, top, left, rows, columns in named
    ]
    tokens = np.concatenate(parts)
    for block in range(BLOCKS):
        tokens = _block(tokens, weights, f"blocks.{block}.")
    tokens = _norm(tokens, weights, "norm")
    return _linear(tokens[: SIDE * SIDE], weights, "cells"), _linear(tokens[SIDE * SIDE :], weights, "edges")


def _windows(features: _Floats, top: int, left: int, rows: int, columns: int) -> _Floats:
    """Return squares of 4 x 4 places, side by side, each flattened to one row."""
    part = features[:, top : top + 4 * rows, left : left + 4 * columns]
    cut = part.reshape(CHANNELS, rows, 4, columns, 4).transpose(1, 3, 0, 2, 4)
    return np.asarray(cut.reshape(rows * columns, CHANNELS * 16))


def _places(weights: Mapping[str, _Floats], first: tuple[int, int], rows: int, columns: int) -> _Floats:
    """Return the tokens' position embeddings, indexed in half cells."""
    down = weights["down"][first[0] : first[0] + 2 * rows : 2][:, None]
    across = weights["across"][first[1] : first[1] + 2 * columns : 2][None]
    return np.asarray((down + across).reshape(rows * columns, WIDTH))


def _block(tokens: _Floats, weights: Mapping[str, _Floats], name: str) -> _Floats:
    asked = _linear(_norm(tokens, weights, f"{name}norm1"), weights, f"{name}asked")
    query, key, value = asked.reshape(len(tokens), 3, HEADS, WIDTH // HEADS).transpose(1, 2, 0, 3)
    alike = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(WIDTH // HEADS))
    share = np.exp(alike - alike.max(axis=2, keepdims=True))
    seen = (share / share.sum(axis=2, keepdims=True)) @ value
    tokens = tokens + _linear(seen.transpose(1, 0, 2).reshape(len(tokens), WIDTH), weights, f"{name}joined")
    wide = np.maximum(_linear(_norm(tokens, weights, f"{name}norm2"), weights, f"{name}wide"), 0)
    return np.asarray(tokens + _linear(wide, weights, f"{name}narrow"))


def _linear(rows: _Floats, weights: Mapping[str, _Floats], name: str) -> _Floats:
    return np.asarray(rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"])


def _norm(rows: _Floats, weights: Mapping[str, _Floats], name: str) -> _Floats:
    middle, spread = rows.mean(axis=1, keepdims=True), rows.var(axis=1, keepdims=True)
    steady = (rows - middle) / np.sqrt(spread + np.float32(_TINY))
    return np.asarray(steady * weights[f"{name}.weight"] + weights[f"{name}.bias"])


def _log_shares(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    exact = logits.astype(np.float64)
    exact = exact - exact.max(axis=-1, keepdims=True)
    return np.asarray(exact - np.log(np.exp(exact).sum(axis=-1, keepdims=True)))


@cache
def _weights() -> Mapping[str, _Floats]:
    with np.load(WEIGHTS_FILE, allow_pickle=False) as stored:
        return {name: np.asarray(stored[name], np.float32) for name in stored.files}
