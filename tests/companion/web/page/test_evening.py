"""Test a whole evening on the page: one program, and a desktop and a phone at its virtual table.

Each reads its own language. What is laid reaches the game through pictures alone. The desktop begins. The program is
killed, and when it comes back to them the middle of the game has been played without them: the phone goes on to the
score, and the desktop follows.
The circle is one with which hasty players are done after thirty decisions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pytest
from playwright.sync_api import expect

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, MoveDecision, PlaceLeather, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, affordable
from companion.games.patchwork.state import Setup, State, score
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs
from tests.companion.web.page.pointing import ABOVE_FINGER_PX, DESK, PHONE, Spot, drag, middle, shifted, square
from tests.companion.web.page.program import Program
from tests.companion.web.page.served import PATIENCE_MS, TWIN_CIRCLE, await_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Locator, Page

PERSIAN: Final = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
MARKS: Final = "\u2066\u2069\u200e"
"""The characters that keep a sign beside its number in right-to-left text."""
MINUS: Final = "\u2212"
_HIGHER: Final = "(both) => Math.min(...both.map((one) => one.getBoundingClientRect().top))"
_TAKEN_OR_ASKED: Final = "() => !document.querySelector('.v-new') || document.querySelector('.option')"

Shape: TypeAlias = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Device:
    """A device at the table.

    Attributes:
        language: the page's language.
        options: the options of the browser's context.
    """

    language: str
    options: dict[str, Any]


DEVICES: Final = (Device("en", DESK), Device("fa", PHONE))
ENDS: Final = {"en": "Boris wins", "fa": "Boris برنده شد"}
GOES_ON_AFTER: Final = 26
"""The number of decisions in the journal when the program is started again."""


@dataclass
class Sitting:
    """A user at a page.

    Attributes:
        page: the page.
        device: the device that shows it.
        finger: a function that drags with a finger; None for a mouse.
    """

    page: Page
    device: Device
    finger: Callable[[Page, Spot, Spot], None] | None

    def shows(self, state: State) -> None:
        """Wait until both players' buttons and empty squares are those of the rules."""
        for seat in (1, 2):
            figures = self.page.locator(f"#seat-{seat} .figure dd")
            expect(figures.first).to_have_text(self.number(state.seat(seat).buttons), timeout=PATIENCE_MS)
            expect(figures.last).to_have_text(self.number(81 - state.seat(seat).quilt.bit_count()))

    def number(self, count: int) -> str:
        """Return a number as the language writes it."""
        figure = str(count).replace("-", MINUS)
        return figure.translate(PERSIAN) if self.device.language == "fa" else figure

    def press(self, button: str) -> None:
        """Press a drawn button once the previous press has been answered: until then it would do nothing."""
        expect(self.page.locator(".push[aria-busy]")).to_have_count(0, timeout=PATIENCE_MS)
        self.page.locator(f".push[data-key={button}]").click()

    def answer(self, decision: TakePatch) -> None:
        """Wait until a laid piece is taken; if two patches have its shape, answer the table's question."""
        self.page.wait_for_function(_TAKEN_OR_ASKED, polling=50, timeout=PATIENCE_MS)
        asked = self.page.locator(".option", has=self.page.locator(f".piece[data-patch='{decision.patch}']"))
        if asked.count():
            asked.click()

    def jump(self) -> None:
        """Switch off simulated arms, which would take time."""
        self.page.locator(".v-checks input").last.uncheck()

    def lay(self, decision: TakePatch, quarters: int) -> None:
        """Drag from the offers onto a quilt."""
        source = self.page.locator(f"#offers [data-patch={decision.patch}]")
        self._bring_together(decision.seat, source)
        self.drag(middle(source), self.goal(decision), quarters)
        expect(self.page.locator(".v-new")).to_have_count(1, timeout=PATIENCE_MS)
        expect(self.page.locator(".v-coming")).to_have_count(0, timeout=PATIENCE_MS)

    def goal(self, decision: TakePatch) -> Spot:
        """Return the place in the window of a piece's middle."""
        rows, columns = zip(*cells_of(decision.cells), strict=True)
        x, y = ((min(line) + max(line) + 1) / 2 for line in (columns, rows))
        return square(self.page, decision.seat, x, y)

    def drag(self, source: Spot, goal: Spot, quarters: int = 0) -> None:
        """Drag with the finger, or with the mouse and the key that turns the piece."""
        if self.finger is not None:
            self.finger(self.page, source, shifted(goal, (0, ABOVE_FINGER_PX)))
        else:
            drag(self.page, source, goal, keys="r" * quarters)

    def _bring_together(self, seat: int, source: Locator) -> None:
        """Scroll so that the dragged piece and the quilt are both in the window."""
        board = self.page.locator(f".v-board[data-seat='{seat}']").element_handle()
        top = self.page.evaluate(_HIGHER, [board, source.element_handle()]) if self.finger else -9999
        self.page.evaluate("top => scrollBy({ top: top - 8, behavior: 'instant' })", top)


def cells_of(cells: int) -> Shape:
    """Return the rows and columns of a mask."""
    return [divmod(bit, 9) for bit in range(81) if cells >> bit & 1]


