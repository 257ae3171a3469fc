"""Assembly of a table of Patchwork."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.stored import Profile
from companion.calibrating.configured import seating_of
from companion.config.palette import USUAL, strip_colours
from companion.games.patchwork.state import Setup
from companion.journal import GameFilter
from companion.lights import Lights
from companion.patchwork.arrangement import colours_in, presses_note
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.evidence import CirclePlay
from companion.patchwork.circle.first_picture import FirstPicture, learner
from companion.patchwork.circle.hints import CircleHints, CircleRest
from companion.patchwork.circle.keeper import CircleKeeper
from companion.patchwork.codec import PATCHWORK, Event, Listener
from companion.patchwork.ending.checks import ButtonCheck, SeenTiles, TileCheck, see_tiles
from companion.patchwork.foresight import PlacementForecaster
from companion.patchwork.hands_free import AdvanceForecaster, Forecaster, UndoForecaster
from companion.patchwork.lights import LightShow
from companion.patchwork.photograph.hands import SeenHeaps, see_heaps
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.study import LOOKS, LatestLooks
from companion.patchwork.recording import Recorder, head_text
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.table import PatchworkTable
from companion.patchwork.timeboard import MarkerHints, TimeBoardWatch
from companion.patchwork.timeboard_print import layout_in
from companion.patchwork.watching.clearing import ClearedAway, begins_by_clearing
from companion.patchwork.watching.opening import EmptyCheck, LeftoverCheck, NeutralStart
from companion.patchwork.watching.profiles import PICTURES, EndPictures, KnownBoards, ProfileKeeper, other_profile
from companion.patchwork.watching.unready import BoardsNotice, LightNotice, UnrestNotice
from companion.patchwork.watching.watch import TableWatch
from companion.play.loop import Tick
from companion.play.session import Session
from vision.geometry import Homography
from vision.timeboard.board import known_layouts
from vision.tokens.kinds import AnyKind


@dataclass(frozen=True, slots=True)
class TimeBoardParts:
    """The parts that follow the time board, if any; `advances` is None if each advance needs a press."""

    listeners: tuple[Callable[[Event], None], ...] = ()
    ticks: tuple[Tick, ...] = ()
    advances: AdvanceForecaster | None = None
    at_end: tuple[ButtonCheck | TileCheck, ...] = ()


def time_board_parts(session: Session, watch: TableWatch, reader: Reader) -> TimeBoardParts:
    """Return the parts that the configuration requires.

    Raises:
        RecordError: the file of the time board's printing cannot be used.
    """
    config = session.config
    if config.table.time_board != "followed":
        return TimeBoardParts()
    own = config.table.time_board_print
    layouts = known_layouts() if own is None else (layout_in(own),)
    board = TimeBoardWatch(watch, session.history, session.at.background, layouts)

    def tokens(image: NDArray[np.uint8], places: Mapping[int, Homography], kinds: Sequence[AnyKind]) -> SeenHeaps:
        return see_heaps(image, places, kinds, board.place, looks_for_track=not board.is_missing)

    buttons = ButtonCheck(watch, session.history, session.at.background, tokens)

    def tiles(image: NDArray[np.uint8], places: Mapping[int, Homography]) -> SeenTiles:
        return see_tiles(image, places, board.place)

    tile = TileCheck(watch, session.history, session.at.background, session.say, tiles)
    hints = MarkerHints(board, session.history, session.say)
    advances = None
    if config.reading.hands_free:
        advances = AdvanceForecaster(board, watch, reader, config.reading.pause_s, session.say)
    # The board's tick before its hints, which use what it has read.
    return TimeBoardParts((hints,), (board.tick, hints.tick), advances, (buttons, tile))


# The number of latest games in which a profile of the empty boards is searched for.
_OTHERS: Final = 10
PROFILES = "profiles"
"""The folder, beside the journal, of the profiles of each game's empty boards."""


def live_table(session: Session, boards: KnownBoards) -> PatchworkTable:
    """Return the table of a game that is being played."""
    at, history = session.at, session.history
    watch = TableWatch(boards.locator)
    comparer = QuiltComparer(watch)
    observer = QuiltObserver(comparer)
    looks, keeper = _latest_looks(session), _keeper(session, watch, boards)
    reader = Reader(observer, studied=looks.note)
    session.book.note(session.game_id, *presses_note(session.config))
    lights = light_show(session)
    first = NeutralStart(lights, watch, history) if at.lit_by_strip else None
    desk = session.desk if isinstance(session.desk, CircleDesk) else CircleDesk()
    following, seeing = circle_parts(session, watch, reader, desk)
    markers = time_board_parts(session, watch, reader)
    parts = session.parts(
        lights,
        watch,
        show=first,
        listeners=(*following, *markers.listeners, *_end_pictures(session, watch)),
        ticks=(
            *_empty_checks(session, watch, boards),
            *seeing,
            BoardsNotice(watch, history, session.say).tick,
            UnrestNotice(watch, history, session.say).tick,
            LightNotice(watch, history, session.say).tick,
            *markers.ticks,
            keeper.tick,
            # Last of all, because it may end the session.
            *_clearing(session, watch),
        ),
    )
    lies_here = session.friend is None or session.friend.is_laid
    return PatchworkTable(
        parts,
        watch,
        observer,
        reader,
        prepare=keeper.keep,
        circle=desk,
        recorder=None if at.writer is None else Recorder(at.writer),
        forecaster=_forecaster(session, watch, reader, comparer, markers.advances),
        # Two tables count by the rules alone, as one does not see what lies at the other.
        at_end=markers.at_end if session.friend is None else (),
        # A friend's patches that only the page has are not missing.
        is_resumed=bool(history.decisions) and lies_here,
    )


