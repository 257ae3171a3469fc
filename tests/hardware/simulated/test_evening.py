from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from companion.games.patchwork.cells import rows_of
from companion.games.patchwork.components import Edition
from companion.games.patchwork.decisions import PlaceLeather, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from hardware.ports import Button, EndOfFramesError, Press
from hardware.simulated.conditions import Conditions
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.people.gestures import Accepted, Complaint, News, Opened, Question, Undone
from tests.hardware.simulated.conftest import Oracle

TIDY, HASTY, FORGETFUL = ("tidy", "tidy"), ("hasty", "forgetful"), ("forgetful", "forgetful")


@cache
def played(seed: int, tempers: tuple[str, str] = TIDY) -> Oracle:
    """Return a whole evening, which tests share."""
    return Oracle(SimulatedEvening(seed, tempers=tempers)).play()


@pytest.mark.parametrize(
    ("tempers", "seed"),
    [(TIDY, 1), (HASTY, 1), (HASTY, 2), *((FORGETFUL, seed) for seed in range(4))],
)
def test_every_evening_is_played_to_its_end_and_lies_there_as_decided(tempers: tuple[str, str], seed: int) -> None:
    oracle = played(seed, tempers)
    evening = oracle.evening
    assert evening.over
    assert not evening.players.gave_up
    assert evening.state.finished
    assert evening.state == oracle.history.state
    assert evening.players.decisions == oracle.history.decisions
    assert evening.table.quilts() == tuple(rows_of(seat.quilt) for seat in evening.state.seats)
    assert evening.players.counts.misreadings == 0
    assert evening.players.counts.undeserved == 0


def test_the_same_seed_plays_the_same_game_and_another_one_another(play_against: type[Oracle]) -> None:
    again = play_against(SimulatedEvening(2, tempers=HASTY)).play().history.decisions
    assert again == played(2, HASTY).history.decisions
    assert again != played(1, HASTY).history.decisions


def test_forgetful_people_slip_and_are_told() -> None:
    oracles = [played(seed, FORGETFUL) for seed in range(4)]
    complaints = sum(isinstance(news, Complaint) for oracle in oracles for news in oracle.said)
    assert complaints >= 8
    assert sum(oracle.evening.players.counts.deserved for oracle in oracles) >= 8
    assert any(isinstance(news, Undone) for oracle in oracles for news in oracle.said)


def test_a_staged_slip_is_made_once_by_tidy_people_and_the_game_goes_on() -> None:
    oracle = Oracle(SimulatedEvening(1, tempers=TIDY, stages_slip=True)).play()
    assert sum(isinstance(news, Complaint) for news in oracle.said) == 1
    assert oracle.evening.players.counts.deserved == 1
    assert oracle.evening.state.finished


def test_tidy_people_never_slip() -> None:
    oracle = played(1)
    assert all(isinstance(news, Accepted) for news in oracle.said)


def test_before_the_first_press_both_boards_are_seen_empty() -> None:
    evening = SimulatedEvening(1)
    seen = 0
    while not evening.table.hands:
        evening.clock.sleep(0.2)
        evening.step(evening.clock.now())
        assert evening.table.quilts() == ((".........",) * 9,) * 2
        seen += 1
    assert seen >= 6


def test_a_fast_move_has_one_frame_with_the_hand_and_four_without(play_against: type[Oracle]) -> None:
    hands: list[bool] = []

    def watch(press: Press, oracle: Oracle) -> News | None:
        hands.append(bool(oracle.evening.table.hands))
        return oracle.truth(press)

    oracle = play_against(SimulatedEvening(1), watch).play_on(20)
    assert not any(hands)
    confirms = [press.t_s for press in oracle.presses if press.button is Button.CONFIRM]
    assert min(later - earlier for earlier, later in pairwise(confirms)) >= 5 * 0.2 - 1e-6


def test_hasty_people_press_while_the_hand_is_still_there(play_against: type[Oracle]) -> None:
    hands: list[bool] = []

    def watch(press: Press, oracle: Oracle) -> News | None:
        if press.button is Button.CONFIRM:
            hands.append(bool(oracle.evening.table.hands))
        return oracle.truth(press)

    play_against(SimulatedEvening(1, tempers=("hasty", "hasty")), watch).play_on(9)
    assert len(hands) >= 4
    assert all(hands)


def test_a_silent_companion_is_asked_again_and_in_the_end_left_alone(play_against: type[Oracle]) -> None:
    oracle = play_against(SimulatedEvening(1), lambda _press, _oracle: None).play()
    assert oracle.evening.players.gave_up
    waits = np.diff([press.t_s for press in oracle.presses])
    assert (waits >= 10).all()
    assert len(waits) > 5


def test_a_misreading_is_noticed_undone_and_confirmed_again(play_against: type[Oracle]) -> None:
    misread: list[int] = []

    def meddle(press: Press, oracle: Oracle) -> News | None:
        news = oracle.truth(press)
        if isinstance(news, Accepted) and isinstance(news.decision, TakePatch) and len(misread) < 3:
            misread.append(1)
            return Accepted(TakePatch(news.decision.seat, news.decision.patch, news.decision.cells << 1))
        return news

    oracle = play_against(SimulatedEvening(2), meddle).play()
    assert oracle.evening.players.counts.misreadings == 3
    assert sum(press.button is Button.UNDO for press in oracle.presses) == 3
    assert oracle.evening.state == oracle.history.state
    assert oracle.evening.state.finished


