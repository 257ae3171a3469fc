"""Test invariants of the light show on strips of every kind."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.facts import (
    BonusTileTaken,
    ButtonsEarned,
    Fact,
    GameEnded,
    IncomePaid,
    LeatherPlaced,
    LeatherWon,
    PatchPlaced,
    TurnPassed,
)
from companion.games.patchwork.state import State
from companion.patchwork.lights import LightShow
from companion.patchwork.reading.verdict import Question, QuestionTopic
from companion.patchwork.timeboard import MarkerStatus
from companion.play.events import (
    NONE_SHOWN,
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    DecisionUndone,
    DoubtLapsed,
    Event,
    ForesightLapsed,
    GameOpened,
    LookCalledOff,
    LookStarted,
    NothingToUndo,
    QuestionAnswered,
    TableNoticed,
)
from hardware.drivers.simulated import SimulatedStripDriver

if TYPE_CHECKING:
    from hardware.ports import RGB

COUNTS = (8, 9, 12, 30, 53, 54, 55, 60, 144)
ComplainedTo = Callable[[State, int], Complained]
AskedWith = Callable[[State, int, int], Asked]
any_time = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)


def _grey(pixels: Iterable[RGB]) -> list[int]:
    """Return the pixels' brightness without colour, in eight steps."""
    return [max(pixel) // 32 for pixel in pixels]


def _resting(count: int, state: State, now_s: float) -> list[RGB]:
    """The picture at rest, from a show that was opened long ago."""
    show = LightShow(count)
    show.event(GameOpened(1, state), now_s - 1000)
    return show.frame(now_s)


def _film(show: LightShow, start_s: float, duration_s: float) -> list[list[RGB]]:
    return [show.frame(start_s + index * 0.02) for index in range(int(duration_s / 0.02))]


def _taken_event(state: State, *facts: Fact) -> DecisionTaken:
    return DecisionTaken(Advance(1), facts, state)


def _active(show: LightShow) -> list[list[RGB]]:
    """Return the frames from 0 s until the picture rests."""
    times_s = itertools.takewhile(lambda now_s: not show.is_resting(now_s), (index * 0.02 for index in range(5000)))
    return [show.frame(now_s) for now_s in times_s]


def _blinks(show: LightShow, level: int) -> int:
    """Count how often the strip changes to having a pixel at least this bright."""
    lit = [any(max(pixel) >= level for pixel in frame) for frame in _active(show)]
    return sum(now and not before for before, now in itertools.pairwise([False, *lit]))


@pytest.mark.parametrize("count", [7, 1, 0, -3])
def test_a_strip_too_short_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="8 are needed"):
        LightShow(count)


@pytest.mark.parametrize("count", COUNTS)
def test_the_strip_is_dark_before_the_game(count: int) -> None:
    assert LightShow(count).frame(5.0) == [(0, 0, 0)] * count


@any_time
@given(
    count=st.integers(8, 200),
    places=st.lists(st.tuples(st.integers(0, 500), st.floats(0, 9)), max_size=8),
    brightness=st.floats(0, 1),
)
def test_every_frame_has_the_strip_s_length_and_brightness(
    taken: tuple[DecisionTaken, ...],
    count: int,
    places: list[tuple[int, float]],
    brightness: float,
) -> None:
    show, now_s = LightShow(count, strip=SimulatedStripDriver(brightness=brightness)), 0.0
    for place, wait_s in places:
        event = taken[place % len(taken)]
        show.event(LookStarted(event.state) if place % 5 == 0 else event, now_s)
        now_s += wait_s
        frame = show.frame(now_s)
        assert len(frame) == count
        assert all(0 <= channel <= int(255 * brightness) for pixel in frame for channel in pixel)


@any_time
@given(places=st.lists(st.tuples(st.integers(0, 500), st.floats(0, 5)), min_size=1, max_size=6), ask_s=st.floats(0, 40))
def test_a_frame_depends_on_events_and_time_alone(
    taken: tuple[DecisionTaken, ...], places: list[tuple[int, float]], ask_s: float
) -> None:
    asked_often, asked_once, now_s = LightShow(60), LightShow(60), 0.0
    for place, wait_s in places:
        for show in (asked_often, asked_once):
            show.event(taken[place % len(taken)], now_s)
        now_s += wait_s
        asked_often.frame(now_s + 100)
    assert asked_often.frame(ask_s) == asked_once.frame(ask_s)


