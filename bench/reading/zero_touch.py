"""Whole evenings without a touch: from the set-up to the score sheet, and on to the game after it.

    python -m bench.reading.zero_touch [--evenings N] [--seed N] [--temper tidy|hasty|forgetful] [--circle seen|unknown]
    python -m bench.reading.zero_touch --watch --port 8000     # one of them at a natural pace, on the page
    python -m bench.reading.zero_touch --through phone|network # one game, seen through Chromium or a stream of JPEG

`companion serve` keeps the books of a simulated table that has no buttons, with the time board between the quilts: the
players lay patches and move markers, err, clear the boards after the game, and lay out another circle. For each game:
whether it came to its end, and with the decisions that were really made; decisions taken down that nobody meant;
decisions taken back, those and second thoughts; presses of any button, which people make on the page after four
attempts by hand; questions, complaints, and how many of those nothing was wrong for; announcements, and those of
something that does not lie there; mistakes with the markers and with the circle, those that a hint mended, hints, and
those that nothing was behind; miscounted payments, questions about the buttons in hand at the end, and those without a
cause; seconds of the evening, and of the processor.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import asdict, replace
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from playwright.sync_api import sync_playwright

from companion.cli.serve import Service
from companion.config import Config, PageConfig
from companion.games.patchwork.decisions import Advance, CountButtons, PlaceLeather, TakePatch
from companion.games.patchwork.rules import apply
from companion.journal import JOURNAL_NAME, TABLE_NAME, Journal
from companion.patchwork.circle.hints import CircleFault, CircleFaultStatus
from companion.patchwork.game import PATCHWORK
from companion.patchwork.reading.verdict import QuestionTopic
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.simulated import PatchworkPeople
from companion.patchwork.timeboard import MarkerStatus
from companion.play import events
from companion.play.host import Host
from companion.play.session import DeviceFactory
from companion.registry import codecs, game_named, games, pages
from companion.upkeep.service import Notifier
from companion.web.page import PageServer
from hardware.clock import SystemClock, Tempo
from hardware.driver import CameraDriver, OpenContext
from hardware.drivers.none import NoControlsDriver
from hardware.drivers.phone import PhoneCamera
from hardware.handset import PHONE
from hardware.ports import Frame
from hardware.simulated.conditions import LEATHER
from hardware.simulated.devices import SimulatedLightStrip
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.scene.table import cells_of
from hardware.strips import ResilientStrip
from tests.companion.web.page.filming import Film, phone_before
from tests.vendors.mjpeg import network_camera

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from companion.games.patchwork.decisions import Decision
    from companion.games.patchwork.state import State
    from companion.play.events import Event
    from hardware.ports import Button, Camera, Press

GAMES: Final = 2
MOST_FRAMES: Final = 5000
"""The number of frames after which a game counts as stuck."""
# The least y of the time board for tables on which it is in view.
_BETWEEN_MM: Final = -100.0
_PIXELS: Final = 60
_FPS: Final = 2.5
_REPEATS: Final = 3
_WRONG: Final = "WRONG "
_COLUMNS: Final = (
    "seed",
    "game",
    "ended",
    "right",
    "moves",
    "unmade",
    "undone",
    "presses",
    "asked",
    "complaints",
    "undeserved",
    "announced",
    "untrue",
    "markers wrong",
    "mended",
    "hints",
    "false",
    "circle wrong",
    "mended",
    "hints",
    "false",
    "tokens wrong",
    "asked",
    "false",
    "s",
    "CPU s",
)


class StuckError(Exception):
    """Raised if an evening does not end."""


class _Table(SimulatedEvening):
    """An evening that repeats each picture a few times while nothing moves, as by a slow camera, to save rendering."""

    _shown: tuple[object, NDArray[np.uint8]] | None = None
    _repeats = 0

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture, as `SimulatedEvening` does."""
        table, habits = self.table, self.players.circle_habits
        is_pushed = habits is not None and habits.is_pushed
        lies = (table.books, table.hands, table.pieces(1), table.pieces(2), set(table.circle), is_pushed)
        if self._shown is not None and self._shown[0] == lies and self._repeats < _REPEATS:
            self._repeats += 1
        else:
            self._shown, self._repeats = (lies, super().picture(now_s)), 0
        return self._shown[1]


