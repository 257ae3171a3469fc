"""Detection of a sheet in a photograph, by its markers or by a picture of it while blank; or why it is not found."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.durable import read_bytes
from companion.errors import CompanionError
from companion.kvilt.reading.evidence import printed_markers
from companion.kvilt.sheets.layout import PageLayout, Polygon
from companion.kvilt.sheets.layout_files import swatch_card
from companion.languages import Sentence, all_of, counted, reason, said, system_says
from companion.pictures import PictureError, decoded
from vision.fiducials import FiducialDetector, look_at_marker
from vision.sheet.blank import ALIKE, BlankSheet, likeness, place_blank, place_print
from vision.sheet.bulge import Bulge, bulge_through, dark_lines, find_bulge, find_pieces, print_of
from vision.sheet.page import FLAT_PX_PER_MM, Page, flatten, locate_page

LEAST_PX_PER_MM: Final = 3.0
"""Resolution below which the white between strokes and the markers' edges cannot be resolved."""
NOT_FLAT: Final = said(
    "the sheet is not flat: its print is not where it would be on a flat page; lay it flat, or under glass, and "
    "photograph it again"
)
BLURRED: Final = said(
    "the picture is blurred: hold the camera still, let it focus on the sheet, and photograph it again"
)
HAZY: Final = said(
    "the picture is hazy: clean the camera’s lens, keep lamps out of the picture, and photograph the sheet again"
)
WASHED_OUT: Final = said(
    "the picture is overexposed, and the samples of the pencils are washed out: take a darker one, or use less light"
)
COLOURLESS: Final = said("the picture has no colours: the samples all look alike; photograph the sheet in colour")
TWO_SHEETS: Final = said(
    "there is more than one sheet in the picture: photograph one at a time, all of it and from above"
)
# Lower ones are those of Patchwork's mats.
_FIRST_SHEET_ID: Final = 16
_CORNERS: Final = (said("top left"), said("top right"), said("bottom right"), said("bottom left"))


class SheetPhotoError(CompanionError):
    """Raised for a picture without a readable sheet; the message says what to do, in the reader's language."""


class NoSheetError(SheetPhotoError):
    """Raised for a picture that shows no part of any sheet."""


def check_markers(
    seen: Mapping[int, NDArray[np.float64]], layout: PageLayout, repeated: Collection[int], *, mirrored: bool
) -> None:
    """Check that a picture shows each of a sheet's markers once.

    Args:
        seen: by id, the corners of each marker seen once, shape (4, 2), in pixels.
        layout: the sheet's layout.
        repeated: the ids seen more than once.
        mirrored: whether the picture shows the sheet's markers mirrored.

    Raises:
        SheetPhotoError: a marker is missing, the picture is mirrored, or two sheets are in view.
    """
    names = {marker.id: name for marker, name in zip(layout.fiducials.markers, _CORNERS, strict=True)}
    missing = [name for number, name in names.items() if number not in seen]
    if not missing:
        return
    if any(number in repeated for number in names):
        raise SheetPhotoError(TWO_SHEETS)
    if mirrored:
        raise SheetPhotoError.said(
            "the picture is mirrored: use the rear camera, or turn off mirroring, and take it again"
        )
    if len(missing) < len(names):
        small = any(_side_px(quad) < LEAST_PX_PER_MM * layout.fiducials.side * 1.5 for quad in seen.values())
        raise SheetPhotoError(_missing(missing, go_nearer=small))
    raise (SheetPhotoError if seen else NoSheetError)(_what_else(seen, layout))


def _side_px(quad: NDArray[np.float64]) -> float:
    return float(np.hypot(*(np.roll(quad, -1, axis=0) - quad).T).mean())


def _missing(names: list[Sentence], *, go_nearer: bool) -> Sentence:
    markers = all_of(names)
    if go_nearer:
        return counted(
            "the {markers} marker is not seen: show the whole sheet, flat, with nothing on its markers, and go closer",
            "the {markers} markers are not seen: show the whole sheet, flat, with nothing on its markers, and go "
            "closer",
            len(names),
            markers=markers,
        )
    return counted(
        "the {markers} marker is not seen: show the whole sheet, flat, with nothing on its markers",
        "the {markers} markers are not seen: show the whole sheet, flat, with nothing on its markers",
        len(names),
        markers=markers,
    )


