"""Test a question, a corrected reading and an undone decision, on a desktop and on phones in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from companion.games.patchwork import PATCHES, TakePatch, mask_of, names_of
from companion.languages import LANGUAGES
from tests.companion.web.page.pointing import ABOVE_FINGER_PX, DESK, PHONE, Spot, drag, middle, shifted, square
from tests.companion.web.page.served import PATIENCE_MS, TWIN_CIRCLE, PatchworkTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

PATCH: Final = TWIN_CIRCLE[0]
ASIDE_CELLS: Final = 0.49
"""An offset to the right and up at which no picture shows which squares are meant."""
EMPTY: Final = "#seat-1 .figure:last-child dd"
"""The selector of a seat's number of empty squares."""
TITLES: Final = {"en": "Which is it?", "fa": "کدام است؟"}
"""The texts above a question."""
TAKEN_BACK: Final = {"en": "Taken back: ", "ru": "Отменено: ", "fa": "پس گرفته شد: "}
"""The texts before an undone decision."""


@pytest.fixture(scope="module")
def virtual_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PatchworkTable]:
    """A table where two patches of one shape are on offer."""
    with PatchworkTable(tmp_path_factory.mktemp("table"), TWIN_CIRCLE) as served:
        yield served


class Player:
    """A user who moves pieces on the page.

    Args:
        page: the table's page.
        finger: a function that drags with a finger; None for a mouse.

    Attributes:
        page: the table's page.
    """

    def __init__(self, page: Page, finger: Callable[[Page, Spot, Spot], None] | None) -> None:
        self.page, self._finger = page, finger

    def lay(self, patch: str, column: float, row: float) -> None:
        """Lay an offered patch with its middle at a place of the first quilt, and wait until it rests."""
        source = self.page.locator(f"#offers [data-patch={patch}]")
        if self._finger is None:
            self.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
            drag(self.page, middle(source), square(self.page, 1, column, row))
        else:
            # On a phone the offers are far from the quilts: the patch is picked up and dragged from where it appears.
            self.page.locator(f"[data-source={patch}]").first.tap()
            self.page.locator(".v-board[data-seat='1']").scroll_into_view_if_needed()
            goal = shifted(square(self.page, 1, column, row), (0, ABOVE_FINGER_PX))
            self._finger(self.page, middle(self.page.locator(".v-ghost")), goal)
        expect(self.page.locator(".v-new")).to_have_count(1, timeout=PATIENCE_MS)
        expect(self.page.locator(".v-coming")).to_have_count(0, timeout=PATIENCE_MS)

    def press(self, key: str) -> None:
        """Tap or click the button with this key."""
        thing = self.page.locator(f"button[data-key={key}]:visible").first
        thing.click() if self._finger is None else thing.tap()

    def careless(self) -> None:
        """Switch off inaccuracy and arms, so that pieces lie exactly where they are dropped, at once."""
        for box in self.page.locator(".v-checks input").all():
            box.set_checked(False)


def shape_at(patch: str, row: int, column: int) -> int:
    """Return the mask of an unturned patch whose upper left corner is at a cell."""
    cells = [(row + down, column + across) for down, across in PATCHES[patch].cells]
    return mask_of("ABCDEFGHI"[across] + str(down + 1) for down, across in cells)


def middle_of(patch: str, row: int, column: int) -> tuple[float, float]:
    """Return the middle of such a patch, from the left and from above, in squares."""
    high, wide = (1 + max(cell[axis] for cell in PATCHES[patch].cells) for axis in (0, 1))
    return column + wide / 2, row + high / 2


@pytest.fixture
def sits(
    sit_down: Callable[..., Page], finger: Callable[[Page, Spot, Spot], None]
) -> Callable[[str, dict[str, Any]], Player]:
    """A function that opens the page in a language on a device, for a careful player."""

    def opened(code: str, device: dict[str, Any]) -> Player:
        page = sit_down(f"?language={code}", reduced_motion="reduce", **device)
        player = Player(page, finger if device is PHONE else None)
        player.careless()
        return player

    return opened


@pytest.mark.parametrize(("code", "device"), [("en", DESK), ("fa", PHONE)], ids=["en", "fa"])
def test_a_question_is_answered_and_taken_back(
    sits: Callable[..., Player], patchwork: PatchworkTable, code: str, device: dict[str, Any]
) -> None:
    player = sits(code, device)
    page = player.page
    corner = (2 * list(TITLES).index(code) + 1, 1 if device is DESK else 5)
    meant = TakePatch(1, PATCH, shape_at(PATCH, *corner))
    bare = page.locator(EMPTY).inner_text()

    across, down = middle_of(PATCH, *corner)
    player.lay(PATCH, across + ASIDE_CELLS, down - ASIDE_CELLS)
    player.press("confirm")
    expect(page.locator("#doubt-title")).to_have_text(TITLES[code], timeout=PATIENCE_MS)
    options = page.locator("button.option").filter(has=page.locator(f"[data-patch={PATCH}]"))
    answer = options.filter(has_text=LANGUAGES[code].label(" ".join(names_of(meant.cells))))
    answer.click() if device is DESK else answer.tap()
    expect(page.locator(".option")).to_have_count(0, timeout=PATIENCE_MS)
    _taken(page, bare)
    assert patchwork.decisions == (meant,)
    _take_back(player, patchwork, TAKEN_BACK[code])


def test_a_reading_is_put_right_and_taken_back(sits: Callable[..., Player], patchwork: PatchworkTable) -> None:
    player = sits("ru", PHONE)
    page = player.page
    twin = TakePatch(1, TWIN_CIRCLE[1], shape_at(PATCH, 3, 5))
    bare = page.locator(EMPTY).inner_text()
    across, down = middle_of(PATCH, 1, 1)
    player.lay(PATCH, across, down)

    player.press("correct")
    for cell in names_of(twin.cells):
        player.press(cell)
    player.press(f"twin-{twin.patch}")
    player.press("send")
    expect(page.locator("dialog")).to_have_count(0, timeout=PATIENCE_MS)
    _taken(page, bare)
    assert patchwork.decisions == (twin,)
    _take_back(player, patchwork, TAKEN_BACK["ru"])


def _taken(page: Page, bare: str) -> None:
    """Wait until a decision is recorded: fewer squares are empty than on a bare board."""
    expect(page.locator(EMPTY)).not_to_have_text(bare, timeout=PATIENCE_MS)


def _take_back(player: Player, patchwork: PatchworkTable, says: str) -> None:
    player.press("undo")
    page = player.page
    expect(page.locator("#news .news-item").first).to_contain_text(says, timeout=PATIENCE_MS)
    expect(page.locator("#seat-1 .v-lying:not(.v-new)")).to_have_count(0, timeout=PATIENCE_MS)
    assert patchwork.decisions == ()
