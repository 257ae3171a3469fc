"""The rules of Kvilt: pure values and functions that use only the standard library."""

from companion.games.kvilt.bag import Bag
from companion.games.kvilt.codec import decision_from_json, decision_to_json
from companion.games.kvilt.decisions import (
    ColourBackgrounds,
    ColourCell,
    ColourPatch,
    ColourThread,
    Decision,
    Decline,
    Done,
    Fetch,
    FillNeutral,
    Negate,
    PencilSource,
    PlacePencil,
    Stitch,
    Swap,
    TakeCushion,
    TakeToken,
)
from companion.games.kvilt.errors import (
    FaultCode,
    IllegalDecisionError,
    KviltError,
    MalformedDecisionError,
    NothingToUndoError,
    SetupError,
    SheetError,
)
from companion.games.kvilt.explaining import BAG_TASKS, MarksExplanation, explain, is_draw
from companion.games.kvilt.facts import Fact
from companion.games.kvilt.header import marks_to_json, setup_from_json, setup_to_json, summary
from companion.games.kvilt.history import History
from companion.games.kvilt.judging import Fault, SheetVerdict, judge_sheet
from companion.games.kvilt.legal import LegalDecisions, legal_decisions
from companion.games.kvilt.marks import Marks, RowMarks, blank
from companion.games.kvilt.rules import Outcome, apply, new_game
from companion.games.kvilt.scoring import Score, ends_game, lowest_rows, score, winners
from companion.games.kvilt.setup import CUSHION_HOLDS, Settings, Setup, Variant
from companion.games.kvilt.sheet.files import load_sheet, own_sheet
from companion.games.kvilt.sheet.layout import Fiducials, Marker, PageLayout, Region
from companion.games.kvilt.sheet.layout_files import load_layout
from companion.games.kvilt.sheet.sheet import Bonus, BonusKind, ColumnPatch, Embroidery, Row, Sheet, Spools, cell_name
from companion.games.kvilt.sheet.swatch_card import SwatchCard, swatch_card
from companion.games.kvilt.sheet.themes import theme_names
from companion.games.kvilt.state import Cushion, HeldPencil, OwnPencil, Phase, SeatState, State, Task, TaskKind
from companion.games.kvilt.strategy import play_game

__all__ = [
    "BAG_TASKS",
    "CUSHION_HOLDS",
    "Bag",
    "Bonus",
    "BonusKind",
    "ColourBackgrounds",
    "ColourCell",
    "ColourPatch",
    "ColourThread",
    "ColumnPatch",
    "Cushion",
    "Decision",
    "Decline",
    "Done",
    "Embroidery",
    "Fact",
    "Fault",
    "FaultCode",
    "Fetch",
    "Fiducials",
    "FillNeutral",
    "HeldPencil",
    "History",
    "IllegalDecisionError",
    "KviltError",
    "LegalDecisions",
    "MalformedDecisionError",
    "Marker",
    "Marks",
    "MarksExplanation",
    "Negate",
    "NothingToUndoError",
    "Outcome",
    "OwnPencil",
    "PageLayout",
    "PencilSource",
    "Phase",
    "PlacePencil",
    "Region",
    "Row",
    "RowMarks",
    "Score",
    "SeatState",
    "Settings",
    "Setup",
    "SetupError",
    "Sheet",
    "SheetError",
    "SheetVerdict",
    "Spools",
    "State",
    "Stitch",
    "Swap",
    "SwatchCard",
    "TakeCushion",
    "TakeToken",
    "Task",
    "TaskKind",
    "Variant",
    "apply",
    "blank",
    "cell_name",
    "decision_from_json",
    "decision_to_json",
    "ends_game",
    "explain",
    "is_draw",
    "judge_sheet",
    "legal_decisions",
    "load_layout",
    "load_sheet",
    "lowest_rows",
    "marks_to_json",
    "new_game",
    "own_sheet",
    "play_game",
    "score",
    "setup_from_json",
    "setup_to_json",
    "summary",
    "swatch_card",
    "theme_names",
    "winners",
]
