"""Parts that every table is put together from, simulated or real."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from companion.bootstrap.circledesk import CircleDesk
from companion.games.patchwork import History
from companion.languages import LANGUAGES, language_of_environment
from companion.lightshow import Lights, LightShow
from companion.reader.foresight import Foresight
from companion.recording import head_text
from companion.spoken import Speaker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calibration.boards import Seating
    from companion.bootstrap.attached import Attached
    from companion.config import Config, ReadingConfig, StripConfig
    from companion.games.patchwork import Setup
    from companion.journal import Book
    from companion.lightshow import StripUse
    from companion.reader.reader import Reader
    from companion.reader.watch import TableWatch
    from hardware.ports import RGB, Camera, LightStrip, Voice
    from hardware.recorded import RecordingWriter


def history_of(book: Book, game_id: int) -> History:
    """The game as the journal has it."""
    history = History(book.setup(game_id))
    for decision in book.decisions(game_id):
        history.apply(decision)
    return history


def head_writer(writer: RecordingWriter | None, seating: Seating | None) -> Callable[[Setup], None] | None:
    """What writes a recording's head anew when more is known of the game; None where nothing is recorded."""
    return None if writer is None else lambda setup: writer.head(head_text(setup, seating=seating))


def lights_of(
    config: StripConfig, strip: LightStrip, mirrors: Sequence[Callable[[Sequence[RGB]], None]]
) -> Lights:
    """The light show on a strip."""
    return Lights(LightShow(strip.pixel_count, **strip_use(config)), strip, mirrors)


def strip_use(config: StripConfig) -> StripUse:
    """How a light show uses the strip."""
    return {
        "brightness": config.brightness,
        "max_ma": config.max_ma,
        "reversed_": config.reversed,
        "first_pixel": config.first_pixel,
    }


def speaker_of(config: Config, voice: Voice) -> Speaker:
    """What has the news spoken, in the language that is chosen for it."""
    code = config.voice.language or config.terminal.language
    return Speaker(voice, language_of_environment(os.environ) if code is None else LANGUAGES[code])


def foresight_of(config: ReadingConfig, watch: TableWatch, reader: Reader) -> Foresight | None:
    """What takes settled pictures without a press, where that is wanted."""
    return Foresight(watch, reader, config.pause_s) if config.hands_free else None


def desk_of(attached: Attached | None, given: CircleDesk | None) -> CircleDesk:
    """Where a circle that was seen is confirmed: at the desk that is given, else at what is attached."""
    brought = None if attached is None else attached.circle
    return given or brought or CircleDesk()


def onlookers(
    attached: Attached | None, watch: TableWatch, history: History, camera: Camera
) -> tuple[Callable[[float], None], ...]:
    """What is attached and looks on, as ticks; its host may end the game by closing the camera."""
    if attached is None:
        return ()
    looks_on = partial(attached.look_on, watch)
    return (looks_on,) if attached.host is None else (looks_on, partial(attached.host.look_on, history, camera))
