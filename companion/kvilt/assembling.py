"""Assembly of a table of Kvilt."""

from typing import Any, Final

from companion.games.kvilt.rules import History
from companion.games.kvilt.state import Setup
from companion.kvilt.lights import KviltShow
from companion.kvilt.page.table import SheetDesk
from companion.kvilt.reading.reader import SheetReader
from companion.kvilt.settings import KviltSettings
from companion.kvilt.sheets.layout import PageLayout
from companion.kvilt.sheets.layout_files import load_layout
from companion.kvilt.table.offering import bag_in
from companion.kvilt.table.turn_loop import KviltTable
from companion.kvilt.table.watch import SheetWatch
from companion.lights import Lights
from companion.play.game import CannotResumeError
from companion.play.session import Session
from hardware.ports import StillCamera

# The resolution of frames from which the sheet is located: a marker of 10 mm is then 15 pixels wide, about as small as
# can be found.
_COARSEST_PX_PER_MM: Final = 1.5


def sheet_layout(config: KviltSettings, setup: Setup) -> PageLayout:
    """Return the page layout of a game's sheet.

    Raises:
        CannotResumeError: the configuration names another sheet.
        SheetError: the sheet's file cannot be used.
    """
    for layout in (config.layout(), load_layout()):
        if layout.sheet == setup.sheet.id:
            return layout
    raise CannotResumeError.said(
        "This game is played on the sheet {sheet}: set its file in [kvilt] sheet.", sheet=setup.sheet.id
    )


def kvilt_table(session: Session) -> KviltTable:
    """Return the table of a game that is being played.

    Raises:
        CannotResumeError: the configuration names another sheet than the game's, or the journal does not record the
            bag.
    """
    history: History = session.history
    config, at, setup = session.config, session.at, history.setup
    layout = sheet_layout(config.of(KviltSettings), setup)
    desk = session.desk if isinstance(session.desk, SheetDesk) else SheetDesk()
    desk.lay(setup.sheet, layout)
    # A simulated camera's still picture is one more frame.
    still = at.camera.still if at.people is None and isinstance(at.camera, StillCamera) else None
    # If the camera takes finer pictures for reading, frames only show when the sheet lies still.
    is_finer = still is not None and config.camera.has_finer_stills
    watch = SheetWatch(layout, least_px_per_mm=_COARSEST_PX_PER_MM) if is_finer else SheetWatch(layout)
    show = KviltShow(at.strip.pixel_count, setup.seats, config.strip)
    lights: Lights[Any] = Lights(show, at.strip, session.participants.mirrors)
    bag = bag_in(session.book.notes(session.game_id))
    reader = SheetReader(setup.sheet, layout)
    parts = session.parts(lights, watch, is_expected=lambda choice: not choice.doubts)
    return KviltTable(parts, watch, reader, bag, still=still, show_sheets=desk.show_sheets)
