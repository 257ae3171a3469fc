"""Whole evenings without a press: the markers on the time board tell the advances.

    python -m bench.reading.zero_touch [--evenings N] [--seed N] [--temper tidy|hasty|forgetful] [--buttons]

On the simulated table, with the time board between the quilts. For each evening: whether it came to its end, and with
the decisions that were really made; presses of any button; questions and complaints; times that a player left a marker
on a wrong space, those that were mended because of a hint, hints in all, and hints of a marker that stood right.
`--buttons`: with presses as usual, so that the time board gives hints alone.
"""

from __future__ import annotations

import argparse
import time
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

from calibration.locator import MatLocator
from calibration.mat import load_mat
from companion.games.patchwork import History
from companion.journal import MemoryJournal
from companion.patchwork.reading.foresight import DEFAULT_PAUSE_S, Foresight
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.watch import TableWatch
from companion.patchwork.simulated import PatchworkPeople
from companion.patchwork.table import PatchworkTable
from companion.patchwork.timeboard.advancing import AdvanceForesight
from companion.patchwork.timeboard.hints import MarkerHints
from companion.patchwork.timeboard.watching import TimeBoardWatch
from companion.patchwork.transcript import PatchworkTranscript
from companion.play.at_once import AtOnce
from companion.play.loop import TableParts
from companion.registry import codecs
from hardware.ports import EndOfFramesError
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.people.feedback import Noticed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.play.events import Event
    from hardware.ports import Button

MOST_FRAMES: Final = 4000
_BETWEEN_MM: Final = -100.0
"""The time board of a table on which it is in view lies nearer than this."""


@dataclass(slots=True)
class _Heard:
    """Announcements of an evening, and those of them that were wrong."""

    evening: SimulatedEvening
    history: History
    hints: int = 0
    false: list[str] = field(default_factory=list)
    presses: int = 0

    def say(self, sentence: str, about: object = None, /) -> None:
        """Take a sentence to the players."""
        del about
        if "belongs on" in sentence:
            self.hints += 1
            if self.evening.table.books.times == tuple(seat.time for seat in self.history.state.seats):
                self.false.append(sentence)
        self.evening.hear(Noticed())

    def count_presses(self) -> None:
        """Count the presses of the players from now on."""
        press = self.evening.controls.press

        def pressed(button: Button, seat: int | None = None) -> None:
            self.presses += 1
            press(button, seat)

        self.evening.controls.press = pressed  # type: ignore[method-assign]  # counted


def main() -> None:
    """Play the evenings and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--evenings", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--temper", default="tidy")
    parser.add_argument("--buttons", action="store_true")
    args = parser.parse_args()
    print(
        f"{'seed':>5}{'ended':>7}{'right':>7}{'moves':>7}{'frames':>8}{'presses':>9}{'asked':>7}{'complaints':>12}"
        f"{'left wrong':>12}{'mended':>8}{'hints':>7}{'false':>7}{'s':>7}"
    )
    for evening in islice(_evenings(args), args.evenings):
        _row(evening, hands_free=not args.buttons)


def _evenings(args: argparse.Namespace) -> Iterator[tuple[int, SimulatedEvening]]:
    """Yield evenings whose time board is in view."""
    seed = args.seed
    while True:
        tempers = (args.temper, args.temper)
        evening = SimulatedEvening(seed, tempers=tempers, hands_free=not args.buttons, markers=True)
        if evening.table.layout.time_board.y_mm > _BETWEEN_MM:
            yield seed, evening
        seed += 1


def _row(seeded: tuple[int, SimulatedEvening], *, hands_free: bool) -> None:
    (seed, evening), began = seeded, time.perf_counter()
    history, book = History(evening.setup), MemoryJournal(codecs())
    heard, transcript = _Heard(evening, history), PatchworkTranscript()
    watch = TableWatch(MatLocator(load_mat()))
    reader = Reader(watch)
    board = TimeBoardWatch(watch, history, AtOnce())
    hints = MarkerHints(board, history, heard.say)
    people = PatchworkPeople(evening)

    def hear(event: Event) -> None:
        transcript(event)
        hints(event)
        people.hear(event)

    parts = TableParts(
        camera=evening.camera,
        controls=evening.controls,
        book=book,
        game_id=book.new_game(evening.setup),
        history=history,
        listeners=(hear,),
        ticks=(board.tick, hints.tick),
    )
    table = PatchworkTable(
        parts,
        watch,
        reader,
        foresight=Foresight(watch, reader) if hands_free else None,
        advances=AdvanceForesight(board, watch, reader, DEFAULT_PAUSE_S, heard.say) if hands_free else None,
    )
    heard.count_presses()
    frames = 0
    with suppress(EndOfFramesError):
        while frames < MOST_FRAMES:
            table.step()
            frames += 1
    _print_row(seed, evening, history, heard, transcript, frames, time.perf_counter() - began)
    for sentence in heard.false:
        print(f"      {sentence}")


def _print_row(
    seed: int,
    evening: SimulatedEvening,
    history: History,
    heard: _Heard,
    transcript: PatchworkTranscript,
    frames: int,
    seconds: float,
) -> None:
    counts = evening.players.counts
    right = history.decisions == evening.players.decisions
    print(
        f"{seed:5}{history.state.finished!s:>7}{right!s:>7}{len(history.decisions):7}{frames:8}{heard.presses:9}"
        f"{len(transcript.questions):7}{len(transcript.complaints):12}{counts.markers_wrong:12}"
        f"{counts.markers_mended:8}{heard.hints:7}{len(heard.false):7}{seconds:7.0f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
