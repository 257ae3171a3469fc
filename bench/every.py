"""Run the benchmarks, keep their figures, and compare them with those of an earlier run.

    python -m bench.every [--json FILE] [--against FILE] [--long] [NAME ...]

Each prints its own baseline in the same run, for machines differ; a row is its label and its numbers, in the order of
its columns. With --against each number has its ratio to the earlier run's behind it, and what changed by more than a
fifth is listed at the end: figures of a busy machine differ by as much by themselves. --long adds what takes many
minutes.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from tests.ending import with_parent

HERE: Final = Path(__file__).parent
Rows: TypeAlias = "dict[str, list[float]]"
Run: TypeAlias = "dict[str, Rows]"
NOTED: Final = 1.2
_NUMBER: Final = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w)")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark.

    Attributes:
        name: its name on the command line.
        line: its module or script, and its arguments.
        tells: a description of what it measures.
        is_long: whether it takes many minutes.
    """

    name: str
    line: tuple[str, ...]
    tells: str
    is_long: bool = False


BENCHMARKS: Final = (
    Benchmark("rules", ("costs/rules.py",), "games a second, beside a plain set of rules"),
    Benchmark("startup", ("costs/startup.py",), "seconds of processor of a command, beside Python alone"),
    Benchmark("table", ("costs/at_rest.py", "--seconds", "10", "--looks", "1"), "memory and start at a real table"),
    Benchmark("phone", ("-m", "bench.costs.phone"), "a phone as the camera, beside a webcam"),
    Benchmark("parts", ("costs/parts.py",), "what each part of the program adds to memory and start"),
    Benchmark("ways", ("costs/ways.py",), "files that a frame, a press, an entry, a photograph and a sheet enter"),
    Benchmark("journal", ("costs/journal.py", "--decisions"), "what a decision on the disk costs"),
    Benchmark("render", ("-m", "bench.costs.render", "--frames", "30"), "pictures a second, beside noise and JPEG"),
    Benchmark("connections", ("page/connections.py",), "answers while others hold connections"),
    Benchmark("pace", ("-m", "bench.page.pace", "--minutes", "0.5"), "frames while others hold connections"),
    Benchmark("pages", ("page/presses.py", "--presses", "5"), "from a press to every open page"),
    Benchmark("spectators", ("-m", "bench.page.spectators"), "a press while spectators ask for what is costly"),
    Benchmark("memory", ("page/memory.py", "--games", "20"), "memory over games with pages open"),
    Benchmark("waiting", ("club/waiting.py", "--games", "2"), "a decision while its broker is there, hangs or is gone"),
    Benchmark("club", ("club/scale.py",), "200 tables on one broker and hall", is_long=True),
    Benchmark("kvilt-rules", ("kvilt/rules.py",), "Kvilt's rules", is_long=True),
    Benchmark("robot", ("-m", "bench.robot"), "the robot against references", is_long=True),
    Benchmark(
        "robot-levels", ("-m", "bench.robot", "--levels"), "the robot's levels against one another", is_long=True
    ),
    Benchmark("reading", ("-m", "bench.reading"), "how well quilts are read", is_long=True),
    Benchmark("photographs", ("-m", "bench.reading.photographs"), "how well photographs are read", is_long=True),
    Benchmark("market", ("-m", "bench.circle.market"), "how well circles are read", is_long=True),
    Benchmark(
        "order", ("-m", "bench.circle.order", "--circles", "20"), "how often the circle's order is right or doubted"
    ),
    Benchmark("circle", ("-m", "bench.circle.in_play", "--evenings", "1"), "the circle during play", is_long=True),
)


def rows_of(output: str) -> Rows:
    """Return the rows of a benchmark's table: a label, two spaces or a colon, and numbers; other lines are ignored."""
    rows: Rows = {}
    for line in output.splitlines():
        label, _, rest = re.sub(r"\s{2,}|:\s+(?=-?\d)", "\t", line.strip(), count=1).partition("\t")
        numbers = [float(each) for each in _NUMBER.findall(rest)]
        if label and numbers:
            rows[label] = numbers
    return rows


def measured(benchmark: Benchmark) -> Rows:
    """Run a benchmark, print its output, and return its rows.

    Raises:
        SystemExit: it failed.
    """
    first, *rest = benchmark.line
    line = [sys.executable, first, *rest] if first == "-m" else [sys.executable, str(HERE / first), *rest]
    began_s = time.perf_counter()
    print(f"== {benchmark.name}: {benchmark.tells}", flush=True)
    ran = subprocess.run(with_parent(line), cwd=HERE.parent, capture_output=True, text=True, check=False)  # noqa: S603
    if ran.returncode:
        raise SystemExit(f"{benchmark.name} failed:\n{ran.stdout}{ran.stderr}")
    print(f"{ran.stdout.rstrip()}\n   ({time.perf_counter() - began_s:.0f} s)\n", flush=True)
    return rows_of(ran.stdout)


def ratios(now: Run, then: Run) -> list[tuple[str, str, int, float, float]]:
    """Return the numbers in both runs, as benchmark, row, column from 1, now, then."""
    return [
        (name, label, column, new, old)
        for name, rows in now.items()
        for label, numbers in rows.items()
        for column, (new, old) in enumerate(zip(numbers, then.get(name, {}).get(label, ()), strict=False), start=1)
    ]


def compared(now: Run, then: Run) -> str:
    """Return the table of ratios, and the list of larger changes."""
    lines, changed = [f"{'':44} {'column':>6} {'now':>12} {'then':>12} {'ratio':>7}"], []
    for name, label, column, new, old in ratios(now, then):
        ratio = new / old if old else float("inf") if new else 1.0
        told = f"{f'{name}: {label}'[:44]:44} {column:>6} {new:>12g} {old:>12g} {ratio:>7.2f}"
        lines.append(told)
        if not 1 / NOTED <= ratio <= NOTED:
            changed.append(told)
    return "\n".join([*lines, "", f"changed by more than {NOTED - 1:.0%}: {len(changed)}", *changed])


def main() -> None:
    """Run the benchmarks, save their numbers, and compare them with an earlier run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(each.name for each in BENCHMARKS))
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--against", type=Path, metavar="FILE")
    parser.add_argument("--long", action="store_true")
    args = parser.parse_args()
    unknown = set(args.names) - {each.name for each in BENCHMARKS}
    if unknown:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    then: Run = {} if args.against is None else json.loads(args.against.read_text(encoding="utf-8"))["figures"]
    usual = {each.name for each in BENCHMARKS if args.long or not each.is_long}
    chosen = [each for each in BENCHMARKS if each.name in (args.names or usual)]
    now = {each.name: measured(each) for each in chosen}
    if args.json is not None:
        told = {"machine": platform.machine(), "python": platform.python_version(), "figures": now}
        args.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    if then:
        print(compared(now, then))


if __name__ == "__main__":
    main()
