"""An evening of Kvilt at a remotely operated table: people colour from elsewhere, and the camera sees the sheets."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from companion.games.kvilt.state import Setup, State
from companion.kvilt.sheets.layout import PageLayout
from companion.languages import said
from hardware.clock import Tempo
from hardware.ports import Button
from hardware.simulated.camera import Twins
from hardware.simulated.drawing import Image
from hardware.simulated.sheets.conditions import (
    STYLES,
    ColourRegion,
    LaySheet,
    RubOut,
    SheetCircumstances,
    SheetMove,
    SheetTabletop,
)
from hardware.simulated.sheets.evening import CAMERA
from hardware.simulated.sheets.sheet import SimulatedSheet, in_seat_theme
from hardware.simulated.virtual.evening import LINGER_S
from hardware.simulated.virtual.table import MoveBox, MoveRefusedError

_NO_SUCH: Final = said("There is nothing like that on the sheet.")
_COLOURED: Final = said("This is already coloured; rub it out first.")
_WHITE: Final = said("This is already white.")


class VirtualSheetEvening(Twins):
    """A complete environment for a companion; each `camera.capture()` carries out the players' moves.

    Args:
        seed: of the pencils, the sheets and the table.
        moves: the requested moves.
        setup: the game.
        layout: of the sheets.
        fps: frames a second.
        tempo: the tempo in real time; None for frames that come as fast as they can.
        pixels: number of pixels of the strip.
        publish: called with the table's state after each change, in the thread that captures frames.
        themes: of each seat's sheet; "" or absent for the usual pictures.
        partner: the seat whose sheet colours itself, as its partner has decided; None if people colour all.

    Attributes:
        clock, controls, strip, camera: the twins of the ports.
        sheets: of each seat.
    """

    def __init__(
        self,
        seed: int,
        moves: MoveBox[SheetMove],
        setup: Setup,
        layout: PageLayout,
        *,
        fps: float = 5.0,
        tempo: Tempo | None = None,
        pixels: int = 60,
        publish: Callable[[SheetTabletop], None] = lambda _: None,
        themes: Sequence[str] = (),
        partner: int | None = None,
    ) -> None:
        self._partner = partner
        super().__init__(fps, tempo, pixels)
        seats = range(setup.seats)
        layouts = tuple(in_seat_theme(layout, themes, seat) for seat in seats)
        self._themes = tuple(each.theme for each in layouts)
        self.sheets = tuple(SimulatedSheet(seed * 31 + seat, None, setup.sheet, it) for seat, it in enumerate(layouts))
        self._regions = {name for name in layout.regions() if not name.startswith("swatch.")}
        self._colours = set(setup.sheet.colours)
        self._seed, self._moves, self._publish = seed, moves, publish
        self._circumstances = SheetCircumstances()
        self._lying: int | None = None
        self._laid = 0
        self._is_read = False
        self._picture: Image | None = None
        self._shown: SheetTabletop | None = None
        self._ended_s: float | None = None

    @property
    def over(self) -> bool:
        """True if the game ended long ago."""
        return self._ended_s is not None and self.clock.now() - self._ended_s > LINGER_S

    def ended(self, *, finished: bool) -> None:
        """Record whether the game is over; some time later the evening ends."""
        self._ended_s = self.clock.now() if finished else None

    def look_begins(self, seat: int) -> None:
        """Lay the sheet of the seat that wants a look, unless players have laid one in its turn."""
        if self._lying is None or self._is_read:
            self._lay(seat)
            self._show()

    def colouring_begins(self, state: State) -> None:
        """Colour the sheet of the seat that is to colour, lay it and confirm, if its partner has decided for it."""
        if state.mover == self._partner:
            sheet = self.sheets[state.mover - 1]
            sheet.colour(state.seat(state.mover).marks.regions(state.setup.sheet))
            self._lay(state.mover)
            self._show()
            self.controls.press(Button.CONFIRM)

    def turn_ends(self) -> None:
        """Leave the sheet where its player can see what was read, until the next player wants a look."""
        self._is_read = True

    def resume_from(self, state: State) -> None:
        """Resume an interrupted evening: the sheets are coloured as in the books."""
        for seat, sheet in enumerate(self.sheets, start=1):
            sheet.colour(state.seat(seat).marks.regions(state.setup.sheet))

    def step(self, now_s: float) -> None:
        """Carry out the requested moves."""
        del now_s
        self._moves.carry_out(self._do, self._show)

    def _show(self) -> None:
        tabletop = self.tabletop()
        if tabletop != self._shown:
            self._shown = tabletop
            self._publish(tabletop)

    def picture(self, now_s: float) -> Image:
        """Return the camera's picture, (height, width, 3), uint8, BGR."""
        del now_s
        if self._picture is None:
            self._picture = self._render()
        return self._picture

    def tabletop(self) -> SheetTabletop:
        """Return the table's current state."""
        marks = tuple(dict(sheet.coloured) for sheet in self.sheets)
        return SheetTabletop(marks, self._lying, self._circumstances, self._themes)

    def _render(self) -> Image:
        """Render the sheet where it was laid, unchanged until it is removed."""
        conditions = self._circumstances.on(CAMERA)
        chance = np.random.default_rng([self._seed, self._laid])
        ground = np.random.default_rng(self._seed)
        if self._lying is None:
            return self.sheets[0].table(conditions, chance, ground)
        return self.sheets[self._lying - 1].photograph(conditions, chance, ground)

    def _do(self, move: SheetMove) -> None:
        match move:
            case ColourRegion():
                self._colour(move)
            case RubOut():
                self._rub_out(move)
            case LaySheet(seat=seat):
                if seat is not None:
                    self._sheet(seat)
                self._lay(seat)
            case SheetCircumstances():
                self._circumstances, self._picture = move, None
                for sheet in self.sheets:
                    sheet.hold(STYLES[move.style])

    def _lay(self, seat: int | None) -> None:
        self._lying, self._laid, self._picture, self._is_read = seat, self._laid + 1, None, False

    def _colour(self, move: ColourRegion) -> None:
        sheet = self._sheet(move.seat)
        if move.region not in self._regions or move.colour not in self._colours:
            raise MoveRefusedError(_NO_SUCH)
        if sheet.coloured.get(move.region, move.colour) != move.colour:
            raise MoveRefusedError(_COLOURED)
        sheet.colour({move.region: move.colour})
        self._discard_picture(move.seat)

    def _rub_out(self, move: RubOut) -> None:
        sheet = self._sheet(move.seat)
        if move.region not in sheet.coloured:
            raise MoveRefusedError(_WHITE)
        sheet.rub_out(move.region)
        self._discard_picture(move.seat)

    def _sheet(self, seat: int) -> SimulatedSheet:
        if not 1 <= seat <= len(self.sheets):
            raise MoveRefusedError(said("Nobody is sitting there."))
        return self.sheets[seat - 1]

    def _discard_picture(self, seat: int) -> None:
        if seat == self._lying:
            self._picture = None
