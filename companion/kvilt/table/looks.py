"""A look at a sheet: the picture is read and explained, and doubts become questions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final, TypeAlias

from companion.games.kvilt.decisions import Decision, Done, Fetch, FillNeutral, PencilSource, Swap, TakeCushion
from companion.games.kvilt.errors import FaultCode
from companion.games.kvilt.explaining import MarksExplanation, explain, is_draw
from companion.games.kvilt.judging import Fault
from companion.games.kvilt.rules import History, apply
from companion.games.kvilt.sheet import Colour, Marks, Sheet
from companion.games.kvilt.state import Phase, State
from companion.games.kvilt.uncounted import blocked_by
from companion.kvilt.choices import (
    Action,
    Choice,
    ChoiceTopic,
    Exchange,
    FetchBlind,
    IgnoreMarks,
    LetStand,
    LookAtSheet,
    NothingCovers,
    Option,
    ReportColour,
    SheetComplaint,
    Take,
)
from companion.kvilt.naming import colour_word, pencils, region_words, regions_words
from companion.kvilt.reading.colouring import Colouring, ColouringReading, Covered, Doubtful, Faulty
from companion.kvilt.reading.reader import SheetReading
from companion.kvilt.refusals import blocked_clause, fault_sentence
from companion.kvilt.table.offering import AnyBag, RealBag, name_of
from companion.languages import counted, said

# Sentences, and options, that players still read.
_MOST_NAMED: Final = 3
_MOST_WAYS: Final = 4
_MOST_LISTED: Final = 6


def colouring_start(history: History) -> int:
    """Return the number of decisions before the colouring of the seat to move."""
    decisions, seat = history.decisions, history.state.turn
    start = len(decisions)
    while start and history.state_after(start - 1).phase is Phase.COLOURING and decisions[start - 1].seat == seat:
        start -= 1
    return start


def draws_since(history: History, start: int) -> tuple[Swap | Fetch, ...]:
    """Return the draws during a colouring, from the decision at index `start` on."""
    return tuple(it for it in history.decisions[start:] if isinstance(it, Swap | Fetch) and is_draw(it))


def decided_marks(history: History) -> dict[str, Colour]:
    """Return the regions that the seat to move has decided to colour since its colouring began, with their colours."""
    state = history.state
    before = history.state_after(colouring_start(history)).seat(state.mover).marks.regions(state.setup.sheet)
    marks = state.seat(state.mover).marks.regions(state.setup.sheet)
    return {region: colour for region, colour in marks.items() if region not in before}


def last_step(history: History, bag: AnyBag) -> int:
    """Return the number of decisions that the last press made; 0 at the start of the game."""
    decisions = history.decisions
    if not decisions:
        return 0
    last = decisions[-1]
    if history.state_after(len(decisions) - 1).phase is Phase.COLOURING:
        return _look(history)
    # A virtual bag fills the neutral pincushion without a press.
    fills = isinstance(last, FillNeutral) and not isinstance(bag, RealBag)
    return 2 if fills and len(decisions) > 1 and isinstance(decisions[-2], TakeCushion) else 1


def _look(history: History) -> int:
    """Return the number of decisions that were read together; a draw from the bag is a step of its own."""
    decisions = history.decisions
    seat = decisions[-1].seat
    if is_draw(decisions[-1]):
        return 1
    count = 1
    while count < len(decisions) and _belongs(history, len(decisions) - count - 1, decisions[-count - 1], seat):
        count += 1
    return count


def _belongs(history: History, place: int, decision: Decision, seat: int) -> bool:
    colours = history.state_after(place).phase is Phase.COLOURING and decision.seat == seat
    return colours and not is_draw(decision) and not isinstance(decision, Done)


def reveals_draw(history: History, count: int) -> bool:
    """Return whether pencils came out of the bag in the last `count` decisions, other than one placed since."""
    return any(isinstance(it, FillNeutral) or is_draw(it) for it in history.decisions[-count:])


def decision_of(state: State, action: Action, bag: AnyBag) -> Decision:
    """Return the decision for an action; its blind draws are made now.

    Raises:
        ValueError: the action is no decision, or the bag is a real one, from which players draw.
    """
    if isinstance(action, Take):
        return action.decision
    if isinstance(bag, RealBag):
        raise ValueError("players draw from a real bag")
    if isinstance(action, Exchange):
        return Swap(state.mover, action.given, bag.draw(state, len(action.given)))
    if isinstance(action, FetchBlind):
        # Offered only while the bag holds a pencil (`offering.py`).
        return Fetch(state.mover, PencilSource.BAG, bag.draw(state)[0])
    raise ValueError(f"{type(action).__name__} is no decision")


@dataclass(frozen=True, slots=True)
class Read:
    """The verdict on a sheet that was read: after the first `start` decisions of the game exactly these follow.

    `marks` are all marks on the sheet, by region, including those that do not count.
    """

    start: int
    decisions: tuple[Decision, ...]
    marks: Mapping[str, Colour]


@dataclass(frozen=True, slots=True)
class Trouble:
    """The verdict on a sheet that is not explained: the fault, and the possible remedies."""

    complaint: SheetComplaint
    choice: Choice


Verdict: TypeAlias = Read | Choice | Trouble


@dataclass(frozen=True, slots=True, eq=False)
class SheetLook:
    """One look at the sheet of the seat to move.

    Attributes:
        history: the game.
        bag: the source of pencils.
        reading: the reading of the picture.
        frame: the name of the frame.
        wants_bag: whether the player has stopped to draw from the bag; else the colouring is done.
        answers: the players' answers about doubtful regions.
        declined: marks that do not count, or are white and count as before, as the players have agreed, and the round
            in which they did; 0 if it is not known.
        agreed: whether the players agree that nothing on the sheet is new.
        is_uncovered: whether a player has stated that no object lies on the sheet.
        is_decided: whether a partner has decided the whole colouring, which the history has already.
        stands: whether the players let what is coloured otherwise stand.
    """

    history: History
    bag: AnyBag
    reading: SheetReading
    frame: str
    wants_bag: bool = False
    answers: Mapping[str, Colour | None] = field(default_factory=dict)
    declined: Mapping[str, int] = field(default_factory=dict)
    agreed: bool = False
    is_uncovered: bool = False
    is_decided: bool = False
    stands: bool = False

    def with_answer(self, tell: ReportColour) -> "SheetLook":
        """Return this look with a player's answer about a region."""
        return replace(self, answers={**self.answers, tell.region: tell.colour})

    def with_declined(self, regions: Iterable[str]) -> "SheetLook":
        """Return this look with further marks that do not count; a sheet without new marks is then accepted."""
        return replace(self, declined={**dict.fromkeys(regions, self._state.round), **self.declined}, agreed=True)

    def with_uncovered_sheet(self) -> "SheetLook":
        """Return this look with the statement that no object lies on the sheet."""
        return replace(self, is_uncovered=True)

    def with_all_standing(self) -> "SheetLook":
        """Return this look with the statement that what is coloured otherwise than decided stands."""
        return replace(self, stands=True)

    @property
    def _state(self) -> State:
        """The state since which marks are new on the sheet."""
        # What a partner has decided is not on the paper before a person has coloured it.
        return self.history.state_after(colouring_start(self.history)) if self.is_decided else self.history.state

    @property
    def _sheet(self) -> Sheet:
        return self._state.setup.sheet

    @property
    def seat(self) -> int:
        """The seat whose sheet it is."""
        return self._state.mover

    def verdict(self) -> Verdict:
        """Return the verdict of this look: the decisions read, a question, or a fault."""
        colouring = Colouring(
            self._state, self.seat, lambda seen: self._explained(seen)[1], self.answers, self.is_uncovered
        )
        match found := colouring.find(self.reading):
            case ColouringReading():
                return self._read(found)
            case Covered():
                return self._covered(found)
            case Doubtful():
                return self._doubt(found)
            case Faulty():
                return self._fault(found)

    def _explained(self, seen: Mapping[str, Colour | None]) -> tuple[int, MarksExplanation]:
        """Return the number of decisions before the explanation, and that."""
        before = self._state.seat(self.seat).marks.regions(self._sheet)
        # What has gone from the paper counts on if the players have agreed that it was there.
        return self._ways({**seen, **{region: before[region] for region in self.declined if region in before}})

    def _ways(self, seen: Mapping[str, Colour | None]) -> tuple[int, MarksExplanation]:
        """Explain the marks after the earlier reading or, if that is better, from the start of the whole colouring."""
        history, start = self.history, colouring_start(self.history)
        if self.is_decided:
            return start, self._decided(seen, start)
        if isinstance(self.bag, RealBag):
            # Draws from a real bag are not reported, so the whole colouring is explained anew, with any draws.
            return start, explain(history.state_after(start), self.seat, seen, declined=self.declined)
        made = len(history.decisions)
        bag, declined = self.wants_bag, self.declined
        found = explain(history.state, self.seat, seen, draws=(), wants_bag=bag, declined=declined)
        if found or start == made:
            return made, found
        draws, state = draws_since(history, start), history.state_after(start)
        anew = explain(state, self.seat, seen, draws=draws, wants_bag=bag, declined=declined)
        is_better = anew.complete and len(anew.unexplained) < len(found.unexplained) + (not found.complete)
        return (start, anew) if is_better else (made, found)

    def _decided(self, seen: Mapping[str, Colour | None], start: int) -> MarksExplanation:
        """Explain the marks by a partner's decisions or, if they are not those, by others with the same draws."""
        if not self._differences(seen):
            return MarksExplanation(self.history.decisions[start:], (), ())
        draws = draws_since(self.history, start)
        return explain(self._state, self.seat, seen, draws=draws, declined=self.declined)

    def _differences(self, seen: Mapping[str, Colour | None]) -> tuple[str, ...]:
        """Return the regions that are not as a partner has decided; the ends of a spool may have any colour."""
        meant, known = decided_marks(self.history), self._known()
        printed = {f"spool{number}.body" for number in range(1, self._sheet.spools.open + 1)}
        new = {name: colour for name, colour in seen.items() if colour and name not in known | printed}
        return tuple(
            name
            for name in self._sheet.regions()
            if meant.get(name) != new.get(name) and not (name.endswith(".body") and name in meant and name in new)
        )

    def _read(self, found: ColouringReading) -> Verdict:
        start, explanation = self._explained(found.seen)
        if self.is_decided and not self.stands and self._differences(found.seen):
            return self._otherwise(found.seen, [Option("stands", LetStand(), said("it stands as it is coloured"))])
        decisions = explanation.decisions if self.wants_bag else (*explanation.decisions, Done(self.seat))
        new = [region for region, colour in found.seen.items() if colour and region not in self._known()]
        if not new and not self.wants_bag and not (self.agreed or self.is_decided):
            says = said("No new mark is seen on {name}’s sheet.", name=name_of(self._state, self.seat))
            go_on = Option("let-go", IgnoreMarks(), said("nothing was coloured: continue"))
            return self._trouble(("nothing",), (), says, [_again_option(), go_on])
        return Read(start, decisions, {region: colour for region, colour in found.seen.items() if colour})

    def _known(self) -> set[str]:
        """Return the regions that were coloured before this colouring, whether they count or not."""
        state = self.history.state_after(colouring_start(self.history))
        return set(state.seat(self.seat).marks.regions(state.setup.sheet)) | self.declined.keys()

    def _doubt(self, found: Doubtful) -> Choice:
        options = [
            Option("tell", ReportColour(found.region, state), colour_word(state), () if state is None else (state,))
            for state in found.states
        ]
        says = said("How is {region} coloured?", region=region_words(found.region, self._sheet))
        return Choice(ChoiceTopic.DOUBT, self.seat, tuple(options), says, (found.region,), self.frame)

    def _covered(self, found: Covered) -> Trouble:
        name = name_of(self._state, self.seat)
        says = said("Something is on {name}’s sheet, or a lamp is reflected in it: remove it.", name=name)
        again = Option("again", LookAtSheet(wants_bag=self.wants_bag), said("look at the sheet again"))
        go_on = Option("bare", NothingCovers(), said("nothing is there: ask about each region"))
        return self._trouble(("covered",), found.regions, says, [again, go_on])

    def _fault(self, found: Faulty) -> Trouble:
        name = name_of(self._state, self.seat)
        if found.owner is not None:
            owner = name_of(self._state, found.owner)
            says = said("This looks like {owner}’s sheet. Place {name}’s under the camera.", owner=owner, name=name)
            return self._trouble(("owner",), (), says, self._look_options(_again_option()))
        faults = found.explanation.errors
        if self.is_decided and faults and self._differences(found.seen):
            return self._otherwise(found.seen, self._ways_on(found))
        if not faults:
            return self._not_due(found, name)
        regions = tuple(dict.fromkeys([*found.explanation.unexplained, *_regions(faults)]))
        # Pencil cannot be erased, so the players may go on with a mark that the rules forbid.
        options = [*self._look_options(_again_option()), *self._ways_on(found)]
        return self._trouble(_codes(faults), regions, self._fault_answers(faults), options)

    def _otherwise(self, seen: Mapping[str, Colour | None], ways_on: Sequence[Option]) -> Trouble:
        """Return the complaint that a sheet is not coloured as its partner has decided."""
        regions, name = self._differences(seen), name_of(self._state, self.seat)
        says = said("This is not coloured as {name} has decided: {regions}.", name=name,
                    regions=regions_words(regions, self._sheet))  # fmt: skip
        return self._trouble(("otherwise",), regions, says, [_again_option(), *ways_on])

    def _fault_answers(self, faults: Sequence[Fault]) -> str:
        """Return the sentences for the first fault of each kind, the number of others, and the round's pencils."""
        first = {fault.code: fault for fault in reversed(faults)}
        named = [fault for fault in faults if first[fault.code] is fault][:_MOST_NAMED]
        answers: list[str] = [fault_sentence(fault, self._sheet) for fault in named]
        more = len(faults) - len(named)
        if more:
            answers.append(counted("There is {count} further fault.", "There are {count} further faults.", more))
        if any(fault.code in (FaultCode.NO_PENCIL, FaultCode.BACKGROUND) for fault in named):
            answers.append(self._pencils())
        return _joined(answers)

    def _pencils(self) -> str:
        """Return the sentence on the pencils that the player has had in this round."""
        side = self._state.seat(self.seat)
        had = (*side.spent, *(pencil.colour for pencil in side.hand))
        return said(
            "{name} has had {pencils} in this round, and the bonus colour {colour}; neutral: {neutral}.",
            name=name_of(self._state, self.seat),
            pencils=pencils(had),
            colour=colour_word(side.bonus),
            neutral=pencils(self._state.neutral_pencils),
        )

    def _ways_on(self, found: Faulty) -> list[Option]:
        """Return an option for each smallest set of marks that may not count, so that all others do."""
        explanation = found.explanation
        erased = [region for region in _regions(explanation.errors) if not found.seen.get(region)]
        ways = (explanation.unexplained, *explanation.alternatives)[:_MOST_WAYS]
        return [self._way_on(way, erased, found.seen) for way in ways]

    def _way_on(self, over: tuple[str, ...], erased: Sequence[str], seen: Mapping[str, Colour | None]) -> Option:
        """Return the option to continue although some marks do not count, which says what that blocks."""
        says: str = self._uncounted(over) if over else said("continue; what is white now counts as before")
        if over and erased:
            says = said("{option}; what is white now counts as before", option=says)
        start, explanation = replace(self, declined=self.with_declined((*over, *erased)).declined)._explained(seen)
        marks = self._marks_after(start, explanation)
        uncounted = {region: colour for region in over if (colour := seen.get(region))}
        for blocked in blocked_by(self._sheet, marks, uncounted):
            says = said("{first}; {next}", first=says, next=blocked_clause(blocked, self._state.setup))
        left_out = tuple((region, seen.get(region)) for region in (*over, *erased))
        return Option("let-go", IgnoreMarks(left_out), says)

    def _marks_after(self, start: int, explanation: MarksExplanation) -> Marks:
        state = self.history.state_after(start)
        for decision in explanation.decisions:
            state = apply(state, decision).state
        return state.seat(self.seat).marks

    def _uncounted(self, regions: tuple[str, ...]) -> str:
        if len(regions) > _MOST_LISTED:
            count = len(regions)
            return counted("continue; {count} mark does not count", "continue; {count} marks do not count", count)
        return counted(
            "continue; this does not count: {regions}",
            "continue; these do not count: {regions}",
            len(regions),
            regions=regions_words(regions, self._sheet),
        )

    def _not_due(self, found: Faulty, name: str) -> Trouble:
        """Return the complaint that no draw is due, or would be only without the marks in `early`."""
        early = found.explanation.early
        options = self._look_options(
            Option("again", LookAtSheet(), said("the colouring is finished: look at the sheet"))
        )
        if not early:
            says = said("Nothing on {name}’s sheet needs the bag now.", name=name)
            return self._trouble(("no-bag",), (), says, options)
        says = said("If {name} needs the bag now, this was coloured too early: {regions}.", name=name,
                    regions=regions_words(early, self._sheet))  # fmt: skip
        return self._trouble(("early",), early, says, [*options, self._way_on(early, (), found.seen)])

    def _look_options(self, again: Option) -> list[Option]:
        """Return the options to look again; with a virtual bag, at the end of the colouring or for a draw."""
        if isinstance(self.bag, RealBag):
            return [again]
        return [
            again,
            Option(
                "bag", LookAtSheet(wants_bag=True), said("a pencil has to come from the bag: look at the sheet first")
            ),
        ]

    def _trouble(
        self, codes: tuple[str, ...], regions: tuple[str, ...], says: str, options: Sequence[Option]
    ) -> Trouble:
        complaint = SheetComplaint(codes, self.seat, regions, says, self.frame)
        return Trouble(complaint, Choice(ChoiceTopic.TROUBLE, self.seat, tuple(options), says, regions, self.frame))


def _again_option() -> Option:
    return Option("again", LookAtSheet(), said("look at the sheet again"))


def _regions(faults: Sequence[Fault]) -> list[str]:
    return [region for fault in faults for region in fault.regions]


def _codes(faults: Sequence[Fault]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(fault.code) for fault in faults))


def _joined(sentences: Sequence[str]) -> str:
    """Return the sentences as one text."""
    return reduce(lambda answers, following: said("{first} {next}", first=answers, next=following), sentences)
