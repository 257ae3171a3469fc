"""Benchmark of finding the time board, and both markers on it, on table recordings.

    python -m bench.reading.time_board RECORDING.truth.json … FOLDER …
    python -m bench.reading.time_board --hints RECORDING.truth.json …   # the evenings played again: the hints
    python -m bench.reading.time_board --cost RECORDING.truth.json …    # CPU time, with the board followed and without

Where the markers stand follows from a truth's decisions; a FOLDER was recorded at the simulated table and tells it for
each frame. Every frame at rest with both quilts in view counts, also where no board is found, save the first, in which
it is looked for. For each recording: how long that took and what speaks for the board; the frames in which both markers
were read, one, or none; and the *false* ones, in which a marker was read on a space where it does not stand: a hint
that would be wrong, and there must be none. Then each frame is read again with books that are off, by one, two or three
spaces, for one marker: how often that is seen (a hint that is deserved), missed, and how often something else is read.

On recordings with the published print (real…) the markers were drawn beside their spaces, on many a space too far:
there the next space counts as right, too, and no books are off.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from companion.config import Config
from companion.games.patchwork.components import PATCHES, TIME_TRACKS
from companion.patchwork.recording import read_head
from companion.patchwork.replaying import replay_recording
from companion.patchwork.watching.watch import TableWatch
from companion.play.events import TableNoticed
from hardware.ports import EndOfFramesError, Frame
from hardware.recorded import Tape
from vision.geometry import FailedFit, rectify
from vision.quilt.look import thumbnail
from vision.table.plane import table_shift
from vision.timeboard.board import FollowedBoard, known_layouts
from vision.timeboard.finding import find_time_board
from vision.timeboard.markers import SEATS, MarkerReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from calibration.locator import QuiltLocator
    from vision.geometry import Homography
    from vision.timeboard.finding import FoundBoard

LAST: Final = 53
_TRUTH: Final = ".truth.json"
_OFF: Final = (1, -1, 2, -2, 3)
# The error of the drawn markers in some recordings, in spaces too far, by printing.
_ROUGH: Final = {"square": 1}
_HEAD: Final = (
    f"{'recording':12} {'board':8} {'income':>6} {'leather':>7} {'found s':>7} {'frames':>6} {'both':>5} {'one':>5} "
    f"{'none':>5} {'false':>5} | {'planted':>7} {'seen':>5} {'missed':>6} {'false':>5} | {'look ms':>7}"
)
_FPS: Final = 10
# The largest number of looks at the time board per second.
_LOOKS: Final = 4


@dataclass(frozen=True, slots=True)
class Seen:
    """A frame at rest.

    Attributes:
        image: shape (height, width, 3), uint8, BGR.
        places: the map from cell space to its pixels, by seat.
        stands: the space of the marker, by seat.
        mover: the seat whose marker is moved next, or None.
    """

    image: NDArray[np.uint8]
    places: Mapping[int, Homography]
    stands: Mapping[int, int]
    mover: int | None


def main() -> None:
    """Read the recordings and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("recordings", nargs="+", type=Path, metavar="RECORDING")
    parser.add_argument("--hints", action="store_true", help="play them again; what is said of markers?")
    parser.add_argument("--cost", action="store_true", help="time frames with the board followed and without")
    args = parser.parse_args()
    if args.hints:
        _print_hints(args.recordings)
        return
    if args.cost:
        _print_cost(args.recordings)
        return
    print(_HEAD)
    total = Counter[str]()
    for recording in args.recordings:
        total += _row(recording)
    print(f"{'all':12} {'':24} {'':7}{_figures(total)}")


def _print_hints(recordings: list[Path]) -> None:
    """Print the sentences on markers; in recordings no marker is left on a wrong space."""
    frames = hints = 0
    config = Config()
    config = replace(config, table=replace(config.table, time_board="followed"))
    for recording in recordings:
        said = list[str]()

        def on_event(event: object, said: list[str] = said) -> None:
            said.extend([event.says] if isinstance(event, TableNoticed) and "marker" in event.says else [])

        played = replay_recording(_folder(recording), config, [on_event])
        settled = sum(1 for _ in _frames(recording))
        frames, hints = frames + settled, hints + len(said)
        print(
            f"{_name(recording):24} {settled:5} frames {len(played.history.decisions):4} decisions {len(said):3} said"
        )
        for sentence in said:
            print(f"    {sentence}", flush=True)
    print(f"{'all':24} {frames:5} frames, {hints} said")


