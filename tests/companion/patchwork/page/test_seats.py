from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, PlaceLeather
from companion.games.patchwork.state import Setup, score
from companion.patchwork.page.snapshot import seats_json, top_token, track_json
from tests.companion.web.conftest import played


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 60), st.integers(0, 5))
def test_the_pieces_are_the_quilt(decisions: int, seed: int) -> None:
    history, _ = played(decisions, seed=seed)
    made = history.decisions
    for shown in seats_json(history.state, made, len(made) or None):
        seat = history.state.seat(shown["seat"])
        cells = [cell for piece in shown["pieces"] for cell in piece["cells"]]
        assert mask_of(cells) == seat.quilt  # and none is named twice
        assert (shown["buttons"], shown["income"], shown["time"]) == (seat.buttons, seat.income, seat.time)
        assert (shown["empty"], shown["score"], shown["bonus"]) == (seat.empty, score(seat), seat.bonus)
        assert shown["moves"] == (history.state.turn == shown["seat"])
        for piece in shown["pieces"]:
            decision = made[piece["turn"] - 1]
            assert not isinstance(decision, Advance)
            assert decision.seat == shown["seat"]
            assert mask_of(piece["cells"]) == decision.cells
            leather = isinstance(decision, PlaceLeather)
            assert piece["patch"] == ("leather" if leather else getattr(decision, "patch", None))
            assert piece["new"] == (piece["turn"] == len(made))


def test_nothing_glows_where_nothing_was_laid_just_now() -> None:
    history, _ = played(9)
    shown = seats_json(history.state, history.decisions, None)
    assert not any(piece["new"] for seat in shown for piece in seat["pieces"])


def test_the_next_marks_are_ahead_and_bring_what_the_quilt_bears() -> None:
    history, _ = played(14)
    for shown in seats_json(history.state, history.decisions, None):
        seat, track = history.state.seat(shown["seat"]), history.state.setup.track
        marks = shown["next_marks"]
        every = sorted(mark for mark in {*track.income, *history.state.leather_left} if mark > seat.time)
        assert [mark["mark"] for mark in marks] == every[:3]
        for mark in marks:
            assert mark["steps"] == mark["mark"] - seat.time
            assert mark["leather"] == (mark["mark"] in history.state.leather_left)
            assert mark["income"] == (seat.income if mark["mark"] in track.income else 0)


def test_after_the_end_no_mark_is_ahead() -> None:
    history, _ = played(999)
    assert history.state.finished
    assert [seat["next_marks"] for seat in seats_json(history.state, history.decisions, None)] == [[], []]


def test_the_track_shows_both_tokens_and_what_lies_on_it() -> None:
    history, _ = played(18)
    shown = track_json(history.state)
    assert shown["tokens"] == [
        {
            "seat": seat,
            "space": history.state.seat(seat).time,
            "top": top_token(history.state) in (None, seat),
            "stands": None,
        }
        for seat in (1, 2)
    ]
    assert [token["stands"] for token in track_json(history.state, {2: 7})["tokens"]] == [None, 7]
    assert (shown["last_space"], shown["leather"]) == (53, [20, 26, 32, 44, 50])
    assert set(shown["leather_left"]) <= set(shown["leather"])


def test_the_first_player_s_token_lies_on_top_and_so_does_the_last_one_home() -> None:
    for first in (1, 2):
        assert top_token(played(0, Setup(first_seat=first))[0].state) == first
    history, _ = played(999)
    assert top_token(history.state) == 3 - (history.state.first_home or 0)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 60), st.integers(0, 5))
def test_the_mover_s_token_lies_on_top_of_a_shared_space(decisions: int, seed: int) -> None:
    state = played(decisions, seed=seed)[0].state
    if not state.finished:
        shared = state.seat(1).time == state.seat(2).time
        assert top_token(state) == (state.turn if shared else None)
