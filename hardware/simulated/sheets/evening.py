"""A whole simulated evening of Kvilt: sheets, pencils, the players, and the twins of all four ports."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from companion.games.kvilt.sheet import Colour, cell_name
from companion.games.kvilt.state import Bag, Setup, State
from companion.kvilt.sheets.layout import PageLayout
from hardware.clock import Tempo
from hardware.ports import Button
from hardware.simulated.camera import Twins
from hardware.simulated.drawing import Image
from hardware.simulated.sheets import players as news
from hardware.simulated.sheets.conditions import STYLES, SheetConditions
from hardware.simulated.sheets.players import Coloured, SheetPlayer
from hardware.simulated.sheets.sheet import SimulatedSheet, in_seat_theme


@dataclass(frozen=True, slots=True)
class SheetTemper:
    """A player's manner of colouring, and of following the companion's requests.

    Attributes:
        styles: names of possible styles of colouring; see `conditions.STYLES`.
        wrong_sheet: probability of laying another player's sheet under the camera first, 0..1.
        too_early: probability of pressing the button before the sheet is there.
        leaves_pencil: probability of leaving a pencil on the sheet at first.
        unearned: probability of colouring a cell's background without a reason.
    """

    styles: tuple[str, ...]
    wrong_sheet: float = 0.0
    too_early: float = 0.0
    leaves_pencil: float = 0.0
    unearned: float = 0.0


TEMPERS: Final[Mapping[str, SheetTemper]] = MappingProxyType(
    {
        "tidy": SheetTemper(("even", "firm")),
        "hasty": SheetTemper(("hatched", "careless"), too_early=0.05, unearned=0.04),
        "forgetful": SheetTemper(("even", "faint"), wrong_sheet=0.1, too_early=0.05, leaves_pencil=0.06),
    }
)


CAMERA: Final = SheetConditions(width_px=1680, height_px=1260)
"""The smallest size in which a page can be read, because rendering takes most of an evening's time."""
_MENDED: Final = {"tilt_deg": 0.0, "turn_deg": 0.0, "curl_mm": 0.0, "exposure": 0.72, "gradient": 0.1, "shadow": 0.0}
_THINK_S, _PRESS_S, _COLOUR_S, _LINGER_S = 0.9, 0.45, 2.5, 3.0
# Time to read a question about a sheet, whatever the pace of the evening.
_READING_S: Final = 0.6
# Number of attempts to have a sheet read before a player gives way.
_TRIES: Final = 3
# Number of rejected readings of one sheet after which the players give up.
_PATIENCE: Final = 6


@dataclass(frozen=True, slots=True)
class _Action:
    """A scheduled action of a player."""

    at_s: float
    do: Callable[[], None]


