"""Test finding the new marks on a sheet: doubtful readings are checked against the rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import pytest

from companion.games.kvilt.decisions import decision_from_json
from companion.games.kvilt.explaining import MarksExplanation, explain
from companion.games.kvilt.rules import apply, new_game
from companion.games.kvilt.state import State
from companion.kvilt.reading.colouring import Colouring, ColouringReading, Covered, Doubtful, Faulty, Finding
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.kvilt.sheet import Marks
    from companion.kvilt.reading.reader import SheetReading

LINES = [
    {"seat": 1, "move": "token", "colour": "red"},
    {"seat": 2, "move": "token", "colour": "blue"},
    {"seat": 1, "move": "place", "drawn": "green", "cushion": 1},
    {"seat": 1, "move": "place", "drawn": "red", "cushion": 1},
    {"seat": 2, "move": "place", "drawn": "yellow", "cushion": 2},
    {"seat": 2, "move": "take", "cushion": 2},
    {"seat": 1, "move": "place", "drawn": "violet", "cushion": 1},
    {"seat": 1, "move": "take", "cushion": 1},
    {"seat": 2, "move": "fill", "drawn": ["brown", "blue", "blue"]},
    {"seat": 2, "move": "patch", "colour": "yellow", "patch": "p3"},
    {"seat": 2, "move": "done"},
]


@dataclass
class Read:
    """A reading without a picture; `odds` are the doubtful regions."""

    marks: dict[str, str]
    odds: dict[str, dict[str | None, float]] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()

    @property
    def doubtful(self) -> tuple[str, ...]:
        return tuple(self.odds)

    @property
    def seen(self) -> dict[str, str | None]:
        return {**self.marks, **{name: max(odds, key=odds.__getitem__) for name, odds in self.odds.items()}}

    @property
    def likely(self) -> dict[str, float]:
        return {name: max(odds.values()) for name, odds in self.odds.items()}

    def ways(self, region: str) -> list[tuple[str | None, float]]:
        return sorted(self.odds[region].items(), key=lambda way: -way[1])


@pytest.fixture
def state() -> State:
    """A state in which Anna colours; she has green, red and violet pencils, and red is her bonus colour."""
    state = new_game(own_setup(("Anna", "Boris")))
    for line in LINES:
        state = apply(state, decision_from_json(line)).state
    return state


def find(state: State, read: Read, answers: Mapping[str, str | None] | None = None) -> Finding:
    def explained(seen: Mapping[str, str | None]) -> MarksExplanation:
        return explain(state, 1, seen, draws=())

    return Colouring(state, 1, explained, answers or {}).find(cast("SheetReading", read))


def test_certain_and_explained_marks_are_accepted(state: State) -> None:
    found = find(state, Read({"p5": "green"}))
    assert isinstance(found, ColouringReading)
    assert found.seen["p5"] == "green"


def test_a_mark_that_only_one_pencil_can_have_made_is_certain(state: State) -> None:
    """Anna has no yellow pencil."""
    found = find(state, Read({}, {"p5": {"yellow": 0.3, "green": 0.7, None: 0.0}}))
    assert isinstance(found, ColouringReading)
    assert found.seen["p5"] == "green"


def test_a_faint_mark_that_nothing_can_have_made_is_asked_about(state: State) -> None:
    """Anna has no yellow pencil, but people make mistakes."""
    assert find(state, Read({}, {"p5": {None: 0.97, "yellow": 0.03}})) == Doubtful("p5", (None, "yellow"))
    settled = find(state, Read({}, {"p5": {None: 0.97, "yellow": 0.03}}), {"p5": None})
    assert isinstance(settled, ColouringReading)


def test_pencils_that_both_can_have_made_it_are_asked_about(state: State) -> None:
    found = find(state, Read({}, {"p5": {"violet": 0.6, "green": 0.4, None: 0.0}}))
    assert found == Doubtful("p5", ("violet", "green", None))
    settled = find(state, Read({}, {"p5": {"violet": 0.6, "green": 0.4, None: 0.0}}), {"p5": "green"})
    assert isinstance(settled, ColouringReading)
    assert settled.seen["p5"] == "green"


def test_two_doubts_settle_each_other(state: State) -> None:
    """One green pencil cannot have made both."""
    odds: dict[str, dict[str | None, float]] = {
        "p5": {"green": 0.995, "violet": 0.005}, "p7": {"green": 0.2, "violet": 0.8},
    }  # fmt: skip
    found = find(state, Read({}, odds))
    assert isinstance(found, ColouringReading)
    assert (found.seen["p5"], found.seen["p7"]) == ("green", "violet")


def test_many_doubts_are_asked_about_one_after_the_other_the_greatest_first(state: State) -> None:
    names = ["r1c1.picture", "r2c1.picture", "r3c1.picture", "p5", "p7", "e5.1"]
    odds: dict[str, dict[str | None, float]] = {
        name: {"green": 0.9 - 0.01 * place, None: 0.1} for place, name in enumerate(names)
    }
    found = find(state, Read({}, odds))
    assert found == Doubtful("e5.1", ("green", None))


def test_a_covered_sheet_is_reported_before_any_question(state: State) -> None:
    names = ("r1c1.picture", "r2c1.picture", "p5")
    odds: dict[str, dict[str | None, float]] = {name: {"green": 0.6, None: 0.4} for name in names}
    assert find(state, Read({}, odds, names)) == Covered(names)
    assert isinstance(find(state, Read({}, odds, names[:2])), Doubtful), "a stain hides as much"
    assert isinstance(find(state, Read({}, odds, names), {"p5": None}), Doubtful), "who tells of one sees the others"


def test_an_object_on_known_marks_is_ignored(state: State) -> None:
    state = apply(state, decision_from_json({"seat": 1, "move": "patch", "colour": "green", "patch": "p5"})).state
    odds: dict[str, dict[str | None, float]] = {name: {None: 0.7, "green": 0.3} for name in ("p5", "p7", "e5.1")}
    found = find(state, Read({}, odds, tuple(odds)))
    assert isinstance(found, Doubtful)
    assert found.region != "p5"


def test_a_mark_that_nothing_explains_is_a_fault_however_certain(state: State) -> None:
    found = find(state, Read({"p5": "brown"}))
    assert isinstance(found, Faulty)
    assert found.owner is None
    assert found.explanation.unexplained == ("p5",)


def test_another_players_sheet_is_recognised(state: State) -> None:
    found = find(state, Read({"p3": "yellow"}))
    assert isinstance(found, Faulty)
    assert found.owner == 2


def test_the_wrong_sheet_is_recognised_before_any_doubt(state: State) -> None:
    later = apply(state, decision_from_json({"seat": 1, "move": "patch", "colour": "green", "patch": "p5"})).state
    read = cast("SheetReading", Read({"p3": "yellow", "p7": "blue"}, {"r1c1.picture": {"green": 0.5, None: 0.5}}))
    found = Colouring(later, 1, lambda seen: explain(later, 1, seen, draws=()), {}).find(read)
    assert isinstance(found, Faulty)
    assert found.owner == 2


def test_an_earlier_mark_that_is_doubtful_now_stays(state: State) -> None:
    later = apply(state, decision_from_json({"seat": 1, "move": "patch", "colour": "green", "patch": "p5"})).state
    read = Read({"p7": "red"}, {"p5": {None: 0.6, "green": 0.4}})
    found = Colouring(later, 1, lambda seen: explain(later, 1, seen, draws=()), {}).find(cast("SheetReading", read))
    assert isinstance(found, ColouringReading)
    assert found.seen["p5"] == "green"


def test_an_earlier_mark_that_is_certainly_white_is_erased(state: State) -> None:
    later = apply(state, decision_from_json({"seat": 1, "move": "patch", "colour": "green", "patch": "p5"})).state
    read = cast("SheetReading", Read({"p7": "red"}))
    found = Colouring(later, 1, lambda seen: explain(later, 1, seen, draws=()), {}).find(read)
    assert isinstance(found, Faulty)
    assert [it.code.value for it in found.explanation.errors] == ["E_ERASED"]


def with_marks(state: State, seat: int, marks: Marks) -> State:
    seats = tuple(replace(side, marks=marks) if number == seat else side for number, side in enumerate(state.seats, 1))
    return replace(state, seats=seats)


def test_an_opened_spool_of_another_colour_does_not_hide_the_owner(state: State) -> None:
    """It may have any colour; the books only guess which."""
    theirs = replace(state.seat(2).marks, bodies=("blue", "brown"))
    mine = replace(state.seat(1).marks, threads=("red",))
    later = with_marks(with_marks(state, 2, theirs), 1, mine)
    read = Read({"p3": "yellow", "spool3.body": "brown", "spool4.body": "blue"})
    found = find(later, read)
    assert isinstance(found, Faulty)
    assert found.owner == 2


def test_a_spool_that_is_white_is_missing(state: State) -> None:
    theirs = replace(state.seat(2).marks, bodies=("blue", "brown"))
    later = with_marks(with_marks(state, 2, theirs), 1, replace(state.seat(1).marks, threads=("red",)))
    found = find(later, Read({"p3": "yellow", "spool3.body": "blue"}))
    assert isinstance(found, Faulty)
    assert found.owner is None


def test_a_blank_sheet_may_be_mistaken_for_anothers_with_more_marks(state: State) -> None:
    theirs = replace(state.seat(2).marks, bodies=("blue", "brown"))
    read = {"p3": "yellow", "spool3.body": "blue", "spool4.body": "blue", "r1c1.background": "red"}
    found = find(with_marks(state, 2, theirs), Read(dict(read)))
    assert isinstance(found, Faulty)
    assert found.owner == 2


def test_a_missing_mark_does_not_make_it_anothers_sheet(state: State) -> None:
    """Ten threads and spools are there, one patch is not."""
    colours = ("red", "blue", "green", "violet", "brown")
    mine = replace(state.seat(1).marks, bodies=colours, threads=colours, patches=(None, "green", None))
    later = with_marks(state, 1, mine)
    marks = later.seat(1).marks.regions(later.setup.sheet)
    gone = {name: colour for name, colour in marks.items() if not name.startswith("p")}
    found = find(later, Read({**gone, "p3": "yellow"}))
    assert isinstance(found, Faulty)
    assert found.owner is None
