"""`companion score --game kvilt`: the score sheets of coloured sheets, one photograph a sheet."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.cli.errors import EXIT_BAD_INPUT, one_line
from companion.cli.output import put
from companion.errors import CompanionError
from companion.games.kvilt import load_layout, load_sheet
from companion.scoring.photo import load_photo
from companion.sheetreading import SheetPhotoError, SheetReader, draw_reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.sheetreading import SheetReading

_LABEL: Final = 10
_COLOUR: Final = 9
_WIDTH: Final = 40


def score_sheets(
    images: Sequence[Path], sheet: Path | None, *, as_json: bool
) -> tuple[int, list[tuple[NDArray[np.uint8], SheetReading]]]:
    """Read each picture and print its score sheet.

    Args:
        images: one sheet on each.
        sheet: the sheet's file; None for the companion's own.
        as_json: one object a line instead of a sheet for people.

    Returns:
        The exit status, 2 if any picture could not be read, and the pictures that could, with what was read.

    Raises:
        SheetError: the sheet's file cannot be used.
    """
    reader = SheetReader(load_sheet(sheet), load_layout(sheet))
    read = []
    for path in images:
        try:
            picture = load_photo(path)
            reading = _read(reader, picture, path)
        except CompanionError as error:
            sys.stderr.write(one_line(error) + "\n")
            if as_json:
                put(_line({"game": "kvilt", "image": path.name, "error": str(error)}))
            continue
        put(_line(reading.to_json(path.name)) if as_json else sheet_text(reading, path.name))
        read.append((picture, reading))
    return (0 if len(read) == len(images) else EXIT_BAD_INPUT), read


def _read(reader: SheetReader, picture: NDArray[np.uint8], path: Path) -> SheetReading:
    try:
        return reader.read(picture)
    except SheetPhotoError as error:
        raise SheetPhotoError(f"{path}: {error}") from error


def _line(told: dict[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=False) + "\n"


def drawn(read: Sequence[tuple[NDArray[np.uint8], SheetReading]]) -> NDArray[np.uint8] | None:
    """The first picture that was read with what was read in it; None where none was."""
    return draw_reading(*read[0]) if read else None


def sheet_text(reading: SheetReading, image: str) -> str:
    """The score sheet for people: what is coloured, what it is worth, what to check; ends with an empty line."""
    told = reading.to_json(image)
    score = told["score"]
    patches = ", ".join(told["patches"]) or "none"
    spools = told["spools"]
    figures = ", ".join(f"{figure} {count}" for figure, count in told["embroideries"].items() if count) or "none"
    lines = [
        f"{image}: {told['sheet']}",
        "",
        _row("patches", patches, score["patches"]),
        *(_row(f"row {number}", _cells(row), points) for number, (row, points) in _rows(told)),
        _row("spools", f"{len(spools['threads'])} threads, {spools['open']} open", score["spools"]),
        _row("buttons", "", score["buttons"]),
        "─" * (_LABEL + _WIDTH + 6),
        _row("total", "", score["total"]),
        "",
        f"Embroidered parts: {figures}.",
    ]
    return "\n".join([*lines, *_remarks(told), "", ""])


def _rows(told: dict[str, Any]) -> list[tuple[int, tuple[dict[str, Any], int]]]:
    return list(enumerate(zip(told["rows"], told["score"]["rows"], strict=True), start=1))


def _row(label: str, what: str, points: int) -> str:
    return f"{label:<{_LABEL}}{what:<{_WIDTH}}{points:>6}"


def _cells(row: dict[str, Any]) -> str:
    if row["colour"] is None:
        return ""
    full = f"; full: {', '.join(map(str, row['full']))}" if row["full"] else ""
    return f"{row['colour']:<{_COLOUR}}{row['cells']} cell{'' if row['cells'] == 1 else 's'}{full}"


def _remarks(told: dict[str, Any]) -> list[str]:
    doubts = [f"Please check: {', '.join(told['doubtful'])}."] if told["doubtful"] else []
    errors = [f"{error['code']}: {error['says']}" for error in told["errors"]]
    return [*doubts, *errors, *told.get("notes", ())]
