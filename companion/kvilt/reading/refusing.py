"""The errors of pictures without a readable sheet: one sentence each, with the remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from companion.errors import CompanionError
from companion.games.kvilt import swatch_card
from companion.languages import Sentence, all_of, counted, said

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from companion.games.kvilt import PageLayout

LEAST_PX_PER_MM: Final = 3.0
"""Resolution below which the white between strokes and the markers' edges cannot be resolved."""
NOT_FLAT: Final = said(
    "the sheet is not flat: its print is not where it would be on a flat page; lay it flat, or under glass, and "
    "photograph it again"
)
BLURRED: Final = said(
    "the picture is blurred: hold the camera still, let it focus on the sheet, and photograph it again"
)
WASHED_OUT: Final = said(
    "the picture is overexposed, and the samples of the pencils are washed out: take a darker one, or use less light"
)
COLOURLESS: Final = said("the picture has no colours: the samples all look alike; photograph the sheet in colour")
TWO_SHEETS: Final = said(
    "there is more than one sheet in the picture: photograph one at a time, all of it and from above"
)
_FIRST_SHEET_ID: Final = 16
"""Lower ones are those of Patchwork's mats."""
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
        raise SheetPhotoError(
            said("the picture is mirrored: use the rear camera, or turn off mirroring, and take it again")
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
        "flat, or give the other sheet’s file with --sheet FILE.toml",
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
        return said("this is a different sheet, not {sheet}: give its file with --sheet FILE.toml", sheet=layout.sheet)
    if seen:
        return said("this is a picture of Patchwork’s mats, not of a Kvilt sheet; leave out --game kvilt to score it")
    return said(
        "no marker of the sheet {sheet} is seen: photograph all of it, flat and from above, with its four corner "
        "markers in the picture",
        sheet=layout.sheet,
    )
