"""The leaflet's second page: how to set up the table, the push-buttons, and the meanings of the lights."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from calibration.printing.leaflet import GUTTER_MM, MARGIN_MM, SMALL_MM, LeafletPage
from calibration.printing.marks import seat_mark
from calibration.printing.page import BLACK, GREY, INK, PALE, PdfSheet, Point
from companion.games.patchwork import (
    ButtonsEarned,
    Decision,
    Fact,
    IncomePaid,
    LeatherWon,
    Setup,
    State,
    TakePatch,
    TurnPassed,
    legal_decisions,
    new_game,
)
from companion.languages import said
from companion.patchwork.lights.show import LightShow
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reason
from companion.play import events
from hardware.ports import RGB

_SECTION_MM: Final = 5.0
_PIXELS: Final = 30
_NIGHT: Final = (0.12, 0.11, 0.1)

TITLE: Final = said("Patchwork, with a companion that keeps score")
_LEAD: Final = said(
    "You play with the real pieces. The camera sees each move; lights, page and voice say what follows."
)
_SIT: Final = said("Sit down")
_SITTING: Final = (
    said("Lay each mat before its player, seat 1 on the left, and an empty quilt board on each."),
    said("Time board, circle of patches and pawn go in the middle. Nothing lies on the mats’ black markers."),
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


def write(page: LeafletPage) -> None:
    """Write the page."""
    below = _sitting(page, page.section(page.head(TITLE, _LEAD) + _SECTION_MM, _SIT))
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
    sheet.line(_box(left, top, width, height), PALE, 0.5, closed=True)
    sheet.line([(left + 6.0, top + 4.0), (left + width - 6.0, top + 4.0)], INK, 1.2)
    for seat, x in ((1, left + 5.0), (2, left + width - 25.0)):
        sheet.line(_box(x, top + 10.0, 20.0, 34.0), INK, 0.3, closed=True)
        sheet.line(_box(x + 3.0, top + 20.0, 14.0, 14.0), INK, 0.5, closed=True)
        for marker in ((x + 1.5, top + 11.5), (x + 14.5, top + 11.5), (x + 1.5, top + 38.5), (x + 14.5, top + 38.5)):
            sheet.polygons([_box(*marker, 4.0, 4.0)], BLACK)
        seat_mark(sheet, seat, (x + 10.0, top + 15.5), 2.2)
    middle = (left + width / 2, top + 27.0)
    sheet.line(_box(middle[0] - 5.0, middle[1] - 5.0, 10.0, 10.0), INK, 0.4, closed=True)
    for x, y in ((-8.5, -11.0), (-2.0, -12.5), (5.0, -11.0), (-8.5, 8.5), (-1.5, 9.5), (5.0, 8.5)):
        left, top = middle[0] + x, middle[1] + y
        sheet.polygons([_box(left, top, 3.6, 1.9), _box(left, top + 1.9, 1.9, 1.9)], GREY)
    sheet.disc((middle[0] + 9.6, middle[1]), 1.1, INK)


def _draw_strip(sheet: PdfSheet, corner: Point, width_mm: float, moments: Sequence[Sequence[RGB]]) -> float:
    """Draw the strip at several moments, one below the other, and return the lower end in mm."""
    (left, top), pitch_mm = corner, width_mm / _PIXELS
    height_mm = len(moments) * pitch_mm * 1.2 + 1.4
    sheet.polygons([_box(left, top, width_mm, height_mm)], _NIGHT)
    for row, pixels in enumerate(moments):
        y = top + 0.7 + (row + 0.5) * pitch_mm * 1.2
        for index, pixel in enumerate(pixels):
            sheet.disc((left + (index + 0.5) * pitch_mm, y), 0.4 * pitch_mm, _seen(pixel))
    return top + height_mm


def _box(left: float, top: float, width: float, height: float) -> list[Point]:
    return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]


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