def test_undeserved_complaints_are_counted_and_the_patch_laid_anew_after_the_third(play_against: type[Oracle]) -> None:
    poses: list[object] = []

    def meddle(press: Press, oracle: Oracle) -> News | None:
        if press.button is Button.CONFIRM and len(poses) < 4:
            pieces = oracle.evening.table.pieces(oracle.evening.state.turn or 1)
            poses.append(pieces[-1].pose)
            return Complaint("unclear", ("A1",))
        return oracle.truth(press)

    oracle = play_against(SimulatedEvening(2), meddle).play_on(5)
    assert oracle.evening.players.counts.undeserved == 4
    assert poses[0] == poses[1] == poses[2]
    assert poses[3] != poses[2]


@pytest.mark.parametrize("wanted_at", [0, 1, 2])
def test_a_question_is_answered_with_the_buttons(wanted_at: int, play_against: type[Oracle]) -> None:
    asked: list[Question] = []
    answers: list[Button] = []

    def meddle(press: Press, oracle: Oracle) -> News | None:
        if not asked and press.button is Button.CONFIRM:
            right = oracle.decision_for(press.button)
            assert isinstance(right, TakePatch)
            options = [TakePatch(right.seat, right.patch, right.cells << shift) for shift in (9, 18)]
            asked.append(Question((*options[:wanted_at], right, *options[wanted_at:])))
            return asked[0]
        if asked and (not answers or answers[-1] is not Button.CONFIRM):
            answers.append(press.button)
            # The companion displays the next option: its page asks again.
            return oracle.truth(press) if press.button is Button.CONFIRM else asked[0]
        return oracle.truth(press)

    oracle = play_against(SimulatedEvening(2), meddle).play_on(5)
    assert answers == [Button.ADVANCE] * wanted_at + [Button.CONFIRM]
    assert oracle.evening.players.counts.questions == 1
    assert oracle.evening.players.counts.misreadings == 0


def test_a_question_without_the_right_answer_is_refused(play_against: type[Oracle]) -> None:
    asked: list[Question] = []
    refusals: list[Button] = []

    def meddle(press: Press, oracle: Oracle) -> News | None:
        if not asked and press.button is Button.CONFIRM:
            asked.append(Question((PlaceLeather(1, 1),)))
            return asked[0]
        if asked and not refusals:
            refusals.append(press.button)
            return None
        return oracle.truth(press)

    play_against(SimulatedEvening(2), meddle).play_on(5)
    assert refusals == [Button.UNDO]


def test_a_decision_lost_by_the_companion_is_made_again(play_against: type[Oracle]) -> None:
    lost: list[int] = []

    def meddle(press: Press, oracle: Oracle) -> News | None:
        if len(oracle.history.decisions) >= 6 and not lost and press.button is Button.CONFIRM:
            lost.append(1)
            oracle.history.undo()
            return Undone()
        return oracle.truth(press)

    oracle = play_against(SimulatedEvening(3), meddle).play()
    assert lost
    assert oracle.evening.state == oracle.history.state
    assert oracle.evening.state.finished


def test_an_evening_that_was_cut_off_goes_on_where_it_was(play_against: type[Oracle]) -> None:
    decisions = play_against(SimulatedEvening(7)).play_on(20).history.decisions
    evening = SimulatedEvening(7)
    evening.resume_from(decisions)
    assert evening.table.quilts() == tuple(rows_of(seat.quilt) for seat in evening.state.seats)
    assert evening.table.circle == set(evening.state.unbought)
    assert evening.table.books.buttons == tuple(seat.buttons for seat in evening.state.seats)
    rest = play_against(evening)
    for decision in decisions:
        rest.history.apply(decision)
    rest.play()
    assert evening.state.finished
    assert evening.state == rest.history.state
    assert rest.history.decisions[:20] == decisions


def test_the_circle_is_shuffled_by_the_seed_and_ends_with_the_smallest_patch() -> None:
    markets = [SimulatedEvening(seed).setup.market for seed in (1, 1, 2)]
    assert markets[0] == markets[1] != markets[2]
    assert all(market is not None and market[-1] == "domino" for market in markets)


def test_a_given_setup_is_played() -> None:
    market = SimulatedEvening(9).setup.market
    setup = Setup(edition=Edition.REVISED, players=("Ines", "Jonas"), first_seat=2, market=market)
    evening = SimulatedEvening(1, setup=setup)
    assert evening.setup == setup
    assert evening.state.turn == 2
    assert 20 not in evening.table.books.leather_out


def test_a_shuffled_circle_leaves_the_rest_of_a_setup_as_given() -> None:
    setup = Setup(edition=Edition.REVISED, players=("Ines", "Jonas"), first_seat=2, buttons=(8, 5))
    evening = SimulatedEvening(1, setup=setup)
    assert replace(evening.setup, market=None) == setup
    assert evening.table.books.buttons == (8, 5)


