"""Kvilt's side of the page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any, Final, TypeAlias

import cv2
import numpy as np
from msgspec import Meta, structs
from numpy.typing import NDArray

from companion.games.kvilt.state import State, Variant
from companion.games.strategy import LEVEL_CHOICES, level_named
from companion.kvilt.choices import Choice, ChoiceTopic
from companion.kvilt.codec import KVILT, Event
from companion.kvilt.page import archive, table
from companion.kvilt.page.archive import KviltSeat
from companion.kvilt.page.table import SheetDesk, SheetTable, in_question
from companion.kvilt.reading.drawing import draw_reading
from companion.kvilt.reading.finding import FoundSheet
from companion.kvilt.reading.reader import SheetReading
from companion.kvilt.settings import BAGS, SEATS, KviltArrangement
from companion.kvilt.sheets.layout import PageLayout
from companion.kvilt.table.watch import SheetWatch, shows_the_same
from companion.kvilt.words import sentences, turn_sentence
from companion.languages import render, said
from companion.pictures import polyline
from companion.play.events import Asked
from companion.play.page import (
    Asking,
    Body,
    Exposure,
    GamePage,
    GameRequest,
    GameRoute,
    Json,
    LanguageCode,
    Picture,
    PlayerName,
    SetupOffer,
    VirtualSide,
    between,
    by_hand,
    one_of,
)
from companion.play.partner import Robot
from hardware.ports import Frame
from hardware.simulated.sheets.conditions import (
    STYLES,
    ColourRegion,
    LaySheet,
    RubOut,
    SheetCircumstances,
    SheetTabletop,
)
from vision.sheet.page import Page

RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "exposure": (0.15, 1.3),
    "gradient": (0.0, 0.8),
    "shadow": (0.0, 0.7),
    "turn_deg": (0.0, 30.0),
    "curl_mm": (0.0, 6.0),
}
"""The range of each of the circumstances."""


def sheets_json(tabletop: SheetTabletop) -> Json:
    """Return the virtual table as JSON."""
    return {
        "game": "kvilt",
        "sheets": [
            {"seat": seat, "marks": dict(marks), "theme": theme}
            for seat, (marks, theme) in enumerate(zip(tabletop.marks, tabletop.themes, strict=True), start=1)
        ],
        "lying": tabletop.lying,
        "conditions": asdict(tabletop.circumstances),
        "styles": [*STYLES],
    }


VIRTUAL: Final = VirtualSide(SheetTabletop, sheets_json, RANGES)


LONGEST_NAME: Final = 40
_Region: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]


class ColourBody(Body):
    """A region of a seat's sheet, and the colour that it gets."""

    seat: KviltSeat
    region: _Region
    colour: _Region


class RubbedOut(Body):
    """A region of a seat's sheet."""

    seat: KviltSeat
    region: _Region


class SheetLaid(Body):
    """The seat whose sheet is laid under the camera; null for none."""

    seat: KviltSeat | None


class SheetChanged(Body):
    """The light, how sheets lie, and how players colour."""

    exposure: Annotated[float, between(*RANGES["exposure"])]
    gradient: Annotated[float, between(*RANGES["gradient"])]
    shadow: Annotated[float, between(*RANGES["shadow"])]
    turn_deg: Annotated[float, between(*RANGES["turn_deg"])]
    curl_mm: Annotated[float, between(*RANGES["curl_mm"])]
    style: Annotated[str, one_of(*STYLES)]


VIRTUAL_ROUTES: Final[tuple[GameRoute[Any], ...]] = (
    by_hand("/api/virtual/colour", ColourBody, lambda body: ColourRegion(body.seat, body.region, body.colour)),
    by_hand("/api/virtual/rub-out", RubbedOut, lambda body: RubOut(body.seat, body.region)),
    by_hand("/api/virtual/lay-sheet", SheetLaid, lambda body: LaySheet(body.seat)),
    by_hand("/api/virtual/sheet-conditions", SheetChanged, lambda body: SheetCircumstances(**structs.asdict(body))),
)


class RobotBody(Body):
    """The robot at a seat."""

    seat: KviltSeat
    level: Annotated[str, one_of(*LEVEL_CHOICES)]


class KviltBegun(Body):
    """The next game of Kvilt. A wrong number of players is refused by the table, with a better message."""

    distinct = ("variants",)
    players: Annotated[tuple[PlayerName, ...], Meta(max_length=max(SEATS))]
    first_seat: KviltSeat
    bag: Annotated[str, one_of(*BAGS)]
    variants: Annotated[tuple[Variant, ...], Meta(max_length=len(Variant))]
    robot: RobotBody | None = None
    language: LanguageCode | None = None
    leave: bool = False


def offer(offered: SetupOffer) -> Json:
    """Return the arrangement of the next game of Kvilt, and the choices for it."""
    chosen: KviltArrangement = offered.chosen
    return {
        "next": {
            "players": [render(name, offered.reader) for name in chosen.players],
            "first_seat": chosen.first_seat,
            "bag": chosen.bag,
            "variants": list(chosen.variants),
            "robot": None if chosen.robot is None else {"seat": chosen.robot.seat, "level": chosen.robot.level},
        },
        "seats": [*SEATS],
        "bags": [*BAGS],
        "variants": [*Variant],
        "levels": [*LEVEL_CHOICES],
    }


