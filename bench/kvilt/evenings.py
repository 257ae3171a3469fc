"""Whole simulated evenings of Kvilt through the camera: are the sheets read as they were coloured?

    .venv/bin/python bench/kvilt/evenings.py [--games N] [--seed N] [--out FILE]

Two, three and four players, both variants, the companion's bag and a real one, and tidy, hasty and forgetful people go
round. After each game every seat's sheet, as it was last read, is held against the simulated one, mark by mark. Wrong
is a mark that was read otherwise than it is, asked a doubt that a person had to settle, and troubles are looks after
which the companion did not take the sheet as it was. Baseline: a mark read wrong without a question is one too many.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.compose.playing import SimulatedDevices
from companion.compose.playing import play as play_game
from companion.config import Config
from companion.games.kvilt.state import Setup, Variant
from companion.journal import MemoryJournal
from companion.kvilt.game import KVILT
from companion.kvilt.settings import KviltSettings
from companion.kvilt.sheets.files import load_sheet
from companion.play.host import NextGame
from companion.play.session import Participants, Simulation
from companion.registry import codecs

NAMES = ("Anna", "Boris", "Vera", "Grigori")
SETUPS = (
    Setup(load_sheet(), NAMES[:2]),
    Setup(load_sheet(), NAMES[:3]),
    Setup(load_sheet(), NAMES),
    Setup(load_sheet(), NAMES, variants=frozenset([Variant.KVILTOMANIA])),
    Setup(load_sheet(), NAMES[:2], variants=frozenset([Variant.ALL_COUNTED])),
)
TEMPERS = ("tidy", "hasty", "forgetful")


def play(number: int) -> dict[str, Any]:
    """Play one evening, and return its results as JSON."""
    began = time.process_time()
    setup, temper, real = SETUPS[number % len(SETUPS)], TEMPERS[number % len(TEMPERS)], number % 4 == 3
    bag, variants = "real" if real else "virtual", tuple(sorted(setup.variants))
    kvilt = replace(Config().of(KviltSettings), players=setup.players, variants=variants, bag=bag)
    sitting = NextGame(KVILT, Config().with_game(kvilt))
    devices = SimulatedDevices(Simulation(number, (temper,), fast=True))
    with TemporaryDirectory() as folder:
        played = play_game(sitting, devices, MemoryJournal(codecs()), Path(folder), Participants()).to_json()
    pairs = list(zip(played["table"], played["read"], strict=True))
    wrong = [
        f"seat {seat} {name}: {true.get(name)}, read {read.get(name)}"
        for seat, (true, read) in enumerate(pairs, start=1)
        for name in sorted(true.keys() | read.keys())
        if true.get(name) != read.get(name)
    ]
    return {
        "game": number, "seats": setup.seats, "variants": sorted(setup.variants), "temper": temper, "real_bag": real,
        "finished": played["finished"], "rounds": played["round"], "equal": played["equal"], "wrong": wrong,
        "marks": sum(map(len, played["table"])), "asked": len(played["questions"]),
        "troubles": [complaint["codes"] for complaint in played["complaints"]],
        "seconds": round(time.process_time() - began, 1),
    }  # fmt: skip


def line(name: str, games: list[dict[str, Any]]) -> str:
    """Return a line of the table."""
    marks, wrong = sum(it["marks"] for it in games), sum(len(it["wrong"]) for it in games)
    troubles = sum(len(it["troubles"]) for it in games)
    return (
        f"{name:<14}{len(games):>6}{sum(it['finished'] for it in games):>9}{sum(it['equal'] for it in games):>7}"
        f"{marks:>8}{wrong:>7}{sum(it['asked'] for it in games):>7}{troubles:>10}"
        f"{sum(it['seconds'] for it in games) / max(1, len(games)):>9.0f}"
    )


def report(games: list[dict[str, Any]]) -> str:
    """Return the table, and a list of all misread marks."""
    groups = {
        "all": games,
        **{temper: [it for it in games if it["temper"] == temper] for temper in TEMPERS},
        **{f"{seats} players": [it for it in games if it["seats"] == seats] for seats in (2, 3, 4)},
        "real bag": [it for it in games if it["real_bag"]],
    }
    lines = [f"{'':<14} games finished  equal   marks  wrong  asked  troubles  s a game"]
    lines += [line(name, group) for name, group in groups.items()]
    kinds = Counter("+".join(sorted(set(codes))) for it in games for codes in it["troubles"])
    lines += ["", "troubles: " + (", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) or "none")]
    return "\n".join([*lines, *(f"game {it['game']}: {wrong}" for it in games for wrong in it["wrong"])])


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10, help="evenings that are played (10)")
    parser.add_argument("--seed", type=int, default=1, help="the first one's number (1)")
    parser.add_argument("--out", type=Path, help="a file to which each evening is added as a line of JSON")
    args = parser.parse_args()
    games = []
    for number in range(args.seed, args.seed + args.games):
        games.append(play(number))
        if args.out is not None:
            with args.out.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(games[-1]) + "\n")
    print(report(games))


if __name__ == "__main__":
    main()
