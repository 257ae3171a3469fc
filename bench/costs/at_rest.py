"""Costs of the program at a real table at which nothing happens: memory, processor, seconds until the first picture.

    python bench/costs/at_rest.py [--seconds 30] [--fps 10] [--width 1280] [--looks 3] [--no-page]

`companion play` runs in a process of its own, with the driver of a webcam over pictures that were rendered before: both
boards empty, and the noise of a sensor. Only the capture itself is left out, which a Pi's camera does beside the
processor, so figures are those of the program, whatever the camera.

The first line of each run is the baseline: Python with NumPy and OpenCV, which does nothing.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.ending import with_parent

SIZE = (1536, 864)
PICTURES = 3
BASELINE = "NumPy and OpenCV alone"
BETWEEN_S = 5.0
"""The time between presses, enough for a look and its result."""
TICKS = os.sysconf("SC_CLK_TCK")
CONFIG = """
[camera]
driver = "webcam"
size = [{width}, {height}]
fps = {fps}
[controls]
driver = "none"
[strip]
driver = "none"
[page]
port = {port}
"""
NOTHING = "import os\nos.environ.setdefault('OPENBLAS_NUM_THREADS', '1')\nimport cv2, numpy, time\ntime.sleep(600)"


def render(path: Path) -> None:
    """Write raw BGR pictures of the simulated table before a game, one after the other."""
    from hardware.simulated.conditions import normal  # noqa: PLC0415 - not in the process that is measured
    from hardware.simulated.scene.table import SimulatedTable  # noqa: PLC0415

    table = SimulatedTable(1, normal())
    with path.open("wb") as file:
        for number in range(PICTURES):
            file.write(table.frame(number / 10).tobytes())


def play(pictures: Path, width: int, arguments: list[str]) -> int:
    """Run the program on those pictures, scaled to a width, in this process."""
    from companion.__main__ import main as companion  # noqa: PLC0415 - OpenCV comes after it, as for everybody

    import cv2  # noqa: PLC0415 # isort: skip
    import numpy as np  # noqa: PLC0415 # isort: skip

    import hardware.drivers.webcam  # noqa: PLC0415 # isort: skip

    taken = np.fromfile(pictures, np.uint8).reshape(-1, SIZE[1], SIZE[0], 3)
    size = (width, width * SIZE[1] // SIZE[0])
    shown = taken if size == SIZE else [cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in taken]
    del taken

    class Capture:
        """A stand-in for an OpenCV camera, at its frame rate."""

        def __init__(self, *_: object) -> None:
            self._told: dict[int, float] = {}
            self._taken = 0
            self._due_s = time.monotonic()

        def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
            return True

        def get(self, name: int) -> float:
            return self._told.get(name, -1.0)

        def set(self, name: int, value: float) -> bool:
            self._told[name] = value
            return True

        def grab(self) -> bool:
            frame_s = 1 / self._told.get(5, 10.0)
            now_s = time.monotonic()
            # The next picture of the camera; pictures not taken are dropped.
            while self._due_s <= now_s:
                self._due_s += frame_s
            time.sleep(self._due_s - now_s)
            # A different one each time, as a camera that repeats a picture counts as hung.
            self._taken += 1
            return True

        def retrieve(self) -> tuple[bool, object]:
            return True, shown[self._taken % len(shown)].copy()

        def release(self) -> None:
            pass

    hardware.drivers.webcam._opened = Capture  # type: ignore[assignment]
    return companion(arguments)


def status(pid: int, name: str) -> float:
    """Return a value of /proc/PID/status, in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1024


def busy_s(pid: int) -> float:
    """Return the CPU time of all threads of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def shown_mib(width: int) -> float:
    """Return the memory of the prepared pictures, which a program with a real camera does not hold."""
    return PICTURES * width * (width * SIZE[1] // SIZE[0]) * 3 / 2**20


def measured(pid: int, seconds: float, called: str, width: int = SIZE[0]) -> None:
    """Print a line on a process over some seconds, without the memory of the pictures it was given."""
    before, since_s = busy_s(pid), time.monotonic()
    time.sleep(seconds)
    share = (busy_s(pid) - before) / (time.monotonic() - since_s)
    own = 0.0 if called == BASELINE else shown_mib(width)
    print(
        f"{called:24} {status(pid, 'VmRSS') - own:6.0f} MiB resident ({status(pid, 'RssAnon') - own:.0f} its own), "
        f"{100 * share:5.1f} % of a core",
        flush=True,
    )


def main() -> int:
    """Measure, and print a line for each state."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--warm", type=float, default=15.0, help="before it is measured")
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument("--width", type=int, default=SIZE[0], help="of the pictures")
    parser.add_argument("--port", type=int, default=8472)
    parser.add_argument("--no-page", action="store_true")
    parser.add_argument("--looks", type=int, default=0, help="presses of confirm before it is measured again")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    args, rest = parser.parse_known_args()
    if args.child is not None:
        return play(args.child, args.width, rest)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pictures = folder / "pictures"
        render(pictures)
        idle = subprocess.Popen(with_parent([sys.executable, "-c", NOTHING]))  # noqa: S603
        time.sleep(3)
        measured(idle.pid, 2, BASELINE)
        idle.kill()
        idle.wait()
        _measure_program(args, folder, pictures)
    return 0


def _measure_program(args: argparse.Namespace, folder: Path, pictures: Path) -> None:
    config = folder / "config.toml"
    height = args.width * SIZE[1] // SIZE[0]
    text = CONFIG.format(width=args.width, height=height, fps=args.fps, port=args.port)
    config.write_text(text, encoding="utf-8")
    command = [sys.executable, __file__, "--child", str(pictures), "--width", str(args.width), "play"]
    command += ["--config", str(config), "--data", str(folder / "data"), "--new"]
    command += ["--no-page"] if args.no_page else []
    started_s = time.monotonic()
    log = (folder / "log").open("w+", encoding="utf-8")
    program = subprocess.Popen(with_parent(command), stdout=log, stderr=subprocess.STDOUT)  # noqa: S603
    try:
        if not args.no_page:
            _await_page(args.port)
            after_s = time.monotonic() - started_s
            print(f"page answers after       {after_s:6.2f} s, {busy_s(program.pid):.2f} s of them on the processor")
        time.sleep(args.warm)
        measured(program.pid, args.seconds, "at rest", args.width)
        if args.looks:
            before = busy_s(program.pid)
            _press_confirm(args.port, folder / "log", args.looks)
            look_s = (busy_s(program.pid) - before) / args.looks
            print(f"a look, and {BETWEEN_S:g} s after it {look_s:6.2f} s of processor")
            time.sleep(args.warm)
            measured(program.pid, args.seconds, "at rest after looks", args.width)
        print(f"at its most              {status(program.pid, 'VmHWM') - shown_mib(args.width):6.0f} MiB resident")
    finally:
        program.terminate()
        program.wait()
        log.seek(0)
        print(log.read()[-600:], file=sys.stderr)


def _press_confirm(port: int, log: Path, times: int) -> None:
    found = re.search(r"\?key=(\S+)", log.read_text(encoding="utf-8"))
    assert found is not None, "the page has told no key"
    told = {"Cookie": f"table_{port}={found[1]}", "Content-Type": "application/json"}
    for _ in range(times):
        url, body = f"http://localhost:{port}/api/press", b'{"button": "confirm"}'
        urllib.request.urlopen(urllib.request.Request(url, body, told)).read()
        time.sleep(BETWEEN_S)


def _await_page(port: int) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1).read()
        except OSError:
            time.sleep(0.05)
        else:
            return


if __name__ == "__main__":
    sys.exit(main())
