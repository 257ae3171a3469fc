from __future__ import annotations

import itertools

from companion.games.patchwork.components import PATCHES
from companion.patchwork.terminal.pictures import EMPTY, LEATHER, PRINTS, CellDrawing


def _difference(one: CellDrawing, two: CellDrawing) -> float:
    """Return the distance of two background colours, each of red, green and blue counting from 0 to 1."""
    grounds = [shown.style.bgcolor.get_truecolor() if shown.style.bgcolor else (0, 0, 0) for shown in (one, two)]
    return float(sum(abs(a - b) for a, b in zip(*grounds, strict=True)) / 255)


def test_every_patch_has_a_print_of_its_own() -> None:
    assert set(PRINTS) == set(PATCHES)
    every = [*PRINTS.values(), LEATHER, EMPTY]
    assert len(set(map(repr, every))) == len(every)


def test_prints_of_the_same_weave_differ_in_colour() -> None:
    for one, two in itertools.combinations([*PRINTS.values(), LEATHER], 2):
        if one.weave == two.weave:
            assert _difference(one, two) > 0.4


def test_prints_of_like_colour_differ_in_weave() -> None:
    for one, two in itertools.combinations(PRINTS.values(), 2):
        assert _difference(one, two) > 0.25 or one.weave != two.weave


def test_a_print_is_two_characters_wide() -> None:
    assert all(len(shown.weave) == 2 for shown in (*PRINTS.values(), LEATHER, EMPTY))


def test_the_thread_is_seen_on_its_ground() -> None:
    for shown in PRINTS.values():
        assert shown.style.color is not None
        assert shown.style.bgcolor is not None
        pair = shown.style.color.get_truecolor(), shown.style.bgcolor.get_truecolor()
        assert sum(abs(a - b) for a, b in zip(*pair, strict=True)) > 60
