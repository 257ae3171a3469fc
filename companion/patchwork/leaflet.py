"""A leaflet of two pages for the game's box: the rules in two minutes, and the push-buttons and lights."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from calibration.printing.leaflet import GUTTER_MM, MARGIN_MM, SMALL_MM, LeafletPage
from calibration.printing.page import (
    BLACK,
    GREY,
    INK,
    PALE,
    PAPERS,
    WHITE,
    Colour,
    PdfSheet,
    Point,
    rectangle,
    seat_mark,
)
from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Decision, TakePatch
from companion.games.patchwork.facts import ButtonsEarned, Fact, IncomePaid, LeatherWon, TurnPassed
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import new_game
from companion.games.patchwork.state import Setup, State
from companion.languages import Language, render, said
from companion.patchwork.lights import LightShow
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reason
from companion.play import events
from hardware.ports import RGB

_CHAPTER_GAP_MM: Final = 4.0
_GAP_MM: Final = 1.6
# Width and height of the room for a drawing beside its sentences.
_DRAWN_MM: Final = (58.0, 30.0)
_CLOTHS: Final[tuple[Colour, ...]] = ((0.93, 0.85, 0.72), (0.80, 0.87, 0.91), (0.90, 0.79, 0.79), (0.82, 0.89, 0.79))
_BUTTON: Final[Colour] = (0.23, 0.41, 0.63)
_LEATHER: Final[Colour] = (0.55, 0.36, 0.23)
# Ten patches of the box that fill a square of 7x7.
_FULL: Final = (
    "B2 C2 D2 E2 C3 D3", "F2 G2 H2 G3", "B3 B4 B5 C5 B6", "E3 E4 E5 E6", "F3 H3 F4 G4 H4 F5 H5", "C4 D4 D5 C6 D6",
    "G5 F6 G6 H6 G7", "B7 C7 D7 B8", "E7 F7 C8 D8 E8", "H7 F8 G8 H8",
)  # fmt: skip

_Drawing: TypeAlias = "Callable[[LeafletPage, Point], None]"

TITLE: Final = said("Patchwork in two minutes")
LEAD: Final = said(
    "Each of you sews a quilt, of patches that cost buttons and time. Most buttons and fewest holes win."
)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the rules.

    Attributes:
        title: its heading.
        says: its sentences, in their order.
        draw: a function that draws beside them, in a room of 58 by 30 mm below and to the right of a corner.
    """

    title: str
    says: tuple[str, ...]
    draw: _Drawing


def _write_rules(page: LeafletPage) -> None:
    """Write the page."""
    below = page.head(TITLE, LEAD)
    text_mm = page.width_mm - _DRAWN_MM[0] - GUTTER_MM
    leftwards = page.prose.reads_leftwards
    for chapter in CHAPTERS:
        top_mm = page.section(below + _CHAPTER_GAP_MM, chapter.title)
        chapter.draw(page, (MARGIN_MM if leftwards else MARGIN_MM + text_mm + GUTTER_MM, top_mm - 6.0))
        x = MARGIN_MM + _DRAWN_MM[0] + GUTTER_MM if leftwards else MARGIN_MM
        foot_mm = _says(page, (x, top_mm), text_mm, chapter.says)
        below = max(foot_mm, top_mm - 6.0 + _DRAWN_MM[1])


def _says(page: LeafletPage, corner: Point, width_mm: float, says: tuple[str, ...]) -> float:
    """Write a chapter's sentences, numbered if there are several, and return the lower end in mm."""
    if len(says) == 1:
        return page.prose.paragraph(corner, width_mm, page.render(says[0]), SMALL_MM)
    return page.steps(corner, width_mm, says, _GAP_MM, SMALL_MM)


def _turns(page: LeafletPage, corner: Point) -> None:
    """Draw a part of the track: the token behind moves, past the other one."""
    sheet = page.sheet
    left, top = corner[0], corner[1] + 13.0
    _spaces(sheet, (left, top), 7)
    seat_mark(sheet, 1, (left + 12.3, top + 4.1), 2.8)
    seat_mark(sheet, 2, (left + 36.9, top + 4.1), 2.8)
    sheet.arc((left + 28.7, top), 16.4, (0.0, 180.0), INK, 0.4)
    sheet.polygons([[(left + 45.1, top), (left + 43.6, top - 2.6), (left + 46.6, top - 2.6)]], INK)


