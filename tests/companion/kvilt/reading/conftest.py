"""A reader of the companion's own sheet, and a sheet to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.kvilt.reading.reader import SheetReader
from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout_files import load_layout
from hardware.simulated.sheets.sheet import SimulatedSheet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.kvilt.reading.reader import SheetReading

MARKS = {
    "r1c1.picture": "red", "r1c2.picture": "red", "r1c2.background": "red", "r2c1.picture": "blue",
    "r4c1.picture": "brown", "r4c2.picture": "brown", "r4c2.background": "brown", "r4c3.picture": "brown",
    "r5c1.picture": "yellow", "r5c2.picture": "yellow", "p3": "green", "e5.1": "red", "e2a.2": "blue",
    "spool1.thread": "violet", "spool2.thread": "yellow", "spool3.body": "green", "spool3.thread": "brown",
}  # fmt: skip


@pytest.fixture(scope="session")
def reader() -> SheetReader:
    return SheetReader(load_sheet(), load_layout())


@pytest.fixture(scope="session")
def photograph() -> NDArray[np.uint8]:
    """A sheet with `MARKS`, in ordinary light."""
    sheet = SimulatedSheet(4)
    sheet.colour(MARKS)
    return sheet.photograph()


@pytest.fixture(scope="session")
def reading(reader: SheetReader, photograph: NDArray[np.uint8]) -> SheetReading:
    """What is read in that photograph."""
    return reader.read(photograph)