@pytest.mark.parametrize("count", COUNTS)
def test_every_event_s_animation_ends_and_the_picture_rests(
    count: int, taken: tuple[DecisionTaken, ...], complained: ComplainedTo
) -> None:
    state = taken[3].state
    others: list[Event] = [
        complained(state, 2),
        replace(complained(state, 1), unasked=True),
        DecisionUndone(Advance(1), state),
        NothingToUndo(state),
        TableNoticed("A lamp went out.", state),
        DecisionForeseen(Advance(1), 3.0, 103.0, state),
        ForesightLapsed(Advance(1), stopped=True, state=state),
        GameOpened(1, state),
    ]
    for event in (*taken, *others):
        show = LightShow(count)
        show.event(event, 100.0)
        assert not show.is_resting(100.0) or not getattr(event, "facts", True)
        for after_s in (24.0, 24.3, 24.9, 25.6):
            assert show.is_resting(100.0 + after_s)
            assert show.frame(100.0 + after_s) == _resting(count, event.state, 100.0 + after_s)


@pytest.mark.parametrize("count", COUNTS)
def test_the_light_is_neutral_and_steady_from_the_look_to_the_verdict(
    count: int, taken: tuple[DecisionTaken, ...], complained: ComplainedTo
) -> None:
    for event in taken[:6]:
        show = LightShow(count, strip=SimulatedStripDriver(brightness=0.7))
        show.event(event, 0.0)
        show.event(LookStarted(event.state), 0.1)
        frames = _film(show, 0.1, 8.0)
        assert all(frame == frames[0] for frame in frames)
        assert len(set(frames[0])) == 1
        (red, green, blue) = frames[0][0]
        assert red == green == blue > 0
        show.event(TableNoticed("A hand is in the way.", event.state), 5.0)
        assert show.frame(5.1) == frames[0]
        show.event(complained(event.state, 1), 6.0)
        assert show.frame(6.05) != frames[0]


@pytest.mark.parametrize("count", COUNTS)
def test_players_who_have_not_asked_are_called_before_a_question_is_shown(
    count: int, taken: tuple[DecisionTaken, ...]
) -> None:
    state = taken[3].state
    question = Question(QuestionTopic.WHICH_PATCH, 2, (Advance(2), Advance(2)), (), "Which?", "f")
    asked, unasked = LightShow(count), LightShow(count)
    asked.event(Asked(question, 0, state), 0.0)
    unasked.event(Asked(question, 0, state, unasked=True), 0.0)
    called = _film(unasked, 0.0, 1.9)
    assert len({tuple(frame) for frame in called}) >= 2, "it runs, or blinks where there is no room"
    assert not unasked.is_resting(1.0)
    assert unasked.frame(6.0) == asked.frame(6.0), "and then the question stands"
    unasked.event(DoubtLapsed(question, state), 7.0)
    assert unasked.is_resting(7.0)


@pytest.mark.parametrize("count", COUNTS)
def test_a_look_called_off_gives_the_picture_at_rest_back_at_once(count: int, taken: tuple[DecisionTaken, ...]) -> None:
    state = taken[3].state
    show = LightShow(count)
    show.event(LookStarted(state), 100.0)
    assert not show.is_resting(101.0)
    show.event(LookCalledOff(state), 101.0)
    assert show.is_resting(101.0)
    assert show.frame(101.0) == _resting(count, state, 101.0)


def test_the_neutral_light_is_the_same_at_every_look(taken: tuple[DecisionTaken, ...]) -> None:
    show, lights = LightShow(60), []
    for index, event in enumerate(taken):
        show.event(LookStarted(event.state), index * 10.0)
        lights.append(show.frame(index * 10.0 + 1))
        show.event(event, index * 10.0 + 2)
    assert all(light == lights[0] for light in lights)


@pytest.mark.parametrize("count", COUNTS)
def test_whose_turn_it_is_shows_without_colour(count: int, start: State) -> None:
    for now_s in (0.0, 0.3, 0.9, 1.7):
        one, two = (_resting(count, replace(start, turn=seat), now_s) for seat in (1, 2))
        lit = [{index for index, pixel in enumerate(frame) if max(pixel) > 0} for frame in (one, two)]
        assert lit[0] != lit[1], "the places differ, whatever the colours and levels"
        if count not in (54, 55):
            assert max(one[0]) > max(two[0])
            assert max(two[-1]) > max(one[-1])


