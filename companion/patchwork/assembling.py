"""Assembly of a table of Patchwork."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from calibration.profile import Profile
from companion.calibrating.configured import seating_of
from companion.config.palette import USUAL, strip_colours
from companion.games.patchwork import Setup
from companion.journal import GameFilter
from companion.lights import Lights
from companion.patchwork.arrangement import colours_in, presses_note
from companion.patchwork.boards.clearing import ClearedAway, begins_by_clearing, lookouts
from companion.patchwork.boards.empty_check import EmptyCheck
from companion.patchwork.boards.end_pictures import PICTURES, EndPictures
from companion.patchwork.boards.first_picture import FirstLight, FirstPicture, learner
from companion.patchwork.boards.profiles import KnownBoards, ProfileKeeper, other_profile
from companion.patchwork.circle.confirming.desk import CircleDesk
from companion.patchwork.circle.confirming.keeper import CircleKeeper
from companion.patchwork.circle.in_play.evidence import CirclePlay
from companion.patchwork.circle.in_play.hints import CircleHints, CircleRest, DealtCircle
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.events import Listener
from companion.patchwork.hands_free.forecaster import Forecaster
from companion.patchwork.hands_free.foresight import Foresight
from companion.patchwork.hands_free.take_backs import TakeBackForesight
from companion.patchwork.lights.show import LightShow
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.study import Study
from companion.patchwork.recording import Recorder, head_text
from companion.patchwork.replayed_table import ReplayedTable
from companion.patchwork.table import PatchworkTable
from companion.patchwork.timeboard.at_table import time_board_parts
from companion.patchwork.watching.watch import TableWatch
from companion.play.evening import Evening

Tick: TypeAlias = Callable[[float], None]

# The number of latest games in which a profile of the empty boards is searched for.
_OTHERS: Final = 10
PROFILES = "profiles"
"""The folder, beside the journal, of the profiles of each game's empty boards."""


def live_table(evening: Evening, boards: KnownBoards) -> PatchworkTable:
    """Return the table of a game that is being played."""
    config, at, history = evening.config, evening.at, evening.history
    watch = TableWatch(boards.locator, config.reading.settle_frames)
    comparer = QuiltComparer(watch)
    observer = QuiltObserver(comparer)
    reader = Reader(observer, config.reading.confidence)
    evening.book.note(evening.game_id, *presses_note(config))
    lights = _lights(evening)
    first = FirstLight(lights, watch, history) if at.lit_by_strip else None
    desk = evening.desk if isinstance(evening.desk, CircleDesk) else CircleDesk()
    following, seeing = _circle(evening, watch, reader, desk)
    markers = time_board_parts(evening, watch, reader)
    parts = evening.parts(
        lights,
        watch,
        show=first,
        listeners=(*following, *markers.listeners),
        ticks=(
            *_empty_checks(evening, watch, boards),
            *seeing,
            *lookouts(watch, boards.locator, history, evening.say),
            *_end_pictures(evening, watch),
            *markers.ticks,
            # Last of all, because it may end the evening.
            *_clearing(evening, watch),
        ),
        too_soon=lights.refuse,
    )
    foresight = _foresight(evening, watch, reader)
    forecaster = None
    if foresight is not None:
        take_backs = TakeBackForesight(watch, comparer, foresight, config.reading.pause_s)
        forecaster = Forecaster(foresight, take_backs, markers.advances)
    return PatchworkTable(
        parts,
        watch,
        observer,
        reader,
        prepare=_keeper(evening, watch, boards).keep,
        circle=desk,
        recorder=None if at.writer is None else Recorder(at.writer),
        forecaster=forecaster,
        at_end=markers.at_end,
    )


def replayed_table(
    evening: Evening, boards: KnownBoards, studied: Callable[[Study], None] | None = None
) -> ReplayedTable:
    """Return the table that replays a recording; `studied` is called with every look and its verdict."""
    config, at = evening.config, evening.at
    watch = TableWatch(boards.locator, config.reading.settle_frames)
    observer = QuiltObserver(QuiltComparer(watch))
    reader = Reader(observer, config.reading.confidence, studied)
    ticks = lookouts(watch, boards.locator, evening.history, evening.say)
    markers = time_board_parts(evening, watch, reader)
    desk = evening.desk if isinstance(evening.desk, CircleDesk) else CircleDesk()
    following, seeing = _circle(evening, watch, reader, desk) if config.game.circle == "seen" else ((), ())
    parts = evening.parts(
        _lights(evening),
        watch,
        listeners=(*following, *markers.listeners),
        ticks=(*seeing, *ticks, *markers.ticks),
    )
    foresight = _foresight(evening, watch, reader)
    # No take-backs: recorded presses of `undo` count, and a patch lifted off must not undo a second decision.
    forecaster = None if foresight is None else Forecaster(foresight, advances=markers.advances)
    return ReplayedTable(at.instructions or tuple, parts, watch, observer, reader, forecaster)


