"""What axe-core finds on a page that keeps people from using it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from axe_core_python.sync_playwright import Axe  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from playwright.sync_api import Page

ALL_KINDS: Final = ("violations", "incomplete")
"""What axe finds, and what it could not decide."""
_DRAWINGS: Final = [["svg > *"], [".tap-cells > *"]]
"""Drawings are looked at as wholes, by their names; the 81 squares to tap are all alike, one of them is looked at."""
_OPTIONS: Final[dict[str, Any]] = {"resultTypes": ["violations", "incomplete"]}
"""Of what is in order one example a rule comes back, not every element."""
_LEAST: Final = 10
"""So many rules fit any sheet: where fewer were applied, the page was not there yet."""


def findings(
    page: Page,
    kinds: tuple[str, ...] = ("violations",),
    *,
    within: str | None = None,
    least: int = _LEAST,
) -> list[str]:
    """Return what axe finds, each with its rule and its element.

    Args:
        page: a page that is drawn.
        kinds: "violations", or `ALL_KINDS`: contrast over a backdrop is left undecided.
        within: a selector of the part that is looked at; None for the whole page.
        least: how many rules must have been kept.
    """
    page.evaluate("document.body.style.backgroundImage = 'none'")  # Contrast is not told from a woven ground.
    context = {"exclude": _DRAWINGS} if within is None else {"include": [[within]], "exclude": _DRAWINGS}
    result: dict[str, Any] = Axe().run(page, context=context, options=_OPTIONS)
    assert len(result["passes"]) >= least
    found = [one for kind in kinds for one in result[kind]]
    return [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]]