def _offers(page: LeafletPage, corner: Point) -> None:
    """Draw the pawn, and the three patches after it."""
    sheet = page.sheet
    left, top = corner
    sheet.disc((left + 4.0, top + 9.0), 1.5, INK)
    sheet.polygons([[(left + 4.0, top + 9.5), (left + 6.5, top + 17.0), (left + 1.5, top + 17.0)]], INK)
    for place, (patch, x) in enumerate((("thorn", 11.0), ("hook-t6", 30.0), ("plus", 45.0))):
        cells = PATCHES[patch].cells
        _patch(sheet, cells, (left + x, top + 6.0), 4.0, _CLOTHS[place])
        for row, column in cells[: PATCHES[patch].income]:
            _button(sheet, (left + x + (column + 0.5) * 4.0, top + 6.0 + (row + 0.5) * 4.0), 1.4)


def _marks(page: LeafletPage, corner: Point) -> None:
    """Draw a part of the track with a button and a leather patch on its borders."""
    sheet = page.sheet
    left, top = corner[0], corner[1] + 10.0
    _spaces(sheet, (left, top), 7)
    _button(sheet, (left + 16.4, top + 4.1), 2.6)
    sheet.polygons([rectangle((left + 38.4, top + 1.5), 5.2)], _LEATHER)
    sheet.dashed_frame((left + 39.1, top + 2.2), (3.8, 3.8), WHITE)


def _full_square(page: LeafletPage, corner: Point) -> None:
    """Draw a quilt on which 7x7 squares are covered."""
    sheet = page.sheet
    cell_mm = _DRAWN_MM[1] / SIDE
    left, top = corner[0] + 14.0, corner[1]
    for place, names in enumerate(_FULL):
        cells = [(int(name[1]) - 1, ord(name[0]) - ord("A")) for name in names.split()]
        _patch(sheet, cells, (left, top), cell_mm, _CLOTHS[place * 3 % len(_CLOTHS)])
    sheet.line(rectangle((left, top), SIDE * cell_mm), INK, 0.5, closed=True)


def _scores(page: LeafletPage, corner: Point) -> None:
    """Draw what scores: a button, the tile, an empty square."""
    sheet = page.sheet
    left, top = corner[0], corner[1] + 9.0
    _button(sheet, (left + 7.0, top + 4.0), 4.0)
    sheet.line(rectangle((left + 24.0, top), 8.0), INK, 0.5, closed=True)
    page.figure((left + 28.0, top + 5.4), "7×7", 3.4)
    sheet.dashed_frame((left + 45.0, top), (8.0, 8.0), GREY)
    for x, points in ((7.0, "+1"), (28.0, "+7"), (49.0, "−2")):
        page.figure((left + x, top + 15.0), points, 4.6)


CHAPTERS: Final = (
    Chapter(
        said("Whose turn it is"),
        (
            said("It is the turn of whoever is behind on the time track; that may be several times running."),
            said("With both on one space, whoever came last lies on top, and moves."),
        ),
        _turns,
    ),
    Chapter(
        said("A turn is one of two things"),
        (
            said(
                "Take one of the three patches after the neutral token, which goes to its place. Pay its buttons, "
                "sew it on, turned and flipped as you like, and move ahead by its time."
            ),
            said("Or advance to the space in front of the other token: that brings a button for each space."),
            said("What is sewn on stays where it is. Patches neither overlap nor stick out."),
        ),
        _offers,
    ),
    Chapter(
        said("On the way"),
        (
            said("Past a button on the track there is income: a button for each that is sewn on your quilt."),
            said("First past a leather patch? It is yours: sew it on at once. It fills one square, for nothing."),
        ),
        _marks,
    ),
    Chapter(
        said("The tile"),
        (said("Whoever is first to cover a square of 7×7 without a gap gets the tile, and seven points."),),
        _full_square,
    ),
    Chapter(
        said("The end"),
        (
            said("Who reaches the middle of the track waits there. The game ends when both have."),
            said("Each button is a point, the tile seven; each empty square takes two away."),
            said("A tie goes to whoever was first in the middle, unless the table plays it otherwise."),
        ),
        _scores,
    ),
)


def _spaces(sheet: PdfSheet, corner: Point, count: int) -> None:
    """Draw spaces of the track side by side, 8.2 mm each."""
    for place in range(count):
        sheet.line(rectangle((corner[0] + 8.2 * place, corner[1]), 8.2), INK, 0.3, closed=True)


def _patch(sheet: PdfSheet, cells: Iterable[tuple[int, int]], corner: Point, cell_mm: float, cloth: Colour) -> None:
    """Draw a patch, its cells by row and column from a corner, with a seam around it."""
    inside = set(cells)
    boxes = {(row, column): (corner[0] + column * cell_mm, corner[1] + row * cell_mm) for row, column in inside}
    sheet.polygons([rectangle(at, cell_mm) for at in boxes.values()], cloth)
    for (row, column), at in boxes.items():
        points = [*rectangle(at, cell_mm), at]
        beside = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
        for side, neighbour in enumerate(beside):
            within = neighbour in inside
            sheet.line(points[side : side + 2], PALE if within else INK, 0.15 if within else 0.45)


