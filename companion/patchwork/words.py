"""Sentences for the events of Patchwork, translatable for each reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from companion.games.patchwork.cells import names_of
from companion.games.patchwork.decisions import (
    Advance,
    AwardTile,
    CountButtons,
    Decision,
    PlaceLeather,
    TakePatch,
    cells_covered,
)
from companion.games.patchwork.facts import (
    BonusTileTaken,
    ButtonsCounted,
    ButtonsEarned,
    Fact,
    GameEnded,
    IncomePaid,
    LeatherPlaced,
    LeatherSetAside,
    LeatherWon,
    PatchPlaced,
    TileAwarded,
    TokenMoved,
    TurnPassed,
)
from companion.games.patchwork.rules import apply, can_buy
from companion.games.patchwork.state import USUAL_BUTTONS, State, score
from companion.languages import Sentence, counted, in_turn, said
from companion.patchwork.naming import cells_named, patch_name
from companion.patchwork.reading.verdict import AT_THE_END, Complaint, Question, QuestionTopic, Reason
from companion.play import events

if TYPE_CHECKING:
    from companion.patchwork.codec import Asked, Event, Proposed

_HOW: Final = said("Advance shows the next answer, confirm takes it, undo takes none of them.")
_HOW_FROM_NONE: Final = said("Advance shows the first answer. If none is right, press undo.")


def spoken(event: Event) -> tuple[Sentence | str, ...]:
    """Return the spoken sentences for an event; empty for most events."""
    match event:
        case events.Complained(complaint=complaint):
            return (complaint.says,)
        case events.Asked(question=question, choice=choice, state=state):
            shown = (described(question.options[choice], state),) if choice != events.NONE_SHOWN else ()
            is_first = choice == question.first_shown
            return (question.says, *shown, _HOW if shown else _HOW_FROM_NONE) if is_first else shown
        case events.DecisionForeseen() | events.UndoForeseen():
            move = _in_short(event.decision, event.state)
            return (move if isinstance(event, events.DecisionForeseen) else said("Taken back: {move}.", move=move),)
        case events.DecisionTaken(facts=facts, state=state):
            # Without the move itself, which the player has just made.
            return taken_sentences(facts, state)[1:]
        case (
            events.GameOpened()
            | events.DecisionUndone()
            | events.DecisionProposed()
            | events.ForesightLapsed()
            | events.TableNoticed()
        ):
            return sentences(event)
        case _:
            return ()


def _in_short(decision: Decision, state: State) -> Sentence:
    """Return a decision in words without its cells, which are hard to follow by ear."""
    if isinstance(decision, TakePatch):
        name = state.name_of(decision.seat)
        return said("{name} takes the {patch}", name=name, patch=patch_name(decision.patch))
    if not isinstance(decision, PlaceLeather):
        return described(decision, state)
    return said("{name} sews the leather patch on", name=state.name_of(decision.seat))


# The facts that identify a decision; every decision has exactly one of them.
_MOVES: Final = (PatchPlaced, LeatherPlaced, ButtonsEarned, ButtonsCounted, TileAwarded)


def sentences(event: Event) -> tuple[Sentence | str, ...]:
    """Return the sentences for an event; empty if there is nothing to say."""
    match event:
        case events.DecisionTaken(facts=facts, state=state):
            return taken_sentences(facts, state)
        case events.Complained(complaint=complaint):
            return (complaint.says,)
        case events.Asked() | events.DecisionProposed():
            return (_asked(event),)
        case events.LookStarted() | events.DoubtLapsed() | events.GameOpened(is_again=True):
            return _withdrawn(event)
        case events.DecisionForeseen() | events.ForesightLapsed() | events.UndoForeseen() | events.UndoLapsed():
            return (_foreseen(event),)
        case _:
            return (_sentence(event),)


def _withdrawn(event: events.LookStarted | events.DoubtLapsed | events.GameOpened) -> tuple[Sentence, ...]:
    """Return the sentence for a question that is withdrawn.

    A complaint lapses, a look begins, and a game that was announced before is opened again, without one.
    """
    asked = isinstance(event, events.DoubtLapsed) and isinstance(event.doubt, Question)
    return (said("The question no longer applies: the table has changed."),) if asked else ()


def _sentence(
    event: events.GameOpened
    | events.LookCalledOff
    | events.DecisionUndone
    | events.NothingToUndo
    | events.QuestionAnswered
    | events.TableNoticed,
) -> Sentence | str:
    match event:
        case events.GameOpened():
            return _opened(event)
        case events.LookCalledOff(state=state):
            return said("The look was cancelled. {turn}", turn=turn_sentence(state))
        case events.DecisionUndone(decision=decision, state=state):
            return _undone(decision, state)
        case events.NothingToUndo():
            return said("There is nothing to take back.")
        case events.QuestionAnswered(question=question, taken=taken, state=state):
            return _answered(question, taken, state)
        case events.TableNoticed(says=says):
            return says


def taken_sentences(facts: Sequence[Fact], state: State) -> tuple[str, ...]:
    """Return the sentences for a decision's effects, in the order in which they happened."""
    move, rest = _move(facts, state)
    return (move, *(sentence for fact in rest if (sentence := _consequence(fact, state)) is not None))


