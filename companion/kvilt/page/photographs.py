"""Coloured sheets in photographs that people send: their readings, corrections and scores."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final

import numpy as np
from msgspec import Meta, field

from companion.config import Config
from companion.kvilt.naming import colour_word, region_words
from companion.kvilt.reading.finding import SheetPhotoError, find_sheet
from companion.kvilt.reading.reader import SheetReader, SheetReading
from companion.kvilt.refusals import fault_sentence
from companion.kvilt.settings import KviltSettings
from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout_files import load_layout
from companion.languages import Language, reason, render, said
from companion.play.page import Body, Json, Picture, PlayerName
from companion.play.photographs import TOO_DARK, NotFoundError, PhotographKind, Progress, Quads, Result, is_dark
from vision.sheet.page import page_corners_mm

_MOST: Final = 4
_Word = Annotated[str, Meta(max_length=40)]


class EnteredSheet(Body):
    """The entries for one sheet: the player's name, and by region the colour, "" for white."""

    name: PlayerName = ""
    colours: Annotated[dict[_Word, _Word], Meta(max_length=400)] = field(default_factory=dict)


class EnteredSheets(Body):
    """The entries for all sheets, in the order of the photographs."""

    seats: Annotated[tuple[EnteredSheet, ...], Meta(max_length=_MOST)] = ()


def _read(image: Picture, corners: Quads | None, config: Config, progress: Progress) -> SheetReading:
    settings = config.of(KviltSettings)
    sheet, counts = settings.sheet, settings.empty_row_counts
    layout = load_layout(sheet)
    progress(said("Looking for the sheet"))
    try:
        found = find_sheet(image, layout, corners_px=None if corners is None else corners[0])
    except SheetPhotoError as error:
        if is_dark(image):
            raise NotFoundError(TOO_DARK) from error
        raise NotFoundError(
            said("{fault}; or show the sheet’s corners.", fault=reason(error)) if corners is None else reason(error)
        ) from error
    progress(said("Reading the colours"))
    try:
        reading = SheetReader(load_sheet(sheet), layout).read(image, found)
    except SheetPhotoError as error:
        if corners is None:
            raise
        # People may have shown other corners than the sheet's.
        raise NotFoundError(reason(error)) from error
    return replace(reading, empty_row_counts=counts)


def _corrected(readings: Sequence[SheetReading], entered: EnteredSheets) -> list[SheetReading]:
    given = [each.colours for each in entered.seats] + [{}] * len(readings)
    return [_with_colours(reading, colours) for reading, colours in zip(readings, given, strict=False)]


def _with_colours(reading: SheetReading, entered: Mapping[str, str]) -> SheetReading:
    """Return a reading with the regions that people corrected, of which there is no doubt any more."""
    known = {
        region: colour or None
        for region, colour in entered.items()
        if region in reading.seen and (not colour or colour in reading.sheet.colours)
    }
    doubtful = tuple(region for region in reading.doubtful if region not in known)
    hidden = tuple(region for region in reading.hidden if region not in known)
    return replace(reading, seen={**reading.seen, **known}, doubtful=doubtful, hidden=hidden)


def _sheets(readings: Sequence[SheetReading], entered: EnteredSheets, language: Language) -> Json:
    shown = _corrected(readings, entered)
    return {"sheets": [_sheet_json(reading, photo, language) for photo, reading in enumerate(shown)]}


def _sheet_json(reading: SheetReading, photo: int, language: Language) -> Json:
    verdict = reading.verdict()
    remarks = [*(fault_sentence(fault, reading.sheet) for fault in verdict.errors), *reading.remarks]
    return {
        "photo": photo,
        "corners": reading.page.place(page_corners_mm(reading.layout.size)).round(1).tolist(),
        "regions": [_region_json(reading, region, language) for region in reading.seen],
        "colours": [
            {"key": colour.key, "screen": colour.screen, "name": render(colour_word(colour.key), language)}
            for colour in reading.layout.colours
        ],
        "lines": [[render(label, language), points] for label, points in _lines(reading)],
        "total": verdict.score.to_json()["total"],
        "remarks": [render(remark, language) for remark in remarks],
    }


def _region_json(reading: SheetReading, region: str, language: Language) -> Json:
    outline = reading.layout.regions()[region].outlines[0]
    return {
        "region": region,
        "name": render(region_words(region, reading.sheet), language),
        "outline": np.round(reading.page.place(outline), 1).tolist(),
        "colour": reading.seen[region],
        "doubtful": region in reading.doubtful,
    }


def _lines(reading: SheetReading) -> list[tuple[str, int]]:
    """Return the summands of a score sheet, each with its points."""
    score = reading.verdict().score.to_json()
    rows = [(said("row {number}", number=row), points) for row, points in enumerate(score["rows"], start=1)]
    return [
        (said("patches"), score["patches"]),
        *rows,
        (said("spools"), score["spools"]),
        (said("buttons"), score["buttons"]),
    ]


def _result(readings: Sequence[SheetReading], entered: EnteredSheets) -> Result:
    totals = [reading.verdict().score.to_json()["total"] for reading in _corrected(readings, entered)]
    names = [each.name.strip() for each in entered.seats[: len(totals)]]
    players = (*names, *[""] * (len(totals) - len(names)))
    return Result(players, tuple(totals), {})


PHOTOGRAPHS: Final[tuple[PhotographKind[Any, Any], ...]] = (
    PhotographKind(
        name="kvilt",
        title=said("Coloured sheets of Kvilt"),
        most=_MOST,
        boards=1,
        entered=EnteredSheets,
        read=_read,
        is_whole=lambda readings: len(readings) == _MOST,
        sheet=_sheets,
        result=_result,
    ),
)
