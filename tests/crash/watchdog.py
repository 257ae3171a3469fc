"""The service under a stand-in for systemd: if its frame loop hangs it is killed, the lights go off, and it resumes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2

from hardware.simulated.evening import SimulatedEvening
from tests.crash.announced import LostError
from tests.ending import with_parent
from tests.vendors.wled import wled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WATCHDOG_S: Final = 5.0
_START_S: Final = 120.0
_PICTURES: Final = 4
_PIXELS: Final = 60


class Ended(NamedTuple):
    """The result of a run of the service.

    Attributes:
        status: its exit status; negative for a signal.
        heard: its notifications to systemd.
        fed: the number of watchdog pings after its start.
        says: its output.
    """

    status: int
    heard: list[str]
    fed: int
    says: str


def hang(home: Path) -> Counter[str]:
    """Let a service's camera hang while reading a picture, and return the number of each outcome.

    Raises:
        LostError: the watchdog did not fire, the lights stayed on, or the game was not resumed.
    """
    pictures = home / "pictures"
    pictures.mkdir(parents=True)
    camera = SimulatedEvening(3).camera
    for number in range(_PICTURES):
        cv2.imwrite(str(pictures / f"{number}.jpg"), camera.capture().image)
    # Reading a pipe without a writer blocks forever, like a driver that hangs.
    os.mkfifo(pictures / "9.jpg")
    with wled(_PIXELS) as controller:
        config = home / "companion.toml"
        config.write_text(
            f'[camera]\ndriver = "folder"\npath = "{pictures}"\nfps = 10\n[controls]\ndriver = "none"\n'
            f'[strip]\ndriver = "wled"\nwled_host = "{controller.host}"\npixels = {_PIXELS}\n[page]\nenabled = false\n',
            encoding="utf-8",
        )
        first = _supervised(home, config)
        if first.status != -signal.SIGABRT or "READY=1" not in first.heard:
            raise LostError(f"the watchdog did not fire: {first}")
        # The same as the unit's ExecStopPost.
        off = subprocess.run(_command("lights-off", config), env=_environ(home), check=False)
        if off.returncode or controller.state.get("on") is not False:
            raise LostError(f"the lights are still on: {controller.state}")
        (pictures / "9.jpg").unlink()
        second = _supervised(home, config)
        if second.status or "STOPPING=1" not in second.heard or "Game 1" not in second.says or "Game 2" in second.says:
            raise LostError(f"it did not go on: {second}")
    return Counter({"hang ended by the watchdog, lights off, gone on with": 1})


def _command(name: str, config: Path, *more: str) -> Sequence[str]:
    return (sys.executable, "-m", "companion", name, "--config", str(config), *more)


def _environ(home: Path, **more: str) -> Mapping[str, str]:
    return {**os.environ, "HOME": str(home), "LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", **more}


def _supervised(home: Path, config: Path) -> Ended:
    """Run the service, and abort it as systemd does if it does not ping the watchdog in time."""
    heard: list[str] = []
    # A socket's path is limited to 107 bytes.
    with (
        tempfile.TemporaryDirectory() as place,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening,
        (home / "said").open("w+", encoding="utf-8") as said,
    ):
        listening.bind(str(Path(place) / "notify"))
        listening.settimeout(0.1)
        environ = _environ(home, NOTIFY_SOCKET=str(Path(place) / "notify"), WATCHDOG_USEC=str(round(_WATCHDOG_S * 1e6)))
        command = _command("serve", config, "--data", str(home / "data"))
        with subprocess.Popen(with_parent(command), env=environ, stdout=said, stderr=subprocess.STDOUT) as process:
            fed_s, is_ready, fed = time.monotonic(), False, 0
            while process.poll() is None:
                try:
                    heard.append(listening.recv(4096).decode())
                except TimeoutError:
                    # While a service starts or stops, systemd waits for it, and not for its watchdog.
                    is_fed = is_ready and "STOPPING=1" not in heard
                    if time.monotonic() - fed_s > (_WATCHDOG_S if is_fed else _START_S):
                        process.send_signal(signal.SIGABRT)
                        process.wait()
                    continue
                is_ready = is_ready or heard[-1] == "READY=1"
                fed += is_ready and heard[-1] == "WATCHDOG=1"
                if heard[-1] in ("READY=1", "WATCHDOG=1"):
                    fed_s = time.monotonic()
        said.seek(0)
        return Ended(process.returncode, heard, fed, said.read())
