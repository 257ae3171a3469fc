"""Test one table with readers of different languages, with a whole companion behind the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from companion.config import PageConfig
from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import TakePatch
from companion.games.patchwork.rules import apply, new_game
from companion.games.patchwork.state import Setup
from companion.patchwork.reading import complaints
from companion.patchwork.reading.explain import Explanation, ExplanationKind
from companion.play import events
from companion.registry import pages
from companion.web.page import PageServer as Companion
from tests.companion.announcing import Announcer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page


MARKS: Final = re.compile("[\u2066-\u2069\u200e\u200f]")
COMPLAINTS: Final = {
    "en": "The new patch overlaps what is on A1 and B1. Put it on empty squares only.",
    "ru": ("Новый лоскут налезает на то, что уже лежит: A1 и B1. Положите его только на пустые клетки."),
    "fa": ("تکهٔ تازه روی چیزی افتاده که در A۱ و B۱ است. آن را فقط روی خانه‌های خالی بگذارید."),
}
NEWS: Final = {
    "en": "Anna takes the short bar at A1 B1 C1 for 2 buttons; 2 on the time track.",
    "ru": "Anna берёт лоскут «короткий брусок» за 2\xa0пуговицы и кладёт на A1 B1 C1; деление 2 на поле времени.",
    "fa": "Anna تکهٔ میلهٔ کوتاه را به ۲ دکمه روی A۱ B۱ C۱ می‌گذارد؛ خانهٔ ۲ مسیر زمان.",
}


@pytest.fixture
def companion() -> Iterator[Companion]:
    with Companion(pages(), PageConfig(port=0)) as companion:
        yield companion


def _overlapped(companion: Companion) -> None:
    """Show a game whose second patch was laid on top of the first."""
    start = new_game(Setup(players=("Anna", "Boris")))
    taken = TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"]))
    outcome = apply(start, taken)
    announce = Announcer(companion)
    announce(events.GameOpened(1, start))
    announce(events.DecisionTaken(taken, outcome.facts, outcome.state))
    found = Explanation(ExplanationKind.OVERLAP, ("domino",), mask_of(["A1", "B1"]), 0.99, 0)
    announce(events.Complained(complaints.misplaced(outcome.state, 1, found, "f"), outcome.state))


def _read(page: Page, selector: str) -> str:
    """Return the text of an element without its direction marks."""
    return MARKS.sub("", page.locator(selector).first.inner_text()).strip()


def test_every_reader_of_one_table_gets_the_own_language(visit: Callable[..., Page], companion: Companion) -> None:
    _overlapped(companion)
    page = visit()
    page.context.request.get(companion.door.link)
    for code, says in COMPLAINTS.items():
        page.goto(f"{companion.door.address}?language={code}")
        expect(page.locator(".turn .now")).to_be_visible()
        assert _read(page, ".turn .now") == says
        assert NEWS[code] in [MARKS.sub("", text).strip() for text in page.locator(".news-item").all_inner_texts()]
    # The last one is Persian, which is read from right to left.
    expect(page.locator(".turn .now")).to_have_css("direction", "rtl")
    assert "confirm" not in _read(page, "body")
