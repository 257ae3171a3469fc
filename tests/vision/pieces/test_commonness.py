"""Test which colours of a picture are common and which are rare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.pieces.maps import SCALES, commonness, normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray


def gingham(rng: np.random.Generator, side: int = 240) -> NDArray[np.uint8]:
    rows, columns = np.mgrid[0:side, 0:side]
    weight = ((rows // 8) % 2 + (columns // 8) % 2) / 2
    cloth = np.array([210.0, 215, 220]) * (1 - weight[..., None]) + np.array([150.0, 70, 40]) * weight[..., None]
    return np.asarray(np.clip(cloth + rng.normal(0, 3, cloth.shape), 0, 255), np.uint8)


def test_a_patch_is_rarer_than_the_cloth_it_lies_on() -> None:
    image = gingham(np.random.default_rng(1))
    image[100:136, 90:140] = (90, 160, 60)
    seen = commonness(normalised(image))
    assert seen.shape == (120, 120, SCALES)
    cloth = np.concatenate([seen[10:40, 10:-10], seen[80:110, 10:-10]]).reshape(-1, SCALES)
    assert (seen[54:64, 50:66, :2].max(axis=(0, 1)) < np.quantile(cloth[:, :2], 0.02, axis=0)).all()


def test_all_of_a_pattern_is_common() -> None:
    seen = commonness(normalised(gingham(np.random.default_rng(2))))
    assert (seen[10:-10, 10:-10, 0] > 0).all()


def test_masked_pixels_do_not_change_the_commonness() -> None:
    image = gingham(np.random.default_rng(3))
    image[:, 120:] = (20, 20, 200)
    known = np.zeros(image.shape[:2], np.bool_)
    known[:, :120] = True
    seen = commonness(normalised(image, known), known)
    assert seen[:, 80:100, 0].max() < seen[:, 10:50, 0].min()


def test_equal_pictures_look_equal() -> None:
    shown = normalised(gingham(np.random.default_rng(4)))
    assert (commonness(shown) == commonness(shown)).all()
