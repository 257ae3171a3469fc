#!/usr/bin/env python3
"""A substitute for systemctl without systemd, in a chroot or a container, for packaging/try-update.sh.

It starts and stops the service of /etc/systemd/system/quilt-companion.service as systemd would: as the unit's user, and
"start" returns once the program reports that it is ready (sd_notify(3)). All commands are logged in /run/systemctl.log.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

UNIT = Path("/etc/systemd/system/quilt-companion.service")
PID, LOG, SAID = Path("/run/standin.pid"), Path("/run/systemctl.log"), Path("/run/service.log")
READY_S = 90.0


def value(name: str) -> str:
    """Return the value of a key of the unit, or "" if it has none."""
    found = re.search(rf"^{name}=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


def stop() -> None:
    """Stop the service if it is running: SIGTERM, then SIGKILL after 20 seconds."""
    if not PID.exists():
        return
    pid = int(PID.read_text(encoding="ascii"))
    PID.unlink()
    try:
        os.killpg(pid, signal.SIGTERM)
        for _ in range(200):
            os.kill(pid, 0)
            time.sleep(0.1)
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def start() -> int:
    """Start the service and return 0 once it is ready, or 1 if it ends or is not ready within `READY_S`."""
    name = "/run/standin.notify"
    Path(name).unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(name)
        Path(name).chmod(0o666)  # The service's user writes to it.
        notify.settimeout(0.2)
        user = value("User")
        command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", *shlex.split(value("ExecStart"))]
        with SAID.open("a", encoding="utf-8") as said:
            program = subprocess.Popen(  # the unit's own command
                command,
                stdout=said,
                stderr=said,
                cwd=value("WorkingDirectory"),
                env={"PATH": "/usr/bin:/bin", "HOME": value("WorkingDirectory"), "NOTIFY_SOCKET": name},
                start_new_session=True,
            )
        PID.write_text(str(program.pid), encoding="ascii")
        until_s = time.monotonic() + READY_S
        while time.monotonic() < until_s and program.poll() is None:
            try:
                if b"READY=1" in notify.recv(4096).split(b"\n"):
                    return 0
            except TimeoutError:
                continue
    stop()
    print("Job for quilt-companion.service failed because the control process exited with error code.", file=sys.stderr)
    return 1


def main() -> int:
    """Run a systemctl command and return its exit code."""
    with LOG.open("a", encoding="utf-8") as log:
        log.write(" ".join(sys.argv[1:]) + "\n")
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    if words[:1] == ["enable"]:
        wanted = UNIT.parent / "multi-user.target.wants" / UNIT.name
        wanted.parent.mkdir(parents=True, exist_ok=True)
        if not wanted.is_symlink():
            wanted.symlink_to(UNIT)
    if words[:1] in (["stop"], ["restart"]):
        stop()
    return start() if words[:1] in (["start"], ["restart"]) else 0


if __name__ == "__main__":
    sys.exit(main())
