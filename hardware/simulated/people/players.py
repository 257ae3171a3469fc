"""Two simulated players of a whole evening, including their mistakes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from companion.games.patchwork.decisions import Advance, CountButtons, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.rules import apply
from companion.games.patchwork.state import State
from companion.games.patchwork.strategy.choice import choose
from hardware.ports import Button
from hardware.simulated.conditions import LEATHER
from hardware.simulated.devices import SimulatedControls
from hardware.simulated.people.bookkeeping import Bookkeeping, CircleHabits, Counts
from hardware.simulated.people.conversation import PATIENCE_S, Conversation, drawn_hesitation, hesitate
from hardware.simulated.people.gestures import (
    Accepted,
    Answered,
    Arm,
    Complaint,
    Listen,
    News,
    Noticed,
    Opened,
    Pace,
    Proposed,
    Question,
    Returning,
    Script,
    Undone,
    Wait,
)
from hardware.simulated.people.slips import (
    REASONS,
    Mishaps,
    Slip,
    Temper,
    WrongPlacement,
    clear_boards,
    drawn_slip,
    wrong_placement,
)
from hardware.simulated.scene.placing import Lying
from hardware.simulated.scene.table import SimulatedTable, cells_of

ATTEMPTS = 24
"""Number of presses for one decision after which the players give up."""
COUNTING_S = 45.0
"""Time spent on the score sheet, during which the players may be asked about their pieces."""
BY_HAND = 4
"""Number of attempts by hand at a table without buttons before one is pressed on the page."""
STAGED_AFTER = 4
"""Decisions after which a mistake is made on purpose: enough patches lie there, and viewers are still curious."""
READING_S = 6.0
"""Time for viewers to read the complaint about it."""
CAREFUL = 0.3
"""Unsteadiness of a player who lays a piece again."""


@dataclass(frozen=True, slots=True)
class Done:
    """A decision accepted by the companion, the state before it, and its piece on the board."""

    before: State
    decision: Decision
    piece: Lying | None


class SimulatedPlayers:
    """Both players, who see the table, know the rules, and receive the companion's news by `on_feedback`.

    Args:
        table: the table.
        state: the game as they know it.
        tempers: of seat 1 and seat 2.
        controls: the buttons.
        rng: of all their choices.
        pace: durations of actions.
        hands_free: whether they wait for their moves to be recognised, instead of pressing `confirm`; they hesitate
            before they lay a piece.
        markers: whether the markers are read: hands-free, players advance by moving theirs, and a forgetful player may
            leave one on a wrong space.
        circle: whether the circle is read: a forgetful player may forget the neutral token, or push patches.
        stages_slip: whether one of them lays a patch on another on purpose, once, and leaves time to read the
            companion's answer.
        partner: the seat of a partner, whose decisions they carry out; None if they decide for both.
        next_game: function that returns the initial state of the next game, or None at the end; without it there is
            one game, which begins at once. Otherwise each game waits for the companion's announcement.

    Attributes:
        state: the game as they know it.
        counts: their observations of the companion.
        over: whether they have gone home.
        gave_up: whether they have left early.
        played: the decisions of each finished game, in order.
    """

    def __init__(
        self,
        table: SimulatedTable,
        state: State,
        tempers: tuple[Temper, Temper],
        controls: SimulatedControls,
        rng: np.random.Generator,
        pace: Pace,
        *,
        hands_free: bool = False,
        markers: bool = False,
        circle: bool = False,
        partner: int | None = None,
        stages_slip: bool = False,
        next_game: Callable[[], State | None] | None = None,
    ) -> None:
        self._next_game, self._is_open = next_game, False
        self.played: list[tuple[Decision, ...]] = []
        self._table, self._tempers, self._rng, self._pace = table, tempers, rng, pace
        self._hands_free, self._partner = hands_free, partner
        self._slip_due = stages_slip
        self.state = state
        self.counts = Counts()
        self.over = False
        self.gave_up = False
        self._arms = (Arm(table, 1, pace), Arm(table, 2, pace))
        self._books = Bookkeeping(table, tempers, self._arms, pace, self.counts, rng, markers=markers, circle=circle)
        self._conversation = Conversation(table, controls, self._arms, pace)
        self._mishaps = Mishaps(table, rng)
        self._done: list[Done] = []
        self._script = self._evening()
        self._waiting: Wait | Listen = Wait(0.0)
        self._until_s = float("-inf")
        self.show_books()

    @property
    def circle_habits(self) -> CircleHabits | None:
        """Their mistakes with the circle, or None if it is not read."""
        return self._books.circle

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions of these players in the current game."""
        return tuple(done.decision for done in self._done)

    def on_feedback(self, news: News) -> None:
        """Receive news from the companion's lights or page; players react at their next step."""
        if isinstance(news, Opened):
            self._is_open = True
        elif isinstance(news, Answered):
            self._conversation.forget(Question)
        elif isinstance(news, Noticed):
            self._books.on_notice(self.state)
        else:
            self._conversation.on_feedback(news)

    def step(self, now_s: float) -> None:
        """Act up to this time."""
        while not self.over:
            news = self._conversation.next_news() if isinstance(self._waiting, Listen) else None
            # Sums of frame times are inexact.
            if news is None and now_s < self._until_s - 1e-6:
                return
            try:
                self._waiting = self._script.send(news) if news is not None else next(self._script)
            except StopIteration:
                self.over = True
                return
            length_s = self._waiting.seconds if isinstance(self._waiting, Wait) else self._waiting.timeout_s
            self._until_s = now_s + length_s

    def show_books(self) -> None:
        """Pay, and move the tokens, to match the state of the game."""
        self._books.show(self.state)

    # ------------------------------------------------------------------ the evening

    def _evening(self) -> Script:
        yield from self._game()
        while self._next_game is not None and not self.gave_up and (first := self._next_game()) is not None:
            yield from self._set_up(first)
            yield from self._game()

    def _game(self) -> Script:
        while self._next_game is not None and not self._is_open:
            yield Wait(1.0)
        # Nobody begins while the camera is lost: both boards must be seen empty.
        for _ in range(self._pace.opening_frames):
            yield Wait(self._pace.frame_s)
        while self.state.turn is not None and not self.gave_up:
            yield from self._turn(self.state.turn)
        self.played.append(self.decisions)
        if self._books.are_markers_read and not self.gave_up:
            yield from self._count_up()
        yield Wait(self._pace.closing_frames * self._pace.frame_s)

    def _set_up(self, first: State) -> Script:
        """Clear the table, and set up another game."""
        self._is_open = False
        yield from clear_boards(self._table, self._arms)
        self._table.deal(first.setup.market or self._table.market)
        self.state = first
        self._done.clear()
        self._conversation.forget()
        self._books.count_again(self.state)

    def _count_up(self) -> Script:
        """Wait for a question about the players' pieces, and answer it by the books, which are paid."""
        for _ in range(len(self._tempers)):
            news = yield Listen(COUNTING_S)
            if not isinstance(news, Question):
                return
            self.counts.questions += 1
            right = self.state.seat(news.options[0].seat).buttons
            # Without buttons they pay the difference, which closes the question, too.
            counted = CountButtons(news.options[0].seat, right)
            if counted in news.options and not self._is_touchless:
                yield from self._conversation.answer(news.steps_to(counted))
            self._books.count_again(self.state)

    def _choose(self, randomness: float) -> Decision:
        return choose(self.state, self._rng.normal, randomness).decision

    def _turn(self, seat: int) -> Script:
        if seat == self._partner:
            yield from self._carry_out(seat)
            return
        temper = self._tempers[seat - 1]
        yield Wait(self._pace.think_s)
        decision = self._choose(temper.randomness)
        if self._slip_due and self.state.decisions_made >= STAGED_AFTER:
            yield from self._stage_slip(decision)
        slip = drawn_slip(temper, decision, self._rng)
        if slip is Slip.UNDO:
            # A partner may have answered by then.
            yield from self._think_again(seat) if self._partner is None else ()
        elif slip is not None:
            yield from self._slip(slip, decision)
        if self.state.turn == seat and not self.gave_up:
            yield from self._decide(decision)

    def _carry_out(self, seat: int) -> Script:
        """Wait for the partner's decision, and carry it out; an advance is taken without a hand."""
        for _ in range(ATTEMPTS):
            news = yield Listen(PATIENCE_S)
            if isinstance(news, Accepted) and news.decision.seat == seat:
                self._write_down(Done(self.state, news.decision, None))
                yield from self._books.pay(seat, self.state)
                return
            if isinstance(news, Proposed):
                yield Wait(self._pace.think_s)
                yield from self._decide(news.decision)
                return
        self.gave_up = True

    def _decide(self, decision: Decision) -> Script:
        """Make the move on the table, press, and ensure that the companion has understood."""
        temper = self._tempers[decision.seat - 1]
        piece: Lying | None = None
        if not isinstance(decision, Advance):
            hesitant = drawn_hesitation(self.state, decision, self._rng) if self._hands_free else None
            if hesitant is not None:
                yield from hesitate(self._arms[decision.seat - 1], decision.seat, hesitant, temper.unsteady)
            piece = yield from self._lay(decision, temper.unsteady)
        elif not self._presses_for(decision):
            yield from self._advance_marker(decision)
        yield from self._insist(decision, piece)

    def _advance_marker(self, decision: Advance) -> Script:
        """Move the marker one space past the other's, which is the advance."""
        yield from self._books.move_markers(decision.seat, apply(self.state, decision).state)
        yield self._settle()

    def _lay(self, decision: Decision, unsteady: float) -> Returning[Lying | None]:
        if not isinstance(decision, TakePatch | PlaceLeather):
            return None
        seat, cells = decision.seat, cells_of(decision.cells)
        name = decision.patch if isinstance(decision, TakePatch) else LEATHER
        early = self._tempers[seat - 1].early and self._presses_for(decision)
        self._table.clear_strays(seat, cells)
        piece = yield from self._arms[seat - 1].lay(seat, name, cells, unsteady, linger=early)
        if not early:
            yield self._settle()
        return piece

    def _insist(self, decision: Decision, piece: Lying | None) -> Script:
        """Press, and correct or repeat until the companion has accepted the decision."""
        before, answered = self.counts.undeserved, None
        # Other news is about earlier moves, but hands-free the acceptance may come before this.
        self._conversation.forget_all_but_accepted()
        if self._presses_for(decision) and not self._conversation.has_accepted(decision):
            yield from self._ask(decision)
        for attempt in range(ATTEMPTS):
            by_hand = self._is_touchless and attempt < BY_HAND
            news = yield Listen(PATIENCE_S)
            if isinstance(news, Accepted) and news.decision == decision:
                self._write_down(Done(self.state, decision, piece))
                yield from self._books.pay(decision.seat, self.state)
                return
            if isinstance(news, Question) and decision in news.options and not by_hand:
                # A repeated question has been answered already.
                if news != answered:
                    self.counts.questions += 1
                    yield from self._conversation.answer(news.steps_to(decision))
                answered = news
                continue
            answered = None
            if isinstance(news, Complaint) and not (yield from self._mend(decision.seat)):
                self.counts.undeserved += 1
                # Another press has not helped: the piece may be too far off its cells to be recognised.
                if (self.counts.undeserved - before) % 3 == 0:
                    piece = yield from self._lay_again(decision, piece)
            elif news is not None:
                piece = yield from self._correct(news, decision, piece)
            yield self._settle()
            piece = yield from self._repeat(decision, piece, by_hand=by_hand)
        self.gave_up = True

    def _correct(self, news: News, decision: Decision, piece: Lying | None) -> Returning[Lying | None]:
        """Correct the companion if it asks about, has accepted, or has undone another decision."""
        if isinstance(news, Question):
            self.counts.questions += 1
            if not self._is_touchless:
                yield from self._conversation.press(Button.UNDO)
            return (yield from self._lay_again(decision, piece))
        if isinstance(news, Accepted):
            self.counts.misreadings += 1
            yield from self._take_back(decision.seat, piece)
            return (yield from self._lay(decision, CAREFUL))
        if isinstance(news, Undone):
            return (yield from self._go_back(decision, piece))
        return piece

    @property
    def _is_touchless(self) -> bool:
        """True if nothing requires a press, so that there may be no buttons at the table."""
        return self._hands_free and self._books.are_markers_read

    def _repeat(self, decision: Decision, piece: Lying | None, *, by_hand: bool) -> Returning[Lying | None]:
        """Repeat a decision unless it was accepted: by a press, or by laying, or moving, again.

        A question asked meanwhile comes first, and a complaint from before the press is no answer to it.
        """
        if self._conversation.has_accepted(decision) or self._conversation.is_asked:
            return piece
        self._conversation.forget(Complaint)
        if not by_hand:
            yield from self._ask(decision)
        elif isinstance(decision, Advance):
            self.show_books()
            yield self._settle()
            yield from self._advance_marker(decision)
        else:
            piece = yield from self._lay_again(decision, piece)
        return piece

    def _ask(self, decision: Decision) -> Script:
        """Press the button for a decision."""
        self.counts.unforeseen += not self._presses_for(decision)
        yield from self._conversation.press(Button.ADVANCE if isinstance(decision, Advance) else Button.CONFIRM)

    def _presses_for(self, decision: Decision) -> bool:
        """Return whether this kind of decision normally requires a press."""
        return not self._hands_free or (isinstance(decision, Advance) and not self._books.are_markers_read)

    def _take_back(self, seat: int, piece: Lying | None) -> Script:
        """Undo the companion's decision, and lift its piece off that seat's board; first, if lifting is enough."""
        lifts_first = self._is_touchless and piece is not None
        if lifts_first and piece is not None:
            yield from self._arms[seat - 1].take(seat, piece)
            yield self._settle()
            if (yield from self._conversation.has_been_undone()):
                return
        for _ in range(ATTEMPTS):
            yield from self._conversation.press(Button.UNDO)
            if (yield from self._conversation.has_been_undone()):
                break
        else:
            self.gave_up = True
        if piece is not None and not lifts_first:
            yield from self._arms[seat - 1].take(seat, piece)

    def _lay_again(self, decision: Decision, piece: Lying | None) -> Returning[Lying | None]:
        """Lift the piece and lay it more carefully; at a table without buttons the removal may be detected.

        Neighbours that lie askew may have left it no room: they are pushed straight.
        """
        if piece is None:
            return None
        yield from self._arms[decision.seat - 1].take(decision.seat, piece)
        for spot in self._mishaps.straighten():
            yield from self._arms[decision.seat - 1].touch(spot)
        if self._is_touchless:
            yield self._settle()
        return (yield from self._lay(decision, CAREFUL))

    def _go_back(self, decision: Decision, piece: Lying | None) -> Returning[Lying | None]:
        """Repeat an earlier decision that the companion has undone by mistake, before this one."""
        if not self._done:
            return piece
        if piece is not None:
            yield from self._arms[decision.seat - 1].take(decision.seat, piece)
        lost = self._done.pop()
        now, self.state = self.state, lost.before
        yield self._settle()
        yield from self._insist(lost.decision, lost.piece)
        self.state = now
        self.show_books()
        return (yield from self._lay(decision, CAREFUL))

    def _mend(self, seat: int) -> Returning[bool]:
        """Correct the players' own mistakes; return False if there were none."""
        spots = self._mishaps.mend()
        if spots:
            self.counts.deserved += 1
        for spot in spots:
            yield from self._arms[seat - 1].touch(spot)
        return bool(spots)

    # ------------------------------------------------------------------ slips

    def _think_again(self, seat: int) -> Script:
        """Make a move, take it back, and lift its patch."""
        # Mostly another move than the considered one that follows.
        decision = self._choose(0.8)
        # Without a piece to lift, an undo needs a press.
        if self._is_touchless and isinstance(decision, Advance):
            return
        before = self.state
        yield from self._decide(decision)
        if self.gave_up:
            return
        done = self._done.pop()
        yield from self._take_back(seat, done.piece)
        self.state = before
        self.show_books()
        yield self._settle()

    def _slip(self, slip: Slip, decision: Decision) -> Script:
        seat = decision.seat
        if slip in (Slip.NOTHING_PLACED, Slip.LEATHER_FORGOTTEN):
            # It is a mistake only together with a press.
            if self._is_touchless:
                return
            yield self._settle()
            yield from self._conversation.press(Button.CONFIRM)
            if (yield from self._await_reaction(slip)):
                yield from self._take_back(seat, None)
        elif slip is Slip.NUDGE:
            self._mishaps.nudge(seat)
        elif slip is Slip.LOST_BUTTON and isinstance(decision, TakePatch | PlaceLeather):
            self._mishaps.drop_token(seat, self.state.seat(seat).quilt | decision.cells)
        else:
            wrong = wrong_placement(slip, self.state, decision, self._rng)
            if wrong is not None:
                yield from self._place_wrongly(seat, wrong)

    def _stage_slip(self, decision: Decision) -> Script:
        """Lay the patch of this decision on another one, if that is possible."""
        wrong = wrong_placement(Slip.OVERLAP, self.state, decision, self._rng)
        if wrong is not None:
            self._slip_due = False
            yield from self._place_wrongly(decision.seat, wrong, READING_S)

    def _place_wrongly(self, seat: int, wrong: WrongPlacement, reading_s: float = 0.0) -> Script:
        arm = self._arms[seat - 1]
        piece = yield from arm.lay(wrong.seat, wrong.name, wrong.cells, 1.0, linger=False)
        yield self._settle()
        if not self._is_touchless:
            yield from self._conversation.press(Button.CONFIRM)
        was_accepted = yield from self._await_reaction(wrong.slip)
        yield Wait(reading_s)
        if was_accepted:
            yield from self._take_back(wrong.seat, piece)
        else:
            yield from arm.take(wrong.seat, piece)
        yield self._settle()

    def _await_reaction(self, slip: Slip) -> Returning[bool]:
        """Process the companion's reaction to a mistake; return whether it was accepted instead of complained of."""
        news = yield Listen(PATIENCE_S)
        if isinstance(news, Complaint):
            self.counts.deserved += 1
            self.counts.misnamed += news.reason != REASONS[slip]
        elif isinstance(news, Question):
            self.counts.questions += 1
            if not self._is_touchless:
                yield from self._conversation.press(Button.UNDO)
        elif isinstance(news, Accepted):
            self.counts.unnoticed += 1
            return True
        return False

    # ------------------------------------------------------------------ bookkeeping

    def _write_down(self, done: Done) -> None:
        self._done.append(done)
        self.state = apply(done.before, done.decision).state
        self._mishaps.forget()

    def _settle(self) -> Wait:
        return Wait(self._pace.settle_frames * self._pace.frame_s)
