"""The service at a simulated table, as in `companion serve`: successive games, with simulated players and faults."""

from __future__ import annotations

import gc
import random
import threading
from collections import Counter
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.cli.serve import Service
from companion.config import Config, PageConfig
from companion.games.kvilt.state import State as KviltState
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, TABLE_NAME, Journal, JournalError
from companion.kvilt.assembling import sheet_layout
from companion.kvilt.settings import KviltSettings
from companion.kvilt.simulated import KviltPeople
from companion.mqtt.courier import CourierHooks
from companion.mqtt.messages import HallTopics, TableTopics
from companion.mqtt.outbox import OUTBOX_NAME
from companion.mqtt.table import TableOnBroker
from companion.patchwork.arrangement import dealt_market
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.simulated import PatchworkPeople
from companion.patchwork.watching.profiles import ProfileLostError
from companion.play.events import DecisionTaken, GameOpened
from companion.play.host import Host, interrupted_game, leave
from companion.play.session import DeviceFactory
from companion.registry import codecs, game_named, games, pages
from companion.upkeep.service import Notifier, watched
from companion.web.page import PageServer
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.webcam import WebcamDriver
from hardware.ports import Button, Camera, HardwareError
from hardware.reconnecting import ReopeningCamera
from hardware.simulated.conditions import Conditions
from hardware.simulated.devices import SimulatedClock, SimulatedControls, SimulatedLightStrip
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.sheets.evening import SimulatedSheetEvening
from hardware.strips import ResilientStrip
from tests.soak.disk import FaultyDisk
from tests.soak.faults import Faults
from tests.soak.network import Network
from tests.soak.sqlite import FaultySQLite
from tests.soak.time_of_day import SimulatedTimeOfDay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.journal import GameSummary
    from hardware.ports import Controls, Frame

NAMES: Final = ("Anna", "Boris")
_PIXELS: Final = 60
_SMALL: Final = Conditions(width_px=960, height_px=540)
"""Conditions with cells of 18 pixels, as under a high camera; a game takes two thirds of the usual time."""
_PATIENCE: Final = 12
"""The number of times that a game is reopened after the service ended, before it counts as stuck."""
_LONGEST_FRAMES: Final = 20_000
"""The number of frames after which a game counts as endless."""
_LATEST_FRAMES: Final = 30
"""The largest number of frames after which work in the background is done."""


class WrongError(AssertionError):
    """Raised if something happened that must not happen."""


class Enough(BaseException):
    """Raised once the wanted number of decisions was taken."""


