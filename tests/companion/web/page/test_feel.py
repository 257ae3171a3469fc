"""What a move feels like: its patch flies from the offers to the quilt, the marker walks, buttons are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from companion.config import PageConfig
from companion.registry import pages
from companion.web.page import PageServer as Companion
from tests.companion.web.conftest import played

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

MOTIONS: Final = """() => {
  window.motions = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    window.motions.push(this.classList[0]);
    return animate.apply(this, how);
  };
}"""


def test_a_patch_flies_and_a_marker_walks_unless_less_motion_is_wished(visit: Callable[..., Page]) -> None:
    _, (opened, first, second, *_) = played(2)
    with Companion(pages(), PageConfig(port=0)) as companion:
        companion(opened)
        page = visit(companion.address, reduced_motion="no-preference")
        expect(page.locator("#offers .offer")).to_have_count(3)
        page.evaluate(MOTIONS)

        companion(first)
        page.wait_for_function("motions.includes('flight') && motions.includes('token')")
        expect(page.locator(".flight")).to_have_count(0)
        expect(page.locator("#seat-1 .piece")).to_be_visible()

        page.emulate_media(reduced_motion="reduce")
        page.evaluate("motions.length = 0")
        companion(second)
        expect(page.locator(".quilt .piece")).to_have_count(2)
        assert page.evaluate("motions.filter((name) => name !== 'pixel')") == []
