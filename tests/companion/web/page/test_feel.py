"""Test a move's animation: its patch flies from the offers to the quilt, the marker walks, buttons are counted."""

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


FEAST: Final = """async (laid) => {
  const { feelMoves } = await import("/static/js/patchwork/feel.js");
  document.querySelectorAll(".snip").forEach((snip) => snip.remove());
  const board = document.createElement("div");
  board.className = "v-board";
  const laidOut = [["leather", "A1"], ["leather", "C3"], ["plus", "E5"]];
  const lying = laidOut.map(([patch, cell], index) => ({ piece: index + 1, patch, seat: 1, cells: [cell] }));
  for (const { piece, patch } of lying) {
    const cloth = Object.assign(document.createElement("p"), { className: `piece ${patch}`, textContent: patch });
    const room = document.createElement("div");
    room.dataset.piece = piece;
    board.append(room);
    room.append(cloth);
  }
  document.querySelector("#seat-1").replaceChildren(board);
  let tell = null;
  const subscribe = (listener) => (tell = listener);
  feelMoves({ state: () => ({ virtual: { pieces: lying } }), store: { subscribe } });
  const seat = (count) => ({ seat: 1, time: 0, buttons: 0, pieces: lying.slice(0, count) });
  for (const count of [laid - 1, laid]) {
    tell({ snapshot: { game: { id: 1 }, patchwork: { seats: [seat(count)] } } });
    for (const _ of "..") await new Promise(requestAnimationFrame);
  }
  const places = [...board.children].map((piece) => piece.getBoundingClientRect());
  const covers = (y) => ({ top, bottom }) => top < y && y < bottom;
  const under = (snip) => places.findIndex(covers(parseFloat(snip.style.top)));
  return [...new Set([...document.querySelectorAll(".snip")].map(under))];
}"""
"""Returns the pieces from which thread flies up when the first, second or third of a virtual board is laid."""


def test_at_a_virtual_table_each_leather_patch_has_its_feast_and_no_other_patch(open_page: Callable[..., Page]) -> None:
    page = open_page("middle", reduced_motion="no-preference")

    assert [page.evaluate(FEAST, laid) for laid in (1, 2, 3)] == [[0], [1], []]


def test_a_patch_flies_and_a_marker_walks_unless_less_motion_is_wished(visit: Callable[..., Page]) -> None:
    _, (opened, first, second, *_) = played(2)
    with Companion(pages(), PageConfig(port=0)) as companion:
        companion(opened)
        page = visit(companion.door.address, reduced_motion="no-preference")
        expect(page.locator("#offers .offer")).to_have_count(3)
        page.evaluate(MOTIONS)

        companion(first)
        page.wait_for_function("() => motions.includes('flight') && motions.includes('token')")
        expect(page.locator(".flight")).to_have_count(0)
        expect(page.locator("#seat-1 .piece")).to_be_visible()

        page.emulate_media(reduced_motion="reduce")
        page.evaluate("motions.length = 0")
        companion(second)
        expect(page.locator(".quilt .piece")).to_have_count(2)
        assert page.evaluate("motions.filter((name) => name !== 'pixel')") == []
