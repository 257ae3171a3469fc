"""Accessibility findings of axe-core on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from axe_core_python.base import AXE_SCRIPT  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from playwright.sync_api import Page

ALL_KINDS: Final = ("violations", "incomplete")
"""What axe finds, and what it cannot decide."""
_DRAWINGS: Final = [["svg > *"], [".tap-cells > *"]]
"""Excluded elements: drawings are checked as wholes, by their names, and one of the 81 equal squares to tap."""
_COLOURS: Final = ("color-contrast", "link-in-text-block")
"""The rules that judge by colours."""
_LEAST: Final = 10
"""The number of rules that apply to any sheet: with fewer passed, the page was not there yet."""
_FINDINGS: Final = """async ([include, exclude, kinds, rules]) => {
  const meaning = "title, desc, a, foreignObject, :not(pattern)[id], [role], [tabindex], [aria-label]";
  const shapes = [];
  for (const drawing of document.querySelectorAll("svg:not(svg svg)")) {
    const speaks = drawing.matches("[role=img][aria-label]") ? meaning : `text, ${meaning}`;
    for (const shape of [...drawing.children])
      if (!shape.matches(speaks) && !shape.querySelector(speaks)) {
        shapes.push([drawing, shape, shape.nextSibling]);
        shape.remove();
      }
  }
  document.body.style.backgroundImage = "none";
  try {
    const found = await axe.run({ include, exclude }, { resultTypes: ["violations", "incomplete"], ...rules });
    const told = kinds.flatMap((kind) => found[kind]);
    const each = ({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`);
    return [told.flatMap(each), found.passes.length];
  } finally {
    document.body.style.backgroundImage = "";
    for (const [drawing, shape, next] of shapes.reverse())
      drawing.insertBefore(shape, next?.parentNode === drawing ? next : null);
  }
}"""
"""Runs axe and returns what it finds and the number of rules that passed, of which each reports one example.

Axe cannot judge contrast over a picture, so that the page's own is taken away meanwhile. So are the shapes of drawings,
which are excluded: they are two thirds of the page's elements, and axe looks at every element for each of its rules.
"""


def findings(
    page: Page,
    kinds: tuple[str, ...] = ("violations",),
    *,
    within: str | None = None,
    least: int = _LEAST,
) -> list[str]:
    """Return axe's findings, each with its rule and its element.

    Args:
        page: a page that has been drawn.
        kinds: "violations", or `ALL_KINDS`; contrast over a backdrop is undecided.
        within: a selector of the part to check; None for the whole page.
        least: the number of rules that must have passed.
    """
    found, passed = _run(page, kinds, within, {})
    assert passed >= least
    return found


def findings_at_night(page: Page) -> list[str]:
    """Return axe's findings that depend on colours, with the dark colours, after `findings` with the light ones."""
    page.emulate_media(color_scheme="dark")
    found, _ = _run(page, ("violations",), None, {"runOnly": {"type": "rule", "values": list(_COLOURS)}})
    page.emulate_media(color_scheme="light")
    return found


def _run(page: Page, kinds: tuple[str, ...], within: str | None, rules: dict[str, Any]) -> tuple[list[str], int]:
    """Return axe's findings and the number of rules that passed."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found, passed = page.evaluate(_FINDINGS, [[[within or "html"]], _DRAWINGS, list(kinds), rules])
    return found, passed
