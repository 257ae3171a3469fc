"""The terminal's view of an evening of Kvilt: a live picture, or plain lines for a log."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from rich import box
from rich.align import Align
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from calibration.identity import SIGNS, TONES, USUAL
from companion.games.kvilt import BonusKind, PageLayout, State
from companion.kvilt.choices import Choice
from companion.kvilt.naming import colour_word
from companion.kvilt.words import sentences
from companion.languages import ENGLISH, Language, render, said
from companion.play.events import Asked, Complained, GameOpened, LookStarted, TableNoticed
from companion.terminal.strip import strip_picture
from companion.terminal.viewing import LiveScreen

if TYPE_CHECKING:
    from companion.kvilt.codec import Event

_MOST_LINES: Final = 10
_MOST_OPTIONS: Final = 7
_FRAME, _DIM, _WHITE = "#6c6c6c", "#949494", "#5f5f5f"
_STYLES: Final = {Complained: "bold #ff8787", TableNoticed: "#ffd7af"}
_MARKS: Final = {BonusKind.PENCIL: "✎", BonusKind.NEUTRAL: "≡", BonusKind.SWAP: "⇄", BonusKind.SPOOL: "o",
                 BonusKind.BUTTON: "⊙", BonusKind.STITCH: "×"}  # fmt: skip


class KviltTerminalView(LiveScreen[State]):
    """A live picture of Kvilt's table: every sheet, the pencils, the open choice, the news.

    Args:
        console: the terminal.
        layout: the sheet's layout, for the colours.
        page: the address of the page; empty if there is none.
        language: the user's.
    """

    def __init__(self, console: Console, layout: PageLayout, page: str = "", language: Language = ENGLISH) -> None:
        super().__init__(console, page, language)
        self._screens = {colour.key: colour.screen for colour in layout.colours}
        self._title = ""
        self._choice: Choice | None = None
        self._selected = 0
        self._looking = False
        self._latest: deque[tuple[str, str]] = deque(maxlen=_MOST_LINES)

    def __call__(self, event: Event) -> None:
        """See `Viewing`."""
        self._state, self._looking = event.state, isinstance(event, LookStarted)
        if isinstance(event, GameOpened):
            self._title = said("game {number}", number=event.game_id)
        if isinstance(event, Asked):
            self._choice, self._selected = event.question, event.choice
        elif not isinstance(event, TableNoticed):
            self._choice = None
        if not isinstance(event, Asked):
            style = _STYLES.get(type(event), "")
            self._latest.extend((render(says, self._language), style) for says in sentences(event))
        self._refresh()

    def picture(self) -> RenderableType:
        """Return the present picture; empty before a game is opened."""
        if self._state is None:
            return ""
        state = self._state
        sheets = [self._sheet(state, seat) for seat in range(1, state.setup.seats + 1)]
        middle = Table.grid(expand=True)
        middle.add_column(ratio=1)
        middle.add_column(ratio=1)
        middle.add_row(self._pencils(state), self._turn())
        strip = Align.center(strip_picture(self._pixels, self._console.width - 4)) if self._pixels else Text()
        return Group(self._head(state), Columns(sheets, align="center"), middle, strip, self._news_panel())

    def _tell(self, text: str) -> str:
        return render(text, self._language)

    def _head(self, state: State) -> Table:
        line = Table.grid(expand=True)
        line.add_column()
        line.add_column(justify="right")
        title = said("Kvilt · round {round}", round=state.round)
        page = Text(f"  {self._page}", style=_DIM, no_wrap=True, overflow="ellipsis")
        line.add_row(
            Text(f" {self._tell(title)}", style="bold") + page, Text(f"{self._tell(self._title)} ", style=_DIM)
        )
        return line

    def _sheet(self, state: State, number: int) -> Panel:
        """Draw one player's sheet: rows of cells, then patches, spools and embroideries, then the score."""
        side, sheet = state.seat(number), state.setup.sheet
        marks = side.marks.regions(sheet)
        lines = [self._row(state, number, row) for row in range(1, len(sheet.rows) + 1)]
        figures = Text(" ").join(
            Text("").join(self._spot("●", marks.get(region)) for region in figure.regions)
            for figure in sheet.embroideries
        )
        spools = Text(" ").join(
            self._spot("▮" if number <= side.marks.open_spools(sheet) else "¦", marks.get(f"spool{number}.thread"))
            for number in range(1, len(sheet.spools.points) + 1)
        )
        patches = Text(" ").join(self._spot(f"▲{patch.points}", marks.get(patch.id)) for patch in sheet.patches)
        total = Text(self._tell(said("{count} points", count=state.score(number).total)), style="bold")
        who = f"{SIGNS[number - 1]} {state.setup.players[number - 1]}"
        name = Text(f" {'▶ ' if state.turn == number else ''}{who} ", style=f"bold {TONES[USUAL[number - 1]].terminal}")
        if state.first == number:
            name.append("⊙ ", style=_DIM)
        content = Group(self._bonus(state, number), *lines, patches, spools, figures, total)
        moves = state.turn == number
        return Panel(content, title=name, width=24, box=box.HEAVY if moves else box.ROUNDED, padding=(0, 1),
                     border_style="#d7d7d7" if moves else _FRAME)  # fmt: skip

    def _bonus(self, state: State, number: int) -> Text:
        """Draw the bonus colour of this round, and the pencils at hand."""
        side = state.seat(number)
        line = Text()
        if side.bonus is not None:
            line.append("■ ", style=self._screens.get(side.bonus, _DIM))
        for pencil in side.hand:
            line.append("✎", style=self._screens.get(pencil.colour, _DIM))
        line.append("✎" * len(side.spent), style=_WHITE)
        return line

    def _row(self, state: State, number: int, row: int) -> Text:
        """Draw cells as blocks: a full one is solid, a picture alone lighter; white ones show their bonus signs."""
        marks, sheet = state.seat(number).marks.rows[row - 1], state.setup.sheet
        line = Text()
        for cell in range(1, len(sheet.rows[row - 1]) + 1):
            if cell <= marks.cells:
                block = "██" if cell in marks.full_cells else "▒▒"
                line.append(block, style=self._screens.get(marks.colour or "", _DIM))
            else:
                kinds = "".join(_MARKS[bonus.kind] for bonus in sheet.bonuses_at((row, cell)))
                line.append(f"{kinds or '·'} "[:2], style=_WHITE)
        return line

    def _spot(self, symbol: str, colour: str | None) -> Text:
        return Text(symbol, style=_WHITE if colour is None else self._screens.get(colour, _DIM))

    def _pencils(self, state: State) -> Panel:
        """Draw the pincushions in the middle, and the number of pencils in the bag."""
        lines = []
        for number, cushion in enumerate(state.cushions, start=1):
            line = Text(f"{number} ", style=_DIM)
            if cushion.owner is not None:
                line.append(f"→ {state.setup.players[cushion.owner - 1]}", style=_DIM)
            for colour in cushion.pencils:
                line.append(f"✎ {self._tell(colour_word(colour))} ", style=self._screens.get(colour, _DIM))
            lines.append(line)
        bag = self._tell(said("in the bag: {count}", count=sum(state.bag)))
        title = self._tell(said("Pincushions"))
        return Panel(Group(*lines, Text(bag, style=_DIM)), title=title, title_align="left", border_style=_FRAME)

    def _turn(self) -> Panel:
        """Draw the open choice."""
        title = self._tell(said("Now"))
        if self._looking:
            return Panel(self._tell(said("The camera looks at the sheet.")), title=title, title_align="left")
        if self._choice is None:
            return Panel(Text(), title=title, title_align="left", border_style=_FRAME)
        lines = [Text(self._tell(self._choice.says), style="bold")]
        # The option on display is always among them: the list moves up once there are too many before it.
        first = max(0, self._selected + 1 - _MOST_OPTIONS)
        for place, option in list(enumerate(self._choice.options))[first : first + _MOST_OPTIONS]:
            chosen = place == self._selected
            style = "bold" if chosen else _DIM
            lines.append(Text(f"{'› ' if chosen else '  '}{self._tell(option.says)}", style=style, no_wrap=True))
        return Panel(Group(*lines), title=title, title_align="left", border_style=_FRAME)

    def _news_panel(self) -> Panel:
        """Draw the news, the newest sentence at the top, so that it is never cut off."""
        lines = [
            Text(f"{'› ' if age == 0 else '  '}{says}", style=style or ("" if age == 0 else _DIM), no_wrap=age > 0)
            for age, (says, style) in enumerate(reversed(self._latest))
        ]
        title = self._tell(said("News"))
        return Panel(Group(*lines), title=title, title_align="left", border_style=_FRAME, box=box.ROUNDED)