def _begin(asking: Asking[KviltBegun]) -> GameRequest:
    body = asking.body
    variants = tuple(each.value for each in body.variants)
    robot = None if body.robot is None else Robot(body.robot.seat, level_named(body.robot.level))
    arrangement = KviltArrangement(body.players, body.first_seat, body.bag, variants, robot)
    return GameRequest(arrangement, body.language, body.leave)


FORM: Final = GameRoute("/api/setup/begin-kvilt", _begin, KviltBegun)


# Widths in pixels, and colours, of the sheet's frame: light within dark, because it lies on the table.
_FRAME_OVERLAY: Final = ((7, (40, 30, 25)), (3, (250, 250, 250)))


def sheet_exposure(watch: SheetWatch, table: SheetTable | None) -> Exposure | None:
    """Return the newest frame with the sheet's overlay drawn on it, or None before the first frame.

    Args:
        watch: the watch that locates the sheet.
        table: the page's account of the game, or None before it is opened.
    """
    frame = watch.frame
    if frame is None:
        return None
    drawn = partial(_drawn, frame.image, watch.found, watch.reading)
    regions = in_question(table)
    if not regions or watch.looked is None:
        return Exposure(frame, drawn)
    return Exposure(frame, drawn, _crop(*watch.looked, regions), (watch.looked[0].name, *regions))


def _crop(frame: Frame, found: FoundSheet, regions: tuple[str, ...]) -> Callable[[int], Picture]:
    def draw(seat: int) -> Picture:
        del seat  # One sheet at a time lies under the camera.
        return draw_regions(frame.image, found.page, found.layout, regions)

    return draw


def _drawn(
    image: NDArray[np.uint8], found: FoundSheet | None, read: tuple[Frame, SheetReading] | None
) -> NDArray[np.uint8]:
    """Draw the reading while the picture still shows the same, else the outline of the sheet if it is found."""
    if read is not None and shows_the_same(image, read[0].image):
        return draw_reading(read[0].image, read[1])
    return image if found is None else _outlined(image, found.page, found.layout)


def _outlined(image: NDArray[np.uint8], page: Page, layout: PageLayout) -> NDArray[np.uint8]:
    width, height = layout.size
    corners = page.place(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    picture = image.copy()
    polyline(picture, corners, *_FRAME_OVERLAY)
    return picture


WIDTH_PX: Final = 480
_LEAST_MM: Final = (54.0, 40.0)
_MARGIN_MM: Final = 9.0
# Widths in pixels, and colours, of a region's frame: dark within light, because it lies on any pencil's colour.
_FRAME: Final = ((7, (250, 250, 250)), (3, (40, 20, 20)))


def draw_regions(image: NDArray[np.uint8], page: Page, layout: PageLayout, regions: Sequence[str]) -> NDArray[np.uint8]:
    """Draw a rectified view of some regions and their surroundings, with a frame around each region.

    Args:
        image: the picture, shape (height, width, 3), uint8, BGR.
        page: the sheet's place in it.
        layout: the sheet's layout.
        regions: names of its regions; at least one.

    Returns:
        Shape (height, `WIDTH_PX`, 3), uint8, BGR.
    """
    outlines = [np.array(outline) for name in regions for outline in layout.regions()[name].outlines]
    left, top, right, bottom = _view(np.concatenate(outlines), layout)
    scale = WIDTH_PX / (right - left)
    size = (WIDTH_PX, round((bottom - top) * scale))
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    flat = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    matrix = cv2.getPerspectiveTransform(page.place(corners).astype(np.float32), flat)
    picture = np.asarray(cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)
    for outline in outlines:
        polyline(picture, (outline - (left, top)) * scale, *_FRAME)
    return picture


def _view(points: NDArray[np.float64], layout: PageLayout) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of the view in millimetres, inside the page if that is large enough."""
    low, high = points.min(axis=0) - _MARGIN_MM, points.max(axis=0) + _MARGIN_MM
    lacking = np.maximum(np.array(_LEAST_MM) - (high - low), 0) / 2
    low, high = low - lacking, high + lacking
    shift = np.maximum(-low, 0) - np.maximum(high - np.array(layout.size), 0)
    (left, top), (right, bottom) = (low + shift).tolist(), (high + shift).tolist()
    return left, top, right, bottom


def _is_news(event: Event) -> bool:
    """Return False for choices, which the page shows, and True for doubts about a fault that was announced before."""
    question = event.question if isinstance(event, Asked) else None
    return not isinstance(question, Choice) or question.asks is ChoiceTopic.DOUBT


KVILT_PAGE: Final = GamePage(
    codec=KVILT,
    title=said("Kvilt"),
    state=State,
    words=sentences,
    turn_words=turn_sentence,
    opened=table.opened,
    after=table.after,
    snapshot=table.kvilt_json,
    archive=archive.ARCHIVE,
    is_news=_is_news,
    holds_up=lambda choice: choice.doubts,
    exposure=sheet_exposure,
    desk=lambda publish: SheetDesk(lambda sheets: publish(lambda _: sheets)),
    routes=(FORM, *table.ROUTES, *VIRTUAL_ROUTES),
    virtual=VIRTUAL,
    offer=offer,
)
"""Kvilt's side of the page."""
