"""Games of Kvilt in the journal, as the page shows and exports them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Final, TypeAlias

from companion.games.kvilt.decisions import Decision, decision_to_json
from companion.games.kvilt.rules import History, Outcome
from companion.games.kvilt.sheet import Sheet
from companion.games.kvilt.state import SeatState, Setup, State
from companion.journal import GameSummary
from companion.kvilt.page.table import SEAT_COLOURS, SheetDesk, result_json, sheet_json
from companion.kvilt.settings import SEATS
from companion.kvilt.sheets.layout_files import load_layout
from companion.kvilt.statistics import KviltGame, kvilt_figures, kvilt_records
from companion.kvilt.table.offering import themes_in
from companion.kvilt.words import taken_sentences
from companion.languages import Language, render
from companion.play.page import ArchivedGame, ArchivePage, Json, Part, Rows, between, rounded

KviltSeat: TypeAlias = Annotated[int, between(1, max(SEATS))]


_PLAYER_COLUMNS: Final = ("name", "games", "won", "best", "mean", "rows", "patches", "spools", "buttons", "streak")


def statistics_json(games: Sequence[KviltGame]) -> Json:
    """Return the statistics of all finished games: scores, players and records."""
    return {
        "games": [
            {
                "id": game.game_id,
                "started_at": game.started_at.isoformat(),
                "players": list(game.players),
                "scores": [score.total for score in game.scores],
                "winners": list(game.winners),
            }
            for game in games
        ],
        "players": rounded(kvilt_figures(games)),
        "records": [asdict(each) for each in kvilt_records(games)],
    }


def parts(games: Iterable[KviltGame]) -> Iterator[Part]:
    """Yield all players' parts in all finished games."""
    for game in games:
        for seat, (name, score) in enumerate(zip(game.players, game.scores, strict=True), start=1):
            # A shared victory is no one player's alone.
            yield Part(name, score.total, game.winners == (seat,))


def details(archived: ArchivedGame, language: Language) -> Json:
    """Return what a game's summary lacks: its set-up, its decisions and its result.

    `marks` are the marks on each seat's sheet at the end, by region, `themes` the themes of the sheets; `sheet` is None
    in the same case as in `replay`.
    """
    history, outcomes = _replayed(archived)
    state = history.state
    return {
        "first_seat": state.setup.first_seat,
        "variants": sorted(state.setup.variants),
        "rounds": state.round,
        "result": result_json(state, language),
        "sheet": _sheet(state.setup.sheet, None),
        "themes": list(themes_in(archived.notes, state.setup.seats)),
        "marks": [seat.marks.regions(state.setup.sheet) for seat in state.seats],
        "decisions_list": [
            {
                "number": number,
                **decision_to_json(decision),
                "says": [render(says, language) for says in taken_sentences(outcome.facts, outcome.state)],
            }
            for number, (decision, outcome) in enumerate(outcomes, start=1)
        ],
    }


def replay(archived: ArchivedGame, desk: SheetDesk | None, language: Language) -> Json:
    """Return the states of a game: the start, and the one after each decision, with sentences in a language.

    A state contains the marks that its decision made; a sheet has the marks of all states up to it. `sheet` is drawn
    from the companion's own layout, or is the desk's; it is None if the game was played on another one.
    """
    history = History(archived.setup)
    setup = history.setup
    states = [_frame(history.state, None, (), {}, language)]
    for decision in archived.decisions:
        before = history.state
        outcome = history.apply(decision)
        says = taken_sentences(outcome.facts, outcome.state)
        states.append(_frame(outcome.state, decision.seat, says, _new_marks(before, outcome.state, decision), language))
    return {
        "sheet_id": setup.sheet.id,
        "sheet": _sheet(setup.sheet, None if desk is None else desk.drawn),
        "seats": _seats(setup),
        "themes": list(themes_in(archived.notes, setup.seats)),
        "states": states,
    }


def _sheet(sheet: Sheet, live: Json | None) -> Json | None:
    layout = load_layout()
    if layout.sheet == sheet.id:
        return sheet_json(sheet, layout)
    return live if live is not None and live["id"] == sheet.id else None


def decisions_rows(archived: ArchivedGame) -> Rows:
    """Return a game's decisions, one row each; the scores are those after it."""
    history, outcomes = _replayed(archived)
    players = history.setup.players
    rows = []
    for number, (decision, outcome) in enumerate(outcomes, start=1):
        line = decision_to_json(decision)
        seat, move = line.pop("seat"), line.pop("move")
        detail = "; ".join(f"{key} {_plain(value)}" for key, value in line.items())
        scores = [outcome.state.score(each).total for each in range(1, len(players) + 1)]
        rows.append((number, outcome.state.round, seat, players[seat - 1], move, detail, *scores))
    heading = ("number", "round", "seat", "player", "move", "what", *_numbered("score", len(players)))
    return Rows(heading, tuple(rows))


def games_rows(listed: Iterable[GameSummary], games: Sequence[KviltGame]) -> Rows:
    """Return finished games, one row each, with room for up to four players."""
    del listed
    heading = ("id", "started_at", *_numbered("player", 4), *_numbered("score", 4), "winners", "rounds")
    rows = (
        (
            game.game_id,
            game.started_at.isoformat(),
            *_four(game.players),
            *_four(score.total for score in game.scores),
            " ".join(map(str, game.winners)),
            game.rounds,
        )
        for game in games
    )
    return Rows(heading, tuple(rows))


def _numbered(name: str, count: int) -> list[str]:
    return [f"{name}_{number}" for number in range(1, count + 1)]


def _four(values: Any) -> list[Any]:
    listed = list(values)
    return [*listed, *[""] * (4 - len(listed))]


def _plain(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _replayed(archived: ArchivedGame) -> tuple[History, list[tuple[Decision, Outcome]]]:
    history = History(archived.setup)
    return history, [(decision, history.apply(decision)) for decision in archived.decisions]


def _seats(setup: Setup) -> list[Json]:
    return [
        {"seat": seat, "name": name, "colour": SEAT_COLOURS[seat - 1]}
        for seat, name in enumerate(setup.players, start=1)
    ]


def _frame(state: State, seat: int | None, says: tuple[str, ...], marks: dict[str, str], language: Language) -> Json:
    return {
        "number": state.decisions_made,
        "seat": seat,
        "round": state.round,
        "phase": state.phase.value,
        "turn": state.turn,
        "marks": marks,
        "seats": list(_stood(state)),
        "says": [render(each, language) for each in says],
    }


def _stood(state: State) -> Iterator[Json]:
    for number, seat in enumerate(state.seats, start=1):
        yield {
            "bonus": seat.bonus,
            "hand": [pencil.colour for pencil in seat.hand],
            "open_spools": seat.marks.open_spools(state.setup.sheet),
            "score": state.score(number).to_json(),
        }


def _new_marks(before: State, after: State, decision: Decision) -> dict[str, str]:
    sheet = before.setup.sheet

    def marks(seat: SeatState) -> dict[str, str]:
        return seat.marks.regions(sheet)

    known = marks(before.seat(decision.seat))
    return {region: colour for region, colour in marks(after.seat(decision.seat)).items() if region not in known}


ARCHIVE: Final = ArchivePage(
    details=details,
    replay=replay,
    decisions_rows=decisions_rows,
    games_rows=games_rows,
    statistics=statistics_json,
    parts=parts,
    player_columns=_PLAYER_COLUMNS,
)
"""The stored games of Kvilt on the page."""
