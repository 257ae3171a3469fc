from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STARTER = """
import subprocess, sys, time
from tests.ending import end_on_signals, with_parent
end_on_signals()
with subprocess.Popen(with_parent([sys.executable, "-c", "import time; time.sleep(600)"])) as process:
    print(process.pid, flush=True)
    time.sleep(600)
"""


def _is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _has_ended(pid: int) -> bool:
    """Wait until a process has ended; return False if it has not within a minute."""
    deadline_s = time.monotonic() + 60
    while _is_running(pid) and time.monotonic() < deadline_s:
        time.sleep(0.01)
    return not _is_running(pid)


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv of util-linux ends them")
@pytest.mark.parametrize("signum", [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_a_started_program_ends_with_its_starter_however_that_ends(signum: int) -> None:
    with subprocess.Popen([sys.executable, "-c", STARTER], stdout=subprocess.PIPE, cwd=ROOT) as starter:
        assert starter.stdout is not None
        started = int(starter.stdout.readline())
        assert _is_running(started)
        deadline_s = time.monotonic() + 60
        # Only once setpriv has become the program does the kernel end it with its starter. Until setpriv has begun, the
        # command line is empty.
        program, command = os.fsencode(sys.executable), Path(f"/proc/{started}/cmdline")
        while not command.read_bytes().startswith(program) and time.monotonic() < deadline_s:
            time.sleep(0.01)
        starter.send_signal(signum)
        is_left = not _has_ended(started)
        starter.kill()
    assert not is_left


EVENING = f"""#!{sys.executable}
import os, sys, time
sys.path.insert(0, os.getcwd())
from tests.ending import end_on_signals
end_on_signals()
print(os.getpid(), flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv of util-linux ends them")
@pytest.mark.parametrize("signum", [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_a_club_s_evening_ends_with_make_though_only_that_is_told(tmp_path: Path, signum: int) -> None:
    program = tmp_path / "python"
    program.write_text(EVENING)
    program.chmod(0o755)
    # The suite may run under nohup.
    command = ["env", "--default-signal=HUP", "make", "-s", "-o", "setup", "club", f"BIN={tmp_path}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT) as make:
        assert make.stdout is not None
        started = int(make.stdout.readline())
        assert _is_running(started)
        make.send_signal(signum)
        is_left = not _has_ended(started)
        if is_left:
            os.kill(started, signal.SIGKILL)
    assert not is_left


POOL = """
import time
from concurrent.futures import ProcessPoolExecutor
from os import getpid
from tests.ending import end_with_starter
if __name__ == "__main__":
    with ProcessPoolExecutor(1, initializer=end_with_starter) as pool:
        print(pool.submit(getpid).result(), flush=True)
        time.sleep(600)
"""


def test_a_process_of_a_pool_ends_with_its_starter_also_if_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", POOL], stdout=subprocess.PIPE, cwd=ROOT) as starter:
        assert starter.stdout is not None
        started = int(starter.stdout.readline())
        starter.kill()
    assert _has_ended(started)
