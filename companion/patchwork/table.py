"""The turn loop: frames and presses in, events out.

A decision is read, checked, written to the journal and synced, applied, and only then announced.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol

from calibration.locator import SEATS
from companion.games.patchwork.decisions import Advance, AwardTile, CountButtons, Decision, TakePatch
from companion.games.patchwork.rules import History, Outcome, apply, offers
from companion.games.patchwork.state import State
from companion.languages import said
from companion.patchwork.commands import Command, Plan, planned
from companion.patchwork.hands_free import Due, Forecast, Forecaster
from companion.patchwork.reading import complaints
from companion.patchwork.reading.complaints import ComplaintHistory
from companion.patchwork.reading.observer import QuiltObserver, UnreadableQuiltError
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.verdict import Complaint, NextStep, Question, QuestionTopic, Reading, Reason, Verdict
from companion.patchwork.recording import Recorder
from companion.patchwork.watching.tracking import sentence
from companion.patchwork.watching.unready import PATIENCE_S, why_unready
from companion.patchwork.watching.watch import TableWatch
from companion.patchwork.words import described, moves_of_friend, not_as_friend_decided, otherwise_than_proposed
from companion.play import events
from companion.play.events import Pending
from companion.play.inbox import CommandRefusedError
from companion.play.loop import TableParts, TurnLoop
from hardware.ports import Button, Frame, Press

# The time for which a hands-free table says that there is nothing new: as long as it takes to hear and to read.
_READ_S: Final = 8.0


class EndCheck(Protocol):
    """A comparison, at the end of the game, of something on the table with the recorded state."""

    def see(self, now_s: float) -> None:
        """Process the next frame, which the watch has seen."""

    def question(self) -> Question | None:
        """Return the question to ask now, or None."""

    def is_mended(self, asked: Question) -> bool:
        """Return whether an open question is this check's own and obsolete."""


class ReadCircle(Protocol):
    """The circle that the game uses."""

    @property
    def is_read(self) -> bool:
        """True if it was seen rather than dealt, so that its order may be wrong."""

    def withdraw(self) -> None:
        """Withdraw it from the game, because a patch was taken that could not be on offer by its order."""