def described(decision: Decision, state: State) -> Sentence:
    """Return a decision in a few words: "Anna takes the corner for 1 at A1 A2 B2"."""
    name = state.name_of(decision.seat)
    match decision:
        case Advance():
            return said("{name} advances", name=name)
        case PlaceLeather(cells=cells):
            return said("{name} sews the leather patch on {cells}", name=name, cells=cells_named(cells))
        case CountButtons(buttons=buttons):
            return _standing(decision.seat, buttons, state)
        case AwardTile():
            return said("the 7x7 tile is {name}’s", name=name)
        case TakePatch():
            patch, where = patch_name(decision.patch), cells_named(decision.cells)
            return said("{name} takes the {patch} at {cells}", name=name, patch=patch, cells=where)


def proposal_sentence(decision: Decision, state: State) -> Sentence:
    """Return the sentence that asks the players to carry out a partner's decision."""
    move = described(decision, state)
    if isinstance(decision, TakePatch):
        return said(
            "Next: {move}. The neutral token goes where the patch was, the marker to {space}.",
            move=move,
            space=_space_after(decision, state),
        )
    if isinstance(decision, PlaceLeather):
        return said("Next: {move}.", move=move)
    return said("{move}. Press confirm.", move=move)


def moves_of_friend(decision: Decision, state: State) -> Sentence:
    """Return the sentence on what is to be moved for a friend whose decision needs no laying."""
    move = described(decision, state)
    if isinstance(decision, TakePatch):
        return said(
            "{move}. Take the patch out of the circle, with the neutral token in its place, and move the marker to "
            "{space}.",
            move=move,
            space=_space_after(decision, state),
        )
    if isinstance(decision, Advance):
        return said("{move}. Move the marker to {space}.", move=move, space=_space_after(decision, state))
    return said("{move}.", move=move)


def _space_after(decision: Decision, state: State) -> int:
    """Return the space of the time track to which a decision moves the marker."""
    return apply(state, decision).state.seat(decision.seat).time


def not_as_friend_decided(state: State, laid: Decision, decided: Decision | None, frame: str) -> Complaint:
    """Return the complaint about what was laid for a friend who has decided otherwise, or not yet."""
    name = state.name_of(laid.seat)
    if decided is None:
        says = said("{name} decides at the other table, and has not yet.", name=name)
        return Complaint(Reason.UNCLEAR, laid.seat, (), says, frame)
    says = said(
        "Not as {name} decided: {decided}. On the table: {laid}.",
        name=name,
        decided=described(decided, state),
        laid=described(laid, state),
    )
    return Complaint(Reason.UNCLEAR, laid.seat, names_of(cells_covered(laid)), says, frame)


def otherwise_than_proposed(state: State, laid: Decision, proposed: Decision, frame: str) -> Question:
    """Return the question whether a decision stands that is not the partner's."""
    says = said(
        "Not as decided: {proposed}. On the table: {laid}. Does that stand?",
        proposed=described(proposed, state),
        laid=described(laid, state),
    )
    return Question(QuestionTopic.PARTNER, laid.seat, (laid,), (), says, frame)


def _standing(seat: int, buttons: int, state: State) -> Sentence:
    """Return whether the recorded or the counted buttons count, in words; `state` is the one before that decision."""
    name = state.name_of(seat)
    if buttons == state.seat(seat).buttons:
        return counted(
            "keep the companion’s count: {name} has {count} button",
            "keep the companion’s count: {name} has {count} buttons",
            buttons,
            name=name,
        )
    return counted(
        "use the count on the table: {name} has {count} button",
        "use the count on the table: {name} has {count} buttons",
        buttons,
        name=name,
    )


