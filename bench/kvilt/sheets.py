"""Benchmark of reading coloured sheets of Kvilt: whole simulated games, coloured, photographed, and read again.

    .venv/bin/python -m bench.kvilt.sheets [--games N] [--seed N] [--lights NAME,...] [--styles NAME,...] [--careless]

Every seat's sheet at the end of every game is coloured in one style and photographed in one light; game by game both go
round, so that all pairs of them are met. A region is right when it is known for white, or its colour is; silent is one
that is wrong and not doubted, what the companion must never do. A question is a doubted region. `--careless` adds marks
that break the rules, by which nothing may be smoothed away.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.games.kvilt.sheet import Sheet
from companion.games.kvilt.state import Setup, Variant
from companion.kvilt.reading.finding import SheetPhotoError
from companion.kvilt.reading.reader import SheetReader, SheetReading
from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout_files import load_layout
from hardware.simulated.sheets.conditions import LIGHTS, STYLES
from hardware.simulated.sheets.sheet import SimulatedSheet
from tests.companion.games.kvilt.played import play_game

if TYPE_CHECKING:
    from collections.abc import Iterator

SETUPS = (
    Setup(load_sheet(), ("A", "B")),
    Setup(load_sheet(), ("A", "B", "C")),
    Setup(load_sheet(), tuple("ABCD")),
    Setup(load_sheet(), tuple("ABCD"), variants=frozenset([Variant.KVILTOMANIA])),
    Setup(load_sheet(), ("A", "B", "C"), variants=frozenset([Variant.ALL_COUNTED])),
)


@dataclass
class Tally:
    """Counts of regions read, asked about and misread on some sheets."""

    sheets: int = 0
    refused: int = 0
    whole: int = 0
    regions: int = 0
    wrong: int = 0
    silent: list[str] = field(default_factory=list)
    doubts: int = 0

    def add(self, true: dict[str, str], reading: SheetReading, where: str) -> None:
        """Add one sheet that was read."""
        wrong = [name for name, seen in reading.seen.items() if seen != true.get(name)]
        silent = [name for name in wrong if name not in reading.doubtful]
        self.sheets += 1
        self.whole += not wrong
        self.regions += len(reading.seen)
        self.wrong += len(wrong)
        self.doubts += len(reading.doubtful)
        self.silent += [f"{where} {name}: {true.get(name)}, read {reading.seen[name]}" for name in silent]

    def line(self, name: str) -> str:
        """Return a line of the table."""
        right = 100 * (1 - self.wrong / max(1, self.regions))
        asked = 100 * self.doubts / max(1, self.regions)
        return (
            f"{name:<14}{self.sheets:>7}{self.refused:>9}{self.whole:>8}{self.regions:>9}{right:>10.3f}"
            f"{self.wrong:>7}{len(self.silent):>8}{asked:>10.2f}"
        )


HEAD = f"{'':<14} sheets  refused   whole  regions   right %  wrong  silent   asked %"


def finished(sheet: Sheet, games: int, seed: int) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the game's number and the marks of each sheet of complete games."""
    for number in range(games):
        game = play_game(SETUPS[number % len(SETUPS)], random.Random(seed + number))
        for seat in range(1, game.setup.seats + 1):
            yield number, dict(game.state.seat(seat).marks.regions(sheet))


def careless(sheet: Sheet, marks: dict[str, str], rng: random.Random) -> dict[str, str]:
    """Return the marks with a few added, anywhere and in any colour, and a few missing."""
    readable = [name for name in sheet.regions() if name not in ("spool1.body", "spool2.body")]
    kept = {name: colour for name, colour in marks.items() if rng.random() > 0.04}
    return {**kept, **{name: rng.choice(sheet.colours) for name in rng.sample(readable, 4)}}


def main() -> None:
    """Play, colour, photograph, read, and print the tables."""
    args = _arguments()
    sheet = load_sheet()
    reader = SheetReader(sheet, load_layout())
    pairs = list(itertools.product(args.lights.split(","), args.styles.split(",")))
    random.Random(args.seed).shuffle(pairs)
    tallies: dict[str, Tally] = {name: Tally() for name in ("all", *args.lights.split(","), *args.styles.split(","))}
    began, rng = time.process_time(), random.Random(args.seed)
    for count, (number, marks) in enumerate(finished(sheet, args.games, args.seed)):
        light, style = pairs[count % len(pairs)]
        true = careless(sheet, marks, rng) if args.careless else marks
        simulated = SimulatedSheet(args.seed * 100_003 + count, STYLES[style])
        simulated.colour(true)
        image = simulated.photograph(LIGHTS[light])
        try:
            reading = reader.read(image)
        except SheetPhotoError:
            for name in ("all", light, style):
                tallies[name].refused += 1
            continue
        for name in ("all", light, style):
            tallies[name].add(true, reading, f"game {number} sheet {count} {light} {style}")
    print(f"{args.games} games, seed {args.seed}, {time.process_time() - began:.0f} s of one core\n\n{HEAD}")
    for name, tally in tallies.items():
        print(tally.line(name))
    print("\n".join(["", *tallies["all"].silent]))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="games that are played (20)")
    parser.add_argument("--seed", type=int, default=1, help="seed (1)")
    parser.add_argument("--lights", default=",".join(LIGHTS), help="of " + ", ".join(LIGHTS))
    parser.add_argument("--styles", default=",".join(STYLES), help="of " + ", ".join(STYLES))
    parser.add_argument("--careless", action="store_true", help="add marks that break the rules")
    return parser.parse_args()


if __name__ == "__main__":
    main()
