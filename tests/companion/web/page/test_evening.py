"""A whole evening on the page: one program, and a desk and two phones that sit down at its virtual table in turn.

Each reads its own language. What is laid reaches the game through pictures alone; the program is killed in the midst,
and comes back. The circle is one with which hasty players are done after some thirty decisions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import pytest
from playwright.sync_api import expect

from companion.games.patchwork import (
    PATCHES,
    Advance,
    Decision,
    History,
    PlaceLeather,
    Setup,
    State,
    TakePatch,
    affordable,
    legal_decisions,
    names_of,
    score,
)
from companion.journal import JOURNAL_NAME, Journal
from tests.companion.web.page.program import Program

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PATIENCE_MS: Final = 40_000
"""Long enough for a machine that has much else to do."""
CIRCLE: Final = [
    "corner-b1", "corner-b3", "square", "plus", "fat-plus", "hat", "long-plus", "propeller", "thorn", "aitch",
    "bar3", "long-zig", "tee", "wide-cup", "chunk", "hook-t6", "tall-tee", "hook-t2", "bar5", "dagger", "bar4",
    "square-with-tail", "stairs", "crank", "cup", "long-hook", "mast", "arrow", "boot", "shifted-bricks", "zig-b3",
    "zig-b7", "domino",
]  # fmt: skip
"""Searched so that the game is short, and begins with two patches of one shape for sale."""
ASKEW_CELLS: Final = 0.49
"""So far to the right and up no picture tells which squares are meant."""
ABOVE_FINGER_PX: Final = 44
PERSIAN: Final = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
_HIGHER: Final = "(both) => Math.min(...both.map((one) => one.getBoundingClientRect().top))"

Spot: TypeAlias = tuple[float, float]
Shape: TypeAlias = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Device:
    """What somebody sits down with.

    Attributes:
        language: that its page is read in.
        options: of the browser's context.
        until: the number of the decision before which somebody else sits down.
    """

    language: str
    options: dict[str, object]
    until: int


PHONE: Final = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DEVICES: Final = (
    Device("en", {"viewport": {"width": 1366, "height": 768}}, 9),
    Device("fa", PHONE, 19),
    Device("ru", PHONE, 99),
)
ASKED, TYPED, UNDONE, KILLED = 0, 12, 7, 15
"""Decisions: the first is asked about, one is typed in, one taken back and taken again, one survives a power cut."""


@dataclass
class Sitting:
    """Somebody at a page.

    Attributes:
        page: the page.
        device: what it is shown on.
        finger: drags with a finger; None for a mouse.
        faults: errors of the page's scripts.
    """

    page: Page
    device: Device
    finger: Callable[[Page, Spot, Spot], None] | None
    faults: list[str] = field(default_factory=list)

    def open(self, link: str) -> None:
        """Open the page with the table's key, and wait until the camera sees the table."""
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.goto(link)
        self.page.goto(f"{link.partition('?')[0]}?language={self.device.language}")
        expect(self.page.locator("html")).to_have_attribute("lang", self.device.language)
        self.sees()

    def sees(self) -> None:
        """Wait for the camera's first picture: until then nobody's hands are at the table."""
        expect(self.page.locator(".v-circle-list [data-source=domino]")).to_be_visible(timeout=PATIENCE_MS)
        expect(self.page.locator("#turn :is(.trouble, .awaited)")).to_have_count(0, timeout=PATIENCE_MS)

    def shows(self, state: State) -> None:
        """Wait until both players' buttons and empty squares are those of the rules."""
        for seat in (1, 2):
            figures = self.page.locator(f"#seat-{seat} .figure dd")
            expect(figures.first).to_have_text(self.number(state.seat(seat).buttons), timeout=PATIENCE_MS)
            expect(figures.last).to_have_text(self.number(81 - state.seat(seat).quilt.bit_count()))

    def number(self, count: int) -> str:
        """A number as the language writes it."""
        return str(count).translate(PERSIAN) if self.device.language == "fa" else str(count)

    def press(self, button: str) -> None:
        """Press a drawn button."""
        self.page.locator(f".push[data-key={button}]").click()

    def careful(self, *, careful: bool) -> None:
        """Have pieces laid into the squares, or exactly where they are let go."""
        self.page.locator(".v-checks input").first.set_checked(careful)

    def jump(self) -> None:
        """See no arms at the table any more, for which one would have to wait."""
        self.page.locator(".v-checks input").last.uncheck()

    def lay(self, decision: TakePatch | PlaceLeather, quarters: int, aside: float = 0.0) -> None:
        """Drag from the offers, or leather from the circle, onto a quilt; `aside` cells to the right and up."""
        patch = "leather" if isinstance(decision, PlaceLeather) else decision.patch
        source = self.page.locator(f"#offers [data-patch={patch}]")
        if patch == "leather":
            # The circle is far from the quilts on a phone: leather is taken in hand, and dragged where it appears.
            self.page.locator("[data-source=leather]").click()
            source = self.page.locator(".v-ghost")
        self._bring_together(decision.seat, source)
        self.drag(middle(source), self.goal(decision, aside), quarters)
        expect(self.page.locator(".v-new")).to_have_count(1, timeout=PATIENCE_MS)
        expect(self.page.locator(".v-coming")).to_have_count(0, timeout=PATIENCE_MS)

    def goal(self, decision: TakePatch | PlaceLeather, aside: float = 0.0) -> Spot:
        """Where in the window the middle of a piece goes."""
        rows, columns = zip(*cells_of(decision.cells), strict=True)
        room = self.page.locator(f".v-board[data-seat='{decision.seat}']").bounding_box()
        assert room is not None
        unit = room["width"] / 98  # of the drawing, in which a square is 10 wide and A1 begins at 6, 6
        x, y = ((min(line) + max(line) + 1) / 2 for line in (columns, rows))
        return room["x"] + (6 + 10 * (x + aside)) * unit, room["y"] + (6 + 10 * (y - aside)) * unit

    def drag(self, source: Spot, goal: Spot, quarters: int = 0) -> None:
        """Drag with the finger, or with the mouse and the key that turns."""
        if self.finger is not None:
            self.finger(self.page, source, (goal[0], goal[1] + ABOVE_FINGER_PX))
            return
        mouse = self.page.mouse
        mouse.move(*source)
        mouse.down()
        mouse.move(*goal, steps=4)
        for _ in range(quarters):
            self.page.keyboard.press("r")
        mouse.up()

    def _bring_together(self, seat: int, source: Locator) -> None:
        """Scroll so that what is dragged and the quilt are both in the window."""
        board = self.page.locator(f".v-board[data-seat='{seat}']").element_handle()
        top = self.page.evaluate(_HIGHER, [board, source.element_handle()]) if self.finger else -9999
        self.page.evaluate("top => scrollBy({ top: top - 8, behavior: 'instant' })", top)


