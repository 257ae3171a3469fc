from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.rules import new_game
from companion.games.patchwork.state import Setup
from companion.languages import ENGLISH
from companion.patchwork.page.interface import draw_camera, draw_crop, exposure_of
from companion.patchwork.page.snapshot import PatchworkAccount, snapshot_json
from companion.patchwork.reading import complaints
from companion.patchwork.watching.watch import Evidence
from companion.play.events import Pending
from tests.companion.web.conftest import Watch, boards
from vision.geometry import cell_window

GREEN, ORANGE = (96, 190, 60), (0, 150, 255)


def test_the_frame_itself_is_never_drawn_into() -> None:
    shown = boards(quilts={1: 1, 2: 3}, marked={1: 2})
    shown.frame.image.setflags(write=False)
    draw_camera(shown)
    draw_crop(shown, 1)
    assert (shown.frame.image == 90).all()


def test_covered_cells_carry_a_dot_and_marked_ones_a_frame() -> None:
    picture = draw_camera(boards(quilts={2: mask_of(["B1"])}, marked={2: mask_of(["I9"])}))
    # Cells of 8 pixels; the second board begins at (110, 10).
    assert tuple(picture[14, 122]) == GREEN
    assert tuple(picture[14, 114]) == (90, 90, 90)
    assert (picture[74:82, 174:182] == ORANGE).all(axis=2).any()
    assert not (picture[:, :100] == ORANGE).all(axis=2).any()


def test_the_evidence_of_a_look_lights_up_cell_by_cell_and_fades_away() -> None:
    changed = np.zeros((9, 9))
    changed[0, 1] = 1.0
    shown = boards(evidence={1: Evidence(changed, looked_s=boards().frame.t_s)})
    picture = draw_camera(shown).astype(int)
    # Cells of 8 pixels; the first board begins at (10, 10).
    blue, _, red = picture[14, 22]
    assert red > blue + 50, "a cell that changed is lit in amber"
    blue, _, red = picture[14, 14]
    assert blue > red, "one that looks as expected is not"
    assert (picture[:, 104:] == draw_camera(boards())[:, 104:]).all(), "the other board was not looked at"
    later = replace(shown, frame=replace(shown.frame, t_s=shown.frame.t_s + 10.0))
    assert (draw_camera(later) == draw_camera(boards())).all()


def test_a_crop_marks_the_cells_in_question_where_they_are() -> None:
    picture = draw_crop(boards(marked={1: mask_of(["C4"])}), 1)
    assert picture is not None
    orange = (picture == ORANGE).all(axis=2)
    rows, columns = np.nonzero(orange)
    window = cell_window(3, 2, 0)
    assert orange[window].sum() == orange.sum() > 50
    assert rows.min() >= window[0].start
    assert columns.max() < window[1].stop


@pytest.mark.parametrize(("complain", "board"), [(complaints.wrong_seat, 2), (complaints.stray_object, 1)])
def test_marks_and_crop_are_of_the_board_that_is_complained_of(complain: Any, board: int) -> None:
    state = new_game(Setup(players=("Anna", "Boris")))
    table = PatchworkAccount(state, Pending(complaint=complain(state, 1, mask_of(["I9"]), "f")), looked_at=3)
    watch: Any = Watch()
    exposed = exposure_of(watch, table)
    assert exposed is not None
    assert exposed.reading is not None
    left, right = np.hsplit(exposed.reading() == ORANGE, [100])

    assert [left.all(axis=2).any(), right.all(axis=2).any()] == [board == 1, board == 2]
    told = snapshot_json(table, ENGLISH)["complaint"]
    assert (told["seat"], told["quilt"], told["crop"]) == (1, board, f"/crop/{board}.jpg?at=3")