def test_an_unknown_temper_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match="'angry'; there are tidy, hasty, forgetful"):
        SimulatedEvening(1, tempers=("angry", "tidy"))


def test_the_camera_ends_when_the_players_go_home() -> None:
    evening = SimulatedEvening(1, Conditions(width_px=192, height_px=108), fps=1.0)
    first = evening.camera.capture()
    assert first.image.shape == (108, 192, 3)
    assert first.t_s == 1.0
    evening.players.over = True
    with pytest.raises(EndOfFramesError):
        evening.camera.capture()


def test_at_a_natural_pace_a_hand_is_seen_on_its_way() -> None:
    evening = SimulatedEvening(1, fast=False, fps=10.0)
    places = set()
    for _ in range(60):
        evening.clock.sleep(0.1)
        evening.step(evening.clock.now())
        places |= {(round(hand.x_mm), round(hand.y_mm)) for hand in evening.table.hands}
    assert len(places) >= 8


def test_tokens_and_knocks_come_in_mid_game(play_against: type[Oracle]) -> None:
    evening = SimulatedEvening(1, Conditions(tokens_on_board=2, nudge_board_mm=3.0))
    before = [evening.table.board_pose(seat) for seat in (1, 2)]
    strays: list[int] = []

    def watch(press: Press, oracle: Oracle) -> News | None:
        strays.append(len(oracle.evening.table.strays))
        return oracle.truth(press)

    play_against(evening, watch).play()
    assert strays[0] == 0
    assert max(strays) == 2
    assert [evening.table.board_pose(seat) for seat in (1, 2)] != before


def test_hands_free_people_press_confirm_only_for_want_of_news(play_against: type[Oracle]) -> None:
    """The fake companion takes the decision once no hand is left, and stays silent five times."""
    evening = SimulatedEvening(2, hands_free=True)
    oracle, since, missed = play_against(evening), 0, set[int]()
    confirm = Press(Button.CONFIRM, 0.0)
    for _ in range(5000):
        oracle.play(1)
        made = len(oracle.history.decisions)
        idle = not evening.table.hands and not evening.over and oracle.history.state.turn is not None
        since = since + 1 if idle and oracle.decision_for(confirm.button) is not None else 0
        if since > 10 and made in (3, 4, 5, 6, 7) and made not in missed:
            missed.add(made)
            since = -60
        if since > 10 and isinstance(news := oracle.truth(confirm), Accepted):
            evening.on_feedback(news)
            since = 0
    assert evening.over
    assert not evening.players.gave_up
    assert evening.state == oracle.history.state
    assert evening.state.finished
    assert evening.players.counts.misreadings == 0, "a trial never lies long enough to be taken"
    confirms = sum(press.button is Button.CONFIRM for press in oracle.presses)
    assert confirms == evening.players.counts.unforeseen
    assert 1 <= confirms <= 5


def test_people_clear_the_boards_after_a_game_and_wait_for_the_next_one(play_against: type[Oracle]) -> None:
    evening = SimulatedEvening(1, games=2)
    oracle = play_against(evening).play(50)
    assert oracle.presses == [], "nothing was opened yet"
    first = evening.setup
    evening.on_feedback(Opened())
    oracle.play()
    assert [len(each) for each in evening.players.played] == [len(oracle.history.decisions)]
    assert evening.table.pieces(1) == evening.table.pieces(2) == ()
    assert evening.table.books.times == (0, 0)
    assert evening.setup.market is not None
    assert evening.setup.market != first.market
    assert evening.table.market == evening.setup.market
    assert evening.table.circle == set(evening.setup.market)
    oracle.history = History(evening.setup)
    evening.on_feedback(Opened())
    oracle.play()
    assert evening.over
    assert oracle.history.state.finished
    assert evening.players.played[1] == tuple(oracle.history.decisions)


def test_people_at_a_table_without_buttons_make_themselves_clear_by_hand_before_they_press() -> None:
    evening = SimulatedEvening(1, hands_free=True, markers=True)
    lifted = 0
    for _ in range(400):
        before = len(evening.table.pieces(1)) + len(evening.table.pieces(2))
        evening.clock.sleep(0.2)
        evening.step(evening.clock.now())
        lifted += len(evening.table.pieces(1)) + len(evening.table.pieces(2)) < before
        if evening.controls.presses():
            break
    assert lifted >= 4, "nobody has answered: the patch was laid again and again"


def test_complaints_of_another_mistake_than_was_made_are_counted(play_against: type[Oracle]) -> None:
    def blind(press: Press, oracle: Oracle) -> News | None:
        news = oracle.truth(press)
        return Complaint("object") if isinstance(news, Complaint) else news

    oracle = play_against(SimulatedEvening(0, tempers=("forgetful", "forgetful")), blind).play()
    counts = oracle.evening.players.counts
    assert 0 < counts.misnamed == sum(isinstance(news, Complaint) for news in oracle.said)