def middle(thing: Locator) -> Spot:
    """The middle of something in the window."""
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def cells_of(cells: int) -> Shape:
    """The rows and columns of a mask."""
    return [divmod(bit, 9) for bit in range(81) if cells >> bit & 1]


def turned(patch: str, quarters: int) -> Shape:
    """A patch's cells, turned clockwise; the smallest row and column are 0, and they are in order."""
    cells = [(row, column) for row, column in PATCHES[patch].cells]
    for _ in range(quarters):
        cells = [(column, -row) for row, column in cells]
    return shifted(cells)


def shifted(cells: Shape) -> Shape:
    """Cells in the upper left corner."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return sorted((row - top, column - left) for row, column in cells)


def hasty(state: State, quarters: tuple[int, ...]) -> tuple[Decision, int]:
    """What somebody does who wants to be home soon, and by how many quarters it is turned."""
    ways = {patch: [turned(patch, turns) for turns in quarters] for patch in affordable(state)}
    choices: list[tuple[tuple[int, ...], Decision, int]] = []
    for decision in legal_decisions(state):
        if isinstance(decision, Advance):
            continue
        cells = cells_of(decision.cells)
        snug = (-_beside(state.seat(decision.seat).quilt, cells), *min(cells))
        if isinstance(decision, PlaceLeather):
            choices.append((snug, decision, 0))
        elif (time := PATCHES[decision.patch].time) >= 3 and shifted(cells) in ways[decision.patch]:
            way = ways[decision.patch].index(shifted(cells))
            choices.append(((-time, PATCHES[decision.patch].buttons, way, *snug), decision, quarters[way]))
    assert state.turn is not None
    return min(choices, default=((), Advance(state.turn), 0))[1:]


def _beside(quilt: int, cells: Shape) -> int:
    """How many sides of the cells lie against the quilt or the board's edge."""
    around = [(row + r, column + c) for row, column in cells for r, c in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    return sum(not (0 <= r < 9 and 0 <= c < 9) or bool(quilt >> (r * 9 + c) & 1) for r, c in around)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """The program, with nothing played yet."""
    command = ("play", "--simulate", "--seed", "5")
    program = Program(tmp_path, command, f"[game]\nmarket = {CIRCLE}\n[simulation]\nfps = 6\n")
    program.start()
    yield program
    program.kill()


def test_a_whole_game_is_played_by_dragging(
    browser: Browser, finger: Callable[[Page, Spot, Spot], None], program: Program
) -> None:
    history = History(Setup(players=("Anna", "Boris"), market=tuple(CIRCLE)))
    for device in DEVICES:
        context = browser.new_context(**device.options, reduced_motion="reduce")  # type: ignore[arg-type]  # as it takes
        sitting = Sitting(context.new_page(), device, finger if device.options is PHONE else None)
        sitting.open(program.link)
        while not history.state.finished and len(history.decisions) < device.until:
            sitting.shows(history.state)
            _decide(sitting, history, program)
        sitting.shows(history.state)
        assert sitting.faults == []
        if not history.state.finished:
            context.close()

    expect(sitting.page.locator("#turn h2")).to_have_text("Boris побеждает")
    expect(sitting.page.locator(".v-circle")).to_be_hidden()
    totals = sitting.page.locator(".score-sheet tfoot td").all_inner_texts()
    assert [total.replace("−", "-") for total in totals] == [str(score(history.state.seat(seat))) for seat in (1, 2)]
    context.close()
    program.kill()
    with Journal(program.folder / JOURNAL_NAME, read_only=True) as journal:
        assert journal.decisions(1) == history.decisions


def _decide(sitting: Sitting, history: History, program: Program) -> None:
    """Decide, lay and press as a hasty player at this page would; and what else belongs to this decision."""
    number = len(history.decisions)
    decision, quarters = hasty(history.state, (0,) if sitting.finger else (number % 4, 0, 1, 2, 3))
    if isinstance(decision, Advance):
        sitting.press("advance")
    elif number == ASKED:
        _lay_askew(sitting, decision, quarters)
    else:
        sitting.lay(decision, quarters)
        if number == TYPED:
            _type_in(sitting, decision)
        else:
            sitting.press("confirm")
    history.apply(decision)
    sitting.shows(history.state)
    if number == UNDONE:
        _take_back(sitting, history)
    if number == KILLED:
        _cut_off(sitting, history, program)


def _lay_askew(sitting: Sitting, decision: TakePatch | PlaceLeather, quarters: int) -> None:
    """Lay it between the squares, say which are meant, and lay it there."""
    sitting.careful(careful=False)
    sitting.lay(decision, quarters, ASKEW_CELLS)
    sitting.press("confirm")
    meant = re.compile(f"corner-b1 at {' '.join(names_of(decision.cells))}")
    sitting.page.locator(".option", has_text=meant).click(timeout=PATIENCE_MS)
    expect(sitting.page.locator(".option")).to_have_count(0, timeout=PATIENCE_MS)
    sitting.careful(careful=True)
    sitting.jump()
    sitting.drag(middle(sitting.page.locator(".v-lying")), sitting.goal(decision))
    expect(sitting.page.locator(".v-missing")).to_have_count(0, timeout=PATIENCE_MS)


def _type_in(sitting: Sitting, decision: TakePatch | PlaceLeather) -> None:
    """Say by hand where it lies: the camera's reading is overridden."""
    sitting.page.locator("[data-key=correct]").click()
    for cell in names_of(decision.cells):
        sitting.page.locator(f".tap-cell[data-key={cell}]").click()
    sitting.page.locator("[data-key=send]").click()
    expect(sitting.page.locator("dialog")).to_have_count(0, timeout=PATIENCE_MS)


def _take_back(sitting: Sitting, history: History) -> None:
    """Take the last decision back, and take it again."""
    decision = history.decisions[-1]
    history.undo()
    sitting.press("undo")
    sitting.shows(history.state)
    sitting.press("advance" if isinstance(decision, Advance) else "confirm")
    history.apply(decision)
    sitting.shows(history.state)


def _cut_off(sitting: Sitting, history: History, program: Program) -> None:
    """Kill the program and start it again: the page comes back by itself, and goes on with its key."""
    program.kill()
    expect(sitting.page.locator("#banner")).to_be_visible(timeout=PATIENCE_MS)
    program.start()
    expect(sitting.page.locator("#banner")).to_be_hidden(timeout=PATIENCE_MS)
    sitting.sees()
    sitting.shows(history.state)
    laid = sum(not isinstance(decision, Advance) for decision in history.decisions)
    expect(sitting.page.locator(".v-lying:not(.v-new)")).to_have_count(laid, timeout=PATIENCE_MS)
    sitting.jump()
