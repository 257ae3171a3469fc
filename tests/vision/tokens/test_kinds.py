"""A disc's kind by its size and colour."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.tokens.discs import Disc
from vision.tokens.kinds import Kind, LearntKind, Likeness, Likenesses, kind_of, known_kinds

VIOLET, ORANGE, IVORY, COAL = (125, 38, -16), (150, 20, 48), (200, 1, 8), (48, 0, 1)


def a_disc(face: tuple[float, float, float], radius_cells: float = 0.4, ring: float = 0.9) -> Disc:
    return Disc((0, 0), radius_cells, ring, 1, 1, face, 9, 0, 0.9)


def shaded(face: tuple[float, float, float], light: float) -> tuple[float, float, float]:
    lightness, a, b = face
    return lightness * light, a * light, b * light


def test_sizes_and_colours_are_kinds_each() -> None:
    looks = Likenesses()
    seen = [a_disc(VIOLET), a_disc(ORANGE), a_disc(IVORY), a_disc(COAL), a_disc(VIOLET, 0.5)]
    assert [looks.learn(each) for each in seen] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("face", [VIOLET, ORANGE, IVORY, COAL])
def test_a_kind_is_one_in_light_shade_and_under_noise(face: tuple[float, float, float]) -> None:
    looks = Likenesses()
    again = [
        a_disc(face),
        a_disc(shaded(face, 0.85)),
        a_disc(shaded(face, 1.1)),
        a_disc(face, 0.412),
        a_disc(face, 0.39),
    ]
    assert {looks.learn(each) for each in again} == {0}


def test_a_disc_whose_rim_is_not_seen_all_around_is_no_kind() -> None:
    looks = Likenesses()
    assert looks.learn(a_disc(VIOLET, ring=0.6)) is None
    assert looks.learn(a_disc(ORANGE)) == 0


def test_a_table_of_too_many_looks_has_no_more_kinds() -> None:
    looks = Likenesses()
    seen = [looks.learn(a_disc((100, 40.0 * column - 80, 40.0 * row - 80))) for row in range(6) for column in range(5)]
    assert seen == [*range(24), *[None] * 6]
    assert looks.learn(a_disc((100, -80, -80))) == 0


def test_a_learnt_kind_fits_what_looks_like_it() -> None:
    kind = LearntKind(5, Likeness(0.4, VIOLET))
    assert kind.fits(a_disc(shaded(VIOLET, 0.9), 0.41))
    assert not kind.fits(a_disc(VIOLET, 0.47))
    assert not kind.fits(a_disc(ORANGE))


def test_a_a_disc_two_kinds_of_one_value_is_worth_that() -> None:
    """One kind may be learnt as two if a lamp lights only a part of the table."""
    light, shade = (LearntKind(5, Likeness(0.4, shaded(VIOLET, strength))) for strength in (1.05, 0.9))
    assert (kind_of(a_disc(VIOLET), [light, shade]) or light).value == 5
    assert kind_of(a_disc(VIOLET), [light, Kind(10, (0.3, 0.5), (-60, 0))]) is None


def test_a_border_that_all_of_a_kind_have_is_no_sign_of_a_token_below() -> None:
    """A printed ring was taken for the rim, so that the face continues beyond it."""
    kind, ringed = LearntKind(5, Likeness(0.4, VIOLET), 0.5, 0.8), a_disc(VIOLET)
    evened = kind.evened(replace(ringed, beside=0.55, shade=0.8))
    assert evened.beside == pytest.approx(0.05)
    assert evened.shade == pytest.approx(1.0)
    assert kind.evened(replace(ringed, beside=0.9, shade=0.4)).beside == pytest.approx(0.4)
    assert kind.evened(replace(ringed, shade=0.4)).shade == pytest.approx(0.5)


def test_a_kind_whose_surroundings_were_never_seen_is_not_evened_away() -> None:
    kind = LearntKind(5, Likeness(0.4, VIOLET), 1.0, 0.0)
    evened = kind.evened(replace(a_disc(VIOLET), beside=1.0, shade=0.0))
    assert evened.beside == pytest.approx(0.3)
    assert evened.shade == 0


BLUE, GREEN, RED, YELLOW, GREY = (95, -7, -20), (80, -20, 20), (75, 31, 20), (140, 3, 44), (90, 1, 4)


def disc(face: tuple[float, float, float], radius_cells: float) -> Disc:
    return Disc((0, 0), radius_cells, 0.9, 1, 1, face, 9, 0, 0.9)


@pytest.mark.parametrize(
    ("face", "radius_cells", "value"),
    [
        (BLUE, 0.37, 1),
        (GREEN, 0.40, 5),
        (RED, 0.45, 10),
        (YELLOW, 0.53, 20),
        (BLUE, 0.53, None),
        (YELLOW, 0.40, None),
        (GREY, 0.37, None),
    ],
)
def test_the_kind_follows_from_size_and_colour(
    face: tuple[float, float, float], radius_cells: float, value: int | None
) -> None:
    kind = kind_of(disc(face, radius_cells), known_kinds())
    assert (None if kind is None else kind.value) == value


def test_a_disc_that_two_kinds_would_fit_is_of_neither() -> None:
    both = [Kind(value, (0.3, 0.5), (-120, -90)) for value in (1, 5)]
    assert kind_of(disc(BLUE, 0.4), both) is None


def test_the_hues_of_a_set_do_not_overlap() -> None:
    for one in known_kinds():
        for other in known_kinds():
            assert one is other or other.hue_deg[0] > one.hue_deg[1] or other.hue_deg[1] < one.hue_deg[0]
