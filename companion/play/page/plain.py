"""The default page of a game: its sentences, its points, and a grid if it has one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

from msgspec import Meta

from companion.config.palette import COLOURS
from companion.languages import Language, render, said
from companion.play import events
from companion.play.page.interface import GamePage, TableAccount, Visibility
from companion.play.page.routes import (
    MOST_SEATS,
    ArchivedGame,
    Asking,
    Body,
    Exposure,
    GameRequest,
    GameRoute,
    Json,
    LanguageCode,
    Part,
    PlayerName,
    Rows,
    SetupOffer,
)
from hardware.ports import Button

if TYPE_CHECKING:
    from companion.journal import GameSummary
    from companion.record import Codec


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell of a grid.

    Attributes:
        text: a letter or a number in it; may be empty.
        colour: the kind of cell: 0 for an empty one, a seat's number for its own, other numbers as the game chooses.
    """

    text: str = ""
    colour: int = 0


Grid: TypeAlias = tuple[tuple[CellView, ...], ...]
"""The rows of cells."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat.

    Attributes:
        seat: its number, from 1.
        name: the player's name.
        score: the points so far.
        turn: whether it is this seat's turn.
        colour: the seat's colour in the page's notation.
        grid: the seat's own grid, or None if seats have none.
    """

    seat: int
    name: str
    score: int
    turn: bool
    colour: str
    grid: Grid | None = None


@dataclass(frozen=True, slots=True)
class ActionView:
    """A button that has an effect now.

    Attributes:
        says: its effect, in a word or two.
        press: the button.
    """

    says: str
    press: Button


@dataclass(frozen=True, slots=True)
class TableView:
    """The table.

    Attributes:
        seats: all seats, in order.
        grid: the grid shared by all seats, or None if there is none.
        actions: the buttons that may be pressed.
    """

    seats: tuple[SeatView, ...]
    grid: Grid | None = None
    actions: tuple[ActionView, ...] = ()


def view_json(view: TableView, language: Language) -> Json:
    """Return the table as JSON, in a language."""
    return {
        "seats": [_seat(seat) for seat in view.seats],
        "grid": _grid(view.grid),
        "actions": [{"says": render(each.says, language), "press": each.press.value} for each in view.actions],
    }


def _seat(seat: SeatView) -> Json:
    return {
        "seat": seat.seat,
        "name": seat.name,
        "score": seat.score,
        "turn": seat.turn,
        "colour": seat.colour,
        "grid": _grid(seat.grid),
    }


def _grid(grid: Grid | None) -> Json | None:
    if grid is None:
        return None
    return {"rows": [[{"text": cell.text, "colour": cell.colour} for cell in row] for row in grid]}


@dataclass(frozen=True, slots=True)
class FinishedPlain:
    """The summary of a finished game for statistics.

    Attributes:
        game_id: its number in the journal.
        started_at: the time when it was begun.
        players: their names, by seat.
        scores: their points, by seat.
        winners: the seats that won.
    """

    game_id: int
    started_at: datetime
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def decisions_rows(record: Codec[Any, Any, Any], archived: ArchivedGame) -> Rows:
    """Return a game's decisions, one row each, with all players' points after it."""
    play, rows = record.begin(archived.setup), []
    for number, decision in enumerate(archived.decisions, start=1):
        play.apply(decision)
        what = "; ".join(f"{key} {value}" for key, value in record.decision_to_json(decision).items())
        rows.append((number, what, *record.scores(play.state)))
    scores = (f"score_{seat}" for seat in range(1, len(record.scores(play.state)) + 1))
    return Rows(("number", "what", *scores), tuple(rows))


def games_rows(listed: Iterable[GameSummary]) -> Rows:
    """Return all games, one row each."""
    heading = ("id", "started_at", "players", "scores", "winners", "decisions")
    return Rows(heading, tuple(map(_listed, listed)))


def _listed(game: GameSummary) -> tuple[Any, ...]:
    players, scores = ", ".join(game.players or ()), " ".join(map(str, game.scores or ()))
    winners = " ".join(map(str, game.winners))
    return (game.game_id, game.started_at.isoformat(), players, scores, winners, game.decisions)


def statistics_json(finished: Sequence[FinishedPlain]) -> Json:
    """Return the statistics of all finished games: the result of each, and the figures of each player."""
    points: dict[str, list[Part]] = {}
    for part in parts(finished):
        points.setdefault(part.name, []).append(part)
    players = [_figures(name, played) for name, played in points.items()]
    return {"games": [_played(each) for each in finished], "players": players, "records": []}


