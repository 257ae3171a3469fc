"""Games of Kvilt in the journal, as the page shows and exports them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.kvilt import History, decision_to_json, load_layout
from companion.kvilt.sentences import ended_sentence, taken_sentences
from companion.languages import tell
from companion.record import KVILT
from companion.web.kvilt import SEAT_COLOURS, sheet_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.games.kvilt import Decision, Outcome, SeatState, Setup, State
    from companion.journal import Journal
    from companion.languages import Language
    from companion.statistics import KviltGame
    from companion.web.jsontype import Json


def kvilt_details(journal: Journal, game_id: int, language: Language) -> Json:
    """What a game's summary does not have: how it began, what was decided, how it ended."""
    history, outcomes = _replayed(journal, game_id)
    state = history.state
    return {
        "first_seat": state.setup.first_seat,
        "variants": sorted(state.setup.variants),
        "rounds": state.round,
        "result": _result(state, language),
        "decisions_list": [
            {
                "number": number,
                **decision_to_json(decision),
                "says": [tell(says, language) for says in taken_sentences(outcome.facts, outcome.state)],
            }
            for number, (decision, outcome) in enumerate(outcomes, start=1)
        ],
    }


def kvilt_replay(journal: Journal, game_id: int, language: Language) -> Json:
    """The states of a game, told in a language: the start, and the one after each decision.

    A state has the marks that its decision has made; a sheet has all marks of the states up to it. `sheet` is drawn
    from the companion's own layout, and is None where the game was played on another one.
    """
    history, layout = History(journal.setup(game_id, KVILT)), load_layout()
    setup = history.setup
    own = layout.sheet == setup.sheet.id
    states = [_frame(history.state, None, (), {}, language)]
    for decision in journal.decisions(game_id, KVILT):
        before = history.state
        outcome = history.apply(decision)
        says = taken_sentences(outcome.facts, outcome.state)
        states.append(_frame(outcome.state, decision.seat, says, _new_marks(before, outcome.state, decision), language))
    return {
        "game": KVILT.name,
        "sheet_id": setup.sheet.id,
        "sheet": sheet_json(setup.sheet, layout) if own else None,
        "seats": _seats(setup),
        "states": states,
    }


def kvilt_rows(journal: Journal, game_id: int) -> tuple[list[str], list[list[Any]]]:
    """A game's decisions as the heading and the rows of a table; the scores are those after each."""
    history, outcomes = _replayed(journal, game_id)
    players = history.setup.players
    rows = []
    for number, (decision, outcome) in enumerate(outcomes, start=1):
        line = decision_to_json(decision)
        seat, move = line.pop("seat"), line.pop("move")
        detail = "; ".join(f"{key} {_plain(value)}" for key, value in line.items())
        scores = [outcome.state.score(each).total for each in range(1, len(players) + 1)]
        rows.append([number, outcome.state.round, seat, players[seat - 1], move, detail, *scores])
    return ["number", "round", "seat", "player", "move", "what", *_numbered("score", len(players))], rows


def kvilt_games_rows(games: Sequence[KviltGame]) -> tuple[list[str], list[list[Any]]]:
    """Finished games as the heading and the rows of a table, for up to four players each."""
    heading = ["id", "started_at", *_numbered("player", 4), *_numbered("score", 4), "winners", "rounds"]
    return heading, [
        [
            game.game_id,
            game.started_at.isoformat(),
            *_four(game.players),
            *_four(score.total for score in game.scores),
            " ".join(map(str, game.winners)),
            game.rounds,
        ]
        for game in games
    ]


def _numbered(name: str, count: int) -> list[str]:
    return [f"{name}_{number}" for number in range(1, count + 1)]


def _four(values: Any) -> list[Any]:
    listed = list(values)
    return [*listed, *[""] * (4 - len(listed))]


def _plain(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _played(journal: Journal, game_id: int) -> History:
    return _replayed(journal, game_id)[0]


def _replayed(journal: Journal, game_id: int) -> tuple[History, list[tuple[Decision, Outcome]]]:
    history = History(journal.setup(game_id, KVILT))
    return history, [(decision, history.apply(decision)) for decision in journal.decisions(game_id, KVILT)]


def _result(state: State, language: Language) -> Json | None:
    if not state.finished:
        return None
    return {"winners": list(state.winners), "says": tell(ended_sentence(state), language)}


def _seats(setup: Setup) -> list[Json]:
    return [
        {"seat": seat, "name": name, "colour": SEAT_COLOURS[seat - 1]}
        for seat, name in enumerate(setup.players, start=1)
    ]


def _frame(
    state: State, seat: int | None, says: tuple[str, ...], marks: dict[str, str], language: Language
) -> Json:
    return {
        "number": state.decisions_made,
        "seat": seat,
        "round": state.round,
        "phase": state.phase.value,
        "turn": state.turn,
        "marks": marks,
        "seats": list(_stood(state)),
        "says": [tell(each, language) for each in says],
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
