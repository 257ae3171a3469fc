"""The page's account of a Kvilt table, and its part of the snapshot."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from calibration.identity import TONES, USUAL
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.sheet import Colour, Sheet, button_factors
from companion.games.kvilt.state import State
from companion.kvilt.choices import Choice, Option, SheetComplaint
from companion.kvilt.codec import Event, marks_to_json
from companion.kvilt.naming import region_words
from companion.kvilt.sheets.layout import PageLayout
from companion.kvilt.words import ended_sentence
from companion.languages import ENGLISH, Language, render, said
from companion.play.events import GameOpened, Pending
from companion.play.page import Asking, GameRoute, Json, RefusedError, TableAccount


class SheetDesk:
    """The sheet of the session, whose layout is not in events, and what of the players' sheets is in no event, either.

    Args:
        follow: called with the page's account of the sheets whenever it changes; see `show_sheets`.

    Attributes:
        sheet: the sheet, or None before one is chosen.
        layout: the sheet's layout, or None before one is chosen.
        drawn: the sheet as JSON, or None before one is chosen.
    """

    def __init__(self, follow: Callable[[Json], None] = lambda _: None) -> None:
        self._follow = follow
        self.sheet: Sheet | None = None
        self.layout: PageLayout | None = None
        self.drawn: Json | None = None

    def lay(self, sheet: Sheet, layout: PageLayout) -> None:
        """Set the sheet that is coloured from now on."""
        self.sheet, self.drawn, self.layout = sheet, sheet_json(sheet, layout), layout

    def show_sheets(self, themes: tuple[str, ...], uncounted: tuple[Mapping[str, Colour], ...]) -> None:
        """Publish, from seat 1, the theme of each sheet, "" for the usual pictures, and its marks that do not count."""
        self._follow({"themes": list(themes), "uncounted": [dict(marks) for marks in uncounted]})

    def leave(self) -> None:
        """See GameDesk; the sheet remains visible."""

    def close(self) -> None:
        """See GameDesk; the sheet remains visible."""


def _sheet(asking: Asking[None]) -> Json:
    """Return the sheet that all players colour, for the page to draw."""
    desk: SheetDesk | None = asking.desk
    if desk is None or desk.sheet is None or desk.drawn is None:
        raise RefusedError(404, said("No game of Kvilt is on the table."))
    names = {region: render(region_words(region, desk.sheet), asking.language) for region in desk.drawn["regions"]}
    return {"sheet": desk.drawn, "names": names}


ROUTES: Final[tuple[GameRoute[Any], ...]] = (GameRoute("/api/kvilt/sheet", _sheet),)


SEAT_COLOURS: Final = tuple(TONES[name].page for name in USUAL)
"""The seats' colours in the page's notation: the strip's, toned down for paper."""


@dataclass(frozen=True, slots=True)
class SheetTable(TableAccount):
    """The page's account of a Kvilt table.

    Attributes:
        state: the game.
        pending: the open choice, and the fault of a sheet until a player acts on it.
        before: by seat, the regions that were coloured when the round's colouring began; later ones are new.
    """

    state: State
    pending: Pending[Choice, SheetComplaint] = field(default_factory=Pending)
    before: Mapping[int, frozenset[str]] | None = None

    @property
    def phase(self) -> str:
        """The word for the first thing that players should see; a choice of the game is no question."""
        pending = self.pending
        if pending.looking:
            return "looking"
        if pending.complaint is not None:
            return "complaint"
        if pending.question is not None and pending.question.doubts:
            return "question"
        return "finished" if self.state.finished else "playing"


def opened(event: GameOpened[State, Decision]) -> SheetTable:
    """Return the account of a game that was just opened."""
    return SheetTable(event.state, before=_coloured(event.state))


def after(table: SheetTable, event: Event, number: int) -> SheetTable:
    """Return the account after a further event."""
    del number
    state = event.state
    # An undo may lead back into an earlier colouring, so the marks are compared anew from there.
    begun = state.round != table.state.round or state.decisions_made < table.state.decisions_made
    return SheetTable(state, event.pending, _coloured(state) if begun else table.before)


def in_question(table: SheetTable | None) -> tuple[str, ...]:
    """Return the regions that an open question or a complaint concerns; empty if there is none."""
    if table is None:
        return ()
    choice = table.pending.question
    about = table.pending.complaint or (choice if choice is not None and choice.doubts else None)
    return () if about is None else about.regions


def _coloured(state: State) -> dict[int, frozenset[str]]:
    sheet = state.setup.sheet
    return {seat: frozenset(side.marks.regions(sheet)) for seat, side in enumerate(state.seats, start=1)}


def kvilt_json(table: SheetTable, language: Language = ENGLISH) -> Json:
    """Return the snapshot's part on Kvilt."""
    state, choice, fault = table.state, table.pending.question, table.pending.complaint
    return {
        "phase": state.phase.value,
        "round": state.round,
        "first": state.first,
        "turn": state.turn,
        "bag": sum(state.bag),
        "tokens": list(state.free_tokens),
        "cushions": _cushions(state),
        "seats": [_seat(table, number) for number in range(1, state.setup.seats + 1)],
        "variants": sorted(state.setup.variants),
        "choice": None if choice is None else _choice(choice, table.pending.choice, language),
        "crop": _crop(table),
        "complaint": None if fault is None else _complaint(fault, language),
        "result": result_json(state, language),
    }


