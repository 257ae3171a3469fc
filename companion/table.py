"""The turn loop: frames and presses in, events out.

A decision goes one way: read, checked, written to the journal and synced, applied, and only then announced.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion import events
from companion.games.patchwork import Advance, IllegalDecisionError, check
from companion.languages import said
from companion.loop import TurnLoop
from companion.reader import complaints
from companion.reader.displacement import sentence
from companion.reader.insisting import Insistence
from companion.verdict import Complaint, Question, Reading
from hardware.ports import Button, Press

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.games.patchwork import Decision, History, Outcome, State
    from companion.journal import Book
    from companion.orders import Clerk, Plan
    from companion.reader.foresight import Foresight
    from companion.reader.reader import Reader
    from companion.reader.watch import TableWatch
    from companion.verdict import Verdict
    from hardware.ports import Camera, Controls, Frame

_LIVE_S: Final = 0.2
"""Time from frame to frame at a table that is no recording."""
_PATIENCE_S: Final = 12.0
"""How long a look waits for the quilt to be at rest before the players are asked to clear the view."""


class Table(TurnLoop[events.Event]):
    """One game at one table.

    Args:
        camera: where frames come from.
        controls: where presses come from.
        watch: sees both quilts in the frames.
        reader: reads decisions off them.
        book: the journal.
        game_id: the game's number in it.
        history: the game as far as it has been played.
        prepare: called before a decision is written, to keep what the game could not go on without after a power cut.
        listeners: told of every event, in order.
        ticks: called once a frame with the frame's time, after everything else.
        log_press: called with every press before it is acted upon, and whether it answers a question; a decision that
            is taken hands-free counts as the press of `confirm` that it stands for.
        foresight: foresees decisions that nobody has pressed `confirm` for; None where every one is confirmed.
        clerk: brings the orders of people who are not at the buttons; None where there are none.
    """

    def __init__(
        self,
        *,
        camera: Camera,
        controls: Controls,
        watch: TableWatch,
        reader: Reader,
        book: Book,
        game_id: int,
        history: History,
        prepare: Callable[[], None] | None = None,
        listeners: Sequence[events.Listener] = (),
        ticks: Sequence[Callable[[float], None]] = (),
        log_press: Callable[[Press, bool], None] | None = None,
        foresight: Foresight | None = None,
        clerk: Clerk | None = None,
    ) -> None:
        super().__init__(camera, controls, (*listeners, *(() if clerk is None else (clerk,))), ticks)
        self._watch, self._reader = watch, reader
        self._book, self._game_id, self._history = book, game_id, history
        self._prepare, self._clerk = prepare, clerk
        self._log_press, self._foresight = log_press, foresight
        self._insistence = Insistence()
        self._complaint: Complaint | None = None
        self._question: Question | None = None
        self._choice = 0

    @property
    def state(self) -> State:
        """The rules' state now."""
        return self._history.state

    @property
    def history(self) -> History:
        """The game so far."""
        return self._history

    @property
    def question(self) -> Question | None:
        """The question that waits for an answer."""
        return self._question

    @property
    def complaint(self) -> Complaint | None:
        """What is complained of, until a decision is taken or another look shows something else."""
        return self._complaint

    def _open(self) -> None:
        self._announce(events.GameOpened(self._game_id, self.state, len(self._history.decisions)))

    def _see(self, frame: Frame) -> None:
        self._watch.see(frame)

    def _serve(self, frame: Frame) -> None:
        if self._clerk is not None:
            self._clerk.serve(self, frame.t_s)
        self._look_ahead(frame)

    def _press(self, press: Press) -> None:
        if self._log_press is not None:
            self._log_press(press, self._question is not None)
        if self._question is not None:
            self._answer(self._question, press.button)
        elif press.button is Button.UNDO:
            self._undo()
        elif self.state.finished:
            self._notice(said("The game has ended. Press undo to take back the last decision."))
        elif press.button is Button.ADVANCE:
            self._advance()
        else:
            self._begin_look(press)

    def _look_ahead(self, frame: Frame) -> None:
        """Let the foresight have the frame, unless a player has asked for something."""
        if self._foresight is None or self._look_since is not None:
            return
        self._let_doubt_lapse(self._foresight)
        if self._question is not None:
            return
        foreseen = self._foresight.see(frame, self._history)
        self._tell_of_boards()
        if isinstance(foreseen, Reading):
            if self._log_press is not None:
                self._log_press(Press(Button.CONFIRM, frame.t_s), False)
            self._take(foreseen.decision)
        elif isinstance(foreseen, Question | Complaint):
            self._doubt(foreseen)
        elif foreseen is not None:
            self._announce(foreseen)

    def _doubt(self, doubt: Question | Complaint) -> None:
        """Tell what nobody has asked for; who presses confirm then has heard it."""
        if isinstance(doubt, Complaint):
            self._insistence.hear(doubt, self._reader.seen)
        self._judge(doubt, unasked=True)

    def _let_doubt_lapse(self, foresight: Foresight) -> None:
        """Let go of what was asked or complained of, once the quilt lies otherwise; without a press to say so."""
        doubt = self._complaint if self._question is None else self._question
        if doubt is not None and foresight.is_outdated(doubt, self._history):
            foresight.forget_doubt()
            self._lapse_doubt(doubt)

    def _lapse_doubt(self, doubt: Question | Complaint) -> None:
        self._question, self._complaint = None, None
        self._announce(events.DoubtLapsed(doubt, self.state))

    def _let_lapse(self, *, stopped: bool) -> events.ForesightLapsed | None:
        """Let go of a foreseen decision, if there is one."""
        return None if self._foresight is None else self._foresight.lapse(self._history, stopped=stopped)

    def _begin_look(self, press: Press) -> None:
        """Look as soon as the quilt has been at rest under the strip's steady light."""
        self._let_lapse(stopped=False)
        if self._foresight is not None:
            self._foresight.forget_doubt()
        self._look_since = press.t_s
        self._watch.rest_anew()
        self._announce(events.LookStarted(self.state))

    def _try_look(self, frame: Frame) -> None:
        """Read the quilt of the seat to move, if it can be read now."""
        since, seat = self._look_since, self.state.turn
        if since is None or seat is None:
            self._call_off()
        elif self._watch.ready and self._watch.settled(seat):
            self._look_since = None
            verdict = self._reader.read(self._history)
            self._tell_of_boards()
            self._judge(self._insistence.weigh(verdict, self._reader.seen))
        elif frame.t_s - since > _PATIENCE_S:
            self._look_since = None
            self._judge(self._insistence.weigh(self._out_of_sight(frame), {}))

    def _judge(self, verdict: Verdict, *, unasked: bool = False) -> None:
        if isinstance(verdict, Reading):
            self._take(verdict.decision)
        elif isinstance(verdict, Question):
            if not self._insistence.asked(verdict):
                self._complaint = None  # What was complained of is no more; the answer denies nothing.
            self._question, self._choice = verdict, 0
            self._have_heard(verdict)
            self._announce(events.Asked(verdict, 0, self.state, unasked))
        else:
            self._complain(verdict, unasked=unasked)

    def _out_of_sight(self, frame: Frame) -> Complaint:
        """Say that the quilt of the seat to move cannot be looked at."""
        return complaints.out_of_sight(self.state, self.state.turn or 0, self._watch.ready, frame.name)

    def _complain(self, complaint: Complaint, *, unasked: bool = False) -> None:
        self._complaint = complaint
        self._have_heard(complaint)
        self._announce(events.Complained(complaint, self.state, unasked))

    def _have_heard(self, doubt: Question | Complaint) -> None:
        if self._foresight is not None:
            self._foresight.hear(doubt)

    def _answer(self, question: Question, button: Button) -> None:
        if button is Button.ADVANCE:
            self._choice = (self._choice + 1) % len(question.options)
            self._announce(events.Asked(question, self._choice, self.state))
        else:
            self._close_question(question, question.options[self._choice] if button is Button.CONFIRM else None)

    def _close_question(self, question: Question, taken: Decision | None) -> None:
        self._question = None
        before, complaint = self.state, self._complaint
        outcome = None if taken is None else self._commit(taken, denied=complaint)
        self._announce(events.QuestionAnswered(question, taken, before))
        if taken is not None and outcome is not None:
            self._announce(events.DecisionTaken(taken, outcome.facts, outcome.state))
        elif complaint is not None and self._insistence.asked(question):
            self._complain(complaint)

    def _advance(self) -> None:
        self._look_since = None
        if (lapsed := self._let_lapse(stopped=False)) is not None:
            self._announce(lapsed)
        decision = Advance(self.state.turn or 0)
        try:
            check(self.state, decision)
        except IllegalDecisionError:
            frame = self._watch.frame
            self._complain(complaints.nothing_placed(self.state, decision.seat, frame.name if frame else ""))
        else:
            self._reader.glance(self.state)
            self._tell_of_boards()
            self._take(decision)

    def _take(self, decision: Decision, denied: Complaint | None = None) -> None:
        """Write the decision down, apply it, tell everybody; `denied` as for `Reader.remember`."""
        outcome = self._commit(decision, denied)
        self._announce(events.DecisionTaken(decision, outcome.facts, outcome.state))

    def _commit(self, decision: Decision, denied: Complaint | None = None) -> Outcome:
        """Write the decision down and apply it; from here on it is not lost."""
        check(self.state, decision)
        if self._prepare is not None:
            self._prepare()
        self._book.append(self._game_id, len(self._history.decisions) + 1, decision)
        outcome = self._history.apply(decision)
        self._reader.remember(self.state, decision, denied)
        self._complaint = None
        self._insistence.forget()
        if self._foresight is not None:
            self._foresight.forget_doubt()
            if not isinstance(decision, Advance):
                self._foresight.learn(decision.seat)
        return outcome

    @property
    def ready(self) -> bool:
        """Whether both empty boards have been seen."""
        return self._watch.ready

    def out_of_sight(self, seat: int) -> str:
        """Why a seat's quilt cannot be looked at now, in a sentence; empty where it can."""
        if self._watch.ready and self._watch.settled(seat):
            return ""
        return complaints.out_of_sight(self.state, seat, self._watch.ready, "").says

    def carry_out(self, plan: Plan) -> None:
        """Do what an order comes to, in place of whatever is under way."""
        self._call_off()
        if (lapsed := self._let_lapse(stopped=False)) is not None:
            self._announce(lapsed)
        if plan.takes_back:
            self._take_back()
        if plan.looks:
            self._reader.glance(self.state)
        if plan.insists and self._complaint is not None:
            self._judge(self._insistence.ask(self._complaint))
        elif self._question is not None:
            self._close_question(self._question, plan.decision)
        elif plan.decision is not None:
            self._take(plan.decision, denied=self._complaint)

    def _undo(self) -> None:
        if self._look_since is not None:
            self._call_off()
        elif (lapsed := self._let_lapse(stopped=True)) is not None:
            self._announce(lapsed)
        elif self._take_back():
            self._reader.take_back()

    def _take_back(self) -> bool:
        """Take the latest decision back, if there is one."""
        made = len(self._history.decisions)
        if not made:
            self._announce(events.NothingToUndo(self.state))
            return False
        self._book.undo(self._game_id, made)
        undone = self._history.undo()
        self._complaint = None
        self._insistence.forget()
        if self._foresight is not None:
            self._foresight.forget_doubt()
            self._foresight.refuse(undone)
        self._announce(events.DecisionUndone(undone, self.state))
        return True

    def _call_off(self) -> None:
        """End a look that will have no verdict, if there is one."""
        if self._look_since is not None:
            self._look_since = None
            self._announce(events.LookCalledOff(self.state))

    def _tell_of_boards(self) -> None:
        """Say what the latest look has shown of boards that have moved; before its verdict, which counts for more."""
        for displacement in self._watch.displacements():
            self._notice(sentence(displacement, self.state))

    def _notice(self, says: str) -> None:
        self._announce(events.TableNoticed(says, self.state))


