"""Test that the circle is looked at once each time the table comes to rest."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from companion.patchwork.circle.hints import CircleRest
from companion.patchwork.circle.watch import FollowedPieces
from vision.table.plane import PlacedPicture


class _Circle:
    """A fake circle whose looks take a step for each moved piece."""

    def __init__(self, moved: dict[int, float] | None = None) -> None:
        self.moved = moved or {}
        self.looks = self.steps = 0
        self._left: list[int] = []

    def restart(self) -> None:
        self.looks, self._left = self.looks + 1, list(self.moved)

    def follow(self, scene: PlacedPicture) -> FollowedPieces:
        assert scene.image.shape == (160, 320, 3)
        self.steps += 1
        number = self._left.pop(0) if self._left else None
        found = {} if number is None else {number: self.moved[number]}
        return FollowedPieces(found, is_done=not self._left)


class _Table:
    """A table of one grey level at ten frames a second, with a circle or without one."""

    def __init__(self, circle: _Circle | None) -> None:
        self.watch = SimpleNamespace(picture=None, at_rest=True)
        self.rest = CircleRest(self.watch, SimpleNamespace(circle=circle))  # type: ignore[arg-type]
        self._frames = 0

    def show(self, grey: int, frames: int) -> None:
        for _ in range(frames):
            self.watch.picture = PlacedPicture(np.full((160, 320, 3), grey, np.uint8), {})
            self.rest.tick(self._frames / 10)
            self._frames += 1


def test_at_rest_it_is_looked_at_once() -> None:
    circle = _Circle()
    table = _Table(circle)
    table.show(100, 3)
    assert (circle.looks, table.rest.is_seen) == (0, False)
    table.show(100, 60)
    assert (circle.looks, circle.steps, table.rest.is_seen) == (1, 1, True)


def test_after_a_change_it_is_looked_at_again() -> None:
    circle = _Circle()
    table = _Table(circle)
    table.show(100, 20)
    table.show(160, 4)
    assert not table.rest.is_seen
    table.show(160, 20)
    assert (circle.looks, table.rest.is_seen) == (2, True)


def test_while_something_stirs_it_is_not_looked_at() -> None:
    circle = _Circle()
    table = _Table(circle)
    for grey in range(40, 240, 8):
        table.show(grey, 4)
    assert circle.looks == 0


def test_missing_pieces_are_looked_for_one_a_frame() -> None:
    circle = _Circle({4: 1.5, 9: 0.7, 11: 2.0})
    table = _Table(circle)
    table.show(100, 6)
    assert not table.rest.is_seen
    table.show(100, 2)
    assert (circle.looks, circle.steps, dict(table.rest.moved)) == (1, 3, circle.moved)


def test_a_quilt_that_is_not_at_rest_ends_the_rest() -> None:
    circle = _Circle()
    table = _Table(circle)
    table.show(100, 20)
    table.watch.at_rest = False
    table.show(100, 1)
    assert not table.rest.is_seen
    table.watch.at_rest = True
    table.show(100, 10)
    assert (circle.looks, table.rest.is_seen) == (2, True)


def test_without_a_circle_nothing_is_looked_at() -> None:
    table = _Table(None)
    table.show(100, 20)
    assert not table.rest.is_seen
