"""Finds a sheet in a photograph, or says in one sentence why it is not to be found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.games.kvilt import swatch_card
from companion.languages import Sentence, all_of, counted, said
from companion.sheetreading.blank import blank_of
from companion.sheetreading.places import printed_markers
from vision.blanksheet import ALIKE, likeness, place_blank
from vision.fiducials import FiducialDetector
from vision.sheetbulge import Bulge, bulge_through, dark_lines, find_bulge, find_pieces
from vision.sheetpage import Page, flatten, locate_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from companion.games.kvilt import Layout

MOST_MISFIT_MM: Final = 0.5
"""A page that lies flat misses by a tenth of it."""
LEAST_PX_PER_MM: Final = 3.0
"""Below that, the white between strokes and the edges of the markers are guesswork."""
_LIGHT_SHARE: Final = 150
"""Shadows are evened out over this part of the picture's length: about a marker's."""
_FIRST_SHEET_ID: Final = 16
_CORNERS: Final = (said("top left"), said("top right"), said("bottom right"), said("bottom left"))


MOST_BULGE_MM: Final = 2.5
"""What printed outlines are followed to; beyond, the page is bent."""
_LEAST_BULGE_MM: Final = 0.1
_MOST_DISORDER_MM: Final = 0.4
_NOT_FLAT: Final = said(
    "the sheet does not lie flat: its print is not where a flat page has it; lay it flat, or under a pane, "
    "and photograph it again"
)


class SheetPhotoError(CompanionError):
    """There is no sheet to be read in a picture; the message says what to do, in the reader's language."""


def find_sheet(
    image: NDArray[np.uint8], layout: Layout, least_px_per_mm: float = LEAST_PX_PER_MM
) -> Page:
    """Where the sheet lies.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        layout: of the sheet that is looked for.
        least_px_per_mm: a coarser picture of the sheet is refused.

    Raises:
        SheetPhotoError: it is not there, is cut off, does not lie flat, or is too small.
    """
    page = _by_markers(image, layout) if layout.fiducials.markers else _by_print(image, layout)
    if page.px_per_mm < least_px_per_mm:
        raise SheetPhotoError(
            said(
                "the sheet is too small in the picture: {seen} pixels to a millimetre, where {needed} are needed; "
                "go nearer",
                seen=f"{page.px_per_mm:.1f}",
                needed=f"{layout.reading.get('min_px_per_mm', 5.0):g}",
            )
        )
    return page


def _by_markers(image: NDArray[np.uint8], layout: Layout) -> Page:
    try:
        seen = _detect(image, layout)
    except ValueError as error:
        raise SheetPhotoError(f"the sheet {layout.sheet}: {error}") from error
    _check_markers(seen, layout)
    page = locate_page(seen, printed_markers(layout))
    if page is None or page.misfit_mm > MOST_MISFIT_MM:
        raise SheetPhotoError(_NOT_FLAT)
    return page


def _by_print(image: NDArray[np.uint8], layout: Layout) -> Page:
    """A sheet without markers, by the picture of it that was taken while it was blank."""
    placed = place_blank(image, blank_of(layout))
    if placed is None or not placed.is_likely:
        raise SheetPhotoError(
            said(
                "the sheet {sheet} is not found: photograph it whole, flat and from above, on something darker than "
                "paper; of another sheet give the file with --sheet FILE.toml",
                sheet=layout.sheet,
            )
        )
    sides = _cut_off(image, placed.page, layout)
    if sides:
        raise SheetPhotoError(
            said("the sheet is cut off {sides}: show the whole sheet, flat and from above", sides=all_of(sides))
        )
    if not placed.is_sure:
        raise SheetPhotoError(_other_print(layout))
    return placed.page


def _cut_off(image: NDArray[np.uint8], page: Page, layout: Layout) -> list[Sentence]:
    """Over which edges of the picture anything lies that is coloured."""
    outlines = [outline for region in layout.regions().values() for outline in region.outlines]
    points = page.place(np.concatenate([np.array(outline) for outline in outlines]))
    low, high = points.min(axis=0), points.max(axis=0)
    height, width = image.shape[:2]
    over = {said("on the left"): low[0] < 0, said("at the top"): low[1] < 0,
            said("on the right"): high[0] > width - 1, said("at the bottom"): high[1] > height - 1}  # fmt: skip
    return [side for side, is_over in over.items() if is_over]


