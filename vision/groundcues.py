"""Numbers that tell bare from covered, for each cell and for each edge between two cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.boardlook import LINES
from vision.ground import flanks, match_lines, relief, sides
from vision.rectify import SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.boardlook import BoardLook
    from vision.ground import Ground

_SCALE: Final = np.array([0.12, 0.05, 0.05])
"""Log-luminance changes more with light and texture than the two colours do."""


def cell_cues(look: BoardLook, ground: Ground) -> NDArray[np.float64]:
    """Cues of each cell, shape (SIDE, SIDE, number of cues), float64."""
    trust = ground.known / (ground.known + 1.0)
    off = (look.colour - ground.colour) / ground.spread
    blocks = (look.blocks - ground.colour[:, :, None]) / (ground.spread + ground.grain / 3)
    far = np.sqrt((blocks**2).sum(axis=-1))
    texture = np.log(look.texture + 0.005) - ground.texture
    rim = _rim_distance(look)
    plain = _plain_cell_cues(look)
    known = [
        _root(off[..., 0]), _root(np.hypot(off[..., 1], off[..., 2])),
        _root(np.abs(look.colour - ground.colour)[..., 0] / _SCALE[0]),
        _root(np.hypot(*np.moveaxis((look.colour - ground.colour)[..., 1:], -1, 0)) / _SCALE[1]),
        np.log1p(far.max(axis=-1)), np.log1p(np.median(far, axis=-1)), np.log1p(np.partition(far, 2, axis=-1)[..., 2]),
        np.abs(texture[..., 0]), texture[..., 0],
        np.hypot(texture[..., 1], texture[..., 2]), texture[..., 1] + texture[..., 2],
    ]  # fmt: skip
    told = [trust * cue for cue in known]
    return np.stack([np.ones_like(trust), trust, *told, (1 - trust) * rim, rim, *plain], axis=-1)


def _plain_cell_cues(look: BoardLook) -> list[NDArray[np.float64]]:
    """Cues for which no ground need be known."""
    centre = np.median(look.blocks, axis=2)
    blob = np.sqrt((((look.blocks - centre[:, :, None]) / _SCALE) ** 2).sum(axis=-1))
    likeness = _likeness(look)
    return [
        np.log1p(blob.max(axis=-1)), np.log(look.texture[..., 0] + 0.005),
        np.log(np.hypot(look.texture[..., 1], look.texture[..., 2]) + 0.005), likeness, np.sqrt(likeness),
    ]  # fmt: skip


def _likeness(look: BoardLook) -> NDArray[np.float64]:
    """How many other cells of the board look alike, as a share."""
    texture = np.log(look.texture + 0.005) * 0.25
    signs = np.concatenate([look.colour / _SCALE, texture / 0.1], axis=-1).reshape(SIDE * SIDE, -1)
    squares = ((signs[:, None] - signs[None]) ** 2).sum(axis=-1)
    alike = np.exp(-squares / 8).sum(axis=1) - 1.0
    return np.asarray(alike.reshape(SIDE, SIDE) / (SIDE * SIDE - 1))


def _rim_distance(look: BoardLook) -> NDArray[np.float64]:
    """How far a cell's colour is from the border's, without its brightness: borders are often printed darker."""
    rim = np.median(look.rim.reshape(-1, 3), axis=0)
    return np.asarray(np.sqrt(np.hypot(*np.moveaxis((look.colour - rim)[..., 1:], -1, 0)) / _SCALE[1]))


def edge_cues(look: BoardLook, ground: Ground) -> NDArray[np.float64]:
    """Cues of each edge, shape (2, LINES, SIDE, number of cues), float64; the grid's outermost lines are among them."""
    match, trust = match_lines(look, ground), ground.lines_known / (ground.lines_known + 1.0)
    some = ground.known.mean() / (ground.known.mean() + 1.0)
    nearer, farther = _flanks_off(look, ground)
    strength = np.clip(match.strength, -1.0, 2.5)
    known = [
        np.log(match.leftover + 0.05), strength, np.abs(strength - 1.0), match.evenness,
        np.log(match.surprise + 0.2), np.log(match.oddity + 0.1),
        np.sign(match.gain) * np.sqrt(np.minimum(np.abs(match.gain), 60.0)),
        np.full(trust.shape, np.log(match.clarity)), np.log(match.clarity) * strength,
    ]  # fmt: skip
    told = [trust * cue for cue in known] + [some * nearer, some * farther]
    return np.stack([np.ones(trust.shape), trust, *told, *_plain_edge_cues(look)], axis=-1)


def _flanks_off(look: BoardLook, ground: Ground) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far what lies to both sides is from the ground: the side that is nearer to it, and the other."""
    left, right = flanks(look.profiles.mean(axis=3))
    expected = np.stack([sides(ground.colour[..., channel]) for channel in range(3)], axis=-1)
    scale = ground.spread + ground.grain / 3
    off = []
    for side, seen in enumerate((left, right)):
        distance = np.sqrt((((seen - expected[side]) / scale) ** 2).sum(axis=-1))
        off.append(np.log1p(distance))
    off[0][:, 0], off[1][:, -1] = off[1][:, 0], off[0][:, -1]  # outside the grid there is no ground to compare with
    return np.minimum(*off), np.maximum(*off)


def _plain_edge_cues(look: BoardLook) -> list[NDArray[np.float64]]:
    """Cues for which no ground need be known."""
    stripes = relief(look.profiles)
    mean = stripes.mean(axis=3)
    peak = np.abs(mean[..., 0]).max(axis=-1)
    uneven = stripes[..., 0].std(axis=3).mean(axis=-1)
    left, right = flanks(look.profiles.mean(axis=3))
    step = (left - right) / _SCALE
    tinge = np.hypot(mean[..., 1], mean[..., 2]).max(axis=-1)
    busy = look.profiles[..., 0].std(axis=(3, 4))
    return [
        np.log(peak + 0.01), np.log(uneven + 0.01), np.log(peak + 0.01) - np.log(uneven + 0.01),
        _root(step[..., 0]), _root(np.hypot(step[..., 1], step[..., 2])), np.log(tinge + 0.005), np.log(busy + 0.01),
        _alike(look, peak), *_shape(stripes[..., 0]),
    ]  # fmt: skip


def _shape(stripes: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """How luminance runs across an edge and varies along it, from (2, LINES, SIDE, STRIPES, 2 * LINE_PX).

    A seam has a shadow on one side and stitches on both; which side is which does not matter.
    """
    mean, spread = stripes.mean(axis=3), stripes.std(axis=3)
    half = mean.shape[-1] // 2
    near, far = mean[..., :half], mean[..., : half - 1 : -1]
    signs = [(near + far) / 2, np.abs(near - far) / 2, (spread[..., :half] + spread[..., : half - 1 : -1]) / 2]
    return [np.clip(sign[..., place] / 0.1, -3.0, 3.0) for sign in signs for place in range(half)]


def _alike(look: BoardLook, peak: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many other edges of the board stand out in the same way, as a share."""
    mean = relief(look.profiles.mean(axis=3)).reshape(2 * LINES * SIDE, -1)
    left, right = (flank.reshape(2 * LINES * SIDE, 3) / _SCALE for flank in flanks(look.profiles.mean(axis=3)))
    signs = np.concatenate([mean / 0.05, left, right], axis=1)
    squares = ((signs[:, None] - signs[None]) ** 2).sum(axis=-1)
    alike = np.exp(-squares / 24).sum(axis=1) - 1.0
    return np.asarray(np.sqrt(alike / len(signs))).reshape(peak.shape)


def _root(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.sqrt(np.abs(values)))
