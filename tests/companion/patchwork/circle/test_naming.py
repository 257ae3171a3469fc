"""Test naming pieces: each patch once, with doubts where alternatives remain."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from companion.patchwork.circle.naming import (
    PATCHES_OF,
    SHAPES,
    SURE,
    Name,
    label_surety,
    name_pieces,
    shape_chances,
)
from hardware.simulated.drawing.fabrics import PX_PER_MM
from hardware.simulated.drawing.sprites import CELL_MM, RIM_PX, patch_sprite
from vision.geometry import Homography
from vision.pieces.fit import Fit, PiecePose, ways_of
from vision.pieces.sightings import Sighting

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

NAMES = {patch: number for number, patches in enumerate(PATCHES_OF) for patch in patches}
BLANK = np.full((60, 60, 3), 120, np.uint8)
PLAIN = Homography(np.eye(3))


def fit(patch: str, score_share: float = 0.9, x: float = 0.0) -> Fit:
    cells = ways_of(SHAPES[NAMES[patch]])[0]
    perfect = Fit(NAMES[patch], 0, cells, PiecePose(x, 0.0, 0.0), 1.0)
    return replace(perfect, score=score_share / perfect.quality)


def seen(
    *fits: Fit,
    margin: float = 12.0,
    label: float = 3.0,
    cell: float = 3.0,
    spill: float = 0.02,
    at_edge: bool = False,
) -> Sighting:
    return Sighting(fits, margin, label, cell, 1.5, spill, whole=True, at_edge=at_edge, touching=())


def unread(piece: Sighting) -> NDArray[np.float64]:
    """Return equal weights, as if no label were read."""
    del piece
    return np.zeros(len(PATCHES))


def saying(patch: str) -> Callable[[Sighting], NDArray[np.float64]]:
    """Return a reader whose label names a patch."""
    told = np.array([0.0 if each == patch else -6.0 for each in PATCHES])
    return lambda _: told


def named(pieces: list[Sighting], told: Callable[[Sighting], NDArray[np.float64]] = unread) -> tuple[Name, ...]:
    """Return the names of pieces in a blank picture."""
    return name_pieces(BLANK, PLAIN, pieces, told)


def test_a_clear_piece_is_sure() -> None:
    (name,) = named([seen(fit("plus"), fit("tee", 0.3))])
    assert name.patch == "plus"
    assert name.sure
    assert name.chances[0][1] >= SURE


@pytest.mark.parametrize(
    "piece",
    [
        seen(fit("plus", 0.9), replace(fit("tee"), score=fit("plus", 0.9).score - 0.3)),
        seen(fit("plus", 0.9), margin=0.2),
        seen(fit("plus", 0.15), label=-4.0, margin=1.0),
        seen(fit("plus", 0.5), margin=2.0, cell=-2.0),
        seen(fit("plus", 0.5), margin=2.0, spill=0.7),
        seen(fit("plus"), at_edge=True),
    ],
    ids=[
        "close rival",
        "close other laying",
        "fits badly, no label",
        "an empty cell",
        "more of it around",
        "at the edge",
    ],
)
def test_evidence_against_a_name_makes_it_doubtful(piece: Sighting) -> None:
    (name,) = named([piece])
    assert name.patch == "plus"
    assert not name.sure


def test_a_close_rival_is_a_candidate() -> None:
    rival = replace(fit("tee"), score=fit("plus", 0.9).score - 0.3)
    (name,) = named([seen(fit("plus", 0.9), rival)])
    assert [patch for patch, _ in name.chances] == ["plus", "tee"]


def test_the_label_decides_where_the_shape_leaves_doubts() -> None:
    rival = replace(fit("tee"), score=fit("plus", 0.9).score - 0.3)
    for patch in ("plus", "tee"):
        (name,) = named([seen(fit("plus", 0.9), rival)], saying(patch))
        assert name.patch == patch


def test_the_label_alone_makes_no_name_sure() -> None:
    (name,) = named([seen(fit("plus", 0.15), label=-4.0, margin=-1.0)], saying("plus"))
    assert name.patch == "plus"
    assert not name.sure


def test_of_two_of_one_name_that_with_its_label_has_it() -> None:
    """The other fits better, but has no visible label: it may be a part of something else."""
    labelled, bare = seen(fit("plus", 0.4), margin=0.3, cell=1.0), seen(fit("plus", 0.5), margin=1.0)
    names = named([labelled, bare], lambda piece: saying("plus")(piece) if piece is labelled else unread(piece))
    assert [name.patch for name in names] == ["plus", None]
    assert not any(name.sure for name in names)
    assert [name.patch for name in named([labelled, bare])] == [None, "plus"]


def test_a_clear_shape_with_the_label_of_another_patch_is_doubtful() -> None:
    (name,) = named([seen(fit("plus"), fit("tee", 0.3))], saying("tee"))
    assert name.patch == "plus"
    assert not name.sure


def test_a_piece_seen_in_one_look_is_doubtful_whatever_its_label() -> None:
    """A misread label can confirm a misread shape: both may result from the same blur or reflection."""
    (name,) = named([replace(seen(fit("plus"), fit("tee", 0.3)), agreed=False)], saying("plus"))
    assert name.patch == "plus"
    assert not name.sure


def test_a_label_makes_a_shape_surer_or_less_so() -> None:
    piece = seen(fit("plus", 0.8), replace(fit("tee"), score=fit("plus", 0.8).score - 1.0))
    own, without, other = (label_surety(piece, told(piece)) for told in (saying("plus"), unread, saying("tee")))
    assert 0 < other < without < own < 1


def test_chances_are_chances() -> None:
    best = fit("plus", 0.8)
    others = [replace(fit(patch), score=best.score - less) for patch, less in (("tee", 1.0), ("mast", 3.0))]
    chances = shape_chances(seen(best, *others))
    assert 0.9 < sum(chances.values()) <= 1.0
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert chances[NAMES["tee"]] > chances[NAMES["mast"]]


def test_no_patch_is_named_twice() -> None:
    weaker = replace(fit("plus", 0.85), score=fit("plus", 0.8).score)
    rival = replace(fit("tall-tee"), score=weaker.score - 0.5)
    names = named([seen(fit("plus")), seen(weaker, rival)])
    assert [name.patch for name in names] == ["plus", "tall-tee"]
    assert not any(name.sure for name in names)


def test_a_second_piece_of_a_shape_without_alternative_stays_unnamed() -> None:
    names = named([seen(fit("plus")), seen(fit("plus"))])
    assert sorted(str(name.patch) for name in names) == ["None", "plus"]
    assert not any(name.sure for name in names)


@pytest.mark.parametrize("blur_px", [0.0, 6.0])
@pytest.mark.parametrize("patches", [each for each in PATCHES_OF if len(each) > 1])
def test_twins_are_told_apart_by_their_print(patches: tuple[str, ...], blur_px: float) -> None:
    """Both twins side by side, named in either order; also out of focus, where no label can be read."""
    sprites = [patch_sprite(patch, False).picture for patch in patches]
    high, wide = max(s.shape[0] for s in sprites), sum(s.shape[1] for s in sprites)
    image = np.full((high, wide + 20, 3), 90, np.uint8)
    image[: sprites[0].shape[0], : sprites[0].shape[1]] = sprites[0]
    begin = sprites[0].shape[1] + 20
    image[: sprites[1].shape[0], begin : begin + sprites[1].shape[1]] = sprites[1]
    if blur_px:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur_px), np.uint8)
    pieces = [_lying(patch, left) for patch, left in zip(patches, (0, begin), strict=True)]
    scale = CELL_MM * PX_PER_MM
    to_image = Homography(np.array([[scale, 0, RIM_PX], [0, scale, RIM_PX], [0, 0, 1.0]]))
    assert [name.patch for name in name_pieces(image, to_image, pieces, unread)] == list(patches)
    assert [name.patch for name in name_pieces(image, to_image, pieces[::-1], unread)] == list(patches)[::-1]


def _lying(patch: str, left_px: int) -> Sighting:
    """Return a patch as in its sprite, shifted to the right."""
    cells = PATCHES[patch].cells
    row, column = cells[0]
    way = tuple((r - row, c - column) for r, c in cells)
    x = left_px / (CELL_MM * PX_PER_MM) + column + 0.5
    base = fit(patch)
    return seen(replace(base, cells=way, pose=PiecePose(x, row + 0.5, 0.0)))


def test_the_last_piece_is_the_last_patch() -> None:
    others = [patch for patch in PATCHES if patch != "tee"]
    pieces = [seen(fit(patch)) for patch in others]
    *others_named, last = named([*pieces, seen(fit("bar3", 0.5), margin=1.0)])
    assert {name.patch for name in others_named} == set(others)
    assert last.patch == "tee"
    assert not last.sure
    assert "tee" in dict(last.chances)
    *_, another = named([*pieces[:20], seen(fit("bar3", 0.5), margin=1.0)])
    assert another.patch in {"bar3", None}, "where more are missing, nobody knows which this is"


def test_a_hardly_seen_piece_takes_no_name_from_a_clear_one() -> None:
    """Three pieces could exchange their names in a cycle, each by a barely probable shape."""

    def between(patch: str, other: str, behind: float) -> Sighting:
        best = fit(patch)
        return seen(best, replace(fit(other), score=best.score - behind))

    others = [patch for patch in PATCHES if patch not in {"bar3", "cup", "tee"}]
    swapping = [seen(fit("bar3", 0.5), margin=1.0), between("bar3", "cup", 2.0), between("cup", "tee", 6.0)]
    names = named([*(seen(fit(patch)) for patch in others), *swapping])
    assert [name.patch for name in names[-3:]] == ["tee", "bar3", "cup"]
    assert not names[-3].sure


def test_a_piece_that_may_be_cut_off_takes_no_name_from_a_whole_one() -> None:
    """A part of a larger piece may look like a smaller one, which is itself seen less well."""
    part, whole = seen(fit("domino"), at_edge=True), seen(fit("domino", 0.4), margin=0.5, cell=1.0)
    for pieces in ([part, whole], [whole, part]):
        names = dict(zip(map(id, pieces), named(pieces, saying("domino")), strict=True))
        assert names[id(whole)].patch == "domino"
        assert names[id(part)].patch is None
    (alone,) = named([part])
    assert alone.patch == "domino"


def test_a_piece_that_may_be_cut_off_decides_no_twin() -> None:
    first, second = next(each for each in PATCHES_OF if len(each) > 1)
    image = patch_sprite(first, False).picture
    scale = CELL_MM * PX_PER_MM
    to_image = Homography(np.array([[scale, 0, RIM_PX], [0, scale, RIM_PX], [0, 0, 1.0]]))
    twin = _lying(first, 0)
    (alone,) = name_pieces(image, to_image, [twin], unread)
    beyond = replace(_lying(second, 0), at_edge=True)
    beside, _ = name_pieces(image, to_image, [twin, beyond], unread)
    assert alone.patch == beside.patch == first
    assert beside.chances == alone.chances


def test_nothing_to_name() -> None:
    assert named([]) == ()