def _crop(table: SheetTable) -> str | None:
    """Return the address of a picture of the part of the sheet in question, or None."""
    # The address changes with the picture, so that browsers never show an earlier one.
    regions = in_question(table)
    return f"/crop/{table.state.mover}.jpg?at={table.state.decisions_made}.{'.'.join(regions)}" if regions else None


def _cushions(state: State) -> list[Json]:
    return [
        {"number": number, "pencils": list(it.pencils), "owner": it.owner, "neutral": number == state.neutral}
        for number, it in enumerate(state.cushions, start=1)
    ]


def _seat(table: SheetTable, number: int) -> Json:
    state, seat = table.state, table.state.seat(number)
    marks = seat.marks.regions(state.setup.sheet)
    known = (table.before or {}).get(number, frozenset())
    points, counts = state.score(number), state.setup.settings.empty_row_counts
    return {
        "seat": number,
        "name": state.setup.players[number - 1],
        "colour": SEAT_COLOURS[number - 1],
        "moves": number == state.turn,
        "bonus": seat.bonus,
        "cushion": seat.cushion,
        "hand": [pencil.colour for pencil in seat.hand],
        "spent": list(seat.spent),
        "done": seat.done,
        "marks": marks,
        "new": [region for region in marks if region not in known],
        "open_spools": seat.marks.open_spools(state.setup.sheet),
        "score": points.to_json(),
        "buttons": button_factors(state.setup.sheet, seat.marks, points.rows, empty_row_counts=counts),
        "rows": marks_to_json(state.setup.sheet, seat.marks)["rows"],
    }


def _choice(choice: Choice, shown: int, language: Language) -> Json:
    return {
        "asks": choice.asks.value,
        "seat": choice.seat,
        "says": render(choice.says, language),
        "shown": shown,
        "drawn": choice.drawn,
        "regions": list(choice.regions),
        "options": [_option(option, language) for option in choice.options],
    }


def _option(option: Option, language: Language) -> Json:
    says = render(option.says, language)
    return {"kind": option.kind, "says": says, "colours": list(option.colours), "numbers": list(option.numbers)}


def _complaint(complaint: SheetComplaint, language: Language) -> Json:
    return {
        "seat": complaint.seat,
        "codes": list(complaint.codes),
        "regions": list(complaint.regions),
        "says": render(complaint.says, language),
    }


def result_json(state: State, language: Language) -> Json | None:
    """Return the winners, and a sentence about them, or None while the game runs."""
    if not state.finished:
        return None
    return {"winners": list(state.winners), "says": render(ended_sentence(state), language)}


def sheet_json(sheet: Sheet, layout: PageLayout) -> Json:
    """Return a sheet as JSON for the page to draw, in millimetres."""
    return {
        "id": layout.sheet,
        "size": list(layout.size),
        "colours": [{"key": it.key, "screen": it.screen, "name": dict(it.name)} for it in layout.colours],
        "cells": [_cell(sheet, layout, cell) for cell in sheet.cells()],
        "themes": {other.theme: _pictures(other) for other in layout.others},
        "patches": [
            {"id": it.id, "points": it.points, "column": it.column, "region": list(layout.patches[it.id].region),
             "number": list(layout.patches[it.id].number), "tip": layout.patches[it.id].tip}
            for it in sheet.patches
        ],
        "spools": [
            {"points": points, "body": [list(rect) for rect in it.body], "thread": list(it.thread), "tag": it.points}
            for points, it in zip(sheet.spools.points, layout.spools, strict=True)
        ],
        "open_spools": sheet.spools.open,
        "parts": {name: list(at) for name, at in layout.parts.items()},
        "radius": layout.radius,
        "regions": [name for name in layout.regions() if not name.startswith("swatch.")],
        "row_scores": [None if rect is None else list(rect) for rect in layout.row_scores],
    }  # fmt: skip


def _pictures(layout: PageLayout) -> list[Json]:
    """Return the picture of each row, relative to the centre of its cell."""
    return [_picture(layout, row) for row in range(1, len(layout.pictures) + 1)]


def _picture(layout: PageLayout, row: int) -> Json:
    place = layout.cells[row, 1]
    left, top = place.middle
    outline = [[round(x - left, 2), round(y - top, 2)] for x, y in place.picture]
    lines = layout.details.get(layout.pictures[row - 1], ())
    return {"outline": outline, "lines": [[list(point) for point in line] for line in lines]}


def _cell(sheet: Sheet, layout: PageLayout, cell: tuple[int, int]) -> Json:
    place = layout.cells[cell]
    return {
        "row": cell[0],
        "cell": cell[1],
        "frame": list(place.frame),
        "picture": [list(point) for point in place.picture],
        "points": sheet.rows[cell[0] - 1].points[cell[1] - 1],
        "points_at": list(place.points),
        "bonus": [str(bonus) for bonus in sheet.bonuses_at(cell)],
        "bonus_at": list(place.bonus),
    }
