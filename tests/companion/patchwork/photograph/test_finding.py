"""Test which places in a photograph count as quilts, on made-up ratings in place of pictures."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest

from companion.patchwork.photograph import photo as finding
from vision.geometry import translation

if TYPE_CHECKING:
    from vision.geometry import Homography

IMAGE: Final = np.zeros((1, 1, 3), np.uint8)
PLACES: Final = [translation(10.0 * number, 0.0) for number in range(4)]


def rated(monkeypatch: pytest.MonkeyPatch, supports: list[float], certainty: float = 1.0) -> list[Homography]:
    """Return the places rated as quilts of those with these supports, the surest first."""
    given = iter(supports)
    edges = np.full((9, 10, 4), np.log(certainty))
    look = SimpleNamespace(beside=edges, below=edges.transpose(1, 0, 2))
    monkeypatch.setattr(finding, "fit_covered_grid", lambda _image, guess, _freedom: (guess, next(given)))
    monkeypatch.setattr(finding, "quilt_view", lambda *_: IMAGE)
    monkeypatch.setattr(finding, "look_at_quilt", lambda *_, **__: look)
    return [place for _, place in finding._rated(IMAGE, PLACES[: len(supports)])]


def test_a_time_board_or_a_cloth_is_rated_too_low_for_a_quilt(monkeypatch: pytest.MonkeyPatch) -> None:
    one, below, other, _ = PLACES
    assert rated(monkeypatch, [0.5, 0.44, 0.9, 0.0]) == [other, one]
    assert below not in rated(monkeypatch, [0.5, 0.44])


@pytest.mark.parametrize(("certainty", "count"), [(0.6, 1), (0.48, 0)])
def test_lines_whose_edges_are_doubtful_are_rated_lower(
    monkeypatch: pytest.MonkeyPatch, certainty: float, count: int
) -> None:
    assert len(rated(monkeypatch, [0.92], certainty)) == count
