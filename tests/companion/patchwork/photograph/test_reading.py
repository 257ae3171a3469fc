"""Quilts of one box, read together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.patchwork.photograph.reading import QuiltEvidence, read_together
from companion.patchwork.photograph.tiling import CELLS, Tilings, all_kinds, all_placements
from vision.quilt.network import BARE, QuiltLook

PLACED = all_placements()
KINDS = all_kinds()


def _kind(patch: str) -> int:
    return next(number for number, kind in enumerate(KINDS) if patch in kind.patches)


def _evidence(*choices: tuple[str, float], covered: float = 0.5) -> QuiltEvidence:
    """Return evidence of a quilt of one patch, with each candidate's log-weight."""
    count = len(choices)
    masks, placed = np.zeros((count, CELLS), np.bool_), np.full((count, CELLS), -1, np.int32)
    used = np.zeros((count, len(KINDS)), np.int8)
    for row, (patch, _) in enumerate(choices):
        number = int(np.flatnonzero(PLACED.kinds == _kind(patch))[0])
        masks[row] = PLACED.masks[number]
        placed[row, int(masks[row].argmax())] = number
        used[row, _kind(patch)] = 1
    cells = np.zeros((9, 9, 3))
    cells[..., BARE] = np.log(1 - covered)
    spots = np.zeros((44, 44))
    look = QuiltLook(cells, np.zeros((9, 10, 4)), np.zeros((10, 9, 4)), spots, spots)
    return QuiltEvidence(look, Tilings(masks, placed, used, np.array([weight for _, weight in choices])))


def test_one_quilt_is_read_by_itself() -> None:
    (reading,) = read_together([_evidence(("square", 0.0), ("bar5", -3.0))])
    assert [piece.patches for piece in reading.pieces] == [("square",)]
    assert reading.income == 2
    assert reading.pieces[0].confidence > 0.9
    assert set(reading.pieces[0].cells) == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_a_patch_lies_on_one_of_the_two_quilts() -> None:
    """The second would be the square by itself, but the first one has it, and more surely."""
    sure, unsure = _evidence(("square", 0.0), ("bar5", -9.0)), _evidence(("square", 0.0), ("plus", -1.0))
    one, other = read_together([sure, unsure])
    assert [piece.patches for piece in one.pieces] == [("square",)]
    assert [piece.patches for piece in other.pieces] == [("plus",)]
    assert other.pieces[0].confidence > 0.99


def test_two_that_cannot_be_of_one_box_are_read_each_by_itself() -> None:
    one, other = read_together([_evidence(("square", 0.0)), _evidence(("square", 0.0))])
    assert one.pieces[0].patches == other.pieces[0].patches == ("square",)


def test_a_cell_on_which_cells_and_tilings_differ_is_never_sure() -> None:
    (reading,) = read_together([_evidence(("square", 0.0), covered=0.001)])
    assert 0.4 < reading.likely[0, 0] < 0.6
    assert reading.likely[8, 8] < 0.001


def test_a_cell_that_only_leather_may_cover_is_as_sure_as_it_looks_like_leather() -> None:
    """By itself it is surely covered: it looks like a patch, but none can be there."""
    leather = int(np.flatnonzero(PLACED.kinds == len(KINDS) - 1)[0])
    masks, placed = PLACED.masks[[leather]], np.full((1, CELLS), -1, np.int32)
    placed[0, int(masks.argmax())] = leather
    for chance, sure in ((0.01, False), (0.95, True)):
        cells = np.zeros((9, 9, 3))
        cells[...] = np.log([0.01, 0.99 - chance, chance])
        spots = np.zeros((44, 44))
        look = QuiltLook(cells, np.zeros((9, 10, 4)), np.zeros((10, 9, 4)), spots, spots)
        used = np.zeros((1, len(KINDS)), np.int8)
        (reading,) = read_together([QuiltEvidence(look, Tilings(masks, placed, used, np.zeros(1)))])
        assert (reading.likely.reshape(-1)[int(masks.argmax())] > 0.97) == sure


def test_an_income_is_as_sure_as_its_tilings_are_likelier_than_others() -> None:
    (sure,) = read_together([_evidence(("square", 0.0), ("bar5", -6.0))])
    (doubted,) = read_together([_evidence(("square", 0.0), ("bar5", -1.0))])
    assert (sure.income, doubted.income) == (2, 2)
    assert sure.income_confidence > 0.99
    assert doubted.income_confidence < 0.8


def test_patches_are_doubted_where_a_likelier_tiling_may_have_been_missed() -> None:
    evidence = _evidence(("square", 0.0), ("bar5", -6.0))
    cut_short = replace(evidence, tilings=replace(evidence.tilings, missed=1.0))
    (reading,) = read_together([cut_short])
    assert [piece.patches for piece in reading.pieces] == [("square",)]
    assert reading.pieces[0].confidence < 0.3
    assert reading.income_confidence < 0.3
    assert reading.likely[0, 0] > 0.7
