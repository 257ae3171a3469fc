"""The real table: the configured devices."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.compose.devices import lasting_camera, lasting_strip, open_controls, open_voice
from companion.config import Config
from companion.config.real_table import need_a_table
from companion.lights import Lights
from companion.play.at_table import AtTable, Attendance
from companion.play.devices import ButtonComplaints, Closing, FramePace, Notices, Outage, SeatedControls, TurnLamps
from companion.play.events import History
from companion.play.sitting import Openers, Sitting
from hardware.clock import SystemClock
from hardware.drivers.gpio import GpioControls
from hardware.ports import Camera, Clock, Controls
from hardware.recorded import RecordingCamera, RecordingWriter
from hardware.strips import ResilientStrip

if TYPE_CHECKING:
    from companion.journal import Book

TABLE_NAME: Final = "table"
"""The real table's name in the journal: each machine has one."""


def openers_of(config: Config, *, by_service: bool = False) -> Openers:
    """Return the functions that open the configured devices.

    Args:
        config: the configuration.
        by_service: whether the caller is `serve`.

    Raises:
        NoTableError: none of them can see a table.
    """
    need_a_table(config, by_service=by_service)
    clock = SystemClock()
    return Openers(
        clock,
        lambda say, idle: lasting_camera(config, clock, say, idle),
        lambda: open_controls(config, clock),
        lambda say: lasting_strip(config.strip, clock, say),
        partial(ThreadPoolExecutor, 1, "background"),
        partial(open_voice, config),
    )


class RealTable:
    """The devices of a real table; see `companion.compose.playing.Devices`.

    A camera or a strip that is lost is awaited, and reconnected automatically.

    Args:
        openers: the functions that open the devices; None for those of the game's configuration.
        record: the folder of the table recording to write; None for none.
    """

    def __init__(self, openers: Openers | None = None, record: Path | None = None) -> None:
        self._openers, self._record = openers, record

    def open(self, sitting: Sitting, book: Book, stack: ExitStack) -> AtTable:
        """See `Devices`."""
        game, config = sitting.game, sitting.config
        openers, notices, meanwhile = self._openers or openers_of(config), Notices(), _Meanwhile()
        strip = stack.enter_context(closing(openers.strip(notices.say)))
        controls = stack.enter_context(closing(openers.controls()))
        camera = stack.enter_context(closing(game.camera(config, openers.camera(notices.say, meanwhile))))
        writer = None
        if self._record is not None:
            # A resumed game may have been set up otherwise than the configuration says now.
            setup = game.setup(config) if sitting.game_id is None else book.setup(sitting.game_id, game.codec)
            writer = RecordingWriter(self._record, game.recording_head(config, setup))
            camera = stack.enter_context(closing(RecordingCamera(camera, writer)))
        voice = stack.enter_context(closing(openers.voice()))
        background = openers.background()
        # Nothing needs the results of work that is not finished at the end of a game, and a look may take seconds.
        stack.callback(background.shutdown, wait=False, cancel_futures=True)
        return AtTable(
            name=TABLE_NAME,
            clock=openers.clock,
            camera=camera,
            controls=controls,
            strip=strip,
            attend=_Attending(openers.clock, camera, controls, strip, notices, meanwhile),
            voice=voice,
            background=background,
            notices=notices,
            lit_by_strip=True,
            writer=writer,
            # A recording must contain every frame.
            pace=FramePace(openers.clock) if writer is None else None,
        )


class _Meanwhile:
    """A callback for the time while the camera is absent, set only once the camera is open."""

    def __init__(self) -> None:
        self.idle: Callable[[], None] = lambda: None

    def __call__(self) -> None:
        self.idle()


@dataclass(frozen=True, slots=True)
class _Attending:
    """The regular work on real devices while a game is played; see `companion.play.at_table.Attend`."""

    clock: Clock
    camera: Camera
    controls: Controls
    strip: ResilientStrip
    notices: Notices
    meanwhile: _Meanwhile

    def __call__(self, history: History, lights: Lights[Any], whose_turn: Callable[[Any], str]) -> Attendance:
        seated = SeatedControls(self.controls, history, whose_turn, self.notices.say)
        outage = Outage(self.clock, lights, seated, self.notices, history, self.strip.tick)
        self.meanwhile.idle = outage.idle
        # Only push-buttons on pins have lamps.
        lamps = (TurnLamps(self.controls),) if isinstance(self.controls, GpioControls) else ()
        return Attendance(
            seated,
            first=(outage.tick,),
            ticks=(ButtonComplaints(self.controls, self.notices).tick,),
            last=(Closing(history, self.camera).tick,),
            listeners=(*lamps, outage),
        )
