"""Does watching the circle help? Evenings with an unknown circle, with and without it.

Run by hand: `python -m bench.circle.watching [--evenings N] [--seed N] [--hard]`; prints how often people were asked
which of two equal shapes it is, and what was read wrongly.
"""

from __future__ import annotations

import argparse
from collections import Counter

from bench.circle.company import Knowing
from bench.circle.twins import purchases
from bench.reading.evenings import play_session
from bench.stresses import STRESSES
from hardware.simulated.conditions import normal

_ROWS = (Knowing.UNKNOWN, Knowing.WATCHED, Knowing.SEEN, Knowing.DEALT)
# The reader's lead below which players are asked.
_LEAD = 2.0
_HARD = ("dim", "defocus", "jpeg", "nudge-camera", "hard-shadow")


def main() -> None:
    """Play the evenings and print a row for each way of knowing the circle."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hard", action="store_true", help="under the hardest steps of some stresses")
    parser.add_argument("--twins", type=int, default=0, metavar="N", help="instead, buy the six twins at N tables")
    args = parser.parse_args()
    if args.twins:
        _twins(args)
        return
    print(f"{'circle':<10}{'evenings':>9}{'moves':>7}{'twins asked':>13}{'silent':>8}{'undeserved':>12}{'read ms':>9}")
    for knowing in _ROWS:
        _row(knowing, args)


def _twins(args: argparse.Namespace) -> None:
    """Count the twins that would be asked about or mistaken, by the label alone and with the circle."""
    told = [
        each
        for number in range(args.twins)
        for each in purchases(args.seed + number, STRESSES[_HARD[number % len(_HARD)]][-1] if args.hard else normal())
    ]
    print(f"{'evidence':<22}{'purchases':>10}{'asked':>7}{'wrong':>7}{'least lead':>12}")
    apart = [each for each in told if each.distinguished]
    for name, leads in (
        ("label", [each.by_label for each in told]),
        ("label and circle", [each.by_label + each.by_circle for each in told]),
        ("circle", [each.by_circle for each in told]),
        ("circle, told apart", [each.by_circle for each in apart]),
    ):
        asked, wrong = sum(abs(lead) < _LEAD for lead in leads), sum(lead <= -_LEAD for lead in leads)
        print(f"{name:<22}{len(leads):>10}{asked:>7}{wrong:>7}{min(leads, default=0.0):>12.1f}")


def _row(knowing: Knowing, args: argparse.Namespace) -> None:
    total, said = Counter[str](), Counter[str]()
    spent_ms, looks = 0.0, 0
    for number in range(args.evenings):
        conditions = STRESSES[_HARD[number % len(_HARD)]][-1] if args.hard else normal()
        judged = play_session(args.seed + 1000 * number, conditions, knowing=knowing)
        total.update(
            moves=judged.decisions, asked=judged.twins_asked, silent=judged.silent, undeserved=judged.undeserved
        )
        spent_ms, looks = spent_ms + sum(judged.read_ms), looks + len(judged.read_ms)
        said.update(sentence for sentence in judged.said if "circle" in sentence)
    print(
        f"{knowing:<10}{args.evenings:>9}{total['moves']:>7}{total['asked']:>13}{total['silent']:>8}"
        f"{total['undeserved']:>12}{spent_ms / max(1, looks):>9.1f}",
        flush=True,
    )
    for sentence, count in said.items():
        print(f"    {count} x {sentence}", flush=True)


if __name__ == "__main__":
    main()
