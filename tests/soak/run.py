"""Soak: the service plays simulated games in one process, while all that it works with fails at random.

    make soak                          500 games of both kinds, each to its end: about an hour of one core
    make soak GAMES=30 FIRST=31        of them those from the 31st to the 60th; each is the same in any run
    make soak GAMES=30 EVERY=0         without any fault: what memory does

A device, the disk, SQLite, the network or the time of day fails about every EVERY simulated seconds, for a while. It
ends with status 1 if a decision is not what lies on the table, a game comes to no end, memory grows from game to game,
or a thread or a descriptor is left.
"""

from __future__ import annotations

import argparse
import faulthandler
import sys
import tempfile
import time
from contextlib import redirect_stdout
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO, TypeVar

from tests.soak.service import Soak, WrongError, resident_mb, threads_and_descriptors

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
_IN_TURN: Final = ("kvilt", "patchwork", "patchwork", "patchwork")
"""The games in turn; one of Kvilt, with some 250 decisions and 24 looks at whole sheets, takes twice the time of one of
Patchwork."""
_HANGS_S: Final = 1800.0
"""The time for one game after which the process is ended with a traceback of each thread."""
_LOADED: Final = 4
"""The number of games after which all libraries are loaded, and all files opened once are open."""
_FILLED: Final = 60
"""The number of games after which the caches are full, as each new table top is drawn once and cached."""
_JUDGED: Final = 9
"""The least number of games after those for a judgement."""
_FLAT_MB: Final = 40.0


class After(NamedTuple):
    """The process's resources after a game."""

    memory_mb: float
    threads: int
    descriptors: int


def main() -> int:
    """Play the games."""
    parser = argparse.ArgumentParser(prog="make soak", description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--first", type=int, default=1, metavar="N", help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=float, default=8.0, metavar="SECONDS", help="0: no faults")
    parser.add_argument("--most", type=int, default=None, metavar="N", help="decisions of each game")
    parser.add_argument("--game", choices=("patchwork", "kvilt"), help="this one alone, instead of both in turn")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        log = Path(folder) / "log"
        with log.open("w", encoding="utf-8") as stream:
            return _soaked(args, Path(folder) / "data", stream)


def _soaked(args: argparse.Namespace, folder: Path, log: TextIO) -> int:
    folder.mkdir()
    soak, names = Soak(folder, args.seed, args.every, args.most), (args.game,) if args.game else _IN_TURN
    known: list[After] = []
    try:
        for number in range(args.first, args.first + args.games):
            faulthandler.dump_traceback_later(_HANGS_S, exit=True)
            with redirect_stdout(log):
                soak.play(names[number % len(names)], number)
            known.append(After(resident_mb(), *threads_and_descriptors()))
            after = known[-1]
            _put(
                f"{time.process_time():7.0f} s  game {number:3} {names[number % len(names)]:9} "
                f"{after.memory_mb:6.0f} MB, {after.threads} threads, {after.descriptors} descriptors"
            )
    except WrongError as error:
        _put(f"WRONG: {error}")
        return 1
    finally:
        faulthandler.cancel_dump_traceback_later()
        for title, counted in (("Happened", soak.found), ("Faults", soak.faults.begun)):
            _put(f"{title}: " + "; ".join(f"{count} {what}" for what, count in sorted(counted.items())))
    wrong = grown(known)
    _put(wrong or "Flat.")
    return 1 if wrong else 0


def grown(known: Sequence[After]) -> str:
    """Return a sentence on resources that have grown from game to game; empty if none have."""
    memory_mb = [each.memory_mb for each in known[_FILLED:]]
    more_mb = 0.0 if len(memory_mb) < _JUDGED else median(_last(memory_mb)) - median(_first(memory_mb))
    if more_mb > _FLAT_MB:
        return f"WRONG: memory has grown by {more_mb:.0f} MB from the first third of the games to the last"
    loaded = known[_LOADED:]
    if len(loaded) < _JUDGED:
        return ""
    first, last = _first(loaded), _last(loaded)
    if min(each.threads for each in last) > max(each.threads for each in first):
        return f"WRONG: there are {last[-1].threads} threads, and there were {first[0].threads}"
    if min(each.descriptors for each in last) > max(each.descriptors for each in first):
        return f"WRONG: {last[-1].descriptors} descriptors are open, and there were {first[0].descriptors}"
    return ""


def _first(known: Sequence[T]) -> Sequence[T]:
    """Return the first third of a sequence."""
    return known[: len(known) // 3]


def _last(known: Sequence[T]) -> Sequence[T]:
    """Return the last third of a sequence."""
    return known[-(len(known) // 3) :]


def _put(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