def other_print(layout: PageLayout) -> Sentence:
    """Return the error of a sheet whose outline is found, but not its print."""
    return said(
        "this looks like the sheet {sheet}, but its print does not fit: it is bent, or it is another sheet; lay it "
        "flat, or give the other sheet’s file with --sheet, or as “sheet” in the section [kvilt]",
        sheet=layout.sheet,
    )


def _what_else(seen: Mapping[int, NDArray[np.float64]], layout: PageLayout) -> Sentence:
    """Return a sentence on what the picture shows instead of this sheet."""
    # Before the sheets, because the ids of the card are among theirs.
    if any(marker.id in seen for marker in swatch_card().fiducials.markers):
        return said(
            "this is the card of swatches, not a coloured sheet; photograph the sheet {sheet}", sheet=layout.sheet
        )
    if any(number >= _FIRST_SHEET_ID for number in seen):
        return said(
            "this is a different sheet, not {sheet}: give its file with --sheet, or as “sheet” in the section [kvilt]",
            sheet=layout.sheet,
        )
    if seen:
        return said("this is a picture of Patchwork’s mats, not of a Kvilt sheet: score it as Patchwork")
    return said(
        "no marker of the sheet {sheet} is seen: photograph all of it, flat and from above, with its four corner "
        "markers in the picture",
        sheet=layout.sheet,
    )


MOST_MISFIT_MM: Final = 0.5
"""The greatest misfit of a flat page's markers, in millimetres; one that lies flat has a tenth of it."""
# Sigma of the smoothing that evens out shadows, as a fraction of the picture's length: about a marker's size.
_LIGHT_SHARE: Final = 150
MOST_BULGE_MM: Final = 2.5
"""The distance to which printed outlines are searched for; beyond it, the page is bent."""
_LEAST_BULGE_MM: Final = 0.1
_MOST_DISORDER_MM: Final = 0.4
# Brightness of the markers' black, relative to paper, beyond which faint marks are lost in haze: on drawn sheets they
# were taken for paper from 0.67 on; without haze it was 0.35 in every light.
_HAZY_INK: Final = 0.65
# Sigma of the blur from which the white between two strokes is lost.
_MOST_BLUR_MM: Final = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class FoundSheet:
    """A sheet in a picture.

    Attributes:
        page: the sheet's place.
        layout: the sheet's layout in the theme that was found.
    """

    page: Page
    layout: PageLayout


def find_sheet(
    image: NDArray[np.uint8],
    layout: PageLayout,
    least_px_per_mm: float = LEAST_PX_PER_MM,
    corners_px: NDArray[np.float64] | None = None,
) -> FoundSheet:
    """Locate the sheet.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        layout: the layout of the sheet to find, in any of its themes.
        least_px_per_mm: the resolution below which a picture of the sheet is rejected.
        corners_px: roughly the corners of its paper, as people showed them, shape (4, 2), clockwise from any; None to
            search for the sheet.

    Raises:
        SheetPhotoError: the sheet is missing, cut off, not flat, or too small.
    """
    if corners_px is not None:
        found = _by_corners(image, layout, corners_px)
    else:
        found = _by_markers(image, layout) if layout.fiducials.markers else FoundSheet(_by_print(image, layout), layout)
    page = found.page
    if page.px_per_mm < least_px_per_mm:
        raise SheetPhotoError.said(
            "the sheet is too small in the picture: {seen} pixels per millimetre, but {needed} are needed; go closer",
            seen=round(float(page.px_per_mm), 1),
            needed=least_px_per_mm,
        )
    return found


