"""Kvilt's turn loop: frames and presses in, events out.

As in every game a decision is checked by the rules, written to the journal and synced, applied, and only then
announced. Scraps and pencils are chosen with the push-buttons; colouring is read from the sheets.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from companion.games.kvilt.decisions import Decision, Done, Fetch, FillNeutral, PlacePencil, Swap
from companion.games.kvilt.explaining import is_draw
from companion.games.kvilt.rules import History, apply
from companion.games.kvilt.sheet import Colour
from companion.games.kvilt.state import CUSHION_HOLDS, Phase, State
from companion.games.kvilt.strategy.choice import cushion_for
from companion.kvilt.choices import (
    Action,
    Choice,
    ChoiceTopic,
    Draw,
    Exchange,
    FetchBlind,
    IgnoreMarks,
    LetStand,
    LookAtSheet,
    NothingCovers,
    Option,
    ReportColour,
    ReportDraw,
    SheetComplaint,
    Take,
    TakeBack,
)
from companion.kvilt.naming import colour_word
from companion.kvilt.reading.finding import NoSheetError, SheetPhotoError
from companion.kvilt.reading.reader import SheetReader
from companion.kvilt.table.looks import Read, SheetLook, Trouble, decided_marks, decision_of, last_step, reveals_draw
from companion.kvilt.table.offering import (
    AnyBag,
    RealBag,
    TableNotes,
    choice_of,
    decided_colouring,
    must_draw,
    name_of,
    taking_back,
)
from companion.kvilt.table.watch import SheetWatch
from companion.languages import said
from companion.play import events
from companion.play.inbox import TABLE_BUSY, Answer, CommandRefusedError, TableAwayError
from companion.play.loop import TableParts, TurnLoop
from hardware.ports import Button, Frame, Press

# The time for which a look waits for the sheet to be still before the players are asked to clear the view.
_PATIENCE_S: Final = 12.0


class KviltTable(TurnLoop[Choice, SheetComplaint]):
    """One game at one table.

    Args:
        parts: the parts that the tables of all games share; their `history` is the game so far.
        watch: the watch that locates the sheet.
        reader: the reader of the sheet.
        bag: the source of pencils.
        still: takes a better picture than a frame, or None if frames are as good.
        show_sheets: called with the theme of each seat's sheet, from seat 1, and the marks on it that do not count, at
            once and whenever something changes.
    """

    def __init__(
        self,
        parts: TableParts,
        watch: SheetWatch,
        reader: SheetReader,
        bag: AnyBag,
        *,
        still: Callable[[], Frame] | None = None,
        show_sheets: Callable[[tuple[str, ...], tuple[Mapping[str, Colour], ...]], None] = lambda *_: None,
    ) -> None:
        super().__init__(parts)
        self._watch, self._reader, self._bag, self._still = watch, reader, bag, still
        self._history: History = parts.history
        history = self._history
        self._notes = TableNotes(parts.book, parts.game_id)
        self._drawn = self._notes.drawn(len(history.decisions))
        self._awaits_report = False
        self._wants_bag = False
        self._look: SheetLook | None = None
        # The look before, whose answers hold for the one that has begun.
        self._answered: SheetLook | None = None
        self._doubt: Choice | None = None
        sheet = history.setup.sheet
        self._themes, self._show_sheets = self._notes.themes(history.setup.seats), show_sheets
        show_sheets(self._themes, self._notes.uncounted(history.state))
        self._marks = {seat: side.marks.regions(sheet) for seat, side in enumerate(history.state.seats, start=1)}

    @property
    def marks(self) -> Mapping[int, Mapping[str, Colour]]:
        """By seat, all marks last read from its sheet; as in the history if none was read yet."""
        return self._marks

    @property
    def state(self) -> State:
        """The rules' present state."""
        return self._history.state

    @property
    def history(self) -> History:
        """The game so far."""
        return self._history

    def _execute(self, command: object, *, may_wait: bool) -> bool:
        """Take an option of the present choice; no option closes a question of a look."""
        del may_wait
        if not isinstance(command, Answer):
            raise CommandRefusedError.said("This is a game of Kvilt: there are no patches to place.")
        choice, option = self._question, command.option
        if choice is None:
            raise CommandRefusedError.said("There is nothing to choose now.")
        if option is not None and not 0 <= option < len(choice.options):
            raise CommandRefusedError.said("The question has only {count} answers.", count=len(choice.options))
        if option is not None:
            self._take(choice.options[option])
        elif self._doubt is not None:
            self._close_doubt()
        return True

    def _open(self) -> None:
        super()._open()
        self._continue()

    def _see(self, frame: Frame) -> None:
        self._watch.see(frame, looking=self._look_since is not None)

    def _press(self, press: Press) -> None:
        choice = self._question
        # First, because it also calls off a look, and goes back from the end: there is no choice then.
        if press.button is Button.UNDO:
            self._undo()
        elif choice is None:
            if self._look_since is not None:
                return
            # The players may decide for a partner that does not answer.
            if (anyway := choice_of(self.state, self._drawn, self._bag)) is not None:
                self._put_question(anyway)
            else:
                self._notice(said("The game has ended. Press undo to take back the last decision."))
        elif press.button is Button.ADVANCE:
            self._show_option(choice, (self._choice + 1) % len(choice.options))
        else:
            self._take(choice.options[self._choice], press.t_s)

    def _take(self, option: Option, now_s: float | None = None) -> None:
        self._question = None
        match option.action:
            case LookAtSheet(wants_bag=wants_bag):
                # An answer from the page has no time of its own, and gets that of the latest frame.
                self._begin_look(self._latest_s or 0.0 if now_s is None else now_s, wants_bag=wants_bag)
            case ReportColour() as tell:
                self._judge_again(option, lambda look: look.with_answer(tell))
            case IgnoreMarks(marks=marks):
                # Written down, because the marks stay on the paper and every later look finds them.
                self._notes.decline(self.state, marks)
                self._judge_again(option, lambda look: look.with_declined(dict(marks)))
            case TakeBack(agreed=agreed):
                self._doubt = None
                self._notice(said("The answer is: {option}.", option=option.says))
                if agreed:
                    self._undo_step()
                else:
                    self._ask()
            case LetStand():
                self._judge_again(option, lambda look: look.with_all_standing())
            case NothingCovers():
                self._judge_again(option, lambda look: look.with_uncovered_sheet())
            case Draw():
                self._begin_draw()
                self._ask()
            case ReportDraw(colour=colour):
                self._record_drawn(colour)
            case action:
                self._decide(action)

    def _decide(self, action: Action) -> None:
        """Make the one decision of an action."""
        self._commit(decision_of(self.state, action, self._bag))
        self._continue()

    def _begin_draw(self) -> None:
        """Draw a pencil for the pincushions; from a real bag a player draws, and reports which it was."""
        if isinstance(self._bag, RealBag):
            self._awaits_report = True
        else:
            # Written down before it is announced: who starts again after a power cut must not draw again.
            self._save_drawn(self._bag.draw(self.state))

    def _record_drawn(self, colour: Colour) -> None:
        self._awaits_report = False
        self._save_drawn((*self._drawn, colour))
        if self.state.phase is Phase.COLOURING:
            self._draw_for_partner(self._proposed)
            return
        if self.state.phase is not Phase.NEUTRAL:
            self._ask()
            return
        lacking = CUSHION_HOLDS - len(self.state.neutral_pencils)
        if len(self._drawn) == lacking:
            self._commit(FillNeutral(self.state.mover, self._drawn))
        self._continue()

    def _save_drawn(self, drawn: tuple[Colour, ...]) -> None:
        self._drawn = drawn
        self._notes.save_drawn(self.state.decisions_made, drawn)

    def _begin_look(self, now_s: float, *, wants_bag: bool, answered: SheetLook | None = None) -> None:
        self._doubt, self._look, self._complaint, self._answered = None, None, None, answered
        self._look_since, self._wants_bag = now_s, wants_bag
        self._watch.restart_rest()
        self._announce(events.LookStarted(self.state))

    def _try_look(self, frame: Frame) -> None:
        """Read the sheet, if it can be read now."""
        if self._watch.settled:
            self._look_since = None
            self._read(frame)
        elif frame.t_s - (self._look_since or 0.0) > _PATIENCE_S:
            self._look_since = None
            says = self._watch.trouble or said("The sheet is not still: leave it where it is and take your hands away.")
            self._unseen(says, frame, is_absent=self._watch.absent)

    def _read(self, frame: Frame) -> None:
        # A frame that is read itself was already searched.
        picture, found = (frame, self._watch.found) if self._still is None else (self._still(), None)
        try:
            reading = self._reader.read(picture.image, found)
        except SheetPhotoError as error:
            self._unseen(error.args[0], picture, is_absent=isinstance(error, NoSheetError))
            return
        self._watch.keep_reading(picture, reading)
        for note in reading.notes:
            self._notice(note)
        if self._answered is not None:
            self._look = replace(self._answered, reading=reading, frame=picture.name)
        else:
            declined = self._notes.declined(self.state.mover)
            self._look = SheetLook(self._history, self._bag, reading, picture.name, self._wants_bag, declined=declined,
                                   is_decided=self._is_partners_turn)  # fmt: skip
        self._judge()

    def _unseen(self, says: str, frame: Frame, *, is_absent: bool) -> None:
        if is_absent:
            name = name_of(self.state, self.state.mover)
            text: str = said("No sheet is seen. Place {name}’s sheet under the camera, whole and flat.", name=name)
        else:
            text = _sentence(says)
        self._complain(SheetComplaint(("unseen",), self.state.mover, (), text, frame.name))
        self._ask()

    def _complain(self, complaint: SheetComplaint) -> None:
        self._complaint = complaint
        self._announce(events.Complained(complaint, self.state))

    def _judge(self) -> None:
        """Announce the verdict of the look, and act on it."""
        if self._look is None:
            return
        verdict = self._look.verdict()
        if isinstance(verdict, Read) and self._watch.disturbed:
            # While the players answered, a hand was over the sheet: it may have coloured, or rubbed out a mark.
            self._begin_look(self._latest_s or 0.0, wants_bag=self._wants_bag, answered=self._look)
            return
        if isinstance(verdict, Read):
            # Before the decisions, because the last of them passes the turn to another seat.
            self._save_theme(self._look.reading.layout.theme)
            self._look = None
            self._marks[self.state.mover] = dict(verdict.marks)
            self._notes.forget_erased(self.state.mover, verdict.marks)
            self._accept(verdict)
            self._show_sheets(self._themes, self._notes.uncounted(self.state))
            self._continue()
            return
        if isinstance(verdict, Trouble):
            self._complain(verdict.complaint)
            verdict = verdict.choice
        else:
            self._complaint = None
        self._doubt = verdict
        self._ask()

    def _save_theme(self, theme: str) -> None:
        """Save the theme of the mover's sheet, which is the one that was read."""
        place = self.state.mover - 1
        if self._themes[place] == theme:
            return
        self._themes = (*self._themes[:place], theme, *self._themes[place + 1 :])
        self._notes.save_theme(self.state.mover, theme)
        self._show_sheets(self._themes, self._notes.uncounted(self.state))

    def _judge_again(self, option: Option, changed: Callable[[SheetLook], SheetLook]) -> None:
        """Repeat the verdict of a look with a player's answer to its question."""
        doubt, self._doubt = self._doubt, None
        if doubt is None or self._look is None:
            return
        self._announce(events.TableNoticed(said("The answer is: {option}.", option=option.says), self.state))
        self._look = changed(self._look)
        self._judge()

    def _accept(self, read: Read) -> None:
        """Commit the decisions read; they replace those of an earlier look at this colouring where they differ."""
        earlier = self._history.decisions[read.start :]
        same = 0
        while same < min(len(earlier), len(read.decisions)) and earlier[same] == read.decisions[same]:
            same += 1
        undone = [self._take_one_back() for _ in earlier[same:]]
        if undone:
            self._announce(events.DecisionUndone(undone[-1], self.state, len(undone), anew=True))
        for decision in read.decisions[same:]:
            self._commit(decision)

    def _commit(self, decision: Decision) -> None:
        """Write a decision to the journal, apply it, and announce it; raise if the rules forbid it."""
        outcome = apply(self.state, decision)
        self._book.append(self._game_id, len(self._history.decisions) + 1, decision, outcome)
        self._history.follow(decision, outcome)
        self._drawn, self._awaits_report, self._complaint = (), False, None
        self._announce(events.DecisionTaken(decision, outcome.facts, outcome.state))

    def _continue(self) -> None:
        """Continue after a decision: a virtual bag fills the neutral pincushion; then ask for the next choice."""
        state = self.state
        if state.phase is Phase.NEUTRAL and not isinstance(self._bag, RealBag):
            lacking = CUSHION_HOLDS - len(state.neutral_pencils)
            self._commit(FillNeutral(state.mover, self._bag.draw(state, lacking)))
        self._ask()

    def _ask(self) -> None:
        """Put the present choice to the players; there is none during a look and after the end of the game."""
        if self._doubt is None and self._look_since is None and not self._drawn and must_draw(self.state):
            self._begin_draw()
        if self._drawn and self._is_partners_turn and self.state.phase is Phase.PENCILS:
            seat, drawn = self.state.mover, self._drawn[0]
            self._commit(PlacePencil(seat, drawn, cushion_for(self.state, seat, drawn, random.Random(drawn))))
            self._ask()
        elif self._look_since is None and (choice := self._choice_now()) is not None:
            self._put_question(choice)

    def _choice_now(self) -> Choice | None:
        """Return what the players choose now; None if a partner decides, and after the end of the game."""
        state = self.state
        if self._doubt is not None:
            return self._doubt
        if self._is_partners_turn and isinstance(self._proposed, Done):
            return decided_colouring(state, state.mover, tuple(decided_marks(self._history)))
        choice = choice_of(state, self._drawn, self._bag, reporting=self._awaits_report)
        # What came out of a bag on the table, a player has to tell.
        is_theirs = choice is None or not self._is_partners_turn or choice.asks is ChoiceTopic.DRAWN
        return choice if is_theirs else None

    @property
    def _is_partners_turn(self) -> bool:
        """True while a partner is to decide."""
        return self.state.turn is not None and self.state.turn == self._parts.partner

    def _accept_proposal(self, decision: Decision) -> None:
        """Take a partner's decision at once, unless it draws or ends a colouring, which a person carries out first.

        Raises:
            TableAwayError: a look, a question about one, or a report of a draw has to end first.
        """
        if self._look_since is not None or self._doubt is not None or self._awaits_report:
            raise TableAwayError(TABLE_BUSY)
        self._question = None
        if isinstance(decision, PlacePencil):
            self._begin_draw()
            self._ask()
        elif is_draw(decision):
            self._draw_for_partner(decision)
        elif isinstance(decision, Done) and decided_marks(self._history):
            super()._accept_proposal(decision)
            self._ask()
        elif not isinstance(decision, FillNeutral):
            self._commit(decision)
            self._continue()
        else:
            # From a bag on the table a player draws.
            self._ask()

    def _draw_for_partner(self, decision: Decision) -> None:
        """Draw what a partner's decision needs; from a bag on the table a player does, and reports it."""
        needed = len(decision.drawn) if isinstance(decision, Swap) else 1
        if not isinstance(self._bag, RealBag):
            action = Exchange(decision.given) if isinstance(decision, Swap) else FetchBlind()
            self._decide(action)
        elif len(self._drawn) < needed:
            self._awaits_report = True
            self._ask()
        elif isinstance(decision, Swap):
            self._decide(Take(replace(decision, drawn=self._drawn)))
        elif isinstance(decision, Fetch):
            self._decide(Take(replace(decision, colour=self._drawn[0])))

    def _undo(self) -> None:
        self._question = None
        if self._look_since is not None:
            self._call_off()
            self._ask()
        elif self._doubt is not None:
            self._close_doubt()
        elif (seat := self._seat_of_seen_draw()) is not None:
            self._doubt = taking_back(self.state, seat)
            self._ask()
        else:
            self._undo_step()

    def _seat_of_seen_draw(self) -> int | None:
        """Return the seat for which the companion's bag drew in the last step, or None; all have seen the pencils."""
        if isinstance(self._bag, RealBag):
            # A report of a draw is corrected by the players who drew.
            return None
        if self._parts.partner is not None and self.state.setup.seats == 2:
            # Nobody else is there to be asked.
            return None
        if self._drawn:
            return self.state.mover
        decisions, count = self._history.decisions, last_step(self._history, self._bag)
        return decisions[-count].seat if count and reveals_draw(self._history, count) else None

    def _undo_step(self) -> None:
        if self._drawn and isinstance(self._bag, RealBag):
            self._save_drawn(())
            self._awaits_report = True
            self._ask()
        elif (self._awaits_report or self._drawn) and not must_draw(self.state) and not self._is_partners_turn:
            self._return_pencil()
        else:
            self._take_back()

    def _close_doubt(self) -> None:
        """Close an unanswered question; the sheet must be looked at again."""
        if self._doubt is not None:
            self._question = None
            doubt, self._doubt, self._look, self._complaint = self._doubt, None, None, None
            self._announce(events.QuestionAnswered(doubt, None, self.state))
            self._ask()

    def _return_pencil(self) -> None:
        """Put back a pencil that should not have been drawn; the same one will be drawn again."""
        drawn, self._awaits_report = self._drawn, False
        self._save_drawn(())
        if drawn:
            names = name_of(self.state, self.state.mover), colour_word(drawn[-1])
            self._notice(said("{name} puts the {colour} pencil back into the bag.", name=names[0], colour=names[1]))
        self._ask()

    def _take_back(self) -> None:
        # A partner would decide the same again: a press takes back a player's own step, and what followed it.
        while self._is_partners_step():
            self._take_back_step()
        self._take_back_step()
        self._ask()

    def _is_partners_step(self) -> bool:
        """Return whether the last step is a partner's, with one of the players' own before it."""
        partner, count, decisions = self._parts.partner, last_step(self._history, self._bag), self._history.decisions
        is_partners = bool(count) and decisions[-count].seat == partner
        return is_partners and any(each.seat != partner for each in decisions)

    def _take_back_step(self) -> None:
        count = last_step(self._history, self._bag)
        if not count:
            self._announce(events.NothingToUndo(self.state))
        undone = [self._take_one_back() for _ in range(count)]
        if undone:
            self._notes.forget_declined(self.state)
            self._show_sheets(self._themes, self._notes.uncounted(self.state))
            # A pencil that is placed elsewhere is not drawn again.
            drawn = (undone[-1].drawn,) if isinstance(undone[-1], PlacePencil) else ()
            self._save_drawn(drawn)
            self._awaits_report = False
            self._announce(events.DecisionUndone(undone[-1], self.state, len(undone)))

    def _take_one_back(self) -> Decision:
        self._book.undo(self._game_id, len(self._history.decisions))
        self._complaint = None
        return self._history.undo()


def _sentence(says: str) -> str:
    """Return a command's line of output as a sentence."""
    return says if says.endswith(".") else said("The sheet cannot be read: {fault}.", fault=says)
