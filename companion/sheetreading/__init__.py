"""Reads a coloured sheet of Kvilt: what the picture shows, and what the rules make likely where it leaves doubts."""

from companion.sheetreading.drawing import draw_reading
from companion.sheetreading.finding import find_sheet
from companion.sheetreading.reader import SheetReader, SheetReading
from companion.sheetreading.refusing import SheetPhotoError

__all__ = ["SheetPhotoError", "SheetReader", "SheetReading", "draw_reading", "find_sheet"]