def _print_cost(recordings: list[Path]) -> None:
    """Print the CPU time, in ms, of a frame without the time board, of a glance at it, and of a look."""
    print(f"{'recording':12} {'frame':>6} {'glance':>6} {'look':>6} | second {'without':>9} {'at rest':>7} {'most':>5}")
    for recording in recordings:
        frames = list(_frames(recording))
        board = _found(recording, frames[0])
        if isinstance(board, FailedFit):
            continue
        times, reader = _Times(), MarkerReader(board, frames[0].stands)
        watch = TableWatch(_locator(recording))
        for number, seen in enumerate(frames[1:]):
            _follow(board, frames[number], seen)
            for repeat in range(3):
                now_s = number + repeat / _FPS
                times.take("frame", partial(watch.see, Frame(seen.image, now_s, str(number))))
            times.take("glance", partial(_glance, seen.image, board))
            times.take("look", partial(reader.read, seen.image, seen.stands, seen.mover))
        frame, glance, look = (times.median_ms(what) for what in ("frame", "glance", "look"))
        without = _FPS * frame
        print(
            f"{_name(recording):12} {frame:6.1f} {glance:6.1f} {look:6.1f} |        {without:9.0f} "
            f"{1 + _LOOKS * glance / without:7.2f} {1 + _LOOKS * (glance + look) / without:5.2f}",
            flush=True,
        )


def _glance(image: NDArray[np.uint8], board: FollowedBoard) -> None:
    thumbnail(rectify(image, board.place))


class _Times:
    """CPU times by kind of work."""

    def __init__(self) -> None:
        self._taken_s: defaultdict[str, list[float]] = defaultdict(list)

    def take(self, what: str, act: Callable[[], object]) -> None:
        began_s = time.process_time()
        act()
        self._taken_s[what].append(time.process_time() - began_s)

    def median_ms(self, what: str) -> float:
        return 1e3 * float(np.median(self._taken_s[what]))


def _row(recording: Path) -> Counter[str]:
    name, frames = _name(recording), list(_frames(recording))
    began = time.perf_counter()
    found = _search(recording, frames[0])
    took_s = time.perf_counter() - began
    if isinstance(found, FailedFit):
        unread = Counter({"frames": len(frames) - 1, "none": len(frames) - 1})
        print(f"{name:12} {'no board':24} {took_s:7.1f}{_figures(unread)} | {found.reason}", flush=True)
        return unread
    board = FollowedBoard(found.layout, found.place, frames[0].image)
    reader = MarkerReader(board, frames[0].stands)
    total, spent_ms = Counter[str](), list[float]()
    rough = _ROUGH.get(found.layout.name, 0) if _is_truth(recording) else 0
    for before, seen in pairwise(frames):
        _follow(board, before, seen)
        _plant(total, copy.deepcopy(reader), seen, rough)
        began = time.process_time()
        standing = reader.read(seen.image, seen.stands, seen.mover)
        spent_ms.append(1e3 * (time.process_time() - began))
        total["frames"] += 1
        total[_judged(None if standing is None else standing, seen.stands, rough)] += 1
    head = f"{name:12} {found.layout.name:8} {found.alikeness.income:6.1f} {found.alikeness.leather:7.1f} {took_s:7.1f}"
    print(f"{head}{_figures(total)} | {np.median(spent_ms):7.0f}", flush=True)
    return total


def _search(recording: Path, first: Seen) -> FoundBoard | FailedFit:
    track = TIME_TRACKS[read_head(_folder(recording)).setup.edition]
    return find_time_board(first.image, list(first.places.values()), track.income, track.leather, known_layouts())


def _found(recording: Path, first: Seen) -> FollowedBoard | FailedFit:
    found = _search(recording, first)
    return found if isinstance(found, FailedFit) else FollowedBoard(found.layout, found.place, first.image)


