"""The snapshot of a table of Kvilt, and the sheet for the page to draw."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from companion.games.kvilt.rules import History
from companion.games.kvilt.state import Phase, Setup, Variant
from companion.games.patchwork import decisions as patchwork_decisions
from companion.games.patchwork import rules as patchwork_rules
from companion.games.patchwork import state as patchwork_state
from companion.kvilt.choices import Choice, ChoiceTopic, Option, ReportColour, SheetComplaint, Take
from companion.kvilt.page.table import SheetDesk, sheet_json
from companion.kvilt.sheets.files import own_sheet
from companion.kvilt.sheets.layout_files import load_layout
from companion.kvilt.table.offering import VirtualBag, choice_of
from companion.languages import LANGUAGES
from companion.play.events import (
    Asked,
    Complained,
    DecisionTaken,
    DecisionUndone,
    GameOpened,
    LookStarted,
    Pending,
    TableNoticed,
)
from companion.registry import pages
from companion.web.account import snapshot
from tests.companion.announcing import AnnouncedAccount
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

NAMES = ("Anna", "Boris", "Vera")


def test_the_page_hears_which_marks_on_the_paper_do_not_count() -> None:
    heard: list[Any] = []
    SheetDesk(heard.append).show_sheets(("", "animals"), ({}, {"r2c1.picture": "red"}))
    assert heard == [{"themes": ["", "animals"], "uncounted": [{}, {"r2c1.picture": "red"}]}]


class Told:
    """A game of simulated players, reported to an account builder as the table reports it."""

    def __init__(self, seed: int = 3, setup: Setup | None = None) -> None:
        self.game = play_game(setup or own_setup(NAMES), random.Random(seed))
        self.history, self.builder = History(self.game.setup), AnnouncedAccount(pages())
        self.builder(GameOpened(4, self.history.state))

    def play(self, stop: Any = lambda _: False) -> Told:
        while len(self.history.decisions) < len(self.game.decisions) and not stop(self.history.state):
            decision = self.game.decisions[len(self.history.decisions)]
            outcome = self.history.apply(decision)
            self.builder(DecisionTaken(decision, outcome.facts, outcome.state))
        return self

    def ask(self) -> Told:
        choice = choice_of(self.history.state, (), VirtualBag(1))
        assert choice is not None
        self.builder(Asked(choice, 0, self.history.state))
        return self

    def shown(self, code: str = "en") -> dict[str, Any]:
        told: dict[str, Any] = json.loads(json.dumps(snapshot(self.builder.account, LANGUAGES[code])))
        return told


def colouring(state: Any) -> bool:
    return bool(state.round == 5 and state.phase is Phase.COLOURING and state.seats[1].done)


def test_a_table_of_patchwork_has_none() -> None:
    assert snapshot(AnnouncedAccount(pages()).account)["kvilt"] is None


def test_the_table_is_shown() -> None:
    told = Told().play(colouring).ask()
    shown, state = told.shown(), told.history.state
    kvilt = shown["kvilt"]
    assert (kvilt["phase"], kvilt["round"], kvilt["first"], kvilt["turn"]) == ("colouring", 5, state.first, state.turn)
    assert [seat["marks"] for seat in kvilt["seats"]] == [side.marks.regions(state.setup.sheet) for side in state.seats]
    assert [seat["score"]["total"] for seat in kvilt["seats"]] == [state.score(seat).total for seat in (1, 2, 3)]
    for seat in kvilt["seats"]:
        count, each = seat["buttons"]
        assert (count * each, each) == (seat["score"]["buttons"], min(seat["score"]["rows"]))
    assert sum(it["neutral"] for it in kvilt["cushions"]) == 1
    assert kvilt["bag"] == sum(state.bag)
    assert kvilt["choice"]["asks"] == "sheet"
    assert kvilt["choice"]["says"].endswith("then places the sheet under the camera.")
    made = {"decisions": state.decisions_made, "finished": False}
    assert shown["game"] == {"id": 4, **made, "name": "kvilt", "title": "Kvilt"}
    assert (shown["phase"], shown["patchwork"]) == ("playing", None)


def test_the_keys_of_both_games_are_the_same() -> None:
    assert Told().shown().keys() == snapshot(AnnouncedAccount(pages()).account).keys()


def test_one_game_after_the_other_leaves_nothing_of_the_first() -> None:
    builder = AnnouncedAccount(pages())
    sewn = patchwork_rules.History(patchwork_state.Setup(players=("Eva", "Fritz")))
    builder(GameOpened(1, sewn.state))
    outcome = sewn.apply(patchwork_decisions.Advance(1))
    builder(DecisionTaken(patchwork_decisions.Advance(1), outcome.facts, outcome.state))
    builder(GameOpened(2, History(own_setup(("Anna", "Boris"))).state))
    shown = snapshot(builder.account)
    assert (shown["game"]["id"], shown["patchwork"]) == (2, None)
    assert [seat["name"] for seat in shown["kvilt"]["seats"]] == ["Anna", "Boris"]

    anew = patchwork_rules.History(patchwork_state.Setup(players=("Eva", "Fritz")))
    builder(GameOpened(3, anew.state))
    shown = snapshot(builder.account)
    assert (shown["kvilt"], shown["game"]["decisions"], shown["phase"]) == (None, 0, "playing")
    assert all(not seat["pieces"] for seat in shown["patchwork"]["seats"])


def test_regions_coloured_in_this_round_are_new() -> None:
    told = Told().play(colouring)
    state = told.history.state
    before = History(state.setup)
    while before.state.round < 5:
        before.apply(told.game.decisions[len(before.decisions)])
    for number, seat in enumerate(told.shown()["kvilt"]["seats"], start=1):
        earlier = before.state.seat(number).marks.regions(state.setup.sheet)
        assert set(seat["new"]) == set(seat["marks"]) - set(earlier)
    assert any(seat["new"] for seat in told.shown()["kvilt"]["seats"])
    decision = told.history.undo()
    told.builder(DecisionUndone(decision, told.history.state))
    assert [seat["new"] for seat in told.shown()["kvilt"]["seats"]] == [[], [], []]


def test_a_look_a_complaint_and_a_doubt_are_phases() -> None:
    told = Told().play(colouring).ask()
    state = told.history.state
    told.builder(LookStarted(state))
    told.builder(TableNoticed("It is dark.", state))
    assert (told.shown()["phase"], told.shown()["kvilt"]["choice"]) == ("looking", None)
    complaint = SheetComplaint(("E_ORDER",), 1, ("r1c3.picture",), "Wrong.", "1.jpg")
    told.builder(Complained(complaint, state))
    told.builder(Asked(Choice(ChoiceTopic.TROUBLE, 1, (Option("x", ReportColour("p3", None), "?"),), "?"), 0, state))
    shown = told.shown()
    assert (shown["phase"], shown["kvilt"]["complaint"]["codes"]) == ("complaint", ["E_ORDER"])
    assert shown["kvilt"]["complaint"]["regions"] == ["r1c3.picture"]
    # A player says that it is right: the look continues with the regions that it doubts.
    doubt = Choice(ChoiceTopic.DOUBT, 1, (Option("x", ReportColour("p3", None), "?"),), "?", ("p3",))
    told.builder(Asked(doubt, 0, state, pending=Pending(question=doubt)))
    shown = told.shown()
    assert (shown["phase"], shown["kvilt"]["complaint"], shown["kvilt"]["choice"]["regions"]) == (
        "question",
        None,
        ["p3"],
    )


def test_an_option_on_display_is_no_news() -> None:
    told = Told().ask()
    assert [news["kind"] for news in told.shown()["news"]] == ["opened", "opened"]
    doubt = Choice(ChoiceTopic.DOUBT, 1, (Option("x", Take(told.game.decisions[0]), "red"),), "How?")
    told.builder(Asked(doubt, 0, told.history.state))
    assert [news["kind"] for news in told.shown()["news"]] == ["opened", "opened", "question"]


def test_the_end_names_the_winners_and_counts_rows_that_are_negative() -> None:
    told = Told(setup=own_setup(NAMES, variants=frozenset([Variant.ALL_COUNTED]))).play()
    shown, state = told.shown(), told.history.state
    assert shown["phase"] == "finished"
    assert shown["kvilt"]["result"]["winners"] == list(state.winners)
    assert all(len(seat["score"]["negative"]) == 2 for seat in shown["kvilt"]["seats"])


@pytest.mark.parametrize("code", ["ru", "fa"])
def test_choices_are_told_in_the_readers_language(code: str) -> None:
    told = Told().ask()
    english, other = told.shown()["kvilt"]["choice"], told.shown(code)["kvilt"]["choice"]
    assert other["says"] != english["says"]
    assert all(one["says"] != two["says"] for one, two in zip(english["options"], other["options"], strict=True))


def test_the_sheet_has_a_place_for_every_region() -> None:
    sheet = json.loads(json.dumps(sheet_json(own_sheet(), load_layout())))
    named = {f"r{cell['row']}c{cell['cell']}.{part}" for cell in sheet["cells"] for part in ("picture", "background")}
    named |= {patch["id"] for patch in sheet["patches"]} | set(sheet["parts"])
    named |= {f"spool{number}.{part}" for number in range(1, len(sheet["spools"]) + 1) for part in ("body", "thread")}
    assert named == set(own_sheet().regions())
    assert len(sheet["colours"]) == 6
    assert sheet["row_scores"][0] == [149.0, 32.0, 11.0, 12.0]
