"""Where things are in the window, and what a mouse does with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Spot: TypeAlias = tuple[float, float]

DESK: Final[dict[str, Any]] = {"viewport": {"width": 1366, "height": 768}}
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ABOVE_FINGER_PX: Final = 44
"""A finger hides what it drags: the piece goes so far above it."""


def middle(thing: Locator) -> Spot:
    """The middle of something in the window."""
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def square(page: Page, seat: int, column: float, row: float) -> Spot:
    """Where a place of a board is in the window; 0, 0 is the upper left corner of A1."""
    box = page.locator(f".v-board[data-seat='{seat}']").bounding_box()
    assert box is not None
    unit = box["width"] / 98  # of the drawing, in which a square is 10 wide and A1 begins at 6, 6
    return box["x"] + (6 + 10 * column) * unit, box["y"] + (6 + 10 * row) * unit


def shifted(place: Spot, by: Spot) -> Spot:
    """A place moved."""
    return place[0] + by[0], place[1] + by[1]


def drag(page: Page, source: Spot, goal: Spot, keys: str = "") -> None:
    """Drag something with the mouse, pressing keys before it is let go."""
    page.mouse.move(*source)
    page.mouse.down()
    page.mouse.move(*goal, steps=6)
    for key in keys:
        page.keyboard.press(key)
    page.mouse.up()
