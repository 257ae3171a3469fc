"""Runs of the real program under the recorder: complete, or killed after some time or at one of its steps."""

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
from tests.ending import with_parent

SOURCE: Final = Path(__file__).with_name("recorder.c")


class Run(NamedTuple):
    """The result of a run.

    Attributes:
        status: its exit status; negative for a signal.
        steps: its steps: changes of its folder's files, and output.
        says: its output on standard error.
    """

    status: int
    steps: list[Step]
    says: str

    @property
    def was_killed(self) -> bool:
        """Whether it was killed."""
        return self.status == -signal.SIGKILL

    @property
    def lines(self) -> list[str]:
        """The complete lines that it printed."""
        return printed(self.steps)


@dataclass(frozen=True, slots=True)
class Program:
    """The program, with its own home folder.

    Attributes:
        home: an existing folder; its subfolder `data` is recorded.
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
            arguments: the command line.
            kill_at: the number of the step at which to kill it, from 1; 0 for none.
            torn: whether half of a write is done at that step.
            kill_after_s: the time from its first output to the kill, in seconds; None for no kill.
            module: the module to run.
            fault: the `errno` with which step `kill_at`, and each later one that writes, fails instead of a kill; 0 for
                none.
            once: whether only that step fails.
        """
        log = self.home / "steps"
        log.unlink(missing_ok=True)
        # The folders of the user who runs the tests must not be touched.
        environ = {**os.environ, "HOME": str(self.home), "QUILT_COMPANION_DATA": str(self.data)}
        environ.update({"LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"})
        environ |= {"LD_PRELOAD": str(self.recorder), "CRASH_ROOT": str(self.data), "CRASH_LOG": str(log)}
        environ |= {"CRASH_AT": str(kill_at), **({"CRASH_TORN": "1"} if torn else {})}
        environ |= {**({"CRASH_ERRNO": str(fault)} if fault else {}), **({"CRASH_ONCE": "1"} if once else {})}
        command = [sys.executable, "-m", module, *arguments]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            with_parent(command), stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, env=environ
        ) as process:
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
    """Compile the recorder into a folder, and return the library.

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