@pytest.mark.parametrize("count", COUNTS)
def test_the_rhythm_of_the_turn_tells_the_seat(count: int, start: State) -> None:
    apart = (start.seats[0], replace(start.seats[1], time=3))
    for seat, dips in ((1, 1), (2, 2)):
        state = replace(start, turn=seat, seats=apart)
        frames = [_resting(count, state, index * 0.02) for index in range(100)]
        rows = [[max(pixel) > 150 for pixel in row] for row in zip(*frames, strict=True)]
        pulsing = [row for row in rows if len(set(row)) == 2]
        assert pulsing, seat
        assert all(sum(was and not now for was, now in itertools.pairwise(row)) == dips for row in pulsing), seat


FACTS: list[Callable[[int], Fact]] = [
    lambda seat: PatchPlaced(seat, "bar3", 7, 2),
    lambda seat: LeatherPlaced(seat, 1),
    lambda seat: IncomePaid(seat, 5, 3),
    lambda seat: ButtonsEarned(seat, 4),
    BonusTileTaken,
    lambda seat: LeatherWon(seat, 20),
    TurnPassed,
    GameEnded,
]


@pytest.mark.parametrize("count", COUNTS)
def test_each_seat_s_news_is_brightest_on_its_own_side(count: int, start: State) -> None:
    for fact, seat in itertools.product(FACTS, (1, 2)):
        show = LightShow(count)
        show.event(_taken_event(start, fact(seat)), 0.0)
        frames = [_grey(frame) for frame in _active(show)]
        half = count // 2
        left = max(max(frame[:half]) for frame in frames)
        right = max(max(frame[-half:]) for frame in frames)
        assert (left > right) == (seat == 1), fact(seat)
        assert (right > left) == (seat == 2), fact(seat)


@pytest.mark.parametrize("count", COUNTS)
def test_income_blinks_once_for_every_button(count: int, start: State) -> None:
    for buttons in (0, 1, 2, 5, 9, 16, 38):
        show = LightShow(count)
        show.event(_taken_event(start, IncomePaid(2, 5, buttons)), 0.0)
        assert _blinks(show, level=160) == buttons


@pytest.mark.parametrize("fact", FACTS)
def test_nothing_flashes_more_than_three_times_a_second(start: State, fact: Callable[[int], Fact]) -> None:
    show = LightShow(30)
    show.event(_taken_event(start, *[fact(1)] * 3), 0.0)
    for pixel in zip(*_active(show), strict=True):
        levels = [max(colour) > 60 for colour in pixel]
        rises = [index * 0.02 for index in range(1, len(levels)) if levels[index] and not levels[index - 1]]
        assert all(fourth - first > 0.98 for first, fourth in zip(rises, rises[3:], strict=False))


def test_income_is_a_row_of_pixels_where_there_is_room(start: State) -> None:
    show = LightShow(60)
    show.event(_taken_event(start, IncomePaid(1, 5, 7)), 0.0)
    longest = max(sum(max(pixel) >= 160 for pixel in frame) for frame in _active(show))
    assert longest == 7


@pytest.mark.parametrize("count", COUNTS)
def test_a_complaint_has_a_rhythm_that_nothing_else_has(count: int, start: State, complained: ComplainedTo) -> None:
    events: list[Event] = [
        complained(start, 1),
        *(_taken_event(start, fact(1)) for fact in FACTS),
        NothingToUndo(start),
    ]
    rhythms = []
    for event in events:
        show = LightShow(count)
        show.event(event, 0.0)
        levels = [max(max(pixel) for pixel in frame) > 60 for frame in _active(show)]
        rhythms.append([len(list(group)) for _, group in itertools.groupby(levels)][:5])
    assert rhythms[0] not in rhythms[1:]


