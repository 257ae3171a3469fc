"""The turn loop shared by all games: frames and requests in, events out.

The loop owns what is pending at a table: the look, the question with its number, the complaint. Every event carries it,
and an answer to anything else is refused here.
"""

from __future__ import annotations

import logging
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from companion.languages import said
from companion.play import events
from companion.play.devices import FramePace, Notices
from companion.play.events import NOTHING_ASKED, Event, Pending
from companion.play.inbox import (
    TABLE_BUSY,
    Answer,
    CommandRefusedError,
    EndGame,
    Inbox,
    Posted,
    PressButton,
    Propose,
    PutRight,
    SendWord,
    TableAwayError,
    TakeBack,
    UseCamera,
)
from hardware.ports import Button, Camera, Controls, EndOfFramesError, Frame, HardwareError, Press

if TYPE_CHECKING:
    from companion.journal import Journal
    from companion.play.friend import FarTable

_LOG: Final = logging.getLogger(__name__)
QuestionT = TypeVar("QuestionT")
ComplaintT = TypeVar("ComplaintT")

READING_S: Final = 0.5
"""The least time to read a question and decide: a `confirm` pressed earlier is taken for an accidental double press.
Chromium ignores clicks in a prompt that has just appeared for the same time."""
# The range of the first number, which is random so that a page from before a restart cannot know a later number.
_NUMBERS: Final = 1 << 32
# The gap between two frames above which the camera counts as having been absent.
_AWAY_S: Final = 3.0
# How long a command waits for the table to be at rest; after that, its sender would think that it was lost.
_COMMAND_PATIENCE_S: Final = 3.0
_QUESTION_CHANGED: Final = said("The question has changed in the meantime: look at the new one and answer again.")
_OUTDATED: Final = said("The game has gone on in the meantime.")
_UNDER_WAY: Final = said("A game is in progress. Confirm that you want to leave it; you can resume it later.")


Tick: TypeAlias = Callable[[float], bool | None]
"""Called with a frame's time, in seconds; returns True once it needs no further frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableParts:
    """The parts of every game's turn loop.

    Attributes:
        camera: the source of frames.
        controls: the source of presses.
        book: the journal.
        game_id: the game's number in it.
        history: the game so far.
        listeners: called with every event, in order.
        ticks: called once per frame with the frame's time, in order, after everything else, until one returns True.
        soon: the ticks to call from the next frame on, too.
        inbox: the requests.
        pace: reduces the frame rate while nothing moves, or None to take every frame.
        notices: the queue of the devices' sentences.
        now: the clock of presses, in seconds; None for a recording, whose presses answered the questions of its time.
        refuse: shows the players that a press does not count.
        is_expected: returns whether a question is a choice of the game, which players expect and answer at once.
        whose_turn: returns the sentence for whose turn it is in a state, for a seat that presses out of turn.
        partner: the seat of a partner, whose decisions any player carries out; None if there is none.
        friend: the table of the friend who has that seat; None for a robot.
        is_again: as for `GameOpened`.
    """

    camera: Camera
    controls: Controls
    book: Journal
    game_id: int
    history: Any
    listeners: Sequence[Callable[[Any], None]] = ()
    ticks: Sequence[Tick] = ()
    soon: list[Tick] = field(default_factory=list)
    inbox: Inbox = field(default_factory=Inbox)
    pace: FramePace | None = None
    notices: Notices = field(default_factory=Notices)
    now: Callable[[], float] | None = None
    refuse: Callable[[], None] = lambda: None
    is_expected: Callable[[Any], bool] = lambda _: False
    whose_turn: Callable[[Any], str] = lambda _: ""
    partner: int | None = None
    friend: FarTable | None = None
    is_again: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A request that was taken from the inbox.

    Attributes:
        posted: the request.
        since_s: the time when it was taken.
        asked: the number of the latest question then.
    """

    posted: Posted
    since_s: float
    asked: int


