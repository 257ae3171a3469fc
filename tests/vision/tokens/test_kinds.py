"""A disc's kind by its size and colour."""

from __future__ import annotations

from tests.cases import each
from vision.tokens.discs import Disc
from vision.tokens.kinds import Kind, kind_of, known_kinds

BLUE, GREEN, RED, YELLOW, GREY = (95, -7, -20), (80, -20, 20), (75, 31, 20), (140, 3, 44), (90, 1, 4)


def disc(face: tuple[float, float, float], radius_cells: float) -> Disc:
    return Disc((0, 0), radius_cells, 0.9, 1, 1, face, 9, 0, 0.9)


@each(
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
