"""Test which places in a photograph count as quilts, on made-up ratings in place of pictures."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest

from companion.patchwork.photograph import photo as finding
from companion.patchwork.photograph.photo import NoBoardError, read_photo
from companion.patchwork.photograph.reading import QuiltEvidence
from vision.board.grid import GridFit
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


@pytest.mark.parametrize(("covered", "has_grid", "is_quilt"), [(0, False, False), (0, True, True), (9, False, True)])
def test_a_plain_tile_of_another_game_is_no_board_without_the_printed_grid(
    monkeypatch: pytest.MonkeyPatch, covered: int, has_grid: bool, is_quilt: bool
) -> None:
    likely = np.full((9, 9), 0.001)
    likely.reshape(-1)[:covered] = 0.999
    evidence = QuiltEvidence(SimpleNamespace(), SimpleNamespace())  # type: ignore[arg-type]
    reading = SimpleNamespace(likely=likely, pieces=(), income=0, income_confidence=1.0)
    found = finding.FoundBoards({1: PLACES[0]}, guessed=True)
    monkeypatch.setattr(finding, "find_quilts", lambda *_: found)
    monkeypatch.setattr(finding, "quilt_view", lambda *_: IMAGE)
    monkeypatch.setattr(finding, "see_quilt", lambda _: evidence)
    monkeypatch.setattr(finding, "read_together", lambda each: [reading] * len(each))
    monkeypatch.setattr(finding, "name_pieces", lambda *_: {1: ()})
    fit = GridFit(PLACES[0], 0.004, 0.9 if has_grid else 0.4)
    monkeypatch.setattr(finding, "fit_grid", lambda *_: fit)
    if is_quilt:
        assert len(read_photo(IMAGE)) == 1
    else:
        with pytest.raises(NoBoardError):
            read_photo(IMAGE)


@pytest.mark.parametrize(("certainty", "count"), [(0.6, 1), (0.48, 0)])
def test_lines_whose_edges_are_doubtful_are_rated_lower(
    monkeypatch: pytest.MonkeyPatch, certainty: float, count: int
) -> None:
    assert len(rated(monkeypatch, [0.92], certainty)) == count
