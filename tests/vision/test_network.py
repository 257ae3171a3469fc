"""The small network that weighs cues."""

from __future__ import annotations

import numpy as np
import pytest

from vision.network import PARTS, Network


def _arrays(cues: int = 4, hidden: int = 5, classes: int = 3) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    shapes = (cues,), (cues,), (cues, hidden), (hidden,), (hidden, classes), (classes,), (classes,)
    arrays = {f"it.{part}": rng.normal(size=shape) for part, shape in zip(PARTS, shapes, strict=True)}
    arrays["it.spread"] = np.abs(arrays["it.spread"]) + 0.5
    arrays["it.usual"] = np.log([0.5, 0.3, 0.2])
    return arrays


def test_shares_weighed_by_the_usual_ones_add_up() -> None:
    network = Network.of(_arrays(), "it")
    cues = np.random.default_rng(1).normal(size=(6, 2, 4))
    found = network.log_likelihoods(cues)
    assert found.shape == (6, 2, 3)
    np.testing.assert_allclose(np.exp(found + network.usual).sum(axis=-1), 1.0)


def test_one_by_one_is_as_all_at_once() -> None:
    network = Network.of(_arrays(), "it")
    cues = np.random.default_rng(2).normal(size=(5, 4))
    np.testing.assert_allclose(network.log_likelihoods(cues)[3], network.log_likelihoods(cues[3]))


def test_cues_beyond_all_that_was_seen_tell_no_more() -> None:
    network = Network.of(_arrays(), "it")
    far, farther = network.middle + 6 * network.spread, network.middle + 600 * network.spread
    np.testing.assert_allclose(network.log_likelihoods(far), network.log_likelihoods(farther))


def test_what_is_not_in_the_file_is_missed() -> None:
    with pytest.raises(KeyError):
        Network.of(_arrays(), "other")