def turn_sentence(state: State) -> str:
    """Return the sentence on whose turn it is and what is due."""
    if state.turn is None:
        return said("The game has ended.")
    if state.leather_due:
        return said("{name} places the leather patch now.", name=state.name_of(state.turn))
    if not can_buy(state):
        return said("It is {name}’s turn, and nothing can be bought: advance.", name=state.name_of(state.turn))
    return said("It is {name}’s turn.", name=state.name_of(state.turn))


def _move(facts: Sequence[Fact], state: State) -> tuple[Sentence, Sequence[Fact]]:
    """Return the sentence of the move itself, and the facts that it does not cover."""
    kinds = {type(fact): fact for fact in facts}
    moved = kinds.get(TokenMoved)
    space = moved.end if isinstance(moved, TokenMoved) else None
    match next((kinds[kind] for kind in _MOVES if kind in kinds), None):
        case PatchPlaced() as placed:
            sentence = _bought(placed, space, state)
        case LeatherPlaced(seat=seat, cells=cells):
            name = state.name_of(seat)
            sentence = said("{name} sews the leather patch on {cells}.", name=name, cells=cells_named(cells))
        case ButtonsEarned() as earned:
            sentence = _earned(earned, space, state)
        case ButtonsCounted() as count:
            sentence = _counted(count, state)
        case TileAwarded(seat=seat):
            sentence = said("The 7x7 tile is {name}’s.", name=state.name_of(seat))
        case _:
            return said("A decision was taken."), facts
    return sentence, [fact for fact in facts if not isinstance(fact, (*_MOVES, TokenMoved))]


def _counted(count: ButtonsCounted, state: State) -> Sentence:
    name = state.name_of(count.seat)
    if count.buttons == count.booked:
        return counted(
            "The companion’s count stands: {name} has {count} button.",
            "The companion’s count stands: {name} has {count} buttons.",
            count.buttons,
            name=name,
        )
    return counted(
        "The count on the table stands: {name} has {count} button, not {booked}.",
        "The count on the table stands: {name} has {count} buttons, not {booked}.",
        count.buttons,
        name=name,
        booked=count.booked,
    )


def _bought(placed: PatchPlaced, space: int | None, state: State) -> Sentence:
    return counted(
        "{name} takes the {patch} at {cells} for {count} button; {space} on the time track.",
        "{name} takes the {patch} at {cells} for {count} buttons; {space} on the time track.",
        placed.paid,
        name=state.name_of(placed.seat),
        patch=patch_name(placed.patch),
        cells=cells_named(placed.cells),
        space=_space(space, placed.seat, state),
    )


def _earned(earned: ButtonsEarned, space: int | None, state: State) -> Sentence:
    return counted(
        "{name} advances and earns {count} button; {space} on the time track.",
        "{name} advances and earns {count} buttons; {space} on the time track.",
        earned.buttons,
        name=state.name_of(earned.seat),
        space=_space(space, earned.seat, state),
    )


def _space(moved_to: int | None, seat: int, state: State) -> int:
    return state.seat(seat).time if moved_to is None else moved_to


def _consequence(fact: Fact, state: State) -> str | None:
    match fact:
        case IncomePaid(seat=seat, mark=mark, buttons=buttons):
            return counted(
                "{name} passes the button at {mark}: {count} button of income.",
                "{name} passes the button at {mark}: {count} buttons of income.",
                buttons,
                name=state.name_of(seat),
                mark=mark,
            )
        case LeatherWon(seat=seat, mark=mark):
            return said("{name} wins the leather patch at {mark}.", name=state.name_of(seat), mark=mark)
        case BonusTileTaken(seat=seat):
            return said("{name} is the first to fill 7x7 and takes the tile: 7 points.", name=state.name_of(seat))
        case LeatherSetAside(seat=seat):
            return said("{name} has no empty square: the leather patch is set aside.", name=state.name_of(seat))
        case _:
            return _what_follows(fact, state)