def _lights(evening: Evening) -> Lights[Any]:
    strip = evening.at.strip
    colours = strip_colours(colours_in(evening.book.notes(evening.game_id)) or USUAL)
    show = LightShow(strip.pixel_count, colours, **evening.strip_use)
    return Lights(show, strip, evening.company.mirrors)


def _clearing(evening: Evening, watch: TableWatch) -> tuple[Tick, ...]:
    """Return the tick that ends a finished game once its boards are cleared, if that begins the next one."""
    if not begins_by_clearing(evening.config):
        return ()
    return (ClearedAway(evening.config.table, watch, evening.history, evening.at.camera).tick,)


def _end_pictures(evening: Evening, watch: TableWatch) -> tuple[Tick, ...]:
    """Return the tick that saves pictures of the finished quilts; at a simulated table only if a page shows them."""
    if evening.at.people is not None and evening.company.attached is None:
        return ()
    return (EndPictures(watch, evening.history, evening.folder / PICTURES, evening.game_id).tick,)


def _foresight(evening: Evening, watch: TableWatch, reader: Reader) -> Foresight | None:
    """Return the foresight of hands-free play, or None if every decision is confirmed."""
    reading = evening.config.reading
    return Foresight(watch, reader, reading.pause_s) if reading.hands_free else None


def _circle(
    evening: Evening, watch: TableWatch, reader: Reader, desk: CircleDesk
) -> tuple[tuple[Listener, ...], tuple[Tick, ...]]:
    """Return the listeners and the ticks of a seen circle."""
    play = CirclePlay(watch, reader, evening.history, evening.say, desk.notice)
    keeper = CircleKeeper(evening.book, evening.game_id, evening.folder / PROFILES / f"{evening.game_id}.circle.jpg")
    is_seen = evening.config.game.circle == "seen"
    learn = (
        learner(evening.book, evening.game_id, evening.history, _rewriter(evening), was_seen=keeper.saved() is not None)
        if is_seen
        else None
    )
    asked = desk.begin(evening.history, learn, evening.say, play.follow, keeper)
    dealt = _dealt(evening, play)
    if dealt is None:
        first = FirstPicture(watch, evening.history, evening.say, asked, evening.at.background)
    else:
        first = FirstPicture(watch, evening.history, evening.say, dealt, evening.at.background, lambda _: None)
    rest = CircleRest(watch, lambda: play.circle)
    hints = CircleHints(lambda: play.circle, rest, evening.history, evening.say)
    # `rest` before `hints`, which use its look at the same frame.
    return (desk, play, rest, hints), (first.tick, desk.tick, rest.tick, hints.tick)


def _dealt(evening: Evening, play: CirclePlay) -> DealtCircle | None:
    """Return the receiver of a circle that the game knows, if the table beyond the quilts is followed, or None."""
    market = evening.history.setup.market
    if market is None or evening.config.table.time_board != "followed":
        return None
    return DealtCircle(market, play.watch)


def _rewriter(evening: Evening) -> Callable[[Setup], None] | None:
    """Return a function that rewrites a recording's head with a changed setup, or None without a recording."""
    writer, seating = evening.at.writer, seating_of(evening.config.table)
    return None if writer is None else lambda setup: writer.head(head_text(setup, seating=seating))


def _empty_checks(evening: Evening, watch: TableWatch, boards: KnownBoards) -> tuple[Tick, ...]:
    if boards.empty is None or not evening.at.lit_by_strip:
        return ()
    return (EmptyCheck(watch, evening.history, boards.empty, evening.say, evening.at.background).tick,)


def _keeper(evening: Evening, watch: TableWatch, boards: KnownBoards) -> ProfileKeeper:
    """Return the keeper of the game's profile; it restores the profile of boards that are no longer empty."""
    keeper = ProfileKeeper(watch, evening.folder / PROFILES / f"{evening.game_id}.npz")
    quilts = {seat: evening.history.state.seat(seat).quilt for seat in (1, 2)}
    # Boards that are still empty are simply seen again.
    if any(quilts.values()):
        keeper.restore(quilts, boards.empty or _other_boards(evening))
    return keeper


def _other_boards(evening: Evening) -> Profile | None:
    """Return the empty boards' profile of the last other game at this table that has one, to replace a lost one."""
    played = evening.book.find(GameFilter(evening.at.name, PATCHWORK.name, by_change=True, limit=_OTHERS))
    others = (game.game_id for game in played if game.game_id != evening.game_id)
    return other_profile(evening.folder / PROFILES, others)