class ReplayedTable(Table):
    """A recorded evening, played again.

    Its frames came before its presses, so a look takes what has been seen already; and nobody is there to answer. With
    a foresight it is played hands-free: the presses of `confirm` are left out, and between two frames time passes over
    a table that lies as the first one shows it.
    """

    def _absence_s(self, now_s: float) -> float:
        del now_s
        return 0.0  # A recording's frames may lie far apart, and its camera was there all the same.

    def _see(self, frame: Frame) -> None:
        self._pass_time(frame.t_s)
        super()._see(frame)

    def _press(self, press: Press) -> None:
        self._pass_time(press.t_s)
        if self._foresight is not None and press.button is Button.CONFIRM and not press.answers:
            return
        if self._question is not None and not press.answers:
            self._close_question(self._question, self._unanswered(self._question))
        if press.answers and self._question is None:
            return  # It answered a question that this version of the reader did not have to ask.
        super()._press(press)

    def _pass_time(self, until_s: float) -> None:
        """Do what hands-free would have done by then, seeing what the latest frame shows."""
        frame, foresight = self._watch.frame, self._foresight
        if frame is not None:
            self._look_ahead(replace(frame, t_s=min(until_s, frame.t_s + _LIVE_S)))
        while frame is not None and foresight is not None and self._question is None and not self.state.finished:
            due_s = foresight.due_s
            if due_s is None or due_s > until_s:
                return
            self._look_ahead(replace(frame, t_s=due_s))
            self._look_ahead(replace(frame, t_s=due_s))

    def _lapse_doubt(self, doubt: Question | Complaint) -> None:
        if isinstance(doubt, Question):
            self._close_question(doubt, self._unanswered(doubt))
        else:
            super()._lapse_doubt(doubt)

    def _unanswered(self, question: Question) -> Decision | None:
        """The likeliest answer; none where players only heard a complaint, and went on to put it right."""
        return None if self._insistence.asked(question) else question.options[0]

    def _begin_look(self, press: Press) -> None:
        self._look_since = press.t_s
        self._announce(events.LookStarted(self.state))
        if self._watch.frame is not None:
            self._try_look(self._watch.frame)

    def _end(self) -> None:
        self._pass_time(float("inf"))
        if self._question is not None:
            self._close_question(self._question, self._unanswered(self._question))
        seat, frame = self.state.turn, self._watch.frame
        if self._look_since is not None and seat is not None and frame is not None:
            # A player wanted it read: a recording that ends before that was possible says so.
            self._look_since = None
            self._complain(self._out_of_sight(frame))
        super()._end()
