"""The crash suite: the real program killed, and the power cut, again and again; nothing that was announced is lost.

    make crash                                   1,000 kills and 20,000 power cuts: one to two hours on two cores
    make crash KILLS=200 CUTS=5000 SEED=7        fewer

It needs a C compiler and Mosquitto. It says how often what came of it, and ends with status 1 at the first loss, which
it describes.
"""

from __future__ import annotations

import argparse
import logging
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final

from tests.companion.journal.earlier import lay_earlier
from tests.crash import writers
from tests.crash.announced import LostError
from tests.crash.cuts import Evening, cut_writer
from tests.crash.failing import each_failing_step
from tests.crash.halls import KilledHall
from tests.crash.kills import KilledEvenings, each_step
from tests.crash.program import Program, Run, compiled, play
from tests.crash.updating import each_killed_update
from tests.crash.watchdog import hang

if TYPE_CHECKING:
    from collections.abc import Iterator

GAMES: Final = ("patchwork", "kvilt")
_USUAL_PACE: Final = 0.3
"""The share of kills in evenings at the usual pace, which spend much of the time waiting."""


def main() -> int:
    """Run the suite."""
    parser = argparse.ArgumentParser(prog="make crash", description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--cuts", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=2, help="programs side by side")
    args = parser.parse_args()
    began_s = time.monotonic()
    # What the checks' own start completes is no news.
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory(prefix="crash-") as scratch:
        home = Path(scratch).resolve()
        try:
            for says, found in _suite(args, home, compiled(home)):
                figures = "; ".join(f"{count} {what}" for what, count in sorted(found.items()))
                _put(f"{time.monotonic() - began_s:6.0f} s  {says}: {figures}")
        except LostError as error:
            kept = Path(tempfile.mkdtemp(prefix="crash-kept-"))
            shutil.copytree(home, kept, dirs_exist_ok=True)
            _put(f"LOST: {error}\nThe folders are kept in {kept}")
            return 1
    return 0


def _suite(args: argparse.Namespace, home: Path, recorder: Path) -> Iterator[tuple[str, Counter[str]]]:
    rng = random.Random(args.seed)
    for game in GAMES:
        yield f"{game}, the power cut", _power_cuts(home / f"cut {game}", recorder, game, args.cuts // 2, rng)
    most = max(4, args.kills // 25)
    cuts = max(10, args.cuts // 100)
    taken_over = _takeover(home / "take over", recorder, rng, most, cuts)
    yield "a journal of the former format taken over, killed and cut", taken_over
    yield "a calibration, killed and cut", _calibration(home / "calibrate", recorder, rng, most, cuts)
    yield "an export, killed and cut", _export(home / "export", recorder, rng, most, cuts)
    yield "a game and a name deleted, killed and cut", _deletion(home / "delete", recorder, rng, most, cuts)
    yield "a restoration, killed and cut", _restoration(home / "restore", recorder, rng, 2 * most, 2 * cuts)
    failing = _program(home / "failing", recorder)
    yield "writes that fail, and what is said of them", each_failing_step(failing, most)
    yield "an update, killed at each step", each_killed_update(_program(home / "update", recorder))
    yield "a running hall, killed and damaged", KilledHall(_program(home / "hall", recorder), rng).killed(most)
    yield "the service, its frame loop hung", hang(home / "hang")
    yield from _kills(args, home, recorder)


def _power_cuts(home: Path, recorder: Path, game: str, count: int, rng: random.Random) -> Counter[str]:
    program = _program(home, recorder)
    run = program.run(*play(game, 5, "--temper", "hasty", "--fast"))
    if run.status:
        raise LostError(f"status {run.status}: {run.says}")
    evening = Evening(program.data, home / "nothing", run.steps)
    return evening.cuts(count, home / "left", rng)


def _takeover(home: Path, recorder: Path, rng: random.Random, most: int, cuts: int) -> Counter[str]:
    program, check = _program(home, recorder), writers.check_taken_over
    line = play("patchwork", 5, "--fast")
    # The takeover is complete when the evening's first sentence is printed.
    found = each_step(program, line, lay_earlier, partial(check, program.data), most, first_words=True)
    return found + cut_writer(program, line, lay_earlier, check, cuts, rng, first_words=True)


def _calibration(home: Path, recorder: Path, rng: random.Random, most: int, cuts: int) -> Counter[str]:
    program = _program(home, recorder)
    path = program.data / "calibration.toml"

    def lay(data: Path) -> None:
        writers.lay_old(data / path.name)

    def check(data: Path, run: Run) -> None:
        writers.check_calibration(data / path.name, run)

    line = ("calibrate", "--simulate", "--seed", "3", "--output", str(path))
    return each_step(program, line, lay, partial(check, program.data), most) + cut_writer(
        program, line, lay, check, cuts, rng
    )


def _export(home: Path, recorder: Path, rng: random.Random, most: int, cuts: int) -> Counter[str]:
    program = _program(home, recorder)
    path, texts = program.data / "evening.jsonl", writers.ThreeGames.played(rng).texts[0]

    def lay(data: Path) -> None:
        writers.lay_game(data, texts)
        writers.lay_old(data / path.name)

    def check(data: Path, run: Run) -> None:
        writers.check_record(data / path.name, run, texts)

    line = ("games", "export", "1", "--output", str(path))
    return each_step(program, line, lay, partial(check, program.data), most) + cut_writer(
        program, line, lay, check, cuts, rng
    )


def _deletion(home: Path, recorder: Path, rng: random.Random, most: int, cuts: int) -> Counter[str]:
    program, journal = _program(home, recorder), writers.ThreeGames.played(rng)
    found = Counter[str]()
    for line in (("games", "delete", "2", "--yes"), ("privacy", "forget", "Anna", "--yes")):
        shutil.rmtree(program.home / "image", ignore_errors=True)
        found += each_step(program, line, journal.lay, partial(journal.check, program.data), most)
        found += cut_writer(program, line, journal.lay, journal.check, cuts, rng)
    return found


def _restoration(home: Path, recorder: Path, rng: random.Random, most: int, cuts: int) -> Counter[str]:
    program = _program(home, recorder)
    each = writers.Restoration(writers.ThreeGames.played(rng), writers.ThreeGames.played(rng), home / "kept.zip")
    each.save(home / "saved")
    found = each_step(program, each.line, each.lay, partial(each.check, program.data), most)
    return found + cut_writer(program, each.line, each.lay, each.check, cuts, rng)


def _kills(args: argparse.Namespace, home: Path, recorder: Path) -> Iterator[tuple[str, Counter[str]]]:
    """Kill evenings of both games at both paces, some in parallel."""
    stopped = Event()
    with ThreadPoolExecutor(args.at_once) as pool:
        waiting = []
        for number, game in enumerate(GAMES):
            for fast, share in ((True, 1 - _USUAL_PACE), (False, _USUAL_PACE)):
                name = f"{game}, {'as fast as it can' if fast else 'at the usual pace'}, killed"
                rng = random.Random(f"{args.seed} {name}")
                evenings = KilledEvenings(_program(home / name, recorder), game, rng, fast, seed=100 * number + 1)
                waiting.append((name, pool.submit(_killed, evenings, round(args.kills / len(GAMES) * share), stopped)))
        for name, future in waiting:
            yield name, future.result()


def _killed(evenings: KilledEvenings, count: int, stopped: Event) -> Counter[str]:
    """Kill evenings until something is lost in these or in those beside them."""
    for _ in range(count):
        if stopped.is_set():
            break
        try:
            evenings.kill()
        except BaseException:
            stopped.set()
            raise
    return evenings.found + Counter({"evenings played to their end": evenings.evenings})


def _program(home: Path, recorder: Path) -> Program:
    home.mkdir(parents=True)
    return Program(home, recorder)


def _put(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
