"""Replay of a table recording of Patchwork, through the same loop as at the table."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from calibration.stored import straightened
from companion.config import Config
from companion.games.patchwork.decisions import Decision, decision_from_json
from companion.games.patchwork.errors import PatchworkError
from companion.games.patchwork.rules import History, check
from companion.journal import MemoryJournal
from companion.languages import reason
from companion.patchwork.assembling import circle_parts, foresight_of, light_show, time_board_parts
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.codec import PATCHWORK, Listener, PatchworkTranscript
from companion.patchwork.commands import Plan
from companion.patchwork.hands_free import Due, Forecaster
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.study import Study
from companion.patchwork.reading.verdict import Complaint, Question
from companion.patchwork.recording import read_head
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.table import PatchworkTable
from companion.patchwork.watching.opening import LeftoverCheck
from companion.patchwork.watching.profiles import KnownBoards
from companion.patchwork.watching.unready import BoardsNotice, LightNotice, UnrestNotice
from companion.patchwork.watching.watch import TableWatch
from companion.patchwork.words import turn_sentence
from companion.play import events
from companion.play.loop import TableParts
from companion.play.session import AtTable, GameResult, Participants, Session
from companion.record import Games
from hardware.clock import SystemClock
from hardware.drivers.none import NoStrip
from hardware.ports import Button, Frame, HardwareError, Press
from hardware.recorded import Instruction, RecordedCamera, RecordedControls, RecordingError, Tape

# Seconds between frames at a table that is not replayed.
_LIVE_S: Final = 0.2
# Seconds after a frame at which the time board is looked at again: one that looks alike twice is at rest.
_LOOKS_S: Final = (0.3, 0.6)
# Time for which a press of `advance` waits for the markers to show the advance: an announcement and its pause.
_HELD_S: Final = 6.0
# The most steps per frame: a marker stands, its advance is announced, and taken; an unsuccessful one is not retried.
_STEPS: Final = 3


class ReplayedTable(PatchworkTable):
    """A recorded session, replayed; `instructions` returns the recording's commands since its last call.

    Its frames came before its presses, so a look uses the latest frame; and questions go unanswered. With a
    forecaster the replay is hands-free: presses of `confirm` are left out, and time passes between two frames as if the
    table stayed as the first one shows it. If it forecasts advances, too, a press of `advance` counts only if the
    markers do not show it within some seconds.

    Commands from the page were answers to another version of the reader, which may have made other errors than this
    one.
    """

    def __init__(
        self,
        instructions: Callable[[], Iterable[Instruction]],
        parts: TableParts,
        watch: TableWatch,
        observer: QuiltObserver,
        reader: Reader,
        forecaster: Forecaster | None = None,
    ) -> None:
        super().__init__(parts, watch, observer, reader, forecaster=forecaster)
        self._instructions = instructions
        self._is_read = False
        self._steps_left = _STEPS
        self._held: Press | None = None
        # Advances shown by the markers whose presses are still to come.
        self._shown = 0

    def _announce(self, event: events.Event) -> None:
        if isinstance(event, events.DecisionTaken | events.Complained | events.Asked):
            self._is_read = isinstance(event, events.DecisionTaken)
        super()._announce(event)

    def _serve(self, now_s: float) -> bool:
        """Handle the presses and then the commands recorded after the latest frame.

        Raises:
            RecordingError: a command is no decision, or the rules forbid it at this point.
        """
        served = super()._serve(now_s)
        for instruction in self._instructions():
            # It answered a question that this version of the reader did not have to ask.
            if not instruction.answers or self._question is not None:
                self._execute_recorded(instruction)
        return served

    def _execute_recorded(self, instruction: Instruction) -> None:
        try:
            decision = None if instruction.decision is None else decision_from_json(dict(instruction.decision))
            # Nothing is to be undone if this version asked or complained where the other one erred.
            takes_back = instruction.takes_back and self._is_read and bool(self._history.decisions)
            if takes_back or not _was_read_already(self._history, decision):
                self.carry_out(Plan(decision, None, instruction.looks, takes_back, instruction.insists))
        except PatchworkError as error:
            raise RecordingError.said(
                "the input at {seconds} s cannot be carried out here: {fault}",
                seconds=instruction.t_s,
                fault=reason(error),
            ) from error

    def _see(self, frame: Frame) -> None:
        self._pass_time(frame.t_s)
        if self._held is not None and frame.t_s - self._held.t_s >= _HELD_S:
            self._let_go()
        self._steps_left = _STEPS
        super()._see(frame)

    def _press(self, press: Press) -> None:
        self._pass_time(press.t_s)
        if self._forecaster is not None and press.button is Button.CONFIRM and not press.answers:
            return
        self._let_go()
        if press.button is not Button.ADVANCE or press.answers:
            self._act_upon(press)
        elif self._shown:
            self._shown -= 1
        elif self._forecaster is not None and self._forecaster.can_see_advances:
            self._held = press
        else:
            self._act_upon(press)

    def _let_go(self) -> None:
        """Carry out the pending press of `advance`, if there is one."""
        held, self._held = self._held, None
        if held is not None:
            self._act_upon(held)

    def _act_upon(self, press: Press) -> None:
        if self._question is not None and not press.answers:
            self._close_question(self._question, self._unanswered(self._question))
        if press.answers and self._question is None:
            return  # It answered a question that this version of the reader did not have to ask.
        super()._press(press)

    def _pass_time(self, until_s: float) -> None:
        """Advance hands-free play to a later time, with the latest frame."""
        frame, forecaster = self._watch.frame, self._forecaster
        if frame is None or forecaster is None:
            return
        self._look_ahead(replace(frame, t_s=min(until_s, frame.t_s + _LIVE_S)))
        self._glance(forecaster, frame, until_s)
        while self._question is None and not self.state.finished:
            due_s = self._due_s(forecaster)
            if due_s is None or due_s > until_s:
                return
            # Twice, because a doubt that has become clear is foreseen only with the next frame.
            self._look_ahead(replace(frame, t_s=due_s))
            self._look_ahead(replace(frame, t_s=due_s))
            # Read the markers with the present state of the game.
            forecaster.wait(due_s)

    def _glance(self, forecaster: Forecaster, frame: Frame, until_s: float) -> None:
        """Let the time board be looked at in the latest frame."""
        if forecaster.advances is not None:
            for later_s in _LOOKS_S:
                now_s = min(until_s, frame.t_s + later_s)
                forecaster.wait(now_s)
                self._look_ahead(replace(frame, t_s=now_s))

    def _due_s(self, forecaster: Forecaster) -> float | None:
        """Return the time at which to look for a decision again, or None."""
        foresight, advances = forecaster.foresight, forecaster.advances
        advance_s = None if advances is None or not self._steps_left else advances.due_s
        if advance_s is None or (foresight.due_s is not None and foresight.due_s <= advance_s):
            return foresight.due_s
        self._steps_left -= 1
        return advance_s

    def _act(self, due: Due, frame: Frame) -> None:
        super()._act(due, frame)
        if due.button is Button.ADVANCE:
            # Its press is still to come, unless it is the one that waits here.
            self._shown += self._held is None
            self._held = None

    def _lapse_doubt(self, doubt: Question | Complaint) -> None:
        if isinstance(doubt, Question):
            self._close_question(doubt, self._unanswered(doubt))
        else:
            super()._lapse_doubt(doubt)

    def _unanswered(self, question: Question) -> Decision | None:
        """Return the likeliest option, or None if players only saw a complaint and corrected the table.

        A press of `confirm` usually follows a patch that was laid, even if the picture suggests that nothing was;
        hands-free nobody has pressed.
        """
        was_none_laid = question.none_first and self._forecaster is not None
        return None if was_none_laid or self._complaints.asked(question) else question.options[0]

    def _begin_look(self, press: Press) -> None:
        self._look_since = press.t_s
        self._announce(events.LookStarted(self.state))
        if self._watch.frame is not None:
            self._try_look(self._watch.frame)

    def _end(self) -> None:
        self._pass_time(float("inf"))
        self._let_go()
        if self._question is not None:
            self._close_question(self._question, self._unanswered(self._question))
        seat, frame = self.state.turn, self._watch.frame
        if self._look_since is not None and seat is not None and frame is not None:
            # A player wanted a reading: the recording must show that it ended before that was possible.
            self._look_since = None
            self._complain(self._out_of_sight(frame))
        super()._end()


def _was_read_already(history: History, decision: Decision | None) -> bool:
    """Return whether this version of the reader has already read the decision by which a command corrects another."""
    if decision is None or not history.decisions or history.decisions[-1] != decision:
        return False
    try:
        check(history.state, decision)
    except PatchworkError:
        return True
    return False


# The number of pixels of the strip, which is not shown.
_PIXELS: Final = 60


def replay_recording(
    folder: Path,
    config: Config,
    listeners: Sequence[Listener] = (),
    *,
    hands_free: bool = False,
    studied: Callable[[Study], None] | None = None,
) -> GameResult:
    """Replay a table recording and return its result.

    Args:
        folder: the recording.
        config: the configuration, which determines how pictures are read.
        listeners: called with every event.
        hands_free: whether presses of `confirm` are left out, and placements are taken after a pause.
        studied: called with every look and its verdict.

    Raises:
        RecordError: the recording's head cannot be used.
        RecordingError: there is no recording in the folder.
    """
    head, tape, book = read_head(folder), Tape(folder), MemoryJournal(Games((PATCHWORK,)))
    with closing(straightened(RecordedCamera(tape), head.calibration)) as camera:
        at = AtTable(
            name=str(folder),
            clock=SystemClock(),
            camera=camera,
            controls=RecordedControls(tape),
            strip=NoStrip(_PIXELS),
            instructions=tape.instructions,
        )
        session = Session(
            config=replace(config, reading=replace(config.reading, hands_free=hands_free)),
            at=at,
            book=book,
            game_id=book.new_game(head.setup),
            history=History(head.setup),
            folder=folder,
            transcript=PatchworkTranscript(),
            participants=Participants(tuple(listeners)),
            whose_turn=turn_sentence,
        )
        error = None
        try:
            replayed_table(session, KnownBoards(head.locator()), studied).run()
        # What was read before a damaged part of the recording is still a result.
        except HardwareError as fault:
            error = reason(fault)
    return GameResult(PATCHWORK, session.history, session.transcript, error)


def replayed_table(
    session: Session, boards: KnownBoards, studied: Callable[[Study], None] | None = None
) -> ReplayedTable:
    """Return the table that replays a recording; `studied` is called with every look and its verdict."""
    config, at = session.config, session.at
    watch = TableWatch(boards.locator)
    observer = QuiltObserver(QuiltComparer(watch))
    reader = Reader(observer, studied=studied)
    leftovers = LeftoverCheck(watch, session.history, session.say, at.background)
    notices = (each(watch, session.history, session.say).tick for each in (BoardsNotice, UnrestNotice, LightNotice))
    ticks = (leftovers.tick, *notices)
    markers = time_board_parts(session, watch, reader)
    desk = session.desk if isinstance(session.desk, CircleDesk) else CircleDesk()
    following, seeing = (
        circle_parts(session, watch, reader, desk) if config.of(PatchworkSettings).circle == "seen" else ((), ())
    )
    parts = session.parts(
        light_show(session), watch, listeners=(*following, *markers.listeners), ticks=(*seeing, *ticks, *markers.ticks)
    )
    foresight = foresight_of(session, watch, reader)
    # No take-backs: recorded presses of `undo` count, and a patch lifted off must not undo a second decision.
    forecaster = None if foresight is None else Forecaster(foresight, advances=markers.advances)
    return ReplayedTable(at.instructions or tuple, parts, watch, observer, reader, forecaster)