def _forecaster(
    session: Session, watch: TableWatch, reader: Reader, comparer: QuiltComparer, advances: AdvanceForecaster | None
) -> Forecaster | None:
    """Return what takes decisions without a press, or None if every decision is confirmed."""
    foresight = foresight_of(session, watch, reader)
    if foresight is None:
        return None
    take_backs = UndoForecaster(watch, comparer, foresight, session.config.reading.pause_s)
    return Forecaster(foresight, take_backs, advances)


def _latest_looks(session: Session) -> LatestLooks:
    """Return what keeps the latest looks for a bug report; none are kept at a simulated table."""
    most = session.config.data.looks if session.at.people is None else 0
    return LatestLooks(session.folder / LOOKS, most, session.soon.append)


def light_show(session: Session) -> Lights[Any]:
    """Return the light show on the table's strip, in the players' colours."""
    strip = session.at.strip
    colours = strip_colours(colours_in(session.book.notes(session.game_id)) or USUAL)
    show = LightShow(strip.pixel_count, colours, session.config.strip)
    return Lights(show, strip, session.participants.mirrors)


def _clearing(session: Session, watch: TableWatch) -> tuple[Tick, ...]:
    """Return the tick that ends a finished game once its boards are cleared, if that begins the next one."""
    if not begins_by_clearing(session.config):
        return ()
    return (ClearedAway(session.config.table, watch, session.history, session.inbox).tick,)


def _end_pictures(session: Session, watch: TableWatch) -> tuple[Listener, ...]:
    """Return what saves pictures of the finished quilts; at a simulated table only if a page shows them."""
    if session.at.people is not None and session.participants.remote is None:
        return ()
    return (EndPictures(watch, session.folder / PICTURES, session.game_id, session.soon.append),)


def foresight_of(session: Session, watch: TableWatch, reader: Reader) -> PlacementForecaster | None:
    """Return the foresight of hands-free play, or None if every decision is confirmed."""
    reading = session.config.reading
    return PlacementForecaster(watch, reader, reading.pause_s) if reading.hands_free else None


def circle_parts(
    session: Session, watch: TableWatch, reader: Reader, desk: CircleDesk
) -> tuple[tuple[Listener, ...], tuple[Tick, ...]]:
    """Return the listeners and the ticks of the first picture, and of a circle that is seen or watched."""
    play = CirclePlay(watch, reader, session.history, session.say, desk.notice)
    keeper = CircleKeeper(session.book, session.game_id, session.folder / PROFILES / f"{session.game_id}.circle.jpg")
    is_seen = session.config.of(PatchworkSettings).circle == "seen"
    learn = (
        learner(session.book, session.game_id, session.history, _rewriter(session), was_seen=keeper.saved() is not None)
        if is_seen
        else None
    )
    asked = desk.begin(session.history, learn, session.say, play.follow, keeper)
    # A circle that the game knows is watched if the table beyond the quilts is followed.
    is_dealt = session.history.setup.market is not None and session.config.table.time_board == "followed"
    first = FirstPicture(
        watch, session.history, session.say, asked, session.at.background, dealt=play if is_dealt else None
    )
    if learn is None and not is_dealt:
        return (), (first.tick,)
    rest = CircleRest(watch, play)
    hints = CircleHints(play, rest, session.history, session.say)
    # `rest` before `hints`, which use its look at the same frame.
    return (desk, play, rest, hints), (first.tick, desk.tick, rest.tick, hints.tick)


def _rewriter(session: Session) -> Callable[[Setup], None] | None:
    """Return a function that rewrites a recording's head with a changed setup, or None without a recording."""
    writer, seating = session.at.writer, seating_of(session.config.table)
    return None if writer is None else lambda setup: writer.head(head_text(setup, seating=seating))


def _empty_checks(session: Session, watch: TableWatch, boards: KnownBoards) -> tuple[Tick, ...]:
    if boards.empty is None:
        return (LeftoverCheck(watch, session.history, session.say, session.at.background).tick,)
    if not session.at.lit_by_strip:
        return ()
    return (EmptyCheck(watch, session.history, boards.empty, session.say, session.at.background).tick,)


def _keeper(session: Session, watch: TableWatch, boards: KnownBoards) -> ProfileKeeper:
    """Return the keeper of the game's profile; it restores the profile of boards that are no longer empty."""
    keeper = ProfileKeeper(watch, session.folder / PROFILES / f"{session.game_id}.npz")
    quilts = {seat: session.history.state.seat(seat).quilt for seat in (1, 2)}
    # Boards that are still empty are simply seen again.
    if any(quilts.values()):
        keeper.restore(quilts, boards.empty or _other_boards(session))
    return keeper


def _other_boards(session: Session) -> Profile | None:
    """Return the empty boards' profile of the last other game at this table that has one, to replace a lost one."""
    played = session.book.find(GameFilter(session.at.name, PATCHWORK.name, by_change=True, limit=_OTHERS))
    others = (game.game_id for game in played if game.game_id != session.game_id)
    return other_profile(session.folder / PROFILES, others)
