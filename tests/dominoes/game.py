"""Dominoes as a value, as a package would register it by its entry point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from companion.languages import Sentence, render, said
from companion.play import events
from companion.play.arrangement import ArrangementError
from companion.play.game import Game, GameCommands, GameEntry, TerminalParts
from companion.play.page import Body, GamePage, TableAccount, VirtualSide, by_hand
from tests.dominoes.codec import CODEC
from tests.dominoes.rules import CELLS, SIDE, Lay, Setup, State
from tests.dominoes.settings import DominoesSettings
from tests.dominoes.simulated import LayThere, Tabletop, simulated_table
from tests.dominoes.table import dominoes_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.config import Config
    from companion.languages import Language


@dataclass(frozen=True)
class Arrangement:
    """The players of a game."""

    players: tuple[str, ...]
    game: ClassVar[str] = CODEC.name

    def __post_init__(self) -> None:
        if len(self.players) != 2:
            raise ArrangementError("Two play dominoes.")

    def configured(self, config: Config, *, lies_there: bool) -> Config:
        return config.with_game(DominoesSettings((self.players[0], self.players[1])))


class Transcript:
    """A record of the complaints."""

    def __init__(self) -> None:
        self.questions: list[dict[str, Any]] = []
        self.complaints: list[dict[str, Any]] = []

    def __call__(self, event: Any) -> None:
        if isinstance(event, events.Complained):
            self.complaints.append({"says": str(event.complaint.says)})


def turn_words(state: State) -> str:
    if state.turn is None:
        return said("{name} wins.", name=state.setup.players[state.winners[0] - 1])
    return said("It is {name}’s turn.", name=state.setup.players[state.turn - 1])


def words(event: Any) -> tuple[Sentence | str, ...]:
    match event:
        case events.DecisionTaken(decision=decision, state=state):
            name = state.setup.players[decision.seat - 1]
            return (f"{name} lays a domino on {' '.join(decision.cells)}.", turn_words(state))
        case events.Complained(complaint=doubt) | events.Asked(question=doubt):
            return (doubt.says,)
        case events.TableNoticed(says=says):
            return (says,)
        case _:
            return (turn_words(event.state),)


class Laid(Body):
    """The body of a request to lay a domino."""

    cells: tuple[str, str]


def opened(event: events.GameOpened[State, Any]) -> TableAccount:
    return TableAccount(event.state)


def after(table: TableAccount, event: Any, number: int) -> TableAccount:
    del table, number
    return TableAccount(event.state, event.pending)


DOMINO_PAGE: GamePage[TableAccount] = GamePage(
    codec=CODEC,
    title="Dominoes",
    state=State,
    words=words,
    turn_words=turn_words,
    opened=opened,
    after=after,
    snapshot=lambda table, _: {"covered": sorted(table.state.covered)},
    waiting_for=lambda table, visibility: turn_words(table.state) if visibility.camera else "",
    routes=(by_hand("/api/dominoes/lay", Laid, lambda body: LayThere(body.cells)),),
    virtual=VirtualSide(Tabletop, lambda table: {"covered": sorted(table.covered)}, {}),
)


def board_text(covered: dict[str, int]) -> str:
    rows = [CELLS[row * SIDE : (row + 1) * SIDE] for row in range(SIDE)]
    return "\n".join(" ".join(str(covered.get(cell, "·")) for cell in row) for row in rows)


def picture(event: Any, decisions: Sequence[Lay], config: Config, language: Language) -> str | None:
    return board_text(event.state.covered) if isinstance(event, events.DecisionTaken) else None


def score_sheet(printed: dict[str, Any], language: Language) -> str:
    scores = ", ".join(f"seat {seat['seat']}: {seat['score']}" for seat in printed["seats"])
    return render(f"dominoes: {scores}\n", language)


DOMINOES_ENTRY: GameEntry[Setup, Lay, State] = GameEntry(
    title="Dominoes",
    codec=CODEC,
    settings=DominoesSettings,
    commands=GameCommands(score_sheet=score_sheet),
)
DOMINOES: Game[Setup, Lay, State] = Game(
    entry=DOMINOES_ENTRY,
    page=DOMINO_PAGE,
    terminal=TerminalParts(lines=words, picture=picture),
    arrangement=lambda config: Arrangement(config.of(DominoesSettings).players),
    setup=lambda config: Setup(config.of(DominoesSettings).players),
    table=dominoes_table,
    transcript=Transcript,
    whose_turn=turn_words,
    simulated=simulated_table,
    simulated_name=lambda simulation, _: f"simulated dominoes {simulation.seed}",
    begin_says=said("Press confirm to start a new game of {game}.", game="Dominoes"),
)
