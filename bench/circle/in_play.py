"""The circle during play: patches that have gone, were pushed about, and the neutral token.

    python -m bench.circle.in_play RECORDING.truth.json …     # other tables: what lies there, what has gone?
    python -m bench.circle.in_play --evenings N [--seed N] [--table NAME]    # players who push patches about

On a recording every frame that its truth calls settled is looked at, as after any change on the table: patches that lie
there and have gone, each told rightly, not told, and told wrongly; those that were taken and found elsewhere, which
must not be; purchases of patches that have a twin in the box, and how many of those the circle tells apart; hints that
would be given to people who made no mistake; the CPU time of a look.

At the simulated table players forget the neutral token and push patches about: how often, how often a hint told of it,
hints that nothing was behind, and at how many rests the token was seen in its place, elsewhere than it stood, or not.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from bench.circle.company import Knowing, company_of
from calibration.locator import MatLocator
from calibration.mat import load_mat
from companion.games.patchwork.components import twins_of
from companion.games.patchwork.decisions import TakePatch, decision_from_json
from companion.games.patchwork.rules import History
from companion.journal import MemoryJournal
from companion.patchwork.circle.canvas import START
from companion.patchwork.circle.evidence import circle_of
from companion.patchwork.circle.hints import CircleFault, CircleFaultStatus, CircleHints
from companion.patchwork.circle.seeing import see_market
from companion.patchwork.codec import PatchworkTranscript
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver
from companion.patchwork.reading.reader import Reader
from companion.patchwork.recording import read_head
from companion.patchwork.simulated import PatchworkPeople
from companion.patchwork.table import PatchworkTable
from companion.patchwork.watching.watch import TableWatch
from companion.play.loop import TableParts
from companion.registry import codecs
from hardware.ports import EndOfFramesError, Frame
from hardware.simulated.conditions import TABLES
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.people.gestures import Noticed, Pace
from vision.table.plane import PlacedPicture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.patchwork.circle.seen import SeenMarket
    from companion.patchwork.circle.watch import CircleWatch
    from companion.play.events import Event

_TRUTH: Final = ".truth.json"
# The reader's lead below which players are asked.
_LEAD: Final = 2.0
# The players' thinking time, long enough for hints.
_THINK_S: Final = 16.0
_MOST_FRAMES: Final = 9000
_FPS: Final = 3.0


def main() -> None:
    """Measure, and print a row for each recording or evening."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("recordings", nargs="*", type=Path, metavar="RECORDING")
    parser.add_argument("--evenings", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--frames", type=int, default=_MOST_FRAMES, help="of an evening, at most")
    parser.add_argument("--table", default="evening", choices=sorted(TABLES))
    args = parser.parse_args()
    if args.recordings:
        _print_recordings(args.recordings)
    if args.evenings:
        _print_evenings(args)


# ------------------------------------------------------------------ recordings


def _print_recordings(recordings: list[Path]) -> None:
    print(
        f"{'recording':12}{'seen':>5}{'frames':>7} | {'lie':>6}{'seen':>6}{'wrong':>6} | {'gone':>6}{'seen':>6}"
        f"{'wrong':>6}{'found':>6} | {'twins':>6}{'told':>6}{'wrong':>6} | {'hints':>6} | {'ms':>5}"
    )
    total = Counter[str]()
    for recording in recordings:
        row = _recording(recording)
        _print_row(recording.name.removesuffix(_TRUTH), row)
        total += row
    _print_row("all", total)


def _print_row(name: str, row: Counter[str]) -> None:
    look_ms = row["us"] / 1e3 / max(1, row["looks"])
    print(
        f"{name:12}{row['pieces']:>5}{row['frames']:>7} | {row['lie']:>6}{row['lie seen']:>6}{row['lie wrong']:>6} | "
        f"{row['gone']:>6}{row['gone seen']:>6}{row['gone wrong']:>6}{row['found']:>6} | {row['twins']:>6}"
        f"{row['twins told']:>6}{row['twins wrong']:>6} | {row['hints']:>6} | {look_ms:5.0f}",
        flush=True,
    )


def _recording(truth: Path) -> Counter[str]:
    """Return the counts of one recording."""
    told, row = json.loads(truth.read_text()), Counter[str]()
    frames = _settled(truth, told)
    first = next(frames)
    seen = see_market(first.scene.image, list(first.scene.boards.values()))
    circle = circle_of(seen, first.scene)
    if circle is None:
        return row
    row["pieces"] = sum(piece.sure and piece.whole for piece in seen.pieces)
    history = History(read_head(_folder(truth)).setup)
    hints = _Hints(circle, history)
    decisions = [decision_from_json(each) for each in told["decisions"]]
    for shown in frames:
        while len(history.decisions) < shown.after:
            decision = decisions[len(history.decisions)]
            if isinstance(decision, TakePatch):
                _count_twins(row, circle, history, decision.patch, shown.scene)
                # A patch taken from beyond the three would be hinted at, too.
                row["hints"] += circle.record_taken(decision.patch, shown.scene).is_beyond
            else:
                circle.record_pass()
            history.apply(decision)
        row["frames"] += 1
        began = time.process_time()
        moved, looks = _followed(circle, shown.scene)
        row["us"] += round(1e6 * (time.process_time() - began))
        row["looks"] += looks
        _count_pieces(row, circle, seen, history, shown.scene)
        row["found"] += len(moved)
        row["hints"] += hints.after_a_while(shown.t_s, moved)
    return row


@dataclass(frozen=True, slots=True)
class _Shown:
    """A settled frame of a recording: the table, its time, and the number of decisions made."""

    scene: PlacedPicture
    t_s: float
    after: int


def _settled(truth: Path, told: dict[str, Any]) -> Iterator[_Shown]:
    """Yield the settled frames with both boards in view, once the empty boards are known."""
    folder, watch = _folder(truth), TableWatch(read_head(_folder(truth)).locator())
    for frame in told["frames"]:
        image = cv2.imread(str(folder / "frames" / frame["frame"]), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(folder / "frames" / frame["frame"])
        picture = np.asarray(image, np.uint8)
        watch.see(Frame(picture, frame["t"], frame["frame"]))
        if frame["settled"] and watch.ready and len(watch.places) == 2:
            yield _Shown(PlacedPicture(picture, dict(watch.places)), frame["t"], frame["after"])


def _followed(circle: CircleWatch, scene: PlacedPicture) -> tuple[dict[int, float], int]:
    """Look at the circle until every piece was searched; return the moved pieces, and the number of looks."""
    circle.restart()
    step, looks = circle.follow(scene), 1
    moved = dict(step.moved)
    while not step.is_done:
        step, looks = circle.follow(scene), looks + 1
        moved.update(step.moved)
    return moved, looks


def _count_pieces(
    row: Counter[str], circle: CircleWatch, seen: SeenMarket, history: History, scene: PlacedPicture
) -> None:
    """Count the verdicts on each piece with a sure name, by whether it truly is still there or gone."""
    taken = {decision.patch for decision in history.decisions if isinstance(decision, TakePatch)}
    for number, ratio in circle.gone_ratios(scene).items():
        piece = seen.pieces[number]
        if piece.patch is None or not piece.sure:
            continue
        what = "gone" if piece.patch in taken else "lie"
        row[what] += 1
        row[f"{what} seen"] += ratio >= _LEAD if what == "gone" else ratio <= -_LEAD
        row[f"{what} wrong"] += ratio <= -_LEAD if what == "gone" else ratio >= _LEAD


def _count_twins(row: Counter[str], circle: CircleWatch, history: History, patch: str, scene: PlacedPicture) -> None:
    """Count a purchase of a patch whose twin is still in the box."""
    twins = [twin for twin in twins_of(patch) if twin in history.state.box]
    if twins:
        likely = circle.likelihoods((patch, *twins), scene)
        lead = float(likely[0] - likely[1:].max())
        row.update({"twins": 1, "twins told": int(lead >= _LEAD), "twins wrong": int(lead <= -_LEAD)})


class _Hints:
    """The hints that a recording's players would get if the table stayed unchanged for long."""

    def __init__(self, circle: CircleWatch, history: History) -> None:
        self._rest = SimpleNamespace(is_seen=True, moved={})
        self._said: list[str] = []
        play = SimpleNamespace(circle=circle)
        self._hints = CircleHints(play, self._rest, history, self._say)  # type: ignore[arg-type]

    def _say(self, sentence: str, about: CircleFaultStatus) -> None:
        del about
        self._said.append(sentence)
        print(f"    {sentence}")

    def after_a_while(self, t_s: float, moved: dict[int, float]) -> int:
        """Return the number of hints given."""
        before = len(self._said)
        self._rest.moved = moved
        for later_s in (0.0, 20.0, 40.0):
            self._rest.is_seen = True
            self._hints.tick(1e3 * t_s + later_s)
        self._rest.is_seen = False
        self._hints.tick(1e3 * t_s + 50)
        return len(self._said) - before


def _folder(truth: Path) -> Path:
    return truth.with_name(truth.name.removesuffix(_TRUTH))


# ------------------------------------------------------------------ the simulated table


@dataclass(slots=True)
class _Heard:
    """The hints of an evening, and the false ones."""

    evening: SimulatedEvening
    hints: Counter[str] = field(default_factory=Counter)
    false: list[str] = field(default_factory=list)

    def say(self, sentence: str, about: object = None, /) -> None:
        """Receive a sentence for the players."""
        habits = self.evening.players.circle_habits
        if isinstance(about, CircleFaultStatus) and about.wrong is not None and habits is not None:
            is_token = about.fault is CircleFault.TOKEN
            self.hints["token" if is_token else "circle"] += 1
            is_wrong = habits.is_token_wrong if is_token else habits.is_pushed
            if not is_wrong:
                self.false.append(sentence)
        self.evening.on_feedback(Noticed())


def _print_evenings(args: argparse.Namespace) -> None:
    print(
        f"{'seed':>5}{'ended':>7}{'right':>7}{'moves':>7}{'asked':>6} | {'slips':>6}{'mended':>7} | {'token':>6}"
        f"{'circle':>7}{'false':>6} | {'rests':>6}{'right':>6}{'wrong':>6}{'unseen':>7} | {'s':>5}"
    )
    for number in range(args.evenings):
        _evening(args.seed + number, args.table, args.frames)


def _evening(seed: int, table_name: str, frames: int) -> None:
    began = time.process_time()
    pace = replace(Pace.natural(_FPS), think_s=_THINK_S)
    tempers = ("forgetful", "forgetful")
    evening = SimulatedEvening(seed, TABLES[table_name], tempers, fps=_FPS, circle=True, pace=pace)
    history, book = History(replace(evening.setup, market=None)), MemoryJournal(codecs())
    number = book.new_game(history.setup)
    heard, transcript, people = _Heard(evening), PatchworkTranscript(), PatchworkPeople(evening)
    watch = TableWatch(MatLocator(load_mat()))
    observer = QuiltObserver(QuiltComparer(watch))
    reader = Reader(observer)
    company = company_of(Knowing.SEEN, watch, reader, history, book, number, heard.say)
    rests = Counter[str]()

    def look(now_s: float) -> None:
        del now_s
        circle = None if company.play is None else company.play.circle
        if circle is not None and company.rest is not None and company.rest.is_seen:
            rests[_judged(circle, evening)] += 1

    def handle(event: Event) -> None:
        transcript(event)
        people.on_event(event)

    parts = TableParts(
        camera=evening.camera,
        controls=evening.controls,
        book=book,
        game_id=number,
        history=history,
        listeners=(*company.listeners, handle),
        ticks=(*company.ticks, look),
    )
    table = PatchworkTable(parts, watch, observer, reader)
    with suppress(EndOfFramesError):
        for _ in range(frames):
            table.step()
    counts, right = evening.players.counts, history.decisions == evening.players.decisions
    asked = sum(question["asks"] == "which-patch" for question in transcript.questions)
    print(
        f"{seed:5}{history.state.finished!s:>7}{right!s:>7}{len(history.decisions):7}{asked:6} | "
        f"{counts.circle_wrong:6}{counts.circle_mended:7} | {heard.hints['token']:6}{heard.hints['circle']:7}"
        f"{len(heard.false):6} | {rests.total():6}{rests['right']:6}{rests['wrong']:6}{rests['unseen']:7} | "
        f"{time.process_time() - began:5.0f}",
        flush=True,
    )
    for sentence in heard.false:
        print(f"      {sentence}")


def _judged(circle: CircleWatch, evening: SimulatedEvening) -> str:
    """Return whether the neutral token is seen in its true place: "right", "wrong" or "unseen"."""
    if circle.pawn_at is None:
        return "unseen"
    market, first = evening.table.market, evening.table.books.first
    left = market[-1] if circle.pawn_at == START else circle.holds(circle.pawn_at)
    if left is None or first is None:
        return "unseen"
    after = market.index(left) + 1
    behind = [patch for patch in (*market[after:], *market[:after]) if patch in evening.table.circle or patch == first]
    return "right" if behind[0] == first else "wrong"


if __name__ == "__main__":
    main()