def turned(patch: str, quarters: int) -> Shape:
    """Return a patch's cells, turned clockwise, sorted, with the smallest row and column 0."""
    cells = [(row, column) for row, column in PATCHES[patch].cells]
    for _ in range(quarters):
        cells = [(column, -row) for row, column in cells]
    return cornered(cells)


def cornered(cells: Shape) -> Shape:
    """Return cells moved to the upper left corner, sorted."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return sorted((row - top, column - left) for row, column in cells)


def hasty(state: State, quarters: tuple[int, ...]) -> tuple[MoveDecision, int]:
    """Return the decision of a player who wants a short game, and the number of quarter turns."""
    ways = {patch: [turned(patch, turns) for turns in quarters] for patch in affordable(state)}
    choices: list[tuple[tuple[int, ...], MoveDecision, int]] = []
    for decision in legal_decisions(state):
        if isinstance(decision, Advance):
            continue
        cells = cells_of(decision.cells)
        snug = (-_beside(state.seat(decision.seat).quilt, cells), *min(cells))
        if isinstance(decision, PlaceLeather):
            choices.append((snug, decision, 0))
        elif (time := PATCHES[decision.patch].time) >= 3 and cornered(cells) in ways[decision.patch]:
            way = ways[decision.patch].index(cornered(cells))
            choices.append(((-time, PATCHES[decision.patch].buttons, way, *snug), decision, quarters[way]))
    assert state.turn is not None
    return min(choices, default=((), Advance(state.turn), 0))[1:]


def _beside(quilt: int, cells: Shape) -> int:
    """Count the sides of the cells that touch the quilt or the board's edge."""
    around = [(row + r, column + c) for row, column in cells for r, c in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    return sum(not (0 <= r < 9 and 0 <= c < 9) or bool(quilt >> (r * 9 + c) & 1) for r, c in around)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """The program before the first decision."""
    command = ("play", "--simulate", "--seed", "5")
    program = Program(tmp_path, command, f"[patchwork]\nmarket = {list(TWIN_CIRCLE)}\n")
    program.start()
    yield program
    program.kill()


def test_a_whole_game_is_played_by_dragging(
    visit: Callable[..., Page], finger: Callable[[Page, Spot, Spot], None], program: Program
) -> None:
    history = History(Setup(players=("Anna", "Boris"), market=TWIN_CIRCLE))
    around: list[Sitting] = []
    for device in DEVICES:
        address = f"{program.link.partition('?')[0]}?language={device.language}"
        page = visit(program.link, address, **device.options)
        around.append(Sitting(page, device, finger if device.options is PHONE else None))
        await_table(page)
        around[-1].jump()
        if device is DEVICES[0]:
            _decide(around[-1], history)
            # The camera's picture, which is loaded for as long as it is in the window, is below it.
            page.set_viewport_size({"width": device.options["viewport"]["width"], "height": 500})
    _cut_off(around, history, program)
    while not history.state.finished:
        _decide(around[-1], history)
    for sitting in around:
        expect(sitting.page.locator("#turn h2")).to_have_text(ENDS[sitting.device.language])
        expect(sitting.page.locator(".v-circle")).to_be_hidden()
        totals = sitting.page.locator(".score-sheet tfoot td").all_inner_texts()
        scores = [sitting.number(score(history.state.seat(seat))) for seat in (1, 2)]
        assert [total.strip(MARKS) for total in totals] == scores
    program.kill()
    with Journal(program.folder / JOURNAL_NAME, codecs(), read_only=True) as journal:
        assert journal.decisions(1, PATCHWORK) == history.decisions


def _decide(sitting: Sitting, history: History) -> None:
    """Decide, lay and press as a hasty player at this page."""
    decision, quarters = hasty(history.state, (0,) if sitting.finger else (1, 0, 2, 3))
    if isinstance(decision, Advance):
        sitting.press("advance")
    else:
        assert isinstance(decision, TakePatch), "leather is laid in other tests"
        sitting.lay(decision, quarters)
        sitting.press("confirm")
        sitting.answer(decision)
    history.apply(decision)
    sitting.shows(history.state)


def _play_on(program: Program, history: History) -> None:
    """Append the middle of the game to the journal, as hasty players would play it."""
    with Journal(program.folder / JOURNAL_NAME, codecs()) as journal:
        assert journal.decisions(1, PATCHWORK) == history.decisions
        while len(history.decisions) < GOES_ON_AFTER:
            decision, _ = hasty(history.state, (0,))
            history.apply(decision)
            journal.append(1, len(history.decisions), decision)


def _cut_off(around: list[Sitting], history: History, program: Program) -> None:
    """Kill the program and start it again: every page reconnects by itself and keeps its key."""
    program.kill()
    _play_on(program, history)
    for sitting in around:
        expect(sitting.page.locator("#banner")).to_be_visible(timeout=PATIENCE_MS)
    program.start()
    laid = sum(not isinstance(decision, Advance) for decision in history.decisions)
    for sitting in around:
        expect(sitting.page.locator("#banner")).to_be_hidden(timeout=PATIENCE_MS)
        await_table(sitting.page)
        sitting.shows(history.state)
        expect(sitting.page.locator(".v-lying:not(.v-new)")).to_have_count(laid, timeout=PATIENCE_MS)
    around[-1].jump()
