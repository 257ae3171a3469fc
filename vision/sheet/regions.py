"""Measurement of a region of a page: the density of its marks, and the hue of their fine texture.

A shadow, a reflection or a stain that the page's light does not account for adds to the density of a mark and changes
its hue. The texture of the strokes, which light and shadow do not have, keeps the pencil's own hue.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.reductions import quantiles
from vision.sheet.page import FLAT_PX_PER_MM, page_mask

# Difference of density between the channels from which a pixel is a stroke; shadows and print stay below.
_STROKE_CHROMA: Final = 0.06
# Share of it that the median of bare paper may reach: noise rarely exceeds thrice its median.
_NOISY: Final = 1 / 3
# Step at which bare paper's noise is sampled.
_STEP_PX: Final = 4
# Share of the chroma relative to the total density; less may be print with colour fringes.
_COLOURED: Final = 0.09
# Factor on the density from which a grey pixel is a stroke, as opposed to a shadow's edge.
_DARK: Final = 2.25
# Width below which grey lines are print.
_LINE_PX: Final = 6
# Quantile of density above which pixels are specks and print.
_CORE_TOP: Final = 0.95
# Edge of the square relative to which a pixel's grain is measured: about one millimetre.
_GRAIN_PX: Final = 9
# Edge of the averaging square that removes paper's grain and the camera's noise.
_CALM_PX: Final = 5
# Density below the paper's, summed over channels, that averaged grain and camera noise do not reach.
_BRIGHTER: Final = 0.2
# Margin around a region that contains its printed outline.
_ROUND_PX: Final = 12
# Quantile that is returned as the darkest level: specks are excluded.
_DARKEST: Final = 0.02
# The least number of pixels of a region.
_LEAST_REGION_PX: Final = 40
# The least number of stroke pixels in a half for a hue of its own.
_LEAST_HALF_PX: Final = 15
# The least number of stroke pixels for a hue of the fainter ones.
_LEAST_STROKES_PX: Final = 60
# The quantiles between which strokes count as faint, the second quarter: the faintest pixels are edges, and nearby
# print.
_FAINT: Final = (0.25, 0.5)
# The least share of a region that is examined.
_LEAST_SHARE: Final = 0.08
# The share of a region below which print is not excluded.
_LEAST_LEFT: Final = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The pixels of a region.

    Attributes:
        box: rows and columns of flat space that hold it.
        mask: its pixels in the box, at least one.
    """

    box: tuple[slice, slice]
    mask: NDArray[np.bool_]

    def pixels(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the region's pixels of an array in flat space, shape (n, ...)."""
        return picked(values[self.box], self.mask)


def picked(values: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return the values where a mask, shape (rows, columns), is true: of shape (rows, columns, ...), then (n, ...)."""
    # Equivalent to `values[mask]`, which takes four times as long for arrays with channels.
    return np.asarray(np.compress(mask.ravel(), values.reshape(mask.size, *values.shape[2:]), axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class RegionLook:
    """The look of a region.

    Attributes:
        coverage: share of its pixels with pencil, 0..1, lowered if one half has less.
        hue: the direction of the strokes' density, a unit vector (blue, green, red).
        strength: the strokes' density, the sum of three channels.
        grain: typical difference of the strokes' density from that around it; infinite without strokes.
        spread_deg: the largest angle between the hues of two halves; 0 if one has too few strokes.
        faint_hue: the hue of the fainter strokes, which is unaffected by other pencil straying over a mark; None if
            there are too few.
    """

    coverage: float
    hue: NDArray[np.float64]
    strength: float
    grain: float = float("inf")
    spread_deg: float = 0.0
    faint_hue: NDArray[np.float64] | None = None


def make_window(outlines: Sequence[ArrayLike], holes: Sequence[tuple[ArrayLike, float]], inset_mm: float) -> Window:
    """Return the window of the pixels inside outlines.

    Args:
        outlines: polygons in page space, each shape (n, 2).
        holes: polygons in page space that are excluded, each with a margin in millimetres that is excluded too.
        inset_mm: margin removed inside the outlines; smaller if little or nothing would remain.

    Raises:
        ValueError: the outlines have no inside.
    """
    polygons = [np.asarray(outline, np.float64) for outline in outlines]
    corner, size = _around(polygons)
    whole = page_mask(polygons, size, corner)
    for share in (1.0, 0.6, 0.3, 0.0):
        mask = _shrunk(whole, inset_mm * share)
        for hole, margin_mm in holes:
            mask &= ~_grown(page_mask([np.asarray(hole, np.float64)], size, corner), margin_mm * share)
        if np.count_nonzero(mask) >= max(_LEAST_REGION_PX, _LEAST_SHARE * np.count_nonzero(whole)):
            return _cropped(mask, corner)
    if not whole.any():
        raise ValueError("a region without an inside cannot be read")
    return _cropped(whole, corner)


def without(window: Window, mask: NDArray[np.bool_]) -> Window:
    """Return a window less the pixels of a mask in flat space, or the same window if too little would be left."""
    left = window.mask & ~mask[window.box]
    enough = np.count_nonzero(left) >= max(_LEAST_REGION_PX, _LEAST_LEFT * np.count_nonzero(window.mask))
    return Window(window.box, left) if enough else window


def _around(polygons: Sequence[NDArray[np.float64]]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the first (column, row), and (width, height), of the crop of flat space around polygons with a margin."""
    points_px = np.concatenate(polygons) * FLAT_PX_PER_MM
    low = np.maximum(np.floor(points_px.min(axis=0)).astype(int) - 2, 0)
    high = np.maximum(np.ceil(points_px.max(axis=0)).astype(int) + 2, low + 1)
    return (int(low[0]), int(low[1])), (int(high[0] - low[0]), int(high[1] - low[1]))


def _cropped(mask: NDArray[np.uint8], corner: tuple[int, int]) -> Window:
    left, top, width, height = cv2.boundingRect(mask)
    inside = mask[top : top + height, left : left + width] > 0
    first_row, first_column = top + corner[1], left + corner[0]
    return Window((slice(first_row, first_row + height), slice(first_column, first_column + width)), inside)


def _disc(radius_mm: float) -> NDArray[np.uint8]:
    side = 2 * round(radius_mm * FLAT_PX_PER_MM) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _shrunk(mask: NDArray[np.uint8], by_mm: float) -> NDArray[np.uint8]:
    return np.asarray(cv2.erode(mask, _disc(by_mm), borderValue=(0,)), np.uint8)


def _grown(mask: NDArray[np.uint8], by_mm: float) -> NDArray[np.uint8]:
    return np.asarray(cv2.dilate(mask, _disc(by_mm)), np.uint8)


def free_paper(
    busy: Sequence[ArrayLike], margin_mm: float, edge_mm: float, size_px: tuple[int, int]
) -> NDArray[np.bool_]:
    """Return the mask of paper without colour and print.

    Args:
        busy: polygons in page space that may be coloured or are printed black.
        margin_mm: margin excluded around each.
        edge_mm: margin excluded along the page's edges.
        size_px: width and height of flat space.

    Returns:
        Flat space, shape (rows, columns).
    """
    mask = _grown(page_mask([np.asarray(polygon, np.float64) for polygon in busy], size_px), margin_mm)
    edge = max(1, round(edge_mm * FLAT_PX_PER_MM))
    free = np.zeros(mask.shape, np.bool_)
    free[edge:-edge, edge:-edge] = mask[edge:-edge, edge:-edge] == 0
    return free


def _strokes(density: NDArray[np.float32], stroke_density: float) -> NDArray[np.bool_]:
    """Return the mask of pencil: coloured pixels, and nearly grey ones outside of thin lines."""
    total, chroma = total_of(density), _chroma_of(density)
    tinted = (chroma > _STROKE_CHROMA) & (total > stroke_density / 2)
    coloured = tinted & (chroma > _COLOURED * total)
    return np.asarray(coloured | _without_lines(tinted | (total > stroke_density * _DARK)))


def _chroma_of(density: NDArray[np.float32]) -> NDArray[np.float32]:
    mean = total_of(density) / 3
    off = [density[..., channel] - mean for channel in range(3)]
    return np.asarray(np.sqrt(off[0] ** 2 + off[1] ** 2 + off[2] ** 2))


def passes_for_pencil(density: NDArray[np.float32], free: NDArray[np.bool_]) -> bool:
    """Return whether bare paper is so noisy that some of it passes for strokes.

    Args:
        density: of the page, shape (rows, columns, 3).
        free: mask of bare paper, shape (rows, columns).
    """
    paper = _chroma_of(density[::_STEP_PX, ::_STEP_PX])[free[::_STEP_PX, ::_STEP_PX]]
    return paper.size > 0 and float(np.median(paper)) > _NOISY * _STROKE_CHROMA


def _without_lines(dark: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return dark pixels without those of thin lines, which are print."""
    opened = cv2.morphologyEx(dark.astype(np.uint8), cv2.MORPH_OPEN, np.ones((_LINE_PX, _LINE_PX), np.uint8))
    return np.asarray(opened, np.bool_)


def look_at(density: NDArray[np.float32], window: Window, stroke_density: float, core_share: float) -> RegionLook:
    """Measure the look of a region.

    Args:
        density: of the page, shape (rows, columns, 3).
        window: the region.
        stroke_density: the sum of three channels from which a pixel is a stroke.
        core_share: share of the densest pixels that the hue is measured on.
    """
    pixels = window.pixels(density).astype(np.float64)
    total = pixels[:, 0] + pixels[:, 1] + pixels[:, 2]
    strokes = _strokes(density[window.box], stroke_density)
    core = pixels[_between(total, _CORE_TOP - core_share, _CORE_TOP)].mean(axis=0)
    on_it = strokes & window.mask
    grain = float(np.median(picked(_grain(density[window.box]), on_it))) if on_it.any() else float("inf")
    drawn = pixels[strokes[window.mask]]
    spread_deg, coverage = _spread_deg(drawn, on_it), _coverage(on_it, window.mask)
    return RegionLook(coverage, _hue(core), float(core.sum()), grain, spread_deg, _faint_hue(drawn))


def _between(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.bool_]:
    """Return the mask of values between two of their quantiles."""
    least, most = quantiles(values, low, high)
    return np.asarray((values >= least) & (values <= most))


def _hue(density: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the direction of a density, shape (3,); grey if it is 0."""
    length = float(np.linalg.norm(density))
    return density / length if length > 0 else np.full(3, 3**-0.5)


def _faint_hue(strokes: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return the hue of the fainter of strokes, shape (n, 3), or None if there are too few."""
    if len(strokes) < _LEAST_STROKES_PX:
        return None
    total = strokes[:, 0] + strokes[:, 1] + strokes[:, 2]
    return _hue(strokes[_between(total, *_FAINT)].mean(axis=0))


def _spread_deg(strokes: NDArray[np.float64], mask: NDArray[np.bool_]) -> float:
    """Return the largest angle between the hues of strokes, shape (n, 3), in two halves of a mask."""
    apart = [0.0]
    for axis, places in enumerate(np.nonzero(mask)):
        first = places >= _past_middle(np.count_nonzero(mask, axis=1 - axis))
        if min(np.count_nonzero(first), np.count_nonzero(~first)) >= _LEAST_HALF_PX:
            one, other = strokes[first].sum(axis=0), strokes[~first].sum(axis=0)
            lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
            apart.append(float(np.degrees(np.arccos(np.clip(one @ other / lengths, -1, 1)))) if lengths else 0.0)
    return max(apart)


def darkest(flat: NDArray[np.uint8], window: Window) -> float:
    """Return the green level, 0..255, of the darkest pixels of a region and of its printed outline."""
    rows, columns = (slice(max(0, side.start - _ROUND_PX), side.stop + _ROUND_PX) for side in window.box)
    return quantiles(flat[rows, columns, 1].ravel(), _DARKEST)[0]


def brighter_share(density: NDArray[np.float32], window: Window) -> float:
    """Return the share of a region that is brighter than its paper should be, 0..1."""
    total = cv2.blur(total_of(density[window.box]), (_CALM_PX, _CALM_PX))
    return float((total[window.mask] < -_BRIGHTER).mean())


def paper_grain(density: NDArray[np.float32], free: NDArray[np.bool_]) -> float:
    """Return the grain of bare paper, comparable with a look's `grain`; 0 if there is none."""
    return float(np.median(picked(_grain(density), free))) if free.any() else 0.0


def _grain(density: NDArray[np.float32]) -> NDArray[np.float32]:
    total = total_of(density)
    return np.asarray(cv2.absdiff(total, cv2.blur(total, (_GRAIN_PX, _GRAIN_PX))), np.float32)


def total_of(density: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sum of a density's three channels, shape (rows, columns)."""
    # Far faster than a sum along the last axis.
    return np.asarray(cv2.transform(density, np.ones((1, 3), np.float32)), np.float32)


def _coverage(strokes: NDArray[np.bool_], mask: NDArray[np.bool_]) -> float:
    """Return the mean of the share of strokes and that of the emptiest half, because strays come from one side."""
    shares = []
    for axis in (1, 0):
        drawn, whole = np.count_nonzero(strokes, axis=axis), np.count_nonzero(mask, axis=axis)
        middle = _past_middle(whole)
        halves = [(drawn[half].sum(), whole[half].sum()) for half in (slice(middle), slice(middle, None))]
        shares += [float(of_it / pixels) for of_it, pixels in halves if pixels]
    return (np.count_nonzero(strokes) / np.count_nonzero(mask) + min(shares)) / 2


def _past_middle(counts: NDArray[np.intp]) -> int:
    """Return the index after the median, given the number of occurrences of each index."""
    ends = np.cumsum(counts)
    lower, upper = np.searchsorted(ends, [(ends[-1] - 1) // 2, ends[-1] // 2], side="right")
    return int(lower + upper) // 2 + 1


# Scale above which variation may be light, even the edge of a shadow.
_AROUND_PX: Final = 7
# The least number of pixels for a covariance of three channels.
_LEAST_PX: Final = 200


@dataclass(frozen=True, slots=True, eq=False)
class Texture:
    """The texture of a region.

    Attributes:
        hue: the direction in which density varies most, a unit vector (blue, green, red).
        depth: its standard deviation, without the paper's own noise; 0 if there is no more than noise.
        clearness: the variance, in units of the noise.
    """

    hue: NDArray[np.float64]
    depth: float
    clearness: float


def paper_noise(density: NDArray[np.float32], bare: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the noise of bare paper: the covariance of its channels, shape (3, 3).

    Args:
        density: of the page, shape (rows, columns, 3).
        bare: mask of paper that includes the reach of `texture_of`, shape (rows, columns).
    """
    varying = picked(np.asarray(cv2.subtract(density, cv2.blur(density, (_AROUND_PX, _AROUND_PX))), np.float32), bare)
    return _spread(varying) if len(varying) >= _LEAST_PX else np.full((3, 3), np.inf)


def paper_inside(free: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask, shape (rows, columns), eroded as `paper_noise` needs it."""
    kernel = np.ones((_AROUND_PX, _AROUND_PX), np.uint8)
    return np.asarray(cv2.erode(free.astype(np.uint8), kernel, borderValue=(0,)) > 0)


def texture_of(density: NDArray[np.float32], window: Window, noise: NDArray[np.float64]) -> Texture:
    """Measure the texture of a region.

    Args:
        density: of the page, shape (rows, columns, 3).
        window: the region.
        noise: of its paper, the result of `paper_noise`.
    """
    grey = np.full(3, 3**-0.5)
    if not np.isfinite(noise).all() or np.count_nonzero(window.mask) < _LEAST_PX:
        return Texture(grey, 0.0, 0.0)
    here, mask = density[window.box], window.mask.astype(np.float32)
    share = np.maximum(cv2.blur(mask, (_AROUND_PX, _AROUND_PX)), 1e-3)
    around = cv2.blur(here * mask[..., None], (_AROUND_PX, _AROUND_PX)) / share[..., None]
    varying = picked(np.asarray(here - around, np.float32), window.mask)
    powers, hues = np.linalg.eigh(np.asarray(_spread(varying) - noise, np.float64))
    power, hue = max(float(powers[-1]), 0.0), hues[:, -1]
    hue = hue * (1 if hue.sum() >= 0 else -1)
    return Texture(np.asarray(hue), float(np.sqrt(power)), power / max(float(np.trace(noise)), 1e-9))


def _spread(values: NDArray[np.float32]) -> NDArray[np.float64]:
    # Computed channel by channel, in half the time of `numpy.cov` on a transposed copy.
    channels = np.array([values[:, channel] for channel in range(values.shape[1])], np.float64)
    channels -= channels.mean(axis=1)[:, None]
    return np.asarray(channels @ channels.T / (len(values) - 1))
