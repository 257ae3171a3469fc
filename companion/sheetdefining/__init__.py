"""An owner's sheet of Kvilt, described step by step from a photograph of it while it is blank."""

from companion.sheetdefining.desk import DefiningDesk, DefiningView, open_desk
from companion.sheetdefining.keeping import DefiningError
from companion.sheetdefining.regions import describe
from companion.sheetdefining.writing import sheet_text

__all__ = ["DefiningDesk", "DefiningError", "DefiningView", "describe", "open_desk", "sheet_text"]