def parts(finished: Iterable[FinishedPlain]) -> Iterator[Part]:
    """Yield the parts of all players in all finished games."""
    for game in finished:
        for seat, (name, score) in enumerate(zip(game.players, game.scores, strict=True), start=1):
            yield Part(name, score, game.winners == (seat,))


def _played(game: FinishedPlain) -> Json:
    return {
        "id": game.game_id,
        "started_at": game.started_at.isoformat(),
        "players": list(game.players),
        "scores": list(game.scores),
        "winners": list(game.winners),
    }


def _figures(name: str, played: Sequence[Part]) -> Json:
    points = [part.points for part in played]
    won = sum(part.won for part in played)
    mean = round(sum(points) / len(points), 2)
    return {"name": name, "games": len(played), "won": won, "best": max(points), "mean": mean}


class PlainBegun(Body):
    """The players of the next game."""

    players: Annotated[tuple[PlayerName, ...], Meta(max_length=MOST_SEATS)]
    language: LanguageCode | None = None
    leave: bool = False


@dataclass(frozen=True, slots=True)
class PlainAccount(TableAccount):
    """The account of a game with the default page.

    Attributes:
        decisions: the number of decisions made.
        asked: the latest question; it may no longer be open.
        complained: the latest complaint; it may no longer be open.
    """

    decisions: int = 0
    asked: events.Asked[Any, Any] | None = None
    complained: events.Complained[Any, Any] | None = None


