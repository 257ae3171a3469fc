"""Advice on games of Kvilt: what a player of a level would decide, in words."""

from typing import Final

from companion.games.kvilt import decisions as d
from companion.games.kvilt.decisions import Decision, PencilSource
from companion.games.kvilt.rules import apply
from companion.games.kvilt.state import State
from companion.games.kvilt.strategy.levels import advise
from companion.kvilt.naming import colour_word, pencils, regions_words
from companion.languages import said
from companion.play.game import Adviser


def described(decision: Decision, state: State) -> str:
    """Return a decision in a state in a few words; one that draws blind without what is drawn."""
    match decision:
        case d.TakeToken(colour=colour):
            return said("the {colour} scrap", colour=colour_word(colour))
        case d.PlacePencil() | d.FillNeutral():
            return said("draw a pencil")
        case d.TakeCushion(cushion=number):
            held = pencils(state.cushions[number - 1].pencils)
            return said("take pincushion {number}: {pencils}", number=number, pencils=held)
        case d.Negate(rows=(one, other)):
            return said("rows {one} and {other} count negative", one=one, other=other)
        case d.Done():
            return said("end the colouring")
        case _:
            return _bonus(decision) or _coloured(decision, state)


def _bonus(decision: Decision) -> str | None:
    """Return the words for a decision on pencils during a colouring, or None for one that colours."""
    match decision:
        case d.Swap(given=given):
            return said("exchange {pencils}", pencils=pencils(given))
        case d.Fetch(source=PencilSource.BAG):
            return said("a blind one from the bag")
        case d.Fetch(colour=colour):
            return said("{colour} from the neutral pincushion", colour=colour_word(colour))
        case d.Decline():
            return said("go without the bonus")
        case _:
            return None


def _coloured(decision: Decision, state: State) -> str:
    """Return the regions that a decision colours, with their colour."""
    sheet, seat = state.setup.sheet, decision.seat
    before = state.seat(seat).marks.regions(sheet)
    marks = apply(state, decision).state.seat(seat).marks.regions(sheet)
    new = [region for region in marks if region not in before]
    return said("{region}, {colour}", region=regions_words(new, sheet), colour=colour_word(marks[new[0]]))


ADVISER: Final[Adviser[State, Decision]] = Adviser(advise, described)