def _button(sheet: PdfSheet, centre: Point, radius_mm: float) -> None:
    x, y = centre
    sheet.disc(centre, radius_mm, _BUTTON)
    hole_mm = 0.3 * radius_mm
    for down in (-hole_mm, hole_mm):
        for right in (-hole_mm, hole_mm):
            sheet.disc((x + right, y + down), 0.14 * radius_mm, WHITE)


_SECTION_MM: Final = 5.0
_PIXELS: Final = 30
_NIGHT: Final = (0.12, 0.11, 0.1)

_SETUP_TITLE: Final = said("Patchwork, with a companion that keeps score")
_SETUP_LEAD: Final = said(
    "You play with the real pieces. The camera sees each move; lights, page and voice say what follows."
)
_SIT: Final = said("Sit down")
_SITTING: Final = (
    said("Lay each mat before its player, seat 1 on the left, and an empty quilt board on each."),
    said("Time board, circle of patches and neutral token go in the middle. Nothing lies on the mats’ black markers."),
    said("Take your hands away. When the lights run over the whole strip, the game is open."),
)
_PRESS: Final = said("Press")
_PRESSES: Final = {
    "confirm": said("My patch lies where I want it, and my hand is away: look. Also: yes, to what is shown."),
    "advance": said("I take no patch: I move ahead and take buttons. During a question: show the next answer."),
    "undo": said("Take the last one back; then lift its patch off. During a question: none of these."),
}
_LIGHTS: Final = said("What the lights mean")
_MEANINGS: Final = {
    "turn": said("A run out to one end: now it is that seat’s turn."),
    "looking": said("All even and white: the camera looks. Hands off."),
    "question": said(
        "One block long and bright, the others short and faint: which is it? Advance shows the next, confirm takes it."
    ),
    "complaint": said("Short, short, long: something is wrong. The page says what; nothing was taken."),
    "income": said("Blinks, each a pixel longer: income, a button for each blink."),
    "earned": said("A bar that grows and stands: you moved ahead, and take a button for each of its lights."),
    "undone": said("A bar that shrinks to the middle: the last decision was taken back."),
    "leather": said("Pink, long and short: you are first at a leather patch. Lay it, press confirm."),
}
_MOMENTS: Final = said("Each picture is the strip at three moments, the first one on top.")
_FOOT: Final = said(
    "Scan the code on the television, or type the link from the terminal, to have all of this on a phone."
)


def _write_setup(page: LeafletPage) -> None:
    """Write the page."""
    below = _sitting(page, page.section(page.head(_SETUP_TITLE, _SETUP_LEAD) + _SECTION_MM, _SIT))
    below = page.buttons(page.section(below + _SECTION_MM, _PRESS), _PRESSES)
    _lights(page, page.section(below + _SECTION_MM, _LIGHTS))


def _sitting(page: LeafletPage, top_mm: float) -> float:
    """Draw the table from above beside the three steps."""
    drawn_mm = (72.0, 48.0)
    text_mm = page.width_mm - drawn_mm[0] - GUTTER_MM
    leftwards = page.prose.reads_leftwards
    _draw_table(page.sheet, (MARGIN_MM if leftwards else MARGIN_MM + text_mm + GUTTER_MM, top_mm), drawn_mm)
    x = MARGIN_MM + drawn_mm[0] + GUTTER_MM if leftwards else MARGIN_MM
    return max(page.steps((x, top_mm), text_mm, _SITTING), top_mm + drawn_mm[1])


def _lights(page: LeafletPage, top_mm: float) -> None:
    """Draw the strip at three moments of each event, with its meaning below."""
    paragraph = page.prose.paragraph
    top_mm = paragraph((MARGIN_MM, top_mm - 2.0), page.width_mm, page.render(_MOMENTS), SMALL_MM, GREY) + 2.0
    shown = _shown()
    ends = [top_mm]
    for place, (name, says) in enumerate(_MEANINGS.items()):
        row, column = divmod(place, 2)
        if column == 0:
            top_mm = max(ends) + (3.0 if row else 0.0)
        x, width_mm = page.column(column, 2)
        below = _draw_strip(page.sheet, (x, top_mm), width_mm, shown[name])
        ends.append(paragraph((x, below + 0.6), width_mm, page.render(says), SMALL_MM))
    paragraph((MARGIN_MM, max(ends) + 2.5), page.width_mm, page.render(_FOOT), SMALL_MM, GREY)


