from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.components import PATCHES, placements
from companion.patchwork.reading.explain import LEATHER, all_lattice_placements
from companion.patchwork.watching.watch import lattice_of, mask_of_lattice
from vision.quilt.look import RING

masks = st.integers(0, (1 << 81) - 1)


@settings(derandomize=True)
@given(mask=masks)
def test_a_mask_on_the_lattice_is_the_mask_and_its_ring_is_free(mask: int) -> None:
    cells = lattice_of(mask)
    assert cells.shape == (RING, RING)
    assert mask_of_lattice(cells) == mask
    assert np.count_nonzero(cells) == mask.bit_count()


def test_every_shape_lies_in_all_the_places_the_rules_know() -> None:
    lattice = all_lattice_placements()
    assert sorted(patch for patches in lattice.shapes for patch in patches) == sorted([*PATCHES, LEATHER])
    assert len(lattice.shapes) == 31
    for number, patches in enumerate(lattice.shapes):
        whole = {lattice.masks[index] for index in np.flatnonzero((lattice.shape == number) & (lattice.outside == 0))}
        assert whole == ({1 << bit for bit in range(81)} if patches == (LEATHER,) else set(placements(patches[0])))


def test_every_lie_covers_the_quilt_where_its_mask_says() -> None:
    lattice = all_lattice_placements()
    assert min(mask.bit_count() for mask in lattice.masks) == 1
    for index in range(0, len(lattice.masks), 37):
        covered = lattice.incidence[index].reshape(RING, RING) > 0
        assert mask_of_lattice(covered) == lattice.masks[index]
        size = (
            1
            if lattice.shapes[lattice.shape[index]] == (LEATHER,)
            else PATCHES[lattice.shapes[lattice.shape[index]][0]].size
        )
        assert lattice.masks[index].bit_count() + lattice.outside[index] == size
        assert np.count_nonzero(covered) <= size


def test_cells_beyond_the_ring_are_left_out() -> None:
    """No piece is as long as the lattice, so that one that covers opposite edges of the ring has a cell too many."""
    covered = all_lattice_placements().incidence.reshape(-1, RING, RING) > 0
    assert not (covered[:, 0].any(axis=1) & covered[:, -1].any(axis=1)).any()
    assert not (covered[:, :, 0].any(axis=1) & covered[:, :, -1].any(axis=1)).any()
    assert covered[:, 0].any()
    assert covered[:, :, -1].any()


def test_the_words_are_the_masks() -> None:
    lattice = all_lattice_placements()
    assert [int(low) | int(high) << 64 for low, high in lattice.words] == list(lattice.masks)
