"""Reading of a coloured sheet of Kvilt: the picture's evidence, and the rules' for doubtful regions."""

from companion.kvilt.reading.drawing import draw_reading
from companion.kvilt.reading.finding import FoundSheet, NoSheetError, SheetPhotoError, find_sheet
from companion.kvilt.reading.reader import SheetReader, SheetReading

__all__ = ["FoundSheet", "NoSheetError", "SheetPhotoError", "SheetReader", "SheetReading", "draw_reading", "find_sheet"]