@pytest.mark.parametrize("count", COUNTS)
def test_a_question_alternates_between_the_options_and_dwells_on_the_choice(
    count: int, start: State, asked: AskedWith
) -> None:
    films = []
    for choice in (0, 1):
        show = LightShow(count)
        show.event(asked(start, 2, choice), 0.0)
        frames = _film(show, 0.0, 20.0)
        brightness = [sum(map(max, frame[: count // 2])) - sum(map(max, frame[count // 2 :])) for frame in frames]
        sign = 1 if choice == 0 else -1
        assert sum(value * sign > 0 for value in brightness) > 0.6 * len(frames)
        assert sum(value * sign < 0 for value in brightness) > 0.2 * len(frames)
        assert sum(brightness) * sign > 0
        films.append([_grey(frame) for frame in frames])
    assert films[0] != films[1]


@pytest.mark.parametrize("count", COUNTS)
def test_a_foreseen_decision_runs_down_on_the_mover_s_side_during_the_pause(count: int, start: State) -> None:
    for pause_s, seat in itertools.product((0.5, 2.0, 7.0), (1, 2)):
        show = LightShow(count)
        show.event(DecisionForeseen(Advance(seat), pause_s, pause_s, start), 0.0)
        assert not show.is_resting(pause_s - 0.01)
        assert show.is_resting(pause_s + 0.01)
        half = [frame if seat == 1 else frame[::-1] for frame in _active(show)]
        lengths = [sum(max(pixel) > 200 for pixel in frame[: count // 2]) for frame in half]
        assert lengths[0] == (count // 2 if count >= 54 else (count - 5) // 2)
        assert lengths == sorted(lengths, reverse=True), "it only ever grows shorter: nothing blinks"
        assert not any(max(pixel) > 200 for frame in half for pixel in frame[(count + 1) // 2 :])


def test_a_lapsed_decision_stops_running_down(start: State) -> None:
    show = LightShow(60)
    show.event(DecisionForeseen(Advance(1), 2.0, 2.0, start), 0.0)
    show.event(ForesightLapsed(Advance(1), stopped=False, state=start), 1.0)
    assert show.is_resting(1.6)


@pytest.mark.parametrize("options", [1, 3, 8, 12])
def test_any_number_of_options_can_be_shown(start: State, asked: AskedWith, options: int) -> None:
    shown = []
    for choice in range(min(options, 8)):
        show = LightShow(8)
        show.event(asked(start, options, choice), 0.0)
        shown.append(_grey(show.frame(0.1)))
        assert any(shown[-1])
    assert options > 8 or len(set(map(tuple, shown))) == options


@pytest.mark.parametrize("count", COUNTS)
def test_a_question_that_shows_none_of_its_options_has_all_of_them_faint(
    count: int, start: State, asked: AskedWith
) -> None:
    show, other = LightShow(count), LightShow(count)
    show.event(asked(start, 2, NONE_SHOWN), 0.0)
    other.event(asked(start, 2, 0), 0.0)
    for shown, chosen in zip(_film(show, 0.0, 8.0), _film(other, 0.0, 8.0), strict=True):
        assert 0 < max(map(max, shown)) <= max(map(max, chosen))
    assert len({tuple(frame) for frame in _film(show, 0.0, 8.0)}) == 1


def test_an_answer_ends_the_question(start: State, asked: AskedWith) -> None:
    show, question = LightShow(60), asked(start, 2, 0)
    show.event(question, 0.0)
    assert not show.is_resting(50.0)
    show.event(QuestionAnswered(question.question, None, start), 60.0)
    assert show.frame(60.0) == _resting(60, start, 60.0)


def test_a_long_strip_mirrors_the_track(taken: tuple[DecisionTaken, ...]) -> None:
    for event in taken[:-1]:
        frame = [max(pixel) for pixel in _resting(60, event.state, 0.0)]
        tokens = {3 + seat.time for seat in event.state.seats}
        assert all(frame[pixel] > 200 for pixel in tokens)
        leather = {3 + mark for mark in event.state.leather_left} - tokens
        if not event.state.leather_due:
            assert {pixel for pixel in range(3, 57) if 60 < frame[pixel] <= 200} == leather
        income = {3 + mark for mark in (5, 11, 17, 23, 29, 35, 41, 47, 53)} - tokens
        assert all(frame[pixel] > 20 for pixel in income)


def test_a_marker_that_stands_wrong_blinks_on_its_space_until_it_is_mended(start: State) -> None:
    show = LightShow(60)
    show.event(GameOpened(1, start), -1000)
    before = _film(show, 0, 2)
    show.event(TableNoticed("wrong", start, MarkerStatus(2, 19)), -500)
    film = _film(show, 0, 2)

    (changed,) = {
        pixel for old, new in zip(before, film, strict=True) for pixel in range(60) if old[pixel] != new[pixel]
    }
    lit = [frame[changed] != old[changed] for old, frame in zip(before, film, strict=True)]
    assert sum(now and not last for last, now in itertools.pairwise([False, *lit])) == 2

    show.event(TableNoticed("mended", start, MarkerStatus(2, None)), -400)
    assert _film(show, 0, 2) == before


def test_tokens_on_one_space_take_turns(start: State) -> None:
    show = LightShow(60)
    show.event(GameOpened(1, start), -100.0)
    colours = {tuple(channel > 150 for channel in show.frame(index / 20)[3]) for index in range(40)}
    assert {(False, False, True), (True, False, False)} <= colours


def test_a_short_strip_tells_the_leather_still_out_and_the_income(taken: tuple[DecisionTaken, ...]) -> None:
    for event in taken[:-1]:
        state = event.state
        frame = _resting(25, state, 0.0)
        assert sum(max(pixel) > 60 for pixel in frame[10:15]) == len(state.leather_left)
        if not state.leather_due:
            assert sum(max(pixel) == 25 for pixel in frame[2:10]) == min(8, state.seat(1).income)


def test_leather_to_be_placed_pulses_until_it_is(start: State) -> None:
    due = replace(start, leather_due=True, turn=2)
    levels = [max(_resting(60, due, index * 0.02)[40]) > 100 for index in range(100)]
    assert [len(list(group)) for _, group in itertools.groupby(levels)] == pytest.approx([50, 15, 15, 20], abs=1)
    assert all(max(_resting(60, due, index * 0.1)[20]) < 100 for index in range(20))


@pytest.mark.parametrize("count", COUNTS)
def test_the_end_leaves_the_winner_s_side_lit(count: int, taken: tuple[DecisionTaken, ...]) -> None:
    state = taken[-1].state
    winner = state.winner
    assert winner is not None
    frame = _resting(count, state, 3.0)
    if winner == 2:
        frame.reverse()
    side = len(frame) // 2 if count >= 54 else (count - 5) // 2
    assert all(max(pixel) > 60 for pixel in frame[:side])
    assert not any(max(pixel) for pixel in frame[side + 1 :])


def test_a_reversed_strip_shows_the_same_from_the_other_end(start: State) -> None:
    straight, turned = LightShow(30), LightShow(30, strip=SimulatedStripDriver(brightness=1.0, reversed=True))
    for show in (straight, turned):
        show.event(GameOpened(1, start), 0.0)
    assert turned.frame(9.0) == straight.frame(9.0)[::-1]


def test_pixels_at_the_beginning_can_be_left_dark(start: State) -> None:
    whole, shifted = LightShow(54), LightShow(60, strip=SimulatedStripDriver(brightness=1.0, first_pixel=6))
    for show in (whole, shifted):
        show.event(GameOpened(1, start), 0.0)
    assert shifted.frame(9.0) == [(0, 0, 0)] * 6 + whole.frame(9.0)
    with pytest.raises(ValueError, match="a strip of 7 pixels is too short: 8 are needed"):
        LightShow(12, strip=SimulatedStripDriver(first_pixel=5))


def _sum(pixels: Sequence[RGB]) -> int:
    return sum(map(sum, pixels))


def test_brightness_darkens_every_pixel(start: State) -> None:
    full, half = LightShow(60), LightShow(60, strip=SimulatedStripDriver(brightness=0.5))
    for show in (full, half):
        show.event(GameOpened(1, start), 0.0)
    assert _sum(half.frame(9.0)) == pytest.approx(_sum(full.frame(9.0)) / 2, rel=0.1)
    assert full.frame(9.0) != half.frame(9.0)


def test_a_press_that_does_not_count_blinks_and_the_question_stands(start: State, asked: AskedWith) -> None:
    show, undisturbed = LightShow(60), LightShow(60)
    for each in (show, undisturbed):
        each.event(asked(start, 3, 1), 10.0)
    show.refuse(10.4)
    assert show.frame(10.45)[0] == show.frame(10.45)[59] != undisturbed.frame(10.45)[0]
    # It shows the answer on display from its beginning.
    assert show.frame(10.4 + 0.5) == undisturbed.frame(10.0 + 0.5)