class PatchworkTable(TurnLoop[Question, Complaint]):
    """One game at one table.

    Args:
        parts: the parts that the tables of all games share; their `history` is the game so far.
        observer: the observer of the quilts, which remembers looks that decisions have explained.
        prepare: called before a decision is written, to save what a resumed game needs after a power cut.
        recorder: writes presses and commands into a table recording; None if nothing is recorded.
        forecaster: forecasts decisions without presses; None if each one is confirmed by a press.
        circle: the circle that the game uses; None if none is seen.
        at_end: comparisons of the table with the recorded state at the end of the game.
        is_resumed: whether to look at the table once without a press, so that what was open is asked again.
    """

    def __init__(
        self,
        parts: TableParts,
        watch: TableWatch,
        observer: QuiltObserver,
        reader: Reader,
        *,
        prepare: Callable[[], None] | None = None,
        recorder: Recorder | None = None,
        forecaster: Forecaster | None = None,
        circle: ReadCircle | None = None,
        at_end: Sequence[EndCheck] = (),
        is_resumed: bool = False,
    ) -> None:
        super().__init__(parts)
        self._at_end, self._circle = at_end, circle
        self._watch, self._observer, self._reader = watch, observer, reader
        self._history: History = parts.history
        self._prepare, self._recorder, self._forecaster = prepare, recorder, forecaster
        self._complaints = ComplaintHistory()
        self._has_warned, self._complained_s = False, 0.0
        # The complaint about what lies on boards that are not learnt for it.
        self._leftovers: Complaint | None = None
        self._is_resumed = is_resumed

    @property
    def state(self) -> State:
        """The rules' present state."""
        return self._history.state

    @property
    def history(self) -> History:
        """The game so far."""
        return self._history

    @property
    def pending(self) -> Pending[Question, Complaint]:
        """The pending look, question, complaint and announcement; the complaint with the next step at this table."""
        with_next = complaints.to_be_confirmed if self._forecaster is None else complaints.hands_free
        pending = super().pending
        return pending if pending.complaint is None else replace(pending, complaint=with_next(pending.complaint))

    def _see(self, frame: Frame) -> None:
        self._watch.see(frame)

    def _accept_proposal(self, decision: Decision) -> None:
        """Take a decision that leaves nothing to lay; announce any other of the partner."""
        if self._lies_nowhere(decision) and self._question is None and self._look_since is None:
            if self._recorder is not None:
                self._recorder.press(Press(Button.ADVANCE, self._latest_s or 0.0), answers=False)
            if self._parts.friend is not None:
                self._notice(moves_of_friend(decision, self.state))
            self._lapse_foreseen()
            self._take(decision)
        else:
            super()._accept_proposal(decision)

    def _lies_nowhere(self, decision: Decision | None) -> bool:
        """Return whether a partner's decision leaves nothing to lay: an advance, or one that only the page has."""
        friend = self._parts.friend
        is_on_screen = friend is not None and not friend.is_laid
        return isinstance(decision, Advance) or (is_on_screen and decision is not None)

    def _is_friends_to_take(self, decision: Decision) -> bool:
        """Return whether only a friend at another table can take a decision, who has not."""
        is_friends = self._parts.friend is not None and decision.seat == self._parts.partner
        return is_friends and decision != self._proposed

    @property
    def _awaits_friend(self) -> bool:
        """True while a friend at another table is to decide, and has not."""
        is_friends = self._parts.friend is not None and self.state.turn == self._parts.partner
        return is_friends and self._proposed is None

    def _execute(self, command: Command, *, may_wait: bool) -> bool:
        plan = planned(command, self._history, self._question, self._complaint)
        if plan.decision is not None and self._question is None:
            self._refuse_for_friend(plan)
        if plan.looks and plan.decision is not None and not self._watch.readable(plan.decision.seat):
            # What lies on the boards does not go by itself.
            if may_wait and not self._watch.withheld:
                return False
            # A lamp may flicker permanently: the patch's look is then learnt when the quilt is next at rest.
            if not self._watch.ready:
                says = self._unseen(plan.decision.seat, "").says
                if self._watch.withheld:
                    says = said(
                        "{complaint} Or press confirm twice to begin with the boards as they are.", complaint=says
                    )
                raise CommandRefusedError(says)
        if self._recorder is not None:
            self._recorder.command(plan, self._latest_s or 0.0, answers=self._question is not None)
        self.carry_out(plan)
        return True

    def _refuse_for_friend(self, plan: Plan) -> None:
        """Refuse a command that changes what a friend at another table has.

        Raises:
            CommandRefusedError: it does.
        """
        if plan.takes_back and self._parts.friend is not None:
            raise CommandRefusedError.said("The other table has that decision already: take it back together, by undo.")
        if plan.decision is not None and self._is_friends_to_take(plan.decision):
            name = self.state.name_of(plan.decision.seat)
            raise CommandRefusedError.said("{name} decides that at the other table.", name=name)

    def _press(self, press: Press) -> None:
        question = self._question
        is_own = question is not None and question.asks is QuestionTopic.PARTNER
        # A replay, in which there is no partner, has taken what was laid: only a refusal must take it back there.
        if self._recorder is not None and (not is_own or press.button is Button.UNDO):
            self._recorder.press(press, answers=question is not None and not is_own)
        if question is not None:
            self._answer(question, press.button)
        elif press.button is Button.UNDO:
            self._undo()
        elif self.state.finished:
            self._notice(said("The game has ended. Press undo to take back the last decision."))
        elif self._awaits_friend:
            name = self.state.name_of(self.state.mover)
            self._notice(said("{name} decides at the other table, and has not yet.", name=name))
        elif press.button is Button.ADVANCE:
            self._advance()
        elif self._lies_nowhere(self._proposed):
            self._take(self._proposed)
        else:
            if self._complaint is not None and self._complaint is self._leftovers:
                # A player who has read what seems to lie there, and presses confirm again, finds nothing wrong.
                self._watch.accept(dict.fromkeys(SEATS, 0))
            self._begin_look(press)

    def _look_ahead(self, frame: Frame) -> None:
        """Pass the frame to the forecaster, unless a player has requested a look or a question is open."""
        for check in self._at_end:
            self._ask_at_end(check, frame)
        if self._is_resumed:
            self._look_at_resumed()
        forecaster = self._forecaster
        if forecaster is None or self._look_since is not None or self._awaits_friend:
            return
        doubt = self._complaint if self._question is None else self._question
        if doubt is not None and (self._was_read(doubt, frame) or forecaster.is_outdated(doubt, self._history)):
            forecaster.forget_doubt()
            self._lapse_doubt(doubt)
        if self._question is None:
            forecast = forecaster.see(frame, self._history)
            self._announce_displacements()
            self._follow_forecast(forecast, frame)

    def _look_at_resumed(self) -> None:
        """Once the table is at rest, say what is open there, unless players have gone on before."""
        is_pending = self._question is not None or self._complaint is not None or self._look_since is not None
        if is_pending or self.state.finished:
            self._is_resumed = False
        elif self._watch.at_rest:
            self._is_resumed = False
            # Hands-free the forecaster says what else is open.
            unsettled = self._reader.unsettled if self._forecaster is None else self._reader.missing
            if (doubt := unsettled(self._history)) is not None:
                self._doubt(doubt)

    def _was_read(self, doubt: Question | Complaint, frame: Frame) -> bool:
        """Return whether a complaint that nothing was laid, at a table that is right, was open long enough to be read.

        Nothing needs to be corrected there, and hands-free the patch is read without a press once it is laid.
        """
        is_right = isinstance(doubt, Complaint) and doubt.reason is Reason.NOTHING_PLACED
        return is_right and frame.t_s - self._complained_s >= _READ_S

    def _follow_forecast(self, forecast: Forecast | None, frame: Frame) -> None:
        """Act upon a forecast."""
        if isinstance(forecast, Due):
            self._act(forecast, frame)
        elif isinstance(forecast, Question | Complaint):
            self._doubt(forecast)
        elif forecast is not None:
            self._foreseen = forecast if isinstance(forecast, events.DecisionForeseen | events.UndoForeseen) else None
            self._announce(forecast)

    def _act(self, due: Due, frame: Frame) -> None:
        """Take or take back a foreseen decision; it is recorded as the press that it replaces."""
        if self._recorder is not None:
            self._recorder.press(Press(due.button, frame.t_s), answers=False)
        if due.button is Button.UNDO and self._parts.friend is not None:
            if not self._parts.friend.wants_undo:
                self._notice(self._parts.friend.ask_undo())
        elif due.button is Button.UNDO:
            self._undo_latest()
        else:
            self._take_unless_otherwise(due.decision, frame.name, unasked=True)

    def _ask_at_end(self, check: EndCheck, frame: Frame) -> None:
        """Once the game has ended, ask about a difference between the table and the records."""
        asked = self._question
        check.see(frame.t_s)
        if asked is None and (question := check.question()) is not None:
            self._judge(question, unasked=True)
        elif asked is not None and check.is_mended(asked):
            self._lapse_doubt(asked)

    def _doubt(self, doubt: Question | Complaint) -> None:
        """Announce an unrequested doubt; a later `confirm` counts as insisting."""
        if isinstance(doubt, Complaint):
            self._complaints.record(doubt, self._observer.thumbnails)
        self._judge(doubt, unasked=True)

    def _lapse_doubt(self, doubt: Question | Complaint) -> None:
        self._question, self._complaint = None, None
        self._announce(events.DoubtLapsed(doubt, self.state))

    def _lapse_foreseen(self, *, stopped: bool = False) -> bool:
        """Drop any foreseen decision, and announce that; see `Forecaster.lapse`. Return whether there was one."""
        self._foreseen = None
        lapsed = None if self._forecaster is None else self._forecaster.lapse(self._history, stopped=stopped)
        if lapsed is not None:
            self._announce(lapsed)
        return lapsed is not None

    def _begin_look(self, press: Press) -> None:
        """Look as soon as the quilt has been at rest under the strip's steady light."""
        # Not announced as lapsed, because LookStarted takes its place.
        self._foreseen = None
        if self._forecaster is not None:
            self._forecaster.lapse(self._history, stopped=False)
            self._forecaster.forget_doubt()
        self._look_since = press.t_s
        self._watch.restart_rest()
        self._announce(events.LookStarted(self.state))

    def _try_look(self, frame: Frame) -> None:
        """Read the quilt of the seat to move, if it can be read now."""
        since = self._look_since
        if since is None or self.state.finished:
            self._call_off()
            return
        try:
            verdict = self._reader.read(self._history, is_pressed=True)
        except UnreadableQuiltError:
            if self._watch.withheld or frame.t_s - since > PATIENCE_S:
                self._look_since = None
                unseen = self._out_of_sight(frame)
                self._judge(unseen if unseen is self._leftovers else self._complaints.weigh(unseen, {}))
            return
        self._look_since = None
        self._announce_displacements()
        if not isinstance(verdict, Reading):
            verdict = self._complaints.weigh(verdict, self._observer.thumbnails)
        self._judge(verdict)

    def _judge(self, verdict: Verdict, *, unasked: bool = False) -> None:
        if isinstance(verdict, Complaint) and verdict.reason is Reason.NOT_OFFERED:
            verdict = self._unless_offered(verdict)
        if isinstance(verdict, Question) and verdict.asks is QuestionTopic.WHICH_PATCH:
            verdict = self._as_proposed(verdict)
        if isinstance(verdict, Reading):
            self._take_unless_otherwise(verdict.decision, verdict.frame)
        elif isinstance(verdict, Question):
            if not self._complaints.asked(verdict):
                self._complaint = None  # The complaint no longer holds, so the answer rejects nothing.
            self._record_doubt(verdict)
            self._put_question(verdict, unasked=unasked, choice=verdict.first_shown)
        else:
            self._complain(verdict, unasked=unasked)

    def _as_proposed(self, question: Question) -> Verdict:
        """Return the partner's decision if it is one of a question's patches, or else the question."""
        proposed = self._proposed
        if proposed in question.options:
            return Reading(proposed, question.frame, 1.0)
        laid = question.options[0] if question.options else None
        is_otherwise = laid is not None and self._is_friends_to_take(laid)
        return Reading(laid, question.frame, 1.0) if is_otherwise and laid is not None else question

    def _take_unless_otherwise(self, decision: Decision, frame: str, *, unasked: bool = False) -> None:
        """Take a decision, or ask the players whether it stands if the partner has decided otherwise."""
        proposed = self._proposed
        if self._is_friends_to_take(decision):
            self._complain(not_as_friend_decided(self.state, decision, proposed, frame), unasked=unasked)
        elif proposed in (None, decision) or decision.seat != proposed.seat:
            self._take(decision)
        else:
            question = otherwise_than_proposed(self.state, decision, proposed, frame)
            self._record_doubt(question)
            self._put_question(question, unasked=unasked)

    def _unless_offered(self, complaint: Complaint) -> Complaint | Question:
        """Return a complaint about a patch that is not on offer, or a question if a merely seen circle may be wrong."""
        if self._circle is None or not self._circle.is_read or self.state.leather_due:
            return complaint
        # The same picture, read as if the circle were unknown.
        read = self._reader.read(self._history.with_market(None))
        if not isinstance(read, Reading) or not isinstance(read.decision, TakePatch):
            return complaint
        return complaints.offered_after_all(self.state, read.decision, complaint)

    def _out_of_sight(self, frame: Frame) -> Complaint:
        """Return the complaint that the quilt of the seat to move cannot be looked at."""
        complaint = self._unseen(self.state.mover, frame.name)
        if complaint.says not in self._watch.withheld:
            return complaint
        says = said(
            "{complaint} Then press confirm; or press it now to begin with the boards as they are.",
            complaint=complaint.says,
        )
        self._leftovers = replace(complaint, says=says, then=NextStep.NAMED)
        return self._leftovers

    def _unseen(self, seat: int, frame: str) -> Complaint:
        """Return the complaint about the reason why a seat's quilt cannot be looked at."""
        # Before the boards were seen, both are wanted.
        says = why_unready(self._watch, self.state, seat if self._watch.ready else None)
        return Complaint(Reason.UNCLEAR, seat, (), says, frame)

    def _complain(self, complaint: Complaint, *, unasked: bool = False) -> None:
        self._complaint, self._complained_s = complaint, self._latest_s or 0.0
        self._record_doubt(complaint)
        announced = self.pending.complaint
        assert announced is not None  # noqa: S101  # It was set above.
        self._announce(events.Complained(announced, self.state, unasked))

    def _record_doubt(self, doubt: Question | Complaint) -> None:
        if self._forecaster is not None:
            self._forecaster.record(doubt, self._history)

    def _answer(self, question: Question, button: Button) -> None:
        if button is Button.ADVANCE:
            self._show_option(question, question.shown_after(self._choice))
        else:
            takes = button is Button.CONFIRM and self._choice != events.NONE_SHOWN
            self._close_question(question, question.options[self._choice] if takes else None)

    def _close_question(self, question: Question, taken: Decision | None, outcome: Outcome | None = None) -> None:
        self._question = None
        if taken is not None and self._is_friends_to_take(taken):
            self._announce(events.QuestionAnswered(question, None, self.state))
            self._complain(not_as_friend_decided(self.state, taken, self._proposed, question.frame))
            return
        if self._recorder is not None and isinstance(taken, CountButtons | AwardTile):
            # A recording's pictures do not show the players' statements on buttons and tile, and these are not asked
            # again.
            self._recorder.command(Plan(taken), self._latest_s or 0.0, answers=False)
        if isinstance(taken, TakePatch) and taken.patch not in offers(self.state) and self._circle is not None:
            # First, because the rules would refuse the decision by the circle's order.
            self._circle.withdraw()
        # Both as they were asked about: `_commit` replaces the one and drops the other.
        before, complaint = self.state, self._complaint
        outcome = None if taken is None else self._commit(taken, outcome)
        if taken is None:
            self._complaints.refuse(question)
        self._announce(events.QuestionAnswered(question, taken, before))
        if taken is not None and outcome is not None:
            self._announce_taken(taken, outcome, denied=complaint)
        elif complaint is not None and self._complaints.asked(question):
            self._complain(complaint)
        elif taken is None and question.else_wrong is not None:
            self._complain(question.else_wrong)

    def _advance(self) -> None:
        # Without LookCalledOff: the decision or complaint that follows ends the look for the listeners.
        self._look_since = None
        self._lapse_foreseen()
        seat = self.state.mover
        if self.state.leather_due:
            frame = self._watch.frame
            self._complain(complaints.nothing_placed(self.state, seat, frame.name if frame else ""))
            return
        self._observer.observe_all(self.state)
        self._announce_displacements()
        # Warn only once: a player who presses advance again means it.
        left = None if self._has_warned else self._reader.unconfirmed_placement(self._history)
        if left is None:
            self._take_unless_otherwise(Advance(seat), "" if self._watch.frame is None else self._watch.frame.name)
            return
        self._has_warned = True
        self._judge(left)

    def _take(self, decision: Decision, outcome: Outcome | None = None, *, denied: Complaint | None = None) -> None:
        """Commit the decision and announce it; see `_commit` and `_announce_taken`."""
        self._announce_taken(decision, self._commit(decision, outcome), denied=denied)

    def _commit(self, decision: Decision, outcome: Outcome | None = None) -> Outcome:
        """Write the decision to the journal and apply it; from here on it cannot be lost.

        Args:
            decision: the decision.
            outcome: its outcome by the rules; None to apply them now.

        Raises:
            IllegalDecisionError: the rules forbid it.
        """
        if outcome is None:
            # A decision that the rules forbid fails here, before anything is written or changed.
            outcome = apply(self.state, decision)
        # Before the journal: a decision in it without this could not be resumed after a power cut.
        if self._prepare is not None:
            self._prepare()
        self._book.append(self._game_id, len(self._history.decisions) + 1, decision, outcome)
        self._follow(decision, outcome)
        return outcome

    def _follow(self, decision: Decision, outcome: Outcome) -> None:
        """Apply a decision that the journal has."""
        self._history.follow(decision, outcome)
        self._settle()

    def _settle(self) -> None:
        """Close what was open about the state before."""
        self._complaint, self._foreseen, self._has_warned = None, None, False
        self._complaints.forget()

    def _announce_taken(self, decision: Decision, outcome: Outcome, *, denied: Complaint | None = None) -> None:
        """Announce a decision that was committed, and remember how the quilts look with it.

        Args:
            decision: the decision.
            outcome: its outcome by the rules.
            denied: as for `QuiltObserver.remember`.
        """
        self._announce_decision(decision, outcome)
        # Afterwards, because the players wait for the light, and nothing looks at the quilts in between.
        self._observer.remember(self.state, decision, denied)

    def _announce_decision(self, decision: Decision, outcome: Outcome) -> None:
        self._announce(events.DecisionTaken(decision, outcome.facts, outcome.state))
        if self._forecaster is not None:
            self._forecaster.follow(decision)

    def carry_out(self, plan: Plan) -> None:
        """Carry out a command's plan, in place of anything under way."""
        self._call_off()
        self._lapse_foreseen()
        if plan.takes_back and plan.decision is not None:
            self._correct(plan.decision, plan.outcome)
            return
        if plan.looks:
            self._observer.observe_all(self.state)
        if plan.insists and self._complaint is not None:
            self._judge(self._complaints.ask(self._complaint))
        elif self._question is not None:
            self._close_question(self._question, plan.decision, plan.outcome)
        elif plan.decision is not None:
            self._take(plan.decision, plan.outcome, denied=self._complaint)

    def _undo(self) -> None:
        if self._look_since is not None:
            self._call_off()
        elif self._lapse_foreseen(stopped=True):
            return
        elif self._parts.friend is not None:
            self._notice(self._parts.friend.ask_undo())
        else:
            # A partner would decide the same again: a press takes back a player's own decision, and what followed it.
            while self._is_partners(self._history.decisions):
                self._undo_latest()
            self._undo_latest()

    def _is_partners(self, decisions: Sequence[Decision]) -> bool:
        """Return whether the latest decision is a partner's, with a player's own before it."""
        partner = self._parts.partner
        if partner is None or not decisions or isinstance(decisions[-1], CountButtons | AwardTile):
            return False
        return decisions[-1].seat == partner and any(each.seat != partner for each in decisions)

    def _take_back_to(self, made: int) -> None:
        self._call_off()
        self._lapse_foreseen()
        if self._question is not None:
            self._lapse_doubt(self._question)
        proposed = self._proposed
        while len(self._history.decisions) > made:
            self._undo_latest()
        if proposed is not None:
            self._proposed = None
            self._settle()
            self._notice(said("Taken back: {move}.", move=described(proposed, self.state)))

    def _undo_latest(self) -> None:
        """Undo the latest decision, and forget the looks remembered with it."""
        made = len(self._history.decisions)
        if not made:
            self._announce(events.NothingToUndo(self.state))
            return
        # The journal first, as for decisions: an undo that cannot be written has not happened.
        self._book.undo(self._game_id, made)
        self._retract()
        self._observer.take_back(self.state)

    def _correct(self, decision: Decision, outcome: Outcome | None) -> None:
        """Replace the latest decision, of which only the patch's name was wrong.

        The looks that were remembered with it stay.

        Raises:
            IllegalDecisionError: the rules forbid it.
        """
        made = len(self._history.decisions)
        if outcome is None:
            outcome = apply(self._history.state_after(made - 1), decision)
        # One change of the journal: after an undo alone, a power cut would leave the patch out of the game.
        self._book.replace(self._game_id, made, decision)
        self._retract()
        self._follow(decision, outcome)
        self._announce_decision(decision, outcome)

    def _retract(self) -> None:
        """Undo the latest decision, which the journal no longer has, and announce this."""
        undone = self._history.undo()
        self._settle()
        if self._forecaster is not None:
            self._forecaster.refuse(undone, self._history)
        self._announce(events.DecisionUndone(undone, self.state))

    def _announce_displacements(self) -> None:
        """Announce boards that have moved by the latest look, before its verdict, which is more important."""
        while self._watch.displacements:
            self._notice(sentence(self._watch.displacements.popleft(), self.state))