def _by_markers(image: NDArray[np.uint8], layout: PageLayout) -> FoundSheet:
    try:
        detector = FiducialDetector(layout.fiducials.dictionary)
    except ValueError as error:
        raise SheetPhotoError.said("the sheet {sheet}: {fault}", sheet=layout.sheet, fault=reason(error)) from error
    seen, repeated = _detect(image, layout, detector)
    whole = [each for each in layout.themes if _all_of(each, seen)]
    if not whole:
        # Only for the message, because it costs a second search.
        mirror_image = detector.detect(np.ascontiguousarray(image[:, ::-1]))
        mirrored = any(_all_of(each, mirror_image) for each in layout.themes)
        check_markers(seen, _most_seen(layout, seen), repeated, mirrored=mirrored)
    if len(whole) > 1:
        raise SheetPhotoError(TWO_SHEETS)
    themed = whole[0] if whole else layout
    page = locate_page(seen, printed_markers(themed))
    if page is None or page.misfit_mm > MOST_MISFIT_MM:
        raise SheetPhotoError(NOT_FLAT)
    return FoundSheet(page, themed)


def _by_corners(image: NDArray[np.uint8], layout: PageLayout, corners_px: NDArray[np.float64]) -> FoundSheet:
    themed, printed = layout, None
    if layout.fiducials.markers:
        seen, _ = _detect(image, layout, FiducialDetector(layout.fiducials.dictionary))
        themed = _most_seen(layout, seen)
        printed = print_of(_outlines(themed), themed.size)
    page = place_print(image, printed or blank_of(layout).print, corners_px)
    if page is None:
        raise SheetPhotoError(other_print(layout))
    return FoundSheet(page, themed)


def _outlines(layout: PageLayout) -> list[Polygon]:
    return [outline for region in layout.regions().values() for outline in region.outlines]


def _most_seen(layout: PageLayout, seen: Mapping[int, NDArray[np.float64]]) -> PageLayout:
    """Return the sheet's theme of which most markers are seen; the usual one wins ties."""
    return max(layout.themes, key=lambda each: sum(marker.id in seen for marker in each.fiducials.markers))


def _all_of(layout: PageLayout, seen: Mapping[int, NDArray[np.float64]]) -> bool:
    return all(marker.id in seen for marker in layout.fiducials.markers)


def _by_print(image: NDArray[np.uint8], layout: PageLayout) -> Page:
    """Locate a sheet without markers by the picture of it that was taken while it was blank."""
    placed = place_blank(image, blank_of(layout))
    if placed is None or not placed.is_likely:
        raise SheetPhotoError.said(
            "the sheet {sheet} is not found: photograph all of it, flat and from above, on something darker "
            "than paper; for another sheet, give its file with --sheet, or as “sheet” in the section [kvilt]",
            sheet=layout.sheet,
        )
    sides = _cut_off(image, placed.page, layout)
    if sides:
        raise SheetPhotoError.said(
            "the sheet is cut off {sides}: show the whole sheet, flat and from above", sides=all_of(sides)
        )
    if not placed.is_sure:
        raise SheetPhotoError(other_print(layout))
    return placed.page


def _cut_off(image: NDArray[np.uint8], page: Page, layout: PageLayout) -> list[Sentence]:
    """Return the names of the picture's edges that the sheet's regions cross."""
    points = page.place(np.concatenate([np.array(outline) for outline in _outlines(layout)]))
    low, high = points.min(axis=0), points.max(axis=0)
    height, width = image.shape[:2]
    over = {said("on the left"): low[0] < 0, said("at the top"): low[1] < 0,
            said("on the right"): high[0] > width - 1, said("at the bottom"): high[1] > height - 1}  # fmt: skip
    return [side for side, is_over in over.items() if is_over]


def _detect(
    image: NDArray[np.uint8], layout: PageLayout, detector: FiducialDetector
) -> tuple[Mapping[int, NDArray[np.float64]], frozenset[int]]:
    """Return the markers seen once, and the ids of those seen more than once.

    If the sheet's are incomplete, they are searched for again with the light evened out, because a shadow's edge hides
    them.
    """
    seen, repeated = detector.detect_all(image)
    if any(_all_of(each, seen) for each in layout.themes):
        return seen, repeated
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float32)
    light = cv2.GaussianBlur(grey, (0, 0), max(image.shape[:2]) / _LIGHT_SHARE)
    evened = np.clip(grey / np.maximum(light, 1) * 128, 0, 255).astype(np.uint8)
    return {**detector.detect(evened), **seen}, repeated


