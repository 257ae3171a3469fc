"""Accessibility findings of axe-core on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from axe_core_python.sync_playwright import Axe  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from playwright.sync_api import Page

ALL_KINDS: Final = ("violations", "incomplete")
"""What axe finds, and what it cannot decide."""
_DRAWINGS: Final = [["svg > *"], [".tap-cells > *"]]
"""Excluded elements: drawings are checked as wholes, by their names, and one of the 81 equal squares to tap."""
_OPTIONS: Final[dict[str, Any]] = {"resultTypes": ["violations", "incomplete"]}
"""Options by which a rule that passes reports one example, not every element."""
_LEAST: Final = 10
"""The number of rules that apply to any sheet: with fewer passed, the page was not there yet."""


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
    page.evaluate("document.body.style.backgroundImage = 'none'")  # Axe cannot judge contrast over a picture.
    context = {"exclude": _DRAWINGS} if within is None else {"include": [[within]], "exclude": _DRAWINGS}
    result: dict[str, Any] = Axe().run(page, context=context, options=_OPTIONS)
    page.evaluate("document.body.style.backgroundImage = ''")
    assert len(result["passes"]) >= least
    found = [one for kind in kinds for one in result[kind]]
    return [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]]
