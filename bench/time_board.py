"""How well the time board is found, and both markers on it, on table recordings.

    python -m bench.time_board RECORDING.truth.json …
    python -m bench.time_board --hints RECORDING.truth.json …   # the evenings played again: what would players be told?

The truth's decisions tell where the markers stand. For each recording: how long the board was looked for and what
speaks for it; of its frames at rest those whose markers were both read as the books have them, partly, or not at all,
and those in which one was read on a wrong space, which must not be. Then each frame is read again with books that are
off, by one, two or three spaces, for one marker: how often that is seen (a hint that would be deserved), and how often
something else is. Milliseconds are medians, of a look at the board.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from companion.config import Config
from companion.games.patchwork import PATCHES, TIME_TRACKS, Edition
from companion.patchwork.reading.tableshift import table_shift
from companion.patchwork.recording import read_head
from companion.patchwork.replaying import replay_recording
from companion.play.events import TableNoticed
from vision.geometry.homography import FailedFit
from vision.timeboard.finding import find_time_board
from vision.timeboard.following import FollowedBoard
from vision.timeboard.markers import SEATS, MarkerReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from vision.geometry.homography import Homography

_OFF: Final = (1, -1, 2, -2, 3)
_HEAD: Final = (
    f"{'recording':12} {'board':8} {'income':>6} {'leather':>7} {'found s':>7} {'frames':>6} {'both':>5} {'partly':>6} "
    f"{'none':>5} {'wrong':>5} | {'planted':>7} {'seen':>5} {'wrong':>5} | {'look ms':>7}"
)


def main() -> None:
    """Read the recordings and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("truths", nargs="+", type=Path, metavar="TRUTH")
    parser.add_argument("--hints", action="store_true", help="play them again; what is said of markers?")
    args = parser.parse_args()
    if args.hints:
        _print_hints(args.truths)
        return
    print(_HEAD)
    total = Counter[str]()
    for truth in args.truths:
        total += _row(truth)
    print(f"{'all':12} {'':24} {'':7}{_figures(total)}")


def _print_hints(truths: list[Path]) -> None:
    """Print the sentences on markers; the people of a recording never leave one on a wrong space."""
    frames = hints = 0
    config = Config()
    config = replace(config, table=replace(config.table, time_board="followed"))
    for truth in truths:
        said = list[str]()

        def hear(event: object, said: list[str] = said) -> None:
            said.extend([event.says] if isinstance(event, TableNoticed) and "marker" in event.says else [])

        played = replay_recording(truth.with_name(truth.name.removesuffix(".truth.json")), config, [hear])
        settled = sum(frame["settled"] for frame in json.loads(truth.read_text())["frames"])
        frames, hints = frames + settled, hints + len(said)
        print(f"{truth.name:24} {settled:5} frames {len(played.history.decisions):4} decisions {len(said):3} said")
        for sentence in said:
            print(f"    {sentence}", flush=True)
    print(f"{'all':24} {frames:5} frames, {hints} said")


def _row(truth: Path) -> Counter[str]:
    name, told = truth.name.removesuffix(".truth.json"), json.loads(truth.read_text())
    frames = list(_frames(truth, told))
    image, boards, _ = frames[0]
    began = time.perf_counter()
    track = TIME_TRACKS[Edition(told["edition"])]
    found = find_time_board(image, list(boards.values()), track.income, track.leather)
    took_s = time.perf_counter() - began
    if isinstance(found, FailedFit):
        print(f"{name:12} {found.reason} ({took_s:.1f} s)")
        return Counter()
    reader = MarkerReader(board := FollowedBoard(found.layout, found.place, image), dict.fromkeys(SEATS, 0))
    total, spent_ms = Counter[str](), list[float]()
    for image, now, after in frames[1:]:
        shift = table_shift(boards, now)
        if shift is not None:
            board.moved(shift)
            boards = now
        booked, mover = _booked(told, after)
        _plant(total, copy.deepcopy(reader), image, booked, mover)
        began = time.perf_counter()
        standing = reader.read(image, booked, mover)
        spent_ms.append(1e3 * (time.perf_counter() - began))
        total["frames"] += 1
        total[_judged(None if standing is None else standing.spaces, booked)] += 1
    head = f"{name:12} {found.layout.name:8} {found.alikeness.income:6.1f} {found.alikeness.leather:7.1f} {took_s:7.1f}"
    print(f"{head}{_figures(total)} | {np.median(spent_ms):7.0f}", flush=True)
    return total


def _figures(total: Counter[str]) -> str:
    return (
        f" {total['frames']:6} {total['both']:5} {total['partly']:6} {total['none']:5} {total['wrong']:5}"
        f" | {total['planted']:7} {total['seen']:5} {total['seen wrongly']:5}"
    )


def _judged(spaces: Mapping[int, int | None] | None, booked: Mapping[int, int]) -> str:
    if spaces is None or all(space is None for space in spaces.values()):
        return "none"
    if any(space not in (None, booked[seat]) for seat, space in spaces.items()):
        return "wrong"
    return "both" if all(space is not None for space in spaces.values()) else "partly"


def _plant(
    total: Counter[str], reader: MarkerReader, image: NDArray[np.uint8], booked: Mapping[int, int], mover: int | None
) -> None:
    """Read a frame with books that are off: a marker then stands wrong."""
    number = total["frames"]
    seat, off = 1 + number % 2, _OFF[number % len(_OFF)]
    if not 0 <= booked[seat] + off <= 53 or booked[seat] == 0:
        return
    standing = reader.read(image, {**booked, seat: booked[seat] + off}, mover)
    total["planted"] += 1
    if standing is not None:
        total["seen"] += standing.spaces[seat] == booked[seat]
        total["seen wrongly"] += any(
            space not in (None, booked[each])
            for each, space in standing.spaces.items()
            if each != seat or space != booked[each] + off
        )


def _frames(truth: Path, told: dict[str, Any]) -> Iterator[tuple[NDArray[np.uint8], Mapping[int, Homography], int]]:
    """Yield frames at rest: the picture, the quilts' places in it, and how many decisions were carried out."""
    folder = truth.with_name(truth.name.removesuffix(".truth.json"))
    locator = read_head(folder).locator()
    for frame in told["frames"]:
        image = cv2.imread(str(folder / "frames" / frame["frame"]), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(folder / "frames" / frame["frame"])
        places = dict(locator.locate(np.asarray(image, np.uint8)))
        if frame["settled"] and len(places) == len(SEATS):
            yield np.asarray(image, np.uint8), places, frame["after"]


def _booked(told: dict[str, Any], after: int) -> tuple[dict[int, int], int | None]:
    """Return where the markers stand after so many decisions, and whose is moved next."""
    times, last = dict.fromkeys(SEATS, 0), 53
    for each in told["decisions"][:after]:
        seat = each["seat"]
        if each["move"] == "patch":
            times[seat] = min(last, times[seat] + PATCHES[each["patch"]].time)
        elif each["move"] == "advance":
            times[seat] = min(last, times[3 - seat] + 1)
    return times, next((each["seat"] for each in told["decisions"][after:]), None)


if __name__ == "__main__":
    main()