class Counting:
    """A listener that passes events to the simulated players, and counts them.

    Args:
        evening: the table and its players.

    Attributes:
        counts: the counts of the current game.
        told: the sentences and presses of the current game, in order.
    """

    def __init__(self, evening: SimulatedEvening) -> None:
        self._evening, self._people = evening, PatchworkPeople(evening)
        self.counts = Counter[str]()
        self.told: list[str] = []
        press = evening.controls.press

        def pressed(button: Button, seat: int | None = None) -> None:
            self.counts["presses"] += 1
            self.told.append(f"pressed {button}")
            press(button, seat)

        evening.controls.press = pressed  # type: ignore[method-assign]  # counted

    def __call__(self, event: Event) -> None:
        """Process an event."""
        self._count(event)
        self._people.on_event(event)

    def _count(self, event: Event) -> None:
        table, players = self._evening.table, self._evening.players
        match event:
            case events.DecisionForeseen(decision=decision, state=state):
                self.counts["announced"] += 1
                self._note(f"announced {decision}", "untrue", is_wrong=not self._lies(decision, state))
            case events.UndoForeseen(decision=decision, state=state):
                self.counts["announced"] += 1
                says = f"announced that it is taken back: {decision}"
                self._note(says, "untrue", is_wrong=self._lies(decision, state))
            case events.DecisionUndone():
                self.counts["undone"] += 1
            case events.Asked(question=question, choice=0) if question.asks is QuestionTopic.BUTTONS:
                self.counts["tokens asked"] += 1
                right = CountButtons(question.seat, table.books.buttons[question.seat - 1])
                self._note(question.says, "tokens false", is_wrong=right not in question.options[1:])
            case events.Asked(question=question, choice=0):
                self.counts["asked"] += 1
                self.told.append(f"asked {question.says}")
            case events.Complained(complaint=complaint):
                self.counts["complaints"] += 1
                self.told.append(f"complained {complaint.says}")
            case events.TableNoticed(about=MarkerStatus(seat=seat, space=int()), says=says, state=state):
                self.counts["hints"] += 1
                stands = table.books.times[seat - 1] == state.seat(seat).time
                self._note(says, "false", is_wrong=stands)
            case events.TableNoticed(about=CircleFaultStatus(fault=fault, wrong=wrong), says=says) if wrong is not None:
                self.counts["circle hints"] += 1
                habits = players.circle_habits
                is_token = fault is CircleFault.TOKEN
                wrongs = habits is not None and (habits.is_token_wrong if is_token else habits.is_pushed)
                self._note(says, "circle false", is_wrong=not wrongs)
            case events.TableNoticed(says=says):
                self.told.append(f"noticed {says}")
            case _:
                pass

    def _note(self, says: str, kind: str, *, is_wrong: bool) -> None:
        self.counts[kind] += is_wrong
        self.told.append(f"{_WRONG if is_wrong else ''}{says}")

    def _lies(self, decision: Decision, state: State) -> bool:
        """Return whether a decision is truly visible on the table."""
        table = self._evening.table
        if isinstance(decision, Advance):
            ahead = apply(state, decision).state
            return table.books.times[decision.seat - 1] == ahead.seat(decision.seat).time
        if not isinstance(decision, TakePatch | PlaceLeather):
            return False
        name = decision.patch if isinstance(decision, TakePatch) else LEATHER
        return any(
            piece.name == name and set(piece.cells()) == set(cells_of(decision.cells))
            for piece in table.pieces(decision.seat)
        )


class Lens:
    """The way of a picture from the table to the companion; a camera of another kind may stand between them."""

    def seen(self, frame: Frame) -> Frame:
        """Return a picture of the table as it reaches the companion."""
        return frame


