from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

import companion.web
from calibration import cloths
from calibration.cloths import TILE, cloth_of, print_places
from companion.games.patchwork.components import PATCHES


@pytest.mark.parametrize("patch", [*PATCHES, "leather"])
def test_each_patch_has_a_cloth_whose_motif_stays_near_its_tile(patch: str) -> None:
    cloth = cloth_of(patch)

    assert cloth.prints
    points = [point for dye in cloth.prints for chain in dye.lines for point in chain]
    assert all(-TILE / 2 <= each <= TILE * 1.5 for point in points for each in point)
    assert all(0 <= each <= 1 for dye in cloth.prints for each in (*dye.colour, dye.opacity))


def test_no_cloth_is_cut_twice() -> None:
    seen = {patch: cloth_of(patch) for patch in PATCHES}

    assert all(one != other for one, other in combinations(seen.values(), 2))


def test_an_unknown_patch_has_no_cloth() -> None:
    with pytest.raises(KeyError):
        cloth_of("blanket")


@pytest.mark.parametrize("patch", PATCHES)
def test_a_label_lies_across_two_neighbours_and_each_cell_is_printed_on_once(patch: str) -> None:
    cells = PATCHES[patch].cells
    places = print_places(cells)

    (row, column), (row2, column2) = places[:2]
    assert (row2 - row, column2 - column) in {(0, 1), (1, 0)}
    assert sorted(places) == sorted(cells)


def test_the_page_draws_the_same_cloths() -> None:
    own = Path(cloths.__file__).with_name("cloths.json")
    served = Path(companion.web.__file__).parent / "static" / "js" / "patchwork" / "cloths.json"

    assert json.loads(served.read_bytes()) == json.loads(own.read_bytes())
