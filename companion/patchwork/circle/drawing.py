"""A drawing of the circle as it was read, over the picture, for the user to check at a glance."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.patchwork.circle.seen import CircleSighting, SeenMarket
from vision.enlarging import LEAST_WIDTH_PX, enlarged

_SURE: Final = (96, 190, 60)
_DOUBT: Final = (0, 150, 255)
_UNKNOWN: Final = (70, 60, 230)
_INK: Final = (40, 30, 25)
_PAPER: Final = (250, 250, 250)
_FONT: Final = cv2.FONT_HERSHEY_DUPLEX
# The number of fractional bits in OpenCV's fixed-point coordinates.
_SHIFT: Final = 4
# Height of a name's digits in a picture of the least width.
_TEXT_PX: Final = 11.0


def draw_market(image: NDArray[np.uint8], market: SeenMarket) -> NDArray[np.uint8]:
    """Draw the pieces' outlines, places and names over the picture.

    Sure pieces have a green outline; pieces whose name or place is in doubt have an orange one and a question mark;
    unnamed pieces have a red one.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        market: the circle read in it.

    Returns:
        A picture of the same kind, enlarged if it is small.
    """
    picture, scale = enlarged(image)
    doubtful = {doubt.place for doubt in market.doubtful}
    colours = [_colour(piece, sure=place not in doubtful) for place, piece in enumerate(market.pieces, start=1)]
    for piece, colour in zip(market.pieces, colours, strict=True):
        _outline(picture, piece.outline_px * scale, colour)
    if market.token_px is not None:
        _token(picture, np.array(market.token_px) * scale)
    # After all outlines, so that none of them crosses a name.
    for place, (piece, colour) in enumerate(zip(market.pieces, colours, strict=True), start=1):
        title = _title(piece, sure=place not in doubtful)
        _plate(picture, np.array(piece.centre_px) * scale, f"{place} {title}", colour)
    return picture


def _colour(piece: CircleSighting, *, sure: bool) -> Sequence[int]:
    if piece.patch is None:
        return _UNKNOWN
    return _SURE if sure else _DOUBT


def _title(piece: CircleSighting, *, sure: bool) -> str:
    if piece.patch is None:
        return "?" if piece.whole else "cut off"
    return piece.patch if sure else f"{piece.patch}?"


def _outline(picture: NDArray[np.uint8], points: NDArray[np.float64], colour: Sequence[int]) -> None:
    fine = np.rint(points * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    # The dark line below makes the coloured one visible on any ground.
    for tone, width in ((_INK, 5), (colour, 3)):
        cv2.polylines(picture, [fine], True, tone, width, cv2.LINE_AA, _SHIFT)


def _token(picture: NDArray[np.uint8], at: NDArray[np.float64]) -> None:
    centre = _whole(at)
    for tone, width in ((_INK, 6), (_PAPER, 3)):
        cv2.circle(picture, centre, 16, tone, width, cv2.LINE_AA)


def _plate(picture: NDArray[np.uint8], middle: NDArray[np.float64], text: str, colour: Sequence[int]) -> None:
    """Draw a name on a plate within the picture."""
    height, width = picture.shape[:2]
    tall = _TEXT_PX * width / LEAST_WIDTH_PX
    size = tall / cv2.getTextSize("8", _FONT, 1.0, 1)[0][1]
    (wide, _), _ = cv2.getTextSize(text, _FONT, size, 1)
    box = np.array([wide + tall, 2 * tall])
    left, top = np.clip(middle - box / 2, 0, np.maximum(np.array([width, height]) - box, 0))
    cv2.rectangle(picture, _whole([left, top]), _whole([left + box[0], top + box[1]]), _INK, -1)
    cv2.rectangle(picture, _whole([left, top]), _whole([left + box[0], top + box[1]]), colour, 1)
    cv2.putText(picture, text, _whole([left + tall / 2, top + 1.5 * tall]), _FONT, size, _PAPER, 1, cv2.LINE_AA)


def _whole(point: Sequence[float] | NDArray[np.float64]) -> tuple[int, int]:
    x, y = np.rint(np.asarray(point, np.float64)).astype(int).tolist()
    return x, y