class _Through(Lens):
    """A camera of a real driver.

    Args:
        camera: the camera.
        show: holds a picture before it.
    """

    def __init__(self, camera: Camera, show: Callable[[NDArray[np.uint8]], None]) -> None:
        self._camera, self._show = camera, show

    def seen(self, frame: Frame) -> Frame:
        """Show a picture, and return the next one that the camera sends, which may still be the one before."""
        self._show(frame.image)
        return replace(self._camera.capture(), t_s=frame.t_s)


@contextmanager
def _phone(evening: SimulatedEvening, page: PageServer | None, folder: Path) -> Iterator[Lens]:
    """Let Chromium, whose camera sees the table, send the pictures through the page."""
    film = Film(folder / "table.y4m")
    image = evening.picture(0.0)
    film.show(image, image)
    assert page is not None
    with sync_playwright() as playwright, phone_before(film, playwright.chromium, folder / "profile") as phone:
        phone.goto(page.door.link)
        phone.goto(f"{page.door.address}camera")
        phone.locator("[data-key=use]").click()
        yield _Through(PhoneCamera(SystemClock()), lambda image: film.show(image, image))


@contextmanager
def _network(evening: SimulatedEvening, _page: PageServer | None, _folder: Path) -> Iterator[Lens]:
    """Let FFmpeg read the pictures from a stream of JPEG."""
    with network_camera() as server:
        server.show(evening.picture(0.0))
        driver = CameraDriver.of({"driver": "network", "url": f"http://{server.place}/video", "fps": 10})
        camera = driver.open(OpenContext(SystemClock()))
        yield _Through(camera, server.show)
        camera.close()


_LENSES: Final = {PHONE: _phone, "network": _network}
_SETTINGS: Final = {"network": {"url": "http://127.0.0.1/video"}}


class _Camera:
    """The table's camera, which ends a stuck evening after `MOST_FRAMES`."""

    def __init__(self, evening: SimulatedEvening, lens: Lens) -> None:
        self._camera, self._taken, self._lens = evening.camera.lent(), evening.camera, lens
        self._until = self._taken.taken + MOST_FRAMES

    def capture(self) -> Frame:
        """Return the next frame."""
        if self._taken.taken > self._until:
            raise StuckError
        return self._lens.seen(self._camera.capture())

    def close(self) -> None:
        """Return the lent camera."""
        self._camera.close()