class SimulatedSheetEvening(Twins):
    """A complete environment for a companion without a table; each `camera.capture()` advances the evening.

    Args:
        seed: of the sheets, the pencils and the players.
        setup: the game.
        layout: of the sheets.
        tempers: of each seat; names in `TEMPERS`.
        conditions: the light and the camera.
        bag: the physical bag; None if the companion draws.
        fps: frames a simulated second.
        fast: whether actions take no time, instead of their natural time.
        tempo: the tempo in real time; None for frames that come as fast as they can.
        pixels: number of pixels of the strip.
        themes: of each seat's sheet; "" or absent for the usual pictures.
        partner: the seat for whose sheet a partner decides; None if the players decide for all.

    Attributes:
        clock, controls, strip, camera: the twins of the ports.
        sheets: of each seat.
        gave_up: whether the players left because no reading of a sheet was accepted.
    """

    def __init__(
        self,
        seed: int,
        setup: Setup,
        layout: PageLayout,
        tempers: Sequence[str] = ("tidy",),
        *,
        conditions: SheetConditions = CAMERA,
        bag: Bag | None = None,
        fps: float = 5.0,
        fast: bool = True,
        tempo: Tempo | None = None,
        pixels: int = 60,
        themes: Sequence[str] = (),
        partner: int | None = None,
    ) -> None:
        self._partner = partner
        self._rng = np.random.default_rng([seed, 7])
        self._tempers = [TEMPERS[tempers[min(seat, len(tempers) - 1)]] for seat in range(setup.seats)]
        super().__init__(fps, tempo, pixels)
        self.sheets = tuple(
            self._sheet(seed, seat, setup, in_seat_theme(layout, themes, seat)) for seat in range(setup.seats)
        )
        self._players = [SheetPlayer(f"{seed}/{seat}", bag) for seat in range(setup.seats)]
        self._conditions, self._pace = conditions, 0.0 if fast else 1.0
        self._actions: list[_Action] = []
        self._seed = seed
        # Its own stream: pencils left on sheets do not change the players' other choices.
        self._carelessness = np.random.default_rng([seed, 9])
        self._pencil_lies = False
        self._bare = self.sheets[0].table(conditions, ground=self._ground())
        self._picture: Image = self._bare
        self._taken = 0
        self._done: tuple[int, Coloured] | None = None
        self._asked: news.Asked | None = None
        self._complaint: tuple[str, ...] = ()
        self._tries, self._made = 0, -1
        self._over_s: float | None = None
        self.gave_up = False

    @property
    def over(self) -> bool:
        """True if all players have left."""
        return self._over_s is not None and self.clock.now() >= self._over_s

    def resume_from(self, state: State) -> None:
        """Resume an interrupted evening: the sheets are coloured as in the books."""
        for seat, sheet in enumerate(self.sheets, start=1):
            sheet.colour(state.seat(seat).marks.regions(state.setup.sheet))

    def on_feedback(self, item: news.News) -> None:
        """Pass the companion's news to the players."""
        match item:
            case news.Asked():
                self._asked, self._actions = item, []
                self._answer(item)
            case news.Complained(codes=codes):
                self._complaint = codes
                self._tries += 1
            case news.Ended():
                self._go_home()

    def step(self, now_s: float) -> None:
        """Let the players act up to this time."""
        due = [action for action in self._actions if action.at_s <= now_s]
        self._actions = [action for action in self._actions if action.at_s > now_s]
        for action in due:
            action.do()

    def picture(self, now_s: float) -> Image:
        """Return the camera's picture, (height, width, 3), uint8, BGR.

        An unchanged sheet is rendered once; the first row makes each picture differ, as with every sensor.
        """
        del now_s
        self._taken += 1
        image = self._picture.copy()
        image[0] ^= self._taken & 1
        return image

    def _sheet(self, seed: int, seat: int, setup: Setup, layout: PageLayout) -> SimulatedSheet:
        styles = self._tempers[seat].styles
        style = STYLES[styles[int(self._rng.integers(len(styles)))]]
        return SimulatedSheet(seed * 31 + seat, style, setup.sheet, layout)

    def _answer(self, asked: news.Asked) -> None:
        """Schedule the actions of the player who is asked."""
        if asked.asks not in ("doubt", "trouble"):
            self._clear(asked)
        if self._tries >= self._patience(asked):
            self.gave_up = True
            self._go_home()
        elif asked.asks == "sheet":
            self._plan_colouring(asked)
        elif asked.asks == "trouble":
            self._plan_mending(asked)
        else:
            chosen = self._players[asked.seat - 1].choose(asked, self.sheets[asked.seat - 1].coloured)
            think_s = self._pace * _THINK_S
            self._plan_press(chosen, max(think_s, _READING_S) if asked.asks == "doubt" else think_s)

    @staticmethod
    def _patience(asked: news.Asked) -> float:
        """Return the number of rejected readings before the players give up; more if they may give way."""
        if asked.asks not in ("sheet", "trouble"):
            return float("inf")
        return 3 * _PATIENCE if any(it.kind == "let-go" for it in asked.options) else _PATIENCE

    def _go_home(self) -> None:
        self._actions = []
        self._over_s = self.clock.now() + _LINGER_S * self._pace

    def _clear(self, asked: news.Asked) -> None:
        """Remove the sheet until a player lays the next one; after a new decision, troubles are reset."""
        self._picture = self._bare
        made = asked.state.decisions_made
        if made != self._made:
            self._made, self._tries, self._complaint = made, 0, ()

    def _plan(self, after_s: float, do: Callable[[], None]) -> None:
        self._actions.append(_Action(self.clock.now() + after_s, do))

    def _plan_press(self, chosen: int | None, after_s: float) -> None:
        """Schedule the presses that select and confirm an option."""
        seat = None if self._asked is None else self._asked.seat
        if chosen is None:
            self._plan(after_s, lambda: self.controls.press(Button.UNDO, seat))
            return
        for place in range(chosen):
            self._plan(after_s + place * self._pace * _PRESS_S, lambda: self.controls.press(Button.ADVANCE, seat))
        self._plan(after_s + chosen * self._pace * _PRESS_S, lambda: self.controls.press(Button.CONFIRM, seat))

    def _plan_colouring(self, asked: news.Asked) -> None:
        """Colour, and schedule laying the sheet under the camera and the press."""
        sheet, temper = self.sheets[asked.seat - 1], self._tempers[asked.seat - 1]
        tired = self._tries > 0
        done = self._coloured(asked)
        sheet.colour(done.marks)
        wait_s = self._pace * _COLOUR_S
        chosen = next((n for n, it in enumerate(asked.options) if it.kind == ("bag" if done.wants_bag else "done")), 0)
        if tired or self._rng.random() >= temper.too_early:
            others = [other for other in range(len(self.sheets)) if other != asked.seat - 1]
            wrong = not tired and self._rng.random() < temper.wrong_sheet
            laid = int(self._rng.choice(others)) if wrong else asked.seat - 1
            pencil = not tired and self._carelessness.random() < temper.leaves_pencil
            self._plan(wait_s, lambda: self._lay(laid, pencil=pencil))
        self._plan_press(chosen, wait_s + self._pace * _PRESS_S)

    def _coloured(self, asked: news.Asked) -> Coloured:
        """Return what the player has coloured; unchanged if asked again."""
        made = asked.state.decisions_made
        if asked.seat == self._partner:
            return Coloured(asked.state.seat(asked.seat).marks.regions(asked.state.setup.sheet), wants_bag=False)
        if self._done is None or self._done[0] != made:
            done = self._players[asked.seat - 1].colour(asked.state, asked.seat)
            marks = self._with_slips(asked, done.marks, self._tempers[asked.seat - 1].unearned)
            self._done = (made, Coloured(marks, done.wants_bag))
        return self._done[1]

    def _with_slips(self, asked: news.Asked, marks: dict[str, Colour], unearned: float) -> dict[str, Colour]:
        """Return the true marks, which occasionally include a background too many."""
        before = asked.state.seat(asked.seat).marks
        new = [cell for cell in asked.state.setup.sheet.cells() if f"{cell_name(cell)}.picture" in marks
               and not before.is_coloured(cell) and f"{cell_name(cell)}.background" not in marks]  # fmt: skip
        if not new or self._rng.random() >= unearned:
            return marks
        name = cell_name(new[int(self._rng.integers(len(new)))])
        return {**marks, f"{name}.background": marks[f"{name}.picture"]}

    def _plan_mending(self, asked: news.Asked) -> None:
        """Schedule laying the right sheet, another reading, or giving way."""
        wait_s = max(self._pace * _THINK_S, _READING_S)
        kinds = [it.kind for it in asked.options]
        recorded = set(asked.state.seat(asked.seat).marks.regions(asked.state.setup.sheet))
        # Nothing was coloured, so that further attempts are useless.
        nothing = "nothing" in self._complaint and recorded == set(self.sheets[asked.seat - 1].coloured)
        gives_way = self._tries >= _TRIES or nothing
        if gives_way and "let-go" in kinds:
            self._plan_press(kinds.index("let-go"), wait_s)
            return
        if "bare" in kinds and not self._pencil_lies:
            self._plan_press(kinds.index("bare"), wait_s)
            return
        wants_bag = self._coloured(asked).wants_bag and "bag" in kinds
        self._plan(wait_s, lambda: self._lay(asked.seat - 1))
        chosen = kinds.index("bag") if wants_bag else 0
        self._plan_press(chosen, wait_s + self._pace * _PRESS_S)

    def _lay(self, seat: int, *, pencil: bool = False) -> None:
        self._pencil_lies = pencil
        # After the complaint that no sheet can be read, it is laid straight and flat, in better light.
        conditions = self._conditions.but(**_MENDED) if "unseen" in self._complaint else self._conditions
        lies = self._carelessness if pencil else None
        self._picture = self.sheets[seat].photograph(conditions, ground=self._ground(), pencil=lies)

    def _ground(self) -> np.random.Generator:
        """Return the generator of the table's appearance, which is the same all evening."""
        return np.random.default_rng([self._seed, 8])
