"""The printing on top of a patch's cloth: the stitched border, the label and the button icons."""

from typing import Final

import cv2
import numpy as np

from hardware.simulated.drawing.images import Image, Mask, bytes_of

CREAM: Final = (196, 222, 234)
INK: Final = (46, 52, 62)
BUTTON_BLUE: Final = (196, 128, 42)


def stitch_border(picture: Image, mask: Mask, inset_px: float, pitch_px: float) -> None:
    """Draw a dashed seam along the inside of the mask's outline, in place; lighter on dark cloth, darker on light."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    inner = (depth >= inset_px).astype(np.uint8)
    outlines, _ = cv2.findContours(inner, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    dark = float(picture[mask > 0].mean()) < 120
    thread = (205, 215, 220) if dark else (58, 60, 66)
    for outline in outlines:
        points = outline[:, 0]
        dashes = np.split(points, np.arange(int(pitch_px), len(points), int(pitch_px)))
        for dash in dashes[::2]:
            cv2.polylines(picture, [dash.reshape(-1, 1, 2)], False, thread, 1, cv2.LINE_AA)
    edge = np.clip(1 - depth / (inset_px * 0.6), 0, 1)[..., None] * (mask > 0)[..., None]
    picture[:] = (picture * (1 - 0.25 * edge)).astype(np.uint8)


def label(cost: int, time: int, px_per_mm: float) -> tuple[Image, Mask]:
    """Return a cream label with a button icon, the cost, an hourglass and the time: its picture and mask."""
    # A cost of two digits needs more room.
    width, height = round(25.0 * px_per_mm * (1.14 if cost > 9 else 1)), round(8.6 * px_per_mm)
    # Supersampling factor: the mask is drawn without antialiasing.
    fine = 4
    picture = np.full((height * fine, width * fine, 3), CREAM, np.uint8)
    mask = np.zeros((height * fine, width * fine), np.uint8)
    radius = height * fine // 2
    cv2.circle(mask, (radius, radius), radius - 1, 255, -1)
    cv2.circle(mask, (width * fine - radius - 1, radius), radius - 1, 255, -1)
    cv2.rectangle(mask, (radius, 1), (width * fine - radius - 1, height * fine - 2), 255, -1)
    cv2.circle(picture, (radius, radius), int(radius * 0.68), BUTTON_BLUE, -1, cv2.LINE_AA)
    _digits(picture, str(cost), (int(radius * 1.85), radius), radius)
    glass_x = int(width * fine * (0.64 if cost > 9 else 0.6))
    _hourglass(picture, (glass_x, radius), int(radius * 0.62))
    _digits(picture, str(time), (glass_x + int(radius * 0.75), radius), radius)
    size = (width, height)
    return _shrunk(picture, size), _shrunk(mask, size)


def title(text: str, px_per_mm: float) -> tuple[Image, Mask]:
    """Return a cream label with a word in large letters, without a button: its picture and mask."""
    width, height, fine = round(26.0 * px_per_mm), round(14.0 * px_per_mm), 4
    picture = np.full((height * fine, width * fine, 3), CREAM, np.uint8)
    scale, weight = height * fine / 46, height * fine // 10
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    at = ((width * fine - wide) // 2, (height * fine + high) // 2)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, INK, weight, cv2.LINE_AA)
    return _shrunk(picture, (width, height)), np.full((height, width), 255, np.uint8)


def _digits(picture: Image, text: str, at: tuple[int, int], radius: int) -> None:
    scale, weight = radius / 21, max(2, radius // 7)
    (_, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    position = (at[0], at[1] + height // 2)
    cv2.putText(picture, text, position, cv2.FONT_HERSHEY_SIMPLEX, scale, INK, weight, cv2.LINE_AA)


def _hourglass(picture: Image, at: tuple[int, int], half: int) -> None:
    x, y = at
    wide = half * 2 // 3
    upper = np.array([[x - wide, y - half], [x + wide, y - half], [x, y]])
    lower = np.array([[x - wide, y + half], [x + wide, y + half], [x, y]])
    cv2.fillPoly(picture, [upper.astype(np.int32), lower.astype(np.int32)], INK, cv2.LINE_AA)


def button_disc(diameter_px: int, colour: tuple[int, int, int]) -> tuple[Image, Mask]:
    """Return a sewing button seen from above: a square picture and its round mask."""
    fine = 4
    side = diameter_px * fine
    picture = np.full((side, side, 3), colour, np.uint8)
    centre = (side // 2, side // 2)
    rim = tuple(min(255, int(channel * 1.28) + 16) for channel in colour)
    deep = tuple(int(channel * 0.66) for channel in colour)
    cv2.circle(picture, centre, int(side * 0.42), rim, max(1, side // 14), cv2.LINE_AA)
    cv2.circle(picture, centre, int(side * 0.33), deep, max(1, side // 26), cv2.LINE_AA)
    for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        hole = (centre[0] + dx * side // 9, centre[1] + dy * side // 9)
        cv2.circle(picture, hole, max(1, side // 19), tuple(int(channel * 0.35) for channel in colour), -1, cv2.LINE_AA)
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, centre, side // 2 - 1, 255, -1)
    size = (diameter_px, diameter_px)
    return _shrunk(picture, size), _shrunk(mask, size)


def paste(picture: Image, stamp: Image, mask: Mask, centre_px: tuple[float, float]) -> None:
    """Print a stamp onto a picture, in place, clipped to the picture."""
    height, width = stamp.shape[:2]
    left, top = round(centre_px[0] - width / 2), round(centre_px[1] - height / 2)
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(picture.shape[1], left + width), min(picture.shape[0], top + height)
    if x0 >= x1 or y0 >= y1:
        return
    inside = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    opaque = mask[inside][..., None] / 255
    region = picture[y0:y1, x0:x1]
    region[:] = (region * (1 - opaque) + stamp[inside] * opaque + 0.5).astype(np.uint8)


def _shrunk(picture: Image, size: tuple[int, int]) -> Image:
    return bytes_of(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