def _draw_table(sheet: PdfSheet, corner: Point, size_mm: tuple[float, float]) -> None:
    """Draw the table from above: two mats with their boards, the time board, patches, the strip at the far edge."""
    (left, top), (width, height) = corner, size_mm
    sheet.line(rectangle((left, top), width, height), PALE, 0.5, closed=True)
    sheet.line([(left + 6.0, top + 4.0), (left + width - 6.0, top + 4.0)], INK, 1.2)
    for seat, x in ((1, left + 5.0), (2, left + width - 25.0)):
        sheet.line(rectangle((x, top + 10.0), 20.0, 34.0), INK, 0.3, closed=True)
        sheet.line(rectangle((x + 3.0, top + 20.0), 14.0, 14.0), INK, 0.5, closed=True)
        for marker in ((x + 1.5, top + 11.5), (x + 14.5, top + 11.5), (x + 1.5, top + 38.5), (x + 14.5, top + 38.5)):
            sheet.polygons([rectangle(marker, 4.0, 4.0)], BLACK)
        seat_mark(sheet, seat, (x + 10.0, top + 15.5), 2.2)
    middle = (left + width / 2, top + 27.0)
    sheet.line(rectangle((middle[0] - 5.0, middle[1] - 5.0), 10.0, 10.0), INK, 0.4, closed=True)
    for x, y in ((-8.5, -11.0), (-2.0, -12.5), (5.0, -11.0), (-8.5, 8.5), (-1.5, 9.5), (5.0, 8.5)):
        left, top = middle[0] + x, middle[1] + y
        sheet.polygons([rectangle((left, top), 3.6, 1.9), rectangle((left, top + 1.9), 1.9, 1.9)], GREY)
    sheet.disc((middle[0] + 9.6, middle[1]), 1.1, INK)


def _draw_strip(sheet: PdfSheet, corner: Point, width_mm: float, moments: Sequence[Sequence[RGB]]) -> float:
    """Draw the strip at several moments, one below the other, and return the lower end in mm."""
    (left, top), pitch_mm = corner, width_mm / _PIXELS
    height_mm = len(moments) * pitch_mm * 1.2 + 1.4
    sheet.polygons([rectangle((left, top), width_mm, height_mm)], _NIGHT)
    for row, pixels in enumerate(moments):
        y = top + 0.7 + (row + 0.5) * pitch_mm * 1.2
        for index, pixel in enumerate(pixels):
            sheet.disc((left + (index + 0.5) * pitch_mm, y), 0.4 * pitch_mm, _seen(pixel))
    return top + height_mm


def _seen(pixel: RGB) -> tuple[float, float, float]:
    """Return a pixel's colour on paper, where brightness must grow faster at low values than on the strip."""
    red, green, blue = (0.13 + 0.87 * (value / 255) ** 0.5 for value in pixel)
    return red, green, blue


def _shown() -> dict[str, list[Sequence[RGB]]]:
    """Return, by meaning, the light show's frames of an event at three moments."""
    state = new_game(Setup(players=("1", "2")))
    first, second = state.seats
    state = replace(state, seats=(replace(first, time=9, income=3), replace(second, time=14, income=4)))
    patch = next(each for each in legal_decisions(state) if isinstance(each, TakePatch))
    question = Question(QuestionTopic.CELLS, 1, (patch, patch, patch), (), "", "")
    complaint = Complaint(Reason.OVERLAP, 1, (), "", "")

    def taken(fact: Fact) -> events.DecisionTaken[Decision, Fact, State]:
        return events.DecisionTaken(patch, (fact,), state)

    happened: dict[str, tuple[events.Event, tuple[float, ...]]] = {
        "turn": (taken(TurnPassed(2)), (0.05, 0.25, 0.5)),
        "looking": (events.LookStarted(state), (0.0, 0.3, 0.6)),
        "question": (events.Asked(question, 0, state), (0.0, 1.5, 2.0)),
        "complaint": (events.Complained(complaint, state), (0.1, 0.28, 0.45)),
        "income": (taken(IncomePaid(1, 5, 5)), (0.1, 0.5, 1.55)),
        "earned": (taken(ButtonsEarned(1, 6)), (0.1, 0.3, 0.6)),
        "undone": (events.DecisionUndone(patch, state), (0.05, 0.25, 0.45)),
        "leather": (taken(LeatherWon(1, 20)), (0.3, 0.68, 0.8)),
    }
    return {name: _frames(event, moments) for name, (event, moments) in happened.items()}


def _frames(event: events.Event, moments_s: Sequence[float]) -> list[Sequence[RGB]]:
    show = LightShow(_PIXELS)
    show.event(event, 0.0)
    return [show.frame(at_s) for at_s in moments_s]


def leaflet_pdf(paper: str, language: Language) -> bytes:
    """Return the leaflet as a PDF.

    Raises:
        KeyError: the paper is no key of `PAPERS`.
    """
    sheet = PdfSheet(PAPERS[paper], render(TITLE, language))
    for write in (_write_rules, _write_setup):
        write(LeafletPage(sheet, language))
        sheet.end_page()
    return sheet.pdf()
