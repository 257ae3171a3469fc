from __future__ import annotations

import pytest

from hardware.simulated.people.gestures import Arm, Listen, Pace, Script, Wait
from hardware.simulated.scene.placing import Hand
from hardware.simulated.scene.table import SimulatedTable

CELLS = ((4, 4), (4, 5))


def _watched(table: SimulatedTable, script: Script) -> list[tuple[Hand, ...]]:
    """Return the hands at each frame of a gesture; waits are one frame long."""
    seen = []
    for request in script:
        assert isinstance(request, Wait)
        seen.append(table.hands)
    return seen


def _laying(arm: Arm, linger: bool = False) -> Script:
    yield from arm.lay(1, "domino", CELLS, 1.0, linger)


def test_fast_laying_shows_the_hand_with_the_patch_in_one_frame_and_then_the_patch() -> None:
    table = SimulatedTable(1)
    frames = _watched(table, _laying(Arm(table, 1, Pace.fast(5))))
    assert len(frames) == 1
    (hand,) = frames[0]
    assert hand.carrying is not None
    assert hand.carrying.name == "domino"
    assert table.hands == ()
    assert table.quilts()[0][4] == "....XX..."


def test_a_lingering_hand_is_still_there_when_the_patch_lies() -> None:
    table = SimulatedTable(1)
    _watched(table, _laying(Arm(table, 1, Pace.fast(5)), linger=True))
    (hand,) = table.hands
    assert hand.carrying is None
    assert hand.y_mm > table.spot_mm(1, table.pieces(1)[0])[1]


def test_a_pace_with_time_shows_the_hand_taking_the_patch_out_of_the_circle() -> None:
    table = SimulatedTable(1)
    start = table.circle_spot_mm("domino")
    assert start is not None
    frames = _watched(table, _laying(Arm(table, 1, Pace.natural(10))))
    empty = [hands[0] for hands in frames if hands and hands[0].carrying is None]
    assert any((hand.x_mm, hand.y_mm) == pytest.approx(start) for hand in empty)
    carrying = [hands[0] for hands in frames if hands and hands[0].carrying is not None]
    assert len(carrying) >= 5
    assert (carrying[-1].x_mm, carrying[-1].y_mm) == pytest.approx(table.spot_mm(1, table.pieces(1)[0]))
    assert table.circle_spot_mm("domino") is None


def test_taking_a_piece_off_leaves_the_board_empty() -> None:
    table = SimulatedTable(1)
    piece = table.lay(2, "domino", CELLS)
    frames = _watched(table, Arm(table, 1, Pace.fast(5)).take(2, piece))
    assert len(frames) == 1
    assert table.pieces(2) == ()


def test_a_touch_acts_while_the_hand_is_there() -> None:
    table = SimulatedTable(1)
    hands_then: list[tuple[Hand, ...]] = []
    _watched(table, Arm(table, 1, Pace.fast(5)).touch((10.0, 20.0), lambda: hands_then.append(table.hands)))
    assert hands_then == [(Hand(1, 10.0, 20.0),)]
    assert table.hands == ()


def test_an_arm_does_not_reach_the_far_side() -> None:
    table = SimulatedTable(1)
    x_mm, y_mm = table.layout.shoulders_mm[0]
    assert Arm(table, 1, Pace.fast(5)).within_reach((x_mm, y_mm - 700))
    assert not Arm(table, 1, Pace.fast(5)).within_reach((x_mm, y_mm - 1100))


def test_a_natural_pace_has_more_frames_and_all_paces_wait_whole_frames() -> None:
    fast, natural = Pace.fast(5), Pace.natural(10)
    assert fast.travel_frames == 0
    assert fast.settle_frames == 4
    assert natural.travel_frames >= 6
    assert natural.frame_s == pytest.approx(0.1)
    assert Listen(3.0).timeout_s == 3.0


@pytest.mark.parametrize("pace", [Pace.fast(5), Pace.natural(10)])
def test_hovering_holds_the_patch_over_the_board_and_leaves_everything_as_it_was(pace: Pace) -> None:
    table = SimulatedTable(1)
    held = []
    for request in Arm(table, 1, pace).hover(1, "domino", CELLS, 4.0):
        assert isinstance(request, Wait)
        if request.seconds == 4.0:
            held.append(table.hands)
    ((hand,),) = held
    assert hand.carrying is not None
    assert hand.carrying.name == "domino"
    assert table.hands == ()
    assert table.pieces(1) == ()
    assert "domino" in table.circle