class PlainPage(GamePage[PlainAccount]):
    """A page that is drawn without knowledge of the game.

    Subclasses define `words`, `turn_words`, `arrangement` (from players' names) and `grid`.
    Points and winners are taken from the game's codec.

    Attributes:
        seats: the possible numbers of players, at most eight.
    """

    seats: ClassVar[tuple[int, ...]] = (2,)

    @property
    def routes(self) -> tuple[GameRoute[Any], ...]:  # type: ignore[override]  # made once it is known who the game is
        """The route that begins a game of players with these names."""
        return (GameRoute(f"/api/setup/begin-{self.name}", self._begin, PlainBegun),)

    def _begin(self, asking: Asking[PlainBegun]) -> GameRequest:
        body = asking.body
        return GameRequest(self.arrangement(body.players), body.language, body.leave)

    @abstractmethod
    def arrangement(self, players: tuple[str, ...]) -> Any:
        """Return the arrangement of a game of these players.

        Raises:
            CompanionError: no game can begin with them.
        """

    def players(self, arrangement: Any) -> tuple[str, ...]:
        """Return the players in an arrangement."""
        return tuple(arrangement.players)

    def grid(self, state: Any) -> Grid | None:
        """Return the grid shared by all seats, or None if there is none."""
        del state
        return None

    def own_grid(self, state: Any, seat: int) -> Grid | None:
        """Return a seat's own grid, or None if there is none."""
        del state, seat
        return None

    def actions(self, table: PlainAccount) -> tuple[ActionView, ...]:
        """Return the buttons that may be pressed."""
        undo = ActionView(said("Take back"), Button.UNDO)
        if table.state.finished:
            return (undo,)
        return ActionView(said("Confirm"), Button.CONFIRM), ActionView(said("Next"), Button.ADVANCE), undo

    def option_words(self, option: Any, state: Any) -> str:
        """Return the text for an option of a question."""
        del state
        return str(option)

    def opened(self, event: events.GameOpened[Any, Any]) -> PlainAccount:
        """See GamePage."""
        return PlainAccount(event.state, decisions=len(event.decisions))

    def after(self, table: PlainAccount, event: Any, number: int) -> PlainAccount:
        """See GamePage."""
        del number
        made = isinstance(event, events.DecisionTaken) - isinstance(event, events.DecisionUndone)
        # Their words are made from the events, which the page keeps while they are pending.
        asked, complained = table.asked, table.complained
        asked = event if isinstance(event, events.Asked) else asked
        complained = event if isinstance(event, events.Complained) else complained
        return PlainAccount(event.state, event.pending, table.decisions + made, asked, complained)

    def phase(self, table: PlainAccount) -> str:
        """See GamePage."""
        return table.pending.phase(finished=table.state.finished)

    def game(self, table: PlainAccount) -> Json:
        """See GamePage."""
        return {"decisions": table.decisions}

    def snapshot(self, table: PlainAccount, language: Language) -> Json:
        """See GamePage."""
        state, pending = table.state, table.pending
        return {
            "turn": {"seat": state.turn, "says": render(self.turn_words(state), language)},
            "question": self._question(table.asked if pending.question else None, language),
            "complaint": self._complaint(table.complained if self.phase(table) == "complaint" else None, language),
            "foreseen": self._foreseen(pending.foreseen, language),
            "result": self._result(state, language),
            "table_view": view_json(self.view(table), language),
        }

    def view(self, table: PlainAccount) -> TableView:
        """Return the view of the table to draw."""
        state, colours = table.state, tuple(COLOURS.values())
        scores = self.codec.scores(state)
        seats = (
            SeatView(seat, name, scores[seat - 1], state.turn == seat, colours[seat - 1], self.own_grid(state, seat))
            for seat, name in enumerate(state.setup.players, start=1)
        )
        return TableView(tuple(seats), self.grid(state), self.actions(table))

    def waiting_for(self, table: PlainAccount, visibility: Visibility) -> str:
        """See GamePage."""
        if table.state.turn is None:
            return ""
        if visibility.camera:
            return self.turn_words(table.state)
        return said("The camera is starting.") if visibility.awaited else said("The camera sends no pictures.")

    def exposure(self, watch: Any, table: PlainAccount | None, desk: Any) -> Exposure | None:
        """See GamePage."""
        del table, desk
        return None if watch.frame is None else Exposure(watch.frame)

    def _said(self, event: Any, language: Language) -> str:
        return " ".join(render(sentence, language) for sentence in self.words(event))

    def _question(self, asked: events.Asked[Any, Any] | None, language: Language) -> Json | None:
        if asked is None:
            return None
        options = [render(self.option_words(option, asked.state), language) for option in asked.question.options]
        return {
            "seat": asked.state.turn,
            "asks": "plain",
            "says": self._said(asked, language),
            "cells": [],
            "choice": asked.choice,
            "options": [{"says": says} for says in options],
            "crop": None,
        }

    def _complaint(self, complained: events.Complained[Any, Any] | None, language: Language) -> Json | None:
        if complained is None:
            return None
        says = self._said(complained, language)
        return {"seat": complained.state.turn, "reason": "plain", "says": says, "cells": [], "crop": None}

    def _foreseen(
        self, foreseen: events.DecisionForeseen | events.UndoForeseen | None, language: Language
    ) -> Json | None:
        return None if foreseen is None else {"says": self._said(foreseen, language), "pause_s": foreseen.pause_s}

    def _result(self, state: Any, language: Language) -> Json | None:
        if not state.finished:
            return None
        winners = self.codec.winners(state)
        return {"winners": list(winners), "says": render(self.turn_words(state), language)}

    def offer(self, offered: SetupOffer) -> Json:
        """See GamePage."""
        chosen = {"players": list(self.players(offered.chosen)), "language": offered.language}
        return {self.name: {"next": chosen, "seats": list(self.seats)}}

    def details(self, archived: ArchivedGame, language: Language) -> Json:
        """See GamePage."""
        play = self.codec.begin(archived.setup)
        decisions = []
        for number, decision in enumerate(archived.decisions, start=1):
            play.apply(decision)
            says = render(self.turn_words(play.state), language)
            decisions.append({"number": number, **self.codec.decision_to_json(decision), "says": [says]})
        return {"result": self._result(play.state, language), "decisions_list": decisions}

    def replay(self, archived: ArchivedGame, desk: Any, language: Language) -> Json:
        """See GamePage."""
        del desk
        play = self.codec.begin(archived.setup)
        states = [self._frame(play.state, 0, language)]
        for number, decision in enumerate(archived.decisions, start=1):
            play.apply(decision)
            states.append(self._frame(play.state, number, language))
        return {"states": states}

    def _frame(self, state: Any, number: int, language: Language) -> Json:
        view = self.view(PlainAccount(state, decisions=number))
        says = render(self.turn_words(state), language)
        return {"number": number, "turn": state.turn, "table_view": view_json(view, language), "says": [says]}

    def decisions_rows(self, archived: ArchivedGame) -> Rows:
        """See GamePage."""
        return decisions_rows(self.codec, archived)

    def games_rows(self, listed: Iterable[GameSummary], finished: Sequence[Any]) -> Rows:
        """See GamePage."""
        del finished
        return games_rows(listed)

    def statistics(self, finished: Sequence[Any]) -> Json:
        """See GamePage; a game's summary must be a `FinishedPlain`, or have the same attributes."""
        return statistics_json(finished)

    def parts(self, finished: Sequence[Any]) -> Iterator[Part]:
        """See GamePage."""
        return parts(finished)

    def colours(self, notes: Mapping[str, str]) -> tuple[str, ...]:
        """See GamePage."""
        del notes
        return tuple(COLOURS.values())
