"""Processor time of looks at a table recording, beside that of another checkout of the program.

    python bench/costs/looks.py [--against CHECKOUT] [--repeat 8] RECORDING …

A recording is replayed, in turn by this checkout and the other one, with each one's `.venv`; each look is read again
several times, and the quickest counts. Those of one frame in the same game are compared, by kind: with a change,
without one, and in doubt, where this checkout weighs outlines and what may have been overlooked. Recordings through
worse cameras have doubts: bench/reading/cameras.py makes them. A look is timed twice: with memory that earlier looks
have freed, and after it was given back to the system, as at a table that was at rest. The baseline is the decoding of
the recordings' pictures.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import importlib
import io
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).parents[2]
KINDS = ("with a change", "without a change", "in doubt")


def read_again(recording: Path, repeat: int) -> list[dict[str, Any]]:
    """Replay a recording with the checkout in the working directory, and return a row for each look."""
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - as Python itself would
    from companion.__main__ import main as companion  # noqa: PLC0415 - before OpenCV, as for everybody

    import cv2  # noqa: PLC0415 # isort: skip

    # Any, because checkouts differ.
    reader: Any = importlib.import_module("companion.patchwork.reading.reader")
    cv2.setNumThreads(1)
    rows: list[dict[str, Any]] = []
    doubts = [0]
    read, doubt = reader.Reader.read, getattr(reader, "explain_in_doubt", lambda *_: None)

    def counted(*values: Any) -> Any:
        doubts[0] += 1
        return doubt(*values)

    def timed(self: Any, history: Any, given_back: bool) -> float:
        if given_back:
            ctypes.CDLL(None).malloc_trim(0)
        _forget()
        began_s = time.process_time()
        read(self, history)
        return 1e3 * (time.process_time() - began_s)

    def watched(self: Any, history: Any) -> Any:
        doubts[0] = 0
        verdict = read(self, history)
        kind = KINDS[2] if doubts[0] else KINDS["NOTHING_PLACED" in str(getattr(verdict, "reason", ""))]
        used, fresh = ([timed(self, history, given_back) for _ in range(repeat)] for given_back in (False, True))
        frame, made = self._observer.observed(history.state.turn).frame, history.state.decisions_made
        rows.append({"frame": f"{frame} {made}", "kind": kind, "used": min(used), "fresh": min(fresh)})
        return read(self, history)

    reader.Reader.read, reader.explain_in_doubt = watched, counted
    _share_arenas()
    with contextlib.redirect_stdout(io.StringIO()):
        companion(["replay", str(recording), "--json"])
    return rows


def _forget() -> None:
    """Empty what is stored from one look at a state for the next."""
    for each in vars(importlib.import_module("companion.patchwork.reading.explain")).values():
        if hasattr(each, "cache_clear") and each.__name__ != "all_lattice_placements":
            each.cache_clear()


def _share_arenas() -> None:
    """Set up memory as `companion play` does."""
    try:
        memory: Any = importlib.import_module("companion.play.memory")
    except ImportError:
        # Its place since.
        memory = importlib.import_module("companion.play.devices")
    memory.share_arenas()


def looks(checkout: Path, recording: Path, repeat: int) -> dict[str, dict[str, Any]]:
    """Return each look of a recording by its frame, read by a checkout in a process of its own."""
    python = str(checkout / ".venv/bin/python")
    line = [python, __file__, "--child", "--repeat", str(repeat), str(recording.absolute())]
    ran = subprocess.run(line, cwd=checkout, capture_output=True, text=True, check=True)  # noqa: S603
    return {row["frame"]: row for row in json.loads(ran.stdout)}


def decoding_ms(recording: Path) -> float:
    """Return the processor time in which OpenCV decodes one picture of a recording."""
    import cv2  # noqa: PLC0415 # isort: skip

    cv2.setNumThreads(1)
    spent = []
    for path in sorted((recording / "frames").iterdir())[:10]:
        began_s = time.process_time()
        cv2.imread(str(path))
        spent.append(1e3 * (time.process_time() - began_s))
    return median(spent)


def main() -> None:
    """Measure, and print a line for each kind of look."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("recordings", nargs="+", type=Path, metavar="RECORDING")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", default=HERE)
    parser.add_argument("--repeat", type=int, default=8)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        print(json.dumps(read_again(args.recordings[0], args.repeat)))
        return
    print(f"{'baseline: a picture decoded':28} {median(map(decoding_ms, args.recordings)):6.1f} ms")
    found = defaultdict(list)
    for recording in args.recordings:
        own, other = (looks(checkout, recording, args.repeat) for checkout in (HERE, args.against.absolute()))
        for frame in own.keys() & other.keys():
            found[own[frame]["kind"]].append((own[frame], other[frame]))
    for kind in KINDS:
        for memory in ("used", "fresh") if found[kind] else ():
            own_ms, other_ms = (median(pair[side][memory] for pair in found[kind]) for side in (0, 1))
            ratio = median(own[memory] / other[memory] for own, other in found[kind])
            print(
                f"{kind + ', ' + memory + ' memory':28} {own_ms:6.1f} ms; the other {other_ms:6.1f}; "
                f"ratio {ratio:5.2f} of {len(found[kind])}",
                flush=True,
            )


if __name__ == "__main__":
    main()