def _detect(image: NDArray[np.uint8], layout: Layout) -> Mapping[int, NDArray[np.float64]]:
    """The markers seen; where the sheet's are incomplete, once more with the light evened out: an edge of shadow."""
    detector = FiducialDetector(layout.fiducials.dictionary)
    seen = detector.detect(image)
    if all(marker.id in seen for marker in layout.fiducials.markers):
        return seen
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float32)
    light = cv2.GaussianBlur(grey, (0, 0), max(image.shape[:2]) / _LIGHT_SHARE)
    return {**detector.detect(np.clip(grey / np.maximum(light, 1) * 128, 0, 255).astype(np.uint8)), **seen}


def lay_flat(image: NDArray[np.uint8], page: Page, layout: Layout) -> NDArray[np.uint8]:
    """The sheet in flat space, a slight curl taken out by its printed outlines.

    Raises:
        SheetPhotoError: it is bent, or it is another sheet.
    """
    flat = flatten(image, page, layout.size)
    bulge = _bulge(flat, layout)
    if bulge is not None and bulge.largest_mm >= _LEAST_BULGE_MM:
        if bulge.largest_mm > MOST_BULGE_MM or bulge.misfit_mm > _MOST_DISORDER_MM:
            raise SheetPhotoError(_NOT_FLAT)
        flat = flatten(image, page, layout.size, bulge)
    if not layout.fiducials.markers and likeness(dark_lines(flat), blank_of(layout)) < ALIKE:
        raise SheetPhotoError(_other_print(layout))
    return flat


def _bulge(flat: NDArray[np.uint8], layout: Layout) -> Bulge | None:
    if layout.fiducials.markers:
        outlines = [outline for region in layout.regions().values() for outline in region.outlines]
        anchors = np.concatenate(list(printed_markers(layout).values()))
        return find_bulge(flat, outlines, anchors, layout.size)
    pieces = find_pieces(dark_lines(flat), blank_of(layout).lines, layout.size)
    return bulge_through(pieces, np.zeros((0, 2)), layout.size)


def _check_markers(seen: Mapping[int, NDArray[np.float64]], layout: Layout) -> None:
    names = {marker.id: name for marker, name in zip(layout.fiducials.markers, _CORNERS, strict=True)}
    missing = [name for number, name in names.items() if number not in seen]
    if not missing:
        return
    if len(missing) < len(names):
        small = any(_side_px(quad) < LEAST_PX_PER_MM * layout.fiducials.side * 1.5 for quad in seen.values())
        raise SheetPhotoError(_missing(missing, go_nearer=small))
    raise SheetPhotoError(_what_else(seen, layout))


def _side_px(quad: NDArray[np.float64]) -> float:
    return float(np.hypot(*(np.roll(quad, -1, axis=0) - quad).T).mean())


def _missing(names: list[Sentence], *, go_nearer: bool) -> Sentence:
    markers = all_of(names)
    if go_nearer:
        return counted(
            "the {markers} marker is not seen: show the whole sheet, flat, with nothing lying on its markers, "
            "and go nearer",
            "the {markers} markers are not seen: show the whole sheet, flat, with nothing lying on its markers, "
            "and go nearer",
            len(names),
            markers=markers,
        )
    return counted(
        "the {markers} marker is not seen: show the whole sheet, flat, with nothing lying on its markers",
        "the {markers} markers are not seen: show the whole sheet, flat, with nothing lying on its markers",
        len(names),
        markers=markers,
    )


def _other_print(layout: Layout) -> Sentence:
    return said(
        "this looks like the sheet {sheet}, but its print does not fit: it is bent, or it is another sheet; lay it "
        "flat, or give the other sheet's file with --sheet FILE.toml",
        sheet=layout.sheet,
    )


def _what_else(seen: Mapping[int, NDArray[np.float64]], layout: Layout) -> Sentence:
    """What the picture shows when it is not this sheet."""
    if any(marker.id in seen for marker in swatch_card().fiducials.markers):
        return said(
            "this is the card of swatches, not a coloured sheet; photograph the sheet {sheet}", sheet=layout.sheet
        )
    if any(number >= _FIRST_SHEET_ID for number in seen):
        return said("this is another sheet than {sheet}: give its file with --sheet FILE.toml", sheet=layout.sheet)
    if seen:
        return said(
            "this is a picture of Patchwork's mats, not of a Kvilt sheet; leave --game kvilt away to score it"
        )
    return said(
        "no marker of the sheet {sheet} is seen: photograph it whole, flat and from above, with its four corner "
        "markers in the picture",
        sheet=layout.sheet,
    )
