"""Pencil on paper: the light on the page, optical density, printed ink, and the hue of a region's pencil.

The light is fitted to bare paper, in logarithms, by a plane in each neighbourhood; subtracting it removes the light's
colour, its fall-off and its soft shadows. The remainder is optical density: the absorption in each channel.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import reductions
from vision.sheet.page import FLAT_PX_PER_MM
from vision.sheet.regions import RegionLook, Window, passes_for_pencil, picked, total_of

_Layer: TypeAlias = NDArray[np.float64]

# Resolution of the paper's samples: one a millimetre.
_BLOCKS_PER_MM: Final = 1
# Quantile of a block's pixels that is its paper: print and stray strokes only darken a block.
_PAPER_RANK: Final = 0.7
# The least share of free pixels for a block to be used.
_LEAST_SHARE: Final = 0.06
# Neighbourhoods, each with the weighted share of free blocks from which it is used; otherwise the wider one is, and
# without any of them a curved surface over the whole page.
_REACHES_MM: Final = ((9.0, 0.01), (3.0, 0.04))
# Sampling step within a block.
_STEP_PX: Final = 2
# Avoids a division by 0 for a neighbourhood without bare paper.
_LEAST_WEIGHT: Final = 1e-7
# Regularisation of a plane's slope: a weight at a neighbourhood's width.
_LEVEL: Final = 3e-3
# Powers of x and y in the sums that a plane is fitted by.
_SECOND_ORDER: Final = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
# The kernel that changes nothing.
_AS_IT_IS: Final = np.ones((1, 1))
# Iterations of reweighting, in which outliers lose weight.
_LIGHT_ROUNDS: Final = 3
# Deviation from the fit, in any channel, at which a block counts half.
_OFF: Final = 0.05
# Added to linear light before the logarithm, so that noise in the dark counts little.
_FLOOR: Final = 0.002
# Grey level from which a channel may be overexposed.
_FULL_LEVEL: Final = 254
# Edges of the averaging square: less than the white between two strokes, and in a camera's noise as much as it takes.
_GRAINS_PX: Final = (3, 5, 7, 11)
# Edge of the square whose mean is subtracted, which preserves strokes and removes light.
_TEXTURE_PX: Final = 9
# Difference of density between the channels below which there is no colour: bare paper.
_BLANK_CHROMA: Final = 0.035
# Largest texture, relative to the paper's own, of a colourless region that counts as paper, possibly in a shadow.
_BLANK_TEXTURE: Final = 2.0


def page_density(
    flat: NDArray[np.uint8],
    free: NDArray[np.bool_],
    windows: Iterable[Window],
    blank: NDArray[np.uint8] | None = None,
) -> NDArray[np.float32]:
    """Return the optical density of the pencil on the paper, channel by channel.

    Args:
        flat: the rectified page, shape (rows, columns, 3), uint8, BGR.
        free: where there is bare paper, print and stray strokes aside, shape (rows, columns).
        windows: regions that may hold pencil; those that turn out to be blank help to measure the light.
        blank: the page before colouring, of the shape of `flat`, whose print is subtracted; None to keep the print.

    Returns:
        Natural logarithms, shape (rows, columns, 3); 0 on bare paper, positive for absorption.
    """
    light = log_light(flat) if blank is None else log_light(flat) - log_light(blank)
    first = paper_light(light, free)
    first -= light
    density = paper_light(light, _with_blanks(first, free, windows))
    density -= light
    for grain_px in _GRAINS_PX:
        calm = np.asarray(cv2.blur(density, (grain_px, grain_px)), np.float32)
        if not passes_for_pencil(calm, free):
            break
    return calm


def _with_blanks(density: NDArray[np.float32], free: NDArray[np.bool_], windows: Iterable[Window]) -> NDArray[np.bool_]:
    total = cv2.blur(total_of(density), (_GRAINS_PX[0], _GRAINS_PX[0]))
    texture = np.asarray(cv2.absdiff(total, cv2.blur(total, (_TEXTURE_PX, _TEXTURE_PX))), np.float32)
    smooth = _BLANK_TEXTURE * float(np.median(picked(texture, free))) if free.any() else 0.0
    more = free.copy()
    for window in windows:
        mean = window.pixels(density).mean(axis=0)
        if np.linalg.norm(mean - mean.mean()) < _BLANK_CHROMA and np.median(window.pixels(texture)) < smooth:
            more[window.box] |= window.mask
    return more


def full_scale(flat: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the mask of pixels with an overexposed channel, given a picture of shape (rows, columns, 3)."""
    return np.asarray(cv2.inRange(flat, (0, 0, 0), (_FULL_LEVEL - 1,) * 3) == 0)