class LateExecutor(Executor):
    """An executor whose work is done some frames later, as in a thread on a slow machine.

    Args:
        rng: draws the number of frames.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._due: list[tuple[int, Future[Any], Callable[[], Any]]] = []
        self._frames = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        # Most of it is done soon, so that games do not take much longer.
        frames = self._frames + self._rng.choice((1, 1, 2, 4, _LATEST_FRAMES))
        self._due.append((frames, future, partial(fn, *args, **kwargs)))
        return future

    def advance(self) -> None:
        """Do the work that is due at the next frame."""
        self._frames += 1
        due = [each for each in self._due if each[0] <= self._frames]
        self._due = [each for each in self._due if each[0] > self._frames]
        for _, future, call in due:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(call())
                except Exception as error:
                    future.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        del wait
        if cancel_futures:
            for _, future, _ in self._due:
                future.cancel()
        self._due.clear()


class Soak:
    """Successive games in this process.

    Args:
        folder: the journal's folder.
        seed: the seed of tables, players and faults.
        every_s: the mean interval between faults, in simulated seconds; 0 for none.
        most: the number of decisions after which a game is left; None to play to the end.

    Attributes:
        most: the same; may be changed between games.
        found: the number of each outcome.
        faults: the faults, with the number of each.
    """

    def __init__(self, folder: Path, seed: int, every_s: float, most: int | None = None) -> None:
        self._folder, self._seed, self.most = folder, seed, most
        self._clock: Any = SimulatedClock()
        self._evening: Any = None
        self._people: Any = None
        self._state: Any = None
        self._frames = self._taken = 0
        self._plays = False
        self._late: LateExecutor | None = None
        self._compared = 0
        self._time_of_day = SimulatedTimeOfDay(self._clock, datetime(2026, 1, 2, 19, tzinfo=UTC))
        rng = random.Random(seed)
        disks, self._network = (FaultyDisk(folder), FaultySQLite(folder)), Network(rng)
        self.faults = Faults(rng, every_s, self._time_of_day, *disks, self._network)
        self.found: Counter[str] = Counter()
        market = dealt_market(seed)
        self._setup = Setup(players=NAMES, market=market)
        settings = PatchworkSettings(players=NAMES, market=market)
        self._config = Config(camera=WebcamDriver(), controls=GpioDriver()).with_game(settings)

    def play(self, name: str, number: int) -> None:
        """Play one game to its end, despite the faults.

        Args:
            name: the game's name.
            number: its number, which determines its seed.

        Raises:
            WrongError: a decision is wrong, or the game does not end.
        """
        game_id, opened = 0, 0
        self._frames = self._taken = 0
        # Seeded for each game, so that it does not depend on those before.
        self.faults.rng = self._network.rng = random.Random(f"{self._seed} {number}")
        while True:
            opened += 1
            if opened > _PATIENCE:
                raise WrongError(f"game {game_id} of {name} ({number}) does not go on")
            self._seat(name, self._seed * 1000 + number, game_id)
            try:
                game_id = self._serve(name)
            except (JournalError, ProfileLostError, HardwareError) as error:
                # systemd would restart it.
                self.found[f"started again: {type(error).__name__}"] += 1
                self.faults.mend()
                if self._has_ended():
                    break
                game_id = self._unfinished()
                continue
            except Enough:
                self._leave()
                break
            if self._state is None or self._state.finished:
                break
            self.found["cut off, and gone on with"] += 1
            game_id = self._unfinished()
        self.faults.mend()
        self.found[f"games of {name}"] += 1

    def _serve(self, name: str) -> int:
        """Serve one game, compare it with the table, and return its number."""
        with ExitStack() as stack:
            stack.enter_context(self.faults.disk.mounted())
            stack.enter_context(self.faults.sqlite.mounted())
            journal = stack.enter_context(Journal(self._folder / JOURNAL_NAME, codecs(), self._time_of_day))
            if journal.findings:
                raise WrongError(f"called damaged after a fault: {journal.findings}")
            host = Host(self._config, TABLE_NAME, game_named(name), games(), by_hand=False)
            openers = watched(self._openers(), Notifier({}, self._clock.now))
            page, broker = stack.enter_context(self._page(host)), stack.enter_context(self._broker())
            stack.callback(self.faults.mend)
            notifier = Notifier({}, self._clock.now)
            service = Service(
                self._config,
                openers,
                journal,
                page,
                notifier,
                host,
                listeners=(broker, self._on_event),
            )
            self._plays = interrupted_game(journal, TABLE_NAME, None) is not None
            service.play_next()
            self.faults.mend()
            last = journal.games()[-1]
            if last.error is not None:
                raise WrongError(f"game {last.game_id}: {last.error}")
            self._count_misreadings()
            if last.finished:
                self._compare(journal, last.game_id)
                self._compare_page(last)
            elif self._evening.gave_up if name == "kvilt" else self._people.gave_up:
                raise WrongError(f"game {last.game_id} of {name} was given up by its people")
            return last.game_id

    def _seat(self, name: str, seed: int, game_id: int) -> None:
        """Set up the table and the players; an interrupted game is laid out as in the journal."""
        if name == "patchwork":
            evening: Any = SimulatedEvening(seed, _SMALL, setup=self._setup)
            self._people = PatchworkPeople(evening)
        else:
            setup = self._config.of(KviltSettings).setup()
            evening = SimulatedSheetEvening(seed, setup, sheet_layout(self._config.of(KviltSettings), setup))
            self._people = KviltPeople(evening)
        evening.clock.sleep(self._clock.now())
        self._clock = evening.clock
        self._time_of_day.go_by(self._clock)
        self._evening, self._state = evening, None
        self.faults.anew()
        if game_id:
            with Journal(self._folder / JOURNAL_NAME, codecs(), self._time_of_day) as journal:
                codec = game_named(name).codec
                history: Any = codec.begin(journal.setup(game_id, codec))
                for decision in journal.decisions(game_id, codec):
                    history.apply(decision)
            self._people.resume(history)

    @contextmanager
    def _page(self, host: Host) -> Iterator[PageServer]:
        with PageServer(pages(), PageConfig(port=0), self._folder / JOURNAL_NAME, host=host) as page:
            self._network.page = page
            try:
                yield page
            finally:
                self._network.page = None

    def _broker(self) -> TableOnBroker:
        topics = TableTopics("quilt", "soak")
        outbox = self._folder / OUTBOX_NAME
        return TableOnBroker("Soak", CourierHooks(topics, HallTopics("quilt")), pages(), outbox, self._network.link)

    def _openers(self) -> DeviceFactory:
        return DeviceFactory(self._clock, self._camera, self._controls, self._strip, self._background)

    def _background(self) -> LateExecutor:
        self._late = LateExecutor(self.faults.rng)
        return self._late

    def _camera(self, say: Callable[[str], None], idle: Callable[[], None]) -> Camera:
        def idling() -> None:
            idle()
            self.faults.tick(self._clock.now())

        return ReopeningCamera(lambda: _Watched(self._evening.camera.lent(), self._count), self._clock, say, idling)

    def _controls(self) -> Controls:
        if self._plays:
            controls: Controls = self._evening.controls
            return controls
        # A player begins the game.
        self._plays = True
        controls = SimulatedControls(self._clock)
        controls.press(Button.CONFIRM)
        return controls

    def _strip(self, say: Callable[[str], None]) -> ResilientStrip:
        def opened() -> SimulatedLightStrip:
            self.faults.strip = SimulatedLightStrip(_PIXELS)
            return self.faults.strip  # type: ignore[no-any-return]

        return ResilientStrip(opened, _PIXELS, self._clock, say)

    def _count(self) -> None:
        self._frames += 1
        if self._frames > _LONGEST_FRAMES:
            raise WrongError(f"no end after {self._frames} frames")
        if self._late is not None:
            self._late.advance()
        self.faults.evening = self._evening
        self.faults.tick(self._clock.now())

    def _on_event(self, event: Any) -> None:
        self._people.on_event(event)
        self._state = event.state
        if isinstance(event, DecisionTaken):
            self.found["decisions"] += 1
            self._taken += 1
            if self.most is not None and self._taken >= self.most:
                raise Enough
        elif isinstance(event, GameOpened):
            self.found["opened"] += 1

    def _count_misreadings(self) -> None:
        """Count decisions that were recorded wrongly, and undone by the players at once."""
        if isinstance(self._evening, SimulatedEvening):
            misread = self._evening.players.counts.misreadings
            if misread:
                self.found["decisions that people took back, for they were others"] += misread

    def _compare(self, journal: Journal, game_id: int) -> None:
        """Compare a finished game with the table."""
        game = game_named(journal.game(game_id).name)
        history: Any = game.codec.begin(journal.setup(game_id, game.codec))
        for decision in journal.decisions(game_id, game.codec):
            history.apply(decision)
        state = history.state
        if isinstance(state, KviltState):
            lies: Any = [dict(sorted(sheet.coloured.items())) for sheet in self._evening.sheets]
            seats = range(1, len(lies) + 1)
            booked: Any = [dict(sorted(state.seat(seat).marks.regions(state.setup.sheet).items())) for seat in seats]
        else:
            lies = [list(rows) for rows in self._evening.table.quilts()]
            booked = [seat["quilt"] for seat in game.codec.summary(state)["seats"]]
        if lies != booked:
            raise WrongError(f"game {game_id} of {game.name}: on the table lies {lies}, in the books {booked}")
        self._compared = game_id
        self.found["decisions that lie on the table as they are in the books"] += len(history.decisions)

    def _has_ended(self) -> bool:
        """Return whether the service ended after the game's last decision; if so, compare the game with the table."""
        with Journal(self._folder / JOURNAL_NAME, codecs(), self._time_of_day) as journal:
            played = journal.games()
            if not played or not played[-1].finished or played[-1].game_id == self._compared:
                return False
            self._compare(journal, played[-1].game_id)
        self.found["ended by a fault after their last decision"] += 1
        return True

    def _compare_page(self, last: GameSummary) -> None:
        """Compare the page's snapshot, as a new reader gets it, with the journal."""
        shown = self._network.ask()["game"]
        if (shown["id"], shown["decisions"]) != (last.game_id, last.decisions):
            raise WrongError(f"the page shows {shown}, and the books have {last.decisions} decisions of {last.game_id}")
        self.found["pages that agree with the books"] += 1

    def _unfinished(self) -> int:
        with Journal(self._folder / JOURNAL_NAME, codecs(), self._time_of_day) as journal:
            game = interrupted_game(journal, TABLE_NAME, None)
            return 0 if game is None else game.game_id

    def _leave(self) -> None:
        with Journal(self._folder / JOURNAL_NAME, codecs(), self._time_of_day) as journal:
            leave(journal, journal.games()[-1].game_id)


class _Watched:
    """A camera that calls a function before each frame."""

    def __init__(self, camera: Camera, each: Callable[[], None]) -> None:
        self._camera, self._each = camera, each

    def capture(self) -> Frame:
        self._each()
        return self._camera.capture()

    def close(self) -> None:
        self._camera.close()


def threads_and_descriptors() -> tuple[int, int]:
    """Return the numbers of threads and open files of this process."""
    gc.collect()
    return threading.active_count(), sum(1 for _ in Path("/proc/self/fd").iterdir())


def resident_mb() -> float:
    """Return the resident memory of this process."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) / 1024