def _follow(board: FollowedBoard, before: Seen, now: Seen) -> None:
    """Move the time board by the common shift of both quilts in the picture."""
    shift = table_shift(before.places, now.places)
    if shift is not None:
        board.moved(shift)


def _figures(total: Counter[str]) -> str:
    return (
        f" {total['frames']:6} {total['both']:5} {total['one']:5} {total['none']:5} {total['false']:5}"
        f" | {total['planted']:7} {total['seen']:5} {total['planted'] - total['seen']:6} {total['seen falsely']:5}"
    )


def _judged(spaces: Mapping[int, int | None] | None, stands: Mapping[int, int], rough: int) -> str:
    if spaces is None or all(space is None for space in spaces.values()):
        return "none"
    if any(not _is_there(space, stands[seat], rough) for seat, space in spaces.items()):
        return "false"
    return "both" if all(space is not None for space in spaces.values()) else "one"


def _is_there(space: int | None, stands: int, rough: int) -> bool:
    return space is None or 0 <= space - stands <= rough


def _plant(total: Counter[str], reader: MarkerReader, seen: Seen, rough: int) -> None:
    """Read a frame with wrong books, for which one marker is on a wrong space."""
    number, stands = total["frames"], seen.stands
    seat, off = 1 + number % 2, _OFF[number % len(_OFF)]
    if rough or not 0 <= stands[seat] + off <= LAST or stands[seat] == 0:
        return
    standing = reader.read(seen.image, {**stands, seat: stands[seat] + off}, seen.mover)
    total["planted"] += 1
    if standing is not None:
        total["seen"] += standing[seat] == stands[seat]
        total["seen falsely"] += any(
            space not in (None, stands[each]) and (each != seat or space != stands[each] + off)
            for each, space in standing.items()
        )


def _frames(recording: Path) -> Iterator[Seen]:
    return _frames_by_truth(recording) if _is_truth(recording) else _frames_recorded(recording)


def _frames_by_truth(truth: Path) -> Iterator[Seen]:
    """Yield the settled frames of a recording with a truth file."""
    folder, told, locator = _folder(truth), json.loads(truth.read_text()), _locator(truth)
    for frame in told["frames"]:
        image = cv2.imread(str(folder / "frames" / frame["frame"]), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(folder / "frames" / frame["frame"])
        places = dict(locator.locate(np.asarray(image, np.uint8)))
        if frame["settled"] and len(places) == len(SEATS):
            yield Seen(np.asarray(image, np.uint8), places, *_booked(told, frame["after"]))


def _frames_recorded(folder: Path) -> Iterator[Seen]:
    """Yield the frames of a simulated table's recording in which the program finds both quilts at rest."""
    tape, watch = Tape(folder), TableWatch(_locator(folder))
    before: Mapping[int, int] | None = None
    with suppress(EndOfFramesError):
        while True:
            watch.see(frame := tape.frame())
            if tape.truth is None:
                raise ValueError(f"{folder} does not tell where the markers stand")
            stands = dict(zip(SEATS, tape.truth["markers"], strict=True))
            is_at_rest = watch.ready and all(watch.settled(seat) for seat in SEATS)
            if is_at_rest and stands == before:
                yield Seen(frame.image, dict(watch.places), stands, min(SEATS, key=stands.__getitem__))
            before = stands


def _is_truth(recording: Path) -> bool:
    return recording.name.endswith(_TRUTH)


def _folder(recording: Path) -> Path:
    return recording.with_name(_name(recording))


def _name(recording: Path) -> str:
    return recording.name.removesuffix(_TRUTH)


def _locator(recording: Path) -> QuiltLocator:
    return read_head(_folder(recording)).locator()


def _booked(told: dict[str, Any], after: int) -> tuple[dict[int, int], int | None]:
    """Return the markers' spaces after a number of decisions, and the seat whose marker moves next."""
    times = dict.fromkeys(SEATS, 0)
    for each in told["decisions"][:after]:
        seat = each["seat"]
        if each["move"] == "patch":
            times[seat] = min(LAST, times[seat] + PATCHES[each["patch"]].time)
        elif each["move"] == "advance":
            times[seat] = min(LAST, times[3 - seat] + 1)
    return times, next((each["seat"] for each in told["decisions"][after:]), None)


if __name__ == "__main__":
    main()
