"""Responses that browsers save as files."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from companion.play.page.routes import Rows


def as_file(text: str, kind: str, name: str) -> Response:
    """Return a response with a text as a file download."""
    return Response(
        text.encode("utf-8"),
        headers={"content-disposition": f'attachment; filename="{name}"', "content-type": f"{kind}; charset=utf-8"},
    )


def as_rows(table: Rows, name: str) -> Response:
    """Return a response with a table as a CSV download."""
    return as_file(csv_of(table), "text/csv", name)


def csv_of(table: Rows) -> str:
    """Return rows as CSV (RFC 4180); values that a spreadsheet would run as formulas are escaped."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(table.heading)
    writer.writerows([safe_cell(value) for value in row] for row in table.rows)
    return stream.getvalue()


def safe_cell(value: object) -> object:
    """Return a value of a CSV table, escaped if a spreadsheet would run it as a formula."""
    # With an apostrophe, spreadsheets show such a value as text.
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
