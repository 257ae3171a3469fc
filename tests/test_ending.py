from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv of util-linux ends them")
@pytest.mark.parametrize("signum", [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_a_started_program_ends_with_its_starter_however_that_ends(signum: int) -> None:
    with subprocess.Popen([sys.executable, "-c", STARTER], stdout=subprocess.PIPE, cwd=os.getcwd()) as starter:  # noqa: PTH109
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
        while _is_running(started) and time.monotonic() < deadline_s:
            time.sleep(0.01)
        is_left = _is_running(started)
        starter.kill()
    assert not is_left


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv of util-linux ends them")
def test_a_club_s_evening_ends_with_make_also_if_that_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho $$\nexec sleep 600\n")
    program.chmod(0o755)
    command = ["make", "-s", "-o", "setup", "club", f"BIN={tmp_path}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1]) as make:
        assert make.stdout is not None
        started = int(make.stdout.readline())
        assert _is_running(started)
        make.kill()
        deadline_s = time.monotonic() + 60
        while _is_running(started) and time.monotonic() < deadline_s:
            time.sleep(0.01)
    is_left = _is_running(started)
    if is_left:
        os.kill(started, signal.SIGKILL)
    assert not is_left
