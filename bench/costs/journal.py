"""Seconds that a journal takes with ten, a thousand and ten thousand games in it.

    .venv/bin/python bench/costs/journal.py [--games N ...] [--package PATH]

The games are one game of Patchwork that was played at random to its end, with other names now and then; the last one
is unfinished. Only their logs are written, so that `first opening` is the one that builds the index. --package names
another copy of the program to be measured on the same journals.
Each figure is the fastest of some rounds, in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5


def write_games(path: Path, count: int) -> None:
    """Write the logs of a journal, without an index."""
    from companion.games.patchwork.legal import legal_decisions  # noqa: PLC0415
    from companion.games.patchwork.rules import History  # noqa: PLC0415
    from companion.games.patchwork.state import Setup  # noqa: PLC0415
    from companion.journal.log import GameLog, Line, LineKind, line_text  # noqa: PLC0415
    from companion.patchwork.codec import PATCHWORK  # noqa: PLC0415

    history, rng = History(Setup()), random.Random(5)
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    texts = [line_text(PATCHWORK.decision_to_json(decision)) for decision in history.decisions]
    path.with_name("games").mkdir()
    for game in range(1, count + 1):
        began = f"2026-01-{game % 28 + 1:02}T19:00:00+00:00"
        header = PATCHWORK.setup_to_json(Setup(players=(f"Player {game % 12}", "Boris")))
        lines = [
            Line(LineKind.GAME, line_text(header), game, began),
            Line(LineKind.TABLE, line_text("table"), game, began),
            *(Line(LineKind.DECISION, text, game, began) for text in (texts if game < count else texts[:-1])),
        ]
        (path.with_name("games") / f"{game}.log").write_bytes(GameLog(game).encoded(lines))


def acts(path: Path) -> dict[str, Callable[[], object]]:
    """Return the operations to measure, by name."""
    from companion.journal import Journal  # noqa: PLC0415
    from companion.patchwork.codec import PATCHWORK  # noqa: PLC0415
    from companion.play.host import interrupted_game  # noqa: PLC0415
    from companion.registry import codecs, pages  # noqa: PLC0415
    from companion.web.archive import Archive  # noqa: PLC0415
    from companion.web.handlers.library import figures_of  # noqa: PLC0415

    kinds = pages()
    archive = Archive(path, kinds)
    site: Any = SimpleNamespace(archive=archive, games=kinds)

    def opened() -> None:
        Journal(path, codecs()).close()

    def resumed() -> None:
        with Journal(path, codecs()) as journal:
            game = interrupted_game(journal, "table", None)
            assert game is not None
            journal.setup(game.game_id, PATCHWORK)
            journal.decisions(game.game_id, PATCHWORK)

    def first_page() -> object:
        return archive.games_before(None, 50) if hasattr(archive, "games_before") else archive.games()

    def listed() -> object:
        with Journal(path, codecs(), read_only=True) as journal:
            return journal.games()

    def statistics_page() -> object:
        return figures_of(site, "patchwork")

    return {
        "open": opened,
        "resume": resumed,
        "first page": first_page,
        "one game": lambda: archive.game(3),
        "all games": listed,
        "names": archive.names,
        "statistics": statistics_page,
    }


def measure(path: Path) -> dict[str, float]:
    """Return the seconds of each operation, by name."""
    found, opened = {}, acts(path)["open"]
    begun = time.perf_counter()
    opened()
    found["first opening"] = time.perf_counter() - begun
    measured = acts(path)
    begun = time.perf_counter()
    measured["statistics"]()
    found["first statistics"] = time.perf_counter() - begun
    for name, act in measured.items():
        fastest = float("inf")
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            act()
            fastest = min(fastest, time.perf_counter() - begun)
            if fastest > 2:
                break
        found[name] = fastest
    return found


def decision_s() -> float:
    """Return the median seconds of storing a decision, over some complete games."""
    from companion.games.patchwork.legal import legal_decisions  # noqa: PLC0415
    from companion.games.patchwork.rules import History  # noqa: PLC0415
    from companion.games.patchwork.state import Setup  # noqa: PLC0415
    from companion.journal import Journal  # noqa: PLC0415
    from companion.registry import codecs  # noqa: PLC0415

    history, rng, taken = History(Setup()), random.Random(5), []
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "games.sqlite3", codecs()) as journal:
        for _ in range(ROUNDS):
            game_id = journal.new_game(Setup())
            for sequence, decision in enumerate(history.decisions, start=1):
                begun = time.perf_counter()
                journal.append(game_id, sequence, decision)
                taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def main() -> None:
    """Print a line for each operation and a column for each number of games."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, nargs="+", default=[10, 1000, 10_000])
    parser.add_argument("--package", type=Path, default=Path(__file__).parents[2])
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--decisions", action="store_true", help="measure what it takes to keep a decision instead")
    args = parser.parse_args()
    if args.decisions:
        sys.path.insert(0, str(args.package))
        print(f"median of a decision: {decision_s() * 1000:.2f} ms")
        return
    if args.measure:
        print(json.dumps(measure(args.measure)))
        return
    columns = []
    for count in args.games:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.sqlite3"
            write_games(path, count)
            command = [sys.executable, __file__, "--measure", str(path)]
            environment = {"PYTHONPATH": str(args.package), "PATH": ""}
            ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)  # noqa: S603
            columns.append(json.loads(ran.stdout))
    print(f"{'seconds':18}" + "".join(f"{count:>12}" for count in args.games))
    for name in columns[0]:
        print(f"{name:18}" + "".join(f"{column[name]:12.4f}" for column in columns))


if __name__ == "__main__":
    main()
