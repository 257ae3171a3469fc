"""Kinds of tokens told apart by size and colour, with nothing known of the set."""

from __future__ import annotations

import pytest

from vision.tokens.discs import Disc
from vision.tokens.kinds import Kind, kind_of
from vision.tokens.likeness import LearntKind, Likeness, Likenesses

VIOLET, ORANGE, IVORY, COAL = (125, 38, -16), (150, 20, 48), (200, 1, 8), (48, 0, 1)


def disc(face: tuple[float, float, float], radius_cells: float = 0.4, ring: float = 0.9) -> Disc:
    return Disc((0, 0), radius_cells, ring, 1, 1, face, 9, 0, 0.9)


def shaded(face: tuple[float, float, float], light: float) -> tuple[float, float, float]:
    lightness, a, b = face
    return lightness * light, a * light, b * light


def test_sizes_and_colours_are_kinds_each() -> None:
    looks = Likenesses()
    seen = [disc(VIOLET), disc(ORANGE), disc(IVORY), disc(COAL), disc(VIOLET, 0.5)]
    assert [looks.learn(each) for each in seen] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("face", [VIOLET, ORANGE, IVORY, COAL])
def test_a_kind_is_one_in_light_shade_and_under_noise(face: tuple[float, float, float]) -> None:
    looks = Likenesses()
    again = [disc(face), disc(shaded(face, 0.85)), disc(shaded(face, 1.1)), disc(face, 0.412), disc(face, 0.39)]
    assert {looks.learn(each) for each in again} == {0}


def test_a_disc_whose_rim_is_not_seen_all_around_is_no_kind() -> None:
    looks = Likenesses()
    assert looks.learn(disc(VIOLET, ring=0.6)) is None
    assert looks.learn(disc(ORANGE)) == 0


def test_a_table_of_too_many_looks_has_no_more_kinds() -> None:
    looks = Likenesses()
    seen = [looks.learn(disc((100, 40.0 * column - 80, 40.0 * row - 80))) for row in range(6) for column in range(5)]
    assert seen == [*range(24), *[None] * 6]
    assert looks.learn(disc((100, -80, -80))) == 0


def test_a_learnt_kind_fits_what_looks_like_it() -> None:
    kind = LearntKind(5, Likeness(0.4, VIOLET))
    assert kind.fits(disc(shaded(VIOLET, 0.9), 0.41))
    assert not kind.fits(disc(VIOLET, 0.47))
    assert not kind.fits(disc(ORANGE))


def test_a_disc_of_two_kinds_of_one_value_is_worth_that() -> None:
    """One kind may be two where a lamp lights a part of the table."""
    light, shade = (LearntKind(5, Likeness(0.4, shaded(VIOLET, strength))) for strength in (1.05, 0.9))
    assert (kind_of(disc(VIOLET), [light, shade]) or light).value == 5
    assert kind_of(disc(VIOLET), [light, Kind(10, (0.3, 0.5), (-60, 0))]) is None