def lay_flat(image: NDArray[np.uint8], page: Page, layout: PageLayout) -> NDArray[np.uint8]:
    """Return the sheet in flat space, with a slight curl corrected by its printed outlines.

    Raises:
        SheetPhotoError: the sheet is bent, blurred or hazy, or another one.
    """
    flat = flatten(image, page, layout.size)
    _check_markers(flat, layout)
    bulge = _bulge(flat, layout)
    if bulge is not None and bulge.largest_mm >= _LEAST_BULGE_MM:
        if bulge.largest_mm > MOST_BULGE_MM or bulge.misfit_mm > _MOST_DISORDER_MM:
            raise SheetPhotoError(NOT_FLAT)
        flat = flatten(image, page, layout.size, bulge)
    if not layout.fiducials.markers and likeness(dark_lines(flat), blank_of(layout)) < ALIKE:
        raise SheetPhotoError(other_print(layout))
    return flat


def _check_markers(flat: NDArray[np.uint8], layout: PageLayout) -> None:
    """Raise SheetPhotoError if the printed markers, where there are any, show that the picture is blurred or hazy."""
    looks = [look_at_marker(flat, quad * FLAT_PX_PER_MM - 0.5) for quad in printed_markers(layout).values()]
    # Without contrast, it is covered; people showed the corners.
    seen = [look for look in looks if np.isfinite(look.blur_px)]
    if looks and (not seen or np.median([look.blur_px for look in seen]) > _MOST_BLUR_MM * FLAT_PX_PER_MM):
        raise SheetPhotoError(BLURRED)
    if seen and np.median([look.ink / look.paper for look in seen]) > _HAZY_INK:
        raise SheetPhotoError(HAZY)


def _bulge(flat: NDArray[np.uint8], layout: PageLayout) -> Bulge | None:
    if layout.fiducials.markers:
        anchors = np.concatenate(list(printed_markers(layout).values()))
        return find_bulge(flat, _outlines(layout), anchors, layout.size)
    pieces = find_pieces(dark_lines(flat), blank_of(layout).print)
    return bulge_through(pieces, np.zeros((0, 2)), layout.size)


_LARGEST_BYTES: Final = 64 << 20
_SIZE_SLACK: Final = 0.02


def blank_of(layout: PageLayout) -> BlankSheet:
    """Return the blank sheet for a layout without markers; cached while its picture file stays the same.

    Raises:
        CompanionError: the picture is missing or unreadable, or its shape differs from the page's.
    """
    path = Path(layout.fiducials.blank)
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise CompanionError.said(
            "{file}: the picture of the blank sheet cannot be read: {why}", file=str(path), why=system_says(error)
        ) from error
    return _blank(path, (status.st_mtime_ns, status.st_size), layout.size)


@lru_cache(maxsize=2)
def _blank(path: Path, stamp: tuple[int, int], size_mm: tuple[float, float]) -> BlankSheet:
    if stamp[1] > _LARGEST_BYTES:
        raise CompanionError.said(
            "{file}: larger than {limit} MB: this is not a picture of a blank sheet",
            file=str(path),
            limit=_LARGEST_BYTES >> 20,
        )
    try:
        image = decoded(read_bytes(path))
    except (OSError, PictureError):
        image = None
    if image is None:
        raise CompanionError.said(
            "{file}: is not a picture; photograph the blank sheet again: companion kvilt define PHOTO",
            file=str(path),
        )
    size_px = (round(size_mm[0] * FLAT_PX_PER_MM), round(size_mm[1] * FLAT_PX_PER_MM))
    height, width = image.shape[:2]
    if abs(width / height - size_px[0] / size_px[1]) > _SIZE_SLACK * width / height:
        raise CompanionError.said(
            "{file}: {pixels} pixels do not have the shape of a page of {page} mm; photograph the blank sheet "
            "again: companion kvilt define PHOTO",
            file=str(path),
            pixels=f"{width} x {height}",
            page=f"{size_mm[0]:g} x {size_mm[1]:g}",
        )
    if (width, height) != size_px:
        image = np.asarray(cv2.resize(image, size_px, interpolation=cv2.INTER_AREA), np.uint8)
    return BlankSheet(image, size_mm)
