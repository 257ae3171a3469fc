"""Sentences for the events at a Kvilt table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from companion.games.kvilt import facts as f
from companion.games.kvilt.decisions import PencilSource
from companion.games.kvilt.facts import Fact
from companion.games.kvilt.sheet import Colour
from companion.games.kvilt.state import Phase, State, TaskKind
from companion.kvilt.choices import Choice, ChoiceTopic
from companion.kvilt.naming import cell_words, colour_word, pencils, region_words
from companion.languages import all_of, counted, listed, said
from companion.play.events import (
    Asked,
    Complained,
    DecisionProposed,
    DecisionTaken,
    DecisionUndone,
    GameOpened,
    LookCalledOff,
    LookStarted,
    NothingToUndo,
    QuestionAnswered,
    TableNoticed,
)

if TYPE_CHECKING:
    from companion.kvilt.codec import Event

# The explanation of scraps and pincushions, announced before a game's first move.
_WORDS: Final = said(
    "A scrap is a colour token: each player takes one a round. A pincushion holds drawn pencils; whoever takes it "
    "colours with them."
)


def sentences(event: Event) -> tuple[str, ...]:
    """Return the sentences for an event; empty if there is nothing to say."""
    match event:
        case DecisionTaken(facts=facts, state=state):
            return taken_sentences(facts, state)
        case Complained(complaint=complaint):
            return (complaint.says,)
        case Asked(question=choice, choice=shown):
            return (_asked(choice, shown),)
        case DecisionProposed() | LookStarted() | GameOpened(is_again=True):
            # The decisions were announced one by one, as was the game, and the choice that follows says what to do.
            return ()
        case GameOpened():
            return (_opened(event.game_id, len(event.decisions), event.state), *(() if event.decisions else (_WORDS,)))
        case _:
            return tuple(filter(None, [_sentence(event)]))


def spoken(event: Event) -> tuple[str, ...]:
    """Return the spoken sentences for an event: what came out of the bag and who has it, and what is to be done."""
    match event:
        case DecisionTaken(facts=facts, state=state):
            found = (_shared(fact, state) or _coloured(fact, state) or _ended(fact, state) for fact in facts)
            return tuple(says for says in found if says is not None)
        case Asked(question=choice, choice=0):
            return (choice.says,)
        case Complained() | GameOpened() | TableNoticed() | DecisionUndone():
            return sentences(event)
        case _:
            return ()


def _sentence(event: Event) -> str:
    match event:
        case LookCalledOff():
            return said("The look was cancelled.")
        case DecisionUndone(decision=decision, state=state, anew=anew):
            name = _name(state, decision.seat)
            anew_says = said("{name}’s sheet shows something else than at the last look.", name=name)
            return anew_says if anew else said("{name}’s last step was taken back.", name=name)
        case NothingToUndo():
            return said("There is nothing to take back.")
        case QuestionAnswered(question=choice) if choice.asks is not ChoiceTopic.TAKE_BACK:
            return said("The question is closed: place the sheet under the camera and press confirm again.")
        case TableNoticed(says=says):
            return says
    return ""


def taken_sentences(facts: Sequence[Fact], state: State) -> tuple[str, ...]:
    """Return the sentences for a decision's effects, in the order in which they happened."""
    return tuple(sentence for fact in facts if (sentence := _fact(fact, state)) is not None)


def turn_sentence(state: State) -> str:
    """Return the sentence on whose turn it is and what is due."""
    if state.turn is None:
        return ended_sentence(state)
    name = _name(state, state.turn)
    match state.phase:
        case Phase.SCRAPS:
            return said("{name} takes a scrap.", name=name)
        case Phase.PENCILS:
            return said("{name} draws a pencil, or takes a pincushion.", name=name)
        case Phase.NEUTRAL:
            return said("{name} fills the neutral pincushion.", name=name)
        case Phase.COLOURING:
            return said("{name} colours, then places the sheet under the camera.", name=name)
        case _:
            return said("{name} picks two rows that count negative.", name=name)


def ended_sentence(state: State) -> str:
    """Return the sentence that names the winners."""
    won = [_name(state, seat) for seat in state.winners]
    total = state.score(state.winners[0]).total
    if len(won) > 1:
        names = all_of(won)
        return counted(
            "{names} share the victory with {count} point.", "{names} share the victory with {count} points.",
            total, names=names,
        )  # fmt: skip
    if sum(state.score(seat).total == total for seat in range(1, state.setup.seats + 1)) > 1:
        return counted(
            "{name} wins the tie at {count} point by the best row, {best}.",
            "{name} wins the tie at {count} points by the best row, {best}.",
            total, name=won[0], best=state.score(state.winners[0]).best_row,
        )  # fmt: skip
    return counted("{name} wins with {count} point.", "{name} wins with {count} points.", total, name=won[0])


def _asked(choice: Choice, shown: int) -> str:
    if shown == 0 and not choice.doubts:
        return choice.says
    option = choice.options[shown].says
    of = len(choice.options)
    displayed = said("Showing {shown} of {count}: {option}.", shown=shown + 1, count=of, option=option)
    return said("{first} {next}", first=choice.says, next=displayed) if shown == 0 else displayed


