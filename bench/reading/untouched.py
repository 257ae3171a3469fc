"""Recorded evenings without a touch: every decision from pictures alone, advances from where the markers stand.

    python -m bench.reading.untouched RECORDING.truth.json …

Each recording is played again hands-free with its time board: whether the board was found; decisions, and whether all
are those that were really made; those that were announced and taken without a press, advances by themselves; presses
that were needed still; announcements that lapsed; questions; complaints; what was said of markers, whose players make
no mistakes with them; CPU seconds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.config import Config
from companion.games.patchwork.decisions import Advance, decision_from_json
from companion.patchwork.replaying import replay_recording
from companion.patchwork.timeboard import MarkerStatus
from companion.play import events

if TYPE_CHECKING:
    from companion.games.patchwork.decisions import Decision
    from companion.patchwork.codec import Event

_TRUTH: Final = ".truth.json"
_COLUMNS: Final = (
    "decisions",
    "right",
    "untouched",
    "advances",
    "seen",
    "presses",
    "lapsed",
    "asked",
    "complaints",
    "hints",
    "CPU s",
)


@dataclass
class _Heard:
    """A listener that counts decisions taken without a press, and other events."""

    counts: Counter[str] = field(default_factory=Counter)
    foreseen: Decision | None = None

    def __call__(self, event: Event) -> None:
        match event:
            case events.DecisionForeseen(decision=decision):
                self.foreseen = decision
            case events.ForesightLapsed():
                self.foreseen = None
                self.counts["lapsed"] += 1
            case events.DecisionTaken(decision=decision):
                is_untouched, is_advance = decision == self.foreseen, isinstance(decision, Advance)
                self.counts["untouched"] += is_untouched
                self.counts["presses"] += not is_untouched
                self.counts["advances"] += is_advance
                self.counts["seen"] += is_advance and is_untouched
                self.foreseen = None
            case events.DecisionUndone():
                self.counts["presses"] += 1
            # No press steps through the options here.
            case events.Asked():
                self.counts["asked"] += 1
            case events.Complained():
                self.counts["complaints"] += 1
            case events.TableNoticed(about=MarkerStatus(space=int()), says=says):
                self.counts["hints"] += 1
                print(f"    {says}")
            case _:
                pass


def main() -> None:
    """Play the recordings again and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("truths", nargs="+", type=Path, metavar="TRUTH")
    args = parser.parse_args()
    print(f"{'':12}{''.join(f'{column:>11}' for column in _COLUMNS)}")
    total = Counter[str]()
    for truth in args.truths:
        row = _row(truth)
        total += row
        _print_row(truth.name.removesuffix(_TRUTH), row)
    _print_row("all", total)


def _row(truth: Path) -> Counter[str]:
    told = [decision_from_json(each) for each in json.loads(truth.read_text())["decisions"]]
    config, heard, began_s = Config(), _Heard(), time.process_time()
    config = replace(config, table=replace(config.table, time_board="followed"))
    folder = truth.with_name(truth.name.removesuffix(_TRUTH))
    played = replay_recording(folder, config, (heard,), hands_free=True)
    heard.counts["decisions"] = len(told)
    made = played.history.decisions
    heard.counts["right"] = sum(one == other for one, other in zip(made, told, strict=False))
    heard.counts["CPU s"] = round(time.process_time() - began_s)
    return heard.counts


def _print_row(name: str, row: Counter[str]) -> None:
    print(f"{name:12}{''.join(f'{row[column]:>11}' for column in _COLUMNS)}", flush=True)


if __name__ == "__main__":
    main()
