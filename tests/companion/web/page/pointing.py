"""Places of elements and words in the window, and drags with a mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Spot: TypeAlias = tuple[float, float]

DESK: Final[dict[str, Any]] = {"viewport": {"width": 1366, "height": 768}}
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ABOVE_FINGER_PX: Final = 44
"""The distance at which a dragged piece is drawn above the finger, which would hide it."""

_TRIES: Final = 20
_SCROLL: Final = "element.scrollIntoView({ block: 'nearest', behavior: 'instant' })"
_MIDDLE: Final = """(element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.isConnected && width ? [x + width / 2, y + height / 2] : null;
}"""

_BROKEN: Final = """(element) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode(), range = document.createRange();
    return [...text.data.matchAll(/[^\\s-]+/g)].map(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return [word, range.getClientRects().length];
    }).filter(([, lines]) => lines !== 1).map(([word]) => word);
}"""


def broken(things: Locator) -> list[str]:
    """Return the words that are broken across lines, in the first text of each of some elements."""
    return [word for thing in things.all() for word in thing.evaluate(_BROKEN)]


def middle(thing: Locator) -> Spot:
    """Return the middle of an element in the window."""
    return _asked(thing, _MIDDLE)


def reached(thing: Locator) -> Spot:
    """Scroll an element into view and return its middle."""
    return _asked(thing, f"(element) => {{ {_SCROLL}; return ({_MIDDLE})(element); }}")


def _asked(thing: Locator, question: str) -> Spot:
    """Evaluate a question in one step, and again if the element was just redrawn: a removed one has no place."""
    for _ in range(_TRIES):
        if place := thing.evaluate(question):
            return place[0], place[1]
    raise AssertionError(f"{thing} never stayed where it was")


def square(page: Page, seat: int, column: float, row: float) -> Spot:
    """Return the place in the window of a place on a board; 0, 0 is the upper left corner of A1."""
    box = page.locator(f".v-board[data-seat='{seat}']").bounding_box()
    assert box is not None
    unit = box["width"] / 98  # of the drawing, in which a square is 10 wide and A1 begins at 6, 6
    return box["x"] + (6 + 10 * column) * unit, box["y"] + (6 + 10 * row) * unit


def shifted(place: Spot, by: Spot) -> Spot:
    """Return a place moved by an offset."""
    return place[0] + by[0], place[1] + by[1]


def drag(page: Page, source: Spot, goal: Spot, keys: str = "") -> None:
    """Drag with the mouse, pressing keys before the release."""
    page.mouse.move(*source)
    page.mouse.down()
    page.mouse.move(*goal, steps=6)
    for key in keys:
        page.keyboard.press(key)
    page.mouse.up()