def _opened(game_id: int, decisions: int, state: State) -> str:
    players = all_of(state.setup.players)
    if not decisions:
        return said("Game {number}: {players} play Kvilt.", number=game_id, players=players)
    return counted(
        "Game {number} of {players} resumes after {count} decision.",
        "Game {number} of {players} resumes after {count} decisions.",
        decisions,
        number=game_id,
        players=players,
    )


def _fact(fact: Fact, state: State) -> str | None:
    sentence = _shared(fact, state) or _coloured(fact, state)
    return sentence or _stitched(fact, state) or _bonus(fact, state) or _ended(fact, state)


def _shared(fact: Fact, state: State) -> str | None:
    """Return the sentence for a fact about scraps, pencils or pincushions, or None for others."""
    match fact:
        case f.TokenTaken(seat=seat, colour=colour):
            return said("{name} takes the {colour} scrap.", name=_name(state, seat), colour=colour_word(colour))
        case f.PencilPlaced(seat=seat, colour=colour, cushion=cushion):
            name = _name(state, seat)
            word = colour_word(colour)
            return said("{name} puts {colour} on pincushion {number}.", name=name, colour=word, number=cushion)
        case f.CushionTaken(seat=seat, cushion=cushion, pencils=held):
            return said("{name} takes pincushion {number}: {pencils}.", name=_name(state, seat), number=cushion,
                        pencils=pencils(held))  # fmt: skip
        case f.FirstPlayerChanged(seat=seat):
            return said("{name} is the first player now.", name=_name(state, seat))
        case f.NeutralFilled(cushion=cushion):
            held = state.cushions[cushion - 1].pencils
            return said("The neutral pincushion holds {pencils}.", pencils=pencils(held))
        case _:
            return None


def _coloured(fact: Fact, state: State) -> str | None:
    """Return the sentence for a fact about marks on a sheet, or None for others."""
    match fact:
        case f.CellColoured():
            return _cell(fact, state)
        case f.PatchColoured(seat=seat, patch=patch, colour=colour):
            return _region(seat, patch, colour, state)
        case f.ThreadColoured(seat=seat, spool=spool, colour=colour):
            return _region(seat, f"spool{spool}.thread", colour, state)
        case f.SpoolOpened(seat=seat, spool=spool):
            return said("{name} opens spool {number}.", name=_name(state, seat), number=spool)
        case f.BackgroundsColoured(seat=seat, cells=cells):
            names = listed([cell_words(cell) for cell in cells])
            return said("{name} colours the backgrounds of {cells}.", name=_name(state, seat), cells=names)
        case _:
            return None


def _cell(fact: f.CellColoured, state: State) -> str:
    name, (row, cell), colour = _name(state, fact.seat), fact.cell, colour_word(fact.colour)
    if not fact.full:
        return said("{name}: cell {cell} of row {row}, {colour}.", name=name, cell=cell, row=row, colour=colour)
    return said(
        "{name}: cell {cell} of row {row}, {colour}, with its background.", name=name, cell=cell, row=row, colour=colour
    )


def _region(seat: int, region: str, colour: Colour, state: State) -> str:
    name, words = _name(state, seat), region_words(region, state.setup.sheet)
    return said("{name}: {region}, {colour}.", name=name, region=words, colour=colour_word(colour))


def _stitched(fact: Fact, state: State) -> str | None:
    match fact:
        case f.PartStitched(seat=seat, part=part, colour=colour):
            return _region(seat, part, colour, state)
        case f.EmbroideryFinished(seat=seat, embroidery=figure):
            number = 1 + [each.id for each in state.setup.sheet.embroideries].index(figure)
            return said("{name} finishes embroidery {number}.", name=_name(state, seat), number=number)
        case _:
            return None


def _bonus(fact: Fact, state: State) -> str | None:
    """Return the sentence for a fact about a colouring's bonuses, or None for others."""
    match fact:
        case f.PencilFetched(seat=seat, source=source, colour=colour):
            name, word = _name(state, seat), colour_word(colour)
            if source is PencilSource.BAG:
                return said("{name} draws {colour} from the bag.", name=name, colour=word)
            return said("{name} takes {colour} from the neutral pincushion.", name=name, colour=word)
        case f.PencilsSwapped(seat=seat, given=given, drawn=drawn):
            return said("{name} gives {given} for {drawn}.", name=_name(state, seat), given=pencils(given),
                        drawn=pencils(drawn))  # fmt: skip
        case f.BonusLost(seat=seat, bonus=TaskKind.SWAP | TaskKind.EXTRA | TaskKind.NEUTRAL | TaskKind.FETCH):
            return said("{name} goes without a bonus.", name=_name(state, seat))
        case _:
            return None


def _ended(fact: Fact, state: State) -> str | None:
    match fact:
        case f.ColouringEnded(seat=seat, unused=unused) if unused:
            return said("{name} is done; unused: {pencils}.", name=_name(state, seat), pencils=pencils(unused))
        case f.ColouringEnded(seat=seat):
            return said("{name} is done.", name=_name(state, seat))
        case f.RowsNegated(seat=seat, rows=rows):
            name = _name(state, seat)
            return said("{name}’s rows {one} and {other} count negative.", name=name, one=rows[0], other=rows[1])
        case f.RoundEnded(round=number):
            return said("Round {number} has ended: all pencils are back in the bag.", number=number)
        case f.GameEnded():
            return ended_sentence(state)
        case _:
            return None


def _name(state: State, seat: int) -> str:
    return state.setup.players[seat - 1]