def main() -> None:
    """Play the evenings and print a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--evenings", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--temper", default="tidy")
    parser.add_argument("--circle", default="seen", choices=("seen", "unknown"))
    parser.add_argument("--games", type=int, default=GAMES, choices=(1, GAMES), help="of each evening")
    parser.add_argument("--told", action="store_true", help="print all that was said")
    parser.add_argument("--watch", action="store_true", help="play one evening at a natural pace, on the page")
    parser.add_argument("--port", type=int, default=0, help="the page's port")
    parser.add_argument("--through", choices=_LENSES, help="play one game, seen by this camera")
    args = parser.parse_args()
    if args.through is not None:
        args.games = 1
    print("  ".join(_COLUMNS))
    for seed in islice(_seeds(args.seed), 1 if args.watch or args.through else args.evenings):
        _play(seed, args)


def _seeds(first: int) -> Iterator[int]:
    """Yield seeds of tables whose time board is in view."""
    for seed in count(first):
        if SimulatedEvening(seed).table.layout.time_board.y_mm > _BETWEEN_MM:
            yield seed


def _play(seed: int, args: argparse.Namespace) -> None:
    evening = (SimulatedEvening if args.watch else _Table)(
        seed,
        tempers=(args.temper, args.temper),
        fps=5.0 if args.watch else _FPS,
        fast=not args.watch,
        tempo=Tempo() if args.watch else None,
        hands_free=True,
        markers=True,
        circle=args.circle == "seen",
        games=GAMES,
    )
    config, counting = _config(args), Counting(evening)
    host = Host(config, TABLE_NAME, game_named("patchwork"), games(), by_hand=False)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        journal = stack.enter_context(Journal(folder / JOURNAL_NAME, codecs()))
        page, lens = None, Lens()
        if args.watch or args.through == PHONE:
            page = stack.enter_context(
                PageServer(pages(), PageConfig(port=args.port), folder / JOURNAL_NAME, host=host, table=config)
            )
            print(page.door.link, flush=True)
        if args.through is not None:
            lens = stack.enter_context(_LENSES[args.through](evening, page, folder))
        notifier = Notifier({}, evening.clock.now)
        service = Service(config, _openers(evening, lens), journal, page, notifier, host, listeners=(counting,))
        for number in range(1, args.games + 1):
            began_s, spent_s = evening.clock.now(), time.process_time()
            before = Counter(asdict(evening.players.counts))
            lines = sys.stdout if args.watch else stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
            with redirect_stdout(lines):
                is_stuck = _is_stuck(service)
            counting.counts["s"] = round(evening.clock.now() - began_s)
            counting.counts["CPU s"] = round(time.process_time() - spent_s)
            _print_row(seed, number, evening, journal, counting.counts, before)
            for says in counting.told if args.told else [each for each in counting.told if each.startswith(_WRONG)]:
                print(f"      {says}", flush=True)
            if is_stuck or evening.gave_up:
                print(
                    f"      {'gave up' if evening.gave_up else 'stuck'}; the last that was said: {counting.told[-1:]}"
                )
                break
            counting.counts, counting.told = Counter(), []


def _is_stuck(service: Service) -> bool:
    try:
        service.play_next()
    except StuckError:
        return True
    return False


def _print_row(
    seed: int, number: int, evening: SimulatedEvening, journal: Journal, said: Counter[str], before: Counter[str]
) -> None:
    counts, played = Counter(asdict(evening.players.counts)), evening.players.played
    counts.subtract(before)
    is_begun = len(journal.games()) >= number
    is_ended = is_begun and journal.games()[-1].finished
    booked = journal.decisions(number, PATCHWORK.codec) if is_begun else ()
    made = [each for each in booked if not isinstance(each, CountButtons)]
    is_right = len(played) >= number and tuple(made) == played[number - 1]
    values = (
        seed,
        number,
        is_ended,
        is_right,
        len(made),
        counts["misreadings"] + counts["unnoticed"],
        said["undone"],
        said["presses"],
        said["asked"],
        said["complaints"],
        counts["undeserved"],
        said["announced"],
        said["untrue"],
        counts["markers_wrong"],
        counts["markers_mended"],
        said["hints"],
        said["false"],
        counts["circle_wrong"],
        counts["circle_mended"],
        said["circle hints"],
        said["circle false"],
        counts["purses_wrong"],
        said["tokens asked"],
        said["tokens false"],
        said["s"],
        said["CPU s"],
    )
    widths = [len(each) for each in _COLUMNS]
    print("  ".join(f"{value!s:>{width}}" for value, width in zip(values, widths, strict=True)), flush=True)


class _Buttons:
    """Controls that stand for the page's buttons, as the table has none of its own."""

    def __init__(self, evening: SimulatedEvening) -> None:
        self._evening = evening

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call."""
        return self._evening.controls.presses()

    def close(self) -> None:
        """Do nothing, as the buttons belong to the page."""


def _openers(evening: SimulatedEvening, lens: Lens) -> DeviceFactory:
    return DeviceFactory(
        evening.clock,
        lambda *_: _Camera(evening, lens),
        lambda: _Buttons(evening),
        lambda say: ResilientStrip(lambda: SimulatedLightStrip(_PIXELS), _PIXELS, evening.clock, say),
    )


def _config(args: argparse.Namespace) -> Config:
    config = Config()
    return replace(
        config,
        camera=CameraDriver.of({"driver": args.through or "webcam", **_SETTINGS.get(args.through, {})}),
        controls=NoControlsDriver(),
        table=replace(config.table, time_board="followed"),
        reading=replace(config.reading, hands_free=True),
    ).with_game(PatchworkSettings(circle=args.circle))


if __name__ == "__main__":
    main()
