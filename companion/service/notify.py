"""Notifications to systemd: that the service is ready, what it does, and, again and again, that it is alive.

A datagram to the socket that systemd names in the environment, as sd_notify(3) describes it.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PINGS_A_DEADLINE: Final = 4
"""sd_watchdog_enabled(3) advises two; a frame that takes its time must not be mistaken for a program that hangs."""


class Notifier:
    """The connection to the service manager; without one, nothing happens.

    Feed `alive` from the loop that takes frames, never from a timer of its own: a loop that hangs must stop it.

    Args:
        environ: holds NOTIFY_SOCKET and WATCHDOG_USEC, where systemd started the program.
        clock: monotonic, in seconds.
    """

    def __init__(self, environ: Mapping[str, str], clock: Callable[[], float]) -> None:
        self._address, self._clock = _address(environ.get("NOTIFY_SOCKET", "")), clock
        self._every_s = _seconds(environ.get("WATCHDOG_USEC", "")) / _PINGS_A_DEADLINE
        self._pinged_s = float("-inf")
        self._status = ""
        self._is_ready = False

    def ready(self) -> None:
        """Report once that the service is ready."""
        if not self._is_ready:
            self._is_ready = True
            self._send("READY=1")

    def alive(self) -> None:
        """Feed the watchdog, as often as it asks for it."""
        now_s = self._clock()
        if self._every_s > 0 and now_s - self._pinged_s >= self._every_s:
            self._pinged_s = now_s
            self._send("WATCHDOG=1")

    def status(self, says: str) -> None:
        """Set the line that `systemctl status` shows, if it has changed."""
        line = " ".join(says.split())
        if line != self._status:
            self._status = line
            self._send(f"STATUS={line}")

    def stopping(self) -> None:
        """Report that the service ends."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # A service manager that does not listen is no reason to end a game.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
            to.sendto(message.encode(), self._address)


def _address(path: str) -> str:
    """Return the socket's address: a path, or with an @ an abstract name.

    Anything else, such as a vsock of a virtual machine, is left alone.
    """
    if path.startswith("@"):
        return "\0" + path[1:]
    return path if path.startswith("/") else ""


def _seconds(microseconds: str) -> float:
    return int(microseconds) / 1e6 if microseconds.isdecimal() else 0.0
