"""Test progress of parts, reported as shares of the whole."""

from __future__ import annotations

import pytest

from vision.progress import stretch


def test_a_part_tells_its_share_of_the_whole() -> None:
    heard: list[float] = []
    inner = stretch(stretch(heard.append, 0.5, 1.0), 0.2, 0.4)
    for share in (0.0, 0.5, 1.0):
        inner(share)
    assert heard == pytest.approx([0.6, 0.65, 0.7])
