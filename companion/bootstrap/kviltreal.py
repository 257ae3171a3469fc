"""Puts a real table of Kvilt together, with the devices that the configuration names."""

from __future__ import annotations

import secrets
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.bootstrap.attached import Company
from companion.bootstrap.devices import lasting_camera
from companion.bootstrap.kvilt import (
    KviltTranscript,
    PlayedKvilt,
    clear_circle,
    kvilt_history,
    kvilt_lights,
    sheet_onlookers,
)
from companion.bootstrap.notices import Notices
from companion.bootstrap.outage import Outage
from companion.bootstrap.real import TABLE_NAME, ButtonComplaints, Closing, Devices, devices_of
from companion.bootstrap.seats import SeatedControls, TurnLamps
from companion.kvilttable import BAG_NOTE, KviltTable, RealBag, SheetClerk, SheetWatch, VirtualBag, bag_in, bag_text
from companion.languages import reason
from companion.merging import MergedControls
from companion.sheetreading import SheetReader
from hardware.clock import SystemClock
from hardware.pi.controls import GpioControls
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.bootstrap.attached import Attached
    from companion.config import Config
    from companion.games.kvilt import History, Layout, Setup
    from companion.journal import Book
    from companion.kvilt.news import Event, Listener
    from hardware.ports import RGB, Camera, Controls, Frame
    from hardware.resilient import ResilientStrip


_COARSEST_PX_PER_MM: Final = 1.5
"""A marker of 10 mm is then 15 pixels wide, which is about as small as one can be and be found."""


def sheet_devices(config: Config) -> Devices:
    """The devices that the configuration names; sheets are looked for anywhere in the picture, without a calibration.

    Raises:
        NoTableError: none of them could see a table.
    """
    usual, clock = devices_of(config), SystemClock()
    return Devices(clock, lambda say, idle: lasting_camera(config, clock, say, idle), usual.controls, usual.strip)


def play_kvilt(
    config: Config,
    setup: Setup,
    layout: Layout,
    book: Book,
    *,
    real_bag: bool = False,
    game_id: int | None = None,
    listeners: Sequence[Listener] = (),
    mirrors: Sequence[Callable[[Sequence[RGB]], None]] = (),
    attached: Attached | None = None,
    devices: Devices | None = None,
) -> PlayedKvilt:
    """Keep the books of a game at the real table, until some time after its end.

    A camera or a strip that goes away is waited for, and comes back by itself.

    Args:
        config: the configuration.
        setup: the game, where it is a new one.
        layout: of its sheet.
        book: the journal.
        real_bag: whether pencils are drawn from a bag on the table, and told; for a new game.
        game_id: the unfinished game to go on with, None for a new one.
        listeners: told of every event.
        mirrors: told of every frame of the strip.
        attached: takes part from outside, such as a page; None for nothing.
        devices: how the devices are opened; as the configuration says where None.

    Raises:
        NoTableError: the configuration names no real table.
        HardwareError: a device cannot be opened.
        JournalError: a decision cannot be written.
    """
    with ExitStack() as stack:
        at_table = _opened(devices or sheet_devices(config), stack)
        # After all that could be refused: a camera that is missing must not leave a game behind.
        number = _begun(book, setup, real_bag=real_bag) if game_id is None else game_id
        clear_circle(attached)
        history, transcript = kvilt_history(book, number), KviltTranscript()
        company: Company[Event] = Company((transcript, *listeners), mirrors, attached)
        table = _table(config, layout, at_table, book, number, history, company)
        error = None
        try:
            table.run()
        except HardwareError as fault:
            error = reason(fault)
    return PlayedKvilt(history, transcript, error, table.marks)


def _begun(book: Book, setup: Setup, *, real_bag: bool) -> int:
    number = book.new_game(setup, TABLE_NAME)
    book.note(number, BAG_NOTE, bag_text(RealBag() if real_bag else VirtualBag(secrets.randbits(63))))
    return number


@dataclass(slots=True)
class _AtTable:
    """The devices, open; `idle` is what is done while the camera is away, known only when it is open."""

    devices: Devices
    camera: Camera
    controls: Controls
    strip: ResilientStrip
    notices: Notices
    meanwhile: list[Callable[[], None]]


def _opened(devices: Devices, stack: ExitStack) -> _AtTable:
    """Open everything; what fails closes what was open before it."""
    notices = Notices()
    meanwhile: list[Callable[[], None]] = []

    def idle() -> None:
        for each in meanwhile:
            each()

    strip = stack.enter_context(closing(devices.strip(notices.say)))
    controls = stack.enter_context(closing(devices.controls()))
    camera = stack.enter_context(closing(devices.camera(notices.say, idle)))
    return _AtTable(devices, camera, controls, strip, notices, meanwhile)


def _table(
    config: Config, layout: Layout, at: _AtTable, book: Book, number: int, history: History, company: Company[Event]
) -> KviltTable:
    still: Callable[[], Frame] | None = getattr(at.camera, "still", None)
    # Frames only tell when the sheet lies still, where a larger picture can be had to read it.
    coarse = {} if still is None or config.camera.driver != "pi" else {"least_px_per_mm": _COARSEST_PX_PER_MM}
    watch = SheetWatch(layout, config.reading.settle_frames, **coarse)
    lights = kvilt_lights(config.strip, at.strip, history.setup.seats, company.mirrors)
    seated = SeatedControls(at.controls, history, at.notices.say)
    attached = company.attached
    controls = seated if attached is None else MergedControls(seated, attached.controls)
    outage = Outage(at.devices.clock, lights, controls, at.notices, history, at.strip.tick)
    at.meanwhile.append(outage.idle)
    lamps = (TurnLamps(at.controls),) if isinstance(at.controls, GpioControls) else ()
    listeners: tuple[Listener, ...] = (lights, *company.listeners, *lamps)
    at.notices.address(history, listeners)
    return KviltTable(
        camera=at.camera,
        controls=controls,
        watch=watch,
        reader=SheetReader(history.setup.sheet, layout),
        bag=bag_in(book.notes(number)),
        book=book,
        game_id=number,
        history=history,
        listeners=(*listeners, outage),
        ticks=(
            outage.tick,
            lights.tick,
            ButtonComplaints(at.controls, at.notices).tick,
            at.notices.deliver,
            *sheet_onlookers(attached, watch, history, at.camera),
            Closing(history, at.camera).tick,
        ),
        clerk=None if attached is None else SheetClerk(attached.inbox),
        still=still,
    )
