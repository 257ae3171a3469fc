"""Notifications to systemd: readiness, status, and watchdog.

They are datagrams to the socket that systemd names in the environment; see sd_notify(3).
"""

import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

# The number of pings per time-out; sd_watchdog_enabled(3) advises two, but a slow frame must not count as a hang.
_PINGS_A_DEADLINE: Final = 4


class Notifier:
    """The connection to the service manager; without one, all methods do nothing.

    Call `alive` from the loop that captures frames, never from a timer, so that it stops if the loop hangs.

    Args:
        environ: the environment, with NOTIFY_SOCKET and WATCHDOG_USEC if systemd started the program.
        clock: monotonic, in seconds.
    """

    def __init__(self, environ: Mapping[str, str], clock: Callable[[], float]) -> None:
        self._address, self._clock = _address(environ.get("NOTIFY_SOCKET", "")), clock
        self._every_s = _seconds(environ.get("WATCHDOG_USEC", "")) / _PINGS_A_DEADLINE
        self._pinged_s = float("-inf")
        self._status = ""
        self._is_ready = False

    def ready(self) -> None:
        """Report that the service is ready; repeated calls do nothing."""
        if not self._is_ready:
            self._is_ready = True
            self._send("READY=1")

    def alive(self) -> None:
        """Ping the watchdog if it is due."""
        now_s = self._clock()
        if self._every_s > 0 and now_s - self._pinged_s >= self._every_s:
            self._pinged_s = now_s
            self._send("WATCHDOG=1")

    def status(self, says: str) -> None:
        """Set the line that `systemctl status` shows, if it has changed."""
        # In a datagram, a line break begins another variable.
        line = " ".join(says.split())
        if line != self._status:
            self._status = line
            self._send(f"STATUS={line}")

    def stopping(self) -> None:
        """Report that the service is stopping."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # An unavailable service manager must not end a game.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
            to.sendto(message.encode(), self._address)


def _address(path: str) -> str:
    """Return the socket's address: a path, or, with a leading @, an abstract name.

    Other kinds, such as a virtual machine's vsock, are not supported and give "".
    """
    if path.startswith("@"):
        return "\0" + path[1:]
    return path if path.startswith("/") else ""


def _seconds(microseconds: str) -> float:
    return int(microseconds) / 1e6 if microseconds.isdecimal() else 0.0
