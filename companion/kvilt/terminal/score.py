"""`companion score --game kvilt`: the score sheets of coloured sheets, one photograph per sheet."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.config import Config
from companion.errors import CompanionError
from companion.kvilt.naming import colour_word, region_words
from companion.kvilt.reading.drawing import draw_reading
from companion.kvilt.reading.finding import SheetPhotoError
from companion.kvilt.reading.reader import SheetReader, SheetReading
from companion.kvilt.refusals import fault_sentence
from companion.kvilt.settings import KviltSettings
from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout_files import load_layout
from companion.languages import ENGLISH, Language, Sentence, counted, listed, reason, render, said
from companion.pictures import most_read_px, reduced
from companion.terminal.output import EXIT_BAD_INPUT, one_line, padded, put, text_width
from companion.terminal.photograph import load_photo, save_shown

_LABEL: Final = 10
_WIDTH: Final = 40


def score(args: argparse.Namespace, config: Config, language: Language) -> int:
    """Read the photographs, print each score sheet, and return the exit status.

    The sheet is that of the command line or the table's, and empty rows count as at the table.

    Raises:
        SheetError: the sheet's file cannot be used.
    """
    settings = config.of(KviltSettings)
    status, read = score_sheets(
        args.images, replace(settings, sheet=args.sheet or settings.sheet), language, as_json=args.json
    )
    picture = drawn(read) if args.show is not None else None
    if picture is not None:
        save_shown(args.show, picture)
    return status


def score_sheets(
    images: Sequence[Path], settings: KviltSettings, language: Language = ENGLISH, *, as_json: bool
) -> tuple[int, list[tuple[NDArray[np.uint8], SheetReading]]]:
    """Read each picture and print its score sheet.

    Args:
        images: the pictures, one sheet on each.
        settings: the sheet and how empty rows count.
        language: the reader's.
        as_json: whether to print one JSON object per line instead of score sheets for people.

    Returns:
        The exit status, 2 if any picture could not be read, and the readable pictures with their readings.

    Raises:
        SheetError: the sheet's file cannot be used.
    """
    reader = SheetReader(load_sheet(settings.sheet), load_layout(settings.sheet))
    read = []
    for path in images:
        try:
            picture, _ = reduced(load_photo(path), most_read_px())
            reading = replace(_read(reader, picture, path), empty_row_counts=settings.empty_row_counts)
        except CompanionError as error:
            sys.stderr.write(one_line(error, language) + "\n")
            if as_json:
                put(_line({"game": "kvilt", "image": path.name, "error": str(error)}))
            continue
        put(_line(reading.to_json(path.name)) if as_json else sheet_text(reading, path.name, language))
        read.append((picture, reading))
    return (0 if len(read) == len(images) else EXIT_BAD_INPUT), read


def _read(reader: SheetReader, picture: NDArray[np.uint8], path: Path) -> SheetReading:
    try:
        return reader.read(picture)
    except SheetPhotoError as error:
        raise SheetPhotoError.said("{path}: {fault}", path=str(path), fault=reason(error)) from error


def _line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def drawn(read: Sequence[tuple[NDArray[np.uint8], SheetReading]]) -> NDArray[np.uint8] | None:
    """Return the first picture that was read, with its reading drawn over it, or None if none was."""
    return draw_reading(*read[0]) if read else None


def sheet_text(reading: SheetReading, image: str, language: Language = ENGLISH) -> str:
    """Return the score sheet as text: the marks, the points and the regions to check; ends with an empty line."""
    fields = reading.to_json(image)
    score = fields["score"]
    patches = [patch for patch in reading.sheet.patches if patch.id in fields["patches"]]
    table = [
        (said("patches"), _listed([f"±{patch.points}" for patch in patches]), score["patches"]),
        *((said("row {number}", number=row), cells, points) for row, cells, points in _rows(fields)),
        (said("spools"), _spools(fields["spools"]), score["spools"]),
        (said("buttons"), "", score["buttons"]),
    ]
    parts = [fields["embroideries"][figure.id] for figure in reading.sheet.embroideries]
    figures = [
        said("{count} of embroidery {number}", count=count, number=number)
        for number, count in enumerate(parts, start=1)
        if count
    ]
    lines = [
        f"{image}: {fields['sheet']}",
        "",
        *(_row(*line, language) for line in table),
        "─" * (_LABEL + _WIDTH + 6),
        _row(said("total"), "", score["total"], language),
        "",
        said("Embroidered parts: {figures}.", figures=_listed(figures)),
        *_remarks(reading, fields),
    ]
    return "\n".join([*(render(line, language) for line in lines), "", ""])


def _rows(fields: dict[str, Any]) -> Iterator[tuple[int, str, int]]:
    for number, (row, points) in enumerate(zip(fields["rows"], fields["score"]["rows"], strict=True), start=1):
        yield number, _cells(row), points


def _row(label: str, what: str, points: int, language: Language) -> str:
    number = language.number(points)
    return padded(label, _LABEL, language) + padded(what, _WIDTH, language) + " " * (6 - text_width(number)) + number


def _listed(names: Sequence[str]) -> str:
    return listed(names) if names else said("none")


def _spools(spools: dict[str, Any]) -> Sentence:
    threads = len(spools["threads"])
    return counted("{count} thread, {open} open", "{count} threads, {open} open", threads, open=spools["open"])


def _cells(row: dict[str, Any]) -> str:
    if row["colour"] is None:
        return ""
    colour = colour_word(row["colour"])
    if not row["full"]:
        return counted("{colour}: {count} cell", "{colour}: {count} cells", row["cells"], colour=colour)
    full = listed([said("{number}", number=cell) for cell in row["full"]])
    return counted(
        "{colour}: {count} cell; full: {full}",
        "{colour}: {count} cells; full: {full}",
        row["cells"],
        colour=colour,
        full=full,
    )


def _remarks(reading: SheetReading, fields: dict[str, Any]) -> list[str]:
    doubtful = [region_words(region, reading.sheet) for region in fields["doubtful"]]
    doubts = [said("Please check: {regions}.", regions=listed(doubtful))] if doubtful else []
    return [*doubts, *(fault_sentence(fault, reading.sheet) for fault in reading.verdict().errors), *reading.remarks]