def _what_follows(fact: Fact, state: State) -> str | None:
    match fact:
        case TurnPassed():
            return turn_sentence(state)
        case GameEnded(winner=winner):
            return said("The game has ended: {result}", result=result_sentence(state, winner))
        case _:
            return None


def _opened(event: events.GameOpened) -> Sentence:
    state = event.state
    one, other = state.setup.players
    turn = turn_sentence(state)
    if not event.decisions:
        if state.setup.buttons != USUAL_BUTTONS:
            turn = in_turn([_handicap(state), turn])
        return said("Game {game}: {one} and {other} play. {turn}", game=event.game_id, one=one, other=other, turn=turn)
    return counted(
        "Game {game} of {one} and {other} resumes after {count} decision. {turn}",
        "Game {game} of {one} and {other} resumes after {count} decisions. {turn}",
        len(event.decisions),
        game=event.game_id,
        one=one,
        other=other,
        turn=turn,
    )


def _handicap(state: State) -> Sentence:
    one, other = state.setup.players
    first, second = state.setup.buttons
    return said(
        "Buttons at the start: {first} for {one}, {second} for {other}.",
        one=one,
        other=other,
        first=first,
        second=second,
    )


def _undone(decision: Decision, state: State) -> Sentence:
    move, turn = described(decision, state), turn_sentence(state)
    if isinstance(decision, Advance | CountButtons | AwardTile):
        return said("Taken back: {move}. {turn}", move=move, turn=turn)
    return said("Taken back: {move}. The patch comes off the board. {turn}", move=move, turn=turn)


def _answered(question: Question, taken: Decision | None, state: State) -> Sentence:
    if taken is None and question.asks in AT_THE_END:
        return said("The score stays as it is.")
    if taken is None:
        return said("The answer is none of these: put the table right and press confirm again.")
    return said("The answer is: {move}.", move=described(taken, state))


def _asked(event: Asked | Proposed) -> Sentence:
    if isinstance(event, events.DecisionProposed):
        return proposal_sentence(event.decision, event.state)
    question = event.question
    if event.choice == events.NONE_SHOWN:
        return said(
            "{question} Showing none of these. Press advance for the first of {last}, confirm or undo for none.",
            question=question.says,
            last=len(question.options),
        )
    if event.unasked and question.asks not in AT_THE_END:
        return said(
            "{question} Showing {number} of {last}: {option}. Press confirm to take it, advance for the next, undo "
            "for none; or place the patch again.",
            question=question.says,
            number=event.choice + 1,
            last=len(question.options),
            option=described(question.options[event.choice], event.state),
        )
    return said(
        "{question} Showing {number} of {last}: {option}. Press confirm to take it, advance for the next, undo for "
        "none.",
        question=question.says,
        number=event.choice + 1,
        last=len(question.options),
        option=described(question.options[event.choice], event.state),
    )


def _foreseen(
    event: events.DecisionForeseen | events.ForesightLapsed | events.UndoForeseen | events.UndoLapsed,
) -> Sentence:
    move = described(event.decision, event.state)
    match event:
        case events.DecisionForeseen(decision=Advance(), pause_s=pause_s):
            return said(
                "In {seconds} s: {move}. Move the marker back, or press undo, to stop it.", seconds=pause_s, move=move
            )
        case events.DecisionForeseen(pause_s=pause_s):
            return said("In {seconds} s: {move}. Lift it off, or press undo, to stop it.", seconds=pause_s, move=move)
        case events.ForesightLapsed(stopped=True):
            return said(
                "Stopped: {move}. It is not taken unless you press confirm, or lift the patch and place it again.",
                move=move,
            )
        case events.ForesightLapsed():
            return said("Not taken: {move}. The table has changed since.", move=move)
        case events.UndoForeseen(pause_s=pause_s):
            return said(
                "Taken back in {seconds} s: {move}. Put it back where it was to keep it.", seconds=pause_s, move=move
            )
        case events.UndoLapsed():
            return said("Not taken back: {move}.", move=move)


def result_sentence(state: State, winner: int) -> Sentence:
    """Return the sentence that names the winner and the margin."""
    name = state.name_of(winner)
    won, lost = score(state.seat(winner)), score(state.seat(3 - winner))
    if won == lost:
        return said("{name} wins the tie at {won} to {lost}.", name=name, won=won, lost=lost)
    return said("{name} wins {won} to {lost}.", name=name, won=won, lost=lost)