class TurnLoop(ABC, Generic[QuestionT, ComplaintT]):
    """The turn loop of one game at one table, which has these parts."""

    def __init__(self, parts: TableParts) -> None:
        self._parts = parts
        self._camera, self._book, self._game_id = parts.camera, parts.book, parts.game_id
        self._history = parts.history
        self._look_since: float | None = None
        self._latest_s: float | None = None
        self._question: QuestionT | None = None
        self._choice = 0
        self._complaint: ComplaintT | None = None
        self._foreseen: events.DecisionForeseen | events.UndoForeseen | None = None
        self._proposed: Any = None
        self._number = 1 + secrets.randbelow(_NUMBERS)
        self._asked_s, self._reading_s = float("-inf"), 0.0
        self._waiting: list[_Waiting] = []
        self._ticks = list(parts.ticks)
        self._caused: list[Event] | None = None
        self._is_left = False
        parts.notices.address(self._notice)

    @property
    def pending(self) -> Pending[QuestionT, ComplaintT]:
        """The pending look, question, complaint and announcement."""
        question = self._question
        return Pending(
            looking=self._look_since is not None,
            question=question,
            choice=self._choice,
            number=NOTHING_ASKED if question is None else self._number,
            complaint=self._complaint,
            foreseen=self._foreseen,
            proposed=self._proposed,
        )

    def run(self, opened: Callable[[], None] = lambda: None) -> None:
        """Open the game and run until the camera has no more frames, or the game is left.

        Args:
            opened: called once the game is announced.

        Raises:
            HardwareError: a device failed; the decisions until then are in the journal.
            JournalError: a decision could not be written; it was not announced either.
        """
        self._open()
        opened()
        try:
            with suppress(EndOfFramesError):
                while not self._is_left:
                    self.step()
        except HardwareError:
            self._call_off()
            raise
        finally:
            self._refuse_waiting()
        self._end()

    def step(self) -> None:
        """Process one frame and the requests that came with it; at a table at rest often only requests.

        Raises:
            EndOfFramesError: there are no more frames; the last presses have been processed.
        """
        if self._step_at_rest():
            return
        try:
            frame = self._camera.capture()
        except EndOfFramesError:
            # A recording's last presses may come after its last frame.
            self._serve(self._latest_s or 0.0)
            raise
        if self._parts.pace is not None:
            self._parts.pace.see(frame)
        self._see(frame)
        if self._look_since is not None:
            # Timeouts exclude the time in which the camera was absent.
            gap_s = 0.0 if self._latest_s is None else frame.t_s - self._latest_s
            self._look_since += gap_s if gap_s > _AWAY_S else 0.0
            # A frame that a hanging camera repeats says nothing about the current table.
            if not frame.repeated:
                self._try_look(frame)
        self._latest_s = frame.t_s
        # After this frame was read: a look that a press requests needs a frame from after the press.
        self._serve(frame.t_s)
        if not frame.repeated:
            self._look_ahead(frame)
        self._tick(frame.t_s)

    def _step_at_rest(self) -> bool:
        """Serve everything but the camera if no frame is due yet; return whether that was the case."""
        pace = self._parts.pace
        # A look, and a command that waits for the table to be at rest, need frames.
        if pace is None or self._look_since is not None or self._waiting or (now_s := pace.wait()) is None:
            return False
        if self._serve(now_s):
            pace.speed_up()
        self._tick(now_s)
        return True

    def _tick(self, now_s: float) -> None:
        """Call the ticks, and drop those that need no further frame."""
        due = [*self._ticks, *self._parts.soon]
        self._parts.soon.clear()
        self._ticks = [tick for tick in due if not tick(now_s)]

    # Requests.

    def _serve(self, now_s: float) -> bool:
        """Carry out or refuse the waiting requests, in order; return whether there were any.

        A command that must wait for the table to be at rest holds up those behind it, but no press.
        """
        for press in self._parts.controls.presses():
            self._parts.inbox.put(PressButton(press.button, has_read=False, press=press))
        # Push-buttons are read once per frame, and were pressed before the requests that came meanwhile.
        taken = sorted(self._parts.inbox.take(), key=lambda posted: not posted.is_push_button)
        self._waiting += [_Waiting(posted, now_s, self._number) for posted in taken]
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            is_held = bool(self._waiting) and not isinstance(each.posted.command, PressButton)
            if is_held or not (each.posted.abandoned or self._carry_out(each, now_s)):
                self._waiting.append(each)
        return bool(waiting)

    def _refuse_waiting(self) -> None:
        """Refuse the requests that still wait, as there are no more frames for them."""
        for each in self._waiting:
            if not each.posted.outcome.done():
                each.posted.refuse(TableAwayError(TABLE_BUSY))
        self._waiting.clear()
        self._parts.inbox.refuse_all(TABLE_BUSY)

    def _carry_out(self, waiting: _Waiting, now_s: float) -> bool:
        """Carry out a request and resolve it with its events or a refusal; return False if it has to wait."""
        posted = waiting.posted
        # Only what follows from this request is its outcome.
        caused = self._caused = []
        try:
            if not self._done(waiting, now_s):
                return False
        except CommandRefusedError as refusal:
            posted.refuse(refusal)
        # Its sender must not wait for an answer that will not come; the fault itself ends the game.
        except BaseException:
            posted.refuse(CommandRefusedError.said("It could not be saved; see the terminal."))
            raise
        else:
            posted.done(tuple(caused))
        finally:
            self._caused = None
        return True

    def _done(self, waiting: _Waiting, now_s: float) -> bool:
        """Do what a request asks for; return False if it must, and may, wait for the table to be at rest.

        Raises:
            CommandRefusedError: it cannot be done.
        """
        command = waiting.posted.command
        match command:
            case PressButton():
                press = command.press or Press(command.button, now_s)
                self._refuse_stale(command.question)
                self._refuse_unread(command, press, waiting.asked)
                self._press_in_turn(press)
            case EndGame(leaves=leaves):
                if self._history.decisions and not self._history.state.finished and not leaves:
                    raise CommandRefusedError(_UNDER_WAY)
                self._is_left = True
            case UseCamera(use=use):
                use(self._camera)
            case PutRight():
                self._drop_complaint()
            case Propose(decision=decision, made=made):
                if made != len(self._history.decisions) or self._history.state.turn != decision.seat:
                    raise CommandRefusedError(_OUTDATED)
                self._proposed = decision
                self._accept_proposal(decision)
            case TakeBack() | SendWord():
                self._do_with_friend(command)
            case _:
                if isinstance(command, Answer):
                    self._refuse_stale(command.question)
                return self._execute(command, may_wait=now_s - waiting.since_s < _COMMAND_PATIENCE_S)
        return True

    def _do_with_friend(self, command: TakeBack | SendWord) -> None:
        if self._parts.friend is None:
            raise CommandRefusedError.said("There is no friend at another table in this game.")
        if isinstance(command, SendWord):
            self._parts.friend.send(command.text)
        else:
            self._take_back_to(command.made)

    def _refuse_stale(self, question: int | None) -> None:
        """Refuse what was meant for another question than the open one; None for whichever is open.

        Raises:
            CommandRefusedError: it was.
        """
        if question not in (None, self.pending.number):
            raise CommandRefusedError(_QUESTION_CHANGED)

    def _refuse_unread(self, command: PressButton, press: Press, asked: int) -> None:
        """Refuse a press by a player who cannot have read the latest question.

        A picture is read for a second or two. A player who presses `confirm` again meanwhile has not seen the
        resulting question and must not answer it; nor has one who presses it right after the question.

        Args:
            command: the press.
            press: the same, with its time.
            asked: the number of the latest question when it was taken.

        Raises:
            CommandRefusedError: it does not count.
        """
        if command.has_read:
            return
        since_s = press.t_s - self._asked_s
        if asked != self._number or since_s < 0.0:
            raise CommandRefusedError(_QUESTION_CHANGED)
        if press.button is Button.CONFIRM and since_s < self._reading_s:
            self._parts.refuse()
            raise CommandRefusedError(_QUESTION_CHANGED)

    def _press_in_turn(self, press: Press) -> None:
        """Handle a press, unless it is by a seat that is not to move; any player who sees a mistake may undo it."""
        turn = None if press.seat is None else self._history.state.turn
        if turn in (None, press.seat, self._parts.partner) or press.button is Button.UNDO:
            self._press(press)
        else:
            self._notice(self._parts.whose_turn(self._history.state))

    # What is open.

    def _put_question(self, question: QuestionT, *, unasked: bool = False, choice: int = 0) -> None:
        """Open a question and announce it, with an option on display, or `events.NONE_SHOWN`."""
        self._question, self._choice, self._number = question, choice, self._number + 1
        if self._parts.now is not None:
            self._asked_s = self._parts.now()
            self._reading_s = 0.0 if self._parts.is_expected(question) else READING_S
        self._announce(events.Asked(question, choice, self._history.state, unasked))

    def _show_option(self, question: QuestionT, choice: int) -> None:
        """Display another option of the open question, which keeps its number: answers on their way stay valid."""
        self._choice = choice
        self._announce(events.Asked(question, choice, self._history.state))

    def _drop_complaint(self) -> None:
        """Drop the open complaint, unless a question about it is open, too."""
        complaint = self._complaint
        if complaint is not None and self._question is None:
            self._complaint = None
            self._announce(events.DoubtLapsed(complaint, self._history.state))

    def _call_off(self) -> None:
        """End a look without a verdict, if there is one."""
        if self._look_since is not None:
            self._look_since = None
            self._announce(events.LookCalledOff(self._history.state))

    # What a game adds.

    @abstractmethod
    def _execute(self, command: Any, *, may_wait: bool) -> bool:
        """Carry out a command; return False if it must, and may, wait for the table to be at rest.

        Raises:
            CommandRefusedError: the rules or the state of the table forbid it.
        """

    @abstractmethod
    def _see(self, frame: Frame) -> None:
        """Process a frame; called with every frame."""

    @abstractmethod
    def _try_look(self, frame: Frame) -> None:
        """Look, if a look is requested and possible now."""

    @abstractmethod
    def _press(self, press: Press) -> None:
        """Handle a press."""

    def _accept_proposal(self, decision: Any) -> None:
        """Announce a partner's decision, for a person to carry it out; or take it, if there is nothing to carry out."""
        self._announce(events.DecisionProposed(decision, self._history.state))

    def _take_back_to(self, made: int) -> None:
        """Take back decisions until `made` are left, as two tables have agreed."""
        raise CommandRefusedError.said("Decision {number} stays: this game is not played at two tables.", number=made)

    def _look_ahead(self, frame: Frame) -> None:  # a game without foresight does nothing here
        """Look for unasked decisions; called with every new frame, after the requests."""

    def _open(self) -> None:
        """Announce the game, with the decisions and notes of a resumed one."""
        game, notes = self._history, self._book.notes(self._game_id)
        self._announce(events.GameOpened(self._game_id, game.state, game.decisions, notes, self._parts.is_again))

    def _end(self) -> None:
        """Finish after the last frame."""
        self._call_off()

    # Announcing.

    def _notice(self, says: str, about: object = None) -> None:
        self._announce(events.TableNoticed(says, self._history.state, about))

    def _announce(self, event: Event) -> None:
        """Pass an event to every listener; if one fails, the error is logged and the others still get the event.

        Raises:
            BrokenPipeError: the reader of the output has gone; not a fault, as the program then ends like any command.
        """
        if isinstance(event, events.DecisionTaken | events.DecisionUndone):
            self._proposed = None
        event = replace(event, pending=self.pending)
        if self._caused is not None:
            self._caused.append(event)
        for listener in self._parts.listeners:
            try:
                listener(event)
            except BrokenPipeError:
                raise
            except Exception:
                _LOG.exception("%s failed at %s", listener, type(event).__name__)
