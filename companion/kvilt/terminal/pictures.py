"""Kvilt drawn in a terminal, as rich text: every player's sheet."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from calibration.identity import SIGNS, TONES, USUAL
from companion.config import Config
from companion.games.kvilt.decisions import Decision, Done
from companion.games.kvilt.sheet import BonusKind
from companion.games.kvilt.state import State
from companion.kvilt.assembling import sheet_layout
from companion.kvilt.codec import Event
from companion.kvilt.settings import KviltSettings
from companion.kvilt.sheets.layout import PageLayout
from companion.languages import Language, counted, render
from companion.play.events import DecisionTaken, DecisionUndone, GameOpened

# Readable on a dark ground and on a light one.
_DIM: Final = "#888888"
_MARKS: Final = {BonusKind.PENCIL: "✎", BonusKind.NEUTRAL: "≡", BonusKind.SWAP: "⇄", BonusKind.SPOOL: "o",
                 BonusKind.BUTTON: "⊙", BonusKind.STITCH: "×"}  # fmt: skip
# Three sheets side by side fill 80 columns.
_WIDTH: Final = 24


def sheets_picture(state: State, layout: PageLayout, language: Language) -> RenderableType:
    """Draw the sheets of all players side by side, as many in a row as the terminal is wide."""
    colours = {colour.key: colour.screen for colour in layout.colours}
    return Columns([_sheet(state, seat, colours, language) for seat in range(1, state.setup.seats + 1)])


def _sheet(state: State, number: int, colours: Mapping[str, str], language: Language) -> Panel:
    """Draw one player's sheet: rows of cells, then patches, spools and embroideries, then the score."""
    side, sheet = state.seat(number), state.setup.sheet
    marks = side.marks.regions(sheet)

    def spot(symbol: str, region: str) -> Text:
        return Text(symbol, style=colours.get(marks.get(region, ""), _DIM))

    rows = [_row(state, number, row, colours) for row in range(1, len(sheet.rows) + 1)]
    figures = [Text("").join(spot("●", region) for region in figure.regions) for figure in sheet.embroideries]
    spools = [
        spot("▮" if spool <= side.marks.open_spools(sheet) else "¦", f"spool{spool}.thread")
        for spool in range(1, len(sheet.spools.points) + 1)
    ]
    patches = [spot(f"▲{patch.points}", patch.id) for patch in sheet.patches]
    gap = Text(" ")
    total = counted("{count} point", "{count} points", state.score(number).total)
    mover = state.turn == number
    name = Text(f" {'▶ ' if mover else ''}{SIGNS[number - 1]} {state.setup.players[number - 1]} ")
    name.stylize(f"bold {TONES[USUAL[number - 1]].terminal}")
    return Panel(
        Group(*rows, gap.join(patches), gap.join(spools), gap.join(figures), Text(render(total, language), "bold")),
        title=name,
        width=_WIDTH,
        box=box.HEAVY if mover else box.ROUNDED,
        border_style="" if mover else _DIM,
    )


def _row(state: State, number: int, row: int, colours: Mapping[str, str]) -> Text:
    """Draw cells as blocks: a full one is solid, a picture alone lighter; white ones show their bonus signs."""
    marks, sheet = state.seat(number).marks.rows[row - 1], state.setup.sheet
    line = Text()
    for cell in range(1, len(sheet.rows[row - 1]) + 1):
        if cell <= marks.cells:
            block = "██" if cell in marks.full_cells else "▒▒"
            line.append(block, style=colours.get(marks.colour or "", _DIM))
        else:
            kinds = "".join(_MARKS[bonus.kind] for bonus in sheet.bonuses_at((row, cell)))
            line.append(f"{kinds or '·'} "[:2], style=_DIM)
    return line


def picture_after(
    event: Event, decisions: Sequence[Decision], config: Config, language: Language
) -> RenderableType | None:
    """Return every sheet after an event by which a player has finished colouring, or None."""
    del decisions
    if isinstance(event, DecisionTaken | DecisionUndone):
        if not isinstance(event.decision, Done):
            return None
    elif not (isinstance(event, GameOpened) and event.decisions):
        return None
    return sheets_picture(event.state, sheet_layout(config.of(KviltSettings), event.state.setup), language)
