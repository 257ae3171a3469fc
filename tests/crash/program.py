"""The real program under the recorder: run to its end, killed at an instant, or killed at one of its steps."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from tests.crash.disk import Step, printed, steps_in

SOURCE: Final = Path(__file__).with_name("recorder.c")


class Run(NamedTuple):
    """What became of a program.

    Attributes:
        status: its exit status; negative for a signal.
        steps: what it did to the files of its folder, and what it printed.
        says: what it wrote to standard error.
    """

    status: int
    steps: list[Step]
    says: str

    @property
    def was_killed(self) -> bool:
        """Whether it did not come to its end."""
        return self.status == -signal.SIGKILL

    @property
    def lines(self) -> list[str]:
        """The whole lines that it printed."""
        return printed(self.steps)


@dataclass(frozen=True, slots=True)
class Program:
    """The program, with a home of its own.

    Attributes:
        home: a folder that is there; its `data` is recorded.
        recorder: the compiled `recorder.c`.
    """

    home: Path
    recorder: Path

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.home / "data"

    def run(
        self,
        *arguments: str,
        kill_at: int = 0,
        torn: bool = False,
        kill_after_s: float | None = None,
        module: str = "companion",
        fault: int = 0,
        once: bool = False,
    ) -> Run:
        """Run `companion`, or another module.

        Args:
            arguments: of the command line.
            kill_at: the number of the step at which it is killed, from 1; 0 for none.
            torn: whether half of a write is done at that step.
            kill_after_s: so long after it printed its first line it is killed, in seconds; None for never.
            module: what is run.
            fault: the number of the error (`errno`) with which step `kill_at`, and each after it that writes, fails
                instead; 0 for none.
            once: whether that step alone fails.
        """
        log = self.home / "steps"
        log.unlink(missing_ok=True)
        # Its own user's folders must not be touched.
        environ = {**os.environ, "HOME": str(self.home), "QUILT_COMPANION_DATA": str(self.data)}
        environ.update({"LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"})
        environ |= {"LD_PRELOAD": str(self.recorder), "CRASH_ROOT": str(self.data), "CRASH_LOG": str(log)}
        environ |= {"CRASH_AT": str(kill_at), **({"CRASH_TORN": "1"} if torn else {})}
        environ |= {**({"CRASH_ERRNO": str(fault)} if fault else {}), **({"CRASH_ONCE": "1"} if once else {})}
        command = [sys.executable, "-m", module, *arguments]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, env=environ) as process:
            if kill_after_s is not None:
                assert process.stdout is not None
                process.stdout.peek(1)  # type: ignore[attr-defined]  # A buffered reader has it.
                try:
                    process.wait(kill_after_s)
                except subprocess.TimeoutExpired:
                    process.kill()
            _, said = process.communicate()
        steps = list(steps_in(log.read_bytes())) if log.exists() else []
        says = said.decode(errors="replace")
        if "Traceback" in says:
            raise AssertionError(says)
        return Run(process.returncode, steps, says)


def compiled(folder: Path) -> Path:
    """Compile the recorder.

    Raises:
        SystemExit: there is no C compiler.
    """
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        raise SystemExit("the crash suite needs a C compiler: install gcc")
    library = folder / "recorder.so"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-lpthread"], check=True)
    return library


def play(game: str, seed: int, *more: str) -> tuple[str, ...]:
    """Return the command line of a simulated evening."""
    return ("play", "--game", game, "--simulate", "--autoplay", "--no-page", "--seed", str(seed), *more)