def log_light(flat: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the logarithm of linear light, of the same shape as the picture (sRGB)."""
    grey = np.arange(256) / 255
    linear = np.where(grey <= 0.04045, grey / 12.92, ((grey + 0.055) / 1.055) ** 2.4)
    table = np.log(linear + _FLOOR).astype(np.float32)
    return np.asarray(cv2.LUT(flat, table), np.float32)


def paper_light(light: NDArray[np.float32], free: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return the light that bare paper would reflect everywhere.

    Args:
        light: logarithms, shape (rows, columns, 3).
        free: where there is bare paper, print and stray strokes aside, shape (rows, columns).

    Returns:
        Logarithms, of the shape of `light`.
    """
    blocks, weights = _blocks(light, free)
    trust = weights.copy()
    field = np.zeros_like(blocks)
    for _ in range(_LIGHT_ROUNDS):
        field = _smooth(blocks, trust)
        off = np.abs(blocks - field).max(axis=0) / _OFF
        trust = weights / (1 + off**2) ** 2
    rows, columns = light.shape[:2]
    return np.asarray(cv2.resize(cv2.merge(tuple(field)), (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)


def _blocks(light: NDArray[np.float32], free: NDArray[np.bool_]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return each block's paper, channel by channel, shape (3, n, m), and how much of it is free, shape (n, m)."""
    size = round(FLAT_PX_PER_MM / _BLOCKS_PER_MM) // _STEP_PX
    light, free = light[::_STEP_PX, ::_STEP_PX], free[::_STEP_PX, ::_STEP_PX]
    rows, columns = light.shape[0] // size, light.shape[1] // size
    green = np.where(free, light[..., 1], np.float32(-np.inf))[: rows * size, : columns * size]
    pixels = green.reshape(rows, size, columns, size).swapaxes(1, 2).reshape(rows, columns, size * size)
    count = np.count_nonzero(pixels > -np.inf, axis=2)
    # Pixels that are not free sort to the front: the rank counts from the bright end.
    place = size * size - 1 - ((1 - _PAPER_RANK) * count).astype(np.intp)
    order = np.argsort(pixels, axis=2)
    chosen = np.take_along_axis(order, place[..., None], axis=2)[..., 0]
    first_row, first_column = np.ogrid[: rows * size : size, : columns * size : size]
    values = light[first_row + chosen // size, first_column + chosen % size]
    enough = count >= _LEAST_SHARE * size * size
    planes = np.where(enough, np.moveaxis(values, 2, 0), 0.0)
    return np.asarray(planes, np.float32, order="C"), np.asarray(np.where(enough, np.sqrt(count) / size, 0), np.float32)


def _smooth(blocks: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the paper's light, from the widest neighbourhood to the narrowest with enough data."""
    field = _surface(blocks, weights)
    for reach, enough in _REACHES_MM:
        finer, known = _planes(blocks, weights, reach)
        share = np.clip(known / enough - 1, 0, 1)
        field = np.asarray(share * finer + (1 - share) * field, np.float32)
    return field


def _surface(blocks: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the surface of second order through all blocks, by their weights."""
    y, x = np.mgrid[: weights.shape[0], : weights.shape[1]] / max(weights.shape) - 0.5
    basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y]).reshape(6, -1)
    heavy = basis * weights.ravel()
    terms, *_ = np.linalg.lstsq(heavy @ basis.T, heavy @ blocks.reshape(3, -1).T, rcond=None)
    return np.asarray((terms.T @ basis).reshape(blocks.shape), np.float32)


def _planes(
    blocks: NDArray[np.float32], weights: NDArray[np.float32], reach_mm: float
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return the value, at each block, of the plane through its neighbours; and their weight."""
    one, x, y, xx, xy, yy = _moments(weights, reach_mm, _SECOND_ORDER)
    sides = [_moments(plane, reach_mm, _SECOND_ORDER[:3]) for plane in weights * blocks]
    side, side_x, side_y = (np.stack(layers) for layers in zip(*sides, strict=True))
    return _height((one, x, y), (xx, xy, yy), (side, side_x, side_y)), one


def _height(
    leans: tuple[_Layer, _Layer, _Layer], spreads: tuple[_Layer, _Layer, _Layer], sides: tuple[_Layer, _Layer, _Layer]
) -> NDArray[np.float32]:
    """Return the height, at the origin, of the plane with these moments; nearly level if its slope is uncertain."""
    one, along_x, along_y = leans
    one, xx, xy, yy = one + _LEAST_WEIGHT, spreads[0] + _LEVEL, spreads[1], spreads[2] + _LEVEL
    by_one, by_x, by_y = xx * yy - xy * xy, xy * along_y - yy * along_x, along_x * xy - along_y * xx
    whole = one * by_one + along_x * by_x + along_y * by_y
    return np.asarray((by_one * sides[0] + by_x * sides[1] + by_y * sides[2]) / whole, np.float32)


def _moments(values: NDArray[np.float32], reach_mm: float, powers: Sequence[tuple[int, int]]) -> list[_Layer]:
    """Return weighted sums over the neighbourhood of each block; the outside of the page has no weight.

    Args:
        values: of the blocks, shape (n, m).
        reach_mm: sigma of the neighbourhood.
        powers: for each sum, of the distances in x and y, in reaches, that each neighbour is multiplied by.
    """
    size = round(8 * reach_mm + 1) | 1
    near = cv2.getGaussianKernel(size, reach_mm)
    far = (np.arange(size)[:, None] - size // 2) / reach_mm
    # Sums of the same power of x share the pass along the rows.
    across = {power: _filtered(values, near * far**power, _AS_IT_IS) for power in {x for x, _ in powers}}
    return [np.asarray(_filtered(across[x], _AS_IT_IS, near * far**y), np.float64) for x, y in powers]


def _filtered(values: NDArray[np.float32], across: _Layer, down: _Layer) -> NDArray[np.float32]:
    summed = cv2.sepFilter2D(values, cv2.CV_32F, across, down, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(summed, np.float32)


# Sigma that removes the paper's grain and preserves lines.
_CALM_MM: Final = 0.2
# Margin around edges of print: pictures are registered to the blank one to within about a quarter of a millimetre.
_EDGE_MM: Final = 0.4
# Change of light at an edge of print, in natural logarithms; paper's grain and a camera's noise stay below.
_EDGE: Final = 0.35
# Darkness, in natural logarithms in every channel, from which print hides pencil.
_DARK: Final = 0.9
# Edge of the surroundings that print is compared with.
_AROUND_MM: Final = 12.0


def print_mask(blank: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the mask of a page's print where measurements are unreliable: along its edges, and where it is dark.

    Args:
        blank: the blank page in flat space, shape (rows, columns, 3), uint8, BGR.

    Returns:
        Shape (rows, columns).
    """
    light = np.asarray(cv2.GaussianBlur(log_light(blank), (0, 0), _CALM_MM * FLAT_PX_PER_MM), np.float32)
    side = 2 * round(_EDGE_MM * FLAT_PX_PER_MM) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    change = reductions.brightest(np.asarray(cv2.morphologyEx(light, cv2.MORPH_GRADIENT, kernel), np.float32))
    around = round(_AROUND_MM * FLAT_PX_PER_MM) | 1
    paper = cv2.blur(cv2.dilate(light, np.ones((around, around), np.uint8)), (around, around))
    dark = reductions.darkest(paper - light) > _DARK
    return np.asarray((change > _EDGE) | dark)


SURE_ODDS: Final = float(np.log(99))
"""Log-odds from which a classification counts as settled."""
# Error of the paper's light, in density: the hue of a faint mark is less certain.
_PAPER_ERROR: Final = 0.04
# Factor on the uncertainty of a pencil without a sample.
_UNSEEN: Final = 3.0
# Weight of a guessed hue, in marks: two marks outweigh it.
_PRIOR_WEIGHT: Final = 1.5
# Iterations of assigning marks to the nearest hue and updating the hues.
_ROUNDS: Final = 3
# Distance from a pencil's hue at which a mark may as well be dirt, or another pencil.
_FOREIGN_DEG: Final = 24.0
# Difference of hue from which two halves are not of one pencil in one light.
_MIXED_DEG: Final = 8.0
# The greatest log-odds of one pencil against another for such a region, so that the players are asked.
_MIXED_ODDS: Final = 3.0
# The hue of grey, a unit vector.
_GREY: Final = np.full(3, 3**-0.5)
# The angle by which noise and the room's light turn the hue of a faint shadow.
_NEARLY_GREY_DEG: Final = 24.0
# Distance from grey below which a pencil cannot be distinguished from a shadow.
_GREY_PENCIL_DEG: Final = 2.0
# The least ratio of the grain of strokes to the paper's.
_SMOOTH: Final = 1.6


@dataclass(frozen=True, slots=True, eq=False)
class Pencils:
    """The pencils of a sheet.

    Attributes:
        keys: names.
        hues: the direction of each one's density, unit vectors, shape (n, 3).
        margin_deg: for each, the lead over the second pencil from which it is sure, shape (n,).
    """

    keys: tuple[str, ...]
    hues: NDArray[np.float64]
    margin_deg: NDArray[np.float64]

    def likelihoods(self, look: RegionLook) -> NDArray[np.float64]:
        """Return the log-likelihood of a hue for each pencil, and last for none of them.

        Shape (n + 1,); only differences are meaningful.
        """
        least = float(self.margin_deg.min())
        angles = np.append(angles_deg(self.hues, look.hue), _FOREIGN_DEG)
        faintness = np.hypot(1, np.degrees(_PAPER_ERROR / max(look.strength, _PAPER_ERROR)) / least)
        # The error of a guess is limited.
        near = np.minimum(angles, _FOREIGN_DEG) / np.append(self.margin_deg, least)
        far = np.maximum(angles - _FOREIGN_DEG, 0) / least
        ratios = np.asarray(-(near + far) * SURE_ODDS / faintness)
        return ratios if look.spread_deg <= _MIXED_DEG else _unsure(ratios)

    def is_greyish(self, look: RegionLook) -> bool:
        """Return whether a shadow may have this hue."""
        return float(angles_deg(_GREY[None], look.hue)[0]) <= _NEARLY_GREY_DEG

    def may_be_shadow(self, look: RegionLook, paper_grain: float) -> bool:
        """Return whether it may be a shadow's edge: nearer to grey than to a pencil, or greyish and smooth."""
        if not self.is_greyish(look):
            return False
        to_grey = float(angles_deg(_GREY[None], look.hue)[0])
        greyest = float(angles_deg(self.hues, _GREY).min())
        greyer = greyest > _GREY_PENCIL_DEG and to_grey < float(angles_deg(self.hues, look.hue).min())
        return greyer or look.grain < _SMOOTH * paper_grain

    def nearest_pair(self) -> tuple[str, str, float]:
        """Return the two pencils that are hardest to tell apart, and the angle between them in degrees."""
        gaps = np.degrees(np.arccos(np.clip(self.hues @ self.hues.T, -1, 1))) + 360 * np.eye(len(self.keys))
        first, second = np.unravel_index(int(np.argmin(gaps)), gaps.shape)
        return self.keys[first], self.keys[second], float(gaps[first, second])


def _unsure(ratios: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the likelihoods scaled so that the best one's lead over the second leaves a doubt."""
    second, best = np.sort(ratios)[-2:]
    return ratios * min(1.0, _MIXED_ODDS / max(float(best - second), 1e-9))


def angles_deg(hues: NDArray[np.float64], hue: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the angles between unit vectors, shape (n, 3), and one, in degrees."""
    return np.asarray(np.degrees(np.arccos(np.clip(hues @ hue, -1, 1))))


def reach_deg(hues: NDArray[np.float64]) -> float:
    """Return the largest angle between any two of some unit vectors, shape (n, 3), in degrees."""
    return float(np.degrees(np.arccos(np.clip((hues @ hues.T).min(), -1, 1))))


def screen_hue(screen: str) -> NDArray[np.float64]:
    """Return the direction of density of a display colour on white, "#rrggbb", as a guess at a pencil's."""
    bgr = np.array([[[int(screen[at : at + 2], 16) for at in (5, 3, 1)]]], np.uint8)
    density = np.maximum(log_light(np.full((1, 1, 3), 255, np.uint8)) - log_light(bgr), 1e-3)[0, 0].astype(np.float64)
    return np.asarray(density / np.linalg.norm(density))


def learn_pencils(
    samples: Mapping[str, RegionLook | None],
    guesses: Mapping[str, NDArray[np.float64]],
    marks: Sequence[RegionLook],
    margin_deg: float,
) -> Pencils:
    """Return the pencils by their samples; those without one by a guess, refined by the marks nearest to it.

    Args:
        samples: by name, the look of the sample; None if it was not coloured.
        guesses: for each name a unit vector.
        marks: the coloured regions.
        margin_deg: the lead over the second pencil from which one is sure, if both samples are present.
    """
    keys = tuple(samples)
    hues = np.array([guesses[key] if look is None else look.hue for key, look in samples.items()])
    unseen = np.array([look is None for look in samples.values()])
    margins = np.where(unseen, _UNSEEN, 1.0) * margin_deg
    if unseen.any() and marks:
        hues = _adapted(hues, unseen, np.array([mark.hue for mark in marks]))
    return Pencils(keys, hues, margins)


def _adapted(hues: NDArray[np.float64], unseen: NDArray[np.bool_], marks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the hues, with those without a sample moved towards the marks nearest to them."""
    guessed = hues.copy()
    for _ in range(_ROUNDS):
        nearest = np.argmax(marks @ hues.T, axis=1)
        for pencil in np.flatnonzero(unseen):
            towards = _PRIOR_WEIGHT * guessed[pencil] + marks[nearest == pencil].sum(axis=0)
            hues[pencil] = towards / np.linalg.norm(towards)
    return hues
