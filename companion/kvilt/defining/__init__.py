"""Step-by-step description of an owner's sheet of Kvilt from a photograph of it while it is blank."""

from companion.kvilt.defining.desk import DefiningDesk, DefiningView, open_desk
from companion.kvilt.defining.keeping import DefiningError
from companion.kvilt.defining.regions import describe
from companion.kvilt.defining.writing import sheet_text

__all__ = ["DefiningDesk", "DefiningError", "DefiningView", "describe", "open_desk", "sheet_text"]
