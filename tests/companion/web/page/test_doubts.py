"""Test a question, a corrected reading and two undone decisions on a phone.

On a desktop a question is answered in `test_commands.py`, and a decision undone in `test_virtual.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from companion.games.patchwork.cells import mask_of, names_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import TakePatch
from companion.languages import LANGUAGES
from tests.companion.web.page.pointing import ABOVE_FINGER_PX, PHONE, Spot, middle, shifted, square
from tests.companion.web.page.served import PATIENCE_MS, TWIN_CIRCLE, PatchworkTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

PATCH: Final = TWIN_CIRCLE[0]
ASIDE_CELLS: Final = 0.49
"""An offset to the right at which no picture shows which squares are meant."""
EMPTY: Final = "#seat-1 .figure:last-child dd"
"""The selector of a seat's number of empty squares."""


@pytest.fixture(scope="module")
def virtual_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PatchworkTable]:
    """A table where two patches of one shape are on offer."""
    with PatchworkTable(tmp_path_factory.mktemp("table"), TWIN_CIRCLE) as served:
        yield served


def shape_at(patch: str, row: int, column: int) -> int:
    """Return the mask of an unturned patch whose upper left corner is at a cell."""
    cells = [(row + down, column + across) for down, across in PATCHES[patch].cells]
    return mask_of("ABCDEFGHI"[across] + str(down + 1) for down, across in cells)


def middle_of(patch: str, row: int, column: int) -> tuple[float, float]:
    """Return the middle of such a patch, from the left and from above, in squares."""
    high, wide = (1 + max(cell[axis] for cell in PATCHES[patch].cells) for axis in (0, 1))
    return column + wide / 2, row + high / 2


def test_a_question_is_answered_a_reading_put_right_and_both_are_taken_back(
    sit_down: Callable[..., Page], finger: Callable[[Page, Spot, Spot], None], patchwork: PatchworkTable
) -> None:
    page = sit_down("?language=fa", **PHONE)
    # Without inaccuracy and arms, pieces lie exactly where they are dropped, at once.
    for box in page.locator(".v-checks input").all():
        box.set_checked(False)
    bare = page.locator(EMPTY).inner_text()
    meant = TakePatch(1, PATCH, shape_at(PATCH, 3, 5))
    across, down = middle_of(PATCH, 3, 5)
    # The offers are far from the quilts: the patch is picked up and dragged from where it appears.
    page.locator(f"[data-source={PATCH}]").first.tap()
    page.locator(".v-board[data-seat='1']").scroll_into_view_if_needed()
    goal = shifted(square(page, 1, across + ASIDE_CELLS, down), (0, ABOVE_FINGER_PX))
    finger(page, middle(page.locator(".v-ghost")), goal)
    expect(page.locator(".v-new")).to_have_count(1, timeout=PATIENCE_MS)
    expect(page.locator(".v-coming")).to_have_count(0, timeout=PATIENCE_MS)

    _press(page, "confirm")
    expect(page.locator("#doubt-title")).to_have_text("کدام است؟", timeout=PATIENCE_MS)
    options = page.locator("button.option").filter(has=page.locator(f"[data-patch={PATCH}]"))
    options.filter(has_text=LANGUAGES["fa"].label(" ".join(names_of(meant.cells)))).tap()
    expect(page.locator(".option")).to_have_count(0, timeout=PATIENCE_MS)
    _is_taken(page, bare)
    assert patchwork.decisions == (meant,)
    _take_back(page, patchwork)

    twin = TakePatch(1, TWIN_CIRCLE[1], shape_at(PATCH, 1, 1))
    _press(page, "correct")
    for cell in names_of(twin.cells):
        _press(page, cell)
    _press(page, f"twin-{twin.patch}")
    _press(page, "send")
    expect(page.locator("dialog")).to_have_count(0, timeout=PATIENCE_MS)
    _is_taken(page, bare)
    assert patchwork.decisions == (twin,)
    _take_back(page, patchwork)


def _press(page: Page, key: str) -> None:
    page.locator(f"button[data-key={key}]:visible").first.tap()


def _is_taken(page: Page, bare: str) -> None:
    """Wait until a decision is recorded: fewer squares are empty than on a bare board."""
    expect(page.locator(EMPTY)).not_to_have_text(bare, timeout=PATIENCE_MS)


def _take_back(page: Page, patchwork: PatchworkTable) -> None:
    _press(page, "undo")
    expect(page.locator("#news .news-item").first).to_contain_text("پس گرفته شد: ", timeout=PATIENCE_MS)
    expect(page.locator("#seat-1 .v-lying:not(.v-new)")).to_have_count(0, timeout=PATIENCE_MS)
    assert patchwork.decisions == ()
